"""Calling people: who is wanted, for what, and until when.

A call stands until somebody of its role proves to be there: with the key and a PIN at the table, or by an
order at the console. A lamp burns as long, and the display says so where the dealer can do nothing but wait.
"""

from dataclasses import dataclass

from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.effects import EndCall, RequireRole, ShowNotice
from sabot.statemachine.events import Role, RoleLocked, RoleUnlocked
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.people import EntryState, TableCrew

BY_DEALER = "the dealer calls"
CALLED = "FLOOR CALLED"


@dataclass(slots=True, eq=False, repr=False)
class Calling:
    """Call people, and end a call when they come."""

    out: Outbox
    crew: TableCrew
    entry: EntryState
    books: MoneyBooks

    def call(self, role: Role, why: str, cite: str = "") -> None:
        """Call somebody of a role, unless somebody of it is there."""
        if role.value in self.crew.unlocked:
            return
        self.crew.calls[role.value] = why
        self.out.emit(RequireRole(role=role, why=why, cite=cite))

    def call_floor(self) -> None:
        """The dealer calls the floor by key, and sees that it was heard."""
        self.call(Role.FLOOR, BY_DEALER)
        self.out.emit(ShowNotice(first=CALLED, second=""))

    def on_unlocked(self, event: RoleUnlocked) -> None:
        """Somebody proved a role at the table."""
        self.crew.unlock(event.role, event.person)
        self.books.day.unlocks += 1
        self.came(event.role)
        self.out.note(f"{event.role} {event.person} unlocked")

    def on_locked(self, event: RoleLocked) -> None:
        """A role is gone, and its list with it."""
        self.crew.lock_role(event.role)
        self.entry.close_list()
        if self.entry.pending.lot:
            self.entry.clear_pending()

    def came(self, role: Role) -> None:
        """Somebody of a role has proved to be there."""
        if self.crew.calls.pop(role.value, None) is not None:
            self.out.emit(EndCall(role=role))

    def is_called(self) -> bool:
        """Return whether the dealer has called the floor, and nobody has come."""
        return self.crew.calls.get(Role.FLOOR.value) == BY_DEALER
