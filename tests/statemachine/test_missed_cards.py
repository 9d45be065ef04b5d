"""x.13(b): a report of a reading shoe that never came is a card that nobody read, until the floor has looked."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Policies
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import HaltShoe, LockWagers
from sabot.statemachine.vocabulary.events import CardDrawn, CardsMissed, Key, LinkLost, Secret

from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
NO_CARD = "NO CARD WAS MISSED"


def opened(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    shift.pack = list(range(51, -1, -1))
    return shift


def dealt_to(count: int, chapter: str = "pa641a", **changes: Any) -> Shift:
    """Two seats, and so many cards of the deal are out."""
    shift = opened(chapter, **changes)
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    shift.lock()
    for _ in range(count):
        draw(shift)
    return shift


def draw(shift: Shift, missed: int = 0) -> None:
    """The next card, behind so many whose reports never came."""
    shift._top(missed)
    shift.send(CardDrawn, card=shift._top(1)[0], missed=missed)


def kinds(shift: Shift) -> list[str]:
    return [held.kind for held in shift.table.state.trouble.holds]


@each_chapter
def test_x_13b_a_card_whose_report_was_lost_lies_at_its_place_unread(chapter: str) -> None:
    shift = dealt_to(1, chapter)
    due = shift.table.rooms.contest.laid.order[1]
    draw(shift, missed=1)
    round_ = shift.table.state.play.current
    assert (round_.drawn, round_.seen) == (3, [Secret(51), None, Secret(49)])
    assert kinds(shift) == ["missed_card"]
    assert (shift.said(LockWagers)[-1].cite, len(shift.said(HaltShoe))) == (shift.table.law.cite("13(b)"), 1)
    assert shift.prompt[0] == "HELD: CARD NOT READ"
    place = f"{due.place.replace('seat', 'SEAT ').upper()}"
    assert shift.prompt[1].startswith(f"FLOOR: {place}")
    shift.floor("RELEASE")
    shift.deal()
    # Every later card lies where it lies, under its own name.
    for each in round_.plan:
        if each.position != due.position and each.place.startswith("seat"):
            assert round_.seen[each.position - 1] == Secret(52 - each.position)
    assert not shift.table.rooms.settlements.knows_cards()
    cite = law(chapter).irregularities["drawn_in_error"].cite
    assert any("1 report of the shoe missing" in note.words and note.cite == cite for note in round_.notes)


def test_641a_13b_the_display_says_whose_card_and_how_many() -> None:
    shift = dealt_to(1)
    draw(shift, missed=2)
    assert shift.prompt == ("HELD: 2 NOT READ", "FLOOR: SEAT 5 CARD 1")
    assert shift.table.state.play.current.seen == [Secret(51), None, None, Secret(48)]


@each_chapter
def test_x_13b_where_no_card_was_missed_the_later_ones_move_up(chapter: str) -> None:
    shift = dealt_to(1, chapter)
    shift.send(CardDrawn, card=Secret(50), missed=1)
    shift.out = 2
    assert shift.table.state.play.current.seen == [Secret(51), None, Secret(50)]
    shift.floor(NO_CARD)
    round_ = shift.table.state.play.current
    assert (round_.drawn, round_.seen, kinds(shift)) == (2, [Secret(51), Secret(50)], [])
    assert ("no card was missed at position 2", "floor") in [(note.words, note.by) for note in round_.notes]
    shift.deal()
    assert shift.table.rooms.settlements.knows_cards()


def test_641a_13b_only_the_floor_says_that_no_card_was_missed_and_only_while_it_is_held() -> None:
    shift = dealt_to(1)
    with pytest.raises(NotOfferedError):
        shift.floor(NO_CARD)
    draw(shift, missed=1)
    with pytest.raises(NotOfferedError):
        shift.menu(NO_CARD)
    shift.floor("RELEASE")
    with pytest.raises(NotOfferedError):
        shift.floor(NO_CARD)


def test_641a_13b_a_second_gap_is_looked_at_by_itself() -> None:
    shift = dealt_to(1)
    draw(shift, missed=1)
    draw(shift, missed=1)
    assert kinds(shift) == ["missed_card", "card_out_of_turn"]
    assert shift.prompt == ("HELD: 2 NOT READ", "FLOOR: SEAT 5 CARD 1")
    shift.floor(NO_CARD, "2 1")
    assert shift.table.state.play.current.seen == [Secret(51), Secret(49), None, Secret(47)]
    assert kinds(shift) == ["missed_card", "card_out_of_turn"]
    shift.floor(NO_CARD, "3 1")
    assert shift.table.state.play.current.seen == [Secret(51), Secret(49), Secret(47)]
    assert kinds(shift) == ["card_out_of_turn"]


def test_641a_13b_an_old_gap_that_was_released_is_confirmed() -> None:
    shift = dealt_to(1)
    draw(shift, missed=1)
    shift.floor("RELEASE")
    draw(shift, missed=1)
    assert [(each.first, each.count) for each in shift.table.state.trouble.missed] == [(4, 1)]


def test_641a_13a_a_gap_before_a_card_that_lies_aside_is_not_taken_back() -> None:
    shift = dealt_to(1)
    draw(shift, missed=1)
    shift.menu("CARD FACE UP")
    with pytest.raises(NotOfferedError):
        shift.floor(NO_CARD)


@each_chapter
def test_x_13b_the_last_card_of_the_deal_was_missed_and_one_more_was_drawn(chapter: str) -> None:
    """What is there twice over is nobody's word: the last place has a card that was not read."""
    shift = dealt_to(0, chapter)
    left = len(shift.table.rooms.contest.laid.order)
    for _ in range(left - 1):
        draw(shift)
    draw(shift, missed=1)
    assert shift.is_in(Phase.STUB)
    assert shift.table.state.play.current.seen[-1] is None
    assert kinds(shift) == ["missed_card", "card_out_of_turn"]
    with pytest.raises(NotOfferedError):
        shift.floor(NO_CARD)


