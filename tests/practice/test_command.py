"""`sabot practice` as it is called, and where it is not."""

import sys
from pathlib import Path

import pytest

from make_bundle import ON_A_FLOOR
from sabot.cli import main
from sabot.config import CHAPTER_IDS, load_chapter
from sabot.desk.commands.demo import YOURSELF
from sabot.practice.autoplay import DEALER, FLOOR, role_of
from sabot.practice.layout import KEYS, places
from sabot.practice.paragraph_gists import gist_of
from sabot.statemachine.vocabulary.events import Key


def test_the_bundle_for_the_floor_has_no_practice_table() -> None:
    assert "practice" not in ON_A_FLOOR


def test_without_its_room_it_says_that_this_is_the_program_for_a_floor(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sabot.practice.command", None)
    assert main(["practice"]) == 2
    assert "E-CLI-010" in capsys.readouterr().err


def test_a_way_of_dealing_that_the_chapter_does_not_have_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["practice", "pa641a", "--method", "guess"]) == 2
    assert "manual_shoe" in capsys.readouterr().err


def test_a_folder_that_is_there_already_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["practice", "--keep", str(tmp_path)]) == 2
    assert "E-CLI-005" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_demo_says_that_it_exists() -> None:
    assert "make practice" in YOURSELF


def test_every_key_of_the_table_is_on_the_page_and_no_two_are_typed_alike() -> None:
    assert {name for name, _, _ in KEYS} == {key.value for key in Key}
    assert len({typed.lower() for _, _, typed in KEYS}) == len(KEYS)
    assert not {typed.lower() for _, _, typed in KEYS} & {"s", "p", "h", "k", "d"}


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_x_8d_every_card_of_every_method_has_its_place_on_the_felt(chapter: str) -> None:
    law = load_chapter(chapter)
    found = [places(law, method, 6) for method in law.plans]
    assert all(each == found[0] for each in found)
    assert found[0]["SEAT 6"] == law.hands.places["player"]


def test_641a_8b_the_gist_is_that_of_the_ledger() -> None:
    assert any("No more bets" in gist for gist in gist_of("641a.8(b)"))
    assert gist_of("our policy") == []


def test_a_step_is_the_floors_where_the_display_calls_the_floor() -> None:
    assert role_of(("CARDS INSPECTED", "FLOOR: VERIFY CARDS")) == FLOOR
    assert role_of(("CLOSED", "OK=DEALER SIGN ON")) == DEALER
