"""The pack of the demo: shuffled by a seed, but for the hands that the script wants to see.

Which card leaves is decided only when it leaves and its place is known, so a card that goes to the rack face
up moves the rest and the hand that the script wants still comes together.
"""

import random
from collections.abc import Mapping, Sequence

from sabot.rules.cards import PACK_SIZE, Card
from sabot.rules.plan import Placement
from sabot.statemachine.events import Secret


class Pack:
    """One deck in its shoe."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._hands: dict[str, list[Card]] = {}
        self._rest: list[Card] = []
        self.shuffle({})

    def shuffle(self, hands: Mapping[str, Sequence[Card]]) -> None:
        """All 52 cards again, with these hands to come."""
        self._hands = {place: list(cards) for place, cards in hands.items()}
        wanted = {card for cards in hands.values() for card in cards}
        self._rest = [card for card in range(PACK_SIZE) if card not in wanted]
        self._dice.shuffle(self._rest)

    def draw(self, placement: Placement) -> Secret:
        """The next card, for the place that it goes to."""
        hand = self._hands.get(placement.place)
        return Secret(hand.pop(0) if hand else self._rest.pop())

    def draw_any(self) -> Secret:
        """A card that no hand wants: it will not reach the place it was meant for."""
        return Secret(self._rest.pop())
