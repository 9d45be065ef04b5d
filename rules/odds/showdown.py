"""Counting the dealer's hands below, level with and above any hand of the player.

Theory of operation. The dealer's hands that avoid the player's cards are counted by inclusion and
exclusion: all hands, less those with one of the player's cards, plus those with two of them, and so on. For
each class of held cards a tally lists the keys that hands around those cards can have, sorted, with running
sums; a count is then a few dozen binary searches. There are some eighteen thousand classes of up to four
cards, and a tally is made from draws of ranks and not of cards: the draws in which a suit makes a flush are
counted apart and taken off.

Where one of the dealer's cards is shown, a sum is not one number but thirteen side by side in one integer,
one for each rank that card may have (each hand of the dealer counts once for each of its cards). Adding and
subtracting such integers adds and subtracts all thirteen.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, combinations, permutations
from struct import Struct

from sabot.rules.cards import RANK_BITS
from sabot.rules.odds.hand_order import HandOrder
from sabot.rules.odds.progress import Stage, unwatched
from sabot.rules.odds.suit_masks import (
    RANK_COUNT,
    SUIT_COUNT,
    WAYS,
    Masks,
    draws,
    held,
    key_of,
    key_of_mask,
    masks_of,
    masks_of_cards,
    representative,
    submasks,
    suit_classes,
)

# Six times all six-card hands, the most that a field can come to, is below 2 to the 27th.
FIELD_BITS = 32
_FIELDS = Struct(f"<{RANK_COUNT}I")
_RANKS_SHIFT = RANK_BITS * RANK_COUNT

Tally = tuple[list[int], list[int]]


def fields(total: int) -> tuple[int, ...]:
    """Return the thirteen counts of a packed sum."""
    return _FIELDS.unpack(total.to_bytes(_FIELDS.size, "little"))


class Showdown:
    """Every meeting of a player's hand of ``own`` cards with a dealer's of ``dealer`` cards."""

    def __init__(
        self, order: HandOrder, own: int, dealer: int, *, shown: bool, stage: Stage = unwatched
    ) -> None:
        self.order = order
        self.own = own
        self.dealer = dealer
        self.shown = shown
        self.cards_by_key: dict[int, tuple[int, ...]] = {}
        self._keys: dict[int, int] = {}
        self._shares: dict[int, int] = {}
        self._tallies: dict[tuple[int, ...], Tally] = {}
        assert own + shown <= dealer  # a hand of the dealer's can hold all that is looked at
        assert dealer < 2 * order.size  # else two suits could both hold a flush
        classes = [masks for count in range(own) for masks, _ in suit_classes(count)]
        tick = stage("the dealer's hands", len(classes))
        for masks in classes:
            tally = self._tally(masks)
            # Under every order of the suits: ``count`` looks up a part
            # hundreds of times a hand, and need not sort it.
            self._tallies |= dict.fromkeys(permutations(masks), tally)
            tick(1)
        self.keys = self._tallies[0, 0, 0, 0][0]

    # ------------------------------------------------------------ counting

    def count(self, masks: Masks, limits: Sequence[int]) -> list[int]:
        """Return for each limit how many hands without the player's cards have a lower key."""
        cuts = sorted({limit for limit in limits if limit})  # below 0 there is no key
        totals = dict.fromkeys((0, *cuts), 0)
        known = self._tallies
        first, second, third, fourth = (_signed(mask) for mask in masks)
        for one, sign_one in first:
            for two, sign_two in second:
                for three, sign_three in third:
                    for four, sign_four in fourth:
                        part = one, two, three, four
                        # Only the part of all the player's cards is not known: it comes once a hand, so it
                        # is not worth keeping.
                        keys, sums = known.get(part) or self._tally(part)
                        # Inclusion and exclusion: an odd number of the player's
                        # cards is taken off, an even number added.
                        if sign_one ^ sign_two ^ sign_three ^ sign_four:
                            for cut in cuts:
                                totals[cut] -= sums[bisect_left(keys, cut)]
                        else:
                            for cut in cuts:
                                totals[cut] += sums[bisect_left(keys, cut)]
        return [totals[limit] for limit in limits]

    def count_with(self, own: Sequence[int], shown: int, limits: Sequence[int]) -> list[int]:
        """Return the same for the hands that hold the card shown."""
        totals = [0] * len(limits)
        for count in range(len(own) + 1):
            sign = -1 if count & 1 else 1
            for chosen in combinations(own, count):
                keys, sums = self._tally_of(masks_of_cards((*chosen, shown)))
                for place, limit in enumerate(limits):
                    totals[place] += sign * sums[bisect_left(keys, limit)]
        # Each hand was counted once for each card that it may show.
        return [sum(fields(total)) // self.dealer if self.shown else total for total in totals]

    # ------------------------------------------------------------ tallies

    def _tally_of(self, masks: Masks) -> Tally:
        return self._tallies.get(masks) or self._tally(masks)

    def _tally(self, masks: Masks) -> Tally:
        """Return the keys, with running sums, of the dealer's hands that hold these cards."""
        ranks = key_of(masks)
        taken = held(ranks)
        left = self.dealer - sum(taken)
        plain = _ways(ranks, [WAYS[SUIT_COUNT - count] for count in taken], left)
        sums: dict[int, int] = {}
        # Suits of which the same ranks are held are counted once, for as many as they are.
        for mask, alike in Counter(masks).items():
            if mask.bit_count() + left >= self.order.size:
                self._add_flushes(sums, plain, mask, alike, ranks, left)
        self._add(sums, 0, plain)
        keys = sorted(sums)
        return keys, [0, *accumulate(sums[key] for key in keys)]

    def _add_flushes(
        self, sums: dict[int, int], plain: dict[int, int], mask: int, alike: int, ranks: int, left: int
    ) -> None:
        """Add the hands with a flush in one suit (or in several alike), and take them off the plain ones."""
        others = [WAYS[SUIT_COUNT - 1 - count] for count in held(ranks - key_of_mask(mask))]
        least = max(0, self.order.size - mask.bit_count())
        for drawn in range(least, left + 1):
            for more in masks_of(drawn):
                if not more & mask:
                    found = _ways(ranks + key_of_mask(more), others, left - drawn, alike)
                    # They were counted by their ranks, as if no suit mattered, and are a flush instead.
                    for each, ways in found.items():
                        plain[each] -= ways
                    self._add(sums, more | mask, found)

    def _add(self, sums: dict[int, int], flush: int, found: dict[int, int]) -> None:
        known, shares = self._keys, self._shares
        for ranks, ways in found.items():
            if ways:
                kind = flush << _RANKS_SHIFT | ranks
                key = known.get(kind)
                if key is None:
                    key = self._learn(kind, flush, ranks)
                sums[key] = sums.get(key, 0) + ways * shares[ranks]

    def _learn(self, kind: int, flush: int, ranks: int) -> int:
        cards = representative(ranks, flush)
        key = self._keys[kind] = self.order.key(cards)
        self.cards_by_key.setdefault(key, cards)
        self._shares[ranks] = 1
        if self.shown:
            self._shares[ranks] = sum(count << FIELD_BITS * rank for rank, count in enumerate(held(ranks)))
        return key


def _ways(ranks: int, ways_of: Sequence[tuple[int, ...]], left: int, alike: int = 1) -> dict[int, int]:
    """Return the number of ways in which each draw completes a hand, by the ranks of the whole hand."""
    found: dict[int, int] = {}
    for items, key in draws(left):
        ways = alike
        for rank, taken in items:
            ways *= ways_of[rank][taken]
        if ways:
            found[ranks + key] = ways
    return found


@cache
def _signed(mask: int) -> tuple[tuple[int, int], ...]:
    """Return every submask of a mask, each with whether it has an odd number of ranks."""
    return tuple((part, part.bit_count() & 1) for part in submasks(mask))
