"""The first 10,000 hands of a process, ranking by ranking: nanoseconds a hand, filling included."""

import json
import time
from collections.abc import Callable, Sequence

from sabot_hands import CHAPTER_JOBS, FULL_ORDER, cards_of, ranking_of

from sabot.rules.rankings import PokerRanking


def nanoseconds(score: Callable[[Sequence[int]], int], hands: list[tuple[int, ...]]) -> float:
    """One pass, the first."""
    start = time.perf_counter_ns()
    for hand in hands:
        score(hand)
    return (time.perf_counter_ns() - start) / len(hands)


def main() -> None:
    """Print the time of each job."""
    times = {"5 cards": nanoseconds(PokerRanking(FULL_ORDER).score, cards_of(5))}
    for title, chapter, name, size in CHAPTER_JOBS:
        times[title] = nanoseconds(ranking_of(chapter, name).score, cards_of(size))
    print(json.dumps(times))


if __name__ == "__main__":
    main()
