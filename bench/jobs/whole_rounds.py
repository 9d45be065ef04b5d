"""Whole rounds over the mix: every chapter by every way of dealing, seats and wagers by chance.

Each table plays a walk of its own, recorded first; then a second table hears the same events in one breath.
"""

import json
import sys
from statistics import mean
from time import thread_time_ns

from playing import WAYS, Table, Walk


def main() -> None:
    """Print what a round of the mix takes, and how many seats and events it has."""
    each, seed = int(sys.argv[1]), int(sys.argv[2])
    rounds = spent = events = 0
    seats: list[int] = []
    for number, way in enumerate(WAYS):
        walk = Walk(way, seed + number)
        recorded = list(walk.events(each))
        table = Table(walk.setup)
        start = thread_time_ns()
        for event in recorded:
            table.handle(event)
        spent += thread_time_ns() - start
        rounds, events, seats = rounds + table.state.books.rounds, events + len(recorded), seats + walk.seats
    found = {"round_us": spent / rounds / 1000, "events": events / rounds, "seats": mean(seats)}
    print(json.dumps(found | {"rounds": rounds, "ways": len(WAYS)}))


if __name__ == "__main__":
    main()
