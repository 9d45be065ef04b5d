"""Keys: what each of the dealer's thirteen keys means now.

OK takes the step of the phase, LOCK is "no more bets" and nothing else, BACK leaves or corrects, the others
enter something, MENU and FLOOR open the lists. A key that makes no sense changes nothing and says why. LOCK
is the safe direction: it is heard even over an open list.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sabot.statemachine import (
    answering,
    byhand,
    correcting,
    dealing,
    declaring,
    idle,
    lockout,
    registering,
    stub,
)
from sabot.statemachine.action import Refused
from sabot.statemachine.events import Key, Role
from sabot.statemachine.lists import list_key, open_list, was_meant_for_list
from sabot.statemachine.phases import Phase
from sabot.statemachine.state import Pending
from sabot.statemachine.undo import may_take_back
from sabot.statemachine.voiding import look_at_payments

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot.statemachine.table import Table

P = Phase
# What OK means in each phase; LOCK means one thing only.
OK_MEANS: Mapping[Phase, str] = {
    P.CLOSED: "receive",
    P.INSPECTING: "inspected",
    P.SPREAD: "looked",
    P.IDLE: "looked",
    P.WASHING: "washed",
    P.SHUFFLING: "shuffled",
    P.CUTTING: "cut",
    P.COUNTING_CHIPS: "count_chips",
    P.DEALING: "deal_lap",
    P.STUB: "rack_stub",
    P.STUB_WRONG: "misdealt",
    P.DECIDING: "decide",
    P.TURNING: "turn",
    P.DECLARING: "declare",
    P.SETTLING: "pay_seat",
    P.CLEARING: "clear",
    P.RETURNING: "returned",
    P.LAST_COUNT: "count_last",
    P.LAST_WRONG: "last_misdealt",
}
# Actions with a key of their own are not listed in the menu.
BY_KEY = frozenset(OK_MEANS.values()) | {
    "lock",
    "handed_back",
    "stack_taken",
    "recount",
    "recount_chips",
    "stub_short",
    "count_last_again",
    "last_short",
}
# Where FOLD says no to what OK says.
FOLD_MEANS: Mapping[Phase, str] = {P.STUB_WRONG: "stub_short", P.LAST_WRONG: "last_short"}
# The keys that open a list, and whose it is.
LISTS: Mapping[Key, Role] = {Key.MENU: Role.DEALER, Key.FLOOR: Role.FLOOR}
# A column of ten and one of one, for whoever has forty cards to enter.
STEPS: Mapping[Key, int] = {Key.PLUS: 1, Key.MINUS: -1, Key.RIGHT: 10, Key.LEFT: -10}


def press(table: "Table", key: Key) -> None:
    """Take a key."""
    if table.state.menu is not None and key is not Key.LOCK:
        list_key(table, table.state.menu, key)
    elif key is not Key.LOCK and (digit_key := _takes_digits(table)) is not None:
        digit_key(table, key)
    elif key is Key.OK and was_meant_for_list(table):
        raise Refused("the list has closed: look again")
    elif key in LISTS:
        open_list(table, LISTS[key], BY_KEY)
    elif table.held is not None and not _goes_on_while_held(table, key):
        raise Refused(f"held: {table.held.why} ({table.held.cite}), {table.held.role} releases")
    elif key is Key.LOCK:
        table.do("lock", "")
        table.state.menu = None
    elif key is Key.BACK:
        correcting.back(table)
    elif key is Key.OK and (step := _step(table)):
        table.do(step, "")
    elif (back := lockout.to_hand_back(table)) is not None:
        raise Refused(f"chips go back first ({table.cite('7(c)' if back.way else '7(d)')})")
    else:
        _entry_key(table, key)


def _takes_digits(table: "Table") -> "Callable[[Table, Key], None] | None":
    """Who takes the keys as digits now: a sum that was paid by hand, or the number of a lot."""
    if byhand.takes_digits(table):
        return byhand.amount_key
    return registering.digit_key if registering.takes_digits(table) else None


def _step(table: "Table") -> str:
    """What OK takes now: chips that go back and a stack in the exit come before the step of the phase."""
    if lockout.to_hand_back(table) is not None:
        return "handed_back"
    if dealing.lies_in_exit(table):
        return "stack_taken"
    return OK_MEANS.get(table.state.phase, "nobody" if idle.is_idle(table) else "")


def _goes_on_while_held(table: "Table", key: Key) -> bool:
    """Wagers of a void round go back, and a mistaken declaration too, whatever else is wrong."""
    if table.state.phase in (P.LAST_COUNT, P.LAST_WRONG):
        return True
    if table.state.phase is P.RETURNING and key in (Key.LEFT, Key.RIGHT):
        return bool(table.round.take_back)
    if key is Key.BACK:
        return may_take_back(table)
    name = OK_MEANS.get(table.state.phase) if key is Key.OK else None
    return name is not None and table.actions[name].while_held


def _entry_key(table: "Table", key: Key) -> None:
    phase, pending = table.state.phase, table.state.pending
    way = {Key.PLUS: 1, Key.MINUS: -1}.get(key, 0)
    if phase is Phase.DECIDING and key in answering.MULTIPLES:
        answering.enter_multiple(table, key)
    elif phase is Phase.DECIDING and key is Key.FOLD:
        answering.enter_fold(table)
    elif phase is Phase.DECIDING and way:
        answering.enter_step(table, way)
    elif phase is Phase.DECIDING and key in (Key.LEFT, Key.RIGHT):
        answering.choose_which(table, key)
    elif phase is Phase.DECLARING:
        declaring.choose(table, key)
    elif phase is Phase.RETURNING and key in (Key.LEFT, Key.RIGHT):
        look_at_payments(table, key)
    elif phase in FOLD_MEANS and key is Key.FOLD:
        table.do(FOLD_MEANS[phase], "")
    elif key in STEPS and _counts_stub(table):
        _count(pending, STEPS[key])
    elif way and phase is Phase.COUNTING_CHIPS:
        _count(pending, way)
    else:
        raise Refused(f"{key} means nothing now")


def _count(pending: Pending, way: int) -> None:
    number = (pending.number or 0) + way
    if number < 0:
        raise Refused("there are none to take off")
    pending.number = number


def _counts_stub(table: "Table") -> bool:
    phase = table.state.phase
    return phase is P.LAST_COUNT or (phase is P.STUB and stub.is_count_due(table))
