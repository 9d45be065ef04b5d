"""Every entry of a dealer: BACK until the next step is confirmed, the floor after that, both in the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import (
    Dispense,
    DropHit,
    FreezeHit,
    PayWager,
    RestoreRound,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import DeviceJammed, DrawMade, Key

from .eyes import Eyes
from .life import at
from .shift import NotOfferedError, Shift

if TYPE_CHECKING:
    from collections.abc import Mapping

P = Phase
CONFIRMED = "only the floor can correct what was confirmed"
FOUR_ACES = "As Ah Ad Ac 3h"
NOTHING = "2d 4h 6s 8c Jd 3c"


def round_of(shift: Shift) -> object:
    """The round as a snapshot has it, but for its notes and what is only remembered for BACK."""
    state = shift.table.snapshot()["state"]
    assert isinstance(state, dict)
    return {name: value for name, value in state["round"].items() if name not in ("notes", "last_entry")}


def notes(shift: Shift) -> list[str]:
    return [note.words for note in shift.table.state.play.current.notes]


def declaring(bets: Mapping[int, Mapping[str, int]], **hands: str) -> Shift:
    shift = Shift(knowledge=Knowledge.NONE)
    shift.open_table()
    for seat, wagers in bets.items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.deal(**hands)
    shift.answer_all()
    shift.ok()
    return shift


def first_hit() -> Shift:
    """The first seat has a hit, and the floor is wanted."""
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()
    shift.deal(seat2=FOUR_ACES, dealer=NOTHING)
    shift.reveal()
    shift.ok()
    shift.mark()
    assert shift.is_in(P.VALIDATING)
    return shift


# ---------------------------------------------------------------- irregularities


@pytest.mark.parametrize("phase", [P.DEALING, P.STUB, P.DECIDING, P.TURNING])
@pytest.mark.parametrize("chapter", ["pa679a", "pa682a", "pa683a"])
def test_x_13d_the_floor_takes_back_a_contest_declared_void_by_mistake(chapter: str, phase: Phase) -> None:
    optional = {"pa679a": "prime", "pa682a": "prime", "pa683a": "pocket"}[chapter]
    kind = "community_exposed" if chapter == "pa683a" else "dealer_exposed"
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=1000, **{optional: 500})
    shift.bet(5, ante=1000)
    shift.lock()
    while not shift.truth("community" if chapter == "pa683a" else "dealer"):
        shift.draw()
    if phase is not P.DEALING:
        shift.deal_cards()
    if phase in (P.DECIDING, P.TURNING):
        shift.ok()
    if phase is P.TURNING:
        shift.answer_all()
    assert shift.is_in(phase)
    before = round_of(shift)
    shift.menu("IRREGULARITY", kind)
    shift.press(Key.BACK)
    assert shift.why == "only the floor can undo it"
    shift.floor("UNDO VOID")
    assert shift.is_in(phase)
    assert round_of(shift) == before
    words = kind.replace("_", " ")
    assert [each for each in notes(shift) if words in each] == [words, f"{words} taken back"]
    shift.press(Key.BACK)
    assert shift.why or shift.phase is not phase


def test_x_13d_once_the_next_step_is_confirmed_it_stands() -> None:
    shift = Shift("pa679a")
    shift.open_table()
    shift.bet(2, ante=1000, prime=500)
    shift.lock()
    shift.deal()
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.ok()
    shift.press(Key.BACK)
    assert shift.why == CONFIRMED


def test_641a_13d_a_note_of_an_exposed_card_is_taken_back_and_its_hold_is_not() -> None:
    shift = at(P.DECIDING, readings={"exposed_other": "held"})
    shift.menu("IRREGULARITY", "exposed_other")
    assert shift.prompt[0] == "HELD: CARD EXPOSED"
    shift.press(Key.BACK)
    assert notes(shift)[-1] == "exposed other taken back"
    assert [held.kind for held in shift.table.state.trouble.holds] == ["exposed_other"]
    shift.press(Key.BACK)
    assert shift.why.startswith("held")
    shift.floor("RELEASE")


# ---------------------------------------------------------------- a void


@pytest.mark.parametrize("phase", [P.DEALING, P.STUB, P.DECIDING, P.TURNING, P.DECLARING, P.SETTLING])
def test_641a_13c_a_void_by_mistake_is_the_floors_to_undo_and_the_round_stands(phase: Phase) -> None:
    shift = at(phase)
    before, fed = round_of(shift), shift.table.rooms.shares.meters()
    shift.wrong_number()
    assert shift.is_in(P.RETURNING)
    assert shift.table.rooms.shares.meters() != fed
    shift.press(Key.BACK)
    assert shift.why == "the round is void: only the floor can undo it"
    shift.floor("UNDO VOID", person="f4")
    assert shift.is_in(phase)
    assert round_of(shift) == before
    assert shift.table.rooms.shares.meters() == fed
    assert shift.table.state.books.ledger.is_balanced()
    assert shift.table.state.books.day.voids == 0
    assert len(shift.said(RestoreRound)) == len(shift.said(VoidRound)) == 1
    undone = [
        (note.words, note.by) for note in shift.table.state.play.current.notes if "taken back" in note.words
    ]
    assert undone == [("wrong count taken back", "f4")]
    moved = shift.table.state.books.ledger.moved["prog4.main"]
    assert (moved["reversal"], moved["void undone"]) == (-2900, 2900)
    shift.wrong_number()
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == 500_000


def test_641a_13_a_round_that_stands_again_is_played_to_its_end() -> None:
    shift = at(P.DECIDING)
    shift.wrong_number()
    shift.floor("UNDO VOID")
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert (shift.record.void, shift.record.irregularity) == ("", "")
    assert {line.seat for line in shift.record.lines} == {2, 5}
    assert "wrong count taken back" in [note.words for note in shift.record.notes]


@pytest.mark.parametrize("phase", [P.COUNTING_CHIPS, P.CHIP_MISMATCH])
def test_641a_13f_a_shoe_that_did_not_stop_while_chips_were_counted_is_undone_too(phase: Phase) -> None:
    shift = at(phase, method="auto_shoe", knowledge=Knowledge.STACK)
    before = round_of(shift)
    shift.menu("IRREGULARITY", "shoe_jam")
    assert shift.is_in(P.RETURNING)
    shift.floor("UNDO VOID")
    assert shift.is_in(phase)
    assert round_of(shift) == before
    assert shift.table.state.books.day.voids == 0


def test_683a_13c_a_void_by_mistake_before_the_first_payment_of_a_declared_royal_is_undone_too() -> None:
    shift = Shift("pa683a", knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal(seat2="As Ks", community="Qs Js Ts")
    shift.reveal()
    shift.ok()
    assert shift.is_in(P.VALIDATING)
    before = round_of(shift)
    shift.wrong_number()
    shift.floor("UNDO VOID")
    assert shift.is_in(P.VALIDATING)
    assert round_of(shift) == before


def test_641a_13c_no_void_is_undone_after_the_ante_of_a_hit_was_paid() -> None:
    shift = first_hit()
    shift.wrong_number()
    shift.floor("UNDO VOID")
    assert (shift.phase, shift.why) == (P.RETURNING, "seats were settled before the void")


def test_641a_13_what_has_gone_back_confirmed_is_not_undone() -> None:
    shift = at(P.DECIDING)
    shift.wrong_number()
    shift.ok()
    with pytest.raises(NotOfferedError):
        shift.floor("UNDO VOID")


def test_641a_13c_no_void_is_undone_after_a_seat_was_settled() -> None:
    shift = at(P.SETTLING)
    shift.ok()
    shift.wrong_number()
    shift.floor("UNDO VOID")
    assert shift.is_in(P.RETURNING)
    shift.unlock()
    assert not shift.table.rooms.actions.can("undo_void")


def test_641a_13_no_void_is_undone_once_an_account_has_its_wager_back() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300)
    shift.lock()
    shift.deal()
    shift.wrong_number()
    shift.floor("UNDO VOID")
    assert shift.is_in(P.RETURNING)


def test_641a_8h_misdealt_may_be_undone_and_a_deck_that_left_does_not_come_back() -> None:
    shift = at(P.STUB_WRONG)
    shift.ok()
    shift.floor("UNDO VOID")
    assert shift.is_in(P.STUB_WRONG)
    shift.press(Key.FOLD)
    shift.floor("UNDO VOID")
    assert shift.is_in(P.RETURNING)
    shift.unlock()
    assert not shift.table.rooms.actions.can("undo_void")


def test_641a_13f_what_a_device_did_nobody_undoes() -> None:
    shift = at(P.DEALING, method="auto_shoe")
    shift.menu("PLAYER LEFT", "5")
    shift.send(DeviceJammed, device="shoe", cause="jam")
    assert shift.is_in(P.RETURNING)
    with pytest.raises(NotOfferedError):
        shift.floor("UNDO VOID")
    shift.unlock()
    with pytest.raises(Exception, match="not made void by the last entry"):
        shift.table.rooms.actions.verify("undo_void")


# ---------------------------------------------------------------- a card face up, drawn in error


@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
@pytest.mark.parametrize("phase", [P.DEALING, P.STUB])
def test_641a_13a_back_takes_back_a_card_face_up(phase: Phase, knowledge: Knowledge) -> None:
    shift = at(phase, knowledge=knowledge)
    before = round_of(shift)
    shift.menu("CARD FACE UP")
    assert len(shift.table.state.play.current.face_up) == 1
    shift.press(Key.BACK)
    assert shift.is_in(phase)
    assert round_of(shift) == before
    assert notes(shift)[-1] == "card face up taken back"
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert shift.record.face_up == ()


def test_641a_13a_a_second_one_by_mistake_is_the_floors_to_undo() -> None:
    shift = at(P.DEALING)
    shift.menu("CARD FACE UP")
    shift.draw()
    shift.menu("CARD FACE UP")
    assert shift.is_in(P.RETURNING)
    shift.floor("UNDO VOID")
    assert shift.is_in(P.DEALING)
    assert len(shift.table.state.play.current.face_up) == 1


def test_641a_13a_a_card_in_the_rack_stays_there_once_the_next_is_dealt() -> None:
    shift = at(P.DEALING)
    shift.menu("CARD FACE UP")
    shift.draw()
    shift.press(Key.BACK)
    assert shift.why == "a card set aside stays in the rack once the next is dealt"


def test_641a_13b_back_takes_back_a_card_drawn_in_error() -> None:
    shift = at(P.DEALING)
    shift.menu("DRAWN IN ERROR")
    shift.press(Key.BACK)
    assert notes(shift)[-2:] == ["drawn in error", "drawn in error taken back"]


def test_policy_nothing_is_taken_back_over_a_draw_that_came_since() -> None:
    shift = at(P.DECIDING)
    shift.menu("PLAYER LEFT", "5")
    shift.send(DrawMade, lucky=2)
    shift.press(Key.BACK)
    assert shift.why == CONFIRMED
    assert (shift.table.state.play.current.left, shift.table.state.play.current.lucky) == ([5], 2)


def test_policy_an_account_wager_that_came_too_late_takes_nothing_from_what_may_be_taken_back() -> None:
    shift = at(P.COUNTING_CHIPS)
    shift.count_chips()
    shift.menu("PLAYER LEFT", "5")
    shift.account(2, hand_bonus_player=300)
    shift.press(Key.BACK)
    assert shift.table.state.play.current.left == []
    assert "hand_bonus_player" not in shift.table.state.play.current.bets[2]
    words = [note.words for note in shift.table.state.play.current.notes]
    assert "seat 2 hand_bonus_player of 300 refused: after no more bets" in words


def test_policy_a_declaration_can_be_taken_back_after_snapshot_and_not_after_a_restart() -> None:
    shift = at(P.DECIDING)
    shift.menu("PLAYER LEFT", "2")
    shift.table = Table.restore(shift.setup, shift.table.snapshot())
    shift.press(Key.BACK)
    assert shift.table.state.play.current.left == []


# ---------------------------------------------------------------- who is there


@pytest.mark.parametrize("seats", [("2",), ("5",), ("2", "5")])
def test_x_7b_back_brings_back_a_player_who_did_not_leave(seats: tuple[str, ...]) -> None:
    shift = at(P.DECIDING)
    for seat in seats:
        before = round_of(shift)
        shift.menu("PLAYER LEFT", seat)
    shift.press(Key.BACK)
    assert shift.is_in(P.DECIDING)
    assert round_of(shift) == before


def test_x_7b_an_entry_is_cleared_before_the_declaration_is_taken_back() -> None:
    shift = at(P.DECIDING)
    shift.menu("PLAYER LEFT", "5")
    shift.press(Key.THREE, Key.BACK)
    assert (shift.table.state.play.current.left, shift.table.state.entry.pending.choice) == ([5], 0)
    shift.press(Key.BACK)
    assert shift.table.state.play.current.left == []


@pytest.mark.parametrize("answered", [False, True])
def test_x_7b_after_the_next_step_the_floor_says_that_a_player_is_here(answered: bool) -> None:
    shift = at(P.DECIDING)
    if answered:
        shift.answer(2)
        shift.menu("PLAYER LEFT", "2")
        shift.answer(5)
    else:
        shift.menu("PLAYER LEFT", "2")
        shift.answer(5)
    assert shift.is_in(P.TURNING)
    shift.press(Key.BACK)
    shift.answer(5)
    shift.floor("CORRECT ENTRY", "2 is here", person="f7")
    assert shift.is_in(P.TURNING if answered else P.DECIDING)
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert shift.record.left == ()
    assert ("seat 2 left the table: taken back", "f7") in [
        (note.words, note.by) for note in shift.record.notes
    ]


def test_x_7b_while_another_is_asked_whoever_is_here_is_asked_in_his_turn() -> None:
    shift = at(P.DECIDING)
    shift.menu("PLAYER LEFT", "2")
    shift.press(Key.THREE)
    shift.floor("CORRECT ENTRY", "2 is here")
    assert (shift.table.state.play.current.asking, shift.table.state.entry.pending.choice) == (2, 0)


def test_683a_7b_whoever_missed_a_street_does_not_come_back() -> None:
    shift = at(P.DECIDING, "pa683a")
    shift.menu("PLAYER LEFT", "2")
    shift.answer(5)
    shift.ok()
    assert shift.is_in(P.DECIDING)
    with pytest.raises(NotOfferedError):
        shift.floor("CORRECT ENTRY", "2 is here")


def test_x_7e_back_takes_back_boxes_that_were_joined() -> None:
    shift = at(P.BETS_OPEN)
    shift.menu("JOIN BOXES", "2+3")
    shift.press(Key.BACK)
    assert shift.table.state.layout.boxes == {}
    assert [note.words for note in shift.table.state.books.notes][-1] == "join 2 and 3 taken back"
    shift.press(Key.BACK)
    assert shift.why


# ---------------------------------------------------------------- counts


def test_641a_8b_a_count_of_chips_is_taken_back_until_a_card_is_dealt() -> None:
    shift = at(P.COUNTING_CHIPS)
    shift.count_chips()
    assert shift.is_in(P.DEALING)
    shift.press(Key.BACK)
    assert (shift.phase, shift.prompt[0]) == (P.COUNTING_CHIPS, "COUNT CHIPS: -")
    assert notes(shift)[-1] == "1 chips taken back"
    shift.press(Key.PLUS, Key.OK)
    shift.draw()
    shift.press(Key.BACK)
    assert shift.why == CONFIRMED


def test_641a_8b_chips_in_the_tray_are_counted_no_more_and_the_shoe_has_its_order() -> None:
    shift = at(P.COUNTING_CHIPS, method="auto_shoe")
    shift.count_chips()
    shift.press(Key.BACK)
    assert shift.is_in(P.COUNTING_CHIPS)
    shift.count_chips()
    shift.mark()
    shift.ok()
    assert shift.said(Dispense)
    shift.press(Key.BACK)
    assert shift.why == CONFIRMED


def test_641a_8f_a_stub_that_was_laid_down_is_taken_up_until_somebody_answers() -> None:
    shift = at(P.STUB, shuffler=Shuffler.PLAIN)
    shift.ok()
    shift.press(Key.BACK)
    assert (shift.phase, shift.prompt[0]) == (P.STUB, "STUB TO RACK")
    shift.menu("COUNT THE STUB")
    shift.count_stub()
    assert shift.is_in(P.DECIDING)
    shift.press(Key.BACK)
    right = 52 - shift.table.state.play.current.drawn
    assert (shift.phase, shift.prompt[0]) == (P.STUB, "COUNT STUB: -")
    assert notes(shift)[-1] == f"stub of {right} taken back"
    shift.press(Key.PLUS, Key.BACK)
    assert shift.prompt[0] == "COUNT STUB: -"
    shift.count_stub()
    shift.press(Key.ONE, Key.BACK)
    assert shift.is_in(P.DECIDING)
    shift.answer(2)
    shift.press(Key.BACK, Key.BACK)
    assert (shift.phase, shift.why) == (P.DECIDING, CONFIRMED)


def test_641a_8f_a_count_that_was_asked_for_by_mistake_need_not_be_made() -> None:
    shift = at(P.STUB, shuffler=Shuffler.PLAIN)
    shift.menu("COUNT THE STUB")
    shift.press(Key.BACK)
    assert shift.prompt[0] == "STUB TO RACK"
    shift.press(Key.BACK)
    assert shift.why == CONFIRMED


# ---------------------------------------------------------------- declarations after a seat is settled


def test_641a_11c_the_floor_has_a_hand_declared_again_after_another_seat_was_settled() -> None:
    bets = {seat: {"ante": 1000} for seat in (2, 5)}
    shift = declaring(bets, seat2="Ks Kh Kd 8c 2h", seat5="2c 4s 6h 8d Th", dealer=NOTHING)
    shift.declare_all()
    shift.ok()
    paid = [line for line in shift.table.state.play.current.lines if line.seat == 5]
    shift.mark()
    shift.floor("CORRECT ENTRY", "2", person="f5")
    assert (shift.phase, shift.prompt[0]) == (P.DECLARING, "S2 HAND")
    shift.declare("none")
    shift.declare("none")
    assert shift.is_in(P.SETTLING)
    assert shift.table.rooms.faults.held is None
    assert [line for line in shift.table.state.play.current.lines if line.seat == 5] == paid
    shift.settle_all()
    shift.next_round()
    assert not shift.said(PayWager)
    assert shift.record.declared["seat2"] == {"hand": "none", "wins": "none"}
    assert [line.seat for line in shift.record.lines] == [5, 5, 2, 2]


def test_641a_11c5iii_the_floor_finds_that_a_declared_hit_is_none() -> None:
    shift = declaring({2: {"ante": 1000, "prog4": 100}}, seat2="Ks Kh Kd 8c 2h", dealer=NOTHING)
    before = shift.table.rooms.shares.meters()
    for row in ("none", "four_of_a_kind", "four_aces"):
        shift.declare(row)
    shift.mark()
    shift.ok()
    assert shift.is_in(P.VALIDATING)
    assert shift.said(FreezeHit)
    shift.floor("CORRECT ENTRY", "2")
    assert shift.is_in(P.DECLARING)
    assert [(each.seat, each.wager) for each in shift.said(DropHit)] == [(2, "prog4")]
    shift.declare_all()
    assert shift.prompt == ("HELD: PAID ELSEWHERE", "FLOOR: PUT IT RIGHT"), (
        "the Ante Bonus was paid for quads"
    )
    shift.floor("RELEASE")
    shift.mark()
    shift.settle_all()
    assert shift.table.rooms.shares.meters() == before
    assert not shift.said(FreezeHit, row="four_aces")


def test_641a_11c5iii_a_hit_that_was_validated_is_validated_anew() -> None:
    bets = {2: {"ante": 1000, "prog4": 100}}
    shift = declaring(bets, seat2=FOUR_ACES, dealer=NOTHING)
    shift.declare_all()
    shift.ok()
    shift.floor("VALIDATE HIT")
    shift.floor("CORRECT ENTRY", "2")
    assert shift.table.state.play.current.hits == []
    shift.declare_all()
    shift.ok()
    assert shift.is_in(P.VALIDATING)


def test_641a_12d4_meters_that_paid_a_settled_seat_are_not_paid_twice() -> None:
    bets = {2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000, "prog4": 100}}
    shift = declaring(bets, seat5=FOUR_ACES, seat2="Ks Kh Kd 8c 2h", dealer=NOTHING)
    shift.declare_all()
    shift.settle_seat()
    after = shift.table.rooms.shares.meters()
    shift.floor("CORRECT ENTRY", "2")
    shift.declare_all()
    shift.settle_all()
    assert shift.table.rooms.faults.held is None
    assert shift.table.rooms.shares.meters() == after
    assert [hit.seat for hit in shift.table.state.play.current.hits if hit.needs_documents] == [5]


def test_641a_11c5v_a_correction_that_concerns_a_settled_seat_holds_the_table() -> None:
    bets = {2: {"ante": 1000}, 5: {"ante": 1000, "prog4": 100}}
    shift = declaring(bets, seat2=FOUR_ACES, seat5="2c 4s 6h 8d Th", dealer=NOTHING)
    shift.declare_all()
    shift.settle_seat()
    shift.floor("CORRECT ENTRY", "2")
    for row in ("four_of_a_kind", "four_of_a_kind"):
        shift.declare(row)
    assert shift.prompt == ("HELD: PAID ELSEWHERE", "FLOOR: PUT IT RIGHT")
    shift.floor("RELEASE")
    shift.settle_all()
    shift.next_round()
    assert [line.seat for line in shift.record.lines if line.wager.startswith("envy")] == [5]


def test_641a_11c5v_an_envy_that_was_missed_before_a_seat_was_settled_holds_the_table_too() -> None:
    bets = {2: {"ante": 1000}, 5: {"ante": 1000, "prog4": 100}}
    shift = declaring(bets, seat2=FOUR_ACES, seat5="2c 4s 6h 8d Th", dealer=NOTHING)
    while shift.phase is P.DECLARING:
        shift.declare("three_of_a_kind" if shift.prompt[0] == "S2 HAND" else Eyes(shift).sees())
    shift.settle_seat()
    shift.floor("CORRECT ENTRY", "2")
    shift.declare_all()
    assert shift.prompt == ("HELD: PAID ELSEWHERE", "FLOOR: PUT IT RIGHT")


def test_x_8d_a_lap_that_is_taken_back_within_the_deal_leaves_the_deal_where_it_was() -> None:
    shift = Shift(knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.ok(3)
    shift.press(Key.BACK)
    assert shift.is_in(Phase.DEALING)
    assert shift.table.state.play.current.drawn == 4
    assert shift.table.state.play.current.notes[-1].words == "2 cards not dealt yet"
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"
    assert shift.table.state.play.current.drawn == 4