def test_641a_13b_a_gap_that_another_report_shows_is_a_card_too() -> None:
    shift = dealt_to(1)
    shift.send(CardsMissed, device="shoe", count=1)
    assert shift.prompt == ("HELD: CARD NOT READ", "FLOOR: SEAT 5 CARD 1")
    assert shift.table.state.play.current.seen == [Secret(51), None]
    shift.floor(NO_CARD)
    assert shift.table.state.play.current.seen == [Secret(51)]
    assert shift.prompt == ("CARD 1 TO", "SEAT 5")


def test_641a_13b_the_last_card_that_another_report_shows_missing_is_taken_back_to_the_deal() -> None:
    shift = dealt_to(0)
    for _ in range(len(shift.table.rooms.contest.laid.order) - 1):
        draw(shift)
    shift.send(CardsMissed, device="shoe", count=1)
    assert shift.is_in(Phase.STUB)
    shift.floor(NO_CARD)
    assert shift.is_in(Phase.DEALING)
    draw(shift)
    assert shift.is_in(Phase.STUB)
    assert shift.table.rooms.settlements.knows_cards()


def test_policy_more_reports_missing_than_cards_were_due_contradict_themselves() -> None:
    shift = dealt_to(1)
    left = len(shift.table.rooms.contest.laid.order) - 1
    shift.send(CardsMissed, device="shoe", count=left + 1)
    assert kinds(shift) == ["contradiction"]
    assert f"{left} card(s) were due" in shift.table.rooms.faults.held.why  # type: ignore[union-attr]
    assert shift.table.state.play.current.drawn == 1


def test_641a_13b_a_gap_before_the_deal_is_the_first_card_or_none() -> None:
    shift = opened()
    shift.send(CardsMissed, device="shoe", count=1)
    assert shift.prompt == ("HELD: CARD NOT READ", "FLOOR: LOOK, RELEASE")
    assert shift.table.state.stock.decks["A"].early == [None]
    shift.unlock()
    shift.press(Key.FLOOR)
    while shift.prompt[1] != NO_CARD:
        shift.press(Key.RIGHT)
    shift.ok()
    assert shift.prompt == (NO_CARD, "BEFORE DEAL, CARD 1")
    shift.ok()
    assert (shift.table.state.stock.decks["A"].early, kinds(shift)) == ([], [])


def test_641a_13b_a_gap_before_the_deal_that_is_released_is_card_one() -> None:
    shift = opened()
    shift.send(CardsMissed, device="shoe", count=1)
    shift.floor("RELEASE")
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.seen == [None]


def test_641a_13b_a_gap_that_goes_with_its_deck_is_nobodys_card() -> None:
    shift = opened(decks=2)
    shift.send(CardsMissed, device="shoe", count=1)
    shift.register()
    shift.floor("CHANGE DECK", "A")
    with pytest.raises(NotOfferedError):
        shift.floor(NO_CARD)


def test_policy_a_gap_when_no_card_was_due_is_looked_at() -> None:
    shift = dealt_to(0)
    for _ in range(len(shift.table.rooms.contest.laid.order)):
        draw(shift)
    shift.send(CardsMissed, device="shoe", count=1)
    assert shift.prompt == ("HELD: CARD NOT READ", "FLOOR: LOOK, RELEASE")
    assert shift.table.state.trouble.missed == []


@pytest.mark.parametrize("event", [{"count": 0}, {"count": -2}])
def test_policy_nothing_missing_is_no_event(event: dict[str, int]) -> None:
    shift = dealt_to(1)
    shift.send(CardsMissed, device="shoe", **event)
    assert shift.why == "no report is missing"


def test_policy_a_shoe_that_reads_nothing_misses_nothing() -> None:
    shift = opened(knowledge=Knowledge.NONE)
    shift.send(CardsMissed, device="shoe", count=1)
    assert shift.why == "no shoe at this table reads single cards"
    assert kinds(shift) == []


def test_policy_a_house_that_does_not_hold_unread_cards_enters_them_all_the_same() -> None:
    shift = dealt_to(1, policies=Policies(unreadable_card=False))
    draw(shift, missed=1)
    assert kinds(shift) == []
    assert shift.table.state.play.current.seen == [Secret(51), None, Secret(49)]


def test_641a_13b_a_card_while_the_table_is_held_is_on_record_as_the_next_one() -> None:
    shift = dealt_to(1)
    shift.send(LinkLost, device="pad", reason="silence")
    draw(shift)
    words = "card 2 left the shoe while the table was held: it is the next card"
    assert (words, "641a.13(b)") in [(note.words, note.cite) for note in shift.table.state.play.current.notes]


def test_641a_5a_a_card_of_a_deck_that_is_to_be_shuffled_goes_to_its_deck() -> None:
    """It was not counted as the next card, so the display does not call it that."""
    shift = dealt_to(0)
    shift.floor("RESHUFFLE")
    shift.send(CardDrawn, card=Secret(51))
    assert shift.table.state.play.current.drawn == 0
    assert shift.prompt == ("HELD: STRAY CARD", "FLOOR: TO ITS DECK")


def test_policy_a_snapshot_remembers_what_was_perhaps_missed() -> None:
    shift = dealt_to(1)
    draw(shift, missed=1)
    again = Table.restore(shift.setup, shift.table.snapshot())
    assert again.state.trouble.missed == shift.table.state.trouble.missed
