"""Each cure is carried out as the display and the steps say, at the table where it was found not to work."""

from __future__ import annotations

import pytest

from sabot.statemachine import cures
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import EndCall, RequireRole, RetestDevice, ShowNotice
from sabot.statemachine.vocabulary.events import (
    DIGITS,
    DeviceFaulted,
    DeviceRetested,
    Key,
    LinkLost,
    LinkRestored,
    ReleaseOrdered,
    Resumed,
    Role,
    RoleLocked,
    ServiceModeChanged,
    ShuffleCompleted,
    ShufflerStopped,
)
from sabot.statemachine.vocabulary.fault_kinds import FAULTS, FaultRow

from .life import at
from .shift import Shift

KEYS = {digit: key for key, digit in DIGITS.items()}


def todo(shift: Shift, number: int = 0) -> list[str]:
    return [step.short for step in shift.table.rooms.cures.steps(shift.table.state.trouble.holds[number])]


def keyed(shift: Shift, lot: str, color: str = "green") -> None:
    """The floor registers a deck at the keys."""
    shift.unlock()
    shift.press(Key.FLOOR)
    shift.press(Key.OK)
    menu = shift.table.state.entry.menu
    assert menu is not None
    shift.press(*(Key.RIGHT,) * menu.values.index(color), Key.OK)
    shift.press(*(KEYS[digit] for digit in lot), Key.OK)
    shift.send(RoleLocked, role=Role.FLOOR)


def test_641a_5b_a_bad_deck_in_a_round_is_voided_and_released_without_a_test() -> None:
    shift = at(Phase.DEALING)
    shift.send(DeviceFaulted, device="deck A", fault="composition", detail="twice")
    assert shift.prompt == ("HELD: WRONG CARD", "FLOOR: VOID ROUND")
    assert todo(shift) == ["VOID ROUND", "RELEASE"]
    shift.floor("VOID ROUND")
    assert todo(shift) == ["RELEASE"]
    shift.floor("RELEASE", "1 composition deck A")
    shift.clear()
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: REGISTER DECK")


def test_641a_5b_a_bad_deck_between_rounds_is_changed_and_released() -> None:
    shift = at(Phase.BETS_OPEN)
    shift.send(DeviceFaulted, device="deck A", fault="composition", detail="twice")
    assert todo(shift) == ["REGISTER DECK", "CHANGE DECK", "RELEASE"]
    shift.register(color="green")
    assert shift.prompt[1] == "FLOOR: CHANGE DECK"
    shift.floor("CHANGE DECK", "A")
    assert shift.prompt[1] == "FLOOR: RELEASE"
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is None


def removed() -> Shift:
    """A shuffler that counted 51 cards."""
    shift = at(Phase.SHUFFLING)
    shift.send(ShuffleCompleted, deck="A", count=51)
    return shift


def test_641a_5b_a_removed_deck_takes_one_lot_and_then_the_release() -> None:
    shift = removed()
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: REGISTER DECK")
    keyed(shift, "4711")
    assert [lot.lot for lot in shift.table.state.stock.lots] == ["4711"]
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: CHANGE DECK")
    shift.unlock()
    shift.press(Key.FLOOR, Key.OK, Key.OK)
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: RELEASE")
    shift.press(Key.FLOOR, Key.OK, Key.OK)
    assert shift.table.rooms.faults.held is None
    assert shift.prompt == ("INSPECT CARDS", "THEN OK")


def test_641a_3b1_a_lot_of_the_wrong_color_first_in_line_is_passed_over_by_choose_lot() -> None:
    shift = at(Phase.BETS_OPEN, decks=2)
    stays = shift.table.state.stock.decks["B"].color
    shift.register(color=stays)
    shift.register(color="black")
    shift.table.rooms.deck_room.remove_deck("A", "51 cards", "641a.5(b)")
    shift.press(Key.OK)
    assert todo(shift) == ["CHOOSE LOT", "CHANGE DECK", "RELEASE"]
    shift.floor("CHOOSE LOT", shift.table.rooms.cures.fitting_lots("A")[0])
    assert todo(shift) == ["CHANGE DECK", "RELEASE"]


