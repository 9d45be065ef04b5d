"""Sabot's rankings: three cards, four of five and six, five, five of six, as the chapters list them.

The five-card job that is compared with the peers knows two pair and a pair as well, which no chapter of
the five lists: then all do the same work and must put the hands in the same order.
"""

from timed import digest, hands_of, nanoseconds, report

from sabot.config import load_chapter
from sabot.rules.cards import parse
from sabot.rules.rankings import PokerRanking, RankOrder

FULL_ORDER = RankOrder(
    5,
    (
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
        "straight",
        "three_of_a_kind",
        "two_pair",
        "pair",
    ),
)
CHAPTER_JOBS = (
    ("3 cards", "pa679a", "three_card", 3),
    ("4 of 5 cards", "pa641a", "four_card", 5),
    ("4 of 6 cards", "pa641a", "four_card", 6),
    ("5 of 6 cards", "pa641a", "six_card", 6),
)


def ranking_of(chapter: str, name: str) -> PokerRanking:
    """A ranking as its chapter lists it (where a reading says whether the ace may be low: it may)."""
    spec = load_chapter(chapter).rankings[name]
    return PokerRanking(RankOrder(spec.size, spec.order))


def cards_of(size: int) -> list[tuple[int, ...]]:
    """The hands as Sabot's cards."""
    return [tuple(parse(card) for card in hand) for hand in hands_of(size)]


def main() -> None:
    """Take all the times."""
    five = PokerRanking(FULL_ORDER)
    times = {"5 cards": nanoseconds(five.score, cards_of(5))}
    for title, chapter, name, size in CHAPTER_JOBS:
        times[title] = nanoseconds(ranking_of(chapter, name).score, cards_of(size))
    report(times=times, order=digest([five.score(hand) for hand in cards_of(5)]))


if __name__ == "__main__":
    main()
