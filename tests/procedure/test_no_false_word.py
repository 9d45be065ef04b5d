"""Shifts in which the text was followed, and to which the checker once objected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.events import (
    CardDrawn,
    DeviceFaulted,
    DeviceRetested,
    Secret,
    ShuffleCompleted,
    ShufflerStopped,
)
from tests.statemachine.shift import Shift
from tests.statemachine.walk.audit_procedure import ProcedureAuditor

if TYPE_CHECKING:
    import pytest

    from sabot.statemachine.vocabulary.effects import Effect

from sabot.statemachine.vocabulary.events import Event


class Watched(Shift):
    """A shift that the second opinion sees event by event."""

    def handle(self, event: Event) -> list[Effect]:
        if not self.events:
            self.auditor = ProcedureAuditor(self.table)
        effects = super().handle(event)
        self.auditor.look(event, effects)
        return effects


def give_up_shuffler(shift: Shift) -> None:
    """Out of order, covered, released (x.13(g))."""
    shift.menu("OUT OF ORDER", "shuffler")
    shift.floor("DEVICE COVERED", "shuffler")
    shift.floor("RELEASE")


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


def test_x_13e_a_complete_of_a_shuffler_that_was_given_up_is_none() -> None:
    """Found by the soak (seed 46): its contradiction was latched before, and its deck is shuffled by hand."""
    shift = Watched("pa641a", method="manual_shoe", knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert shift.is_in(Phase.SHUFFLING)
    shift.send(ShufflerStopped, deck="A", cause="jam")
    shift.send(DeviceFaulted, device="shuffler", fault="contradiction", detail="it counted twice")
    give_up_shuffler(shift)
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.send(ShuffleCompleted, deck="A", count=51, composition=())
    shift.ok(times=2)
    assert shift.play().method == "manual_shoe"


def test_x_13h_a_shuffler_that_is_back_in_service_is_believed_again() -> None:
    """Found by the soak (seed 56): out of order once, its shuffle after a contradiction counted for none."""
    shift = Watched("md4cp", method="hand", knowledge=Knowledge.NONE)
    shift.open_table()
    give_up_shuffler(shift)
    shift.technician("BACK IN SERVICE", "shuffler")
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.send(ShuffleCompleted, deck="A", count=None, composition=())
    shift.settle_all()
    shift.clear()
    assert shift.is_in(Phase.SHUFFLING)
    shift.send(DeviceRetested, device="shuffler", fault="contradiction", good=True, detail="")
    shift.send(ShuffleCompleted, deck="A", count=52, composition=())
    shift.floor("RELEASE")
    assert shift.play().method == "hand"


def test_679a_13g_a_shuffler_that_was_given_up_spoils_no_deck() -> None:
    """Found by the soak (seed 24): covered and released, it told of a jam of the deck that was ready."""
    shift = Watched("pa679a", method="auto_shoe_reshuffle", knowledge=Knowledge.COUNT_ONLY)
    shift.open_table()
    give_up_shuffler(shift)
    shift.send(ShufflerStopped, deck="A", cause="jam")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    assert shift.play().method == "manual_shoe"


def test_x_8f_of_a_deck_that_left_in_the_fifth_round_no_stub_is_counted() -> None:
    """Found by a random shift: the floor voids a round with a deck that is proven bad, and the next is counted."""
    shift = Watched("pa641a", method="manual_shoe", shuffler=Shuffler.HAND)
    shift.open_table()
    for _ in range(4):
        assert shift.play().stub is None
    shift.bet(2, ante=1000)
    shift.lock()
    shift.stack()
    for _ in range(2):
        shift.send(CardDrawn, card=Secret(0))
    shift.floor("VOID ROUND")
    shift.clear()
    assert shift.record.void
    assert shift.record.stub is None
    shift.register()
    shift.floor("CHANGE DECK")
    shift.send(DeviceRetested, device="deck A", fault="composition", good=True, detail="")
    while shift.table.rooms.faults.held is not None:
        shift.floor("RELEASE")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert shift.play().stub is not None
