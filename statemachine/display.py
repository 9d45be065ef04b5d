"""What the table tells people: the dealer's two lines, the lamp of one seat, the spots that are open.

All of it follows from the state. The table compares what it would tell now with what it told last and emits
only the difference, so a prompt can never be forgotten on some path and never says more than the state
holds.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from sabot.statemachine import answering, calling, chips, dealing, linked, lockout, registering, settling
from sabot.statemachine.decks import is_due
from sabot.statemachine.labels import WIDTH, fit
from sabot.statemachine.phases import ENDING, Phase
from sabot.statemachine.prompts import PROMPTS, TO_RACK, Lines, hand_back_lines, held_lines, menu_lines
from sabot.statemachine.setup import Setup

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

__all__ = ["WIDTH", "Spot", "in_order", "lit_seat", "offered_spots", "open_spots", "prompt"]

Spot = tuple[int, str]
_SHOWN_WHILE_HELD = frozenset(ENDING)
_WAITS_FOR_FLOOR = "FLOOR: "


def prompt(table: "Table") -> Lines:
    """The dealer's two lines and the paragraph behind them; over an open list that of the step beneath it."""
    first, second, cite = _beneath(table)
    if table.state.calls and calling.is_called(table) and second.startswith(_WAITS_FOR_FLOOR):
        second = calling.CALLED
    if table.state.menu is not None:
        beneath = cite
        first, second, cite = menu_lines(table)
        if not table.state.menu.action:
            first = _with_paragraph(first, beneath)
    return fit(first), fit(second), cite


def _beneath(table: "Table") -> Lines:
    """What holds the table, what is being keyed in, or the step; a round is ended whatever holds it."""
    if registering.takes_digits(table):
        return registering.lines(table)
    if table.held is not None and table.state.phase not in _SHOWN_WHILE_HELD:
        return held_lines(table)
    first, second, cite = step_lines(table)
    if first == TO_RACK and table.state.holds:
        first = f"FAULT: {first}"  # the red lamp is lit, and the round is ended all the same
    return first, second, cite


def says_what_holds(table: "Table") -> bool:
    """Whether what holds the table is what stands there: no list, no digits, no end of a round."""
    is_beneath = table.state.menu is not None or registering.takes_digits(table)
    return table.held is not None and not is_beneath and table.state.phase not in _SHOWN_WHILE_HELD


def step_lines(table: "Table") -> Lines:
    """The lines of the step that OK takes."""
    back = lockout.to_hand_back(table)
    if back is None:
        return PROMPTS[table.state.phase](table)
    return hand_back_lines(table, back)


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
    lies = dealing.lies_in_exit(table)
    if lies or state.phase is Phase.DEALING:
        order, drawn = table.laid.order, state.round.drawn
        place = (dealing.last_stack(table)[0] if lies else order[drawn]).place
        return int(place.removeprefix("seat").partition(":")[0]) if place.startswith("seat") else 0
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
    if state.phase is Phase.BETS_OPEN and _may_begin(table):
        return linked.still_open(table, table.offered_spots) if table.links else table.offered_spots
    if state.phase is Phase.DECIDING and table.round.asking:
        return frozenset({(table.round.asking, answering.second_wager(table))})
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


def _may_begin(table: "Table") -> bool:
    """No new round once the deck in play is due (x.3(c)), nor after it was taken out of the shoe."""
    deck = table.state.decks.get(table.state.in_play)
    return deck is None or not (is_due(table, deck) or deck.gone)
