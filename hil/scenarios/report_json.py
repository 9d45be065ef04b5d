"""The whole record of a run as one JSON file (docs/hil-record.schema.json)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sabot.hil.scenarios.record import FORMAT, Measured, Phase, Played, Run


def write(run: Run, path: Path) -> None:
    """Write it."""
    whole = {"sabot_hil_record": FORMAT, "outcome": run.outcome} | asdict(run)
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def keep(played: Played, path: Path) -> None:
    """One scenario of a record, for whoever is to put the record together."""
    path.write_text(json.dumps(asdict(played)), encoding="utf-8")


def read(path: Path) -> Played:
    """What was kept of one scenario."""
    plain = json.loads(path.read_text(encoding="utf-8"))
    phases = [_phase(each) for each in plain["phases"]]
    return Played(**plain | {"phases": phases})


def _phase(plain: dict[str, Any]) -> Phase:
    measured = {name: Measured(**each) for name, each in plain["measurements"].items()}
    return Phase(**plain | {"measurements": measured})
