"""A restart: nothing is assumed, people go on; and rounds that are finished by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.action import Refused
from sabot.statemachine.by_hand import SETTLED
from sabot.statemachine.labels import WIDTH
from sabot.statemachine.state.ledger import BY_HAND, REVERSAL
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import (
    ClearFault,
    Dispense,
    DropHit,
    FreeShoe,
    FreezeHit,
    HaltShoe,
    LightSeat,
    LockWagers,
    OpenSpots,
    PayWager,
    RecordRound,
    SetMeter,
    ShowPrompt,
    WakeAt,
)
from sabot.statemachine.vocabulary.events import DeviceFaulted, Key, LinkLost, Resumed, Role, TimeReached

from .life import at as in_phase
from .shift import NotOfferedError, Shift

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR = 3600.0


def test_policy_a_fault_that_stands_at_a_start_halts_the_shoe_between_rounds_too() -> None:
    """A shoe that came up with the power is free: a card could be drawn from it."""
    shift = Shift()
    shift.open_table()
    shift.send(LinkLost, device="pads", reason="silent")
    again = Table.restore(shift.setup, shift.table.snapshot())
    start = Resumed(at=1.0, down_s=5.0)
    assert [type(each) for each in again.safe(start)] == [LockWagers, HaltShoe]
    effects = again.handle(start)
    assert [each for each in effects if isinstance(each, HaltShoe | FreeShoe)] == [
        HaltShoe(cite=again.rooms.faults.held.cite)  # type: ignore[union-attr]
    ]


@pytest.mark.parametrize("phase", [Phase.BETS_OPEN, Phase.SHUFFLING, Phase.CLOSED])
def test_policy_a_shoe_that_was_locked_at_the_end_is_freed_where_nothing_holds(phase: Phase) -> None:
    shift = in_phase(phase)
    shift.mark()
    shift.send(Resumed, down_s=5.0)
    assert (len(shift.said(FreeShoe)), shift.said(HaltShoe)) == (1, [])


PHASES = (
    "counting_chips",
    "chip_mismatch",
    "dealing",
    "stub",
    "deciding",
    "turning",
    "settling",
    "validating",
    "documents",
)


def at(phase: str) -> Shift:
    """A round with a progressive hit to come, in one of its phases."""
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.bet(5, ante=1000)
    shift.press(Key.LOCK)
    if phase == "counting_chips":
        return shift
    shift.count_chips(0)
    if phase == "chip_mismatch":
        return shift
    shift.press(Key.BACK)
    shift.count_chips()
    shift.stack(seat2="As Ah Ad Ac 3h", dealer="2d 4h 6s 8c Jd 3c")
    shift.draw()
    steps: dict[str, Callable[[], object]] = {
        "stub": shift.deal_cards,
        "deciding": shift.ok,
        "turning": shift.answer_all,
        "settling": shift.ok,
    }
    for name, step in steps.items():
        if shift.phase.value != phase:
            step()
        assert shift.phase.value in (name, phase)
    if phase in ("validating", "documents"):
        shift.ok(2)
    if phase == "documents":
        shift.floor("VALIDATE HIT")
        shift.ok()
    return shift


def restarted(shift: Shift, down_s: float | None = 5.0) -> Shift:
    """The power fails; another table is made from the last snapshot."""
    shift.table = Table.restore(shift.setup, shift.table.snapshot())
    shift.send(Resumed, down_s=down_s)
    return shift


# ---------------------------------------------------------------- within a round


@pytest.mark.parametrize("phase", PHASES)
def test_policy_a_restart_in_a_round_comes_up_held_and_shows_what_it_believes(phase: str) -> None:
    shift = at(phase)
    assert shift.phase.value == phase
    before = shift.table.rooms.views.view(Role.FLOOR)
    restarted(shift)
    assert shift.prompt == ("HELD: RESTARTED", "FLOOR: CONFIRM ROUND")
    after = shift.table.rooms.views.view(Role.FLOOR)
    assert {name for name in before if before[name] != after[name]} <= {"called", "held"}
    shift.ok()
    assert shift.why.startswith("held")
    assert "controller restarted" in [note.words for note in shift.table.state.play.current.notes]


@pytest.mark.parametrize("phase", PHASES)
def test_policy_the_floor_confirms_and_the_round_goes_on(phase: str) -> None:
    shift = restarted(at(phase))
    prompt = Table.restore(shift.setup, shift.table.snapshot()).state.play.phase
    with pytest.raises(NotOfferedError):
        shift.menu("CONFIRM ROUND")
    shift.floor("CONFIRM ROUND")
    assert shift.table.rooms.faults.held is None
    assert shift.phase is prompt


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("fate", ["kept", "reversed"])
def test_policy_the_floor_takes_the_round_over_its_contributions_kept_or_reversed(
    phase: str, fate: str
) -> None:
    shift = restarted(at(phase))
    fed = shift.table.rooms.shares.meters()
    shift.mark()
    shift.floor("TAKE OVER", fate, person="f8")
    assert shift.is_in(Phase.CLEARING)
    assert not shift.said(PayWager)
    assert [each.fault for each in shift.said(ClearFault)] == ["restarted"]
    moved = shift.table.state.books.ledger.moved["prog4.main"].get(REVERSAL, 0)
    if phase != "documents":
        assert moved == (-2900 if fate == "reversed" else 0)
        assert (shift.table.rooms.shares.meters() == fed) == (fate == "kept")
    shift.clear()
    assert shift.said(RecordRound)
    record = shift.record
    assert record.by_hand
    assert (f"finished by hand, contributions {fate}", "f8") in [
        (note.words, note.by) for note in record.notes
    ]
    shift.get_ready()
    assert shift.play().by_hand is False
    assert shift.table.state.books.ledger.is_balanced()


def test_policy_the_record_of_a_round_taken_over_tells_what_the_table_carried_out_from_what_people_did() -> (
    None
):
    shift = at("settling")
    shift.ok()
    restarted(shift)
    shift.floor("TAKE OVER", "kept")
    shift.clear()
    assert {(line.seat, line.text == SETTLED) for line in shift.record.lines} == {(5, False), (2, True)}


def test_policy_people_may_finish_any_held_round_by_hand() -> None:
    """Beyond the restart: a table that cannot go on must not keep people from it."""
    shift = at("deciding")
    shift.unlock()
    assert not shift.table.rooms.actions.can("take_over", "kept")
    shift.send(LinkLost, device="pad", reason="dead")
    shift.floor("TAKE OVER", "kept")
    assert shift.is_in(Phase.CLEARING)
    shift.clear()
    assert [held.kind for held in shift.table.state.trouble.holds] == ["lost_link"]
    assert shift.prompt[0] == "HELD: DEVICE SILENT"


@pytest.mark.parametrize("fate", ["kept", "reversed"])
def test_policy_a_round_that_is_taken_over_in_the_deal_orders_no_further_stack(fate: str) -> None:
    shift = Shift("pa641a", method="auto_shoe", knowledge=Knowledge.STACK, one_machine=True)
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    shift.draw()
    restarted(shift)
    shift.mark()
    shift.floor("TAKE OVER", fate)
    assert shift.is_in(Phase.CLEARING)
    assert shift.said(Dispense) == []


def test_policy_only_an_interrupted_round_is_confirmed() -> None:
    shift = at("deciding")
    shift.send(LinkLost, device="pad", reason="dead")
    with pytest.raises(NotOfferedError):
        shift.floor("CONFIRM ROUND")
    shift.unlock()
    assert not shift.table.rooms.actions.can("confirm_round")


@pytest.mark.parametrize("phase", [Phase.RETURNING, Phase.CLEARING])
def test_policy_a_round_that_is_over_is_brought_to_its_end(phase: Phase) -> None:
    shift = at("deciding")
    shift.wrong_number()
    if phase is Phase.CLEARING:
        shift.ok()
    restarted(shift)
    shift.clear()
    assert shift.is_in(Phase.SHUFFLING)
    assert shift.prompt[0] == "HELD: RESTARTED"
    shift.floor("RELEASE")
    shift.get_ready()


def test_policy_a_restart_locks_everybody_out_and_closes_lists() -> None:
    shift = at("deciding")
    shift.unlock()
    shift.press(Key.FLOOR)
    restarted(shift)
    assert shift.table.state.crew.unlocked == {}
    assert shift.table.state.entry.menu is None


# ---------------------------------------------------------------- between rounds


def test_policy_between_rounds_the_table_just_goes_on() -> None:
    shift = Shift()
    shift.open_table()
    restarted(shift)
    assert shift.table.rooms.faults.held is None
    assert shift.prompt[0] == "BETS OPEN"
    shift.play()


def test_policy_after_an_unknown_time_every_deck_is_due() -> None:
    shift = Shift()
    shift.open_table()
    restarted(shift, None)
    assert shift.prompt == ("DECK A IS DUE", "FLOOR: REGISTER DECK")
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    shift.play()


def test_policy_the_time_it_was_down_has_passed() -> None:
    shift = Shift()
    shift.open_table()
    restarted(shift, 9 * HOUR)
    assert shift.prompt == ("DECK A IS DUE", "FLOOR: REGISTER DECK")


def test_policy_a_clock_that_began_anew_does_not_lengthen_a_decks_life() -> None:
    shift = Shift()
    shift.open_table()
    shift.wait(4 * HOUR)
    table_now = shift.table.state.clock.now
    shift.now = 0.0
    restarted(shift, 60.0)
    assert shift.table.state.clock.now == table_now + 60
    shift.mark()
    shift.wait(3 * HOUR)
    assert shift.prompt[0] == "BETS OPEN"
    assert shift.said(WakeAt) == []
    shift.wait(1 * HOUR)
    assert shift.prompt[0] == "DECK A IS DUE"


def test_policy_deadlines_are_named_in_the_time_of_whoever_asks() -> None:
    shift = Shift()
    shift.open_table()
    due = shift.table.state.stock.decks["A"].opened_at + 8 * HOUR
    shift.now = 0.0
    shift.table = Table.restore(shift.setup, shift.table.snapshot())
    shift.mark()
    shift.send(Resumed, down_s=0.0)
    offset = shift.table.state.clock.clock_offset
    assert offset > 0
    assert shift.said(WakeAt)[-1].at == due - 600 - offset


def test_policy_a_clock_that_went_on_is_believed() -> None:
    shift = Shift()
    shift.open_table()
    shift.now += 100
    restarted(shift, 5.0)
    assert shift.table.state.clock.now == shift.now


# ---------------------------------------------------------------- what is told, and who may release


def test_policy_after_a_restart_everything_is_told_anew_for_displays_may_have_forgotten_it() -> None:
    shift = Shift()
    shift.open_table()
    shift.mark()
    shift.send(Resumed, down_s=5.0)
    assert isinstance(shift.last[0], LockWagers)
    assert shift.last[0].spots == ()
    told = {type(effect) for effect in shift.last}
    assert told >= {ShowPrompt, LightSeat, OpenSpots, SetMeter, WakeAt}
    shift.send(TimeReached)
    assert shift.last == []


@pytest.mark.parametrize("phase", [*PHASES, "clearing", "returning"])
def test_policy_a_restarted_round_is_confirmed_or_taken_over_and_never_just_released(phase: str) -> None:
    shift = at("deciding" if phase in ("clearing", "returning") else phase)
    if phase in ("clearing", "returning"):
        shift.wrong_number()
    if phase == "clearing":
        shift.ok()
    restarted(shift)
    shift.unlock()
    assert not shift.table.rooms.actions.can("release", "1 restarted controller")
    shift.press(Key.FLOOR)
    assert "RELEASE" not in shift.titles()
    assert "CONFIRM ROUND" in shift.titles()


def test_policy_another_fault_of_a_restarted_round_is_released_and_the_restart_stays() -> None:
    shift = restarted(at("deciding"))
    shift.send(DeviceFaulted, device="table", fault="unreadable_card")
    shift.floor("RELEASE", "2 unreadable_card table")
    assert [held.kind for held in shift.table.state.trouble.holds] == ["restarted"]


def test_policy_once_the_round_is_over_the_prompt_asks_for_the_release() -> None:
    shift = at("deciding")
    shift.wrong_number()
    restarted(shift)
    shift.clear()
    assert shift.prompt == ("HELD: RESTARTED", "FLOOR: RELEASE")


def test_x_7c_chips_that_were_taken_before_the_lock_while_the_power_was_off_are_no_wagers() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    restarted(shift)
    assert shift.prompt == ("BETS OPEN", "DECK A INTO SHOE")
    shift.bet(5, ante=1000)
    shift.lock()
    assert list(shift.table.state.play.current.bets) == [5]


@pytest.mark.parametrize("phase", PHASES)
def test_641a_11c5ii_the_light_of_a_hit_is_on_again_after_a_restart(phase: str) -> None:
    shift = at(phase)
    frozen = [(hit.seat, hit.wager, hit.row, hit.cents) for hit in shift.said(FreezeHit)]
    shift.mark()
    restarted(shift)
    again = [(hit.seat, hit.wager, hit.row, hit.cents) for hit in shift.said(FreezeHit)]
    assert again == (frozen if phase == "validating" else [])
    assert len(again) == (phase == "validating")


def test_policy_of_a_round_that_does_not_count_no_hit_is_announced() -> None:
    shift = restarted(at("validating"))
    shift.floor("TAKE OVER", "reversed")
    assert [(each.seat, each.wager) for each in shift.said(DropHit)] == [(2, "prog4")]


def test_policy_a_hit_that_the_floor_does_not_validate_may_be_finished_by_hand() -> None:
    shift = at("validating")
    shift.floor("TAKE OVER", "kept")
    assert shift.is_in(Phase.CLEARING)


# ---------------------------------------------------------------- a hit paid by hand


@pytest.mark.parametrize("phase", ["deciding", "settling", "validating"])
def test_641a_11c5_a_hit_paid_by_hand_leaves_the_meter_by_a_cause_of_its_own(phase: str) -> None:
    shift = restarted(at(phase))
    shift.floor("TAKE OVER", "kept")
    assert shift.prompt[1] == "FLOOR: SETTLED HOW?"
    for seat, wager in shift.table.rooms.by_hand.open_stakes():
        shift.floor("SETTLED BY HAND", f"{seat} {wager} paid")
        shift.how_much(100)
    assert shift.prompt == ("HIT PAID? CALL FLOOR", "CARDS TO RACK, OK")
    shift.floor("HIT PAID BY HAND", "2 prog4 four_aces", person="f9")
    ledger = shift.table.state.books.ledger
    assert ledger.is_balanced()
    assert ledger.moved["prog4.main"][BY_HAND] == -50_002_900
    assert ledger.moved["winners"] == {BY_HAND: 50_002_900}
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == 500_000
    assert shift.prompt[0] == "CARDS TO RACK"
    shift.clear()
    (hit,) = shift.record.hits
    assert (hit.seat, hit.wager, hit.row, hit.cents, hit.validated_by) == (
        2,
        "prog4",
        "four_aces",
        500_029,
        "f9",
    )
    assert "seat 2 prog4: four_aces of 500029 cents paid by hand" in [
        note.words for note in shift.record.notes
    ]
    assert shift.table.state.books.day.hits == 1


def test_641a_12e1_a_part_of_the_meter_paid_by_hand_leaves_the_rest_on_it() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog5=100)
    shift.lock()
    shift.deal()
    restarted(shift)
    shift.floor("TAKE OVER", "kept")
    before = shift.table.rooms.shares.meters()["prog5"]["main"]
    shift.floor("HIT PAID BY HAND", "2 prog5 straight_flush")
    assert shift.table.rooms.shares.meters()["prog5"]["main"] == before - before // 10
    with pytest.raises(NotOfferedError):
        shift.floor("HIT PAID BY HAND", "2 prog5 royal_flush")


def test_641a_12d4_two_hits_by_hand_are_paid_what_the_lines_had_said() -> None:
    shift = Shift()
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000, prog5=100)
    shift.lock()
    royal = {"seat2": "As Ks Qs Js Ts", "seat5": "Ah Kh Qh Jh Th"}
    shift.deal(**royal, dealer="2d 4h 6s 8c Jd 3c")
    shift.reveal()
    restarted(shift)
    shift.floor("TAKE OVER", "kept")
    for seat in (2, 5):
        shift.floor("HIT PAID BY HAND", f"{seat} prog5 royal_flush")
    paid = {hit.seat: hit.cents for hit in shift.table.state.play.current.hits}
    assert paid == {5: 1_000_042, 2: 1_000_000}
    assert shift.table.rooms.shares.meters()["prog5"]["main"] == 1_000_000
    assert shift.table.state.books.ledger.is_balanced()


@pytest.mark.parametrize("phase", ["deciding", "documents"])
def test_641a_11c5_no_hit_by_hand_where_the_wager_went_back_or_its_seat_was_settled(phase: str) -> None:
    shift = restarted(at(phase))
    shift.floor("TAKE OVER", "reversed" if phase == "deciding" else "kept")
    if phase == "deciding":
        shift.floor("SETTLED BY HAND", "rest back")
    assert shift.prompt[0] == "CARDS TO RACK"
    with pytest.raises(NotOfferedError):
        shift.floor("HIT PAID BY HAND")
    shift.unlock()
    assert not shift.table.rooms.actions.can("hit_by_hand", "2 prog4 four_aces")


@pytest.mark.parametrize("letter", ["A", "B", "C", "D"])
def test_policy_each_hit_by_hand_fits_the_display_and_is_told_from_the_others(letter: str) -> None:
    shift = Shift(letters={"prog5": letter})
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100, prog5=100)
    shift.account(2, hand_bonus_player=300, hand_bonus_dealer=300)
    shift.lock()
    restarted(shift)
    shift.floor("TAKE OVER", "kept")
    action = shift.table.rooms.actions.named("hit_by_hand")
    assert action.values is not None
    words = [action.words(value) for value in action.values()]
    assert len(words) == len(set(words)) >= 4
    assert all(len(each) <= WIDTH for each in words), words


@pytest.mark.parametrize("fault", ["short_stack", "composition"])
def test_policy_no_fault_but_a_restart_is_confirmed_as_one(fault: str) -> None:
    shift = at("deciding")
    shift.send(DeviceFaulted, device="shoe", fault=fault, detail="one card")
    with pytest.raises(NotOfferedError):
        shift.floor("CONFIRM ROUND")
    shift.unlock()
    with pytest.raises(Refused, match="the round was not interrupted"):
        shift.table.rooms.actions.verify("confirm_round", "")
