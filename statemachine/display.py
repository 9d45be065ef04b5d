"""What people are shown: the dealer's two lines, the lamp of one seat, the spots that are open.

All of it follows from the state and is one value, ``Shown``. ``telling`` compares it with what was told last
and emits only the difference, so a prompt can never be forgotten on some path and never says more than the
state holds.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

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
from sabot.statemachine.looked import Looked
from sabot.statemachine.parts import HeldFault, Trouble
from sabot.statemachine.people import EntryState, TableCrew
from sabot.statemachine.phases import ENDING, Phase
from sabot.statemachine.prompts import (
    PROMPTS,
    TO_RACK,
    Lines,
    Prompts,
)
from sabot.statemachine.registering import Registering
from sabot.statemachine.round import Play, RoundState
from sabot.statemachine.settling import Settling
from sabot.statemachine.stock import Stock

__all__ = ["WIDTH", "DealerDisplay", "Shown", "Spot", "in_order"]
Spot = tuple[int, str]
Spots = frozenset[Spot]
_CLOSED: Spots = frozenset()
_SHOWN_WHILE_HELD = frozenset(ENDING)
_WAITS_FOR_FLOOR = "FLOOR: "


def _with_paragraph(first: str, cite: str) -> str:
    """As much of a paragraph as the line has room for, from its beginning, in whole parts."""
    room = WIDTH - len(first) - 1
    while len(cite) > room and "(" in cite:
        cite = cite[: cite.rindex("(")]
    return f"{first} {cite}" if len(cite) <= room else first


class Shown(NamedTuple):
    """What holds for people now: open spots, spots whose wager would go back, lines, the seat that is lit."""

    spots: Spots
    dark: tuple[Spot, ...]
    lines: Lines
    seat: int


@lru_cache(maxsize=64)
def in_order(spots: Spots) -> tuple[Spot, ...]:
    """Spots by seat and name; the same few sets come round after round."""
    return tuple(sorted(spots))


@lru_cache(maxsize=64)
def _seat_of(place: str) -> int:
    """The seat that a place belongs to (0: none)."""
    return int(place.removeprefix("seat").partition(":")[0]) if place.startswith("seat") else 0


@dataclass(slots=True, eq=False, repr=False)
class DealerDisplay:
    """Show the step, the lamp and the open spots."""

    law: Law
    contest: Contest
    looked: Looked
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

    def shown(self) -> Shown:
        """Return what holds for people now."""
        held = self.faults.held if self.trouble.holds else None
        if self.play.phase is Phase.BETS_OPEN:
            dark = self.lockout.dark_spots()
        else:
            dark = ()
            if not self.looked.is_away:
                self.looked.away()
        return Shown(
            self._spots() if held is None else _CLOSED,
            dark,
            self._lines(held),
            0 if held is not None or self.play.round is None else self._lit_seat(self.play.round),
        )

    def _lines(self, held: HeldFault | None) -> Lines:
        """The dealer's two lines and the paragraph behind them.

        Over an open list that of the step beneath it.
        """
        if self.entry.pending.lot and self.registering.takes_digits():
            first, second, cite = self.registering.lines()
        elif held is not None and self.play.phase not in _SHOWN_WHILE_HELD:
            first, second, cite = self.prompts.held_lines(held)
        else:
            first, second, cite = self.step_lines()
            if first == TO_RACK and self.trouble.holds:
                first = f"FAULT: {first}"  # the red lamp is lit, and the round is ended all the same
        if self.crew.calls and self.calling.is_called() and second.startswith(_WAITS_FOR_FLOOR):
            second = calling.CALLED
        if self.entry.menu is not None:
            beneath = cite
            first, second, cite = self.prompts.menu_lines()
            if not self.entry.menu.action:
                first = _with_paragraph(first, beneath)
        return fit(first), fit(second), cite

    def says_what_holds(self) -> bool:
        """Return whether what holds the table is what stands there: no list, no digits, no end of a round."""
        is_beneath = self.entry.menu is not None or self.registering.takes_digits()
        return self.faults.held is not None and not is_beneath and self.play.phase not in _SHOWN_WHILE_HELD

    def step_lines(self) -> Lines:
        """The lines of the step that OK takes."""
        round_ = self.play.round
        back = self.lockout.to_hand_back() if round_ is not None and round_.hand_back else None
        if back is None:
            return PROMPTS[self.play.phase](self.prompts)
        return self.prompts.hand_back_lines(back)

    def _lit_seat(self, round_: RoundState) -> int:
        """The seat whose lamp is lit: the one that is dealt to, asked or settled (0: none)."""
        phase = self.play.phase
        if phase is Phase.DEALING or phase is Phase.STUB:
            lies, order = self.dealing.lies_in_exit(), self.contest.laid.order
            if not lies and phase is Phase.STUB:
                return 0
            return _seat_of((self.dealing.last_stack()[0] if lies else order[round_.drawn]).place)
        if phase is Phase.DECIDING or phase is Phase.DECLARING:
            return round_.asking
        if phase is Phase.SETTLING or phase is Phase.VALIDATING:
            return self.settling.current_seat()
        return 0

    def open_spots(self) -> Spots:
        """The spots whose wagers count now; none while the table is held."""
        return self._spots() if self.faults.held is None else _CLOSED

    def _spots(self) -> Spots:
        """Before the lock all that are offered, then one second wager at a time."""
        if self.play.phase is Phase.BETS_OPEN:
            deck = self.stock.decks.get(self.stock.in_play)
            # No new round once the deck in play is due (x.3(c)), nor after it was taken out of the shoe.
            if deck is not None and (deck.gone or self.deck_room.is_due(deck)):
                return _CLOSED
            offered = self.law.offered_spots
            return self.linked_meters.still_open(offered) if self.law.links else offered
        if self.play.phase is Phase.DECIDING and (asked := self.play.current.asking):
            return frozenset({(asked, self.answering.second_wager())})
        return _CLOSED
