"""The world beside a random table: packs of cards, and devices that answer what they are ordered.

A pack has each of its cards once, in one order; what leaves it leaves from the top. ``out`` is the order in
which cards left since the lock, the truth that the table's own idea of the cards is held against.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.rules.cards import PACK_SIZE
from sabot.statemachine.vocabulary.effects import Dispense, StartShuffle
from sabot.statemachine.vocabulary.events import Secret
from tests.dealt import parse_all

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

    from sabot.rules.plan import Placement
    from sabot.statemachine.vocabulary.effects import Effect

HOT_HANDS = tuple(
    parse_all(text)
    for text in (
        "As Ah Ad Ac Ks Kh",
        "As Ks Qs Js Ts 9s",
        "Ad Kd Qd Jd Td 9d",
        "9h 8h 7h 6h 5h 4h",
        "7c 7d 7h 7s 7d 2c",
        "Kc Kd Kh Qs Qd Jc",
        "Ac 2c 3c 4c 5c 9c",
        "Qh Qd 2s 7h 8c 3d",
        "2c 4d 6h 8s Tc Qd",
    )
)


class World:
    """Cards and devices."""

    def __init__(self, rng: random.Random, hot: float = 0.3, mark: Callable[[int], int] = int) -> None:
        self._rng = rng
        self._hot = hot
        self.mark = mark
        self.pack: list[int] = [mark(card) for card in range(PACK_SIZE)]
        self.out: list[int] = []
        self.wanted = 0
        self.in_shuffler: list[str] = []

    def shuffle(self, plan: Iterable[Placement] = ()) -> None:
        """A pack in a new order; at times one in which a place of the plan gets a hand that seldom comes."""
        self._rng.shuffle(self.pack)
        self.out = []
        self.wanted = 0
        places = [each for each in plan if each.place != "discard"]
        for _ in range(2):
            if places and self._rng.random() < self._hot:
                self._stack(places, self._rng.choice(places).place)

    def _stack(self, places: list[Placement], place: str) -> None:
        hand = self._rng.choice(HOT_HANDS)
        where = [each.position - 1 for each in places if each.place == place]
        for index, card in zip(where, hand, strict=False):
            other = self.pack.index(card)
            self.pack[index], self.pack[other] = self.pack[other], self.pack[index]

    def draw(self, count: int) -> tuple[Secret, ...]:
        """So many cards from the top, as a reader sees them."""
        cards = self.pack[len(self.out) : len(self.out) + count]
        self.out += cards
        return tuple(Secret(card) for card in cards)

    def obey(self, effects: Iterable[Effect]) -> None:
        """Devices take their orders."""
        for effect in effects:
            if isinstance(effect, Dispense):
                self.wanted = effect.count
            elif isinstance(effect, StartShuffle) and effect.deck not in self.in_shuffler:
                self.in_shuffler.append(effect.deck)

    def faces(self) -> tuple[Secret, ...]:
        """A whole deck in intake order, as a shuffler that reads faces saw it."""
        cards = list(range(PACK_SIZE))
        self._rng.shuffle(cards)
        return tuple(Secret(self.mark(card)) for card in cards)
