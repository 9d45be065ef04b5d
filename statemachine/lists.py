"""The two lists, MENU and FLOOR: rows of actions that may be done now, walked with the same keys.

Whatever may be done has its key path. A list shows what its reader may order in this phase and nothing else;
irregularities stand first, for they cannot wait, but it opens at the line that the display asks for. When the
table moves on beneath an open list its lines are refreshed in place: the cursor stays on its line, and where
that may not be taken any more the display says so, and OK takes nothing until the cursor is moved.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sabot.statemachine import cures
from sabot.statemachine.action import Action, Actions, Refused
from sabot.statemachine.calling import Calling
from sabot.statemachine.cures import Cures
from sabot.statemachine.display import DealerDisplay
from sabot.statemachine.events import Key, Role
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.parts import TableClock
from sabot.statemachine.people import EntryState, Menu, TableCrew
from sabot.statemachine.round import Play

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


def _move(menu: Menu, way: int) -> None:
    """To the next line; from one that is gone to what took its place, or to the one before."""
    step = 0 if menu.gone and way > 0 else way
    menu.cursor, menu.gone = (menu.cursor + step) % len(menu.lines), False


@dataclass(slots=True, eq=False, repr=False)
class ActionLists:
    """Open, walk and refresh the two lists."""

    actions: Actions
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    play: Play
    calling: Calling
    cures: Cures
    display: DealerDisplay
    faults: FaultLatch

    def listed(self, role: Role) -> list[str]:
        """The actions that a list shows now, irregularities first; those with a key of their own it does not.

        FLOOR has those of whoever has unlocked.
        """
        found = [
            name
            for name, action in self.actions.known.items()
            if action.key is None
            and (action.by is Role.DEALER) == (role is Role.DEALER)
            and self.choices(name)
        ]
        return sorted(found, key=lambda name: not self.actions.known[name].section.startswith(IRREGULAR))

    def choices(self, name: str) -> list[str]:
        """Return what may be chosen of an action now: values, or an empty one where none is asked."""
        action = self.actions.known[name]
        if not self._holds_now(action):
            return []
        offered = action.values() if action.values is not None else [""]
        if not offered and action.value_may_lack:
            offered = [""]
        return [value for value in offered if self._is_allowed(action, value)]

    def _holds_now(self, action: Action) -> bool:
        if self.play.phase not in action.phases or (self.faults.held is not None and not action.while_held):
            return False
        return self.actions.is_entitled(action) and (action.when is None or action.when())

    def _is_allowed(self, action: Action, value: str) -> bool:
        try:
            action.verify(value)
        except Refused:
            return False
        return True

    def open_list(self, role: Role) -> None:
        """Open a role's list where the display asks; FLOOR calls a floorperson where nobody has unlocked."""
        if role is Role.FLOOR and not self.crew.unlocked:
            self.calling.call_floor()
            return
        actions = self.listed(role)
        if not actions:
            raise Refused("nothing to choose now")
        self.entry.open_list(Menu(role, actions, self.opens_at(actions)))

    def opens_at(self, actions: list[str]) -> int:
        """Return the line of a list that the display asks for, the first where it asks for none of them."""
        name = self._asked()[0]
        return actions.index(name) if name in actions else 0

    def value_at(self, name: str, offered: list[str]) -> int:
        """Return the value of an action that the display asks for, the first where it asks for none."""
        asked, value = self._asked()
        return offered.index(value) if asked == name and value in offered else 0

    def _asked(self) -> tuple[str, str]:
        """The line that the display asks for, and its value, both empty where it asks for none."""
        held = self.faults.held
        if held is not None:
            return self.cures.asked(held)
        who, _, words = self.display.step_lines()[1].partition(": ")
        if who not in cures.CALLED.values():
            return "", ""
        by_title = (name for name, action in self.actions.known.items() if action.title == words)
        return ASKED.get(words) or next(by_title, ""), ""

    def list_key(self, menu: Menu, key: Key) -> None:
        """A key while a list is open: move, take, leave."""
        if key in (Key.LEFT, Key.RIGHT):
            _move(menu, 1 if key is Key.RIGHT else -1)
        elif key is Key.BACK:
            self._leave(menu)
        elif key is Key.OK and menu.gone:
            raise Refused("this may not be taken any more")
        elif key is Key.OK:
            self._take(menu)
        else:
            raise Refused(f"{key} means nothing in a list")

    def _leave(self, menu: Menu) -> None:
        if menu.action:
            menu.cursor, menu.action, menu.values, menu.gone = menu.actions.index(menu.action), "", [], False
        else:
            self.entry.close_list()

    def _take(self, menu: Menu) -> None:
        name, value = (
            (menu.action, menu.values[menu.cursor]) if menu.action else (menu.actions[menu.cursor], "")
        )
        offered = [] if menu.action else self.choices(name)
        if any(offered):
            menu.action, menu.values, menu.cursor = name, offered, self.value_at(name, offered)
            return
        self.actions.verify(name, value)
        self.entry.close_list()
        self.actions.do(name, value)

    # ---------------------------------------------------------------- the table moves on beneath

    def refresh(self, menu: Menu) -> None:
        """Show what may be done now; the line that was shown keeps the cursor, or is gone."""
        here = menu.lines[menu.cursor]
        menu.actions = self.listed(menu.role)
        menu.values = self.choices(menu.action) if menu.action in menu.actions else []
        menu.action = menu.action if menu.values else ""
        if not menu.actions:
            self.entry.shut_list(self.clock.now)
            return
        menu.gone = menu.gone or here not in menu.lines
        last = len(menu.lines) - 1
        menu.cursor = min(menu.cursor, last) if menu.gone else menu.lines.index(here)

    def was_meant_for_list(self) -> bool:
        """Return whether a list has closed by itself so lately that an OK was meant for it."""
        at = self.entry.list_closed_at
        return at is not None and self.clock.now - at < CLOSED_S
