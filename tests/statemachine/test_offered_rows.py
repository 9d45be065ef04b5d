"""x.11(c): a row is offered where the cards can make it, whatever was read and said before.

Where a device read every card but one, there are at most some forty that it can be, and each is tried here: a
row is offered where one of those that are left makes it, and only there.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.reveal_questions import Question
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary.events import CardDrawn

from .eyes import Eyes
from .shift import Shift
from .tables import CHAPTERS, law, optional_wagers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Words = tuple[tuple[int, str, str], ...]


def dealt(chapter: str, place: str, nth: int, bets: dict[int, dict[str, int]], **hands: str) -> Shift:
    """A round whose cards were read, but for one; hands are to be declared."""
    shift = Shift(chapter, seed=4)
    shift.open_table()
    for seat, wagers in bets.items():
        for wager, cents in wagers.items():
            send = shift.account if law(chapter).wagers[wager].device == "account" else shift.bet
            send(seat, **{wager: cents})
    shift.lock()
    shift.stack(**hands)
    unread = next(
        each.position
        for each in shift.table.state.play.current.plan
        if (each.place, each.nth) == (place, nth)
    )
    while shift.phase is Phase.DEALING:
        if shift.table.state.play.current.drawn + 1 == unread:
            shift.out += 1
            shift.send(CardDrawn, card=None)
            shift.floor("RELEASE")
        else:
            shift.draw()
    shift.ok()
    while shift.phase in (Phase.DECIDING, Phase.TURNING):
        shift.answer_all()
        shift.ok()
    return shift


def test_683a_11i2_the_board_of_two_seats_is_one_board_when_a_card_of_it_was_not_read() -> None:
    """The last community card makes trips of nines at seat 5: then seat 2 has a pair of nines, and no better."""
    bets = {seat: {"ante": 1000} for seat in (2, 5)}
    hands = {"seat5": "9s 9h", "seat2": "Kc 5h", "community": "Qd 3s 9c"}
    shift = dealt("pa683a", "community", 3, bets, **hands)
    shift.declare("three_of_a_kind")
    assert shift.is_in(Phase.SETTLING), "what seat 2 has follows"
    rows = {(line.seat, line.wager): line.row for line in shift.table.state.play.current.lines}
    assert rows[5, "ante"] == "three_of_a_kind"
    assert rows[2, "ante"] in ("high_jack", "lose", None), "no pair of Jacks or better of the same card"


def test_641a_11c8_the_six_card_bonus_card_is_one_card_for_all_seats() -> None:
    bets = {seat: {"ante": 1000, "six_card": 500} for seat in (2, 5)}
    hands = {"seat5": "9s 9h 2d 4c 7h", "seat2": "Ks Kh 3d 5c 8h", "six_card": "9d"}
    shift = dealt("pa641a", "six_card", 1, bets, **hands)
    assert shift.prompt[0] == "S5 SIX CARD BONUS"
    shift.declare("three_of_a_kind")
    assert shift.is_in(Phase.SETTLING), "a nine makes no trips of kings"
    won = [
        line.seat
        for line in shift.table.state.play.current.lines
        if line.wager == "six_card" and line.result == "win"
    ]
    assert won == [5]


def test_641a_11c3_one_card_of_the_dealers_wins_and_loses_by_the_same_rank() -> None:
    """The dealer's fifth card pairs him: higher than seat 5's tens, so higher than seat 2's nines too."""
    bets = {seat: {"ante": 1000} for seat in (2, 5)}
    hands = {"seat5": "Ts Th 2d 4c 7h", "seat2": "9s 9h 3d 5c 8h", "dealer": "Ac Qd Js 6d Qh 2c"}
    shift = dealt("pa641a", "dealer", 5, bets, **hands)
    shift.declare("pair")
    assert shift.prompt[0] == "S5 SAME: HIGHER?"
    shift.declare("none")
    assert shift.is_in(Phase.SETTLING), "seat 2 is not asked"
    assert {line.result for line in shift.table.state.play.current.lines} == {"lose"}


