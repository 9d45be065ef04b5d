"""The cards inside a machine: ready decks by name, loose cards, and what lies in the exit.

Nothing is dealt but out of a ready deck, by its name. Whatever belongs to none is loose, and stays so until
it is out.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

NOT_READ = 255
RANKS, SUITS = "..23456789TJQKA", "cdhs"


class Card(NamedTuple):
    """One card as the reader meets it."""

    rank: int
    suit: int
    color: int = 1
    face: int = 1
    readable: bool = True

    @property
    def name(self) -> str:
        """Return the name that is printed on it."""
        return RANKS[self.rank] + SUITS[self.suit]

    @property
    def code(self) -> int:
        """Return its code in a stack."""
        return (self.rank - 2) * 4 + self.suit if self.readable else NOT_READ


@dataclass
class ReadyDeck:
    """A shuffled deck, from its top; ``name`` is 0 until somebody names it."""

    name: int
    cards: list[Card]


@dataclass
class Lying:
    """The stack in the exit."""

    order: int
    deck: int
    cards: int


@dataclass
class ShufflerInside:
    """All cards that are no longer in the intake and not yet taken."""

    holds: int = 2
    decks: list[ReadyDeck] = field(default_factory=list)
    loose: list[Card] = field(default_factory=list)
    lying: Lying | None = None
    last: Lying | None = None

    @property
    def cards(self) -> list[Card]:
        """Return the cards of the ready decks, the first deck's first."""
        return [card for deck in self.decks for card in deck.cards]

    @property
    def count(self) -> int:
        """Return how many lie inside, loose ones too."""
        return len(self.cards) + len(self.loose)

    def find(self, name: int) -> ReadyDeck | None:
        """Return the ready deck of this name; a nameless one answers to a name that no other has."""
        named = next((deck for deck in self.decks if deck.name == name), None)
        return named or next((deck for deck in self.decks if not deck.name), None)

    def of(self, name: int) -> int:
        """Return how many cards can be dealt under this name."""
        deck = self.find(name)
        return len(deck.cards) if deck else 0

    def has_no_room_for(self, name: int) -> bool:
        """Return whether cards must come out before this deck is shuffled."""
        is_there = any(deck.name == name for deck in self.decks)
        return is_there or bool(self.loose) or len(self.decks) >= self.holds

    def deal(self, name: int, count: int) -> list[Card]:
        """Return the next cards of a deck, which has this name from now on."""
        deck = self.find(name)
        if deck is None:
            return []
        deck.name = name
        out, deck.cards = deck.cards[:count], deck.cards[count:]
        self._forget_empty()
        return out

    def take_out(self, name: int) -> list[Card]:
        """Return all that is left of a deck, or with 0 all that there is."""
        if not name:
            out, self.decks, self.loose = self.cards + self.loose, [], []
            return out
        return self.deal(name, self.of(name))

    def loosen(self) -> None:
        """Make every deck loose: none is ready any more."""
        self.loose, self.decks = self.loose + self.cards, []

    def stack(self, wanted: list[tuple[int, int]]) -> None:
        """Arrange for these cards to come out first."""
        for deck in self.decks:
            top = [card for name in wanted for card in deck.cards if card[:2] == name]
            deck.cards = top + [card for card in deck.cards if card not in top]

    def remove_color(self, color: int) -> tuple[int, int]:
        """Take out a deck by its backs, and loose cards; return the deck's name, and how many came out."""
        before = self.count
        out = [
            deck
            for deck in self.decks
            if 2 * sum(card.color == color for card in deck.cards) > len(deck.cards)
        ]
        self.decks, self.loose = [deck for deck in self.decks if deck not in out], []
        return (out[0].name if out and self.count else 0), before - self.count

    def _forget_empty(self) -> None:
        self.decks = [deck for deck in self.decks if deck.cards]

    def told(self) -> dict[str, int]:
        """Return its part of STATE."""
        first, second = [*((deck.name, len(deck.cards)) for deck in self.decks), (0, 0), (0, 0)][:2]
        return {
            "first": first[0],
            "first_cards": first[1],
            "second": second[0],
            "second_cards": second[1],
        }
