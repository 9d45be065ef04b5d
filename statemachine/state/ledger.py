"""The progressive ledger: double entry, so that every cent of every meter has a cause.

Accounts are ``meter.level`` (what the sign shows), its ``reserve``, and three sides of the world:
``players`` (contributions come from them), ``house`` (seeds come from it) and ``winners`` (hits go to
them). Every entry moves an amount from one account to another, so all accounts sum to zero whatever
happens. Amounts are hundredths of a cent: whole percents of a cent are whole numbers of them, hundredths of a
percent of a unit of dollars are too, and the set-up refuses every other rate, so no fraction is ever lost.
Only a hit or a named cause lowers a meter.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from sabot.rules.frozen import mutable

UNITS = 100  # hundredths of a cent
PLAYERS, HOUSE, WINNERS = "players", "house", "winners"


class Cause(NamedTuple):
    """Why an entry was made, and in which round."""

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
BY_HAND, STANDS, ADJUSTMENT = "hit by hand", "void undone", "adjustment"
LOWERING = frozenset({HIT, BY_HAND, REVERSAL, CORRECTION, ADJUSTMENT})


def money(units: int) -> str:
    """An amount to the hundredth of a cent."""
    sign = "-" if units < 0 else ""
    dollars, rest = divmod(abs(units), 100 * UNITS)
    return f"{sign}${dollars}.{rest:04d}"


def account(meter: str, level: str) -> str:
    """The account that a sign shows."""
    return f"{meter}.{level}"


def reserve(meter: str, level: str) -> str:
    """The account of a level's reserve."""
    return f"{meter}.{level}.reserve"


@mutable
class Ledger:
    """Balances by account, what this day moved by cause, and what this round gave and drew (for a void)."""

    balances: dict[str, int] = field(default_factory=dict)
    contributions: list[MeterEntry] = field(default_factory=list)
    draws: list[MeterEntry] = field(default_factory=list)
    moved: dict[str, dict[str, int]] = field(default_factory=dict)

    def post(self, source: str, target: str, units: int, cause: Cause) -> MeterEntry:
        """Move units from one account to another."""
        self._move(source, target, units, cause.what)
        return MeterEntry(source, target, units, cause)

    def _move(self, source: str, target: str, units: int, what: str) -> None:
        for name, change in ((source, -units), (target, units)):
            self.balances[name] = self.balances.get(name, 0) + change
            causes = self.moved.setdefault(name, {})
            causes[what] = causes.get(what, 0) + change

    def cents(self, meter: str, level: str) -> int:
        """Return the amount on the sign."""
        return self.balances.get(account(meter, level), 0) // UNITS

    def is_balanced(self) -> bool:
        """Return whether all accounts sum to zero."""
        return sum(self.balances.values()) == 0

    def seed(self, meter: str, level: str, cents: int, cause: Cause) -> MeterEntry:
        """Money of the house on to a meter."""
        return self.post(HOUSE, account(meter, level), cents * UNITS, cause)

    def adjust(self, meter: str, level: str, cents: int, cause: Cause) -> MeterEntry:
        """People put a meter right: the house gives what is added and takes what is taken off."""
        sign = account(meter, level)
        source, target = (HOUSE, sign) if cents > 0 else (sign, HOUSE)
        return self.post(source, target, abs(cents) * UNITS, cause)

    def contribute(
        self, meter: str, level: str, stake_cents: int, percents: tuple[int, int], cause: Cause
    ) -> list[MeterEntry]:
        """A wager's share for the meter and for its reserve."""
        primary, held = percents
        shares = (account(meter, level), primary, CONTRIBUTION), (reserve(meter, level), held, RESERVE)
        entries = [
            MeterEntry(PLAYERS, target, stake_cents * percent, Cause(what, cause.round, cause.seat))
            for target, percent, what in shares
            if percent
        ]
        self.take_in(entries)
        return entries

    def take_in(self, entries: Sequence[MeterEntry]) -> None:
        """Book what players contribute: each entry is kept, an account is moved once for each cause."""
        self.contributions += entries
        sums: dict[str, dict[str, int]] = {}
        for entry in entries:
            causes = sums.setdefault(entry.target, {})
            what = entry.cause.what
            causes[what] = causes.get(what, 0) + entry.units
        for target, causes in sums.items():
            for what, units in causes.items():
                self._move(PLAYERS, target, units, what)

    def reverse_round(self, cause: Cause) -> Iterator[MeterEntry]:
        """Take back what this round contributed, by a named cause."""
        for entry in self.contributions:
            yield self.post(entry.target, entry.source, entry.units, cause)
        self.contributions.clear()

    def feed_again(self, entries: Sequence[MeterEntry], cause: Cause) -> None:
        """A reversal was a mistake: what the round gave is given again, by a named cause."""
        for entry in entries:
            self.post(entry.source, entry.target, entry.units, cause)
        self.contributions += entries

    def restore_draws(self, cause: Cause) -> Iterator[MeterEntry]:
        """Put back what this round's hits took, and take off what reseeded them, by a named cause."""
        for entry in self.draws:
            yield self.post(entry.target, entry.source, entry.units, cause)
        self.draws.clear()

    def keep_round(self) -> None:
        """The round stands: its contributions and hits can no longer be reversed."""
        self.contributions.clear()
        self.draws.clear()

    def pay(self, meter: str, level: str, cents: int, cause: Cause) -> MeterEntry:
        """A hit leaves the meter."""
        self.draws.append(self.post(account(meter, level), WINNERS, cents * UNITS, cause))
        return self.draws[-1]

    def reseed(self, meter: str, level: str, cents: int, cause: Cause) -> MeterEntry:
        """The seed comes back on a meter that was hit."""
        self.draws.append(self.seed(meter, level, cents, cause))
        return self.draws[-1]

    def shown(self, levels: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, int]]:
        """Every meter as its sign shows it."""
        return {meter: {level: self.cents(meter, level) for level in each} for meter, each in levels.items()}
