"""Keys: what each of the dealer's thirteen keys means now, and the two lists.

OK takes the step of the phase, LOCK is "no more bets" and nothing else, BACK leaves or corrects, the others
enter something. MENU and FLOOR open lists of the actions that hold now; so whatever may be done has its key
path, and a key that makes no sense changes nothing and says why.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sabot.statemachine import dealing, deciding, declaring
from sabot.statemachine.action import Refused
from sabot.statemachine.events import Key, Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.state import Menu

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
BY_KEY = frozenset(OK_MEANS.values()) | {"lock", "recount", "stub_short"}


def press(table: "Table", key: Key) -> None:
    """Take a key."""
    if table.state.menu is not None:
        _menu_key(table, key)
    elif key is Key.MENU:
        open_menu(table, Role.DEALER)
    elif key is Key.FLOOR:
        open_menu(table, Role.FLOOR)
    elif table.state.holds and not _goes_on_while_held(table, key):
        held = table.state.holds[0]
        raise Refused(f"held: {held.why} ({held.cite}), {held.role} releases")
    elif key is Key.LOCK:
        table.do("lock", "")
    elif key is Key.BACK:
        _back(table)
    elif key is Key.OK and table.state.phase in OK_MEANS:
        table.do(OK_MEANS[table.state.phase], "")
    else:
        _entry_key(table, key)


def _goes_on_while_held(table: "Table", key: Key) -> bool:
    """Wagers of a void round go back whatever else is wrong."""
    name = OK_MEANS.get(table.state.phase) if key is Key.OK else None
    return name is not None and table.actions[name].while_held


def _back(table: "Table") -> None:
    if table.state.phase is Phase.STUB_WRONG:
        table.do("recount", "")
    else:
        deciding.take_back(table)


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
        pending.number = max(0, (pending.number or 0) + way)
    else:
        raise Refused(f"{key} means nothing now")


def _counts_stub(table: "Table") -> bool:
    return table.state.phase is Phase.STUB and dealing.is_count_due(table)


def menu_actions(table: "Table", role: Role) -> list[str]:
    """The actions that a role's list shows now."""
    return [
        name
        for name, action in table.actions.items()
        if action.by is role
        and name not in BY_KEY
        and table.state.phase in action.phases
        and (not table.state.holds or action.while_held)
        and (action.values is None or action.values(table) or name == "face_up")
    ]


def open_menu(table: "Table", role: Role) -> None:
    """Open a role's list of actions."""
    if role is Role.FLOOR and not table.state.unlocked:
        raise Refused("floor called: turn the key and enter the PIN")
    actions = menu_actions(table, role)
    if not actions:
        raise Refused("nothing to choose now")
    table.state.menu = Menu(role, actions)


def _menu_key(table: "Table", key: Key) -> None:
    menu = table.state.menu
    assert menu is not None  # the caller looked
    size = len(menu.values if menu.action else menu.actions)
    if key is Key.LEFT:
        menu.cursor = (menu.cursor - 1) % size
    elif key is Key.RIGHT:
        menu.cursor = (menu.cursor + 1) % size
    elif key is Key.BACK:
        _leave_menu(table)
    elif key is Key.OK:
        _take_menu(table)
    else:
        raise Refused(f"{key} means nothing in a list")


def _leave_menu(table: "Table") -> None:
    menu = table.state.menu
    assert menu is not None
    if menu.action:
        menu.cursor, menu.action, menu.values = menu.actions.index(menu.action), "", []
    else:
        table.state.menu = None


def _take_menu(table: "Table") -> None:
    menu = table.state.menu
    assert menu is not None
    if menu.action:
        name, value = menu.action, menu.values[menu.cursor]
    else:
        name, value = menu.actions[menu.cursor], ""
        values = table.actions[name].values
        offered = values(table) if values else []
        if offered:
            menu.action, menu.values, menu.cursor = name, offered, 0
            return
    table.verify(name, value)
    table.state.menu = None
    table.actions[name].do(table, value)
