"""Hands the events of full rounds to a table and times each: event in, effects out, nothing else.

Each shift ends before its deck is due. The first one is not counted: it fills the ranking tables, which has
figures of its own.
"""

import gc
import json
import sys
from statistics import quantiles
from time import thread_time_ns

from playing import FullShift, Table, full_shift
from timed import clock_cost

SEED = 641
ROUNDS = 150


def microseconds(shift: FullShift, cost: float) -> list[float]:
    """The processor time of each event of a shift, once the table is open."""
    table, times = Table(shift.setup), []
    gc.collect()
    gc.freeze()  # the recorded events are no part of a table
    for event in shift.opening:
        table.handle(event)
    for event in (event for events in shift.rounds for event in events):
        start = thread_time_ns()
        table.handle(event)
        times.append((thread_time_ns() - start - cost) / 1000)
    return times


def main() -> None:
    """Print the percentiles over all events, how many a round has, and what a round takes."""
    method, shifts, cost = sys.argv[1], int(sys.argv[2]), clock_cost()
    every = [microseconds(full_shift(method, ROUNDS, SEED + number), cost) for number in range(shifts + 1)]
    times = [time for each in every[1:] for time in each]
    cuts, rounds = quantiles(times, n=1000), shifts * ROUNDS
    found = {"p50": cuts[499], "p99": cuts[989], "p999": cuts[998]}
    print(json.dumps(found | {"events": len(times) / rounds, "round_us": sum(times) / rounds}))


if __name__ == "__main__":
    main()
