"""Fills every table that the five chapters can need, entry by entry, and times each entry.

The entries are reached as play reaches them, by ranking hands: one hand for every choice of ranks, with its
suits spread so that they do not matter, and one for every choice of ranks in a single suit.
"""

import json
import marshal
from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from time import thread_time_ns

from timed import clock_cost

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.rules.chapter import Chapter, RankingSpec
from sabot.rules.rankings import PokerRanking, RankOrder

Hand = tuple[int, ...]


def uses(chapter: Chapter) -> Iterator[tuple[str, int]]:
    """Each ranking of a chapter with the numbers of cards it is asked to rank."""
    contest = chapter.contest
    yield contest.ranking, cards_in(chapter, contest.cards)
    if contest.against_dealer:
        yield contest.ranking, chapter.hands.places["dealer"]
    for wager in chapter.wagers.values():
        if wager.settles:
            for sheet in chapter.paytables[wager.settles.paytable].sheets:
                yield sheet.ranking, cards_in(chapter, wager.settles.cards)


def cards_in(chapter: Chapter, places: tuple[str, ...]) -> int:
    """How many cards lie at these places."""
    sizes = {**chapter.hands.places, "own": chapter.hands.places["player"]}
    sizes["dealer_first"] = chapter.hands.dealer_first
    return sum(sizes[place] for place in places)


def orders() -> dict[RankOrder, set[int]]:
    """Every different ranking of the five chapters, with its numbers of cards."""
    found: dict[RankOrder, set[int]] = {}
    for chapter in (load_chapter(name) for name in CHAPTER_IDS):
        for name, count in uses(chapter):
            spec = chapter.rankings[name]
            if spec.kind == "poker":
                found.setdefault(order_of(spec), set()).add(count)
    return found


def order_of(spec: RankingSpec) -> RankOrder:
    """The order of a ranking; where a reading says whether the ace may be low, it may."""
    return RankOrder(spec.size, spec.order, spec.ace_low is not False)


def plain_hands(count: int) -> Iterator[Hand]:
    """One hand for every choice of ranks: neighbours in different suits, so never three in one of six."""
    for ranks in combinations_with_replacement(range(13), count):
        if all(ranks.count(rank) <= 4 for rank in set(ranks)):
            yield tuple(rank * 4 + place % 4 for place, rank in enumerate(ranks))


def suited_hands(order: RankOrder, count: int) -> Iterator[Hand]:
    """One hand for every choice of ranks in one suit, filled up with deuces of other suits."""
    for held in range(order.size, count + 1):
        for ranks in combinations(range(13), held):
            yield (*(rank * 4 for rank in ranks), *(1, 2, 3)[: count - held])


def entry_times(order: RankOrder, counts: set[int]) -> list[float]:
    """Microseconds for each entry of one ranking's tables."""
    ranking, cost, times = PokerRanking(order), clock_cost(), []
    for count in sorted(counts):
        for hand in (*plain_hands(count), *suited_hands(order, count)):
            start = thread_time_ns()
            ranking.score(hand)
            times.append((thread_time_ns() - start - cost) / 1000)
    return times


def shipped(every: Iterable[RankOrder]) -> tuple[float, float]:
    """The way not taken: all the tables in one file; its megabytes, and the milliseconds to read it in."""
    rankings = [PokerRanking(order) for order in every]
    tables = [dict(table) for each in rankings for table in (each._plain, each._suited)]  # noqa: SLF001
    content = marshal.dumps(tables)
    start = thread_time_ns()
    marshal.loads(content)  # noqa: S302 (written two lines above)
    return len(content) / 1e6, (thread_time_ns() - start) / 1e6


def main() -> None:
    """Print the largest table, all of them, the dearest entry, and what shipping them would take."""
    tables = [entry_times(order, counts) for order, counts in orders().items()]
    totals = [sum(times) / 1000 for times in tables]
    size, reading = shipped(orders())
    answer = {
        "all of them in one file instead, its size": size,
        "all of them in one file instead, reading it": reading,
        "the largest table, every entry": max(totals),
        "all tables of the five chapters, every entry": sum(totals),
        "the dearest of those entries": max(max(times) for times in tables),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
