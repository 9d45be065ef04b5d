"""What every job that ranks hands does: read the hands, take the time of whole passes over them.

Standard library only, for it runs in the environment of each peer. A peer's own card objects are made
before the clock starts. Each job also says in which order it puts the hands, so that nobody is compared
on another task: the places (0 for the worst hand, equal hands equal) are boiled down to one digest.
"""

import hashlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Rank = Callable[[Any], Any]


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
    return [_one_pass(rank, hands) for _ in range(passes())]


def _one_pass(rank: Rank, hands: Sequence[Any]) -> float:
    start = time.perf_counter_ns()
    for hand in hands:
        rank(hand)
    return (time.perf_counter_ns() - start) / len(hands)


def digest(values: Sequence[Any]) -> str:
    """The order of the hands, by values of which a greater one is a better hand."""
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return hashlib.sha256(repr([places[value] for value in values]).encode()).hexdigest()[:16]


def report(**facts: object) -> None:
    """Print the job's answer."""
    print(json.dumps(facts))
