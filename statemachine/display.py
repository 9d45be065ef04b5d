"""What the table tells people: the dealer's two lines, the lamp of one seat, the spots that are open.

All of it follows from the state. The table compares what it would tell now with what it told last and emits
only the difference, so a prompt can never be forgotten on some path and never says more than the state
holds.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from sabot.statemachine import chips, dealing, deciding, settling
from sabot.statemachine.decks import is_due
from sabot.statemachine.labels import WIDTH, fit
from sabot.statemachine.phases import Phase
from sabot.statemachine.prompts import PROMPTS, Lines, held_lines, menu_lines
from sabot.statemachine.setup import Setup

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

__all__ = ["WIDTH", "Spot", "in_order", "lit_seat", "offered_spots", "open_spots", "prompt"]

Spot = tuple[int, str]
# A void round is brought to its end whatever holds the table.
_SHOWN_WHILE_HELD = frozenset({Phase.RETURNING, Phase.CLEARING})


def prompt(table: "Table") -> Lines:
    """The dealer's two lines and the paragraph behind them; over an open list that of the step beneath it."""
    is_held = table.held is not None and table.state.phase not in _SHOWN_WHILE_HELD
    first, second, cite = held_lines(table) if is_held else PROMPTS[table.state.phase](table)
    if table.state.menu is not None:
        beneath = cite
        first, second, cite = menu_lines(table)
        if not table.state.menu.action:
            first = _with_paragraph(first, beneath)
    return fit(first), fit(second), cite


def _with_paragraph(first: str, cite: str) -> str:
    """As much of a paragraph as the line has room for, from its beginning, in whole parts."""
    room = WIDTH - len(first) - 1
    while len(cite) > room and "(" in cite:
        cite = cite[: cite.rindex("(")]
    return f"{first} {cite}" if len(cite) <= room else first


def lit_seat(table: "Table") -> int:
    """The seat whose lamp is lit: the one that is dealt to, asked or settled (0: none)."""
    state = table.state
    if state.round is None or table.held is not None:
        return 0
    if state.phase is Phase.DEALING:
        left = dealing.left_to_deal(table)
        place = left[0].place.partition(":")[0]
        return int(place.removeprefix("seat")) if place.startswith("seat") else 0
    if state.phase in (Phase.DECIDING, Phase.DECLARING):
        return state.round.asking
    if state.phase in (Phase.SETTLING, Phase.VALIDATING):
        return settling.current_seat(table)
    return 0


def open_spots(table: "Table") -> frozenset[Spot]:
    """The spots whose wagers count: before the lock all offered, then one second wager at a time."""
    state = table.state
    if table.held is not None:
        return frozenset()
    if state.phase is Phase.BETS_OPEN and not _is_due(table):
        return table.offered_spots
    if state.phase is Phase.DECIDING and table.round.asking:
        return frozenset({(table.round.asking, deciding.second_wager(table))})
    return frozenset()


def offered_spots(setup: Setup) -> frozenset[Spot]:
    """The spots for chips that are placed before the lock."""
    names = [
        name
        for name, wager in setup.chapter.wagers.items()
        if not wager.after_deal
        and wager.device != chips.ACCOUNT
        and (not wager.optional or name in setup.offers)
    ]
    return frozenset((seat, name) for seat in range(1, setup.seat_count + 1) for name in names)


@lru_cache(maxsize=64)
def in_order(spots: frozenset[Spot]) -> tuple[Spot, ...]:
    """Spots by seat and name; the same few sets come round after round."""
    return tuple(sorted(spots))


def _is_due(table: "Table") -> bool:
    """No new round once the deck in play is due (x.3(c))."""
    deck = table.state.decks.get(table.state.in_play)
    return deck is not None and is_due(table, deck)