def test_policy_a_restart_in_a_round_is_confirmed_and_not_released() -> None:
    shift = at(Phase.DEALING)
    shift.send(Resumed, down_s=1.0)
    assert shift.prompt == ("HELD: RESTARTED", "FLOOR: CONFIRM ROUND")
    assert todo(shift) == ["LOOK", "CONFIRM ROUND"]
    shift.floor("CONFIRM ROUND")
    assert shift.table.rooms.faults.held is None


def test_641a_13e_a_fault_that_was_put_off_is_said_while_the_round_ends() -> None:
    shift = at(Phase.CLEARING)
    assert shift.prompt == ("CARDS TO RACK", "IN ORDER, THEN OK")
    shift.send(ShufflerStopped, deck="A", cause="jam")
    assert shift.prompt == ("FAULT: CARDS TO RACK", "IN ORDER, THEN OK")
    shift.clear()
    assert shift.prompt == ("HELD: SHUFFLER STOP", "FLOOR: CLEAR, RETEST")


def test_policy_the_first_prompts_of_a_day_say_which_key_and_whose() -> None:
    shift = at(Phase.CLOSED)
    assert shift.prompt == ("CLOSED", "OK=DEALER SIGN ON")
    shift.sign_on()
    assert shift.prompt == ("CLOSED", "FLOOR: REGISTER DECK")
    keyed(shift, "12", "red")
    assert shift.prompt == ("CLOSED", "OK=RECEIVE CARDS")
    assert shift.table.state.stock.lots[0].color == "red"


def test_policy_ok_signs_a_dealer_on_where_the_display_asks_for_one() -> None:
    shift = Shift()
    assert shift.table.rooms.opening.wants_dealer()
    shift.send(LinkLost, device="pads", reason="silence")
    assert not shift.table.rooms.opening.wants_dealer()
    assert not at(Phase.BETS_OPEN).table.rooms.opening.wants_dealer()


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row.kind)
def test_policy_the_pages_have_a_sentence_for_each_step_of_each_cure(row: FaultRow) -> None:
    sentences = cures.in_words(row.kind, row.role)
    assert len(sentences) == len(cures.CURES[row.kind])
    assert all(each and "{" not in each for each in sentences)


def test_policy_digits_of_a_lot_are_taken_back_and_left() -> None:
    shift = at(Phase.CLOSED)
    shift.sign_on()
    shift.unlock()
    shift.press(Key.FLOOR, Key.OK, Key.OK)
    assert shift.prompt == ("LOT OF RED DECK", "DIGITS, OK")
    shift.ok()
    assert shift.why == "the number of the lot?"
    shift.press(Key.ONE, Key.TWO, Key.BACK)
    assert shift.prompt == ("LOT OF RED DECK", "1, OK")
    shift.press(*(Key.ONE,) * 20)
    assert shift.why == "no lot has more digits"
    shift.press(*(Key.BACK,) * 21)
    assert shift.prompt == ("CLOSED", "FLOOR: REGISTER DECK")
    shift.press(Key.FLOOR, Key.OK, Key.OK)
    shift.send(RoleLocked, role=Role.FLOOR)
    assert shift.prompt == ("CLOSED", "FLOOR: REGISTER DECK")


def test_policy_a_device_is_tested_again_by_a_line_of_the_floors_list() -> None:
    shift = at(Phase.DEALING)
    shift.send(DeviceFaulted, device="shoe", fault="contradiction", detail="why")
    shift.mark()
    shift.unlock()
    shift.press(Key.FLOOR)
    assert shift.prompt[1] == "RETEST"
    shift.press(Key.OK, Key.OK)
    assert shift.said(RetestDevice, device="shoe", fault="contradiction")
    shift.send(DeviceRetested, device="shoe", fault="contradiction", good=True)
    assert shift.prompt == ("HELD: CONTRADICTION", "FLOOR: RELEASE")


