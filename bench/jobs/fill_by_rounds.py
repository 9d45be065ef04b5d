"""Settles the rounds of a file and times every entry that they make the ranking tables fill in.

The tables have no clock of their own, so here each computing of a missing entry is wrapped in one. An entry
computes others that it is made of: only the outermost is timed, and all are counted.
"""

import json
import sys
from collections.abc import Callable
from time import thread_time_ns
from typing import Any

from settle_rounds import rounds_of
from timed import clock_cost

from sabot.rules import rankings

Missing = Callable[[Any, int], int]


class Stopwatch:
    """Times the outermost of calls inside calls."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.entries = 0
        self._is_running = False
        self._cost = clock_cost()

    def around(self, missing: Missing) -> Missing:
        """The same function, timed."""

        def timed(table: dict[int, int], key: int) -> int:
            self.entries += 1
            if self._is_running:
                return missing(table, key)
            self._is_running, start = True, thread_time_ns()
            score = missing(table, key)
            self.times.append((thread_time_ns() - start - self._cost) / 1000)
            self._is_running = False
            return score

        return timed


def main() -> None:
    """Print what was spent in all, and on the dearest entry."""
    watch = Stopwatch()
    for table in (rankings._RankTable, rankings._SuitedTable):  # noqa: SLF001
        table.__missing__ = watch.around(table.__missing__)  # type: ignore[method-assign,assignment]
    for round_, settlement in rounds_of(sys.argv[1]):
        settlement.settle(round_)
    answer = {"all_ms": sum(watch.times) / 1000, "dearest_us": max(watch.times), "entries": watch.entries}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
