"""The books of a wagering system, held against what it was told: each ticket, stake, draw and credit, once.

The books know no port, no session and no clock. What the system says becomes events of the table, or, where
it contradicts what it said or was told before, a fault that holds the table.
"""

# Theory of operation. Three kinds of things are on the books. Wagers: ``asked`` holds the ticket of each
# station's wager until the table has answered, ``holders`` the account behind each wager that stands. Draws:
# a sealed number is kept until it is opened, so that nothing can be drawn to fit the cards (``draws``).
# Money: ``orders`` are the credits that the table ordered and that are not confirmed, and ``totals`` what the
# system says it has credited in all after each; since the table adds too, a system that credits twice is
# found by its own sum. What the table may order twice (a credit, the stakes of a round) is recognised here by
# its number, for the link may be lost between an order and its confirmation.

import struct
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from sabot.drivers.sabot_accounts.draws import Draws
from sabot.drivers.sabot_link import account_messages as a
from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link.books import LinkBooks
from sabot.drivers.sabot_link.words import remaining
from sabot.rules.frozen import mutable
from sabot.statemachine.vocabulary.events import (
    AccountCredited,
    AccountsRead,
    AccountWager,
    DrawSealed,
    Event,
)

_STAKE, _STANDING = struct.Struct(">BBI"), struct.Struct(">BBII")
FAULT_WORDS = {
    4: "a station",
    8: "its self-test",
    12: "its store of events is full",
    20: "it has no random source",
    21: "the accounts are not reached",
}
# What lifts each of them, for whoever is asked after a test that was not good.
LIFTS = {
    4: "have the station serviced",
    8: "start the system anew, else have it serviced",
    12: "leave the link up until all of it was told",
    20: "have its random source serviced",
    21: "let the accounts be reached again",
}
Spot = tuple[int, int]


def pack_stakes(stakes: Iterable[tuple[int, int, int]]) -> bytes:
    """Return stakes as TAKE has them, in the order of position and wager."""
    return b"".join(_STAKE.pack(*stake) for stake in sorted(stakes))


