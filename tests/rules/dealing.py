"""A deal as the dealer would read it off the felt.

`deal("pa641a", "hand", [2, 5])("seat2") == [1, 4, 7, 10, 13]` are positions in the deck, 1 the first card out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.rules.plan import Bets, Placement, plan

from .table_talk import law

if TYPE_CHECKING:
    from collections.abc import Sequence

SINGLE = ("manual_shoe", "hand")
EVERY_METHOD = (*SINGLE, "auto_shoe", "auto_shoe_reshuffle")


class Deal:
    """A deal, asked by place."""

    def __init__(self, placed: list[Placement]) -> None:
        self.placed = placed

    def __call__(self, place: str) -> list[int]:
        return [each.position for each in self.placed if each.place == place]

    def stacks(self, place: str) -> list[int]:
        """Which stack of an automated shoe each card came in (0: dealt by hand after the last of them)."""
        return [each.stack for each in self.placed if each.place == place]

    def laps(self, place: str) -> list[int]:
        """On which way around the table each card was dealt."""
        return [each.lap for each in self.placed if each.place == place]

    def order(self) -> list[str]:
        """Every card in the order the dealer places it."""
        return [str(each) for each in self.placed]

    def up(self) -> list[str]:
        """The cards that lie face up."""
        return [f"{each.place}@{each.position}" for each in self.placed if each.face_up]

    def used(self) -> list[int]:
        """Every position that left the deck."""
        return sorted(each.position for each in self.placed)


def deal(
    chapter: str,
    method: str,
    seats: Sequence[int],
    *,
    six_card: bool = False,
    all_six: bool = False,
    pair_bonus: Sequence[int] = (),
    shared_bonus_card: bool = False,
    face_up: Sequence[int] = (),
    **readings: str,
) -> Deal:
    placed_wagers = {"six_card": six_card, "all_six": all_six}
    bets = Bets(
        frozenset(name for name, is_placed in placed_wagers.items() if is_placed),
        frozenset(pair_bonus),
        "community" if shared_bonus_card else "own",
    )
    placed = plan(law(chapter), method, seats, bets, readings, face_up)
    made = Deal(placed)
    assert made.used() == list(range(1, len(placed) + 1)), "each card once and none left between"
    return made
