"""Boxes: who plays which, for a player may bet on several that lie side by side (x.7(e)).

Envy, payout limit and adjacency are a player's, not a box's. Until the dealer joins two boxes each is a
player of its own, named after the seat.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import BETWEEN_ROUNDS, Action
from sabot.statemachine.events import Role
from sabot.statemachine.undo import remember

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

JOINED, APART = "+", "/"


def player_of(table: "Table", seat: int) -> str:
    """Who plays a box."""
    return table.state.boxes.get(seat, f"seat{seat}")


def box_pairs(table: "Table") -> list[str]:
    """Neighbours: to be joined with a plus, to be parted with a slash where they are one player's."""
    pairs = zip(range(1, table.setup.seat_count), range(2, table.setup.seat_count + 1), strict=True)
    return [f"{left}{_sign(table, left, right)}{right}" for left, right in pairs]


def _sign(table: "Table", left: int, right: int) -> str:
    return APART if player_of(table, left) == player_of(table, right) else JOINED


def join_boxes(table: "Table", value: str) -> None:
    """Two adjacent boxes become one player's, or two players' again."""
    remember(table, _pair_words(table, value).lower())
    left, right = int(value[: value.index(_mark(value))]), int(value[value.index(_mark(value)) + 1 :])
    if _mark(value) == JOINED:
        _give(table, player_of(table, right), range(1, table.setup.seat_count + 1), player_of(table, left))
    else:
        _give(table, player_of(table, right), range(right, table.setup.seat_count + 1), f"seat{right}")
    words = "one player" if _mark(value) == JOINED else "two players"
    table.note(f"seats {left} and {right}: {words}", table.cite("7(e)"))


def _mark(value: str) -> str:
    return JOINED if JOINED in value else APART


def _give(table: "Table", player: str, seats: range, owner: str) -> None:
    """The boxes of a player among these seats get another owner."""
    for seat in [seat for seat in seats if player_of(table, seat) == player]:
        table.state.boxes[seat] = owner


def _pair_words(_table: "Table", value: str) -> str:
    return f"{'JOIN' if JOINED in value else 'PART'} {value[0]} AND {value[2:]}"


ACTIONS = (
    Action(
        "join_boxes",
        "JOIN BOXES",
        Role.DEALER,
        BETWEEN_ROUNDS,
        "7(e)",
        join_boxes,
        values=box_pairs,
        say=_pair_words,
    ),
)
