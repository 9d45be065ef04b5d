"""Play one scenario at one table of a rig: each step a phase of its record, then what can be read of it."""

import json
import os
import time
import traceback
from datetime import UTC, datetime
from subprocess import SubprocessError

from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.scenarios.floor import ScenarioFloor
from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.scenarios.record import ERROR, FAIL, PASS, SKIP, Measured, PlayedScenario, RecordedPhase
from sabot.hil.scenarios.rig import Rig, RigStrategy, TableUnderTest
from sabot.hil.scenarios.scenario_file import Scenario
from sabot.hil.scenarios.steps import take
from sabot.hil.table.hands import NotSeenError

# A pad that hears nothing for a second locks itself; half of that is no table any more.
STOOD_STILL_S = 0.5
# What the console says of a scenario that fell short: what holds the table, how long its loop stood still.
TOLD_OF_FAILURE = ("faults", "stats")
# What a rig may raise that is neither the scenario's nor the program's doing: the outcome is ERROR.
OF_THE_RIG = (ScenarioError, OSError, ValueError, KeyError, IndexError, SubprocessError)


def play(scenario: Scenario, rig: Rig, strategy: RigStrategy) -> PlayedScenario:
    """Play a scenario, or say why it is skipped."""
    played = PlayedScenario.of(scenario, datetime.now(UTC).isoformat(timespec="milliseconds"))
    lacking = sorted(scenario.needs - rig.features)
    why = f"the rig {rig.name} has no {', no '.join(lacking)}" if lacking else strategy.unfit(scenario)
    if why:
        played.outcome, played.why = SKIP, why
        return played
    began = time.monotonic()
    try:
        table = strategy.table(scenario)
        played.waited_s = time.monotonic() - began
        _at_table(scenario, rig, table, played)
    except (*OF_THE_RIG, NotSeenError) as error:
        played.outcome, played.why = ERROR, f"{type(error).__name__}: {error}"
        played.attachments["traceback"] = traceback.format_exc()
    played.seconds = time.monotonic() - began - played.waited_s
    return played


def _at_table(scenario: Scenario, rig: Rig, table: TableUnderTest, played: PlayedScenario) -> None:
    try:
        floor = ScenarioFloor(table, scenario.chapter, scenario.method, rig)
        played.began_s = floor.now()
        try:
            _steps(scenario, floor, played)
        finally:
            _read(floor, table, played)
            floor.close()
    finally:
        table.close()
    played.attachments["program.log"] = table.log()


def _steps(scenario: Scenario, floor: ScenarioFloor, played: PlayedScenario) -> None:
    """Take one step after the other; after one that falls short the others are not taken."""
    for number, step in enumerate(scenario.steps):
        phase = _phase(floor, step, played)
        played.phases.append(phase)
        if phase.outcome != PASS:
            played.outcome, played.why = phase.outcome, f"step {number + 1}: {phase.why}"
            played.phases += [RecordedPhase(str(each), SKIP) for each in scenario.steps[number + 1 :]]
            return


def _phase(floor: ScenarioFloor, step: ScenarioStep, played: PlayedScenario) -> RecordedPhase:
    """Take one step, with its times and what it measured."""
    phase = RecordedPhase(str(step), PASS, floor.now() - played.began_s)
    floor.measured = []
    try:
        take(floor, step)
    except NotSeenError as short:
        phase.outcome, phase.why = FAIL, _whole(step, str(short), floor)
    except OF_THE_RIG as error:
        phase.outcome, phase.why = ERROR, f"{step}: {type(error).__name__}: {error}"
    phase.end_s = floor.now() - played.began_s
    phase.measurements = {
        name: Measured.of(value, floor.rig.limits_ms.get(name)) for name, value in floor.measured
    }
    return phase


def _whole(step: ScenarioStep, why: str, floor: ScenarioFloor) -> str:
    """Return the whole message: what was expected, what came, and what the dealer saw last."""
    words = why if why.startswith("expected") else f"expected: {step}\ncame: {why}"
    return f"{words}\nthe display: {' / '.join(floor.crew.hands.lines)}"


def _read(floor: ScenarioFloor, table: TableUnderTest, played: PlayedScenario) -> None:
    """Read what devices did and showed and the program published; a dead table tells less."""
    try:
        played.diary = [[row[0] - played.began_s, *row[1:]] for row in floor.diary()]
        # The program's clock may be hours ahead of ours (`offset_s`).
        played.journal = [_entry(each, played.began_s + table.offset_s) for each in floor.entries()]
        _tell_of_pauses(played, floor.crew.hands.longest_pause_s() / floor.rig.patience)
        if played.outcome != PASS:
            for words in TOLD_OF_FAILURE:
                played.attachments[words] = "\n".join(floor.ask("", words).lines)
            played.attachments["load"] = " ".join(f"{load:.1f}" for load in os.getloadavg())
    except (OSError, ValueError) as error:
        played.attachments["unread"] = f"{type(error).__name__}: {error}"


def _tell_of_pauses(played: PlayedScenario, pause_s: float) -> None:
    """Add pauses to a failure: devices that stood still may say nothing of the program."""
    if played.outcome == FAIL and pause_s > STOOD_STILL_S:
        played.why += f"\nthe machine was busy: the devices stood still for {pause_s:.1f} s"


def _entry(entry: dict[str, object], began_s: float) -> dict[str, object]:
    """Return an entry of the journal in the scenario's seconds."""
    body = entry.get("body")
    event = body.get("event") if isinstance(body, dict) else None
    at = event.get("at") if isinstance(event, dict) else None
    moved: dict[str, object] = json.loads(json.dumps(entry))
    return moved | {"at_s": at - began_s if isinstance(at, float) else None}
