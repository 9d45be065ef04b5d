"""Every action has its key path: each is taken by keys alone, in a state in which it may be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.action import Refused
from sabot.statemachine.display import _with_paragraph
from sabot.statemachine.labels import WIDTH
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.table import ACTIONS
from sabot.statemachine.vocabulary.effects import RequireRole, ShowNotice, ShowPrompt
from sabot.statemachine.vocabulary.events import (
    CardsMissed,
    DeviceFaulted,
    Exit,
    Key,
    LinkLost,
    LinkRestored,
    Resumed,
    Role,
)

from .life import at
from .shift import NotOfferedError, Shift
from .test_linked import Linked

if TYPE_CHECKING:
    from collections.abc import Callable

P = Phase


def with_lot(phase: Phase) -> Shift:
    shift = at(phase)
    shift.register()
    return shift


def held(phase: Phase = P.DECIDING, fault: str = "") -> Shift:
    shift = at(phase)
    if fault:
        shift.send(DeviceFaulted, device="shoe", fault=fault)
    else:
        shift.send(LinkLost, device="pad", reason="silent")
        shift.send(LinkRestored, device="pad")
    return shift


def held_untested() -> Shift:
    shift = at(P.DECIDING)
    shift.send(LinkLost, device="pad", reason="silent")
    return shift


def handing_back() -> Shift:
    shift = at(P.BETS_OPEN)
    shift.bet(1, ante=1000)
    shift.bet(2, prog4=100)
    shift.press(Key.LOCK)
    return shift


def cut() -> Shift:
    shift = at(P.CUTTING)
    shift.ok()
    return shift


def betting() -> Shift:
    shift = at(P.BETS_OPEN)
    shift.bet(2, ante=1000)
    return shift


def restarted() -> Shift:
    shift = at(P.DECIDING)
    shift.send(Resumed, down_s=1.0)
    return shift


def picked_up() -> Shift:
    shift = at(P.CLEARING)
    shift.quick_shuffler = False
    shift.clear()
    return shift


def taken_over() -> Shift:
    shift = restarted()
    shift.floor("TAKE OVER", "kept")
    return shift


def answering() -> Shift:
    shift = at(P.DECIDING)
    shift.press(Key.ONE)
    return shift


def answered() -> Shift:
    shift = at(P.DECIDING)
    shift.answer(2)
    return shift


def broken(phase: Phase = P.BETS_OPEN) -> Shift:
    shift = at(phase)
    shift.menu("OUT OF ORDER", "shoe")
    return shift


def given_up() -> Shift:
    shift = broken()
    shift.floor("DEVICE COVERED", "shoe")
    return shift


def signed_on() -> Shift:
    shift = at(P.CLOSED)
    shift.sign_on()
    shift.register()
    return shift


def inspected() -> Shift:
    shift = at(P.VERIFYING)
    shift.floor("DEVICES CHECKED")
    return shift


def counted() -> Shift:
    """Chips that are counted and not confirmed."""
    shift = at(P.COUNTING_CHIPS)
    shift.press(Key.PLUS)
    return shift


def counted_at_last() -> Shift:
    """The stub of a void round, counted and not confirmed."""
    shift = at(P.LAST_COUNT)
    shift.press(Key.PLUS)
    return shift


def stack_out() -> Shift:
    """A stack in an exit that nobody senses."""
    shift = at(P.DEALING, method="auto_shoe")
    shift.dispense(shift.wanted, Exit.UNSENSED)
    return shift


def missed() -> Shift:
    """A report of the shoe never came."""
    shift = at(P.DEALING)
    shift.send(CardsMissed, device="shoe", count=1)
    return shift


def late_hit() -> Shift:
    """A hit on a linked meter is granted after its round."""
    shift = Linked.opened()
    shift.grant(round=99)
    return shift


def choosing() -> Shift:
    shift = at(P.DECLARING)
    shift.press(Key.FOLD)
    return shift


# Where the first phase of an action is not enough.
PREPARED: dict[str, Callable[[], Shift]] = {
    "receive": signed_on,
    "check_devices": lambda: at(P.VERIFYING),
    "verify_cards": inspected,
    "choose_lot": lambda: with_lot(P.BETS_OPEN),
    "change_deck": lambda: with_lot(P.BETS_OPEN),
    "relieved": lambda: at(P.BETS_OPEN),
    "close": lambda: at(P.BETS_OPEN),
    "shuffled": lambda: at(P.SHUFFLING, shuffler=Shuffler.HAND),
    "recut": cut,
    "reshuffle": lambda: at(P.BETS_OPEN),
    "join_boxes": lambda: at(P.BETS_OPEN),
    "lock": betting,
    "count_chips": counted,
    "count_last": counted_at_last,
    "rack_stub": lambda: at(P.STUB),
    "wrong_number": lambda: at(P.DECIDING),
    "stack_taken": stack_out,
    "deal_lap": lambda: at(P.DEALING, knowledge=Knowledge.NONE),
    "face_up": lambda: at(P.DEALING),
    "no_card_missed": missed,
    "irregular": lambda: at(P.DECIDING),
    "count_stub": lambda: at(P.STUB, shuffler=Shuffler.PLAIN),
    "decide": answering,
    "declare": choosing,
    "player_left": lambda: at(P.DECIDING),
    "correct": answered,
    "void_round": lambda: held(P.DEALING, "composition"),
    "release": held,
    "retest": held_untested,
    "hit_by_hand": taken_over,
    "leave_hit": lambda: Linked.opened().hit(),
    "settle_grant": late_hit,
    "settled_by_hand": taken_over,
    "wrong_number_late": picked_up,
    "undo_void": lambda: at(P.RETURNING),
    "out_of_order": lambda: at(P.BETS_OPEN),
    "covered": broken,
    "choose_method": given_up,
    "in_service": broken,
    "confirm_round": restarted,
    "take_over": held,
    "handed_back": handing_back,
    "returned": lambda: at(P.RETURNING),
}


def prepared(name: str) -> Shift:
    if name in PREPARED:
        return PREPARED[name]()
    (phase,) = sorted(ACTIONS[name].phases, key=lambda phase: phase.value)[:1]
    return at(phase)


def take(shift: Shift, name: str) -> None:
    """The key path: its own key, or the list of whoever may order it."""
    action = ACTIONS[name]
    if action.key is not None:
        shift.press(action.key)
    elif action.by is Role.DEALER:
        shift.menu(action.title)
    else:
        shift.floor(action.title, role=action.by)


@pytest.mark.parametrize("name", ACTIONS)
def test_each_action_is_taken_by_keys_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shift = prepared(name)
    action, done = shift.table.rooms.actions.named(name), []

    def spy(value: str) -> None:
        done.append(value)
        action.do(value)

    monkeypatch.setitem(shift.table.rooms.actions.known, name, replace(action, do=spy))
    take(shift, name)
    assert len(done) == 1, (shift.why, shift.titles())
    assert not shift.why


@pytest.mark.parametrize("name", [name for name in ACTIONS if ACTIONS[name].by is not Role.DEALER])
def test_what_is_the_floors_or_the_technicians_the_dealer_cannot_take(name: str) -> None:
    shift = prepared(name)
    with pytest.raises(NotOfferedError):
        shift.menu(ACTIONS[name].title)
    action = shift.table.rooms.actions.named(name)
    assert action.when is None or action.when()
    value = action.values()[0] if action.values else ""
    with pytest.raises(Refused, match="only the"):
        shift.table.rooms.actions.verify(name, value)
    assert not shift.table.rooms.actions.can(name, value)


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_in_a_phase_that_is_not_its_own_says_so(name: str) -> None:
    action = ACTIONS[name]
    for phase in set(Phase) - action.phases:
        shift = at(phase)
        with pytest.raises(Refused, match="not while"):
            shift.table.rooms.actions.verify(name)
        break


def test_actions_come_in_threes() -> None:
    shift = betting()
    assert shift.table.rooms.actions.can("lock")
    shift.table.rooms.actions.verify("lock")
    shift.table.rooms.actions.do("lock")
    assert not shift.table.rooms.actions.can("lock")
    with pytest.raises(Refused, match="no more bets: not while dealing"):
        shift.table.rooms.actions.do("lock")


def test_an_action_wants_a_value_that_is_offered() -> None:
    shift = at(P.DECIDING)
    for value in ("", "7", "nonsense"):
        with pytest.raises(Refused, match="is not to be chosen now"):
            shift.table.rooms.actions.verify("player_left", value)


def test_a_held_table_refuses_what_may_wait() -> None:
    shift = held(P.BETS_OPEN)
    with pytest.raises(Refused, match="held: silent"):
        shift.table.rooms.actions.verify("lock")


def test_titles_are_unlike_and_fit_the_display() -> None:
    titles = [action.title for action in ACTIONS.values()]
    assert max(map(len, titles)) <= WIDTH
    listed = [action.title for action in ACTIONS.values() if action.key is None]
    assert len(set(listed)) == len(listed)


def test_floor_calls_a_floorperson_where_nobody_has_unlocked() -> None:
    shift = at(P.DECIDING)
    called, notice = shift.press(Key.FLOOR)
    assert called == RequireRole(role=Role.FLOOR, why="the dealer calls")
    assert notice == ShowNotice(first="FLOOR CALLED", second="")


def test_a_list_goes_round_and_back_leaves_it() -> None:
    shift = at(P.DECIDING)
    prompt = shift.prompt
    shift.press(Key.MENU)
    first = shift.prompt
    titles = shift.titles()
    shift.press(*(Key.RIGHT,) * len(titles))
    assert shift.prompt == first
    shift.press(Key.LEFT)
    assert shift.prompt[0].startswith(f"MENU {len(titles)}/{len(titles)} ")
    assert shift.prompt[1] == titles[-1]
    shift.press(Key.BACK)
    assert shift.prompt == prompt


def _shown(shift: Shift) -> ShowPrompt:
    return next(effect for effect in reversed(shift.effects) if isinstance(effect, ShowPrompt))


def test_over_an_open_list_stands_the_paragraph_of_the_step_beneath_it() -> None:
    shift = at(P.DECIDING)
    cite = _shown(shift).cite
    shift.press(Key.MENU)
    assert shift.prompt[0].endswith(f" {cite}")


def test_a_paragraph_that_is_too_long_for_the_line_is_cut_between_its_parts() -> None:
    shift = at(P.DECIDING)
    shift.press(Key.MENU)
    first = _with_paragraph("MENU 10/12", "641a.11(c)(5)(iii)")
    assert first == "MENU 10/12 641a.11"
    assert _with_paragraph("FLOOR 10/12", "our own policy") == "FLOOR 10/12"


def test_over_a_list_of_a_table_that_is_held_stands_the_paragraph_of_the_hold() -> None:
    shift = at(P.DEALING)
    shift.send(DeviceFaulted, source="shoe", device="shoe", fault="jam", detail="")
    held = _shown(shift)
    assert held.first.startswith("HELD")
    shift.unlock(Role.FLOOR)
    shift.press(Key.FLOOR)
    assert shift.prompt[0].split(" ", 2)[2][:4] == held.cite[:4]


def test_back_leaves_the_values_first() -> None:
    shift = at(P.DECIDING)
    shift.press(Key.MENU)
    while shift.prompt[1] != "PLAYER LEFT":
        shift.press(Key.RIGHT)
    shift.ok()
    assert shift.prompt == ("PLAYER LEFT", "SEAT 2")
    shift.press(Key.RIGHT)
    assert shift.prompt == ("PLAYER LEFT", "SEAT 5")
    shift.press(Key.BACK)
    assert shift.prompt[1] == "PLAYER LEFT"


def test_an_empty_list_is_not_opened() -> None:
    shift = at(P.CLOSED)
    shift.unlock(Role.AUDITOR, "auditor")
    shift.press(Key.FLOOR)
    assert shift.why == "nothing to choose now"
    assert shift.table.state.entry.menu is None


def test_policy_nothing_may_be_chosen_of_an_action_outside_its_phases() -> None:
    shift = at(Phase.DECIDING)
    lists = shift.table.rooms.lists
    assert lists.choices("player_left") == ["2", "5"]
    assert lists.choices("join_boxes") == []
