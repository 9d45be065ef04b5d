"""The whole record of a run as one JSON file (docs/hil-record.schema.json)."""

import json
from dataclasses import asdict
from pathlib import Path

from sabot.hil.scenarios.record import FORMAT, Run


def write(run: Run, path: Path) -> None:
    """Write it."""
    whole = {"sabot_hil_record": FORMAT, "outcome": run.outcome} | asdict(run)
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
