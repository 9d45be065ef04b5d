"""The cards of a machine on the felt: each stack went where the display said, divided as the law has it.

Nobody needs to see what comes out of a machine while it deals. But when a card of a hand has to be looked
at, the others lie there too, and a person who made them up would declare what is not so. The diary has
what the display said and what came out, in their order; the k-th stack is of the k-th order.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from sabot.hil.table.game import Game

Row = list[Any]
ORDER = re.compile(r"\d+ CARDS TO(?: (?P<place>.+?)(?: UP)?)?")
BETS_OPEN, RACK, HERE = "BETS OPEN", "", "here"


def _from_bottom(count: int, takers: list[str]) -> list[str]:
    """Deal a stack from its last card upwards; the others go to the rack."""
    return [RACK] * (count - len(takers)) + takers[::-1]


def _from_top(count: int, takers: list[str]) -> list[str]:
    """Deal a stack from its first card on; what nobody takes goes to the rack."""
    return takers + [RACK] * (count - len(takers))


def _all_but_the_top(count: int, takers: list[str]) -> list[str]:
    """Deal the first card to whoever is named second, or to the rack; the rest to the first."""
    return [*(takers[1:] or [RACK]), *takers[:1] * (count - 1)]


def _division(game: Game) -> Callable[[int, list[str]], list[str]]:
    """Return how a game divides a stack for several places (641a.10(c), 679a.10(g), 682a.10(c))."""
    if any(part["to"] == HERE for part in game.parts):
        return _all_but_the_top
    return _from_bottom if any(part["from"] == "bottom" for part in game.parts) else _from_top


def places_of(game: Game, lines: tuple[str, str], count: int) -> list[str]:
    """Return the place of each card of a stack, in the order in which they came out."""
    found = ORDER.fullmatch(lines[0])
    assert found is not None  # only orders are kept
    if found["place"] is None:
        return [lines[1].partition(",")[0].removesuffix(" FACE UP")] * count
    others = [each for each in lines[1].split(", ") if not each.endswith("TO RACK")]
    return _division(game)(count, [found["place"], *others])


class Stacks:
    """The stacks of one round, and where their cards lie."""

    def __init__(self) -> None:
        self.rows = 0
        self._lines = ["", ""]
        self._orders: list[tuple[str, str]] = []
        self._stacks: list[list[str]] = []
        # Cards that were found face up: their positions, and after how many stacks.
        self._racked: list[tuple[int, int]] = []

    def hear(self, rows: Iterable[Row]) -> None:
        """Read on in the diary."""
        # Rows of one time together: the two lines of a picture are one order only when both are there.
        for _, group in groupby(rows, key=lambda row: row[0]):
            for row in group:
                self.rows += 1
                self._hear(row)
            self._order()

    def _hear(self, row: Row) -> None:
        _, device, name, value, _ = row
        if device == "display" and name in ("lines.0", "lines.1"):
            self._lines[int(name[-1])] = str(value).rstrip()
        elif name.startswith("gave."):
            self._stacks.append(str(value).split())

    def _order(self) -> None:
        first, second = self._lines
        if first == BETS_OPEN:
            self._orders, self._stacks, self._racked = [], [], []
        elif ORDER.fullmatch(first) and self._orders[-1:] != [(first, second)]:
            self._orders.append((first, second))

    def rack(self, position: int) -> None:
        """Take note that the card that came out as this one lay face up: it goes to the rack."""
        self._racked.append((len(self._stacks), position))

    def lying(self, game: Game) -> dict[tuple[str, int], str]:
        """Return the cards at each place, by their number there; a free number is filled by the next card."""
        felt: dict[tuple[str, int], str] = {}
        dealt: list[tuple[str, int]] = []
        for number, (lines, stack) in enumerate(zip(self._orders, self._stacks, strict=False)):
            _take_away(felt, dealt, (position for after, position in self._racked if after == number))
            for place, card in zip(places_of(game, lines, len(stack)), stack, strict=True):
                nth = next(_free(felt, place))
                dealt.append((place, nth))
                felt[place, nth] = card
        last = len(self._stacks)
        _take_away(felt, dealt, (position for after, position in self._racked if after >= last))
        return {spot: card for spot, card in felt.items() if spot[0] != RACK}


def _free(felt: Mapping[tuple[str, int], str], place: str) -> Iterator[int]:
    return (nth for nth in range(1, len(felt) + 2) if (place, nth) not in felt)


def _take_away(
    felt: dict[tuple[str, int], str], dealt: list[tuple[str, int]], positions: Iterable[int]
) -> None:
    """Take the cards of these positions off the felt."""
    for position in positions:
        # A slice, for positions beyond the stacks were dealt by hand: nobody has seen those cards yet.
        for spot in dealt[position - 1 : position]:
            felt.pop(spot, None)
