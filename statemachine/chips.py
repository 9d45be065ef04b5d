"""Chips that are counted, and chips that are an answer: what a pad feels beside what people say.

A progressive wager feeds the meters at the lock, and its chips are counted before any card leaves (x.8(b)); a
difference to the accepted wagers is the floor's to resolve, seat by seat, up or down.

A player's answer (x.11(b)) is the dealer's key or the chips that the pad feels; either alone is one. Where
both are there and differ the dealer says which counts, and the record keeps both: a pad may be wrong, and so
may a finger. A pad that feels presence only leaves the keyed multiple as it is. Chips of an answer that was
never confirmed are no wager; they go back when the player folds or leaves, or when the round ends for the
contest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.action import Action, Refused, of_way, phases
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.labels import wager_words
from sabot.statemachine.law import ACCOUNT, PROGRESSIVE, Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.ledger import CORRECTION, Cause, Fed
from sabot.statemachine.state.parts import EntryState, TableClock, TableCrew
from sabot.statemachine.state.phases import DECIDING, Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.vocabulary.effects import RefuseWager, ReturnWager
from sabot.statemachine.vocabulary.events import Key, Role

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager, WagerTimes


UP, DOWN, BACK = "up", "down", "back"
# The last entry of a round, where BACK has a way of its own.
CHIPS = "chips"


@dataclass(slots=True, eq=False, repr=False)
class ChipCount:
    """Count progressive chips before any card leaves."""

    law: Law
    phases: Phases
    out: Outbox
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    books: MoneyBooks
    play: Play
    accounts: GameAccounts
    dealing: Dealing
    linked_meters: LinkedMeters

    def give_back(self, seat: int, wager: str, cents: int | None, cite: str) -> None:
        """Give a stake back to where it came from: over the layout, or to the game account."""
        account = self.law.chapter.wagers[wager].device == ACCOUNT
        self.out.emit(ReturnWager(seat=seat, wager=wager, cents=cents, account=account, cite=cite))
        if account:
            # The money is in the wagering system: an account is owed it until the system has confirmed it.
            self.accounts.owe(seat, wager, cents or 0, cite, is_stake=True)

    def contribute(self, placed: Mapping[int, Mapping[str, int | None]]) -> None:
        """Feed the meters and reserves with what these wagers give, seat by seat."""
        self.take_in(self.fed(placed))

    def fed(self, placed: Mapping[int, Mapping[str, int | None]]) -> dict[int, Fed]:
        """Return the amounts that the wagers of each seat give to meters and reserves."""
        return {seat: self.law.wagers_of(tuple(bets.items())).fed for seat, bets in placed.items()}

    def take_in(self, fed: Mapping[int, Fed]) -> None:
        """Book for this round what the wagers of each seat give."""
        self.books.ledger.take_in(self.books.rounds, fed)

    def accepted(self) -> int:
        """Return how many progressive wagers the system accepted."""
        counted, placed = self.law.counted_wagers, self.play.current.bets.values()
        return len([name for bets in placed for name in counted if name in bets])

    def has_accepted(self) -> bool:
        """Return whether any progressive wager was accepted."""
        counted = self.law.counted_wagers
        return not all(map(counted.isdisjoint, self.play.current.bets.values()))

    def verify_count(self, _value: str) -> None:
        """Raise where nothing is counted yet."""
        # Counts are entered blind: the display does not say how many are expected.
        if self.entry.pending.number is None:
            raise Refused("count the chips first")

    def count_chips(self, _value: str) -> None:
        """Compare the dealer's count with the accepted wagers: the deal begins, or the floor resolves it."""
        round_ = self.play.current
        round_.chips = self.entry.pending.number or 0
        self.entry.clear_pending()
        if round_.chips == self.accepted():
            self.phases.chips_equal()
            # Before the deal begins: once the first card is out BACK can no longer take this entry back.
            round_.enter(CHIPS)
            self.dealing.begin_dealing()
        else:
            round_.note(
                self.clock.now, f"{round_.chips} chips for {self.accepted()} wagers", self.law.cite("8(b)")
            )
            self.phases.chips_differ()

    def recount_chips(self, _value: str) -> None:
        """Count the chips again, from nothing."""
        self.phases.recount_chips()
        self.entry.clear_pending()

    def take_back_count(self) -> None:
        """Have the chips counted once more, by BACK, before the first card leaves."""
        round_ = self.play.current
        round_.note(self.clock.now, f"{round_.chips} chips taken back", self.law.cite("8(b)"), round_.dealer)
        round_.enter("")
        self.recount_chips("")

    def chip_fixes(self) -> list[str]:
        """Return what the floor may say of a mismatch: seat, wager, and up, down or back."""
        wagers = [
            name
            for name in self.law.chapter.order
            if self.law.chapter.wagers[name].device == PROGRESSIVE and name in self.law.setup.offers
        ]
        # A chip that is no wager lies there only where more were counted than wagers accepted.
        more = self.play.current.chips > self.accepted()
        return [
            f"{seat} {wager} {way}"
            for seat, bets in sorted(self.play.current.bets.items())
            for wager in wagers
            for way in ((DOWN,) if wager in bets else (UP, BACK) if more else (UP,))
        ]

    def fix_words(self, value: str) -> str:
        """Return seat, wager and way as a list shows them."""
        seat, wager, way = value.split()
        return f"S{seat} {wager_words(wager, self.law.chapter)} {way.upper()}"

    def resolve_chips(self, value: str) -> None:
        """Take the floor's word whose wager was or was not made; the deal begins when the count is right.

        A wager that is struck has no chip to give back; a chip that was no wager goes back uncounted.
        """
        seat_text, wager, way = value.split()
        seat, round_ = int(seat_text), self.play.current
        by = self.crew.person(Role.FLOOR)
        if way == UP:
            round_.bets[seat][wager] = self.law.setup.options.progressive_unit
            # Wagers feed the meters at the lock; this one was found after it.
            self.contribute({seat: {wager: None}})
            self.linked_meters.contribute({seat: {wager: None}})
        elif way == DOWN:
            del round_.bets[seat][wager]
            self._withdraw(seat, wager)
            self.linked_meters.take_back(self.law.cite("8(b)"), {(seat, wager)})
        else:
            # The chip goes back: the count that is compared is of what lies there.
            round_.chips -= 1
        if way != UP:
            why = "no chip for it" if way == DOWN else "no wager"
            self.out.emit(RefuseWager(seat=seat, wager=wager, why=why, cite=self.law.cite("8(b)")))
        round_.note(self.clock.now, f"seat {seat} {wager} {way} by the floor", self.law.cite("8(b)"), by)
        if round_.chips == self.accepted():
            self.phases.mismatch_resolved()
            self.dealing.begin_dealing()

    def _withdraw(self, seat: int, wager: str) -> None:
        """Take back one wager's contributions, by name."""
        ledger = self.books.ledger
        meters = {meter.name for meter in self.law.chapter.meters.values() if wager in meter.wagers}
        for entry in list(ledger.given()):
            if entry.cause.seat == seat and entry.target.partition(".")[0] in meters:
                ledger.withdraw(entry, Cause(CORRECTION, self.play.current.number, seat))


