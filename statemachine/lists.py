"""The two lists, MENU and FLOOR: rows of actions that may be done now, walked with the same keys.

Whatever may be done has its key path. A list shows what its reader may order in this phase and nothing else;
irregularities stand first, for they cannot wait, but it opens at the line that the display asks for. When the
table moves on beneath an open list its lines are refreshed in place: the cursor stays on its line, and where
that may not be taken any more the display says so, and OK takes nothing until the cursor is moved.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sabot.statemachine import calling, cures
from sabot.statemachine.action import Action, Refused
from sabot.statemachine.events import Key, Role
from sabot.statemachine.state import Menu

if TYPE_CHECKING:
    from collections.abc import Collection

    from sabot.statemachine.table import Table

IRREGULAR = "13"
# An OK this soon after a list has closed by itself was meant for the list.
CLOSED_S = 1.0
# What the display asks for in other words than the line has.
ASKED: Mapping[str, str] = {
    "CHECK DEVICES": "check_devices",
    "COVER OR SIGN": "covered",
    "SETTLED HOW?": "settled_by_hand",
    "DOCUMENTS": "documents",
}


def listed(table: "Table", role: Role, by_key: "Collection[str]") -> list[str]:
    """The actions that a list shows now, irregularities first; FLOOR has those of whoever has unlocked."""
    found = [
        name
        for name, action in table.actions.items()
        if name not in by_key and (action.by is Role.DEALER) == (role is Role.DEALER) and choices(table, name)
    ]
    return sorted(found, key=lambda name: not table.actions[name].section.startswith(IRREGULAR))


def choices(table: "Table", name: str) -> list[str]:
    """Return what may be chosen of an action now: values, or an empty one where none is asked."""
    action = table.actions[name]
    if not _holds_now(table, action):
        return []
    offered = action.values(table) if action.values is not None else [""]
    if not offered and action.value_may_lack:
        offered = [""]
    return [value for value in offered if _is_allowed(table, action, value)]


def _holds_now(table: "Table", action: Action) -> bool:
    if table.state.phase not in action.phases or (table.held is not None and not action.while_held):
        return False
    return table.is_entitled(action) and (action.when is None or action.when(table))


def _is_allowed(table: "Table", action: Action, value: str) -> bool:
    try:
        action.verify(table, value)
    except Refused:
        return False
    return True


def open_list(table: "Table", role: Role, by_key: "Collection[str]") -> None:
    """Open a role's list where the display asks; FLOOR calls a floorperson where nobody has unlocked."""
    if role is Role.FLOOR and not table.state.unlocked:
        calling.call_floor(table)
        return
    actions = listed(table, role, by_key)
    if not actions:
        raise Refused("nothing to choose now")
    table.state.menu = Menu(role, actions, opens_at(table, actions))


def opens_at(table: "Table", actions: list[str]) -> int:
    """Return the line of a list that the display asks for, the first where it asks for none of them."""
    name = _asked(table)[0]
    return actions.index(name) if name in actions else 0


def value_at(table: "Table", name: str, offered: list[str]) -> int:
    """Return the value of an action that the display asks for, the first where it asks for none of them."""
    asked, value = _asked(table)
    return offered.index(value) if asked == name and value in offered else 0


def _asked(table: "Table") -> tuple[str, str]:
    """The line that the display asks for, and its value, both empty where it asks for none."""
    held = table.held
    if held is not None:
        return cures.asked(table, held)
    who, _, words = table.step_lines()[1].partition(": ")
    if who not in cures.CALLED.values():
        return "", ""
    by_title = (name for name, action in table.actions.items() if action.title == words)
    return ASKED.get(words) or next(by_title, ""), ""


def list_key(table: "Table", menu: Menu, key: Key) -> None:
    """A key while a list is open: move, take, leave."""
    if key in (Key.LEFT, Key.RIGHT):
        _move(menu, 1 if key is Key.RIGHT else -1)
    elif key is Key.BACK:
        _leave(table, menu)
    elif key is Key.OK and menu.gone:
        raise Refused("this may not be taken any more")
    elif key is Key.OK:
        _take(table, menu)
    else:
        raise Refused(f"{key} means nothing in a list")


def _move(menu: Menu, way: int) -> None:
    """To the next line; from one that is gone to what took its place, or to the one before."""
    step = 0 if menu.gone and way > 0 else way
    menu.cursor, menu.gone = (menu.cursor + step) % len(menu.lines), False


def _leave(table: "Table", menu: Menu) -> None:
    if menu.action:
        menu.cursor, menu.action, menu.values, menu.gone = menu.actions.index(menu.action), "", [], False
    else:
        table.state.menu = None


def _take(table: "Table", menu: Menu) -> None:
    name, value = (menu.action, menu.values[menu.cursor]) if menu.action else (menu.actions[menu.cursor], "")
    offered = [] if menu.action else choices(table, name)
    if any(offered):
        menu.action, menu.values, menu.cursor = name, offered, value_at(table, name, offered)
        return
    table.verify(name, value)
    table.state.menu = None
    table.do(name, value)


# ---------------------------------------------------------------- the table moves on beneath


def refresh(table: "Table", menu: Menu, by_key: "Collection[str]") -> None:
    """Show what may be done now; the line that was shown keeps the cursor, or is gone."""
    here = menu.lines[menu.cursor]
    menu.actions = listed(table, menu.role, by_key)
    menu.values = choices(table, menu.action) if menu.action in menu.actions else []
    menu.action = menu.action if menu.values else ""
    if not menu.actions:
        table.shut_list()
        return
    menu.gone = menu.gone or here not in menu.lines
    last = len(menu.lines) - 1
    menu.cursor = min(menu.cursor, last) if menu.gone else menu.lines.index(here)


def was_meant_for_list(table: "Table") -> bool:
    """Whether a list has closed by itself so lately that an OK was meant for it."""
    at = table.state.list_closed_at
    return at is not None and table.now - at < CLOSED_S
