"""What the table tells people: the dealer's two lines, the lamp of one seat, the spots that are open.

All of it follows from the state. The table compares what it would tell now with what it told last and emits
only the difference, so a prompt can never be forgotten on some path and never says more than the state
holds.
"""

from dataclasses import dataclass
from functools import lru_cache

from sabot.statemachine import calling
from sabot.statemachine.answering import Answering
from sabot.statemachine.calling import Calling
from sabot.statemachine.contest import Contest
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.labels import WIDTH, fit
from sabot.statemachine.law import Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.lockout import Lockout
from sabot.statemachine.parts import Trouble
from sabot.statemachine.people import EntryState, TableCrew
from sabot.statemachine.phases import ENDING, Phase
from sabot.statemachine.prompts import (
    PROMPTS,
    TO_RACK,
    Lines,
    Prompts,
)
from sabot.statemachine.registering import Registering
from sabot.statemachine.round import Play
from sabot.statemachine.settling import Settling
from sabot.statemachine.stock import Stock

__all__ = ["WIDTH", "DealerDisplay", "Spot", "in_order"]
Spot = tuple[int, str]
_SHOWN_WHILE_HELD = frozenset(ENDING)
_WAITS_FOR_FLOOR = "FLOOR: "


def _with_paragraph(first: str, cite: str) -> str:
    """As much of a paragraph as the line has room for, from its beginning, in whole parts."""
    room = WIDTH - len(first) - 1
    while len(cite) > room and "(" in cite:
        cite = cite[: cite.rindex("(")]
    return f"{first} {cite}" if len(cite) <= room else first


@lru_cache(maxsize=64)
def in_order(spots: frozenset[Spot]) -> tuple[Spot, ...]:
    """Spots by seat and name; the same few sets come round after round."""
    return tuple(sorted(spots))


@dataclass(slots=True, eq=False, repr=False)
class DealerDisplay:
    """Show the step, the lamp and the open spots."""

    law: Law
    contest: Contest
    crew: TableCrew
    entry: EntryState
    stock: Stock
    trouble: Trouble
    play: Play
    answering: Answering
    calling: Calling
    dealing: Dealing
    deck_room: Decks
    faults: FaultLatch
    linked_meters: LinkedMeters
    lockout: Lockout
    prompts: Prompts
    registering: Registering
    settling: Settling

    def prompt(self) -> Lines:
        """The dealer's two lines and the paragraph behind them.

        Over an open list that of the step beneath it.
        """
        first, second, cite = self._beneath()
        if self.crew.calls and self.calling.is_called() and second.startswith(_WAITS_FOR_FLOOR):
            second = calling.CALLED
        if self.entry.menu is not None:
            beneath = cite
            first, second, cite = self.prompts.menu_lines()
            if not self.entry.menu.action:
                first = _with_paragraph(first, beneath)
        return fit(first), fit(second), cite

    def _beneath(self) -> Lines:
        """Return the lines beneath a refusal: the hold, the entry or the step.

        A round is ended whatever holds it.
        """
        if self.registering.takes_digits():
            return self.registering.lines()
        if self.faults.held is not None and self.play.phase not in _SHOWN_WHILE_HELD:
            return self.prompts.held_lines()
        first, second, cite = self.step_lines()
        if first == TO_RACK and self.trouble.holds:
            first = f"FAULT: {first}"  # the red lamp is lit, and the round is ended all the same
        return first, second, cite

    def says_what_holds(self) -> bool:
        """Return whether what holds the table is what stands there: no list, no digits, no end of a round."""
        is_beneath = self.entry.menu is not None or self.registering.takes_digits()
        return self.faults.held is not None and not is_beneath and self.play.phase not in _SHOWN_WHILE_HELD

    def step_lines(self) -> Lines:
        """The lines of the step that OK takes."""
        back = self.lockout.to_hand_back()
        if back is None:
            return PROMPTS[self.play.phase](self.prompts)
        return self.prompts.hand_back_lines(back)

    def lit_seat(self) -> int:
        """The seat whose lamp is lit: the one that is dealt to, asked or settled (0: none)."""
        if self.play.round is None or self.faults.held is not None:
            return 0
        lies = self.dealing.lies_in_exit()
        if lies or self.play.phase is Phase.DEALING:
            order, drawn = self.contest.laid.order, self.play.round.drawn
            place = (self.dealing.last_stack()[0] if lies else order[drawn]).place
            return int(place.removeprefix("seat").partition(":")[0]) if place.startswith("seat") else 0
        if self.play.phase in (Phase.DECIDING, Phase.DECLARING):
            return self.play.round.asking
        if self.play.phase in (Phase.SETTLING, Phase.VALIDATING):
            return self.settling.current_seat()
        return 0

    def open_spots(self) -> frozenset[Spot]:
        """The spots whose wagers count: before the lock all offered, then one second wager at a time."""
        if self.faults.held is not None:
            return frozenset()
        if self.play.phase is Phase.BETS_OPEN and self._may_begin():
            return (
                self.linked_meters.still_open(self.law.offered_spots)
                if self.law.links
                else self.law.offered_spots
            )
        if self.play.phase is Phase.DECIDING and (asked := self.play.current.asking):
            return frozenset({(asked, self.answering.second_wager())})
        return frozenset()

    def _may_begin(self) -> bool:
        """No new round once the deck in play is due (x.3(c)), nor after it was taken out of the shoe."""
        deck = self.stock.decks.get(self.stock.in_play)
        return deck is None or not (self.deck_room.is_due(deck) or deck.gone)
