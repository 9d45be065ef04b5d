"""Shifts in which the text was followed, and to which the checker once objected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.events import DeviceRetested, ShuffleCompleted
from tests.statemachine.shift import Shift
from tests.statemachine.walk.audit_procedure import ProcedureAuditor

if TYPE_CHECKING:
    import pytest

    from sabot.statemachine.effects import Effect

from sabot.statemachine.events import Event


class Watched(Shift):
    """A shift that the second opinion sees event by event."""

    def handle(self, event: Event) -> list[Effect]:
        if not self.events:
            self.auditor = ProcedureAuditor(self.table)
        effects = super().handle(event)
        self.auditor.look(event, effects)
        return effects


@pytest.mark.parametrize("is_inspected", [False, True])
def test_683a_4_a_shuffle_of_cards_that_lie_on_the_felt_is_none(*, is_inspected: bool) -> None:
    """A shuffler that speaks twice of a deck on the felt: the second time its contradiction is latched already."""
    shift = Watched("pa683a", decks=2)
    shift.open_table()
    shift.play()
    shift.register()
    shift.floor("CHANGE DECK", "B")
    shift.ok(times=is_inspected)
    for _ in range(2):
        shift.send(ShuffleCompleted, deck="B", count=52, composition=())
    shift.send(DeviceRetested, device="shuffler", fault="contradiction", good=True, detail="")
    shift.floor("RELEASE")
    shift.ok(times=not is_inspected)
    shift.verify_inspected()
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert {shift.play().deck for _ in range(2)} == {"A", "B"}
