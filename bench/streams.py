"""`sabot settle --json` over 10,000 rounds from JSON Lines: the whole command, from exec to its end."""

import json
import subprocess
import time
from pathlib import Path

from figure import Figure
from fresh import OUT, out_file, sabot_command
from rounds import STREAMS, stream

TITLE = "sabot settle --json over 10,000 rounds from JSON Lines"
ROUNDS = 10_000
MOST_S = 5.0
WORDS = {
    "mixed": "five chapters, every round under choices of its own",
    "shift": "one pa641a table, 1 to 7 seats",
    "full": "one pa641a table, 7 seats, every wager",
}


def measure(*, quick: bool) -> list[Figure]:
    """Seconds for each stream; the streams take turns. Quick runs settle fewer rounds, without a goal."""
    count, turns = (1_000, 1) if quick else (ROUNDS, 3)
    paths = {name: _written(name, count) for name in STREAMS}
    samples: dict[str, list[float]] = {name: [] for name in STREAMS}
    for _ in range(turns):
        for name, path in paths.items():
            samples[name].append(_seconds(path, count))
    goal = MOST_S if count == ROUNDS else None
    note = "" if count == ROUNDS else f"a quick run: {count:,} rounds"
    return [Figure(WORDS[name], "s", tuple(each), goal, note) for name, each in samples.items()]


def _written(name: str, count: int) -> Path:
    made = "".join(json.dumps(each) + "\n" for each in stream(name, count))
    return out_file(f"{name}.jsonl", made)


def _seconds(path: Path, count: int) -> float:
    answers = OUT / "answers.jsonl"
    with answers.open("wb") as out:
        start = time.perf_counter()
        subprocess.run([*sabot_command(), "settle", "--json", str(path)], check=True, stdout=out)
        seconds = time.perf_counter() - start
    with answers.open(encoding="utf-8") as lines:
        settled = sum("settle_order" in line for line in lines)
    assert settled == count, f"{settled} of {count} rounds were settled"
    return seconds
