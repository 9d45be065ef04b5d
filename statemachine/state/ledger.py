"""The progressive ledger: double entry, so that every cent of every meter has a cause.

Accounts are ``meter.level`` (what the sign shows), its ``reserve``, and three sides of the world:
``players`` (contributions come from them), ``house`` (seeds come from it) and ``winners`` (hits go to
them). Every entry moves an amount from one account to another, so all accounts sum to zero whatever
happens. Amounts are hundredths of a cent: whole percents of a cent are whole numbers of them, hundredths of a
percent of a unit of dollars are too, and the set-up refuses every other rate, so no fraction is ever lost.
Only a hit or a named cause lowers a meter.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from sabot.rules.frozen import mutable

# Not floats, not fractions: entries must sum to zero exactly, and be written and read back the same.
UNITS = 100  # hundredths of a cent
PLAYERS, HOUSE, WINNERS = "players", "house", "winners"


class Cause(NamedTuple):
    """The reason of an entry, with its round and seat."""

    what: str
    round: int
    seat: int = 0


class MeterEntry(NamedTuple):
    """One movement between two accounts."""

    source: str
    target: str
    units: int
    cause: Cause


SEED, CONTRIBUTION, RESERVE = "seed", "contribution", "reserve"
HIT, RESEED, REVERSAL, CORRECTION = "hit", "reseed", "reversal", "correction"
# Causes are words of the journal and of the day's report: to change one changes what old journals mean.
BY_HAND, STANDS, ADJUSTMENT = "hit by hand", "void undone", "adjustment"


def money(units: int) -> str:
    """Return an amount in dollars, to the hundredth of a cent."""
    sign = "-" if units < 0 else ""
    dollars, rest = divmod(abs(units), 100 * UNITS)
    return f"{sign}${dollars}.{rest:04d}"


def account(meter: str, level: str) -> str:
    """Return the account that a sign shows."""
    return f"{meter}.{level}"


def reserve(meter: str, level: str) -> str:
    """Return the account of a level's reserve."""
    return f"{meter}.{level}.reserve"


