"""A player's answer while it is entered: the dealer's key beside the chips that the pad feels (x.11(b)).

Either alone is an answer. Where both are there and differ the dealer says which counts, and the record keeps
both: a pad may be wrong, and so may a finger. A pad that feels presence only leaves the keyed multiple as it
is. Chips of an answer that was never confirmed are no wager; they go back when the player folds or leaves,
or when the round ends for the contest.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.action import Refused
from sabot.statemachine.chips import ChipCount
from sabot.statemachine.events import Key
from sabot.statemachine.law import Law
from sabot.statemachine.parts import TableClock
from sabot.statemachine.people import EntryState
from sabot.statemachine.phases import Phase
from sabot.statemachine.round import Play

if TYPE_CHECKING:
    from sabot.rules.chapter import WagerTimes

MULTIPLES = {Key.ONE: 1, Key.TWO: 2, Key.THREE: 3}
FELT, KEYED = "felt", "keyed"
_WHICH = {Key.LEFT: FELT, Key.RIGHT: KEYED}


@dataclass(slots=True, eq=False, repr=False)
class Answering:
    """Take a player's answer while it is entered."""

    law: Law
    clock: TableClock
    entry: EntryState
    play: Play
    chip_count: ChipCount

    def second_wager(self) -> str:
        """The wager that is asked for now."""
        return self.law.chapter.contest.wagers[1 + self.play.current.street]

    def times_of(self) -> "WagerTimes":
        """The multiples of the Ante that the wager that is asked for may have."""
        times = self.law.chapter.wagers[self.second_wager()].times
        assert times is not None  # a second wager has multiples
        return times

    def ante_of(self) -> int | None:
        """The Ante of the seat that is asked, None where its value is not known."""
        return self.play.current.bets[self.play.current.asking][self.law.chapter.contest.opening]

    # ---------------------------------------------------------------- what is entered

    def has_chips(self) -> bool:
        """Return whether the pad feels chips on the spot of the seat that is asked."""
        return self.play.phase is Phase.DECIDING and self.entry.pending.felt != 0

    def is_keyed(self) -> bool:
        """Return whether the dealer has keyed an answer that is not confirmed."""
        pending = self.entry.pending
        return pending.fold or bool(pending.choice)

    def amount(self) -> int | None:
        """The wager as it stands: what is felt, what is keyed, or whichever of both counts."""
        pending = self.entry.pending
        if not pending.choice or (pending.felt and pending.number is None):
            return pending.felt
        is_felt = pending.counts == FELT and self.differs()
        return pending.felt if is_felt else pending.number

    def differs(self) -> bool:
        """Return whether the chips and the key say different amounts."""
        pending = self.entry.pending
        return bool(pending.choice) and bool(pending.felt) and pending.number not in (None, pending.felt)

    # ---------------------------------------------------------------- entering it

    def feel(self, cents: int | None) -> None:
        """The pad feels so much on the spot."""
        pending = self.entry.pending
        pending.felt, pending.counts = cents, ""

    def _key(self, number: int | None, choice: int, *, fold: bool = False) -> None:
        pending = self.entry.pending
        pending.key(number, choice, fold=fold)

    def enter_multiple(self, key: Key) -> None:
        """A short cut to a whole multiple of the Ante."""
        wager, times, multiple = self.law.chapter.wagers[self.second_wager()], self.times_of(), MULTIPLES[key]
        if not times.least <= multiple <= times.most:
            raise Refused(f"{wager.title} is {times.least} to {times.most} times the Ante ({wager.cite})")
        ante = self.ante_of()
        self._key(None if ante is None else ante * multiple, multiple)

    def enter_step(self, way: int) -> None:
        """One smallest chip more or less than what stands, within the multiples."""
        ante, times, stands = self.ante_of(), self.times_of(), self.amount()
        if ante is None:
            raise Refused("the Ante's value is not known")
        step = ante if times.whole else self.law.setup.smallest_chip_cents
        number = stands + way * step if stands else ante * times.least
        self._key(min(max(number, ante * times.least), ante * times.most), 1)

    def enter_fold(self) -> None:
        """The player folds."""
        self._key(None, 0, fold=True)

    def clear_key(self) -> None:
        """Clear what was keyed; the chips still lie there."""
        self._key(None, 0)

    def choose_which(self, key: Key) -> None:
        """The dealer says whether the chips or the key is right."""
        if not self.differs():
            raise Refused(f"{key} means nothing now")
        self.entry.pending.counts = _WHICH[key]

    # ---------------------------------------------------------------- confirming it

    def verify(self) -> None:
        """Raise unless something is entered, chips and key agree, and the amount is within the multiples."""
        pending, ante = self.entry.pending, self.ante_of()
        if pending.fold:
            return
        if not pending.choice and pending.felt == 0:
            raise Refused("enter the wager or FOLD first")
        if self.differs() and not pending.counts:
            why = f"felt {pending.felt}, keyed {pending.number}: which counts?"
            raise Refused(f"{why} ({self.law.cite('11(b)')})")
        wager, times, number = self.law.chapter.wagers[self.second_wager()], self.times_of(), self.amount()
        if number is None or ante is None:
            return
        in_range = ante * times.least <= number <= ante * times.most
        if not in_range or (times.whole and number % ante):
            raise Refused(f"{wager.title} must be {times.least} to {times.most} times {ante} ({wager.cite})")

    def note_entry(self) -> None:
        """Note an entry in the record.

        Where two amounts differ both stay; where there is no amount, the multiple that was keyed.

        Where there is none, the multiple that was keyed.
        """
        pending, round_ = self.entry.pending, self.play.current
        words = ""
        if self.differs():
            words = f"felt {pending.felt}, keyed {pending.number}; {pending.counts} counts"
        elif pending.choice and self.amount() is None:
            words = f"keyed {pending.choice} times an ante of unknown value"
        if words:
            spot = f"seat {round_.asking} {self.second_wager()}"
            round_.note(self.clock.now, f"{spot}: {words}", self.law.cite("11(b)"), round_.dealer)

    def return_chips(self, why: str) -> None:
        """Chips of an answer that was never confirmed go back to the player."""
        if not self.has_chips():
            return
        seat, wager, cents = self.play.current.asking, self.second_wager(), self.entry.pending.felt
        cite = self.law.cite("11(b)")
        self.chip_count.give_back(seat, wager, cents, cite)
        value = "chips" if cents is None else str(cents)
        self.play.current.note(self.clock.now, f"seat {seat} {wager} felt {value} goes back: {why}", cite)
        self.feel(0)

    def take_over_chips(self) -> None:
        """People go on by hand: chips that lie there are the wager, whether it was confirmed or not."""
        if not self.has_chips():
            return
        round_, felt = self.play.current, self.entry.pending.felt
        value = "chips" if felt is None else str(felt)
        words = f"seat {round_.asking} {self.second_wager()} felt {value}: taken over as made"
        round_.note(self.clock.now, words, self.law.cite("11(b)"))
        round_.answer(round_.asking, felt)
