"""What an event leads to: the effects it has, the notes for the record, and what people were told last."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter

from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.effects import Effect
from sabot.statemachine.parts import TableClock
from sabot.statemachine.round import Note, Play

# The value that an effect told, by the name it is known under.
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
        self.effects.insert(0 if first else len(self.effects), effect)

    def has_emitted(self, kind: type[Effect]) -> bool:
        """Return whether this event has such an effect already."""
        return any(type(effect) is kind for effect in self.effects)

    def note(self, words: str, cite: str = "", by: str = "") -> None:
        """Keep something for the record of the round, between rounds of the next one."""
        round_ = self.play.round
        (round_.notes if round_ is not None else self.books.notes).append(
            Note(self.clock.now, words, cite, by)
        )


@dataclass(slots=True, eq=False)
class Told:
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
        """Nobody may know what was told before: all of it is news. What is open is known.

        For it is locked.
        """
        self.effects.clear()
        self.units.clear()
        self.dark = self.lines = self.seat = self.wake = None
        self.accounts = ()
