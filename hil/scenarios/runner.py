"""Many scenarios at a rig: those that were chosen, several tables at a time, one line for each that ends."""

import fnmatch
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from datetime import UTC, datetime

from sabot.hil.scenarios.errors import ScenarioError, near
from sabot.hil.scenarios.play import play
from sabot.hil.scenarios.record import PlayedScenario, ScenarioRun
from sabot.hil.scenarios.rig import Rig, RigStrategy, Tell
from sabot.hil.scenarios.scenario_file import Scenario


def chosen(scenarios: list[Scenario], patterns: list[str]) -> list[Scenario]:
    """Return the scenarios whose name or file has one of the patterns in it; all without a pattern."""
    if not patterns:
        return scenarios
    found: dict[str, Scenario] = {}
    for pattern in patterns:
        matching = {each.name: each for each in scenarios if _matches(each, pattern)}
        if not matching:
            names = [each.name for each in scenarios]
            raise ScenarioError("E-HIL-005", "--scenario", pattern=pattern, near=near(pattern, names))
        found |= matching
    return [each for each in scenarios if each.name in found]


def selected(scenarios: list[Scenario], rig: Rig) -> list[Scenario]:
    """Return the rig file's default selection, or all scenarios if it has none."""
    known = {each.name: each for each in scenarios}
    for name in rig.selection:
        if name not in known:
            raise ScenarioError(
                "E-HIL-005", f"{rig.name}: selection", pattern=name, near=near(name, list(known))
            )
    return [each for each in scenarios if each.name in rig.selection] if rig.selection else scenarios


def _matches(scenario: Scenario, pattern: str) -> bool:
    wanted = f"*{pattern}*".lower()
    return any(fnmatch.fnmatchcase(text.lower(), wanted) for text in (scenario.name, scenario.file))


def run(scenarios: list[Scenario], rig: Rig, strategy: RigStrategy, jobs: int, tell: Tell) -> ScenarioRun:
    """Play the scenarios, and return the record, in the order of the files."""
    began = time.monotonic()
    record = ScenarioRun(rig.name, rig.title, sorted(rig.features), {}, _now())
    with ThreadPoolExecutor(jobs, "table") as pool:
        waiting = {pool.submit(play, each, rig, strategy): each.name for each in _interleaved(scenarios)}
        # The digest of the program is taken beside the first tables: it reads every file of it.
        environment = pool.submit(strategy.environment)
        try:
            ended = dict(_ended(waiting, began, tell))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        record.environment = environment.result()
    record.scenarios = [ended[each.name] for each in scenarios]
    record.ended, record.seconds = _now(), time.monotonic() - began
    return record


def _ended(
    waiting: dict["Future[PlayedScenario]", str], began: float, tell: Tell
) -> Iterator[tuple[str, PlayedScenario]]:
    for done, future in enumerate(as_completed(waiting), 1):
        played = future.result()
        spent_s = time.monotonic() - began
        tell(played, done, len(waiting), spent_s / done * (len(waiting) - done))
        yield waiting[future], played


def _interleaved(scenarios: list[Scenario]) -> list[Scenario]:
    """Return one scenario of each start first, so that no two tables wait for one to be made."""
    turns: Counter[tuple[str, str, str]] = Counter()
    keys = []
    for number, each in enumerate(scenarios):
        start = (each.start, each.chapter, each.method)
        keys.append((turns[start], number))
        turns[start] += 1
    return [each for _, each in sorted(zip(keys, scenarios, strict=True), key=lambda pair: pair[0])]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
