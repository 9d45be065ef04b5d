"""The record of a round in which somebody left after another seat was paid is held against the model too.

What was paid before stays, what is due after is settled anew, and the table was held over the difference. Each
lie about such a record must be found out: those of its neighbours, of what stayed and of the hold itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.state.round import Note
from tests.statemachine.shift import Shift

from .reckoning import HELD, Reckoning, compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot.statemachine.state.books import RoundRecord
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

HIT = {"ante": 1000, "prog4": 100}
FOUR_ACES, LOW, NOTHING = "As Ah Ad Ac 3h", "2c 4s 6h 8d Th", "2d 4h 6s 8c Jd 3c"
OUT_OF_ORDER = Note(1.0, "out_of_order shuffler released", "641a.13(g)", "f5")


class Reckoned(Shift):
    """A table with the model beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.model = Reckoning(self.table)

    def handle(self, event: Event) -> list[Effect]:
        said = super().handle(event)
        self.model.see()
        return said

    def again(self, record: RoundRecord) -> None:
        """Hold a record against the model once more."""
        compare(record, self.model.moments, self.setup.options, self.model.out)


def who_was_envied_left(*, late: bool) -> Reckoned:
    """Seat 5 has its envy of seat 2's four aces when that player leaves; or the player leaves before."""
    shift = Reckoned()
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, **HIT)
    shift.lock()
    shift.deal(seat2=FOUR_ACES, seat5=LOW, dealer=NOTHING)
    shift.reveal()
    if late:
        shift.settle_seat()
    shift.menu("PLAYER LEFT", "2")
    if late:
        assert shift.prompt[0] == "HELD: PAID ELSEWHERE"
        shift.floor("RELEASE")
    shift.settle_all()
    shift.next_round()
    return shift


def test_x_7b_what_was_paid_before_a_player_left_stays_and_the_rest_is_settled_anew() -> None:
    shift = who_was_envied_left(late=True)
    assert (shift.model.compared, shift.model.spliced) == (1, 1)
    paid = {(line.seat, line.wager): line.paid for line in shift.record.lines if line.result == "win"}
    assert any(seat == 5 and wager.startswith("envy") for seat, wager in paid)
    assert {line.result for line in shift.record.lines if line.seat == 2} == {"lose"}
    shift.again(shift.record)


def a_cent_more(record: RoundRecord, seat: int) -> RoundRecord:
    """The last line of a seat has paid a cent more."""
    lines = list(record.lines)
    at = max(number for number, line in enumerate(lines) if line.seat == seat)
    lines[at] = lines[at]._replace(paid=(lines[at].paid or 0) + 1)
    return replace(record, lines=tuple(lines))


def without_the_hold(record: RoundRecord) -> RoundRecord:
    return replace(record, notes=tuple(note for note in record.notes if not note.words.startswith(HELD)))


LIES: dict[str, Callable[[RoundRecord], RoundRecord]] = {
    "what was paid before": lambda record: a_cent_more(record, 5),
    "who left": lambda record: a_cent_more(record, 2),
    "a line that is not there": lambda record: replace(record, lines=record.lines[:-1]),
    "the envy taken away": lambda record: replace(
        record, lines=tuple(line for line in record.lines if not line.wager.startswith("envy"))
    ),
    "no hold": without_the_hold,
    "another hold": lambda record: replace(
        without_the_hold(record), notes=(*without_the_hold(record).notes, OUT_OF_ORDER)
    ),
    "the meters": lambda record: replace(
        record, meters={name: dict.fromkeys(levels, 1) for name, levels in record.meters.items()}
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_a_round_in_which_somebody_was_paid_elsewhere_is_found_out(lie: str) -> None:
    shift = who_was_envied_left(late=True)
    with pytest.raises(AssertionError):
        shift.again(LIES[lie](shift.record))


def test_a_hold_over_what_nobody_was_paid_elsewhere_is_found_out() -> None:
    shift = who_was_envied_left(late=False)
    assert (shift.model.compared, shift.model.spliced) == (1, 0)
    shift.again(replace(shift.record, notes=(*shift.record.notes, OUT_OF_ORDER)))
    held = Note(1.0, f"{HELD}table released", "641a.11(c)", "f5")
    with pytest.raises(AssertionError):
        shift.again(replace(shift.record, notes=(*shift.record.notes, held)))
