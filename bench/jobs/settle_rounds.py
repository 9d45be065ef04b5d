"""Settles the rounds of a file, their reading not timed: microseconds a round, batch by batch.

Every second batch is read whole before its first round is settled; of the others each round is settled as
soon as it was read, when the reader has just driven the rules out of the processor's caches.
"""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import thread_time_ns

from sabot.config import load_chapter
from sabot.rules.round import Round
from sabot.rules.round_json import read_round
from sabot.rules.settlement import KeptSettlements, Settlement

Read = tuple[Round, Settlement]


def rounds_of(path: str) -> Iterator[Read]:
    """Every round of the file, read when its turn comes, with the settlement of its options."""
    kept, chapter = KeptSettlements(), load_chapter("pa641a")
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        yield read_round(json.loads(line), chapter, kept, {})


def microseconds(round_: Round, settlement: Settlement) -> float:
    """The processor time of one settlement (asking the clock, some 0.4 us, is left in)."""
    start = thread_time_ns()
    settlement.settle(round_)
    return (thread_time_ns() - start) / 1000


def batches(rounds: Iterator[Read], size: int) -> Iterator[list[float]]:
    """The times of each batch: read whole, then read one by one, and so on in turn."""
    while ahead := list(islice(rounds, size)):
        yield [microseconds(*each) for each in ahead]
        yield [microseconds(*each) for each in islice(rounds, size)]


def main() -> None:
    """Print all times, batch by batch."""
    print(json.dumps(list(batches(rounds_of(sys.argv[1]), int(sys.argv[2])))))


if __name__ == "__main__":
    main()
