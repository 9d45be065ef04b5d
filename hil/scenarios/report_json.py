"""The whole record of a run as one JSON file (docs/hil-record.schema.json)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sabot.hil.scenarios.record import FORMAT, Measured, PlayedScenario, RecordedPhase, ScenarioRun


def write(run: ScenarioRun, path: Path) -> None:
    """Write the whole record."""
    whole = {"sabot_hil_record": FORMAT, "outcome": run.outcome} | asdict(run)
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def keep(played: PlayedScenario, path: Path) -> None:
    """Write one scenario of a record, for whoever puts the record together."""
    path.write_text(json.dumps(asdict(played)), encoding="utf-8")


def read(path: Path) -> PlayedScenario:
    """Read the kept record of one scenario."""
    plain = json.loads(path.read_text(encoding="utf-8"))
    phases = [_phase(each) for each in plain["phases"]]
    return PlayedScenario(**plain | {"phases": phases})


def _phase(plain: dict[str, Any]) -> RecordedPhase:
    measured = {name: Measured(**each) for name, each in plain["measurements"].items()}
    return RecordedPhase(**plain | {"measurements": measured})
