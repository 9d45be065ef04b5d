"""One round settled: seven seats of Four Card Poker with every wager, from a ``Round`` to its ``Outcome``.

Each process starts with empty tables and settles rounds it has never seen, as a table does. The first
hundreds show what filling the tables costs; the goal is asked of those after them, never of a round that
is settled twice: so many evaluations of treys, which is asked for one hand in the same run.
"""

import json
from statistics import mean, quantiles

from figure import Figure, ratio_of_medians
from fresh import JobError, out_file, run_job
from hands import random_hands
from peers import PEERS, PeerError, interpreter
from rounds import stream

TITLE = "one 7-seat pa641a round, every wager, settled without JSON (processor time)"
MOST_TREYS = 290.0
BATCH = 500
TREYS = next(peer for peer in PEERS if peer.job == "treys_hands")
TREYS_WAY, TREYS_HANDS, TREYS_PASSES = "evaluate()", 10_000, 5


def measure(*, quick: bool) -> list[Figure]:
    """The mean of each batch: the first one, and those after the tables have filled (quick: are filling)."""
    before, after, turns = (2, 2, 1) if quick else (10, 8, 3)
    made = stream("full", (before + after) * BATCH)
    path = out_file("full_rounds.jsonl", "\n".join(json.dumps(each) for each in made))
    runs: list[list[list[float]]] = []
    evaluations: list[float] = []
    absent = ""
    for _ in range(turns):
        runs.append(run_job("settle_rounds", path, BATCH))
        absent = absent or _rank_by_treys(evaluations)
    ahead = [batch for run in runs for batch in run[before::2]]
    one_by_one = [batch for run in runs for batch in run[before + 1 :: 2]]
    whole = _means(f"mean of {BATCH} rounds never seen, after {before * BATCH:,}", ahead)
    treys = Figure(f"{TREYS.title}, one hand, {TREYS_WAY}", "ns", tuple(evaluations), None, absent)
    return [
        whole,
        treys,
        ratio_of_medians("one round / one hand of treys", whole, treys, None if quick else MOST_TREYS),
        Figure("99 of 100 of those are settled within", "us", tuple(_slowest(batch) for batch in ahead)),
        _means("the same, each round read from JSON just before", one_by_one),
        _means(f"mean of the first {BATCH} rounds of a process", [run[0] for run in runs]),
    ]


def _rank_by_treys(found: list[float]) -> str:
    """Let treys rank random hands once more; why not, where it cannot."""
    hands = out_file("hands.json", json.dumps(random_hands(TREYS_HANDS)))
    try:
        found += run_job(TREYS.job, hands, TREYS_PASSES, python=interpreter(TREYS))["times"][TREYS_WAY]
    except (PeerError, JobError) as error:
        return f"{TREYS.requirement} {error}"
    return ""


def _means(name: str, times: list[list[float]]) -> Figure:
    return Figure(name, "us", tuple(mean(batch) for batch in times))


def _slowest(times: list[float]) -> float:
    return quantiles(times, n=100)[-1]
