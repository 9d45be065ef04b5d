"""An update is ordered at the console by two people; what carries it out reads who they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from at_the_console import Board, Console
from sabot.firmware.credentials import update_agreement


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A board that was started from an image, with a bundle that lies ready."""
    file = tmp_path / "incoming.bundle"
    file.write_bytes(b"a bundle")
    monkeypatch.setattr(update_agreement, "INCOMING", file)
    slot = tmp_path / "slot.conf"
    slot.touch()
    monkeypatch.setattr(update_agreement, "SLOT_FILE", slot)
    return file


def serve(desk: Console) -> None:
    desk.unlock("42")
    assert desk("service on", why="update")["end"] == "done", desk.said


def test_policy_two_people_order_an_update_and_root_reads_who(
    board: Board, desk: Console, bundle: Path
) -> None:
    serve(desk)
    assert desk.dual("update", "17", why="1.1 mends the sign")["end"] == "done", desk.said
    agreed = update_agreement.read(board.rooms.root, bundle)
    assert agreed == "42 Bob (technician) and 17 Ann (floor): 1.1 mends the sign"
    assert board.commands()[-1]["command"] == "update"


def test_policy_an_agreement_is_to_one_bundle(board: Board, desk: Console, bundle: Path) -> None:
    serve(desk)
    desk.dual("update", "17", why="x")
    bundle.write_bytes(b"another")
    with pytest.raises(ValueError, match="another bundle"):
        update_agreement.read(board.rooms.root, bundle)


def test_policy_without_an_agreement_nothing_is_installed(board: Board, bundle: Path) -> None:
    with pytest.raises(ValueError, match="nobody has agreed"):
        update_agreement.read(board.rooms.root, bundle)


def test_policy_no_update_out_of_service_mode(board: Board, desk: Console, bundle: Path) -> None:
    desk.unlock("42")
    assert desk("update", why="x")["code"] == "E-CONS-010"
    assert bundle.exists()
    assert not (board.rooms.root / update_agreement.NOTE).exists()


def test_policy_no_update_of_an_open_table(board: Board, desk: Console, bundle: Path) -> None:
    board.play(12)
    serve(desk)
    assert "table closed" in desk("update", why="x")["why"]
    assert bundle.exists()


def test_policy_no_update_where_none_lies_ready(desk: Console, bundle: Path) -> None:
    bundle.unlink()
    serve(desk)
    assert desk("update", why="x")["code"] == "E-CONS-011"


def test_policy_a_board_without_slots_has_another_way(desk: Console) -> None:
    serve(desk)
    assert "does not start from an image" in desk("update", why="x")["why"]
