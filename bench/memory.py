"""Resident memory of a fresh process that has imported, loaded or settled, above a bare interpreter's."""

import json
from statistics import median

from figure import Figure
from fresh import ROOT, out_file, run_job
from rounds import stream

TITLE = "resident memory above a bare interpreter"
MOST_MB = 15.0
ROUNDS = 10_000


def measure(*, quick: bool) -> list[Figure]:
    """Megabytes for each stage; each process goes through one stage only."""
    turns = 2 if quick else 7
    made = stream("full", ROUNDS // 10 if quick else ROUNDS)
    path = out_file("memory.jsonl", "\n".join(json.dumps(each) for each in made))
    stages = (
        ("importing every module of sabot.rules", ("rules", *_modules()), MOST_MB),
        ("loading all five chapters", ("chapters",), None),
        (f"after {ROUNDS:,} rounds of 7 seats, every wager", ("rounds", path), None),
    )
    bare = median(_kilobytes("bare") for _ in range(turns))
    return [
        Figure(name, "MB", tuple((_kilobytes(*order) - bare) / 1024 for _ in range(turns)), goal)
        for name, order, goal in stages
    ]


def _modules() -> list[str]:
    files = sorted((ROOT / "rules").rglob("*.py"))
    return [".".join(("sabot", *file.relative_to(ROOT).with_suffix("").parts)) for file in files]


def _kilobytes(stage: str, *args: object) -> int:
    return int(run_job("resident", stage, *args))
