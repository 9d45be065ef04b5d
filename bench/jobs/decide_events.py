"""Hands the events of full rounds to a table and times each: event in, effects out, nothing else.

Between two events the table rests as it does in the program, which is timed by itself; with ``restless`` it
does not. Each shift ends before its deck is due. The first one is not counted: it fills the ranking tables,
which has figures of its own.
"""

import gc
import json
import sys
from statistics import quantiles
from time import thread_time_ns
from typing import NamedTuple

from playing import FullShift, Table, full_shift
from resting import rest
from timed import clock_cost

SEED = 641
ROUNDS = 150


class Times(NamedTuple):
    """Microseconds of processor time: of each event, of each rest, and of the longest piece of a rest."""

    events: list[float]
    rests: list[float]
    longest: float


def microseconds(shift: FullShift, cost: float, *, rests: bool = True) -> Times:
    """Time the events of a shift, once the table is open."""
    table = Table(shift.setup)
    times: list[float] = []
    rested: list[float] = []
    longest = 0.0
    gc.collect()
    gc.freeze()  # the recorded events are no part of a table
    for event in shift.opening:
        table.handle(event)
    for event in (event for events in shift.rounds for event in events):
        start = thread_time_ns()
        table.handle(event)
        stop = thread_time_ns()
        times.append((stop - start - cost) / 1000)
        if rests:
            longest = max(longest, rest(table, stop))
            rested.append((thread_time_ns() - stop) / 1000)
    return Times(times, rested, longest / 1000)


def main() -> None:
    """Print the percentiles over all events, how many a round has, what a round takes and what its rests."""
    method, shifts, rests, cost = sys.argv[1], int(sys.argv[2]), sys.argv[3:] != ["restless"], clock_cost()
    played = [
        microseconds(full_shift(method, ROUNDS, SEED + number), cost, rests=rests)
        for number in range(shifts + 1)
    ][1:]
    times, rounds = [time for each in played for time in each.events], shifts * ROUNDS
    cuts = quantiles(times, n=1000)
    found = {"p50": cuts[499], "p99": cuts[989], "p999": cuts[998]}
    found |= {"events": len(times) / rounds, "round_us": sum(times) / rounds}
    found |= {"rest_us": sum(sum(each.rests) for each in played) / rounds}
    print(json.dumps(found | {"longest_us": max(each.longest for each in played)}))


if __name__ == "__main__":
    main()
