"""A deck that can be asked for the hands that matter and seldom come by chance.

A pattern names some cards of a hand; the rest is filled from what is left. Where the named cards
are gone another pattern is tried, so that the deck always stays one deck of 52.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from .hands import RANKS, Card

SUITS = "cdhs"
ACE_LOW_RANKS = "A" + RANKS
TRIES = 12

Pattern = Callable[[random.Random, int], list[str]]


def text_of(card: Card) -> str:
    return RANKS[card.rank - 2] + card.suit


def suits(rng: random.Random, count: int) -> list[str]:
    return rng.sample(SUITS, count)


def likely_rank(rng: random.Random) -> str:
    """Aces and the ranks about the bounds of tables more often than the others."""
    return rng.choice(RANKS + "AAAAAQJJT662")


def run(rng: random.Random, size: int) -> list[str]:
    """A suited sequence, the topmost and the one that starts with the ace more often."""
    length = min(size, rng.choice((3, 4, 5, 5, 6)))
    last_start = len(ACE_LOW_RANKS) - length
    start = rng.choice((0, last_start, last_start, rng.randint(0, last_start)))
    suit = rng.choice(SUITS + "d")
    return [rank + suit for rank in ACE_LOW_RANKS[start : start + length]]


def straight(rng: random.Random, size: int) -> list[str]:
    return [card[0] + rng.choice(SUITS) for card in run(rng, size)]


def of_a_kind(rng: random.Random, size: int) -> list[str]:
    rank = likely_rank(rng)
    return [rank + suit for suit in suits(rng, min(size, rng.choice((2, 2, 3, 4))))]


def aces(rng: random.Random, size: int) -> list[str]:
    return ["A" + suit for suit in suits(rng, min(size, rng.choice((2, 3, 4, 4))))]


def many_of_a_kind(rng: random.Random, size: int) -> list[str]:
    rank = rng.choice(RANKS)
    return [rank + suit for suit in suits(rng, min(size, rng.choice((3, 4, 4))))]


def two_sets(rng: random.Random, size: int) -> list[str]:
    """Two pairs or a full house, as far as the hand is large enough."""
    first, second = rng.sample(RANKS, 2)
    sets = [first + suit for suit in suits(rng, rng.choice((2, 3)))]
    return (sets + [second + suit for suit in suits(rng, 2)])[:size]


def suited(rng: random.Random, size: int) -> list[str]:
    suit, length = rng.choice(SUITS), min(size, rng.choice((3, 4, 5)))
    return [rank + suit for rank in rng.sample(RANKS, length)]


def colored(rng: random.Random, size: int) -> list[str]:
    color, length = rng.choice(("dh", "cs")), min(size, rng.choice((4, 5)))
    return [rank + rng.choice(color) for rank in rng.sample(RANKS, length)]


def high_card(rng: random.Random, size: int) -> list[str]:
    """Seven to ace high with lower cards beside it: qualifying dealers and Lo Ball."""
    top = rng.choice("789TJJQQQKA")
    lower = rng.sample(RANKS[: RANKS.index(top)], min(size, 5) - 1)
    return [rank + rng.choice(SUITS) for rank in [top, *lower]]


def ace_and_face(rng: random.Random, size: int) -> list[str]:
    first, second = rng.choice(SUITS), rng.choice(SUITS)
    return ["A" + first, rng.choice("TJQK") + rng.choice((first, second))][:size]


PATTERNS: tuple[Pattern, ...] = (
    run,
    run,
    straight,
    of_a_kind,
    of_a_kind,
    aces,
    two_sets,
    suited,
    colored,
    high_card,
    ace_and_face,
)
STRONG_PATTERNS: tuple[Pattern, ...] = (run, run, many_of_a_kind, many_of_a_kind, aces)


class Deck:
    """Fifty-two cards, fewer with each hand that is taken."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.left = [rank + suit for rank in RANKS for suit in SUITS]
        rng.shuffle(self.left)

    def chance(self, size: int) -> list[str]:
        return self.filled([], size)

    def wanted(self, size: int, patterns: tuple[Pattern, ...] = PATTERNS) -> list[str]:
        """A hand by one of the patterns, in any order."""
        for _ in range(TRIES):
            cards = self.rng.choice(patterns)(self.rng, size)
            if len(set(cards)) == len(cards) and set(cards) <= set(self.left):
                return self.filled(cards, size)
        return self.chance(size)

    def six_card_royal(self) -> list[str]:
        """Nine to ace of one suit, which a full deck always has."""
        suit = self.rng.choice(SUITS + "ddd")
        return self.filled([rank + suit for rank in RANKS[7:]], 6)

    def twin(self, cards: tuple[Card, ...], size: int) -> list[str]:
        """The same ranks again in other suits, so that two hands tie."""
        other = self.rng.choice([suit for suit in SUITS if suit != cards[0].suit])
        keeps_suit = len({card.suit for card in cards}) == 1
        twins: list[str] = []
        for card in cards:
            rank = text_of(card)[0]
            choices = [rank + other] if keeps_suit else [rank + suit for suit in SUITS]
            free = [text for text in choices if text in self.left and text not in twins]
            twins += free[:1]
        return self.filled(twins, size)

    def filled(self, cards: list[str], size: int) -> list[str]:
        """Take the cards and enough others for the size, and mix them."""
        others = [card for card in self.left if card not in cards]
        hand = cards + others[: size - len(cards)]
        self.left = [card for card in self.left if card not in hand]
        self.rng.shuffle(hand)
        return hand
