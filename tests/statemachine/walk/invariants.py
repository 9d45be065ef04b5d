"""Everything that must hold at every event of every shift, as one list of auditors.

Each auditor keeps books of its own from the events and effects that pass and compares them with what the
table says; none trusts another. ``Audit`` walks them all and names the seed and the step when one objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .audit_cards import CardAuditor
from .audit_faults import FaultAuditor
from .audit_meters import MeterAuditor
from .audit_procedure import ProcedureAuditor
from .audit_settlement import SettlementAuditor
from .audit_stakes import StakeAuditor
from .audit_telling import RefusalAuditor, TellingAuditor
from .audit_waiting import WaitingAuditor
from .auditor import BrokenError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

    from .auditor import Auditor

AUDITORS: tuple[type[Auditor], ...] = (
    StakeAuditor,
    SettlementAuditor,
    MeterAuditor,
    CardAuditor,
    FaultAuditor,
    ProcedureAuditor,
    TellingAuditor,
    WaitingAuditor,
    RefusalAuditor,
)


class Audit:
    """All auditors at one table."""

    def __init__(self, table: Table, auditors: Sequence[type[Auditor]] = AUDITORS) -> None:
        self.auditors = [auditor(table) for auditor in auditors]
        self.steps = 0

    def see(self, event: Event, effects: list[Effect]) -> None:
        """One event and its effects, before every auditor."""
        self.steps += 1
        for auditor in self.auditors:
            try:
                auditor.see(event, effects)
            except BrokenError as error:
                raise BrokenError(f"step {self.steps}, {type(auditor).__name__}: {error}") from error
