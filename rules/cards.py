"""Cards are small integers: ``rank * 4 + suit``, so that tables can be indexed by them.

Ranks run from 0 (a two) to 12 (an ace), suits are clubs, diamonds, hearts, spades. A card's name is its
rank and its suit (``As``, ``Td``); people may also write ``10d``. Sets of cards are compared and counted as
sums of ``CODE``: thirteen fields of three bits count the ranks, four fields of four bits count the suits.
"""

from collections.abc import Iterable, Sequence

from sabot.rules.errors import SabotError, table

Card = int

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))
RED_SUITS = "dh"
PACK_SIZE = len(RANKS) * len(SUITS)
# Three bits hold the four cards of a rank, four bits the at most seven cards of a suit with a bit
# to spare: the ranking reads a flush off that bit.
RANK_BITS, SUIT_BITS = 3, 4
SUIT_SHIFT = RANK_BITS * len(RANKS)
RANK_FIELDS = (1 << SUIT_SHIFT) - 1

NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
CODE = tuple(
    (1 << RANK_BITS * (card >> 2)) + (1 << SUIT_SHIFT + SUIT_BITS * (card & 3)) for card in range(PACK_SIZE)
)
RED = tuple(SUITS[card & 3] in RED_SUITS for card in range(PACK_SIZE))

ERRORS = table(
    (
        "E-CARD-001",
        "{text!r} is not a card",
        "A card is a rank of 2 3 4 5 6 7 8 9 T J Q K A (10 counts as T) and a suit of c d h s.",
        "Write it as in As, Td or 10d.",
    ),
)


class CardError(SabotError):
    """A text that names no card."""


_BY_NAME = {name: card for card, name in enumerate(NAMES)}
_BY_NAME |= {"10" + suit: _BY_NAME["T" + suit] for suit in SUITS}


def parse(text: str, place: str = "card") -> Card:
    """Return the card that ``text`` names; ``place`` says in an error where the text stood."""
    card = _BY_NAME.get(text)
    if card is None:
        raise CardError(ERRORS["E-CARD-001"], place, text=text)
    return card


def rank_value(name: str) -> int:
    """Return 2 to 14 for the rank that a chapter file writes as ``2`` to ``K`` and ``A``."""
    return RANKS.index("T" if name == "10" else name) + 2


def show(cards: Iterable[Card]) -> str:
    """Return the names of cards, separated by blanks, for a display without suit signs."""
    return " ".join(NAMES[card] for card in cards)


def picture(card: Card) -> str:
    """Return a card as people read it: ``10♥``, ``A♠``."""
    rank = RANKS[card >> 2]
    return ("10" if rank == "T" else rank) + SYMBOLS[SUITS[card & 3]]


def pictures(cards: Sequence[Card]) -> str:
    """Return cards as people read them, separated by blanks."""
    return " ".join(picture(card) for card in cards)
