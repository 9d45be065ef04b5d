"""Prints what an event costs at a table of so many seats and optional wagers: mean, middle and 99th."""

import json
import sys
from statistics import mean, quantiles

from decide_events import SEED, microseconds
from playing import full_shift
from timed import clock_cost


def main() -> None:
    """Print one JSON object; the first shift is not counted, for it fills the ranking tables."""
    method, (seats, wagers, rounds) = sys.argv[1], map(int, sys.argv[2:5])
    cost = clock_cost()
    shifts = [full_shift(method, rounds, SEED + number, seats=seats, wagers=wagers) for number in (0, 1)]
    times = [microseconds(shift, cost).events for shift in shifts][-1]
    cuts = quantiles(times, n=100)
    print(json.dumps({"mean": mean(times), "p50": cuts[49], "p99": cuts[98], "round": sum(times) / rounds}))


if __name__ == "__main__":
    main()
