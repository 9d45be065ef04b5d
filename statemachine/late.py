"""What is made, increased or withdrawn after "no more bets" (x.7(c)).

The stake that was accepted counts whatever is done to its chips; so whatever differs from it is told to the
dealer, who gives back what came too late and has put back what was taken, and both stand in the record with
their time. It is over when the pad feels the stake again, or when the dealer says that it is put right.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.phases import Phase
from sabot.statemachine.state import GoesBack, Note

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

P = Phase
BEFORE_CARDS = frozenset({P.BETS_OPEN, P.COUNTING_CHIPS, P.CHIP_MISMATCH, P.DEALING})
# Until here a chip of a live wager that is lifted is evidence; afterwards the dealer takes chips.
CHIPS_STAY = BEFORE_CARDS | {P.STUB, P.STUB_WRONG, P.DECIDING, P.TURNING, P.DECLARING}
# Where the dealer is told of it: not over a question of the floor's.
TOLD_IN = CHIPS_STAY - {P.BETS_OPEN, P.CHIP_MISMATCH, P.STUB_WRONG}
LATE, TAKEN = "late", "taken"


def stake_of(table: "Table", seat: int, wager: str) -> int | None:
    """The stake that counts on a spot: 0 where there is none, None where the pad senses presence only."""
    return table.stakes(seat).get(wager, 0) if seat in table.round.bets else 0


def note_change(table: "Table", seat: int, wager: str, cents: int | None) -> None:
    """Keep what was done to a locked spot with its time, and have the dealer put it right."""
    stake = stake_of(table, seat, wager)
    words = f"seat {seat} {wager} {_deed(stake, cents)}"
    table.state.late.append(Note(table.now, words, table.cite("7(c)")))
    _forget(table, seat, wager)
    if not _is_told(table, seat, wager):
        return
    way = TAKEN if cents is not None and cents < (stake or 1) else LATE
    table.round.hand_back.append(GoesBack(seat, wager, _by(stake, cents), way))


def is_right_again(table: "Table", seat: int, wager: str, cents: int | None) -> bool:
    """Whether the spot is as it was accepted after it was not: that is in the record too."""
    if cents != stake_of(table, seat, wager) or not _forget(table, seat, wager):
        return False
    table.state.late.append(Note(table.now, f"seat {seat} {wager} put right", table.cite("7(c)")))
    return True


def _deed(stake: int | None, cents: int | None) -> str:
    """What was done, in the words of the record."""
    if cents == 0:
        return "lifted late"
    if stake == 0:
        return "placed late"
    if stake is None or cents is None:
        return "changed late"
    return f"{'raised' if cents > stake else 'lowered'} late from {stake} to {cents} cents"


def _by(stake: int | None, cents: int | None) -> int | None:
    """How much of it is to go back or to be put back, None where nobody can sense it."""
    return None if stake is None or cents is None else abs(cents - stake)


def _is_told(table: "Table", seat: int, wager: str) -> bool:
    """Whether the dealer is told: not of chips for a wager that is made later (x.11(b))."""
    spec = table.chapter.wagers.get(wager)
    if spec is None or not 1 <= seat <= table.setup.seat_count or table.phases.state not in CHIPS_STAY:
        return False
    return not spec.after_deal or stake_of(table, seat, wager) != 0


def _forget(table: "Table", seat: int, wager: str) -> bool:
    """Whether something was to be put right on a spot, which it is no more."""
    round_ = table.round
    left = [each for each in round_.hand_back if (each.seat, each.wager) != (seat, wager)]
    was_there, round_.hand_back = len(left) < len(round_.hand_back), left
    return was_there
