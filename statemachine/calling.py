"""Calling people: who is wanted, for what, and until when.

A call stands until somebody of its role proves to be there: with the key and a PIN at the table, or by an
order at the console. A lamp burns as long, and the display says so where the dealer can do nothing but wait.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.effects import EndCall, RequireRole, ShowNotice
from sabot.statemachine.events import Role

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

BY_DEALER = "the dealer calls"
CALLED = "FLOOR CALLED"


def call(table: "Table", role: Role, why: str, cite: str = "") -> None:
    """Call somebody of a role, unless somebody of it is there."""
    if role.value in table.state.unlocked:
        return
    table.state.calls[role.value] = why
    table.emit(RequireRole(role=role, why=why, cite=cite))


def call_floor(table: "Table") -> None:
    """The dealer calls the floor by key, and sees that it was heard."""
    call(table, Role.FLOOR, BY_DEALER)
    table.emit(ShowNotice(first=CALLED, second=""))


def came(table: "Table", role: Role) -> None:
    """Somebody of a role has proved to be there."""
    if table.state.calls.pop(role.value, None) is not None:
        table.emit(EndCall(role=role))


def is_called(table: "Table") -> bool:
    """Whether the dealer has called the floor, and nobody has come."""
    return table.state.calls.get(Role.FLOOR.value) == BY_DEALER
