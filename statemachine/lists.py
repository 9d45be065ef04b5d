"""The two lists, MENU and FLOOR: rows of actions that hold now, walked with the same keys.

Whatever may be done has its key path. A list shows what its reader may order in this phase and nothing else;
irregularities stand first, for they cannot wait. A list that is open when the table moves on or is held is
closed, so that nobody reads an old list under a new prompt.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused
from sabot.statemachine.effects import RequireRole
from sabot.statemachine.events import Key, Role
from sabot.statemachine.state import Menu

if TYPE_CHECKING:
    from collections.abc import Collection

    from sabot.statemachine.table import Table

IRREGULAR = "13"


def listed(table: "Table", role: Role, by_key: "Collection[str]") -> list[str]:
    """The actions that a list shows now, irregularities first; FLOOR has those of whoever has unlocked."""
    found = [
        name
        for name, action in table.actions.items()
        if name not in by_key
        and (action.by is Role.DEALER) == (role is Role.DEALER)
        and _holds_now(table, action)
    ]
    return sorted(found, key=lambda name: not table.actions[name].section.startswith(IRREGULAR))


def _holds_now(table: "Table", action: Action) -> bool:
    if table.state.phase not in action.phases or (table.held is not None and not action.while_held):
        return False
    if not table.is_entitled(action) or (action.when is not None and not action.when(table)):
        return False
    return action.values is None or action.value_may_lack or bool(action.values(table))


def open_list(table: "Table", role: Role, by_key: "Collection[str]") -> None:
    """Open a role's list; FLOOR calls a floorperson where nobody has unlocked."""
    if role is Role.FLOOR and not table.state.unlocked:
        table.emit(RequireRole(role=Role.FLOOR, why="the dealer calls"))
        return
    actions = listed(table, role, by_key)
    if not actions:
        raise Refused("nothing to choose now")
    table.state.menu = Menu(role, actions)


def list_key(table: "Table", menu: Menu, key: Key) -> None:
    """A key while a list is open: move, take, leave."""
    size = len(menu.values if menu.action else menu.actions)
    if key is Key.LEFT:
        menu.cursor = (menu.cursor - 1) % size
    elif key is Key.RIGHT:
        menu.cursor = (menu.cursor + 1) % size
    elif key is Key.BACK:
        _leave(table, menu)
    elif key is Key.OK:
        _take(table, menu)
    else:
        raise Refused(f"{key} means nothing in a list")


def _leave(table: "Table", menu: Menu) -> None:
    if menu.action:
        menu.cursor, menu.action, menu.values = menu.actions.index(menu.action), "", []
    else:
        table.state.menu = None


def _take(table: "Table", menu: Menu) -> None:
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
    table.do(name, value)
