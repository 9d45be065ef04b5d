"""Chips of progressive wagers, counted before any card leaves (x.8(b)).

A wager feeds the meters at the lock. The dealer counts the chips; a difference to the accepted wagers is the
floor's to resolve, seat by seat, up or down.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.action import Action, Refused, of_way, phases
from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.effects import RefuseWager, ReturnWager
from sabot.statemachine.events import Key, Role
from sabot.statemachine.labels import wager_words
from sabot.statemachine.law import Law
from sabot.statemachine.ledger import (
    CONTRIBUTION,
    CORRECTION,
    PLAYERS,
    RESERVE,
    Cause,
    MeterEntry,
)
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.offers import ACCOUNT, PROGRESSIVE
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.parts import TableClock
from sabot.statemachine.people import EntryState, TableCrew
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.round import Play

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
        """A stake goes back to where it came from: over the layout, or to the game account."""
        account = self.law.chapter.wagers[wager].device == ACCOUNT
        self.out.emit(ReturnWager(seat=seat, wager=wager, cents=cents, account=account, cite=cite))
        if account:
            self.accounts.owe(seat, wager, cents or 0, cite, is_stake=True)

    def contribute(self, seat: int, wager: str, cents: int | None) -> None:
        """A wager feeds the meters it has a share in."""
        self.books.ledger.take_in(self.shares({seat: {wager: cents}}))

    def shares(self, placed: Mapping[int, Mapping[str, int | None]]) -> list[MeterEntry]:
        """Return the contributions of wagers to meters and reserves, seat by seat.

        No share has a fraction (the set-up).

        No share has a fraction (the set-up).
        """
        unit, number, feeds_of = self.law.setup.options.progressive_unit, self.books.rounds, self.law.feeds
        entries: list[MeterEntry] = []
        for seat, bets in placed.items():
            causes = {CONTRIBUTION: Cause(CONTRIBUTION, number, seat), RESERVE: Cause(RESERVE, number, seat)}
            entries += [
                MeterEntry(
                    PLAYERS, target, (unit if cents is None else cents) * percent // over, causes[what]
                )
                for wager, cents in bets.items()
                for target, percent, over, what in feeds_of[wager]
            ]
        return entries

    def accepted(self) -> int:
        """Return how many progressive wagers the system accepted."""
        return sum(len(self.law.counted_wagers & bets.keys()) for bets in self.play.current.bets.values())

    def verify_count(self, _value: str) -> None:
        """Something is counted; the display does not say how many are expected."""
        if self.entry.pending.number is None:
            raise Refused("count the chips first")

    def count_chips(self, _value: str) -> None:
        """The dealer's count against the accepted wagers."""
        round_ = self.play.current
        round_.chips = self.entry.pending.number or 0
        self.entry.clear_pending()
        if round_.chips == self.accepted():
            self.phases.chips_equal()
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
        """BACK: before the first card leaves the chips may be counted once more."""
        round_ = self.play.current
        round_.note(self.clock.now, f"{round_.chips} chips taken back", self.law.cite("8(b)"), round_.dealer)
        round_.enter("")
        self.recount_chips("")

    def chip_fixes(self) -> list[str]:
        """Return which seat, up or down: what the floor may say."""
        wagers = [
            name
            for name in self.law.chapter.order
            if self.law.chapter.wagers[name].device == PROGRESSIVE and name in self.law.setup.offers
        ]
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
        """The floor says whose wager was or was not made; the deal begins when the count is right.

        A wager that is struck has no chip to give back; a chip that was no wager goes back uncounted.
        """
        seat_text, wager, way = value.split()
        seat, round_ = int(seat_text), self.play.current
        by = self.crew.person(Role.FLOOR)
        if way == UP:
            round_.bets[seat][wager] = self.law.setup.options.progressive_unit
            self.contribute(seat, wager, None)
            self.linked_meters.contribute({seat: {wager: None}})
        elif way == DOWN:
            del round_.bets[seat][wager]
            self._withdraw(seat, wager)
            self.linked_meters.take_back(self.law.cite("8(b)"), {(seat, wager)})
        else:
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
        for entry in list(ledger.contributions):
            if entry.cause.seat == seat and entry.target.partition(".")[0] in meters:
                ledger.contributions.remove(entry)
                ledger.post(
                    entry.target, entry.source, entry.units, Cause(CORRECTION, self.play.current.number, seat)
                )


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
