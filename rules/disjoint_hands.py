"""The question whether one deck has cards for several hands that have none in common.

Theory of operation. Of a hand that is named a few cards may be sure: four of a kind is one of thirteen sets
of four, a royal flush one of four sets of five; and where one card of a hand was not read, each that makes
all that was said of it is a set of one. Such sets are *options*, each a mask with a bit for a card. Hands
that have few options are dealt one after the other, those with the fewest first, none of them a card that
another has. Where that cannot be done the words cannot all be true. A hand with many options is left out,
and a search that has tried enough says that it may be: a true word is never left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod

from sabot.rules.cards import RED, Card
from sabot.rules.hand_shapes import COLORED, MIXED, Shape, counted, holds, rank_of

Options = tuple[int, ...]
# A hand with more options than this is never crowded out in practice, and costs more than it finds.
MOST_OPTIONS = 64
MOST_TRIES = 2000


@lru_cache(maxsize=1 << 8)
def options_of(
    has: frozenset[Shape], lacks: frozenset[Shape], read: tuple[Card, ...], unread: int, pool: frozenset[Card]
) -> Options | None:
    """Return the sets of unread cards that a hand may hold, whole or in part; None: too many."""
    # One unread card, as a rule: then each card is tried, with all that was said of the hand.
    if comb(len(pool), unread) <= MOST_OPTIONS:
        return tuple(_exact(has, lacks, read, unread, pool))
    found = [cores for shape in has if (cores := _cores(shape, read, unread, pool)) is not None]
    # The shape with the fewest ways says the most; one is enough, for the others only narrow it.
    return min(found, key=len, default=None)


def _exact(
    has: frozenset[Shape], lacks: frozenset[Shape], read: tuple[Card, ...], unread: int, pool: frozenset[Card]
) -> Iterator[int]:
    """Yield every set of unread cards that makes the hand what was said of it."""
    for cards in combinations(sorted(pool), unread):
        hand = (*read, *cards)
        if all(holds(shape, hand) for shape in has) and not any(holds(shape, hand) for shape in lacks):
            yield mask_of(cards)


def mask_of(cards: Iterable[Card]) -> int:
    """Return a mask with a bit for each card."""
    return sum(1 << card for card in cards)


def _cores(shape: Shape, read: tuple[Card, ...], unread: int, pool: frozenset[Card]) -> Options | None:
    """Return the sets of cards that a shape still lacks, in each way it can be made, or None.

    None: it is a shape of any ranks, the read cards make it already, or the sets are too many.
    """
    if not shape.ways:
        return None
    found: set[int] = set()
    for have, left in zip(_of_a_tone(shape, read), _of_a_tone(shape, sorted(pool)), strict=True):
        for way in counted(shape):
            lack = [(rank, count - _many(have, rank)) for rank, count in way if count > _many(have, rank)]
            choices = [([card for card in left if rank_of(card) == rank], count) for rank, count in lack]
            # More than can still come: this way is not open any more.
            if sum(count for _, count in lack) > unread:
                continue
            if len(found) + prod(comb(len(cards), count) for cards, count in choices) > MOST_OPTIONS:
                return None
            sets = product(*(combinations(cards, count) for cards, count in choices))
            found.update(mask_of(card for cards in each for card in cards) for each in sets)
    # The empty set: the read cards make it by themselves, so the hand takes nothing from the deck.
    return None if 0 in found else tuple(sorted(found))


def _of_a_tone(shape: Shape, cards: Sequence[Card]) -> list[list[Card]]:
    """Return the groups of cards that a shape can be made of: all, those of a color, or those of a suit."""
    if shape.tone == MIXED:
        return [list(cards)]
    if shape.tone == COLORED:
        return [[card for card in cards if RED[card] == is_red] for is_red in (True, False)]
    return [[card for card in cards if card & 3 == suit] for suit in shape.suits]


def _many(cards: list[Card], rank: int) -> int:
    return sum(rank_of(card) == rank for card in cards)


# ---------------------------------------------------------------- dealing them


def may_all_lie(hands: Iterable[Options]) -> bool:
    """Return whether every hand can have one of its options with no card twice.

    True too where it was tried too long to say.
    """
    return _CrowdedDealing(sorted(hands, key=len)).goes(0, 0)


class _CrowdedDealing:
    """A trial deal, hand after hand, those with the fewest options first."""

    def __init__(self, hands: list[Options]) -> None:
        self.hands = hands
        self.tries = MOST_TRIES

    def goes(self, nth: int, used: int) -> bool:
        """Return whether the hands from this one on can be dealt beside the cards in use."""
        if nth == len(self.hands):
            return True
        for option in self.hands[nth]:
            self.tries -= 1
            # Given up: then they may lie, for a true word is never left out.
            if self.tries < 0:
                return True
            if not option & used and self.goes(nth + 1, used | option):
                return True
        return False
