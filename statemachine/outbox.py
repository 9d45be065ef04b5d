"""The effects of an event, notes for the record, calls of people; and what they were told last.

A call stands until somebody of its role proves to be there: with the key and a PIN at the table, or by an
order at the console. A lamp burns as long, and the display says so where the dealer can do nothing but wait.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter

from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.parts import EntryState, TableClock, TableCrew
from sabot.statemachine.state.round import Note, Play
from sabot.statemachine.vocabulary.effects import Effect, EndCall, RequireRole, ShowNotice
from sabot.statemachine.vocabulary.events import Role, RoleLocked, RoleUnlocked

# For the key of an effect the field of ``LastTold`` that has its value, and how that is taken out of the
# effect.
_SAID: Mapping[str, tuple[str, Callable[[Effect], object]]] = {
    "dark": ("dark", attrgetter("spots")),
    "prompt": ("lines", attrgetter("first", "second", "cite")),
    "lamp": ("seat", attrgetter("seat")),
    "wake": ("wake", attrgetter("at")),
}


@dataclass(slots=True, eq=False, repr=False)
class Outbox:
    """The effects of the event that is being handled, and the record's notes."""

    clock: TableClock
    play: Play
    books: MoneyBooks
    effects: list[Effect] = field(default_factory=list)

    def begin(self, first: tuple[Effect, ...]) -> None:
        """Begin with what the safe lane decided."""
        self.effects = list(first)

    def emit(self, effect: Effect, *, first: bool = False) -> None:
        """Add an effect, before all others where it is in the safe direction."""
        if first:
            self.effects.insert(0, effect)
        else:
            self.effects.append(effect)

    def has_emitted(self, kind: type[Effect]) -> bool:
        """Return whether this event has such an effect already."""
        return any(type(effect) is kind for effect in self.effects)

    def note(self, words: str, cite: str = "", by: str = "") -> None:
        """Keep a note for the record of the round, between rounds for that of the next one."""
        round_ = self.play.round
        (round_.notes if round_ is not None else self.books.notes).append(
            Note(self.clock.now, words, cite, by)
        )


@dataclass(slots=True, eq=False)
class LastTold:
    """The last words to people and devices: only what differs from them is told."""

    effects: dict[str, Effect] = field(default_factory=dict)
    spots: frozenset[tuple[int, str]] = frozenset()
    # What the effects said, as the plain values that the next telling is compared with.
    dark: object = field(init=False, default=None)
    lines: object = field(init=False, default=None)
    seat: object = field(init=False, default=None)
    wake: object = field(init=False, default=None)
    units: list[int | None] = field(init=False, default_factory=list)
    accounts: tuple[object, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        """Read the values out of the effects of a table that goes on."""
        for key, (name, value) in _SAID.items():
            if key in self.effects:
                setattr(self, name, value(self.effects[key]))

    def forget(self) -> None:
        """Forget all that was told but the open spots, which the caller locks: all of it is news."""
        self.effects.clear()
        self.units.clear()
        self.dark = self.lines = self.seat = self.wake = None
        self.accounts = ()


# ------------------------------------------------------------ calling people

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
        # Somebody of the role is there already: no unlocking would come to end the call.
        if role.value in self.crew.unlocked:
            return
        # The last reason stands: one lamp a role, and the hold on the display says the rest.
        self.crew.calls[role.value] = why
        self.out.emit(RequireRole(role=role, why=why, cite=cite))

    def call_floor(self) -> None:
        """Call the floor by the dealer's key, and show that it was heard."""
        self.call(Role.FLOOR, BY_DEALER)
        self.out.emit(ShowNotice(first=CALLED, second=""))

    def on_unlocked(self, event: RoleUnlocked) -> None:
        """Take a person who proved a role at the table, and end the call for that role."""
        self.crew.unlock(event.role, event.person)
        self.books.day.unlocks += 1
        self.came(event.role)
        self.out.note(f"{event.role} {event.person} unlocked")

    def on_locked(self, event: RoleLocked) -> None:
        """Take a role as gone, and its list with it."""
        self.crew.lock_role(event.role)
        self.entry.close_list()
        # The digits of a lot are the floor's: with the key they go.
        if self.entry.pending.lot:
            self.entry.clear_pending()

    def came(self, role: Role) -> None:
        """End the call for a role: somebody of it has proved to be there."""
        if self.crew.calls.pop(role.value, None) is not None:
            self.out.emit(EndCall(role=role))

    def is_called(self) -> bool:
        """Return whether the dealer has called the floor, and nobody has come."""
        return self.crew.calls.get(Role.FLOOR.value) == BY_DEALER
