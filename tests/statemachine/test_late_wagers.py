"""x.7(c): what is made, increased or withdrawn after "no more bets" is told to the dealer and kept in the record."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import RefuseWager
from sabot.statemachine.vocabulary.events import Key, LinkLost

from .shift import Shift
from .tables import CHAPTERS, law
from .test_wagers import locked_bets

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def locked(chapter: str = "pa641a", **changes: Any) -> Shift:
    """Seats 1 and 2 have an Ante, and the first card is due."""
    shift = Shift(chapter, **changes)
    shift.open_table()
    for seat in (1, 2):
        shift.bet(seat, ante=2500)
    shift.lock()
    shift.mark()
    return shift


def late(shift: Shift) -> list[str]:
    return [note.words for note in shift.table.state.layout.late]


@each_chapter
def test_x_7c_a_wager_raised_after_the_lock_is_told_and_kept(chapter: str) -> None:
    shift = locked(chapter)
    before = shift.prompt
    shift.bet(1, ante=3000)
    assert shift.prompt == ("RETURN SEAT 1", "LATE: ANTE $5")
    assert late(shift) == ["seat 1 ante raised late from 2500 to 3000 cents"]
    assert {note.cite for note in shift.table.state.layout.late} == {shift.table.law.cite("7(c)")}
    assert shift.said(RefuseWager)[-1].seat == 1
    assert locked_bets(shift)[1] == {"ante": 2500}
    shift.bet(1, ante=2500)
    assert shift.prompt == before
    assert late(shift)[1:] == ["seat 1 ante put right"]
    assert law(chapter).id == chapter


@each_chapter
def test_x_7c_a_wager_lifted_after_the_lock_is_put_back(chapter: str) -> None:
    shift = locked(chapter)
    before = shift.prompt
    shift.bet(1, ante=0)
    assert shift.prompt == ("PUT BACK SEAT 1", "ANTE $25")
    assert late(shift) == ["seat 1 ante lifted late"]
    assert locked_bets(shift)[1] == {"ante": 2500}
    refused = len(shift.said(RefuseWager))
    shift.bet(1, ante=2500)
    assert shift.prompt == before
    assert late(shift) == ["seat 1 ante lifted late", "seat 1 ante put right"]
    # What lies there as it was accepted is no late wager.
    assert len(shift.said(RefuseWager)) == refused


@each_chapter
def test_x_7c_chips_taken_off_a_wager_after_the_lock_are_put_back(chapter: str) -> None:
    shift = locked(chapter)
    shift.bet(2, ante=500)
    assert shift.prompt == ("PUT BACK SEAT 2", "ANTE $20")
    assert late(shift) == ["seat 2 ante lowered late from 2500 to 500 cents"]


@each_chapter
def test_x_7c_a_wager_made_after_the_lock_goes_back(chapter: str) -> None:
    shift = locked(chapter)
    before = shift.prompt
    shift.bet(3, ante=1000)
    assert shift.prompt == ("RETURN SEAT 3", "LATE: ANTE $10")
    shift.bet(3, ante=0)
    assert shift.prompt == before
    assert late(shift) == ["seat 3 ante placed late", "seat 3 ante put right"]


def test_641a_7c_the_dealer_says_so_where_the_pad_cannot_sense_how_much() -> None:
    shift = locked()
    before = shift.prompt
    shift.bet(1, ante=None)
    assert shift.prompt == ("RETURN SEAT 1", "LATE: ANTE")
    assert late(shift) == ["seat 1 ante changed late"]
    shift.ok()
    assert shift.prompt == before
    assert late(shift)[1:] == ["seat 1 ante put right, said the dealer"]
    assert shift.table.state.layout.late[-1].by == "dealer"


def test_641a_7c_the_record_of_the_round_has_both_with_their_time() -> None:
    shift = locked()
    shift.bet(1, ante=3000)
    at = shift.now
    shift.bet(1, ante=2500)
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert [(note.at, note.words) for note in shift.record.late] == [
        (at, "seat 1 ante raised late from 2500 to 3000 cents"),
        (at + 1, "seat 1 ante put right"),
    ]


def test_641a_7c_it_is_told_while_players_are_asked_and_before_anything_is_entered() -> None:
    shift = locked()
    shift.deal()
    asked = shift.prompt
    shift.bet(2, ante=0)
    assert shift.prompt == ("PUT BACK SEAT 2", "ANTE $25")
    shift.press(Key.ONE)
    assert shift.why == "chips go back first (641a.7(c))"
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.DECIDING, asked)


def test_641a_7c_a_play_wager_that_was_made_is_held_to_like_any_other() -> None:
    shift = locked()
    shift.deal()
    shift.answer(1, play=2500)
    shift.bet(1, play=7500)
    assert shift.prompt == ("RETURN SEAT 1", "LATE: PLAY $50")


def test_641a_11b_chips_for_a_play_wager_that_is_made_later_are_refused_and_interrupt_nobody() -> None:
    shift = locked()
    before = shift.prompt
    shift.bet(2, play=2500)
    assert shift.prompt == before
    assert late(shift) == ["seat 2 play placed late"]
    assert shift.said(RefuseWager)[-1].wager == "play"


def test_641a_7c_what_happens_while_the_table_is_held_is_told_after_its_release() -> None:
    shift = locked()
    shift.send(LinkLost, device="display", reason="silent")
    shift.bet(1, ante=0)
    assert shift.prompt[0] == "HELD: DEVICE SILENT"
    shift.table.state.trouble.holds[0].retested = True
    shift.floor("RELEASE")
    assert shift.prompt == ("PUT BACK SEAT 1", "ANTE $25")


def test_641a_7c_two_spots_are_put_right_one_after_the_other() -> None:
    shift = locked()
    shift.bet(1, ante=0)
    shift.bet(3, ante=500)
    assert shift.prompt == ("PUT BACK SEAT 1", "ANTE $25")
    shift.bet(1, ante=2500)
    assert shift.prompt == ("RETURN SEAT 3", "LATE: ANTE $5")


def test_641a_7c_when_chips_are_paid_nobody_is_told_of_them() -> None:
    shift = locked()
    shift.deal()
    shift.reveal()
    before = shift.prompt
    shift.bet(1, ante=5000)
    assert shift.prompt == before