@mutable(kw_only=True)
class AccountBooks(LinkBooks):
    """The books of one wagering system; a method that takes a message returns the events that it makes."""

    wagers: tuple[str, ...]
    seats: int
    is_listening: bool = False
    last_ticket: int = 0
    asked: dict[Spot, a.WagerAsked] = field(default_factory=dict)
    holders: dict[Spot, int] = field(default_factory=dict)
    round: a.TakeStakesMessage | None = None
    is_taken: bool = False
    draws: Draws = field(default_factory=Draws)
    orders: dict[int, a.Credit] = field(default_factory=dict)
    confirmed: set[int] = field(default_factory=set)
    totals: dict[int, int] = field(default_factory=dict)

    # ---------------------------------------------------------------- what the talk calls

    def told(self, message: m.Message) -> Iterable[Event]:
        """Return the events that a message stands for, by its row."""
        row = _ROWS.get(type(message))
        return row(self, message) if row else ()

    def spot_of(self, seat: int, wager: str) -> Spot | None:
        """Return a station's wager by its numbers; None where the system has no such wager."""
        # A credit may be of a part of a wager, named behind a colon; stations know the wager alone.
        name = wager.partition(":")[0]
        is_there = name in self.wagers and 1 <= seat <= self.seats
        return (seat, self.wagers.index(name) + 1) if is_there else None

    def begun(self, standing: a.Standing, at: float) -> list[Event]:
        """Begin a session: return what is wrong with its stations, its sum of credits, its fault."""
        self.at = at
        found: list[Event] = []
        if standing.stations < self.seats or standing.wagers < len(self.wagers):
            found.append(self._fault("device", f"it has {standing.stations} stations of {standing.wagers}"))
        if standing.fault and standing.fault != self.fault:
            found += self._latched(standing.fault)
        self.fault = standing.fault
        # So many credits must have come to so much, over restarts of the system too.
        known = self.totals.setdefault(standing.credits, standing.total)
        if known != standing.total:
            found.append(
                self._fault("contradiction", f"it credited {standing.total} cents in all, not {known}")
            )
        self.draws.begun(standing.draw, standing.round)
        return found

    def counted(self, told: a.StakesTold, at: float) -> list[Event]:
        """Take all that stands, and return it for the table; what was asked and not answered is void."""
        rows = [
            _STANDING.unpack_from(told.stakes, each) for each in range(0, len(told.stakes), _STANDING.size)
        ]
        self.at, self.is_listening = at, True
        self.asked.clear()
        self.holders = {(seat, wager): account for seat, wager, _, account in rows}
        if any(not self._is_there(spot) for spot in self.holders):
            return [self._fault("contradiction", "a wager stands where it has no station")]
        stakes = tuple(sorted((seat, self.wagers[wager - 1], cents) for seat, wager, cents, _ in rows))
        return [AccountsRead(at=at, source=self.name, device=self.name, round=told.round, stakes=stakes)]

    def lost(self) -> None:
        """Stop listening: what comes next may be old, until the system has counted."""
        self.is_listening = False
        self.asked.clear()

    def answered(self, spot: Spot, ticket: int, *, accepted: bool) -> bool:
        """Take the table's decision on a wager; return whether there is still anything to answer."""
        if not ticket:
            return self.holders.pop(spot, None) is not None
        asked = self.asked.get(spot)
        if asked is None or asked.ticket != ticket:
            return False
        del self.asked[spot]
        if accepted and asked.cents:
            self.holders[spot] = asked.account
        elif accepted:
            self.holders.pop(spot, None)
        return True

    def take(self, order: a.TakeStakesMessage) -> None:
        """Take the stakes that are told for a round; another round has draws of its own."""
        if self.round is None or self.round.round != order.round:
            self.draws.new_round(order.round)
        self.round, self.is_taken = order, False

    def is_over(self) -> None:
        """End the round before, if there was one: bets are open again."""
        if self.round is not None:
            self.round, self.is_taken = None, False
            self.holders.clear()

    def is_met(self, promise: m.Message) -> bool:
        """Return whether the system has confirmed what it was told."""
        if isinstance(promise, a.Credit):
            return promise.number not in self.orders
        return isinstance(promise, a.TakeStakesMessage) and (promise != self.round or self.is_taken)

    # ---------------------------------------------------------------- wagers

    def _is_there(self, spot: Spot) -> bool:
        return 1 <= spot[0] <= self.seats and 1 <= spot[1] <= len(self.wagers)

    def wager_asked(self, asked: a.WagerAsked) -> list[Event]:
        """Return the wager that a station asks for; what was asked before the system counted is void."""
        if not self.is_listening:
            return []
        spot = asked.seat, asked.wager
        wrong = self._wrong_wager(spot, asked)
        if wrong:
            return [self._fault("contradiction", wrong)]
        self.last_ticket, self.asked[spot] = asked.ticket, asked
        return [
            AccountWager(
                at=self.at,
                source=self.name,
                seat=asked.seat,
                wager=self.wagers[asked.wager - 1],
                cents=asked.cents,
                ticket=asked.ticket,
                account=f"{asked.account:08x}",
            )
        ]

    def _wrong_wager(self, spot: Spot, asked: a.WagerAsked) -> str:
        if not self._is_there(spot):
            return f"a wager at station {spot[0]}, wager {spot[1]}, which it does not have"
        # Tickets rise and are never used twice: this one is old, or sent again by somebody.
        if asked.ticket <= self.last_ticket:
            return f"ticket {asked.ticket} after {self.last_ticket}"
        if spot in self.asked:
            return f"station {spot[0]} asks again before it was answered"
        pending = {each: told.account for each, told in self.asked.items()}
        others = {account for each, account in (self.holders | pending).items() if each[0] == spot[0]}
        if others - {asked.account}:
            return f"station {spot[0]} asks for another account than that of its wagers"
        return ""

    def stakes_taken(self, taken: a.StakesTaken) -> list[Event]:
        """Hold what was taken in against the stakes that were told, and the draws that were sealed."""
        order = self.round
        if order is None or taken.round != order.round:
            return [self._fault("contradiction", f"it took in round {taken.round}, which it was not told")]
        stakes = order.stakes
        cents = [_STAKE.unpack_from(stakes, at)[2] for at in range(0, len(stakes), _STAKE.size)]
        told, wanted = (taken.count, taken.cents), (len(cents), sum(cents))
        if told != wanted:
            why = f"it took in {told[0]} stakes of {told[1]} cents, not {wanted[0]} of {wanted[1]}"
            return [self._fault("contradiction", why)]
        if not self.draws.are_all(taken.draws):
            why = f"{self.draws.count} draws are sealed, it says {taken.draws}"
            return [self._fault("contradiction", why)]
        self.is_taken = True
        return []

    # ---------------------------------------------------------------- draws and credits

    def draw_sealed(self, sealed: a.DrawSealedMessage) -> list[Event]:
        """Return the event of a draw under its seal, in its turn."""
        # A draw that is made when all stakes are known could be made to fit them.
        is_late = self.is_taken and sealed.draw not in self.draws.seals
        late = f"draw {sealed.draw} was drawn after the stakes were taken in" if is_late else ""
        wrong = late or self.draws.sealed(sealed)
        if wrong:
            return [self._fault("contradiction", wrong)]
        seal, name = sealed.seal.hex(), self.name
        return [DrawSealed(at=self.at, source=name, device=name, draw=sealed.draw, seal=seal)]

    def draw_opened(self, opened: a.DrawOpened) -> list[Event]:
        """Return the events of a draw that fits its seal."""
        found = self.draws.opened(opened, self.seats, self.name, self.at)
        return [self._fault("contradiction", found)] if isinstance(found, str) else found

    def credited(self, credit: a.Credited) -> list[Event]:
        """Hold a credit against its order, and the sum of all credits against what was ordered."""
        order = self.orders.get(credit.number)
        before, total = self.totals.get(credit.number - 1), self.totals.get(credit.number)
        if order is None:
            # The system repeats a credit whose confirmation was lost: nothing was added, so nothing is wrong.
            is_old = credit.again and total in (None, credit.total)
            why = f"it credited {credit.cents} cents under {credit.number}, which nobody ordered now"
            return [] if is_old else [self._fault("contradiction", why)]
        holder = self.holders.get((order.seat, order.wager), credit.account)
        if (credit.round, credit.cents, credit.account) != (order.round, order.cents, holder):
            return [self._fault("contradiction", f"credit {credit.number} is not as it was ordered")]
        # The sum after the credit before, plus this. Where neither sum is known (the first credit that this
        # program sees) the system's own word begins the reckoning.
        wanted = total if total is not None else credit.total
        if before is not None:
            wanted = before + order.cents
        if credit.total != wanted:
            why = f"it credited {credit.total} cents in all, not {wanted}"
            return [self._fault("contradiction", why)]
        del self.orders[credit.number]
        self.confirmed.add(credit.number)
        self.totals[credit.number] = credit.total
        return [
            AccountCredited(
                at=self.at,
                source=self.name,
                device=self.name,
                number=credit.number,
                cents=credit.cents,
                account=f"{credit.account:08x}",
            )
        ]

    # ---------------------------------------------------------------- faults

    def fault_moved(self, message: m.FaultMoved) -> list[Event]:
        """Report a fault that is latched; that it was cleared is the system's affair."""
        self.fault = message.fault if message.latched else 0
        return self._latched(message.fault) if message.latched else []

    def _latched(self, fault: int) -> list[Event]:
        return [self._fault("device", FAULT_WORDS.get(fault, f"its fault {fault}"))]

    def retested(self, message: m.Retested) -> list[Event]:
        """Return the answer to a retest, for the fault that was asked about."""
        asked, self.asked_of = self.asked_of or "all", ""
        left = "" if message.good else remaining(self.fault, FAULT_WORDS, LIFTS)
        return [self._tested(self.name, asked, left)]


_ROWS: dict[type, Callable[[AccountBooks, Any], Iterable[Event]]] = {
    a.WagerAsked: AccountBooks.wager_asked,
    a.StakesTaken: AccountBooks.stakes_taken,
    a.DrawSealedMessage: AccountBooks.draw_sealed,
    a.DrawOpened: AccountBooks.draw_opened,
    a.Credited: AccountBooks.credited,
    m.FaultMoved: AccountBooks.fault_moved,
    m.Retested: AccountBooks.retested,
}
