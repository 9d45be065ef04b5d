"""x.7(b): who leaves while a hit is looked at, and what becomes of the hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary.effects import DropHit, FreezeHit, PayWager
from sabot.statemachine.vocabulary.events import Key

from .eyes import Eyes
from .life import at
from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law

if TYPE_CHECKING:
    from collections.abc import Mapping

P = Phase
FOUR_ACES, TRIPS, NOTHING = "As Ah Ad Ac 3h", "9s 9h 9d 2c 3h", "2d 4h 6s 8c Jd 3c"
HIT = {"ante": 1000, "prog4": 100}


def validating(bets: Mapping[int, Mapping[str, int]], *, joined: str = "", **hands: str) -> Shift:
    """Seat 5 is settled first; it has a hit, and the floor is wanted."""
    shift = Shift(adjacent_boxes=2)
    shift.open_table()
    if joined:
        shift.menu("JOIN BOXES", joined)
    for seat, wagers in bets.items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.deal(**{"seat5": FOUR_ACES, "dealer": NOTHING, **hands})
    shift.reveal()
    shift.ok()
    shift.mark()
    assert shift.is_in(P.VALIDATING)
    return shift


def results(shift: Shift, seat: int) -> dict[str, tuple[str, int | None]]:
    return {
        line.wager: (line.result, line.paid)
        for line in shift.table.state.play.current.lines
        if line.seat == seat
    }


def test_x_7b_another_player_leaves_while_a_hit_is_validated_and_loses_every_wager() -> None:
    shift = validating({2: HIT, 5: HIT})
    hit = results(shift, 5)
    shift.menu("PLAYER LEFT", "2")
    assert (shift.phase, shift.table.state.play.current.left) == (P.VALIDATING, [2])
    assert not shift.said(DropHit)
    shift.floor("VALIDATE HIT", person="f4")
    shift.settle_all()
    assert results(shift, 5) == hit
    assert {(line.result, line.cite) for line in shift.table.state.play.current.lines if line.seat == 2} == {
        ("lose", "641a.7(b)")
    }


def test_x_7b_a_hit_that_is_validated_is_kept_for_a_player_who_leaves() -> None:
    shift = validating({2: HIT, 5: HIT})
    hit = results(shift, 5)
    assert hit["prog4"][0] == "win"
    shift.menu("PLAYER LEFT", "5")
    assert (shift.phase, shift.table.state.play.current.left) == (P.VALIDATING, [])
    with pytest.raises(NotOfferedError):
        shift.menu("PLAYER LEFT", "5")
    shift.floor("VALIDATE HIT", person="f4")
    shift.mark()
    shift.ok()
    assert [each.seat for each in shift.said(PayWager, wager="prog4")] == [5]
    shift.settle_all()
    shift.next_round()
    assert {line.wager: (line.result, line.paid) for line in shift.record.lines if line.seat == 5} == hit
    assert shift.record.left == ()
    assert [(note.words, note.cite) for note in shift.record.notes if "left" in note.words] == [
        ("seat 5: the player left while it was settled, what it wins is kept for the player", "641a.7(b)")
    ]


def test_x_7b_of_joined_boxes_the_one_that_is_settled_is_kept_and_the_other_lost() -> None:
    shift = validating({2: HIT, 4: HIT, 5: HIT}, joined="4+5")
    hit = results(shift, 5)
    shift.menu("PLAYER LEFT", "4+5")
    assert (shift.table.state.play.current.left, shift.table.state.play.current.kept_for) == ([4], [5])
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    assert results(shift, 5) == hit
    assert {result for result, _ in results(shift, 4).values()} == {"lose"}


def test_x_7b_once_the_floor_has_validated_the_hit_is_kept_as_well() -> None:
    shift = validating({2: HIT, 5: HIT})
    hit = results(shift, 5)
    shift.floor("VALIDATE HIT")
    assert shift.is_in(P.SETTLING)
    shift.menu("PLAYER LEFT", "5")
    assert not shift.table.state.trouble.holds
    shift.settle_all()
    assert results(shift, 5) == hit


@pytest.mark.parametrize("seat", ["2", "5"])
def test_x_7b_back_takes_back_that_a_player_left_while_a_hit_is_validated(seat: str) -> None:
    shift = validating({2: HIT, 5: HIT})
    lines = list(shift.table.state.play.current.lines)
    shift.menu("PLAYER LEFT", seat)
    shift.press(Key.BACK)
    round_ = shift.table.state.play.current
    assert (shift.phase, round_.left, round_.kept_for, round_.lines) == (P.VALIDATING, [], [], lines)


@pytest.mark.parametrize("seat", ["2", "5"])
def test_x_7b_the_floor_says_that_a_player_is_here_while_a_hit_is_validated(seat: str) -> None:
    shift = validating({2: HIT, 5: HIT})
    lines = list(shift.table.state.play.current.lines)
    shift.menu("PLAYER LEFT", seat)
    shift.floor("CORRECT ENTRY", f"{seat} is here")
    round_ = shift.table.state.play.current
    assert (shift.phase, round_.left, round_.kept_for, round_.lines) == (P.VALIDATING, [], [], lines)


WINNING = {
    "pa641a": {"seat5": FOUR_ACES, "dealer": NOTHING},
    "md4cp": {"seat5": FOUR_ACES, "dealer": NOTHING},
    "pa679a": {"seat5": "As Ah Ad", "dealer": "Qd 4h 6s"},
    "pa682a": {"seat5": FOUR_ACES, "dealer": NOTHING},
    "pa683a": {"seat5": "As Ah", "community": "Ad Ac 2h"},
}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_7b_a_payment_that_the_floor_looks_at_is_kept_for_a_player_who_leaves(chapter: str) -> None:
    """A hand that was declared, and any payment of it waits for the floor."""
    shift = Shift(chapter, knowledge=Knowledge.NONE, declared_floor_cents=1)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    shift.lock()
    shift.deal(**WINNING[chapter])
    shift.reveal()
    shift.ok()
    assert shift.is_in(P.VALIDATING)
    won, said = results(shift, 5), shift.table.state.play.current.declared[5]
    shift.menu("PLAYER LEFT", "5")
    shift.menu("PLAYER LEFT", "2")
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    assert results(shift, 5) == won
    assert shift.table.state.play.current.declared[5] == said
    assert {(line.result, line.cite) for line in shift.table.state.play.current.lines if line.seat == 2} == {
        ("lose", law(chapter).abandoned_cite)
    }


def jackpot() -> Shift:
    """Three seats share the jackpot on the dealer's royal flush; the first share is announced."""
    shift = Shift()
    shift.open_table()
    for seat in (1, 2, 3):
        shift.bet(seat, ante=1000)
        shift.account(seat, hand_bonus_dealer=100)
    shift.lock()
    shift.deal(dealer="As Ks Qs Js Ts 2h")
    shift.reveal()
    shift.ok()
    shift.mark()
    assert shift.is_in(P.VALIDATING)
    return shift


