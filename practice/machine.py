"""The cards in the machine of a practice table, as they follow from what it shows.

The simulated machine keeps the cards it was given and says what lies in its exit; it has no felt. So each
time it shows something else this works out which real cards left it, and out of which deck.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sabot.practice.cards import Cards

Shows = Mapping[str, Any]


class MachineWatch:
    """Follows one shuffler or dealing machine by what it shows."""

    def __init__(self, cards: Cards, *, deals: bool) -> None:
        self._cards, self._deals = cards, deals
        self._before: Shows | None = None
        self._loaded: list[str] = []
        self._color_of: dict[int, str] = {}

    def loaded(self, color: str) -> None:
        """Note that a deck was laid into the intake."""
        self._loaded = [*(each for each in self._loaded if each != color), color]

    def emptied(self) -> None:
        """Note that everything was taken out."""
        self._loaded.clear()

    def kept(self) -> dict[str, Any]:
        """Return what is known, for a table that is being put away."""
        return {
            "loaded": self._loaded,
            "color_of": {str(deck): color for deck, color in self._color_of.items()},
        }

    def lay_back(self, kept: Mapping[str, Any]) -> None:
        """Take up again what was known when the table was put away."""
        self._loaded = list(kept["loaded"])
        self._color_of = {int(deck): color for deck, color in kept["color_of"].items()}

    def look(self, shows: Shows) -> bool:
        """Move the cards that left the machine, and return whether there were any."""
        before, self._before = self._before or shows, shows
        # A machine numbers its decks; which color a number is shows when it begins to
        # shuffle what was loaded first.
        if shows["cycle"] and shows["deck"] and self._loaded:
            self._color_of[shows["deck"]] = self._loaded[0]
        moved = self._came_out(before, shows) if self._deals else False
        if shows["cycles"] > before["cycles"] and self._loaded:
            color = self._loaded.pop(0)
            if not self._deals:
                self._cards.shuffled(color)
                moved = True
        return moved

    def _came_out(self, before: Shows, now: Shows) -> bool:
        """Move the stacks that it gave, and whatever it put out of a deck at once."""
        stacks: Sequence[str] = now["gave"][len(before["gave"]) :]
        color = self._color_of.get(_which(before, now), "")
        for stack in stacks:
            self._cards.give(color or self._only(), [name.replace("10", "T") for name in stack.split()])
        # Stacks it names card by card; of the rest that it puts out it says only how many came.
        put_out = now["cards_out"] - before["cards_out"] - sum(len(stack.split()) for stack in stacks)
        if put_out > 0:
            self._cards.eject(color or self._only())
        return bool(stacks) or put_out > 0

    def _only(self) -> str:
        """Return the color of the only deck inside."""
        return next(color for color, deck in self._cards.machine.items() if deck)


def _which(before: Shows, now: Shows) -> int:
    """Return the number of the deck that became smaller; 0 if none did."""
    left = {now["first"]: now["first_cards"], now["second"]: now["second_cards"]}
    there = ((before["first"], before["first_cards"]), (before["second"], before["second_cards"]))
    return next((name for name, count in there if name and left.get(name, 0) < count), 0)
