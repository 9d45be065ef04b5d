"""The most that one patron could win in a round at the minimum wagers: the floor of any payout limit.

The chapters let a house limit what it pays one player in one round, but not under what the minimum wager can
win. Several wagers are settled on the same cards, so the most is not the sum of the best rows: four aces pay
best under one table, a royal flush under the other. It is found by dealing.

Dealing from the highest ranks alone is enough. What the limits cover pays the more the higher the hand ranks,
and any deal of n cards can be pushed up into the n highest ranks, its gaps closed and its suits kept, with no
hand in it the lower for that. Second wagers are the least multiple of the ante (reading L5), winnings are
without the stake (L3), and a patron has one box.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from sabot.config.submission import Submission
from sabot.rules.cards import PACK_SIZE, SUITS, Card
from sabot.rules.chapter import Chapter, ContestResult, Limit, Wager
from sabot.rules.frozen import frozen
from sabot.rules.paytables import Column, MeterHit
from sabot.rules.settlement.house import House, chosen_readings

OWN, BAD_BEAT, LESS_ONE = "own", "bad_beat", "less_one"
Cards = tuple[Card, ...]
Stakes = Mapping[str, int]


def covers(limit: Limit, readings: Mapping[str, str]) -> frozenset[str]:
    """Return the lines that the limit covers under these readings (L1)."""
    under = limit.covers_under
    return under.instead if under and under.holds(readings) else limit.covers


def covered(submission: Submission, chapter: Chapter, limit: Limit) -> list[Wager]:
    """Return the wagers that the limit covers, offered or not."""
    names = covers(limit, chosen_readings(chapter, submission.readings))
    return [chapter.wagers[name] for name in chapter.order if name in names]


def most_won(submission: Submission, chapter: Chapter, limit: Limit) -> int:
    """Return the most in cents; letters and readings of the submission must be the chapter's."""
    house = House(chapter, submission.options())
    names = covers(limit, house.readings)
    stakes = _stakes(submission, chapter)
    posted = tuple(_posted(house, limit, names, stakes))
    # Ends that the limit does not tell apart are searched once.
    ends: dict[tuple[_Part, ...], int] = {}
    for end, result in chapter.contest.results.items():
        parts = tuple(_contest(house, limit, names, stakes, end))
        ends[parts] = max(ends.get(parts, 0), _fixed(result, names, stakes))
    return max(_best_deal(chapter, (*parts, *posted)) + fixed for parts, fixed in ends.items())


def _stakes(submission: Submission, chapter: Chapter) -> dict[str, int]:
    """Return every wager on offer at its least, second wagers at the least multiple."""
    stakes = {wager.name: submission.wagers[wager.name].least or 0 for wager in submission.offered(chapter)}
    for wager in chapter.wagers.values():
        if wager.times and wager.of in stakes:
            stakes[wager.name] = stakes[wager.of] * wager.times.least
    return stakes


@frozen
class _Part:
    """A stake paid by a paytable on the cards of some places, but for rows that the limit leaves out."""

    column: Column
    places: tuple[str, ...]
    stake: int
    not_rows: frozenset[str] = frozenset()
    less_one: bool = False
    unbeaten: int | None = None

    def pays(self, hit: MeterHit | None) -> int:
        """Return the win of a row."""
        if hit is None or hit.row in self.not_rows:
            return 0
        return hit.payout.of_stake(self.stake) - self.stake * self.less_one

    def roof(self) -> int:
        """Return the win of the best row: more than that no cards can bring."""
        return max(map(self.pays, self.column.hits.values()))

    def won(self, deal: Mapping[str, Cards]) -> int:
        """Return the win of a deal; a bad beat wins nothing on a hand that cannot be beaten."""
        cards = [card for place in self.places for card in deal[place]]
        score = self.column.ranking.score(cards)
        return 0 if score == self.unbeaten else self.pays(self.column.find(score))


def _posted(house: House, limit: Limit, names: frozenset[str], stakes: Stakes) -> Iterator[_Part]:
    """Yield the optional wagers that the limit covers."""
    for name in house.chapter.order:
        settles = house.chapter.wagers[name].settles
        if settles and name in names and name in stakes:
            yield _Part(house.column(settles.paytable), settles.cards, stakes[name], limit.not_rows)


def _contest(house: House, limit: Limit, names: frozenset[str], stakes: Stakes, end: str) -> Iterator[_Part]:
    """Yield the payments that an end of the contest makes by a paytable, of those that the limit covers."""
    contest = house.chapter.contest
    result = contest.results[end]
    # A bad beat is paid to a hand that lost, which the highest of all never does.
    unbeaten = _highest(house) if end == BAD_BEAT else None
    for name, action in result.actions.items():
        is_outside = action.prefix.rstrip(":") in limit.not_outcomes
        if action.paytable and name in names and name in stakes and not is_outside:
            column = house.column(action.paytable)
            yield _Part(column, contest.cards, stakes[name], unbeaten=unbeaten)
    if result.bonus and result.bonus.line in names and result.bonus.on in stakes:
        bonus = result.bonus
        less_one = house.readings.get(bonus.for_reading) == LESS_ONE
        column = house.column(bonus.paytable)
        yield _Part(column, contest.cards, stakes[bonus.on], less_one=less_one, unbeaten=unbeaten)


def _fixed(result: ContestResult, names: frozenset[str], stakes: Stakes) -> int:
    """Return the fixed payment of an end of the contest, of those that the limit covers."""
    return sum(
        action.pays.of_stake(stakes[name])
        for name, action in result.actions.items()
        if action.pays and name in names and name in stakes
    )


def _highest(house: House) -> int:
    """Return the score that no hand of the contest beats."""
    size = house.chapter.hands.places["player"]
    return max(map(house.contest_ranking.score, combinations(_deck(size), size)))


def _deck(cards: int) -> range:
    """Return the cards of the highest ranks, as many ranks as a deal has cards."""
    return range(PACK_SIZE - len(SUITS) * cards, PACK_SIZE)


def _best_deal(chapter: Chapter, parts: Sequence[_Part]) -> int:
    """Return the most that these parts win together: own cards in falling order, until no rest can help."""
    places = [OWN, *dict.fromkeys(place for part in parts for place in part.places if place != OWN)]
    sizes = [chapter.hands.places["player" if place == OWN else place] for place in places]
    deck = _deck(sum(sizes))
    own = [part for part in parts if part.places == (OWN,)]
    shared = [part for part in parts if part.places != (OWN,)]
    roof = sum(part.roof() for part in shared)
    hands = ((sum(part.won({OWN: hand}) for part in own), hand) for hand in combinations(deck, sizes[0]))
    best = 0
    # The best own cards first: once they and the best of the rest cannot reach the best so far, nothing can.
    for won, hand in sorted(hands, reverse=True):
        if won + roof <= best:
            break
        rest = [card for card in deck if card not in hand]
        deals = (dict(zip(places, (hand, *others), strict=True)) for others in _deals(rest, sizes[1:]))
        best = max(best, won + max(sum(part.won(deal) for part in shared) for deal in deals))
    return best


def _deals(deck: Sequence[Card], sizes: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
    """Yield every way to deal to some places, to each as many cards as ``sizes`` says."""
    if not sizes:
        yield ()
        return
    for cards in combinations(deck, sizes[0]):
        rest = [card for card in deck if card not in cards]
        yield from ((cards, *others) for others in _deals(rest, sizes[1:]))