def test_policy_service_is_ended_at_the_console_before_it_is_released() -> None:
    shift = at(Phase.BETS_OPEN)
    shift.send(ServiceModeChanged, on=True, person="tech", why="a lamp")
    assert shift.prompt == ("HELD: SERVICE MODE", "TECH: SERVICE OFF")
    shift.send(ServiceModeChanged, on=False, person="tech")
    assert shift.prompt == ("HELD: SERVICE MODE", "FLOOR: LOOK, RELEASE")


@pytest.mark.parametrize("device", ["journal", "second medium"])
def test_policy_a_doubt_that_only_people_can_settle_is_looked_at_before_it_is_released(device: str) -> None:
    """A mark that is gone, a medium that is blank: the board has tested what it can, and cannot know which is right."""
    shift = at(Phase.BETS_OPEN)
    shift.send(DeviceFaulted, device=device, fault="contradiction", detail="why")
    shift.send(DeviceRetested, device=device, fault="contradiction", good=True)
    assert todo(shift) == ["LOOK", "RELEASE"]
    assert shift.prompt == ("HELD: CONTRADICTION", "FLOOR: LOOK, RELEASE")


@pytest.mark.parametrize("device", ["journal", "second medium"])
def test_policy_what_tests_itself_has_no_retest_among_its_steps(device: str) -> None:
    shift = at(Phase.BETS_OPEN)
    shift.send(DeviceFaulted, device=device, fault="device", detail="full")
    assert shift.prompt == ("HELD: DEVICE FAULT", "TECH: MEDIUM")
    assert todo(shift) == ["MEDIUM", "RELEASE"]


def test_policy_what_may_be_done_instead_is_said_where_it_is_offered() -> None:
    shift = at(Phase.DEALING)
    shift.send(LinkLost, device="shoe", reason="silent")
    held = shift.table.state.trouble.holds[0]
    assert [step.action for step in shift.table.rooms.cures.instead(held)] == ["take_over", "out_of_order"]


# ---------------------------------------------------------------- people hear


def test_policy_floor_calls_until_a_floorperson_unlocks() -> None:
    shift = at(Phase.VERIFYING)
    shift.press(Key.FLOOR)
    assert shift.said(RequireRole, role=Role.FLOOR)
    assert shift.said(ShowNotice, first="FLOOR CALLED")
    assert shift.prompt == ("CARDS INSPECTED", "FLOOR CALLED")
    assert shift.table.rooms.views.view(Role.DEALER)["called"] == {"floor": "the dealer calls"}
    shift.unlock()
    assert shift.said(EndCall, role=Role.FLOOR)
    assert shift.prompt == ("CARDS INSPECTED", "FLOOR: CHECK DEVICES")


def test_policy_nobody_is_called_who_is_there_and_an_order_of_the_console_ends_a_call() -> None:
    shift = at(Phase.DEALING)
    shift.unlock()
    shift.mark()
    shift.send(LinkLost, device="sign", reason="silent")
    assert not shift.said(RequireRole)
    shift.send(RoleLocked, role=Role.FLOOR)
    shift.send(LinkLost, device="shoe", reason="silent")
    shift.send(LinkRestored, device="shoe")
    order = {"fault": "lost_link", "device": "shoe", "role": Role.FLOOR, "person": "f"}
    shift.send(ReleaseOrdered, **order)
    assert shift.said(EndCall, role=Role.FLOOR)
    assert shift.table.state.crew.calls == {}


def test_policy_a_refused_key_says_why_in_two_lines() -> None:
    shift = at(Phase.BETS_OPEN)
    shift.press(Key.FOLD)
    assert shift.said(ShowNotice) == [ShowNotice(first="FOLD MEANS NOTHING", second="NOW")]


