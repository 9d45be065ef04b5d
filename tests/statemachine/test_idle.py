"""x.5(f): a table that is open and at which nobody plays is noticed, and the dealer is told what to do."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import StartShuffle, WakeAt

from .shift import Shift
from .tables import CHAPTERS

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
AFTER_S = 1200.0
NO_PLAY = ("NO PLAY: EMPTY SHOE", "AND RACK, SPREAD, OK")


def opened(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **{"idle_after_s": AFTER_S} | changes)
    shift.open_table()
    shift.mark()
    return shift


@each_chapter
def test_x_5f_where_nobody_plays_the_cards_are_taken_out_spread_looked_at_washed_and_shuffled(
    chapter: str,
) -> None:
    shift = opened(chapter)
    shift.wait(AFTER_S - 60)
    assert shift.prompt[0] == "BETS OPEN"
    shift.wait(60)
    assert (shift.phase, shift.prompt) == (Phase.BETS_OPEN, NO_PLAY)
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.IDLE, ("SPREAD FACE DOWN", "PLAYER LOOKED? OK"))
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.WASHING, ("WASH AND STACK", "FACE DOWN, THEN OK"))
    shift.mark()
    shift.ok()
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]


def test_641a_5f_the_time_is_asked_for_from_when_bets_are_open_and_nobody_has_one() -> None:
    shift = opened()
    begins = next(
        each for each in shift.effects if isinstance(each, WakeAt) and each.at < shift.now + AFTER_S + 60
    )
    assert begins.at == pytest.approx(shift.now + AFTER_S, abs=60)


def test_641a_5f_a_wager_is_gaming_activity_and_the_time_begins_anew_when_it_is_taken_back() -> None:
    shift = opened()
    shift.wait(AFTER_S - 100)
    shift.bet(2, ante=1000)
    shift.wait(AFTER_S)
    assert shift.prompt[0] == "BETS OPEN"
    shift.bet(2, ante=0)
    shift.wait(AFTER_S - 100)
    assert shift.prompt[0] == "BETS OPEN"
    shift.wait(200)
    assert shift.prompt == NO_PLAY


def test_641a_5f_who_bets_at_an_idle_table_before_its_cards_are_spread_plays() -> None:
    shift = opened()
    shift.wait(AFTER_S + 1)
    shift.bet(2, ante=1000)
    assert shift.prompt[0] == "BETS OPEN"
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.BETS_OPEN, "OK means nothing now")
    shift.lock()
    assert shift.is_in(Phase.DEALING)


def test_641a_5f_after_a_round_the_time_begins_when_bets_are_open_again() -> None:
    shift = opened()
    shift.wait(AFTER_S - 100)
    shift.play((2,))
    shift.wait(AFTER_S - 100)
    assert shift.prompt[0] == "BETS OPEN"
    shift.wait(200)
    assert shift.prompt == NO_PLAY


def test_641a_5g_a_table_with_a_reshuffling_device_is_never_idle() -> None:
    shift = opened(method="auto_shoe_reshuffle")
    shift.wait(2 * AFTER_S)
    assert shift.prompt[0] == "BETS OPEN"


def test_641a_5f_a_table_that_names_no_time_is_idle_when_the_dealer_says_so() -> None:
    shift = opened(idle_after_s=0.0)
    shift.wait(3 * AFTER_S)
    assert shift.prompt[0] == "BETS OPEN"
    shift.menu("NOBODY PLAYING")
    assert shift.is_in(Phase.IDLE)


def test_641a_5f_the_time_goes_on_in_a_table_that_was_restored() -> None:
    shift = opened()
    shift.wait(AFTER_S - 100)
    shift.table = Table.restore(shift.setup, shift.table.snapshot())
    shift.wait(200)
    assert shift.prompt == NO_PLAY


# ---------------------------------------------------------------- 4(d): two decks, each by itself


@each_chapter
def test_x_4d_two_decks_are_inspected_spread_and_washed_deck_by_deck(chapter: str) -> None:
    shift = Shift(chapter, decks=2)
    shift.receive()
    told = []
    while not shift.said(StartShuffle):
        told.append(shift.prompt[0])
        shift.verify_inspected() if shift.phase is Phase.VERIFYING else shift.ok()
    assert told == [
        "INSPECT DECK A",
        "INSPECT DECK B",
        "CARDS INSPECTED",
        "SPREAD A IN COLUMNS",
        "WASH A AND STACK",
        "SPREAD B IN COLUMNS",
        "WASH B AND STACK",
    ]
    shift.get_ready()
    assert [each.deck for each in shift.said(StartShuffle)] == ["A", "B"]


def test_641a_4d_a_deck_that_is_changed_meanwhile_begins_the_inspection_anew() -> None:
    shift = Shift(decks=2)
    shift.receive()
    shift.ok(2)
    shift.verify_inspected()
    shift.ok(2)
    assert shift.prompt[0] == "SPREAD B IN COLUMNS"
    shift.register(color="green")
    shift.floor("CHANGE DECK", "A")
    assert (shift.phase, shift.prompt[0]) == (Phase.INSPECTING, "INSPECT DECK B")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert all(deck.ready for deck in shift.table.state.stock.decks.values())
