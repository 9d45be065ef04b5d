"""Boxes: who plays which, for a player may bet on several that lie side by side (x.7(e)).

Envy, payout limit and adjacency are a player's, not a box's. Until the dealer joins two boxes each is a
player of its own, named after the seat.
"""

from dataclasses import dataclass

from sabot.statemachine.action import BETWEEN_ROUNDS, Action
from sabot.statemachine.events import Role
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.parts import OpenWagers
from sabot.statemachine.undo import TakingBack

JOINED, APART = "+", "/"


def _mark(value: str) -> str:
    return JOINED if JOINED in value else APART


@dataclass(slots=True, eq=False, repr=False)
class Boxes:
    """Join boxes of one player, and part them."""

    law: Law
    out: Outbox
    layout: OpenWagers
    undo: TakingBack

    def player_of(self, seat: int) -> str:
        """Return the player of a box."""
        return self.layout.boxes.get(seat, f"seat{seat}")

    def box_pairs(self) -> list[str]:
        """Neighbours: to be joined with a plus, to be parted with a slash where they are one player's."""
        pairs = zip(range(1, self.law.setup.seat_count), range(2, self.law.setup.seat_count + 1), strict=True)
        return [f"{left}{self._sign(left, right)}{right}" for left, right in pairs]

    def _sign(self, left: int, right: int) -> str:
        return APART if self.player_of(left) == self.player_of(right) else JOINED

    def join_boxes(self, value: str) -> None:
        """Two adjacent boxes become one player's, or two players' again."""
        self.undo.remember(self.pair_words(value).lower())
        left, right = int(value[: value.index(_mark(value))]), int(value[value.index(_mark(value)) + 1 :])
        if _mark(value) == JOINED:
            self._give(self.player_of(right), range(1, self.law.setup.seat_count + 1), self.player_of(left))
        else:
            self._give(self.player_of(right), range(right, self.law.setup.seat_count + 1), f"seat{right}")
        words = "one player" if _mark(value) == JOINED else "two players"
        self.out.note(f"seats {left} and {right}: {words}", self.law.cite("7(e)"))

    def _give(self, player: str, seats: range, owner: str) -> None:
        """The boxes of a player among these seats get another owner."""
        for seat in [seat for seat in seats if self.player_of(seat) == player]:
            self.layout.own_box(seat, owner)

    def pair_words(self, value: str) -> str:
        """Return two neighbours as a list shows them."""
        return f"{'JOIN' if JOINED in value else 'PART'} {value[0]} AND {value[2:]}"


ACTIONS = (
    Action(
        "join_boxes",
        "JOIN BOXES",
        Role.DEALER,
        BETWEEN_ROUNDS,
        "7(e)",
        Boxes.join_boxes,
        values=Boxes.box_pairs,
        say=Boxes.pair_words,
    ),
)