def two_to_declare(chapter: str) -> Shift:
    """Two seats without a reader, before the first question."""
    shift = Shift(chapter, knowledge=Knowledge.NONE)
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    shift.deal()
    while shift.phase is not Phase.DECLARING:
        shift.answer_all()
        shift.ok()
    return shift


def test_683a_11h_without_a_reader_too_one_board_makes_one_royal_flush() -> None:
    shift = two_to_declare("pa683a")
    shift.declare("royal_flush")
    question = Eyes(shift).question()
    assert question.seat == 2
    assert question.left_out["royal_flush"] == "what was declared"


def test_679a_11c3_one_seat_alone_has_the_pair_that_the_dealer_has() -> None:
    """A pair and a pair of the same rank are all four cards of it."""
    shift = two_to_declare("pa679a")
    for row in ("pair", "pair", "ties", "pair"):
        shift.declare(row)
    assert Eyes(shift).question().rows == ("yes", "none")


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("seed", range(3))
def test_x_11c_of_one_unread_card_just_what_it_can_be_is_offered(chapter: str, seed: int) -> None:
    """Every way through the questions, with every card that it may be."""
    shift, unread = _random(chapter, seed)
    lying = {card for nth, card in enumerate(shift.pack, 1) if nth <= shift.out and nth != unread}
    for words, question, seen in _ways(shift, unread, [card for card in range(52) if card not in lying]):
        assert set(question.rows) == set(seen), (words, question)


def _random(chapter: str, seed: int) -> tuple[Shift, int]:
    """Two seats with several wagers, and any card of the deal unread."""
    rng = random.Random(f"one unread {chapter} {seed}")
    bets: dict[int, dict[str, int]] = {}
    for seat in (2, 5):
        names = [name for name in sorted(optional_wagers(chapter)) if rng.random() < 0.7]
        bets[seat] = {"ante": 1000} | {
            name: 100 if law(chapter).wagers[name].device else 500 for name in names
        }
    probe = Shift(chapter)
    probe.open_table()
    for seat, wagers in bets.items():
        for wager, cents in wagers.items():
            (probe.account if law(chapter).wagers[wager].device == "account" else probe.bet)(
                seat, **{wager: cents}
            )
    probe.lock()
    card = rng.choice([each for each in probe.table.state.play.current.plan if each.place != "discard"])
    return dealt(chapter, card.place, card.nth, bets), card.position


def _ways(
    shift: Shift, unread: int, cards: list[int], said: Words = ()
) -> Iterator[tuple[Words, Question, Iterable[str]]]:
    """Each question, the words before it, and the rows that the cards which are left make."""
    question = shift.table.rooms.asking.inquire().open
    if question is None:
        return
    seen: dict[str, list[int]] = {}
    for card in cards:
        shift.pack[unread - 1] = card
        seen.setdefault(Eyes(shift).sees(), []).append(card)
    yield said, question, seen
    declared = shift.table.state.play.current.declared
    for row, left in seen.items():
        declared.setdefault(question.seat, {})[question.key] = row
        yield from _ways(shift, unread, left, (*said, (question.seat, question.key, row)))
        del declared[question.seat][question.key]


def _unread_all_six() -> Shift:
    """Seat 5 with the All-Six bonus, and no reader."""
    shift = Shift("pa679a", knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(5, ante=1000, all_six=500)
    shift.lock()
    shift.deal()
    while shift.phase is not Phase.DECLARING:
        shift.answer_all()
        shift.ok()
    return shift


def test_679a_11d3_the_six_cards_of_pairs_that_tie_follow() -> None:
    shift = _unread_all_six()
    for row in ("pair", "pair", "ties"):
        shift.declare(row)
    assert shift.is_in(Phase.SETTLING), "the All-Six bonus is not asked"
    rows = {line.row for line in shift.table.state.play.current.lines if line.wager == "all_six"}
    assert rows == {"four_of_a_kind"}


def test_679a_11d3_a_straight_and_nothing_are_offered_no_flush_of_six() -> None:
    shift = _unread_all_six()
    for row in ("straight", "none"):
        shift.declare(row)
    question = Eyes(shift).question()
    assert question.key == "all_six"
    assert set(question.rows) == {"straight", "none"}
    assert question.left_out["flush"] == "what was declared"
