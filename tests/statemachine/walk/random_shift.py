"""Whole shifts by chance: a seed names a table and everything that happens at it.

``RandomShift(seed)`` is a table with its people, its devices and accidents. ``steps`` yields each event with
what the table said to it, without end; the bench and the soak drive tables by it, the tests here look at
each step. ``noise`` is how often something happens that nobody wanted (a key that makes no sense, a card
out of turn, a device that fails), ``whims`` how often somebody wants something else than the next step,
``rests`` how often the table has the time for one more piece of what it may prepare.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import WakeAt
from sabot.statemachine.vocabulary.events import Resumed, TimeReached

from .noise import Noise
from .people import People
from .setups import WAYS, Way, random_setup
from .world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sabot.statemachine.state.setup import Setup
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

LONG_PAUSE_S = 3_000.0


class Step(NamedTuple):
    """One event, and what followed."""

    event: Event
    effects: list[Effect]


class RandomShift:
    """One table through a shift."""

    def __init__(
        self,
        seed: int,
        way: Way | None = None,
        *,
        setup: Setup | None = None,
        noise: float = 0.05,
        whims: float = 0.02,
        pauses: float = 0.001,
        hot: float = 0.3,
        rests: float = 0.8,
        mark: Callable[[int], int] = int,
    ) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        # A chance of its own: with and without a rest a seed names the same events.
        self.resting = random.Random(seed)
        self.way = way or self.rng.choice(WAYS)
        self.setup = setup or random_setup(self.rng, self.way)
        self.table = Table(self.setup)
        self.world = World(self.rng, hot, mark)
        self.people = People(self.table, self.world, self.rng, whims=whims)
        self.accidents = Noise(self.table, self.world, self.rng)
        self.noise = noise
        self.pauses = pauses
        self.rests = rests
        self.now = 1.0
        self.wake: float | None = None
        self._round = 0

    def __repr__(self) -> str:
        return f"RandomShift(seed={self.seed}, way={self.way})"

    def next_event(self) -> Event:
        """What happens next."""
        pause = LONG_PAUSE_S if self.rng.random() < self.pauses else 0.0
        self.now += self.rng.randint(1, 40) / 8 + pause
        if self.wake is not None and self.wake <= self.now:
            self.now, self.wake = self.wake, None
            return TimeReached(at=self.now)
        if self.rng.random() < self.noise:
            return self.accidents.next(self.now)
        return self.people.next(self.now)

    def handle(self, event: Event) -> list[Effect]:
        """The table hears an event; devices take their orders, a new round has a new pack."""
        while self.resting.random() < self.rests and self.table.prepare():
            pass
        effects = self.table.handle(event)
        self.world.obey(effects)
        for effect in effects:
            if isinstance(effect, WakeAt):
                self.wake = effect.at
        state = self.table.state
        if state.play.phase is Phase.DEALING and state.books.rounds != self._round:
            self._round = state.books.rounds
            wanted = self.world.wanted
            self.world.shuffle(self.table.state.play.current.plan)
            self.world.wanted = wanted
        return effects

    def steps(self) -> Iterator[Step]:
        """Event after event, without end; the first word is that the controller is there."""
        first = Resumed(at=self.now, down_s=0.0)
        if not self.table.state.clock.now:
            yield Step(first, self.handle(first))
        while True:
            event = self.next_event()
            yield Step(event, self.handle(event))

    def rounds(self, count: int) -> Iterator[Step]:
        """The steps of so many rounds."""
        last = self.table.state.books.rounds + count
        for step in self.steps():
            yield step
            if self.table.state.books.rounds >= last and self.table.state.play.round is None:
                return