ACTIONS = (
    Action(
        "count_chips",
        "CHIPS COUNTED",
        Role.DEALER,
        phases(Phase.COUNTING_CHIPS),
        "8(b)",
        ChipCount.count_chips,
        ChipCount.verify_count,
        key=Key.OK,
    ),
    Action(
        "recount_chips",
        "COUNT AGAIN",
        Role.DEALER,
        phases(Phase.CHIP_MISMATCH),
        "8(b)",
        ChipCount.recount_chips,
        key=Key.BACK,
    ),
    Action(
        "resolve_chips",
        "CHIP MISMATCH",
        Role.FLOOR,
        *of_way("mismatch_resolved"),
        ChipCount.resolve_chips,
        values=ChipCount.chip_fixes,
        say=ChipCount.fix_words,
    ),
)


# ------------------------------------------------------------ the answer of a player

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
        """Return the wager that is asked for now."""
        return self.law.chapter.contest.wagers[1 + self.play.current.street]

    def asked(self) -> "tuple[Wager, WagerTimes]":
        """Return the wager that is asked for, and the multiples of the Ante that it may have."""
        wager = self.law.chapter.wagers[self.second_wager()]
        assert wager.times is not None  # a second wager has multiples
        return wager, wager.times

    def ante_of(self) -> int | None:
        """Return the Ante of the seat that is asked, None where its value is not known."""
        return self.play.current.bets[self.play.current.asking][self.law.chapter.contest.opening]

    # ---------------------------------------------------------------- what is entered

    def has_chips(self) -> bool:
        """Return whether the pad feels chips on the spot of the seat that is asked."""
        return self.play.phase is DECIDING and self.entry.pending.felt != 0

    def is_keyed(self) -> bool:
        """Return whether the dealer has keyed an answer that is not confirmed."""
        pending = self.entry.pending
        return pending.fold or bool(pending.choice)

    def amount(self) -> int | None:
        """Return the amount as it stands: the one felt, the one keyed, or whichever of both counts."""
        pending = self.entry.pending
        # An amount that is felt says more than a multiple of an Ante whose value nobody knows.
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
        """Take what the pad feels on the spot; a choice between chips and key is asked anew."""
        pending = self.entry.pending
        pending.felt, pending.counts = cents, ""

    def _key(self, number: int | None, choice: int, *, fold: bool = False) -> None:
        pending = self.entry.pending
        pending.key(number, choice, fold=fold)

    def enter_multiple(self, key: Key) -> None:
        """Enter a whole multiple of the Ante."""
        (wager, times), multiple = self.asked(), MULTIPLES[key]
        if not times.least <= multiple <= times.most:
            raise Refused(f"{wager.title} is {times.least} to {times.most} times the Ante ({wager.cite})")
        ante = self.ante_of()
        self._key(None if ante is None else ante * multiple, multiple)

    def enter_step(self, way: int) -> None:
        """Enter one step more or less than what stands, within the multiples."""
        ante, (_, times), stands = self.ante_of(), self.asked(), self.amount()
        # Without a value no step can be held against the multiples; the multiples are still an answer.
        if ante is None:
            raise Refused("the Ante's value is not known")
        # Where the chapter wants whole multiples a step is an Ante (reading F6).
        step = ante if times.whole else self.law.setup.smallest_chip_cents
        number = stands + way * step if stands else ante * times.least
        self._key(min(max(number, ante * times.least), ante * times.most), 1)

    def enter_fold(self) -> None:
        """Enter a fold."""
        self._key(None, 0, fold=True)

    def clear_key(self) -> None:
        """Clear what was keyed; the chips still lie there."""
        self._key(None, 0)

    def choose_which(self, key: Key) -> None:
        """Take the dealer's word whether the chips or the key is right."""
        if not self.differs():
            raise Refused(f"{key} means nothing now")
        self.entry.pending.counts = _WHICH[key]

    # ---------------------------------------------------------------- confirming it

    def verify(self) -> None:
        """Raise unless something is entered, chips and key agree, and the amount is within the multiples."""
        pending, ante = self.entry.pending, self.ante_of()
        if pending.fold:
            return
        # Chips that lie there are an answer by themselves, and so is a key.
        if not pending.choice and pending.felt == 0:
            raise Refused("enter the wager or FOLD first")
        if self.differs() and not pending.counts:
            why = f"felt {pending.felt}, keyed {pending.number}: which counts?"
            raise Refused(f"{why} ({self.law.cite('11(b)')})")
        (wager, times), number = self.asked(), self.amount()
        # There is nothing to hold against the multiples.
        if number is None or ante is None:
            return
        in_range = ante * times.least <= number <= ante * times.most
        if not in_range or (times.whole and number % ante):
            raise Refused(f"{wager.title} must be {times.least} to {times.most} times {ante} ({wager.cite})")

    def note_entry(self) -> None:
        """Note in the record amounts that differ, or the multiple keyed where there is no amount."""
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
        """Give the player back the chips of an answer that was never confirmed."""
        if not self.has_chips():
            return
        seat, wager, cents = self.play.current.asking, self.second_wager(), self.entry.pending.felt
        cite = self.law.cite("11(b)")
        self.chip_count.give_back(seat, wager, cents, cite)
        value = "chips" if cents is None else str(cents)
        self.play.current.note(self.clock.now, f"seat {seat} {wager} felt {value} goes back: {why}", cite)
        self.feel(0)

    def take_over_chips(self) -> None:
        """Take chips that lie there as the wager, confirmed or not: people go on by hand."""
        if not self.has_chips():
            return
        round_, felt = self.play.current, self.entry.pending.felt
        value = "chips" if felt is None else str(felt)
        words = f"seat {round_.asking} {self.second_wager()} felt {value}: taken over as made"
        round_.note(self.clock.now, words, self.law.cite("11(b)"))
        round_.answer(round_.asking, felt)
