"""x.13(b): a card that leaves the shoe before the deal, its face not seen, is the next card: the first one dealt."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Policies, Shuffler
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import Dispense
from sabot.statemachine.vocabulary.events import CardDrawn, Key, LinkLost, Secret

from .shift import Shift
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
IS_NEXT = ("HELD: STRAY CARD", "FLOOR: IS NEXT CARD")


def opened(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    shift.pack = list(range(51, -1, -1))
    return shift


def early(shift: Shift) -> None:
    """A card leaves; the floor sees that its face was not shown."""
    shift.send(CardDrawn, card=shift._top(1)[0])
    assert shift.prompt == IS_NEXT
    shift.floor("RELEASE")


@each_chapter
def test_x_13b_a_card_that_leaves_before_the_lock_is_kept_as_card_one(chapter: str) -> None:
    shift = opened(chapter)
    early(shift)
    assert shift.prompt[0] == "BETS OPEN"
    shift.bet(2, ante=1000)
    shift.lock()
    round_ = shift.table.state.play.current
    assert (round_.drawn, round_.seen) == (1, [Secret(51)])
    first = min(round_.plan)
    shift.deal()
    assert shift.truth(first.place)[0] == 51
    assert shift.table.rooms.settlements.knows_cards()
    cite = law(chapter).irregularities["drawn_in_error"].cite
    assert ("a card left the shoe before the deal: it is dealt first", cite) in [
        (note.words, note.cite) for note in round_.notes
    ]


def test_641a_13b_a_card_that_leaves_while_chips_are_counted_is_card_one_too() -> None:
    shift = opened()
    shift.bet(2, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    early(shift)
    assert shift.is_in(Phase.COUNTING_CHIPS)
    shift.count_chips()
    assert shift.table.state.play.current.seen == [Secret(51)]
    assert shift.prompt == ("CHIPS TO TRAY", "THEN OK")
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


def test_641a_13b_several_are_the_next_ones_in_their_order() -> None:
    shift = opened()
    early(shift)
    early(shift)
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.seen == [Secret(51), Secret(50)]
    assert shift.prompt == ("CARD 2 TO", "SEAT 2")


def test_641a_13b_one_that_could_not_be_read_is_card_one_and_nobody_knows_it() -> None:
    shift = opened()
    shift.send(CardDrawn, card=None)
    shift.out = 1
    shift.floor("RELEASE")
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.seen == [None]
    shift.deal()
    assert not shift.table.rooms.settlements.knows_cards()


def test_641a_13a_one_that_was_seen_is_declared_face_up_and_not_used() -> None:
    shift = opened()
    early(shift)
    shift.bet(2, ante=1000)
    shift.lock()
    shift.menu("CARD FACE UP")
    assert shift.table.state.play.current.face_up == [1]


def test_641a_13b_a_card_that_no_deck_has_is_no_card_of_it_before_the_deal_either() -> None:
    shift = opened()
    shift.send(CardDrawn, card=Secret(7))
    shift.send(CardDrawn, card=Secret(7))
    shift.floor("RELEASE")
    shift.bet(2, ante=1000)
    shift.lock()
    assert [held.kind for held in shift.table.state.trouble.holds] == ["composition"]


@pytest.mark.parametrize("knowledge", [Knowledge.STACK, Knowledge.COUNT_ONLY])
def test_641a_13b_a_stack_before_its_order_is_the_first_stack(knowledge: Knowledge) -> None:
    shift = opened(method="auto_shoe", knowledge=knowledge)
    shift.dispense(5)
    assert shift.prompt == IS_NEXT
    shift.floor("RELEASE")
    shift.bet(2, ante=1000)
    shift.mark()
    shift.lock()
    assert shift.prompt == ("5 CARDS TO", "DEALER")
    assert [each.count for each in shift.said(Dispense)] == [5]
    shift.deal()
    assert shift.is_in(Phase.DECIDING)
    assert shift.table.rooms.settlements.knows_cards() is (knowledge is Knowledge.STACK)


def test_641a_13b_of_a_stack_of_three_the_shoe_is_asked_for_the_other_two() -> None:
    shift = opened(method="auto_shoe")
    shift.dispense(3)
    shift.floor("RELEASE")
    shift.bet(2, ante=1000)
    shift.mark()
    shift.lock()
    assert [each.count for each in shift.said(Dispense)] == [2]


def test_683a_13b_more_than_the_plan_wants_stays_with_the_stub() -> None:
    shift = opened("pa683a")
    for _ in range(7):
        early(shift)
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.is_in(Phase.STUB)
    assert shift.table.state.play.current.drawn == 5


@pytest.mark.parametrize("away", ["reshuffle", "spread", "changed"])
def test_641a_13b_a_card_goes_with_its_deck_when_that_is_not_dealt(away: str) -> None:
    shift = opened()
    early(shift)
    if away == "reshuffle":
        shift.floor("RESHUFFLE")
    elif away == "spread":
        shift.menu("NOBODY PLAYING")
        shift.ok(2)
    else:
        shift.register()
        shift.floor("CHANGE DECK", "A")
        shift.verify_cards()
        shift.wash()
    shift.get_ready()
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.drawn == 0


def test_641a_13b_it_belongs_to_the_deck_that_it_left() -> None:
    shift = opened(decks=2)
    early(shift)
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    shift.bet(2, ante=1000)
    shift.lock()
    assert (shift.table.state.play.current.deck, shift.table.state.play.current.drawn) == ("B", 0)


def test_641a_5e_a_recut_is_made_of_the_others() -> None:
    shift = opened(shuffler=Shuffler.HAND)
    early(shift)
    shift.floor("RECUT")
    shift.ok()
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.seen == [Secret(51)]


def test_641a_13b_a_restart_keeps_it() -> None:
    shift = opened()
    early(shift)
    shift.table = Table.restore(shift.setup, shift.table.snapshot())
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.seen == [Secret(51)]


def test_641a_13b_nobody_is_shown_it() -> None:
    shift = opened()
    early(shift)
    assert "Secret(**)" in repr(shift.table.state.stock.decks["A"].early)
    for role in ("dealer", "floor", "auditor", "technician"):
        shown = str(shift.table.rooms.views.view(role))  # type: ignore[arg-type]
        assert "early" not in shown


def test_641a_13b_with_the_hold_switched_off_it_is_dealt_first_all_the_same() -> None:
    shift = opened(policies=Policies(contradiction=False))
    shift.send(CardDrawn, card=Secret(51))
    assert shift.table.rooms.faults.held is None
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.seen == [Secret(51)]


def test_641a_13b_a_card_that_leaves_while_the_table_is_held_is_the_next_one() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.send(LinkLost, device="sign", reason="silent")
    shift.send(CardDrawn, card=Secret(51))
    assert shift.table.state.play.current.seen == [Secret(51)]


@pytest.mark.parametrize("phase", ["stub", "deciding", "settling", "idle"])
def test_641a_13b_after_the_deal_it_goes_with_the_stub_and_out_of_play_to_its_deck(phase: str) -> None:
    shift = opened()
    if phase == "idle":
        shift.menu("NOBODY PLAYING")
    else:
        shift.bet(2, ante=1000)
        shift.lock()
        shift.deal_cards()
    if phase in ("deciding", "settling"):
        shift.ok()
    if phase == "settling":
        shift.reveal()
    drawn = shift.table.state.play.current.drawn if shift.table.state.play.round else 0
    shift.send(CardDrawn, card=Secret(shift.pack[40]))
    where = "TO ITS DECK" if phase == "idle" else "TO THE STUB"
    assert shift.prompt == ("HELD: STRAY CARD", f"FLOOR: {where}")
    assert drawn == (shift.table.state.play.current.drawn if shift.table.state.play.round else 0)
    assert not shift.table.state.stock.decks["A"].early
