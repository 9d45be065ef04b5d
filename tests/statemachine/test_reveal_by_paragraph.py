"""x.11: what is collected before the reveal, which cards are turned at whose turn, and when the floor is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import FreezeHit, PayWager
from tests.dealt import parse_all

from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law, options

if TYPE_CHECKING:
    from collections.abc import Mapping

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
OPTIONAL = {"pa641a": "aces_up", "md4cp": "aces_up", "pa679a": "prime", "pa682a": "prime", "pa683a": "pocket"}
# The optional wager that is settled by a card of its own, and where that card lies.
APART = [
    ("pa641a", "six_card", "six_card"),
    ("md4cp", "six_card", "six_card"),
    ("pa682a", "all_six", "all_six"),
    ("pa683a", "all_six", "all_six"),
]


def dealt(
    chapter: str, bets: dict[int, dict[str, int]], hands: Mapping[str, str] | None = None, **changes: Any
) -> Shift:
    """These wagers, these hands, the stub in the rack."""
    shift = Shift(chapter, **changes)
    shift.open_table()
    for seat, wagers in bets.items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.deal(**(hands or {}))
    shift.mark()
    return shift


# ---------------------------------------------------------------- 11(c): what folds forfeited


@each_chapter
@pytest.mark.parametrize(
    ("keeps", "second"),
    [(False, "FOLDS IN RACK? OK"), (True, "FORFEITS TAKEN? OK")],
    ids=["cards", "wagers"],
)
def test_x_11c_what_was_forfeited_is_collected_and_folded_cards_are_racked_before_a_card_is_turned(
    chapter: str, keeps: bool, second: str
) -> None:
    """An option that a fold keeps alive keeps its cards on the table (641a.11(b)(1))."""
    option = {OPTIONAL[chapter]: 500} if keeps else {}
    shift = dealt(chapter, {2: {"ante": 1000}, 5: {"ante": 1000, **option}})
    shift.answer(2)
    shift.answer(5, "fold")
    first = "TURN COMMUNITY 1" if chapter == "pa683a" else "REVEAL DEALER"
    assert (shift.phase, shift.prompt) == (Phase.TURNING, (first, second))


@each_chapter
def test_x_11c_where_nobody_folded_there_is_nothing_to_collect_before_a_card_is_turned(chapter: str) -> None:
    shift = dealt(chapter, {2: {"ante": 1000}})
    shift.answer(2)
    assert shift.prompt[1] == "THEN OK"


@pytest.mark.parametrize("street", [2, 3])
def test_683a_11d_f_what_was_forfeited_on_a_later_street_is_collected_then_and_once(street: int) -> None:
    shift = dealt("pa683a", {2: {"ante": 1000}, 5: {"ante": 1000}})
    for _ in range(street - 1):
        shift.answer_all()
        assert shift.prompt[1] == "THEN OK"
        shift.ok()
    shift.answer(2)
    shift.answer(5, "fold")
    assert shift.prompt == (f"TURN COMMUNITY {street}", "FOLDS IN RACK? OK")
    shift.ok()
    shift.answer_all()
    assert "FOLDS" not in shift.prompt[1]


@pytest.mark.parametrize("chapter", ["pa679a", "pa683a"])
def test_x_13d_in_a_void_contest_nothing_is_forfeited(chapter: str) -> None:
    bets = {2: {"ante": 1000, OPTIONAL[chapter]: 500}, 5: {"ante": 1000}, 6: {"ante": 1000}}
    shift = dealt(chapter, bets)
    shift.answer(2)
    shift.answer(5, "fold")
    shift.menu("IRREGULARITY", "community_exposed" if chapter == "pa683a" else "dealer_exposed")
    assert (shift.phase, shift.prompt[1]) == (Phase.TURNING, "THEN OK")


# ---------------------------------------------------------------- 11(c)-(i): cards that decide one wager


@pytest.mark.parametrize(("chapter", "wager", "place"), APART, ids=[chapter for chapter, _, _ in APART])
def test_x_11_a_card_of_one_wager_is_turned_at_the_turn_of_who_made_it(
    chapter: str, wager: str, place: str
) -> None:
    """Seat 5 is settled before seat 2, who alone has the wager (641a.11(c)(8), 682a.11(e)(3), 683a.11(i)(4))."""
    required = {"aces_up": 500} if chapter == "md4cp" else {}
    shift = dealt(chapter, {2: {"ante": 1000, wager: 500, **required}, 5: {"ante": 1000}})
    shift.reveal()
    assert shift.table.state.play.current.order[0] == 5
    assert place not in shift.table.rooms.views.public_cards()
    shift.ok()
    assert shift.table.rooms.views.public_cards()[place] == shift.truth(place)


def test_641a_11c8_the_six_card_bonus_card_is_not_turned_while_a_hit_before_it_is_looked_at() -> None:
    hands = {"seat2": "9s 9h 9d 9c 2h", "dealer": "2d 4h 6s 8c Jd 3c"}
    shift = dealt("pa641a", {2: {"ante": 1000, "prog4": 100, "six_card": 500}}, hands)
    shift.reveal()
    assert "six_card" not in shift.table.rooms.views.public_cards()
    shift.ok()
    assert shift.is_in(Phase.VALIDATING)
    assert "six_card" not in shift.table.rooms.views.public_cards(), "(5) stands before (8)"
    shift.floor("VALIDATE HIT")
    assert shift.table.rooms.views.public_cards()["six_card"] == shift.truth("six_card")


@pytest.mark.parametrize(("chapter", "wager", "place"), APART, ids=[chapter for chapter, _, _ in APART])
def test_x_11_a_card_of_one_wager_stays_covered_where_no_such_wager_is_left(
    chapter: str, wager: str, place: str
) -> None:
    required = {"aces_up": 500} if chapter == "md4cp" else {}
    shift = dealt(chapter, {2: {"ante": 1000, wager: 500, **required}, 5: {"ante": 1000}})
    shift.menu("PLAYER LEFT", "2")
    shift.reveal()
    shift.settle_all()
    lie_there = len(shift.truth(place))
    shift.clear()
    assert place not in shift.record.public
    assert shift.record.hidden[place] == lie_there > 0


@pytest.mark.parametrize(("hand", "is_turned"), [("8c 8d Kh", True), ("3c 5d 7h", False)])
@pytest.mark.parametrize(("card", "place"), [("own", "seat2:fourth"), ("community", "pair_bonus_card")])
def test_679a_11d2ii_the_fourth_or_community_card_is_turned_for_a_pair_or_better_alone(
    card: str, place: str, hand: str, is_turned: bool
) -> None:
    bets = {2: {"ante": 1000, "pair_bonus": 500}, 5: {"ante": 1000}}
    hands = {"seat2": hand, "seat5": "4c 6d 9h", "dealer": "Qd 4h 6s"}
    shift = dealt("pa679a", bets, hands, options=options("pa679a", pair_bonus_card=card))
    shift.reveal()
    shift.settle_all()
    shown = shift.table.rooms.views.public_cards()
    assert shown["seat2"] == tuple(parse_all(hand))
    assert (place in shown) is is_turned
    assert shift.truth(place)


# ---------------------------------------------------------------- 11(c)(3)-(5): the floor is called in its turn


@pytest.mark.parametrize(
    ("chapter", "wager"), [("pa641a", "prog4"), ("md4cp", "progressive")], ids=["pa641a", "md4cp"]
)
def test_x_11c5_a_seats_ante_and_play_are_paid_before_its_hit_is_announced(chapter: str, wager: str) -> None:
    bets = {2: {"ante": 1000, "aces_up": 500, wager: 100}}
    shift = dealt(chapter, bets, {"seat2": "9s 9h 9d 9c 3h", "dealer": "2d 4h 6s 8c Jd 3c"})
    shift.reveal()
    assert (shift.phase, shift.said(FreezeHit)) == (Phase.SETTLING, [])
    shift.ok()
    assert {"ante", "play", "aces_up"} <= {each.wager for each in shift.said(PayWager)}
    assert shift.is_in(Phase.VALIDATING)
    assert [each.wager for each in shift.said(FreezeHit)] == [wager]


# ---------------------------------------------------------------- 7(b): who left, until the round is complete


@each_chapter
def test_x_7b_a_player_leaves_with_all_boxes_until_the_last_of_them_is_settled(chapter: str) -> None:
    shift = Shift(chapter, adjacent_boxes=2)
    shift.open_table()
    shift.menu("JOIN BOXES", "2+3")
    for seat in (2, 3, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    assert shift.is_in(Phase.SETTLING)
    shift.settle_seat()
    with pytest.raises(NotOfferedError):
        shift.menu("PLAYER LEFT", "5")
    shift.menu("PLAYER LEFT", "2+3")
    shift.settle_all()
    lost = {
        (line.seat, line.result, line.cite) for line in shift.table.state.play.current.lines if line.seat != 5
    }
    assert lost == {(seat, "lose", law(chapter).abandoned_cite) for seat in (2, 3)}
