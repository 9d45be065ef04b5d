"""One round settled: seven seats of Four Card Poker with every wager, from a ``Round`` to its ``Outcome``.

Each process starts with empty tables and settles rounds it has never seen, as a table does. The first
hundreds show what filling the tables costs; the goal is asked of those after them, never of a round that
is settled twice.
"""

import json
from statistics import mean, quantiles

from figure import Figure
from fresh import out_file, run_job
from rounds import stream

TITLE = "one 7-seat pa641a round, every wager, settled without JSON (processor time)"
MOST_US = 150.0
BATCH = 500


def measure(*, quick: bool) -> list[Figure]:
    """The mean of each batch: the first one, and those after the tables have filled (quick: are filling)."""
    before, after, turns, goal = (2, 2, 1, None) if quick else (10, 8, 3, MOST_US)
    made = stream("full", (before + after) * BATCH)
    path = out_file("full_rounds.jsonl", "\n".join(json.dumps(each) for each in made))
    runs: list[list[list[float]]] = [run_job("settle_rounds", path, BATCH) for _ in range(turns)]
    ahead = [batch for run in runs for batch in run[before::2]]
    one_by_one = [batch for run in runs for batch in run[before + 1 :: 2]]
    return [
        _means(f"mean of {BATCH} rounds never seen, after {before * BATCH:,}", ahead, goal),
        Figure("99 of 100 of those are settled within", "us", tuple(_slowest(batch) for batch in ahead)),
        _means("the same, each round read from JSON just before", one_by_one),
        _means(f"mean of the first {BATCH} rounds of a process", [run[0] for run in runs]),
    ]


def _means(name: str, times: list[list[float]], goal: float | None = None) -> Figure:
    return Figure(name, "us", tuple(mean(batch) for batch in times), goal)


def _slowest(times: list[float]) -> float:
    return quantiles(times, n=100)[-1]
