"""Cards and poker ranks by brute force.

Each way of taking four of six or five of six cards is tried and the highest kept; nothing is
looked up and nothing remembered. The three orders are those of x.6(b) and x.6(d): with four cards
a flush stands above a straight, with three below it, and with five where everybody expects it.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ACE, KING, QUEEN, JACK = 14, 13, 12, 11
RANKS = "23456789TJQKA"

FOUR_CARD_ORDER = (
    "high",
    "pair",
    "two_pair",
    "straight",
    "flush",
    "three_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
)
THREE_CARD_ORDER = (
    "high",
    "pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "mini_royal",
)
FIVE_CARD_ORDER = (
    "high",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)


class Card(NamedTuple):
    """A rank of 2 to 14 (ace) and a suit of c, d, h or s."""

    rank: int
    suit: str


class Ranked(NamedTuple):
    """A hand that can be compared: `value` decides, `name` is its rank in the chapter."""

    value: tuple[int, tuple[int, ...]]
    name: str
    cards: tuple[Card, ...]


def parse(text: str) -> Card:
    text = text.replace("10", "T")
    return Card(RANKS.index(text[0]) + 2, text[1])


def count_rank(cards: Sequence[Card], rank: int) -> int:
    return sum(card.rank == rank for card in cards)


def repeats(cards: Sequence[Card]) -> list[int]:
    """How often each rank occurs, most first: [2, 2, 1] is two pair."""
    return sorted(Counter(card.rank for card in cards).values(), reverse=True)


def repeated_rank(cards: Sequence[Card]) -> int:
    """The rank that occurs most often; of several the highest."""
    return max((count_rank(cards, card.rank), card.rank) for card in cards)[1]


def one_suit(cards: Sequence[Card]) -> bool:
    return len({card.suit for card in cards}) == 1


def one_color(cards: Sequence[Card]) -> bool:
    return len({card.suit in "dh" for card in cards}) == 1


def straight_top(cards: Sequence[Card], *, ace_low: bool) -> int:
    """The top rank of a sequence of all the cards, 0 if they are none."""
    ranks = sorted(card.rank for card in cards)
    if ranks == list(range(ranks[0], ranks[0] + len(ranks))):
        return ranks[-1]
    low = sorted(1 if rank == ACE else rank for rank in ranks)
    return low[-1] if ace_low and low == list(range(1, len(low) + 1)) else 0


def first_that_holds(rows: dict[str, bool]) -> str | None:
    """The highest row of a list that is written top down."""
    return next((row for row, holds in rows.items() if holds), None)


def name_of_four(cards: Sequence[Card]) -> str:
    """641a.6(b), MD 6.C, 682a.6(b)."""
    counts, flush, run = repeats(cards), one_suit(cards), straight_top(cards, ace_low=True) > 0
    rows = {
        "four_of_a_kind": counts == [4],
        "straight_flush": flush and run,
        "three_of_a_kind": counts == [3, 1],
        "flush": flush,
        "straight": run,
        "two_pair": counts == [2, 2],
        "pair": counts == [2, 1, 1],
    }
    return first_that_holds(rows) or "high"


def name_of_three(cards: Sequence[Card]) -> str:
    """679a.6(b), 683a.6(d)."""
    counts, flush, top = repeats(cards), one_suit(cards), straight_top(cards, ace_low=True)
    rows = {
        "mini_royal": flush and top == ACE,
        "straight_flush": flush and top > 0,
        "three_of_a_kind": counts == [3],
        "straight": top > 0,
        "flush": flush,
        "pair": counts == [2, 1],
    }
    return first_that_holds(rows) or "high"


def name_of_five(cards: Sequence[Card], *, wheel: bool) -> str:
    """641a.6(d)-(e), MD 6.F, 679a.6(d), 682a.6(e), 683a.6(b) and (e)."""
    counts, flush, top = repeats(cards), one_suit(cards), straight_top(cards, ace_low=wheel)
    rows = {
        "royal_flush": flush and top == ACE,
        "straight_flush": flush and top > 0,
        "four_of_a_kind": counts == [4, 1],
        "full_house": counts == [3, 2],
        "flush": flush,
        "straight": top > 0,
        "three_of_a_kind": counts == [3, 1, 1],
        "two_pair": counts == [2, 2, 1],
        "pair": counts == [2, 1, 1, 1],
    }
    return first_that_holds(rows) or "high"


def strength(cards: Sequence[Card], tiebreak: str) -> tuple[int, ...]:
    """What decides between hands of one name: x.6(c), as poker is played or to the letter (R3)."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    if tiebreak == "highest_card":
        return tuple(ranks)
    top = straight_top(cards, ace_low=True)
    if top:
        return (top,)
    return tuple(sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True))


def best_four(cards: Sequence[Card], tiebreak: str) -> Ranked:
    return max(ranked_four(four, tiebreak) for four in combinations(cards, 4))


def ranked_four(cards: tuple[Card, ...], tiebreak: str) -> Ranked:
    name = name_of_four(cards)
    return Ranked((FOUR_CARD_ORDER.index(name), strength(cards, tiebreak)), name, cards)


def ranked_three(cards: Sequence[Card], tiebreak: str) -> Ranked:
    name = name_of_three(cards)
    return Ranked((THREE_CARD_ORDER.index(name), strength(cards, tiebreak)), name, tuple(cards))


def best_five_name(cards: Sequence[Card], *, wheel: bool) -> str:
    names = [name_of_five(five, wheel=wheel) for five in combinations(cards, 5)]
    return max(names, key=FIVE_CARD_ORDER.index)


def four_card_row(cards: Sequence[Card], tiebreak: str) -> str:
    """The best four-card name, with four aces told apart as the progressive tables do."""
    hand = best_four(cards, tiebreak)
    is_four_aces = hand.name == "four_of_a_kind" and hand.cards[0].rank == ACE
    return "four_aces" if is_four_aces else hand.name


def six_card_royal_suit(cards: Sequence[Card]) -> str | None:
    """The suit of a six-card royal flush (Super Royal), if the six cards are one."""
    is_royal = one_suit(cards) and sorted(card.rank for card in cards) == [9, 10, 11, 12, 13, 14]
    return cards[0].suit if is_royal else None


def aces_bonus_row(cards: Sequence[Card], length: int, *, ace_low: bool) -> str | None:
    """682a.6(d), top down; `length` is 5 in the text and 4 in the other reading of R1."""
    parts = list(combinations(cards, length))
    flushes = [part for part in parts if one_suit(part)]
    aces, counts = count_rank(cards, ACE), repeats(cards)
    rows = {
        "four_aces": aces == 4,
        "four_of_a_kind": counts[0] == 4,
        "royal_flush": any(straight_top(part, ace_low=False) == ACE for part in flushes),
        "straight_flush": any(straight_top(part, ace_low=ace_low) for part in flushes),
        "three_aces": aces == 3,
        "three_of_a_kind": counts[0] == 3,
        "flush": bool(flushes),
        "straight": any(straight_top(part, ace_low=ace_low) for part in parts),
        "two_pair": counts == [2, 2, 1],
        "two_aces": aces == 2,
    }
    return first_that_holds(rows)
