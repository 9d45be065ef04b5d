"""One shift of the soak: its rounds under audit, then people bring the table home.

What is said of a shift that broke something is enough to play it again: the seed, the step, who objected and
the words. ``Rehearsal`` plays a list of events at a new table of the same set-up, for the cutting down.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary import effects as ef
from tests.statemachine.walk.audit_procedure import ProcedureAuditor
from tests.statemachine.walk.audit_telling import RefusalAuditor
from tests.statemachine.walk.invariants import AUDITORS
from tests.statemachine.walk.marked import Marked
from tests.statemachine.walk.random_shift import RandomShift
from tests.statemachine.walk.setups import random_setup

from .looks import LeakAuditor, ModelAuditor, RestoredAuditor, SketchAuditor
from .plan import MOST_EVENTS, ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event
    from tests.statemachine.walk.auditor import Auditor
    from tests.statemachine.walk.felt import AtTable
    from tests.statemachine.walk.random_shift import Step

    from .plan import Plan

HOME = (Phase.BETS_OPEN, Phase.CLOSED)
MOST_STEPS_HOME = 400
CHEAP = (*(auditor for auditor in AUDITORS if auditor is not RefusalAuditor), SketchAuditor)


@dataclass
class Broken:
    """What somebody objected to."""

    seed: int
    step: int
    who: str
    words: str


@dataclass
class Played:
    """What came of one shift."""

    seed: int
    rounds: int = 0
    events: int = 0
    walked: int = 0
    reckoned: int = 0
    void: int = 0
    faults: int = 0
    refused: int = 0
    broken: Broken | None = None
    heard: list[Event] = field(default_factory=list)

    def count(self, effects: list[Effect]) -> None:
        """What became of the round, the table and the input."""
        for effect in effects:
            self.void += isinstance(effect, ef.VoidRound)
            self.faults += isinstance(effect, ef.RaiseFault)
            self.refused += isinstance(effect, ef.RefuseInput)


class NoWayOutError(AssertionError):
    """People who do their work did not bring the table home."""


def looks_at(at: AtTable, plan: Plan) -> list[Auditor]:
    """Who looks at the table of this plan."""
    table = at.table
    # Marked cards do not go through JSON.
    cheap = [auditor for auditor in CHEAP if auditor is not ProcedureAuditor or not plan.walked]
    looks: list[Auditor] = [auditor(table) for auditor in cheap]
    looks += [RefusalAuditor(table)] if plan.refusals else []
    looks += [LeakAuditor(table, at)] if plan.walked else []
    looks += [ModelAuditor(table)] if plan.reckoned else []
    return looks + ([RestoredAuditor(table)] if plan.restored else [])


def shift_of(plan: Plan) -> RandomShift:
    """The table of this plan with its people and accidents."""
    setup = random_setup(random.Random(f"table {plan.seed}"), plan.way, policies=plan.policies)
    amounts = {"noise": plan.noise, "whims": plan.whims, "pauses": plan.pauses, "hot": plan.hot}
    mark = Marked if plan.walked else int
    return RandomShift(plan.seed, plan.way, setup=setup, mark=mark, **amounts)


def play(plan: Plan, rounds: int = ROUNDS, *, keep_events: bool = False) -> Played:
    """The whole shift; ``keep_events`` keeps what the table heard."""
    shift, played = shift_of(plan), Played(plan.seed)
    looks = looks_at(shift, plan)
    try:
        for step in _steps(shift, rounds):
            played.events += 1
            played.heard += [step.event] if keep_events else []
            _look(looks, step.event, step.effects)
            played.count(step.effects)
    except Exception as error:  # whatever is raised, the shift is named
        played.broken = _objection(plan.seed, played.events, looks, error)
    played.rounds = shift.table.state.books.rounds
    played.walked = played.rounds if plan.walked else 0
    played.reckoned = sum(each.model.compared for each in looks if isinstance(each, ModelAuditor))
    return played


def _steps(shift: RandomShift, rounds: int) -> Iterator[Step]:
    """So many rounds and whatever befalls them, then only what makes sense until the table is at rest."""
    for number, step in enumerate(shift.rounds(rounds)):
        yield step
        if number > MOST_EVENTS:
            break
    shift.noise, shift.people.whims = 0.0, 0.0
    steps = shift.steps()
    for _ in range(MOST_STEPS_HOME):
        if shift.table.state.play.phase in HOME and shift.table.rooms.faults.held is None:
            return
        yield next(steps)
    kinds = [(held.kind, held.device) for held in shift.table.state.trouble.holds]
    raise NoWayOutError(f"no way out of {shift.table.state.play.phase} {kinds}")


def _look(looks: Sequence[Auditor], event: Event, effects: list[Effect]) -> None:
    for look in looks:
        look.see(event, effects)


def _objection(seed: int, step: int, looks: Sequence[Auditor], error: Exception) -> Broken:
    """Who objected is whoever stands in the traceback."""
    frame = error.__traceback__
    who = type(error).__name__
    while frame is not None:
        speaker = frame.tb_frame.f_locals.get("self")
        who = type(speaker).__name__ if speaker in looks else who
        frame = frame.tb_next
    return Broken(seed, step, who, f"{type(error).__name__}: {error}")


class Rehearsal:
    """The same table again, and whether these events make the same one object."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.setup = shift_of(plan).setup
        self.way = plan.way
        self.table = Table(self.setup)

    def objects(self, events: Sequence[Event]) -> Broken | None:
        """What is objected to, if anything is."""
        self.table = Table(self.setup)
        looks, step = looks_at(self, self.plan), 0
        try:
            for event in events:
                step += 1
                _look(looks, event, self.table.handle(event))
        except Exception as error:  # as in play
            return _objection(self.plan.seed, step, looks, error)
        return None
