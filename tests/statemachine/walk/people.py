"""People and devices that do their work: from any state of a table, an event that brings it on.

The dealer follows the phases (``play``), the floor and the technician come when something holds the table
(``help``), devices answer. What a person wants from a list is a *goal*, an action and a value; the keys to it
are found one at a time from what the list shows, so that a list that changed is left and opened again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sabot.statemachine.state.phases import ENDING
from sabot.statemachine.vocabulary.events import Event, Key, KeyPressed, Role, RoleUnlocked

from .help import goal_when_held, help_with
from .play import step

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from sabot.statemachine.table import Table

    from .world import World

Goal = tuple[str, str]
GOES_ON_WHILE_HELD = ENDING
PATIENCE = 0.8
WHIMS = (
    "join_boxes",
    "nobody",
    "recut",
    "reshuffle",
    "player_left",
    "player_left",
    "face_up",
    "face_up",
    "drawn_in_error",
    "irregular",
    "wrong_number",
    "wrong_number_late",
    "count_stub",
    "correct",
    "relieved",
    "choose_lot",
    "change_deck",
    "out_of_order",
    "in_service",
    "void_round",
    "undo_void",
    "undo_void",
    "hit_by_hand",
    "close",
)


class People:
    """The people of one table, and the devices they work with."""

    def __init__(self, table: Table, world: World, rng: random.Random, *, whims: float = 0.02) -> None:
        self.table = table
        self.world = world
        self.rng = rng
        self.whims = whims
        self.wishes: tuple[str, ...] = WHIMS
        self.goal: Goal | None = None
        self.places_left = 0
        self.lots = 0
        self.at = 0.0

    def next(self, at: float) -> Event:
        """An event that makes sense now."""
        self.at = at
        if self.goal is None:
            self.goal = goal_when_held(self) or self._whim()
        if self.goal is not None and not self._is_possible(*self.goal):
            self.goal = None
        if self.goal is not None:
            return self._towards(*self.goal)
        table = self.table
        if table.state.entry.menu is not None:
            return self.press(Key.BACK)
        if table.rooms.faults.held is not None and table.state.play.phase not in GOES_ON_WHILE_HELD:
            return help_with(self, self.rng.choice(table.state.trouble.holds))
        return step(self)

    # ------------------------------------------------------------ what people say with

    def event(self, kind: Callable[..., Event], **fields: Any) -> Event:
        """An event of now."""
        return kind(at=self.at, **fields)

    def press(self, key: Key) -> Event:
        """A key."""
        return self.event(KeyPressed, key=key)

    def ok(self) -> Event:
        """The key that takes the step of the phase."""
        return self.press(Key.OK)

    def unlock(self, role: Role) -> Event:
        """A person of a role turns the key."""
        return self.event(RoleUnlocked, role=role, person=f"{role} 1")

    def want(self, name: str, value: str = "") -> Event:
        """Set about an action of a list."""
        self.goal = (name, value)
        return self._towards(name, value)

    def value_of(self, name: str) -> str:
        """Any value that may be chosen for an action now."""
        values = self.table.rooms.actions.named(name).values
        offered = values() if values else []
        return self.rng.choice(offered) if offered else ""

    # ------------------------------------------------------------ lists

    def _is_possible(self, name: str, value: str) -> bool:
        action = self.table.rooms.actions.named(name)
        is_held = self.table.rooms.faults.held is not None and not action.while_held
        if self.table.state.play.phase not in action.phases or is_held:
            return False
        return action.values is None or action.offers(value or self.value_of(name))

    def _towards(self, name: str, value: str) -> Event:
        """The next key on the way to an action of a list; when it is the last one the goal is reached."""
        state, action = self.table.state, self.table.rooms.actions.named(name)
        if action.by is not Role.DEALER and action.by.value not in state.crew.unlocked:
            return self.unlock(action.by)
        if state.entry.menu is None:
            self.goal = self.goal if self.rng.random() < PATIENCE else None
            return self.press(Key.MENU if action.by is Role.DEALER else Key.FLOOR)
        return self._along(name, value)

    def _along(self, name: str, value: str) -> Event:
        menu, action = self.table.state.entry.menu, self.table.rooms.actions.named(name)
        assert menu is not None  # the caller looked
        wanted, shown = (value, menu.values) if menu.action == name else (name, menu.actions)
        if wanted not in shown or menu.action not in ("", name):
            self.goal = self.goal if self.rng.random() < PATIENCE else None
            return self.press(Key.BACK)
        if shown[menu.cursor] != wanted:
            return self.press(Key.RIGHT)
        if menu.action or action.values is None or not action.values():
            self.goal = None
        return self.ok()

    def _whim(self) -> Goal | None:
        """Now and then somebody wants something else than the next step."""
        if self.table.state.entry.menu is not None or self.rng.random() >= self.whims:
            return None
        name = self.rng.choice(self.wishes)
        return (name, self.value_of(name)) if self._is_possible(name, "") else None
