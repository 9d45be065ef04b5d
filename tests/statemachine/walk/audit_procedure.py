"""The second opinion on procedure at a random table: the checker that an auditor has, fed step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sabot.desk.procedure.check import Checker
from sabot.desk.procedure.reading import Step, table_setup
from sabot.rules.cards import NAMES
from sabot.statemachine.state.snapshot import setup_json
from sabot.statemachine.vocabulary import codec
from sabot.statemachine.vocabulary.effects import RecordRound

from .auditor import Auditor, of_kind

if TYPE_CHECKING:
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event


def step_of(table: Table, number: int, event: Event, effects: list[Effect]) -> Step:
    """A step as the checker reads it, with the cards that the pages show now."""
    record: Any = codec.write(table.rooms.recorded.last) if of_kind(effects, RecordRound) else None
    # Nothing is turned without a word to the dealer.
    is_told = table.state.play.round is not None and effects
    shown = (
        {place: [NAMES[card] for card in cards] for place, cards in table.rooms.views.public_cards().items()}
        if is_told
        else None
    )
    told = [codec.effect_json(effect) for effect in effects]
    return Step(number, codec.event_json(event, with_secrets=True), told, record, shown)


class ProcedureAuditor(Auditor):
    """Objects where the text was not followed."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.checker = Checker()
        self.checker.take(table_setup(setup_json(table.law.setup)))
        self.judged = 0

    def look(self, event: Event, effects: list[Effect]) -> None:
        self.checker.take(step_of(self.table, self.checker.steps + 1, event, effects))
        found = self.checker.objections[self.judged :]
        self.judged += len(found)
        self.hold_that(not found, *map(str, found))
