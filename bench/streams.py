"""`sabot settle --json` over 10,000 rounds from JSON Lines: the whole command, from exec to its end.

The goal is asked of the clock on the wall. Where the machine has other work, the note with each stream says
how much of that time the command had the processor.
"""

import json
from pathlib import Path
from statistics import median

from figure import Figure
from fresh import OUT, Took, out_file, run_timed, sabot_command
from rounds import STREAMS, stream

TITLE = "sabot settle --json, 10,000 rounds from JSON Lines (wall)"
ROUNDS = 10_000
WORDS = {
    "mixed": "five chapters, every round under choices of its own",
    "shift": "one pa641a table, 1 to 7 seats",
    "full": "one pa641a table, 7 seats, every wager",
}


def measure(*, quick: bool) -> list[Figure]:
    """Seconds for each stream; the streams take turns. Quick runs settle fewer rounds."""
    count, turns = (1_000, 1) if quick else (ROUNDS, 3)
    paths = {name: _written(name, count) for name in STREAMS}
    took: dict[str, list[Took]] = {name: [] for name in STREAMS}
    for _ in range(turns):
        for name, path in paths.items():
            took[name].append(_settled(path, count))
    return [_figure(WORDS[name], each, count) for name, each in took.items()]


def _figure(words: str, took: list[Took], count: int) -> Figure:
    seconds = tuple(each.wall_s for each in took)
    note = f"{median(each.processor_s for each in took):.2f} s of it on the processor, {count:,} rounds"
    return Figure(words, "s", seconds, None, note)


def _written(name: str, count: int) -> Path:
    made = "".join(json.dumps(each) + "\n" for each in stream(name, count))
    return out_file(f"{name}.jsonl", made)


def _settled(path: Path, count: int) -> Took:
    answers = OUT / "answers.jsonl"
    took = run_timed([*sabot_command(), "settle", "--json", str(path)], answers)
    with answers.open(encoding="utf-8") as lines:
        settled = sum("settle_order" in line for line in lines)
    assert settled == count, f"{settled} of {count} rounds were settled"
    return took
