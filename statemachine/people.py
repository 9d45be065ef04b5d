"""Who is at the table, and what is being entered at its keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sabot.statemachine.events import Role


@dataclass(slots=True, kw_only=True)
class TableCrew:
    """The people at the table with their roles, and those who were called."""

    dealer: str = ""
    floor: str = ""
    unlocked: dict[str, str] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    checklist: list[str] = field(default_factory=list)

    def person(self, role: Role) -> str:
        """Return who has unlocked a role."""
        return self.unlocked.get(role.value) or next(iter(self.unlocked.values()), "")

    def unlock(self, role: Role, person: str) -> None:
        """Somebody has proved a role."""
        self.unlocked[role.value] = person
        if role is Role.FLOOR:
            self.floor = person

    def lock_role(self, role: Role) -> None:
        """A role is gone."""
        self.unlocked.pop(role.value, None)

    def lock_all(self) -> None:
        """Nobody has proved a role."""
        self.unlocked.clear()

    @contextmanager
    def proved(self, role: Role, person: str) -> Iterator[None]:
        """A role is unlocked for one order."""
        before = self.unlocked
        self.unlocked = {role.value: person} | {
            name: each for name, each in before.items() if name != role.value
        }
        try:
            yield
        finally:
            self.unlocked = before

    def check_off(self, words: str) -> None:
        """Something of the day's checklist is done."""
        self.checklist.append(words)

    def end_day(self) -> None:
        """The checklist is the next day's again."""
        self.checklist.clear()


@dataclass(slots=True)
class Pending:
    """An entry of the dealer that is not yet confirmed: a number or a choice.

    ``felt`` is what a pad feels on the spot of the wager that is asked for (None: chips of unknown value),
    and ``counts`` whether that or the key counts where the two differ. ``lot`` is the color of a deck whose
    lot is being keyed in, ``digits`` as far as it has come. ``row`` is the row, and its question, that the
    cursor of a declaration was moved to: where a player leaves, another may stand there.
    """

    number: int | None = None
    choice: int = 0
    fold: bool = False
    felt: int | None = 0
    counts: str = ""
    lot: str = ""
    digits: str = ""
    row: str = ""

    def count_to(self, number: int | None) -> None:
        """The number that is entered."""
        self.number = number

    def move_to(self, choice: int) -> None:
        """The line under the cursor."""
        self.choice = choice

    def key(self, number: int | None, choice: int, *, fold: bool) -> None:
        """An answer is keyed: which of key and chips counts is open again."""
        self.number, self.choice, self.fold, self.counts = number, choice, fold, ""


@dataclass(slots=True)
class Menu:
    """An open list: its actions, the cursor, and the argument being chosen.

    ``gone`` while the line that was shown may not be taken any more, until the cursor is moved.
    """

    role: Role
    actions: list[str]
    cursor: int = 0
    action: str = ""
    values: list[str] = field(default_factory=list)
    gone: bool = False

    @property
    def lines(self) -> list[str]:
        """The lines that the cursor walks."""
        return self.values if self.action else self.actions


@dataclass(slots=True, kw_only=True)
class EntryState:
    """The entry at the keys: a number, a choice, a line of a list."""

    pending: Pending = field(default_factory=Pending)
    menu: Menu | None = None
    list_closed_at: float | None = None

    def clear_pending(self) -> None:
        """Forget what was being entered."""
        self.pending = Pending()

    def shut_list(self, at: float) -> None:
        """An open list must not hide what holds the table; an OK that was meant for it takes nothing."""
        if self.menu is not None:
            self.menu, self.list_closed_at = None, at

    def close_list(self) -> None:
        """Close the list that somebody opened."""
        self.menu = None

    def open_list(self, menu: Menu) -> None:
        """Open a list."""
        self.menu = menu
