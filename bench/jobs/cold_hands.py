"""The first 10,000 hands of a process, ranking by ranking: nanoseconds a hand, filling included."""

import json

from sabot_hands import CHAPTER_JOBS, FULL_ORDER, cards_of, ranking_of
from timed import one_pass

from sabot.rules.rankings import PokerRanking


def main() -> None:
    """Print the time of each job."""
    times = {"5 cards": one_pass(PokerRanking(FULL_ORDER).score, cards_of(5))}
    for title, chapter, name, size in CHAPTER_JOBS:
        times[title] = one_pass(ranking_of(chapter, name).score, cards_of(size))
    print(json.dumps(times))


if __name__ == "__main__":
    main()
