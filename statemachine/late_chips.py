"""Chips that are no wagers: what would go back at a lock now, and what came or went after it (x.7(c)).

The stake that was accepted counts whatever is done to its chips; so whatever differs from it is told to the
dealer, who gives back what came too late and has put back what was taken, and both stand in the record with
their time. It is over when the pad feels the stake again, or when the dealer says that it is put right.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sabot.statemachine.contest import Contest
from sabot.statemachine.law import Law, SeatWagers
from sabot.statemachine.state.parts import OpenWagers, TableClock
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import GoesBack, Play

Bets = Mapping[int, Mapping[str, int | None]]
Dark = tuple[tuple[int, str], ...]


class Looked:
    """The spots that were looked at since a wager on them changed."""

    __slots__ = ("_changed", "_dark", "is_away", "wagers")

    def __init__(self) -> None:
        self._dark: dict[int, Dark] = {}
        # The sums of seats that were found lit: at LOCK they need not be looked up again.
        self.wagers: dict[int, SeatWagers] = {}
        # None: all of them, for nobody has followed the changes.
        self._changed: set[int] | None = None
        # Bets are not open: what is done to chips is not followed here, so nothing that was found holds.
        self.is_away = True

    def changed(self, seat: int) -> None:
        """Have a seat looked at again."""
        if self._changed is not None:
            self._changed.add(seat)

    def found(self, seat: int, wagers: SeatWagers) -> None:
        """Keep the sum of a seat's wagers, all of which were found to stand."""
        self.wagers[seat] = wagers

    def is_clear(self, seat: int) -> bool:
        """Return whether this seat was looked at as it is, and no wager of it would go back."""
        return self._changed is not None and seat not in self._changed and seat not in self._dark

    def away(self) -> None:
        """Forget all that was looked at: no wager is taken, and nobody follows the changes."""
        self._dark, self._changed, self.is_away = {}, None, True
        self.wagers.clear()

    @property
    def is_all_lit(self) -> bool:
        """Return whether no wager would go back: each was looked at since it changed."""
        return not (self.is_away or self._changed or self._dark)

    def dark(self, bets: Bets, look: Callable[[int, Mapping[str, int | None]], Dark]) -> Dark:
        """Return the spots whose wagers would go back, in order; only seats that changed are looked at."""
        # A wager of one seat says nothing of another's; and this is asked after every event while bets are
        # open.
        for seat in bets if self._changed is None else self._changed:
            self._dark.pop(seat, None)
            found = look(seat, bets.get(seat, {}))
            if found:
                self._dark[seat] = found
        self._changed, self.is_away = set(), False
        if not self._dark:
            return ()
        return tuple(spot for seat in sorted(self._dark) for spot in self._dark[seat])


# ------------------------------------------------------------ after the lock

P = Phase
BEFORE_CARDS = frozenset({P.BETS_OPEN, P.COUNTING_CHIPS, P.CHIP_MISMATCH, P.DEALING})
# Until here a chip of a live wager that is lifted is evidence; afterwards the dealer takes chips.
CHIPS_STAY = BEFORE_CARDS | {P.STUB, P.STUB_WRONG, P.DECIDING, P.TURNING, P.DECLARING}
# Where the dealer is told of it: not over a question of the floor's.
TOLD_IN = CHIPS_STAY - {P.BETS_OPEN, P.CHIP_MISMATCH, P.STUB_WRONG}
LATE, TAKEN = "late", "taken"


def _deed(stake: int | None, cents: int | None) -> str:
    """Return the deed in the words of the record."""
    if cents == 0:
        return "lifted late"
    if stake == 0:
        return "placed late"
    # Presence alone was felt: how much came or went nobody knows.
    if stake is None or cents is None:
        return "changed late"
    return f"{'raised' if cents > stake else 'lowered'} late from {stake} to {cents} cents"


def _by(stake: int | None, cents: int | None) -> int | None:
    """Return the amount that is to go back or to be put back, None where nobody can sense it."""
    return None if stake is None or cents is None else abs(cents - stake)


@dataclass(slots=True, eq=False, repr=False)
class LateChips:
    """Put right what is done to chips after the lock."""

    law: Law
    contest: Contest
    clock: TableClock
    layout: OpenWagers
    play: Play

    def stake_of(self, seat: int, wager: str) -> int | None:
        """Return the stake that counts on a spot: 0 for none, None where the pad senses presence only."""
        return self.contest.stakes(seat).get(wager, 0) if seat in self.play.current.bets else 0

    def note_change(self, seat: int, wager: str, cents: int | None) -> None:
        """Keep what was done to a locked spot with its time, and have the dealer put it right."""
        stake = self.stake_of(seat, wager)
        words = f"seat {seat} {wager} {_deed(stake, cents)}"
        self.layout.note_late(self.clock.now, words, self.law.cite("7(c)"))
        # The last word about a spot counts: the dealer reads one line for it.
        self._forget(seat, wager)
        if not self._is_told(seat, wager):
            return
        # A stake of unknown value counts as 1 here: only an empty spot has less.
        way = TAKEN if cents is not None and cents < (stake or 1) else LATE
        self.play.current.hand_back_last(GoesBack(seat, wager, _by(stake, cents), way))

    def is_right_again(self, seat: int, wager: str, cents: int | None) -> bool:
        """Return whether a spot that was changed is as it was accepted again, and note it in the record."""
        if cents != self.stake_of(seat, wager) or not self._forget(seat, wager):
            return False
        self.layout.note_late(self.clock.now, f"seat {seat} {wager} put right", self.law.cite("7(c)"))
        return True

    def _is_told(self, seat: int, wager: str) -> bool:
        """Return whether the dealer is told: not of chips for a wager that is made later (x.11(b))."""
        spec = self.law.chapter.wagers.get(wager)
        if spec is None or not 1 <= seat <= self.law.setup.seat_count or self.play.phase not in CHIPS_STAY:
            return False
        return not spec.after_deal or self.stake_of(seat, wager) != 0

    def _forget(self, seat: int, wager: str) -> bool:
        """Drop what was to be put right on a spot; return whether anything was."""
        round_ = self.play.current
        left = [each for each in round_.hand_back if (each.seat, each.wager) != (seat, wager)]
        was_there = len(left) < len(round_.hand_back)
        round_.handed_back(left)
        return was_there
