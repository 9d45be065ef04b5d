"""Every trigger pulled in every phase: it leads where its row says, or is refused and moves nothing."""

from dataclasses import dataclass

import pytest
from transitions import MachineError

from sabot.statemachine.state.phases import ROWS, Phase, Phases


@dataclass
class Kept:
    """The part of a state that keeps the phase."""

    phase: Phase


LEADS = {(row.trigger, source): row.dest for row in ROWS for source in row.sources}
TRIGGERS = sorted({row.trigger for row in ROWS})


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_policy_a_trigger_leads_where_its_row_says_and_is_refused_everywhere_else(trigger: str) -> None:
    kept = Kept(Phase.CLOSED)
    phases = Phases(kept)
    # Twice around: where it leads is kept once it was found.
    for phase in (*Phase, *Phase):
        kept.phase = phase
        leads_to = LEADS.get((trigger, phase))
        if leads_to is None:
            with pytest.raises(MachineError):
                getattr(phases, trigger)()
        else:
            getattr(phases, trigger)()
        assert kept.phase is (leads_to or phase)
