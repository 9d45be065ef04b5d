"""A table in any phase of its life, reached by keys and events alone."""

from __future__ import annotations

from typing import Any

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.events import Key, TimeReached

from .shift import Shift

P = Phase
BEFORE_PLAY = (P.CLOSED, P.INSPECTING, P.VERIFYING, P.SPREAD, P.WASHING, P.SHUFFLING)
HIT = {"seat2": "As Ah Ad Ac 3h", "dealer": "2d 4h 6s 8c Jd 3c"}
# What the table must be for a phase to be met at all.
NEEDS: dict[Phase, dict[str, Any]] = {
    P.CUTTING: {"shuffler": Shuffler.HAND},
    P.STUB_WRONG: {"shuffler": Shuffler.PLAIN},
    P.DECLARING: {"knowledge": Knowledge.NONE},
    P.LAST_COUNT: {"shuffler": Shuffler.PLAIN},
    P.LAST_WRONG: {"shuffler": Shuffler.PLAIN},
}


def at(phase: Phase, chapter: str = "pa641a", **changes: Any) -> Shift:
    """A new table, brought to a phase; in 641a the round has a progressive wager that will hit."""
    shift = Shift(chapter, **(NEEDS.get(phase, {}) | changes))
    shift.send(TimeReached)
    if phase in BEFORE_PLAY:
        _before_play(shift, phase)
        return _arrived(shift, phase)
    if phase is P.CUTTING:
        shift.receive(preshuffled=True)
        return _arrived(shift, phase)
    shift.open_table()
    if phase is P.IDLE:
        shift.menu("NOBODY PLAYING")
    elif phase is not P.BETS_OPEN:
        _in_round(shift, phase)
    return _arrived(shift, phase)


def _arrived(shift: Shift, phase: Phase) -> Shift:
    assert shift.phase is phase, (shift.phase, phase, shift.why)
    shift.mark()
    return shift


def _before_play(shift: Shift, phase: Phase) -> None:
    steps = (shift.receive, shift.ok, shift.verify_inspected, shift.ok, shift.ok)
    for step in steps[: BEFORE_PLAY.index(phase)]:
        step()


def _in_round(shift: Shift, phase: Phase) -> None:
    progressive = {"prog4": 100} if shift.chapter.id == "pa641a" else {}
    shift.bet(2, ante=1000, **progressive)
    shift.bet(5, ante=1000)
    shift.press(Key.LOCK)
    if phase is P.COUNTING_CHIPS:
        return
    if phase is P.CHIP_MISMATCH:
        shift.count_chips(0)
        return
    if shift.phase is P.COUNTING_CHIPS:
        shift.count_chips()
    shift.stack(**(HIT if progressive else {}))
    shift.draw()
    if phase is not P.DEALING:
        shift.deal_cards()
        _after_deal(shift, phase)


def _after_deal(shift: Shift, phase: Phase) -> None:
    if phase is P.STUB:
        return
    if phase is P.STUB_WRONG:
        shift.menu("COUNT THE STUB")
        shift.count_stub(10)
        return
    if phase in (P.LAST_COUNT, P.LAST_WRONG):
        _counted_at_last(shift, phase)
        return
    shift.ok()
    if phase is P.RETURNING:
        shift.wrong_number()
    elif phase is not P.DECIDING:
        shift.answer_all()
        if phase is not P.TURNING:
            _after_decisions(shift, phase)


def _after_decisions(shift: Shift, phase: Phase) -> None:
    while shift.phase not in (P.SETTLING, P.DECLARING):
        shift.answer_all()
        shift.ok()
    if phase is not P.DECLARING and shift.phase is P.DECLARING:
        shift.declare_all()
    while phase not in (P.SETTLING, P.DECLARING) and not arrived_at(shift, phase):
        if arrived_at(shift, P.VALIDATING):
            shift.floor("VALIDATE HIT")
        elif arrived_at(shift, P.DOCUMENTS):
            shift.floor("DOCUMENTS DONE")
        else:
            shift.ok()


def _counted_at_last(shift: Shift, phase: Phase) -> None:
    """Void with a count still due."""
    shift.menu("COUNT THE STUB")
    shift.wrong_number()
    shift.ok()
    if phase is P.LAST_WRONG:
        shift.count_stub(10)


def arrived_at(shift: Shift, phase: Phase) -> bool:
    return shift.phase is phase
