"""One round settled: seven seats of Four Card Poker with every wager, from a ``Round`` to its ``Outcome``.

Each process starts with empty tables and settles rounds it has never seen, as a table does. The first
hundreds show what filling the tables costs; the goal is asked of those after them, never of a round that
is settled twice.
"""

import json

from figure import Figure
from fresh import out_file, run_job
from rounds import stream

TITLE = "one 7-seat pa641a round, every wager, settled without JSON (processor time)"
MOST_US = 150.0
BATCH = 500


def measure(*, quick: bool) -> list[Figure]:
    """The mean of each batch of rounds: the first one, and those after the tables have filled."""
    before, batches, turns = (1_000, 2, 1) if quick else (5_000, 5, 3)
    made = stream("full", before + batches * BATCH)
    path = out_file("full_rounds.jsonl", "\n".join(json.dumps(each) for each in made))
    turns_found = [run_job("settle_rounds", path, BATCH) for _ in range(turns)]
    first = tuple(found["means"][0] for found in turns_found)
    later = tuple(mean for found in turns_found for mean in found["means"][-batches:])
    slowest = tuple(found["p99"] for found in turns_found)
    return [
        Figure(f"mean of {BATCH} rounds never seen, after {before:,}", "us", later, MOST_US),
        Figure("99 of 100 of those rounds are settled within", "us", slowest),
        Figure(f"mean of the first {BATCH} rounds of a process", "us", first),
    ]
