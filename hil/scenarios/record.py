"""The record of a run, after the pattern of OpenHTF.

Phases with outcomes, measurements with limits, attachments, the environment with digests, start and end:
``docs/hil-record.schema.json`` describes it.
"""

from dataclasses import dataclass, field
from typing import Any, Self

from sabot.hil.scenarios.scenario_file import Scenario

PASS, FAIL, ERROR, SKIP = "PASS", "FAIL", "ERROR", "SKIP"
FORMAT = 1


@dataclass
class Measured:
    """One number with its bound."""

    measured_value: float
    units: str
    limit: float | None
    outcome: str

    @classmethod
    def of(cls, value_ms: float, limit_ms: float | None) -> Self:
        """Return milliseconds with their bound."""
        is_in = limit_ms is None or value_ms <= limit_ms
        return cls(round(value_ms, 3), "ms", limit_ms, PASS if is_in else FAIL)


@dataclass
class RecordedPhase:
    """What came of one step, from when to when in seconds of the scenario."""

    name: str
    outcome: str
    start_s: float | None = None
    end_s: float | None = None
    why: str = ""
    measurements: dict[str, Measured] = field(default_factory=dict)


@dataclass
class PlayedScenario:
    """What came of one scenario."""

    name: str
    paragraph: str
    chapter: str
    method: str
    file: str
    start: str
    about: str
    started: str
    outcome: str = PASS
    why: str = ""
    seconds: float = 0.0
    waited_s: float = 0.0
    began_s: float = 0.0
    phases: list[RecordedPhase] = field(default_factory=list)
    diary: list[list[Any]] = field(default_factory=list)
    journal: list[dict[str, object]] = field(default_factory=list)
    attachments: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, scenario: Scenario, started: str) -> Self:
        """Return the record of a scenario that begins."""
        return cls(
            scenario.name,
            scenario.paragraph,
            scenario.chapter,
            scenario.method,
            scenario.file,
            scenario.start,
            scenario.about,
            started,
        )


@dataclass
class ScenarioRun:
    """The record of a whole run."""

    rig: str
    title: str
    features: list[str]
    environment: dict[str, str]
    started: str
    ended: str = ""
    seconds: float = 0.0
    scenarios: list[PlayedScenario] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        """Return PASS if everything that was played held, and something was played."""
        outcomes = {each.outcome for each in self.scenarios}
        for outcome in (ERROR, FAIL, PASS):
            if outcome in outcomes:
                return outcome
        return SKIP

    def count(self, outcome: str) -> int:
        """Return how many scenarios had this outcome."""
        return sum(each.outcome == outcome for each in self.scenarios)


def summary(run: ScenarioRun) -> str:
    """Return a line of counts, and whether it held."""
    words = {PASS: "held", FAIL: "fell short", ERROR: "could not be played", SKIP: "skipped"}
    counts = [f"{run.count(outcome)} {said}" for outcome, said in words.items() if run.count(outcome)]
    what = f"{len(run.scenarios)} scenarios on {run.rig}"
    return f"{run.outcome}: {what}: {', '.join(counts)}; {run.seconds:.0f} s"
