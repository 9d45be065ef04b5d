"""Game accounts: what a round takes from them, what they are owed, and draws under seal (641a.11(c)(7)).

The wagering system keeps the money and the draws, the table says what becomes of them. What is owed is told
whole until the system has confirmed it, under numbers that are credited once: after a lost link or a restart
nothing is forgotten and nothing is paid twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sabot.statemachine.action import Refused
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.late_chips import Looked
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import LastTold, Outbox
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.parts import OpenWagers, TableClock
from sabot.statemachine.state.phases import ENDING, TURNING, Phase
from sabot.statemachine.state.round import Play, Sealed
from sabot.statemachine.vocabulary.effects import (
    Effect,
    OpenDraws,
    OweAccounts,
    Owed,
    RefuseWager,
    TakeStakes,
)
from sabot.statemachine.vocabulary.events import AccountCredited, AccountsRead, DrawSealed
from sabot.statemachine.vocabulary.fault_kinds import POLICY

Stakes = Mapping[int, Mapping[str, int | None]]
SETTLED = frozenset({Phase.SETTLING, Phase.VALIDATING, Phase.DOCUMENTS, *ENDING})


@dataclass(slots=True, eq=False, repr=False)
class GameAccounts:
    """Keep what a round takes from game accounts and owes them."""

    law: Law
    out: Outbox
    last_told: LastTold
    looked: Looked
    clock: TableClock
    layout: OpenWagers
    books: MoneyBooks
    play: Play
    faults: FaultLatch

    def stakes_of(self, bets: "Stakes") -> tuple[tuple[int, str, int], ...]:
        """Return the wagers on game accounts among these, by seat and name."""
        names = self.law.from_stations
        return tuple(
            [
                (seat, name, cents)
                for seat in sorted(bets)
                for name in names
                if (cents := bets[seat].get(name)) is not None
            ]
        )

    # ---------------------------------------------------------------- what is told

    def told(self) -> "list[tuple[str, Effect | None]]":
        """Return what the wagering system has to know, by its place among what is told (None: nothing)."""
        return [("stakes", self._stakes()), ("draws", self._due()), ("owed", self._owed())]

    def _stakes(self) -> "Effect | None":
        round_, told_last = self.play.round, self.last_told.effects.get("stakes")
        if round_ is None:
            return None
        if isinstance(told_last, TakeStakes) and told_last.number == round_.number:
            return told_last  # what is on accounts does not change within a round
        return TakeStakes(
            number=round_.number, stakes=self.stakes_of(round_.bets), cite=self.law.cite("8(b)")
        )

    def _due(self) -> "Effect | None":
        """Return the draws to open: when all have decided, before a card is turned, and nothing is held."""
        # All have decided: nobody can play by what was drawn any more. Held, a round may yet be void.
        is_due = self.play.phase is TURNING and self.faults.held is None
        sealed = self.play.current.sealed if is_due else []
        if not sealed:
            return None
        return OpenDraws(
            draws=tuple((each.draw, each.seal) for each in sealed), cite=self.law.cite("12(g)(3)")
        )

    def _owed(self) -> "Effect | None":
        owed, told_last = self.books.owed, self.last_told.effects.get("owed")
        if not owed:
            return None
        known = told_last.owed if isinstance(told_last, OweAccounts) else ()
        # Numbers rise, and each is confirmed once: two lists of one length with the same ends are the same.
        if len(known) == len(owed) and (known[0], known[-1]) == (owed[0], owed[-1]):
            return told_last
        return OweAccounts(owed=tuple(owed), cite=POLICY)

    # ---------------------------------------------------------------- what is owed

    def owe(self, seat: int, wager: str, cents: int, cite: str, *, is_stake: bool) -> None:
        """Owe the account behind a stake of the round; a stake that was never taken in is not owed."""
        if self.play.round is None or not cents:
            return
        self.books.credits += 1
        # A bonus that was drawn has a line of its own, ``wager:extra``; its money goes with the wager's.
        name = wager.partition(":")[0]
        self.books.owed.append(
            Owed(self.books.credits, self.play.current.number, seat, name, cents, is_stake, cite)
        )

    def find_owed(self, event: AccountCredited) -> Owed | None:
        """Return what is owed under the number and the sum of a credit, None where nothing such is owed."""
        return next(
            # Number and sum: a credit of another sum under a known number is as wrong as one under no number.
            (each for each in self.books.owed if (each.number, each.cents) == (event.number, event.cents)),
            None,
        )

    def on_credited(self, event: AccountCredited) -> None:
        """Strike what was credited off the books, once; hold the table where it was not owed."""
        owed = self.find_owed(event)
        if owed is None:
            why = f"credit {event.number} of {event.cents} cents is not owed"
            self.faults.hold("contradiction", event.device, why)
            return
        self.books.owed.remove(owed)
        what = f"credit {owed.number}: {owed.cents} cents of round {owed.round}"
        self.out.note(f"{what} to the account of seat {owed.seat} {event.account}".rstrip(), owed.cite)

    # ---------------------------------------------------------------- draws under seal

    def has_other_seal(self, event: DrawSealed) -> bool:
        """Return whether a draw of the round was told before, and is another now."""
        if self.play.round is None or self.play.phase in SETTLED:
            return False
        return any(each.draw == event.draw and each.seal != event.seal for each in self.play.current.sealed)

    def on_sealed(self, event: DrawSealed) -> None:
        """Take a draw of the round under seal; one that is told again must be the same."""
        if self.play.round is None or self.play.phase in SETTLED:
            raise Refused("a draw belongs to a round that is not yet settled")
        if not self.law.chapter.extras:
            raise Refused(f"{self.law.chapter.id} has no draws")
        if not self.law.from_stations:  # nobody would order it open
            raise Refused("no wager on a game account is offered here")
        if self.has_other_seal(event):
            self.faults.hold("contradiction", event.device, f"draw {event.draw} has another seal than before")
        # The system tells its draws again after a lost link: the same one counts once.
        elif all(each.draw != event.draw for each in self.play.current.sealed):
            self.play.current.seal(Sealed(event.draw, event.seal))
            self.play.current.note(
                self.clock.now, f"draw {event.draw} sealed: {event.seal}", self.law.cite("12(g)(3)")
            )

    def verify_drawn(self, _value: str) -> None:
        """Raise where a draw of the round is not known yet: no hand is settled without it."""
        if self.play.current.sealed:
            raise Refused(f"draw {self.play.current.sealed[0].draw} is sealed yet")

    # ---------------------------------------------------------------- what the system has

    def has_other_stakes(self, event: AccountsRead) -> bool:
        """Return whether the system has taken in other stakes than those of the round under way."""
        round_ = self.play.round
        if round_ is None or event.round != round_.number or self._why_senseless(event):
            return False
        return event.stakes != self.stakes_of(round_.bets)

    def _why_senseless(self, event: AccountsRead) -> str:
        offered = self.law.from_stations
        for seat, wager, cents in event.stakes:
            if wager not in offered or cents < 1 or not 1 <= seat <= self.law.setup.seat_count:
                return f"{cents} cents on {wager} at seat {seat} cannot stand"
        return ""

    def on_accounts_read(self, event: AccountsRead) -> None:
        """Compare stakes with a system that is heard again; before the lock what it has is what stands."""
        why = self._why_senseless(event)
        if why:
            raise Refused(why)
        if self.has_other_stakes(event):
            self.faults.hold("contradiction", event.device, "it has other stakes than the round")
        # Before the lock the system's word counts: a player may
        # have withdrawn while nobody was heard (x.7(c)).
        elif self.play.round is None:
            self._take_over_bets({(seat, wager): cents for seat, wager, cents in event.stakes})

    def _take_over_bets(self, there: "dict[tuple[int, str], int]") -> None:
        """Take wagers off the table that the system no longer has; refuse those that only the system has."""
        bets = self.layout.bets
        here = {(seat, wager): cents for seat, wager, cents in self.stakes_of(bets)}
        for spot in here.keys() | there.keys():
            if here.get(spot) == there.get(spot):
                continue
            (seat, wager), cite = spot, self.law.cite("7(c)")
            self.looked.changed(seat)
            self.out.note(f"seat {seat} {wager}: {there.get(spot, 0)} in the wagering system", cite)
            if spot not in here:
                self.out.emit(
                    RefuseWager(seat=seat, wager=wager, why="the table does not have it", cite=cite)
                )
            elif spot in there:
                bets[seat][wager] = there[spot]
            else:
                del bets[seat][wager]
        for seat in [seat for seat, placed in bets.items() if not placed]:
            del bets[seat]
