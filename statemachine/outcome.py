"""The live round as ``rules`` settles it, and which of its payments wait for the floor.

A progressive payout is validated whatever read the cards (641a.11(c)(5)(iii)), and of the Five Card Hand
Bonus 500 for 1 or a share of the meter (641a.11(c)(7)(ii)). Where a hand was declared and not read, one wrong
word can cost more than a table earns in a year: such a payment waits too, from 100 to 1 on, or from the
amount that the table file names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from sabot.rules.payouts import dollars, parse_payout
from sabot.rules.round import MeterValues, Round, Seat
from sabot.rules.settlement import Declared
from sabot.rules.settlement.claims import Cards
from sabot.statemachine import linked
from sabot.statemachine.contest import Contest, LaidCards
from sabot.statemachine.hits import Shares
from sabot.statemachine.labels import first_that_fits
from sabot.statemachine.law import ACCOUNT, Law
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.state.parts import TableClock
from sabot.statemachine.state.round import Play

if TYPE_CHECKING:
    from sabot.rules.chapter import Bonus
    from sabot.rules.round import Line, Stake


class Decided(NamedTuple):
    """An outcome as the live round takes it."""

    lines: "list[Line]"
    order: list[int]
    hands: dict[str, str]
    meters_before: MeterValues
    meters_after: MeterValues
    readings: Mapping[str, str]

    def __repr__(self) -> str:
        """Name no hand: it may be decided before its cards are turned."""
        return f"{type(self).__name__}()"


@dataclass(slots=True, eq=False, repr=False)
class Settlements:
    """Settle the live round by its cards or by declaration."""

    law: Law
    contest: Contest
    clock: TableClock
    play: Play
    cards: LaidCards
    linked_hits: LinkedHits
    shares: Shares
    # The outcome by the cards, found before they are turned, and what it followed from.
    _follows: tuple[object, ...] = field(init=False, default=())
    _ahead: Decided | None = field(init=False, default=None)

    def knows_cards(self) -> bool:
        """Return whether every card that settlement needs was read, and none came twice."""
        return self.cards.knows_all()

    def rules_round(self, meters: MeterValues) -> Round:
        """Return the round as ``rules`` settles it, with hands as read and meters as they were."""
        round_, read = self.play.current, self.cards.read_cards()
        return Round(
            chapter=self.law.chapter.id,
            options=self.law.setup.options,
            seats=tuple(self._rules_seat(seat, read) for seat in round_.bets),
            places=self._shared(read),
            meters=meters | linked.unknown(self.law.setup),
            magic_card=round_.magic_card,
            lucky=round_.lucky,
            irregularity=round_.irregularity,
            when=round_.when,
        )

    def _rules_seat(self, seat: int, read: Mapping[int, int]) -> Seat:
        round_, fourth = self.play.current, self._cards(f"seat{seat}:fourth", read)
        return Seat(
            number=seat,
            player=round_.players[seat],
            stakes=self.contest.stakes(seat),
            cards=self._cards(f"seat{seat}", read),
            fourth=fourth[0] if fourth else None,
            raises=len(round_.raises.get(seat, ())),
            folded=seat in round_.folded,
            abandoned=seat in round_.left,
        )

    def _cards(self, place: str, read: Mapping[int, int]) -> tuple[int, ...] | None:
        """Return the cards of a place in the order dealt, None where one of them was not read."""
        take = self.contest.laid.cards_at.get(place)
        if take is not None:
            try:
                return take(read)
            except KeyError:  # nobody read one of them
                return None
        positions = self.cards.in_order(place)
        cards = tuple([read[each] for each in positions if each in read])
        return cards if cards and len(cards) == len(positions) else None

    def _shared(self, read: Mapping[int, int]) -> dict[str, tuple[int, ...]]:
        hands = self.law.chapter.hands
        names = [place for place in hands.places if place != "player"]
        names += ["dealer_first"] if hands.dealer_first else []
        return {place: cards for place in names if (cards := self._cards(place, read)) is not None}

    # ---------------------------------------------------------------- by the cards

    def may_prepare(self) -> bool:
        """Return whether the round can be settled by its cards before they are turned."""
        return self.knows_cards() and not self.play.current.sealed

    def prepare(self) -> None:
        """Settle the round by its cards, where that was not done already; nobody is told."""
        if self._still_follows() is None:
            meters = self.shares.meters()
            # The copies first: should settling raise, nothing is kept.
            follows = self._basis(meters, *self.contest.involved_copied())
            self._ahead = self._decide(None, meters)
            self._follows = follows

    def _still_follows(self) -> Decided | None:
        """Return what was found ahead, if it follows from the round as it stands."""
        now = self._basis(self.shares.meters(), *self.contest.involved())
        return self._ahead if self._follows == now else None

    def _basis(self, meters: MeterValues, *involved: object) -> tuple[object, ...]:
        """Return what an outcome by the cards follows from."""
        round_ = self.play.current
        cards = self.contest.laid, self.cards.read_cards(), round_.magic_card, round_.lucky
        return (*cards, round_.irregularity, round_.when, meters, *involved)

    def lines_and_order(self) -> "tuple[list[Line], list[int]]":
        """Return lines and order of the outcome that is to come, else of the one that stands."""
        # What was found for a round that people finished, or that was declared after all, is no other's.
        ahead, round_ = self._still_follows(), self.play.current
        return (ahead.lines, ahead.order) if ahead is not None else (round_.lines, round_.order)

    def settle_known(self) -> None:
        """Settle the round by its cards."""
        self.prepare()
        assert self._ahead is not None  # it was prepared
        self._take(self._ahead)
        # It is the round's now, and a round that is put back as it stood is settled anew.
        self._ahead, self._follows = None, ()

    def take_outcome(self, declared: Declared | None, meters: MeterValues | None = None) -> None:
        """Keep the outcome that ``rules`` finds; ``meters`` as they were, if some were paid since."""
        # Where hits of this round were paid, the meters have moved:
        # what is left is settled by them as they were.
        self._take(self._decide(declared, self.shares.meters() if meters is None else meters))

    def _decide(self, declared: Declared | None, meters: MeterValues) -> Decided:
        found = self.law.settlement.settle(self.rules_round(meters), declared)
        order, hands = list(found.settle_order), dict(found.hands)
        return Decided(list(found.lines), order, hands, meters, found.meters, found.readings)

    def _take(self, decided: Decided) -> None:
        round_ = self.play.current
        round_.decide(decided.lines, decided.order, decided.hands)
        round_.meters_before, round_.meters_after = decided.meters_before, decided.meters_after
        self.linked_hits.take_outcome()
        # A reading stands in the record where it decided something,
        # so nobody has to guess which text was followed.
        for name, value in decided.readings.items():
            round_.note(self.clock.now, f"reading {name}={value}")


# ------------------------------------------------------------ payments that wait for the floor

# 500 for 1 is the law's (641a.11(c)(7)(ii)); 100 to 1 is ours, and a table file may name an amount instead.
ACCOUNT_ODDS, DECLARED_ODDS = 500, 100
ENVY = "envy:seat"


def _posted(odds: str) -> Fraction:
    """Return the odds of a stake of unknown value; a fixed sum counts in cents, whatever the stake."""
    if odds.startswith("$"):
        return Fraction(int(odds.removeprefix("$")) * 100)
    payout = parse_payout(odds)
    return payout.rate if payout else Fraction(0)


def payment_words(line: "Line") -> str:
    """Return whose payment waits, and how much where that is known and there is room."""
    amount = dollars(line.paid) if line.paid is not None else (line.odds or "").upper()
    ways = (f"SEAT {line.seat} PAYS {amount}", f"S{line.seat} PAYS {amount}", f"S{line.seat} {amount}")
    return first_that_fits(*ways, f"SEAT {line.seat} LARGE PAY")


@dataclass(slots=True, eq=False, repr=False)
class LargePayments:
    """Tell which payments wait for the floor."""

    law: Law
    contest: Contest
    cards: LaidCards
    shares: Shares

    def wants_floor(self, line: "Line") -> bool:
        """Return whether a floorperson looks at the payment of a win before it is made."""
        wager = self.law.chapter.wagers.get(line.wager)
        # A progressive is looked at whatever read the cards (641a.11(c)(5)(iii)).
        if wager is not None and (wager.envy or (wager.device == ACCOUNT and self._is_verified(line))):
            return True
        # Cards that a device read are not in doubt: there the size of a payment alone calls nobody.
        return self._is_large(line) and self.was_declared(line)

    def is_on_device(self, line: "Line") -> bool:
        """Return whether a payment is won on a device with a light, or on an account."""
        wager = self.law.chapter.wagers.get(line.wager)
        return wager is not None and bool(wager.envy or wager.device == ACCOUNT)

    def _is_verified(self, line: "Line") -> bool:
        return self.shares.share_payout(line) is not None or self.is_times(line, ACCOUNT_ODDS)

    def _is_large(self, line: "Line") -> bool:
        """Return whether a payment is large enough to wait."""
        # By the amount of the table file where it names one, else by the odds.
        least = self.law.setup.declared_floor_cents
        if least and line.paid is not None:
            return line.paid >= least
        return self.is_times(line, DECLARED_ODDS)

    def is_times(self, line: "Line", times: int) -> bool:
        """Return whether a payment is at least ``times`` its stake, or the stake that its bonus is on."""
        # Before a payout limit cut it: the odds are those of the hand.
        paid = line.paid if line.uncut is None else line.uncut
        stake = line.stake or self._base(line)
        # Paid by hand on a stake of unknown value: there are neither odds nor anything to hold it against.
        if paid is None or stake is None:
            return _posted(line.odds or "") >= times
        return paid >= times * stake

    def _base(self, line: "Line") -> "Stake":
        """Return the stake that a line without one is paid on; for envy it is one unit (reading G9)."""
        if line.wager.startswith(ENVY):
            return self.law.setup.options.progressive_unit
        bonus = next((each for each in self._bonuses() if each.line == line.wager), None)
        return self.contest.stakes(line.seat)[bonus.on if bonus else line.wager.partition(":")[0]]

    def _bonuses(self) -> "list[Bonus]":
        return [result.bonus for result in self.law.chapter.contest.results.values() if result.bonus]

    def was_declared(self, line: "Line") -> bool:
        """Return whether a payment rests on cards that no device read."""
        # Only the cards behind this very line: one that nobody read elsewhere says nothing of it.
        return not self.cards.read_cards().keys() >= self._cards_behind(line)

    def _cards_behind(self, line: "Line") -> Cards:
        """Return the cards that a line was settled by."""
        if line.wager.startswith(ENVY):
            return self.cards.cards_of(int(line.wager.removeprefix(ENVY)), ("own",))
        contest, wager = self.law.chapter.contest, self.law.chapter.wagers.get(line.wager.partition(":")[0])
        # A bonus without a wager of its own, and a wager on the
        # losing hand, rest on both hands of the contest.
        if wager is None or wager.settles is None or wager.settles.kind == "losing_hand":
            dealer = ("dealer",) if contest.against_dealer else ()
            return self.cards.cards_of(line.seat, (*contest.cards, *dealer))
        cards = self.cards.cards_of(line.seat, wager.settles.cards)
        return cards | self.cards.bonus_card(line.seat) if wager.bonus_card else cards
