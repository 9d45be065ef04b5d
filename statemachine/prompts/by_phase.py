"""The lines that stand now: those of an open list, of a hold, or of the step of the phase."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MethodType
from typing import Any

from sabot.statemachine import cures, shoe_reading
from sabot.statemachine.action import Actions
from sabot.statemachine.cures import Cures
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.labels import HELD_LINES, Lines
from sabot.statemachine.law import Law
from sabot.statemachine.prompts.after_deal import AFTER_DEAL, AfterDealPrompts
from sabot.statemachine.prompts.before_round import BEFORE_ROUND, BeforeRoundPrompts
from sabot.statemachine.prompts.deal import DEAL, DealPrompts
from sabot.statemachine.shoe_reading import ShoeReading
from sabot.statemachine.state.parts import EntryState, HeldFault
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Play
from sabot.statemachine.vocabulary.events import Role

# The line that a list stood on may not be taken any more.
GONE = "NOT ANY MORE, < >"


@dataclass(slots=True, eq=False, repr=False)
class Prompts:
    """Word the dealer's two lines."""

    law: Law
    actions: Actions
    entry: EntryState
    play: Play
    cures: Cures
    dealing: Dealing
    reading: ShoeReading
    before_round_prompts: BeforeRoundPrompts
    deal_prompts: DealPrompts
    after_deal_prompts: AfterDealPrompts
    # The lines of each phase, bound to whoever words them: no call in between, for they are asked for by
    # every event.
    of_phase: Mapping[Phase, Callable[[], Lines]] = field(init=False)

    def __post_init__(self) -> None:
        """Bind the lines of each phase."""
        told_by: tuple[tuple[object, Mapping[Phase, Callable[[Any], Lines]]], ...] = (
            (self.before_round_prompts, BEFORE_ROUND),
            (self.deal_prompts, DEAL),
            (self.after_deal_prompts, AFTER_DEAL),
        )
        self.of_phase = {
            phase: MethodType(lines, by) for by, rows in told_by for phase, lines in rows.items()
        }

    def menu_lines(self) -> Lines:
        """Word an open list: where the cursor is, and what OK would take."""
        menu = self.entry.menu
        assert menu is not None  # asked only when one is open
        name = menu.action or menu.actions[menu.cursor]
        action = self.actions.named(name)
        cite = self.law.cite(action.section)
        if menu.action:
            return action.title, GONE if menu.gone else action.words(menu.values[menu.cursor]), cite
        title = "FLOOR" if menu.role is Role.FLOOR else "MENU"
        return f"{title} {menu.cursor + 1}/{len(menu.actions)}", GONE if menu.gone else action.title, cite

    def held_lines(self, held: HeldFault) -> Lines:
        """Word a hold: why the table waits, who is wanted, and the next step of the cure."""
        why, todo = HELD_LINES[held.kind], self.cures.steps(held)
        call = cures.call_words(todo)
        # These two say where to look: the cure's own words could only say that somebody should.
        if held.kind == "card_out_of_turn":
            call = f"{cures.CALLED[held.role]}: {self._whither(todo[0].short)}"
        elif held.kind == shoe_reading.MISSED:
            many, whose = self.reading.lines_of_missed()
            why, call = many or why, whose or call
        return f"HELD: {why}", call, held.cite

    def _whither(self, next_card: str) -> str:
        """Return where a card goes that left the shoe unexposed when none was due (x.13(b))."""
        if self.dealing.is_before_deal() or self.reading.is_due():
            return next_card
        is_dealt = self.play.round is not None and self.play.phase is not Phase.DEALING
        return "TO THE STUB" if is_dealt else "TO ITS DECK"
