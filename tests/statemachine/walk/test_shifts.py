"""Random shifts under audit: every chapter, method, level of knowledge, and all kinds of accidents.

``SABOT_WALK=10`` plays ten times as much; a failure names the shift by its seed and the step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table

from .amounts import SEEDS, TIMES
from .invariants import Audit
from .random_shift import RandomShift
from .setups import WAYS, Way

if TYPE_CHECKING:
    from sabot.statemachine.vocabulary.effects import Effect

STEPS = 250
# What is alike for every way of dealing is tried with a third of them, of each chapter and method some.
TURN = 3 if TIMES == 1 else 1
HOME = (Phase.BETS_OPEN, Phase.CLOSED)
MOST_STEPS_HOME = 400


class AuditedShift:
    """A random shift with all auditors at its table."""

    def __init__(self, seed: int, way: Way, **amounts: Any) -> None:
        self.shift = RandomShift(seed, way, **amounts)
        self.table = self.shift.table
        self.audit = Audit(self.table)
        self._steps = self.shift.steps()

    def play(self, steps: int) -> None:
        """Go on for so many events."""
        for _ in range(steps):
            event, effects = next(self._steps)
            try:
                self.audit.see(event, effects)
            except AssertionError as error:
                raise AssertionError(f"{self.shift}: {error}") from error

    def bring_home(self) -> None:
        """Only sensible events from here; what holds the table must be lifted on the way."""
        noise, self.shift.noise, self.shift.people.whims = self.shift.noise, 0.0, 0.0
        for _ in range(MOST_STEPS_HOME):
            if self.table.state.play.phase in HOME and self.table.rooms.faults.held is None:
                self.shift.noise = noise
                return
            self.play(1)
        kinds = [(held.kind, held.device) for held in self.table.state.trouble.holds]
        raise AssertionError(f"{self.shift}: no way out of {self.table.state.play.phase} {kinds}")


@pytest.mark.parametrize(("number", "way"), list(enumerate(WAYS)), ids=str)
def test_whatever_happens_the_books_balance(number: int, way: Way) -> None:
    """Much noise and little by turns, for each way both as soon as more than one seed is played."""
    for seed in range(SEEDS):
        noise = (0.02, 0.3)[(number + seed) % 2]
        AuditedShift(seed, way, noise=noise, whims=0.03, pauses=0.005).play(STEPS)


@pytest.mark.parametrize("way", WAYS[::TURN], ids=str)
def test_a_shift_gets_somewhere(way: Way) -> None:
    """So that the tests of this folder are not about tables that stand still."""
    audited = AuditedShift(77, way, noise=0.0, whims=0.0, pauses=0.0)
    audited.play(STEPS)
    assert audited.table.state.books.rounds >= 2, audited.shift


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_from_wherever_accidents_lead_people_bring_the_table_home(way: Way) -> None:
    """No dead end: after any mess, people and devices that do their work reach open bets or a closed table."""
    for seed in range(SEEDS):
        audited = AuditedShift(seed + 500, way, noise=0.6, whims=0.05, pauses=0.01)
        for _ in range(3):
            audited.play(50)
            audited.bring_home()


@pytest.mark.parametrize("way", WAYS[::TURN], ids=str)
def test_the_same_events_have_the_same_effects(way: Way) -> None:
    for seed in range(SEEDS):
        shift = RandomShift(seed, way, noise=0.1)
        played = [step for step, _ in zip(shift.steps(), range(STEPS), strict=False)]
        again = Table(shift.setup)
        said: list[list[Effect]] = [again.handle(step.event) for step in played]
        assert said == [step.effects for step in played], shift
        assert repr(said) == repr([step.effects for step in played]), shift
