"""What one console, and all who have proved nothing, may ask in a time; and the small print of commands."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from at_the_console import Board, Console
from sabot.firmware.console import export
from sabot.firmware.console.catalogue import COMMANDS, terms
from sabot.firmware.console.command import Command, plain_word
from sabot.firmware.console.dispatcher import CommandDispatcher
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.line import AT_ONCE, PER_SECOND, Bucket
from sabot.firmware.console.record import Strangers
from sabot.firmware.console.server import RIGHTS, _listening
from sabot.firmware.console.session import CONFIRM_S, ConsoleSession, Peer
from sabot.firmware.journal.entry import Stamp
from sabot.firmware.run.slips import Slip

# ---------------------------------------------------------------- allowances


def test_policy_strangers_have_sixty_entries_at_once_and_then_one_a_second() -> None:
    now = 100.0
    strangers = Strangers(lambda: now)

    assert [strangers.may_enter() for _ in range(62)] == [True] * 60 + [False] * 2
    assert strangers.passed_over() == 2
    assert strangers.passed_over() == 0
    now += 1.0
    assert [strangers.may_enter() for _ in range(2)] == [True, False]
    now += 2.5
    assert [strangers.may_enter() for _ in range(4)] == [True, True, False, False]
    now += 10_000.0
    assert [strangers.may_enter() for _ in range(61)] == [True] * 60 + [False]


@pytest.mark.parametrize("consoles", [1, 2])
def test_policy_an_allowance_fills_with_time_and_no_further(consoles: int) -> None:
    async def left(before: float, ago_s: float) -> float:
        bucket = Bucket(consoles)
        bucket._left, bucket._at = before, bucket._at - ago_s
        await bucket.take()
        return bucket._left

    assert asyncio.run(left(0.0, 1.0)) == pytest.approx(consoles * PER_SECOND - 1.0, abs=0.5)
    assert asyncio.run(left(5.0, 1e6)) == consoles * AT_ONCE - 1.0
    assert asyncio.run(_new(consoles)) == (consoles * AT_ONCE, AT_ONCE)


async def _new(consoles: int) -> tuple[float, float]:
    return Bucket(consoles)._left, Bucket()._left


def test_policy_a_socket_is_the_groups_and_nobody_elses_files_change(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        _listening(tmp_path / "console.sock").close()
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "console.sock").stat().st_mode) == RIGHTS
    _listening(tmp_path / "console.sock").close()  # over one that a dead program left
    (tmp_path / "console.new").touch()
    _listening(tmp_path / "console.sock").close()


def test_policy_a_second_person_confirms_that_very_command_in_time() -> None:
    now = 0.0
    session = ConsoleSession(1, Peer(1, 1, 1), lambda: now)
    words = ("retain", "board")
    assert not session.is_second_in_time(words)

    session.wait_for_second(words)
    now = CONFIRM_S / 2
    session.wait_for_second(words)  # asked once more: no new time
    assert session.is_second_in_time(words)
    assert not session.is_second_in_time(("retain", "stick"))
    now = CONFIRM_S
    assert not session.is_second_in_time(words)

    session.wait_for_second(words)
    assert session.is_second_in_time(words)
    session.wait_for_second(("unseal", "1"))
    assert not session.is_second_in_time(words)
    session.confirmed()
    assert not session.is_second_in_time(("unseal", "1"))


# ---------------------------------------------------------------- the small print


@pytest.mark.parametrize(
    ("name", "usage", "said"),
    [
        ("status", "status", "by anybody"),
        ("devices", "devices [NAME]", "by anybody"),
        ("unlock", "unlock NUMBER", "by anybody, a PIN is asked for"),
        ("people", "people", "by a dealer or floor or technician or auditor"),
        ("lift slips", "lift slips", "by a technician, with a reason"),
        (
            "meters adjust",
            "meters adjust METER LEVEL AMOUNT",
            "by a floor or technician, confirmed by a second person of another role, with a reason",
        ),
    ],
)
def test_a_command_says_how_it_is_typed_and_by_whom(name: str, usage: str, said: str) -> None:
    assert COMMANDS[name].usage == usage
    assert terms(COMMANDS[name]) == said


async def _nothing(_call: object) -> None: ...


@pytest.mark.parametrize(
    ("changes", "only_reads"),
    [({}, True), ({"orders": True}, False), ({"asks": "pin"}, False), ({"roles": frozenset("x")}, False)],
)
def test_a_command_only_reads_where_it_orders_proves_and_wants_nothing(
    changes: dict[str, object], only_reads: bool
) -> None:
    assert Command("x", "", _nothing, **changes).only_reads is only_reads  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "is_good"),
    [("", False), ("a", True), ("a" * 20, True), ("a" * 21, False), ("ä", False), ("a\n", False)],
)
def test_a_word_fits_a_display(word: str, is_good: bool) -> None:
    if is_good:
        assert plain_word(word) == word
        return
    with pytest.raises(ValueError, match="at most 20 plain characters"):
        plain_word(word)


def test_every_name_is_offered_where_nothing_is_typed_yet(board: Board) -> None:
    async def offered() -> list[str]:
        return CommandDispatcher(board, COMMANDS).complete(())

    assert board.do(offered()) == sorted({name.split()[0] for name in COMMANDS})


def test_slips_are_listed_the_newest_first_with_what_counts(board: Board, desk: Console) -> None:
    assert desk("slips")["end"] == "done"
    assert desk.text == "the program has never stumbled"
    assert desk.said[0]["data"] == {"slips": 0}

    for at, trusted in ((1.0, True), (2.0, False)):
        stamp = Stamp("boot", f"{at:.6f}", f"2026-01-01T00:00:0{at:.0f}.000Z", trusted)
        board.slips.add(Slip("KeyError", f"a.py:{at:.0f} f", "KeyPressed LOCK", stamp, frames=("b.py:2 g",)))
    desk("slips")
    places = [said["data"]["place"] for said in desk.said if "place" in said.get("data", {})]
    assert places == ["a.py:2 f", "a.py:1 f"]
    assert "00:02.000Z (clock not trusted)" in desk.text
    assert "00:01.000Z\n" in desk.text
    assert desk.text.count("counts           yes") == 2
    assert "through          b.py:2 g" in desk.text

    desk.unlock("42")
    assert desk("lift slips", why="looked into")["end"] == "done"
    desk("slips")
    assert desk.text.count("no, lifted") == 2
    assert desk("lift slips", why="again")["end"] == "refused"


def test_a_table_without_a_deck_says_so_and_one_with_decks_does_not(board: Board, desk: Console) -> None:
    bare = "no deck is at the table, and none is registered"
    desk("decks")
    assert desk.text == bare

    board.play(60)
    desk("decks")
    assert bare not in desk.text
    assert desk.text.startswith("deck ")
    assert "unproven round   1: seat " in desk.text


def test_a_device_says_all_that_it_counts_and_one_that_is_not_there_is_refused_first(
    board: Board, desk: Console
) -> None:
    desk("devices shoe")
    names = {name for said in desk.said for name in said.get("data", {})}
    assert {"device", "up", "maker", "authenticated", "frames_in", "retries"} <= names

    desk.unlock("42")
    assert desk("retest nobody")["code"] == "E-CONS-011"
    assert [each["result"] for each in board.commands() if each["command"] == "retest"] == ["refused"]


def test_whoever_leaves_follow_is_told_no_more(board: Board, desk: Console) -> None:
    assert board.runner is not None
    before = len(board.runner.onlookers), len(board.runner.subscribers)
    for said in desk.client.ask(do=["follow"]):
        if "end" not in said:
            desk.client.stop()

    assert (len(board.runner.onlookers), len(board.runner.subscribers)) == before


def test_a_file_that_somebody_else_made_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal-1-9.jsonl"
    path.write_bytes(b"theirs")

    with (tmp_path / "beside").open("wb") as file, pytest.raises(ConsoleError, match="is there already"):
        export._claim(file, path)

    assert path.read_bytes() == b"theirs"
