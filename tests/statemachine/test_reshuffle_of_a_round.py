"""x.5(a): the floor may direct a shuffle until the first card is dealt, of a locked round too."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.effects import Dispense, RemoveDeck, ReturnWager, StartShuffle, VoidRound
from sabot.statemachine.vocabulary.events import DeviceRetested, Key, ShufflerStopped

from .shift import NotOfferedError, Shift
from .tables import CHAPTERS

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def locked(chapter: str = "pa641a", bets: dict[str, int] | None = None, **changes: Any) -> Shift:
    """No more bets, and no card yet."""
    shift = Shift(chapter, **changes)
    shift.open_table()
    shift.bet(2, **(bets or {"ante": 1000}))
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.COUNTING_CHIPS if bets else Phase.DEALING)
    shift.mark()
    return shift


@each_chapter
def test_x_5a_a_shuffle_by_hand_is_directed_before_the_first_card_and_the_cards_are_cut(chapter: str) -> None:
    shift = locked(chapter, shuffler=Shuffler.HAND)
    shift.floor("RESHUFFLE", person="f3")
    assert (shift.phase, shift.prompt) == (Phase.DEALING, ("SHUFFLE DECK A", "THEN OK"))
    shift.ok()
    assert shift.prompt == ("CUT: COVER CARD 10+", "ABOVE TO BOTTOM, OK")
    shift.ok()
    assert shift.prompt[0].startswith("CARD 1 TO")
    assert ("reshuffle ordered", "f3") in [
        (note.words, note.by) for note in shift.table.state.play.current.notes
    ]
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


@each_chapter
def test_x_5a_a_shuffle_by_a_device_is_waited_for(chapter: str) -> None:
    shift = locked(chapter)
    shift.floor("RESHUFFLE")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")
    shift.ok()
    assert shift.why == "the shuffler does it: wait for its report"
    shift.shuffler_done()
    assert shift.prompt[0].startswith("CARD 1 TO")
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


@each_chapter
def test_x_13g_no_shuffle_by_hand_before_the_shuffler_is_covered_within_a_round_either(chapter: str) -> None:
    shift = Shift(chapter, knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.quick_shuffler = False
    shift.floor("RESHUFFLE")
    shift.menu("OUT OF ORDER", "shuffler")
    cite = shift.chapter.out_of_order.cite
    assert shift.prompt == ("SHUFFLE DECK A", "FLOOR: COVER OR SIGN")
    shift.ok()
    assert shift.why == f"the shuffler is covered or signed first ({cite})"
    shift.floor("DEVICE COVERED", "shuffler")
    assert shift.prompt == ("SHUFFLE DECK A", "THEN OK")
    shift.ok(2)
    assert shift.table.state.stock.decks["A"].proof == "by hand"
    assert shift.prompt[0].startswith("DEAL")


@each_chapter
def test_x_9a1_nothing_is_dealt_from_the_hand_after_a_shuffle_by_hand_within_a_round(chapter: str) -> None:
    shift = Shift(chapter, method="hand", knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.quick_shuffler = False
    shift.floor("RESHUFFLE")
    shift.menu("OUT OF ORDER", "shuffler")
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.floor("DEVICE COVERED", "shuffler")
    assert shift.prompt == ("SHUFFLE DECK A", "FLOOR: CHOOSE METHOD")
    shift.ok()
    needs = shift.chapter.plans["hand"].needs_shuffler
    assert shift.why == f"not without a shuffler: choose a method ({needs})"
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.ok(2)
    shift.deal_cards()
    shift.ok()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert (shift.record.method, shift.record.void) == ("manual_shoe", "")


def test_641a_5a_while_chips_are_counted_too_and_the_shoe_is_ordered_afterwards() -> None:
    shift = Shift(method="auto_shoe")
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    shift.mark()
    shift.floor("RESHUFFLE")
    shift.count_chips()
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")
    assert not shift.said(Dispense)
    shift.shuffler_done()
    assert shift.prompt == ("CHIPS TO TRAY", "THEN OK")
    shift.ok()
    assert shift.said(Dispense)
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


def test_641a_5a_not_once_a_card_is_dealt_or_ordered() -> None:
    shift = locked()
    shift.draw()
    shift.floor("RESHUFFLE")
    assert not shift.said(StartShuffle)
    shift = locked(method="auto_shoe")
    shift.floor("RESHUFFLE")
    assert not shift.said(StartShuffle)
    shift.unlock()
    with pytest.raises(Exception, match=r"cards have been dealt \(641a.5\(a\)\)"):
        shift.table.rooms.actions.verify("reshuffle")


def test_641a_5a_a_card_that_leaves_meanwhile_is_out_of_turn() -> None:
    shift = locked()
    shift.floor("RESHUFFLE")
    shift.draw()
    assert shift.prompt[0] == "HELD: STRAY CARD"


def test_641a_5b_a_deck_that_is_counted_wrong_before_the_first_card_leaves_and_the_round_is_void() -> None:
    shift = locked()
    shift.floor("RESHUFFLE")
    shift.mark()
    shift.shuffler_done(count=51)
    assert shift.said(VoidRound)
    assert [each.deck for each in shift.said(RemoveDeck)] == ["A"]
    assert [(each.seat, each.wager) for each in shift.said(ReturnWager)] == [(2, "ante")]


def test_641a_13e_a_shuffler_that_stops_meanwhile_shuffles_again() -> None:
    shift = locked()
    shift.floor("RESHUFFLE")
    shift.send(ShufflerStopped, deck="A", cause="jam")
    shift.send(DeviceRetested, device="shuffler", fault="shuffler_jam", good=True)
    shift.mark()
    shift.floor("RELEASE")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")
    shift.shuffler_done()
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


def test_641a_5a_a_shuffle_may_be_done_before_the_chips_are_counted() -> None:
    shift = Shift(method="auto_shoe")
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    shift.floor("RESHUFFLE")
    shift.mark()
    shift.shuffler_done()
    assert (shift.phase, shift.said(Dispense)) == (Phase.COUNTING_CHIPS, [])
    shift.count_chips()
    shift.ok()  # the chips are in the tray
    assert shift.said(Dispense)


@pytest.mark.parametrize("count", [51, 52])
def test_641a_5a_a_shuffle_that_ends_after_the_round_was_void_orders_nothing(count: int) -> None:
    shift = locked(method="auto_shoe", shuffler=Shuffler.PLAIN, bets={"ante": 1000, "prog4": 100})
    shift.table.state.stock.since_count = 4
    shift.floor("RESHUFFLE")
    shift.menu("OUT OF ORDER", "shoe")
    assert shift.is_in(Phase.RETURNING)
    shift.mark()
    shift.ok()
    assert shift.is_in(Phase.CLEARING)
    shift.shuffler_done(count=count)
    assert (shift.said(Dispense), shift.said(VoidRound)) == ([], [])
    assert [each.deck for each in shift.said(RemoveDeck)] == (["A"] if count == 51 else [])
    shift.ok()
    assert shift.is_in(Phase.SHUFFLING)
