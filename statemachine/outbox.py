"""What an event leads to: the effects it has, the notes for the record, and what people were told last."""

from dataclasses import dataclass, field

from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.effects import Effect
from sabot.statemachine.parts import TableClock
from sabot.statemachine.round import Note, Play


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
    units: list[int] = field(default_factory=list)
    accounts: tuple[object, ...] = ()

    def forget(self) -> None:
        """Nobody may know what was told before: all of it is news. What is open is known.

        For it is locked.
        """
        self.effects.clear()
        self.units.clear()
        self.accounts = ()
