"""Settles the rounds of a file one after the other, their reading not timed: microseconds a round."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, quantiles
from time import thread_time_ns

from sabot.config import load_chapter
from sabot.rules.round import Round
from sabot.rules.roundform import read_round
from sabot.rules.settlement import KeptSettlements, Settlement


def rounds_of(path: str) -> Iterator[tuple[Round, Settlement]]:
    """Every round of the file, read when its turn comes, with the settlement of its options."""
    kept, chapter = KeptSettlements(), load_chapter("pa641a")
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        yield read_round(json.loads(line), chapter, kept, {})


def microseconds(round_: Round, settlement: Settlement) -> float:
    """The processor time of one settlement (asking the clock, some 0.4 us, is left in)."""
    start = thread_time_ns()
    settlement.settle(round_)
    return (thread_time_ns() - start) / 1000


def main() -> None:
    """Print the mean of each batch, and the slowest of a hundred in the second half."""
    batch = int(sys.argv[2])
    times = [microseconds(*each) for each in rounds_of(sys.argv[1])]
    means = [mean(times[start : start + batch]) for start in range(0, len(times), batch)]
    slow = quantiles(times[len(times) // 2 :], n=100)[-1]
    print(json.dumps({"means": means, "p99": slow}))


if __name__ == "__main__":
    main()
