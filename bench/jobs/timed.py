"""What the jobs share: the clock, the hands, and the time of whole passes over them.

Standard library only, for it runs in the environment of each peer. The clock is the processor time of the
thread: on a machine with other work it does not count the others' turns. A peer's own card objects are made
before the clock starts. Each job that ranks hands also says in which order it puts them, so that nobody is
compared on another task: the places (0 for the worst hand, equal hands equal) are boiled down to one digest.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import thread_time_ns
from typing import Any

Rank = Callable[[Any], Any]


def clock_cost() -> float:
    """The nanoseconds that asking the clock takes, to be taken off where single calls are timed."""
    asked = [thread_time_ns() for _ in range(1001)]
    return median(later - earlier for earlier, later in pairwise(asked))


def hands_of(size: int) -> list[list[str]]:
    """The hands that were handed in, cut to so many cards."""
    hands: list[list[str]] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    return [hand[:size] for hand in hands]


def passes() -> int:
    """How many passes were asked for."""
    return int(sys.argv[2])


def nanoseconds(rank: Rank, hands: Sequence[Any]) -> list[float]:
    """Nanoseconds a hand, for each pass; a pass before them fills whatever fills itself."""
    for hand in hands:
        rank(hand)
    return [one_pass(rank, hands) for _ in range(passes())]


def one_pass(rank: Rank, hands: Sequence[Any]) -> float:
    """Nanoseconds a hand, in one pass."""
    start = thread_time_ns()
    for hand in hands:
        rank(hand)
    return (thread_time_ns() - start) / len(hands)


def digest(values: Sequence[Any]) -> str:
    """The order of the hands, by values of which a greater one is a better hand."""
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return hashlib.sha256(repr([places[value] for value in values]).encode()).hexdigest()[:16]


def report(**facts: object) -> None:
    """Print the job's answer."""
    print(json.dumps(facts))
