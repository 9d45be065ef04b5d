"""x.8(e)-(h): the stub to the rack, or counted when a count is due, and what a wrong count means."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.vocabulary.effects import RemoveDeck, ReturnWager, VoidRound
from sabot.statemachine.vocabulary.events import Key, Role

from .shift import Shift
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def opened(chapter: str = "pa641a", shuffler: Shuffler = Shuffler.PLAIN, **changes: Any) -> Shift:
    shift = Shift(chapter, shuffler=shuffler, **changes)
    shift.open_table()
    return shift


def dealt(shift: Shift) -> Shift:
    """The stub is in the dealer's hand."""
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal_cards()
    return shift


def fifth(chapter: str = "pa641a", **changes: Any) -> Shift:
    """The fifth round since the last count, dealt."""
    shift = opened(chapter, **changes)
    for _ in range(4):
        shift.play((2,))
    return dealt(shift)


def is_due(shift: Shift) -> bool:
    return shift.prompt[0].startswith("COUNT STUB")


def play_and_see(shift: Shift, rounds: int) -> list[bool]:
    """Whether each round's stub was counted."""
    return ["stub counted" in " ".join(n.words for n in shift.play((2,)).notes) for _ in range(rounds)]


# ---------------------------------------------------------------- 8(e)-(f): when


@each_chapter
def test_x_8f_without_a_counting_shuffler_the_stub_is_counted_every_fifth_round(chapter: str) -> None:
    shift = opened(chapter)
    assert play_and_see(shift, 11) == [False] * 4 + [True] + [False] * 4 + [True] + [False]


@each_chapter
@pytest.mark.parametrize("shuffler", [Shuffler.COUNTING, Shuffler.RESHUFFLER])
def test_x_8f_a_shuffler_that_counted_this_deck_waives_the_count_and_it_shows_why(
    chapter: str, shuffler: Shuffler
) -> None:
    shift = opened(chapter, shuffler)
    for _ in range(6):
        dealt(shift)
        assert shift.prompt == ("STUB TO RACK", "FROM SHOE (52)  OK")
        view = shift.table.rooms.views.view(Role.DEALER)
        assert view["stub_waiver"] == "shuffler counted 52 in deck A"
        shift.ok()
        assert "stub not counted: shuffler counted 52 in deck A" in [
            n.words for n in shift.table.state.play.current.notes
        ]
        shift.reveal()
        shift.settle_all()
        shift.next_round()


def test_641a_8f_a_counting_shuffler_that_did_not_report_52_of_this_deck_waives_nothing() -> None:
    shift = opened(shuffler=Shuffler.COUNTING)
    shift.quick_shuffler = False
    for _ in range(4):
        shift.play((2,))
    shift.floor("RESHUFFLE")
    shift.shuffler_done(count=None)
    dealt(shift)
    assert is_due(shift)


def test_641a_8f_by_hand_nothing_waives_it() -> None:
    shift = opened(shuffler=Shuffler.HAND)
    assert play_and_see(shift, 5) == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("scope", "counted"),
    [
        ("both", [5, 6, 10, 11]),
        ("table", [5, 10]),
        ("deck", [9, 10]),
    ],
)
def test_641a_8f_with_two_decks_the_reading_v14_says_whose_rounds_count(
    scope: str, counted: list[int]
) -> None:
    """Both: the fifth round of the table, and the fifth use of a deck; a count serves the deck that was counted."""
    shift = opened(decks=2, readings={"stub_count_scope": scope})
    seen = play_and_see(shift, 12)
    found = [number for number, was in enumerate(seen, 1) if was]
    if scope == "both":
        gaps = [later - earlier for earlier, later in zip([0, *found], found, strict=False)]
        assert found[0] == 5
        assert max(gaps) <= 5
    else:
        assert found == counted


def test_641a_8f_the_stub_may_be_counted_more_often() -> None:
    shift = dealt(opened())
    assert not is_due(shift)
    shift.menu("COUNT THE STUB")
    assert is_due(shift)
    shift.count_stub()
    assert shift.is_in(Phase.DECIDING)
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert play_and_see(shift, 5) == [False] * 4 + [True]


def test_641a_8f_a_count_that_is_due_needs_no_order() -> None:
    shift = fifth()
    shift.menu("COUNT THE STUB")
    assert shift.why == "the stub is to be counted as it is"


# ---------------------------------------------------------------- 8(g): right


@each_chapter
def test_x_8g_a_right_count_goes_to_the_rack(chapter: str) -> None:
    shift = fifth(chapter)
    expected = 52 - shift.out
    shift.press(Key.PLUS, Key.MINUS)
    shift.count_stub()
    assert shift.is_in(Phase.DECIDING)
    assert shift.table.state.play.current.stub == expected


# ---------------------------------------------------------------- 8(h): wrong


def wrong(chapter: str = "pa641a") -> Shift:
    shift = fifth(chapter)
    shift.count_stub(52 - shift.out - 1)
    assert shift.is_in(Phase.STUB_WRONG)
    return shift


@each_chapter
def test_x_8h_misdealt_with_52_cards_in_all_voids_and_keeps_the_deck(chapter: str) -> None:
    shift = wrong(chapter)
    expected = 52 - shift.out
    assert shift.prompt == (f"STUB {expected - 1}: WRONG", "OK=MISDEALT FOLD=NO")
    shift.mark()
    shift.ok()
    cite = law(chapter).irregularities["stub_misdealt"].cite
    assert [(each.why, each.cite) for each in shift.said(VoidRound)] == [("stub misdealt", cite)]
    assert [(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)] == [(2, "ante", 1000)]
    assert not shift.said(RemoveDeck)
    shift.next_round()
    assert shift.record.void == cite


@each_chapter
def test_x_8h_not_misdealt_voids_and_removes_the_deck(chapter: str) -> None:
    shift = wrong(chapter)
    shift.mark()
    shift.press(Key.FOLD)
    assert [each.why for each in shift.said(VoidRound)] == ["stub short"]
    assert [each.deck for each in shift.said(RemoveDeck)] == ["A"]
    assert [(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)] == [(2, "ante", 1000)]
    assert shift.prompt == ("VOID: RETURN ALL", "WAGERS, THEN OK")
    assert shift.table.rooms.views.view(Role.FLOOR)["decks"] == {}
    shift.clear()
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: REGISTER DECK")
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.floor("RELEASE")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()


def test_641a_8h_with_two_decks_the_other_one_is_in_while_the_bad_one_is_replaced() -> None:
    shift = opened(decks=2)
    dealt(shift)
    shift.menu("COUNT THE STUB")
    shift.count_stub(40)
    shift.press(Key.FOLD)
    shift.clear()
    assert (shift.phase, shift.table.state.stock.in_play) == (Phase.BETS_OPEN, "B")
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: REGISTER DECK")
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.floor("RELEASE")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert {shift.play((2,)).deck for _ in range(2)} == {"A", "B"}


def test_641a_8f_the_dealer_may_count_again_first() -> None:
    shift = wrong()
    shift.press(Key.BACK)
    assert shift.is_in(Phase.STUB)
    assert is_due(shift)
    shift.count_stub()
    assert shift.is_in(Phase.DECIDING)
    words = [note.words for note in shift.table.state.play.current.notes]
    assert "stub 40, expected 41" in words
    assert "stub counted: 41" in words