def test_policy_a_refused_key_says_why_where_a_held_table_shows_something_else() -> None:
    shift = at(Phase.CLEARING)
    shift.send(DeviceFaulted, device="sign", fault="contradiction", detail="why")
    shift.mark()
    shift.press(Key.FOLD)
    assert shift.prompt[0].startswith("FAULT: ")
    assert shift.said(ShowNotice) == [ShowNotice(first="HELD: WHY", second="")]
    shift = at(Phase.SHUFFLING)
    shift.send(DeviceFaulted, device="sign", fault="contradiction", detail="why")
    shift.unlock()
    shift.mark()
    shift.ok()
    assert shift.why.startswith("held: ")
    assert not shift.said(ShowNotice)
    shift.press(Key.FLOOR)
    shift.send(DeviceRetested, device="sign", fault="contradiction", good=True)
    shift.mark()
    shift.ok()
    assert shift.said(ShowNotice) == [ShowNotice(first="THIS MAY NOT BE", second="TAKEN ANY MORE")]


def test_policy_a_reason_that_two_lines_have_no_room_for_stands_on_the_console() -> None:
    shift = at(Phase.CUTTING)
    shift.bet(2, ante=1000)
    shift.mark()
    shift.press(Key.LOCK)
    assert shift.said(ShowNotice)[0].first == "NO MORE BETS: NOT"


# ---------------------------------------------------------------- lists


def test_policy_a_list_opens_at_the_line_that_the_display_asks_for() -> None:
    shift = at(Phase.VERIFYING)
    for title in ("DEVICES CHECKED", "VERIFY CARDS"):
        shift.unlock()
        shift.press(Key.FLOOR)
        assert shift.prompt[1] == title
        shift.press(Key.OK)


def test_641a_5e_recut_is_not_shown_once_a_card_is_dealt() -> None:
    shift = at(Phase.DEALING)
    shift.unlock()
    shift.press(Key.FLOOR)
    assert not {"RECUT", "RESHUFFLE"} & set(shift.titles())


def test_policy_a_list_is_refreshed_in_place_and_keeps_its_line() -> None:
    shift = at(Phase.DEALING)
    shift.press(Key.MENU, Key.LEFT)
    shown = shift.prompt[1]
    shift.draw()
    assert shift.prompt[1] == shown


def test_policy_an_ok_for_a_line_that_vanished_does_nothing() -> None:
    shift = at(Phase.SHUFFLING)
    shift.send(DeviceFaulted, device="sign", fault="contradiction", detail="why")
    shift.unlock()
    shift.press(Key.FLOOR)
    assert shift.prompt[1] == "RETEST"
    shift.send(DeviceRetested, device="sign", fault="contradiction", good=True)
    assert shift.prompt[1] == "NOT ANY MORE, < >"
    before = shift.table.state.trouble.holds[:]
    shift.ok()
    assert shift.why == "this may not be taken any more"
    assert shift.table.state.trouble.holds == before
    shift.press(Key.RIGHT)
    assert shift.prompt[1] != "NOT ANY MORE, < >"


def test_policy_values_that_vanished_lead_back_to_the_list() -> None:
    shift = at(Phase.SHUFFLING)
    shift.send(DeviceFaulted, device="sign", fault="contradiction", detail="why")
    shift.unlock()
    shift.press(Key.FLOOR, Key.OK)
    assert shift.prompt[0] == "RETEST"
    shift.send(DeviceRetested, device="sign", fault="contradiction", good=True)
    assert shift.prompt[0].startswith("FLOOR ")
    assert shift.prompt[1] == "NOT ANY MORE, < >"
    shift.press(Key.LEFT)
    assert shift.prompt[1] != "NOT ANY MORE, < >"
    shift.press(Key.BACK)
    assert shift.table.state.entry.menu is None


def test_policy_an_ok_right_after_a_list_was_shut_by_a_fault_takes_no_step() -> None:
    shift = at(Phase.CLEARING)
    shift.press(Key.MENU)
    shift.send(DeviceFaulted, device="pads", fault="contradiction", detail="why")
    assert shift.table.state.entry.menu is None
    shift.now -= 0.5
    shift.ok()
    assert shift.why == "the list has closed: look again"
    assert shift.is_in(Phase.CLEARING)
    shift.ok()
    assert not shift.why
