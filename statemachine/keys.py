"""Keys: what each of the dealer's thirteen keys means now.

OK takes the step of the phase, LOCK is "no more bets" and nothing else, BACK leaves or corrects, the others
enter something, MENU and FLOOR open the lists. A key that makes no sense changes nothing and says why. LOCK
is the safe direction: it is heard even over an open list.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sabot.statemachine import correcting, deciding, declaring, stub
from sabot.statemachine.action import Refused
from sabot.statemachine.events import Key, Role
from sabot.statemachine.lists import list_key, open_list
from sabot.statemachine.phases import Phase
from sabot.statemachine.state import Pending
from sabot.statemachine.undo import may_take_back

if TYPE_CHECKING:
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
}
# Actions with a key of their own are not listed in the menu.
BY_KEY = frozenset(OK_MEANS.values()) | {"lock", "recount", "recount_chips", "stub_short"}


def press(table: "Table", key: Key) -> None:
    """Take a key."""
    if table.state.menu is not None and key is not Key.LOCK:
        list_key(table, table.state.menu, key)
    elif key is Key.MENU:
        open_list(table, Role.DEALER, BY_KEY)
    elif key is Key.FLOOR:
        open_list(table, Role.FLOOR, BY_KEY)
    elif table.held is not None and not _goes_on_while_held(table, key):
        raise Refused(f"held: {table.held.why} ({table.held.cite}), {table.held.role} releases")
    elif key is Key.LOCK:
        table.do("lock", "")
    elif key is Key.BACK:
        correcting.back(table)
    elif key is Key.OK and table.state.phase in OK_MEANS:
        table.do(OK_MEANS[table.state.phase], "")
    else:
        _entry_key(table, key)


def _goes_on_while_held(table: "Table", key: Key) -> bool:
    """Wagers of a void round go back, and a mistaken declaration too, whatever else is wrong."""
    if key is Key.BACK:
        return may_take_back(table)
    name = OK_MEANS.get(table.state.phase) if key is Key.OK else None
    return name is not None and table.actions[name].while_held


def _entry_key(table: "Table", key: Key) -> None:
    phase, pending = table.state.phase, table.state.pending
    way = {Key.PLUS: 1, Key.MINUS: -1}.get(key, 0)
    if phase is Phase.DECIDING and key in deciding.MULTIPLES:
        deciding.enter_multiple(table, key)
    elif phase is Phase.DECIDING and key is Key.FOLD:
        deciding.enter_fold(table)
    elif phase is Phase.DECIDING and way:
        deciding.enter_step(table, way)
    elif phase is Phase.DECLARING and key in (Key.LEFT, Key.RIGHT, Key.FOLD):
        declaring.choose(table, key)
    elif phase is Phase.STUB_WRONG and key is Key.FOLD:
        table.do("stub_short", "")
    elif way and (phase is Phase.COUNTING_CHIPS or _counts_stub(table)):
        _count(pending, way)
    else:
        raise Refused(f"{key} means nothing now")


def _count(pending: Pending, way: int) -> None:
    number = (pending.number or 0) + way
    if number < 0:
        raise Refused("there are none to take off")
    pending.number = number


def _counts_stub(table: "Table") -> bool:
    return table.state.phase is Phase.STUB and stub.is_count_due(table)