def test_641a_12g2_a_share_that_grows_when_another_leaves_is_announced_and_validated_anew() -> None:
    shift = jackpot()
    meter = shift.table.rooms.shares.meters()["hand_bonus"]["main"]
    shift.menu("PLAYER LEFT", "1")
    assert [each.seat for each in shift.said(DropHit)] == [3]
    assert shift.is_in(P.SETTLING)
    shift.ok()
    assert [(each.seat, each.cents) for each in shift.said(FreezeHit)] == [(3, meter // 2)]
    assert shift.is_in(P.VALIDATING)
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    assert [each.paid for each in shift.said(PayWager, wager="hand_bonus_dealer")] == [meter // 2] * 2


def test_641a_12g2_back_announces_the_share_as_it_was() -> None:
    shift = jackpot()
    meter = shift.table.rooms.shares.meters()["hand_bonus"]["main"]
    shift.menu("PLAYER LEFT", "1")
    shift.press(Key.BACK)
    assert shift.is_in(P.VALIDATING)
    assert [(each.seat, each.cents) for each in shift.said(FreezeHit)] == [(3, meter // 3)]


def test_641a_12g2_what_was_validated_and_changes_is_validated_again() -> None:
    shift = jackpot()
    shift.floor("VALIDATE HIT")
    shift.menu("PLAYER LEFT", "1")
    assert [each.seat for each in shift.said(DropHit)] == [3]
    assert shift.table.state.play.current.hits == []
    shift.ok()
    assert shift.is_in(P.VALIDATING)


def test_641a_12d5_an_envy_bonus_goes_with_the_player_it_is_envied_of() -> None:
    """What the floor was called for is not to be paid any more: the settlement goes on without it."""
    shift = Shift(knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000, prog4=100)
    shift.lock()
    shift.deal(seat2=FOUR_ACES, seat5=NOTHING.rpartition(" ")[0], dealer="3d 5h 6c 9c Jc Qd")
    shift.answer_all()
    shift.press_until_revealed()
    shift.declare_all()
    shift.ok()
    assert shift.prompt == ("SEAT 5 PAYS $100", "FLOOR: VALIDATE HIT")
    shift.menu("PLAYER LEFT", "2")
    assert shift.is_in(P.SETTLING)
    shift.settle_all()
    assert "envy:seat2" not in results(shift, 5)


def test_x_7b_back_where_a_hand_had_followed_from_that_of_the_player_who_left() -> None:
    """Seat 5 has the four aces, so seat 2 has other quads; without seat 5's words it is asked which."""
    shift = Shift(knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.bet(5, ante=1000, prog4=100)
    shift.lock()
    shift.deal(seat5=FOUR_ACES, seat2="Ks Kh Kd Kc 3d", dealer=NOTHING)
    shift.reveal()
    lines = list(shift.table.state.play.current.lines)
    shift.menu("PLAYER LEFT", "5")
    assert (shift.phase, shift.table.state.play.current.asking) == (P.DECLARING, 2)
    shift.press(Key.BACK)
    assert (shift.phase, shift.table.state.play.current.lines) == (P.SETTLING, lines)
    assert shift.prompt[0].startswith("SEAT 5")


def test_x_11c_the_next_question_opens_at_no_row_when_the_player_who_is_asked_about_leaves() -> None:
    """The cursor lay on a row of seat 5: it is none of seat 2, and OK alone declares nothing."""
    shift = at(P.DECLARING)
    shift.declare("none")
    shift.press(Key.RIGHT, Key.RIGHT)
    assert shift.prompt == ("S5 HAND", "TWO PAIR")
    shift.menu("PLAYER LEFT", "5")
    assert shift.prompt == ("S2 HAND", "CHOOSE < >, THEN OK")
    shift.ok()
    assert (shift.why, shift.phase) == ("choose a row first", P.DECLARING)
    shift.press(Key.RIGHT)
    assert shift.open_row() == Eyes(shift).question().rows[0]


def test_x_8g_who_left_can_be_said_once_a_wrong_stub_count_is_counted_again() -> None:
    """Nothing is entered on top of a wrong count; one step later it is."""
    shift = at(P.STUB_WRONG)
    assert shift.is_in(P.STUB_WRONG)
    with pytest.raises(NotOfferedError):
        shift.menu("PLAYER LEFT", "5")
    shift.press(Key.BACK)
    shift.menu("PLAYER LEFT", "5")
    assert (shift.phase, shift.table.state.play.current.left) == (P.STUB, [5])