# An account, the cause of a change to it, and the units.
Share = tuple[str, str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Fed:
    """The amounts that a seat's wagers give: account, units and cause of each entry, and their sums.

    Seats that bet alike share one, and one is equal to itself alone, so that they are counted quickly.
    """

    entries: tuple[tuple[str, int, str], ...]
    sums: tuple[Share, ...]


@lru_cache(maxsize=16)
def _shares(fed: tuple[Fed, ...]) -> tuple[Share, ...]:
    """Return the sums to book for these seats; cached, for seats bet alike round after round."""
    sums: dict[tuple[str, str], int] = {}
    given: dict[str, int] = {}
    # LOCK brings a share of each wager of each seat, all on the same few accounts.
    for each, seats in Counter(fed).items():
        for target, what, units in each.sums:
            sums[target, what] = sums.get((target, what), 0) + seats * units
            given[what] = given.get(what, 0) + seats * units
    # The players' side first, as entry by entry: an account stands where it was moved first.
    taken = [(PLAYERS, what, -units) for what, units in given.items()]
    return *taken, *((*share, units) for share, units in sums.items())


class _Unwritten:
    """Slots that are no fields, for fields are what a snapshot has.

    What seats gave and no entry says yet, and the meters as shown last, until one of them is moved.
    """

    __slots__ = ("_shown", "_unwritten")


@mutable
class Ledger(_Unwritten):
    """Balances by account, what this day moved by cause, and what this round gave and drew (for a void)."""

    balances: dict[str, int] = field(default_factory=dict)
    contributions: list[MeterEntry] = field(default_factory=list)
    draws: list[MeterEntry] = field(default_factory=list)
    moved: dict[str, dict[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with nothing to write out."""
        self._unwritten: list[tuple[int, Mapping[int, Fed]]] = []  # a slot of the base, as the next one
        self._shown: dict[str, dict[str, int]] | None = None

    def post(self, source: str, target: str, units: int, cause: Cause) -> MeterEntry:
        """Move units from one account to another."""
        self._move(source, target, units, cause.what)
        return MeterEntry(source, target, units, cause)

    def _move(self, source: str, target: str, units: int, what: str) -> None:
        self._change(((source, what, -units), (target, what, units)))

    def _change(self, changes: Iterable[Share]) -> None:
        balances, moved, self._shown = self.balances, self.moved, None
        for name, what, units in changes:
            balances[name] = balances.get(name, 0) + units
            causes = moved.get(name)
            if causes is None:
                causes = moved[name] = {}
            causes[what] = causes.get(what, 0) + units

    def cents(self, meter: str, level: str) -> int:
        """Return the amount on the sign."""
        # A part of a cent stays on the meter and is not on the sign (reading P13).
        return self.balances.get(account(meter, level), 0) // UNITS

    def is_balanced(self) -> bool:
        """Return whether all accounts sum to zero."""
        return sum(self.balances.values()) == 0

    def seed(self, meter: str, level: str, cents: int, cause: Cause) -> MeterEntry:
        """Put money of the house on a meter."""
        return self.post(HOUSE, account(meter, level), cents * UNITS, cause)

    def adjust(self, meter: str, level: str, cents: int, cause: Cause) -> MeterEntry:
        """Put a meter right, as people say: the house gives what is added and takes what is taken off."""
        sign = account(meter, level)
        # An entry moves a positive amount: which way is said by its accounts.
        source, target = (HOUSE, sign) if cents > 0 else (sign, HOUSE)
        return self.post(source, target, abs(cents) * UNITS, cause)

    def take_in(self, number: int, fed_by: Mapping[int, Fed]) -> None:
        """Book what the seats of a round contribute: each account is changed once for each cause.

        The entries are written out when somebody asks for them (``given``): some fifty at a lock, and a round
        that stands never needs them.
        """
        self._unwritten.append((number, fed_by))
        self._change(_shares(tuple(fed_by.values())))

    def given(self) -> list[MeterEntry]:
        """Write out what the wagers of this round contributed, and return the entries."""
        unwritten = ((number, *each) for number, fed_by in self._unwritten for each in fed_by.items())
        for number, seat, fed in unwritten:
            causes = {what: Cause(what, number, seat) for what in (CONTRIBUTION, RESERVE)}
            self.contributions += [
                MeterEntry(PLAYERS, target, units, causes[what]) for target, units, what in fed.entries
            ]
        self._unwritten.clear()
        return self.contributions

    def withdraw(self, entry: MeterEntry, cause: Cause) -> None:
        """Take one contribution back, by a named cause."""
        self.contributions.remove(entry)
        self.post(entry.target, entry.source, entry.units, cause)

    def reverse_round(self, cause: Cause) -> Iterator[MeterEntry]:
        """Take back what this round contributed, by a named cause, entry by entry as it is walked."""
        for entry in self.given():
            # The entry of before stays: a reversal is an entry of its own, the other way round.
            yield self.post(entry.target, entry.source, entry.units, cause)
        self.contributions.clear()

    def feed_again(self, entries: Sequence[MeterEntry], cause: Cause) -> None:
        """Give again what a round gave, by a named cause, for its reversal was a mistake."""
        for entry in entries:
            self.post(entry.source, entry.target, entry.units, cause)
        # A void after this must be able to take them back once more.
        self.given().extend(entries)

    def restore_draws(self, cause: Cause) -> Iterator[MeterEntry]:
        """Put back what hits of this round took, less their reseeding, entry by entry as it is walked."""
        for entry in self.draws:
            yield self.post(entry.target, entry.source, entry.units, cause)
        self.draws.clear()

    def keep_round(self) -> None:
        """Make the round's contributions and hits final: they can no longer be reversed."""
        self._unwritten.clear()
        self.contributions.clear()
        self.draws.clear()

    def pay(self, meter: str, level: str, cents: int, cause: Cause) -> MeterEntry:
        """Move a hit off the meter, and return its entry."""
        # Kept until the round stands, for a void puts hits back on their meters.
        self.draws.append(self.post(account(meter, level), WINNERS, cents * UNITS, cause))
        return self.draws[-1]

    def reseed(self, meter: str, level: str, cents: int, cause: Cause) -> MeterEntry:
        """Put the seed back on a meter that was hit, and return its entry."""
        self.draws.append(self.seed(meter, level, cents, cause))
        return self.draws[-1]

    def shown(self, meters: Iterable[str], signs: Mapping[str, tuple[str, str]]) -> dict[str, dict[str, int]]:
        """Return every meter as its signs show it; ``signs`` names them by the accounts that they show."""
        # A round's record has them, and the next round from its beginning: none moves between.
        if self._shown is not None:
            return self._shown
        shown: dict[str, dict[str, int]] = {meter: {} for meter in meters}
        for sign, (meter, level) in signs.items():
            shown[meter][level] = self.balances.get(sign, 0) // UNITS
        self._shown = shown
        return shown
