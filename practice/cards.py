"""The cards of a practice table as things: each lies somewhere, with its face up or down.

Simulated devices know the cards that are in them and no others, so somebody has to hold the rest: what lies
on the felt, in the dealer's hand, in a shoe that deals nothing by itself, in the boxes. That is done here.
A card is in one place at a time, and no card is ever made or lost here, but into the pocket and back.

Whoever looks is told what a person could see: the back of a card that lies face down, and no more.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

RANKS, SUITS = "23456789TJQKA", "cdhs"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
COLORS = ("red", "blue")


class CardsError(ValueError):
    """Something that no hand can do with these cards as they lie."""


@dataclass
class PracticeCard:
    """One card; ``is_boxed`` lies the wrong way round in its deck, ``is_soiled`` cannot be read."""

    name: str
    color: str
    is_up: bool = False
    is_boxed: bool = False
    is_soiled: bool = False

    @property
    def seen(self) -> list[str]:
        """Return what a person sees of it: its back, and its face if that is up."""
        return [self.color, self.name] if self.is_up else [self.color]

    @property
    def for_machine(self) -> str:
        """Return its name for a simulated machine: ``!`` marks a boxed card, ``?`` a soiled one."""
        return self.name + ("!" if self.is_boxed else "?" if self.is_soiled else "")


Pile = list[PracticeCard]
# Where cards lie: in one pile, or in piles by a name.
PILES, SHELVES = ("tray", "exit", "pack", "hand", "pocket"), ("boxes", "machine", "places")


def _kept(pile: Pile) -> list[list[Any]]:
    return [list(astuple(card)) for card in pile]


def _laid_back(kept: Sequence[Sequence[Any]]) -> Pile:
    return [PracticeCard(*fields) for fields in kept]


class Cards:
    """Every card of the table, by where it lies."""

    def __init__(self, colors: Sequence[str], chance: random.Random) -> None:
        self.chance = chance
        self.boxes: dict[str, Pile] = {
            color: [PracticeCard(name, color) for name in PACK] for color in colors
        }
        # What machines have in them, by the color of the backs; what a shuffler gave back is in its tray.
        self.machine: dict[str, Pile] = {color: [] for color in colors}
        self.tray: Pile = []
        self.exit: Pile = []
        self.pack: Pile = []
        self.hand: Pile = []
        self.pocket: Pile = []
        self.places: dict[str, Pile] = {}

    # ------------------------------------------------------------ put away, and back

    def kept(self) -> dict[str, Any]:
        """Return every card where it lies, for a table that is being put away."""
        plain = {name: _kept(getattr(self, name)) for name in PILES}
        many = {name: {key: _kept(pile) for key, pile in getattr(self, name).items()} for name in SHELVES}
        return plain | many

    def lay_back(self, kept: Mapping[str, Any]) -> None:
        """Lay every card back where it was when the table was put away."""
        for name in PILES:
            setattr(self, name, _laid_back(kept[name]))
        for name in SHELVES:
            setattr(self, name, {key: _laid_back(pile) for key, pile in kept[name].items()})

    def _piles(self) -> Iterator[Pile]:
        yield from (*self.boxes.values(), *self.machine.values(), *self.places.values())
        yield from (self.tray, self.exit, self.pack, self.hand, self.pocket)

    @property
    def count(self) -> int:
        """Return how many cards there are in all."""
        return sum(map(len, self._piles()))

    # ------------------------------------------------------------ decks

    def load(self, color: str, *, taken_out: bool = False) -> str:
        """Lay the cards of a box into the machine's intake, and return the words that tell the machine.

        What was left of that deck inside lies there with them, and may be all of it where it was taken out.
        """
        if not self.boxes[color] and not (taken_out and self.machine[color]):
            raise CardsError(f"the box of the {color} deck is empty")
        self.machine[color], self.boxes[color] = self.machine[color] + self.boxes[color], []
        return " ".join([color, *(card.for_machine for card in self.machine[color])])

    def shuffled(self, color: str) -> None:
        """Put a deck into the tray, as a shuffler that deals nothing gives it back, in an unknown order."""
        deck, self.machine[color] = self.machine[color], []
        # The simulated shuffler tells nobody its order; a shoe is told each card when it is drawn.
        self.chance.shuffle(deck)
        self.tray += deck

    def take_tray(self) -> None:
        """Make the deck in the tray the one that is dealt from."""
        if not self.tray:
            raise CardsError("no deck lies in the shuffler's tray")
        self.pack, self.tray = self.pack + self.tray, []

    def shuffle_by_hand(self, color: str) -> None:
        """Shuffle the cards of a box by hand; they are dealt from next."""
        deck, self.boxes[color] = self.boxes[color], []
        if not deck:
            raise CardsError(f"the box of the {color} deck is empty")
        self.chance.shuffle(deck)
        self.pack += deck

    def empty_machine(self) -> None:
        """Take whatever is in a machine out again, into the boxes."""
        for color, deck in self.machine.items():
            self._into_boxes(deck)
            self.machine[color] = []

    def clear(self) -> None:
        """Put everything that lies about into the rack, sorted by its backs."""
        for pile in (*self.places.values(), self.hand, self.exit, self.pack):
            self._into_boxes(pile)
        self.places, self.hand, self.exit, self.pack = {}, [], [], []

    def _into_boxes(self, pile: Pile) -> None:
        for card in pile:
            card.is_up = False
            self.boxes[card.color].append(card)

    # ------------------------------------------------------------ dealing

    def draw(self) -> PracticeCard:
        """Take the next card off the pack into the hand."""
        if not self.pack:
            raise CardsError("there is no card to draw")
        card = self.pack.pop(0)
        # A boxed card shows its face when its back should be up.
        card.is_up = card.is_boxed
        self.hand.append(card)
        return card

    def give(self, color: str, names: Sequence[str]) -> None:
        """Lay the cards that a machine put out into its exit."""
        inside = {card.name: card for card in self.machine[color]}
        for name in names:
            self.machine[color].remove(inside[name])
            inside[name].is_up = inside[name].is_boxed
            self.exit.append(inside[name])

    def eject(self, color: str) -> None:
        """Lay all that a machine still had of a deck into its exit."""
        self.exit, self.machine[color] = self.exit + self.machine[color], []

    def take_exit(self) -> None:
        """Take what lies in the exit into the hand."""
        if not self.exit:
            raise CardsError("nothing lies in the exit")
        self.hand, self.exit = self.hand + self.exit, []

    def lay(self, place: str, *, whole: bool = False, from_bottom: bool = False) -> None:
        """Lay the next card of the hand at a place, or all of them."""
        if not self.hand:
            raise CardsError("there is no card in your hand")
        for _ in range(len(self.hand) if whole else 1):
            self.places.setdefault(place, []).append(self.hand.pop(-1 if from_bottom else 0))

    def turn(self, place: str, nth: int) -> None:
        """Turn a card over that lies at a place."""
        card = self._at(place, nth)
        card.is_up = not card.is_up

    def turn_all(self, place: str) -> None:
        """Turn all cards of a place face up; down again where all are up."""
        pile = self.places.get(place, [])
        if not pile:
            raise CardsError(f"no card lies at {place}")
        is_up = not all(card.is_up for card in pile)
        for card in pile:
            card.is_up = is_up

    def pick_up(self, place: str) -> None:
        """Take all cards of a place into the hand."""
        pile = self.places.pop(place, [])
        if not pile:
            raise CardsError(f"no card lies at {place}")
        self.hand += pile

    def to_rack(self, *, whole: bool) -> None:
        """Put the next card of the hand into the rack, or all of them."""
        if not self.hand:
            raise CardsError("there is no card in your hand")
        count = len(self.hand) if whole else 1
        self._into_boxes(self.hand[:count])
        self.hand = self.hand[count:]

    def make(self, place: str, nth: int, name: str) -> None:
        """Make the card at a place this one, by exchanging the two cards' names within their deck.

        Only where nobody reads cards but people: a lesson or a scenario has a hand for each place.
        """
        card = self._at(place, nth)
        other = next(
            each for pile in self._piles() for each in pile if (each.name, each.color) == (name, card.color)
        )
        # Names change hands and cards stay, so there is still one of each in the deck.
        card.name, other.name = other.name, card.name

    def _at(self, place: str, nth: int) -> PracticeCard:
        pile = self.places.get(place, [])
        if not 0 <= nth < len(pile):
            raise CardsError(f"no card {nth + 1} lies at {place}")
        return pile[nth]

    # ------------------------------------------------------------ what the world does to them

    def stack(self, names: Sequence[str]) -> None:
        """Put these cards on top of the pack, in this order."""
        there = {card.name: card for card in self.pack}
        if missing := [name for name in names if name not in there]:
            raise CardsError(f"not in the pack that is dealt from: {' '.join(missing)}")
        # A name given twice is meant once: there is one of each.
        top = [there[name] for name in dict.fromkeys(names)]
        self.pack = top + [card for card in self.pack if card not in top]

    def box_next(self) -> None:
        """Turn the next card of the pack the wrong way round."""
        self._next_of_pack().is_boxed = True

    def soil_next(self) -> None:
        """Make the next card of the pack unreadable."""
        self._next_of_pack().is_soiled = True

    def _next_of_pack(self) -> PracticeCard:
        if not self.pack:
            raise CardsError("there is no card to draw")
        return self.pack[0]

    def box_in(self, color: str) -> None:
        """Turn a card of a deck in its box the wrong way round."""
        self._any_in(color).is_boxed = True

    def pocket_one(self, color: str) -> None:
        """Take a card out of a deck in its box, so that it is missing."""
        card = self._any_in(color)
        self.boxes[color].remove(card)
        self.pocket.append(card)

    def _any_in(self, color: str) -> PracticeCard:
        if not self.boxes[color]:
            raise CardsError(f"the box of the {color} deck is empty")
        return self.chance.choice(self.boxes[color])

    def give_back(self) -> None:
        """Put missing cards back in their box, and make every card in a box sound again."""
        self._into_boxes(self.pocket)
        self.pocket = []
        for card in (card for box in self.boxes.values() for card in box):
            card.is_boxed = card.is_soiled = False

    # ------------------------------------------------------------ what is seen

    def seen(self) -> Mapping[str, Any]:
        """Return what a person sees of all the cards."""
        return {
            "boxes": {color: len(box) for color, box in self.boxes.items()},
            "machine": {color: len(deck) for color, deck in self.machine.items()},
            # A stack is its count and the color of its backs; not even the order of
            # the colors inside it is told.
            "tray": [card.color for card in self.tray[:1]] * len(self.tray),
            "exit": [card.seen for card in self.exit],
            "pack": [card.color for card in self.pack[:1]] * len(self.pack),
            "hand": [card.seen for card in self.hand],
            "pocket": len(self.pocket),
            "places": {place: [card.seen for card in pile] for place, pile in self.places.items()},
        }
