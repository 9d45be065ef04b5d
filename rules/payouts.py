"""The pay of a row of a paytable, in exact fractions and integer cents.

The chapters know six kinds of payout and so does this module: ``9 to 1`` (the stake comes back beside it),
``9 for 1`` (it does not), ``10% of mega`` (a share of a meter, the stake gone), ``$100,000`` (a fixed sum
whatever the stake, which comes back), ``push`` and ``loss``. They are written in the chapter files as the law
prints them. A fraction of a cent is dropped, once per payment, in the house's favour (reading P13).
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from functools import cached_property


class PayKind(Enum):
    """The six ways in which the chapters pay a row."""

    TO = auto()
    FOR = auto()
    METER = auto()
    FIXED = auto()
    PUSH = auto()
    LOSS = auto()


# Asked of each wager of each seat, and a member of an Enum is found by a call of its class each time.
METER, FIXED, PUSH, LOSS = PayKind.METER, PayKind.FIXED, PayKind.PUSH, PayKind.LOSS
_UNPAID = {LOSS: "lose", PUSH: "push"}
KEEPS_STAKE = frozenset({PayKind.TO, PayKind.FIXED, PayKind.PUSH})

_ODDS = re.compile(r"(\d+) (to|for) (\d+)")
_METER = re.compile(r"(\d+)% of (\w+)")
_FIXED = re.compile(r"\$(\d{1,3}(?:,\d{3})*)")
_WORDS = {"push": PayKind.PUSH, "loss": PayKind.LOSS}


def grouped(number: int) -> str:
    """Return a number as the law prints it: ``200,000``."""
    return f"{number:,}"


def dollars(cents: int) -> str:
    """Return an amount as people read it: ``$5`` and ``$5.25``."""
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    whole, rest = divmod(cents, 100)
    return f"{sign}${grouped(whole)}" + (f".{rest:02d}" if rest else "")


def dollars_or(cents: int | None, unknown: str = "?") -> str:
    """Return an amount as people read it, or ``unknown`` where nobody could sense it."""
    return unknown if cents is None else dollars(cents)


@dataclass(frozen=True)
class Payout:
    """One cell of a paytable; without slots, so that it can remember how it is written."""

    kind: PayKind
    rate: Fraction = Fraction(0)
    level: str = ""
    cents: int = 0

    @cached_property
    def keeps_stake(self) -> bool:
        """Return whether the stake goes back to the player beside the payout."""
        return self.kind in KEEPS_STAKE

    @cached_property
    def unpaid(self) -> str:
        """The result of a wager that wins nothing (``lose`` or ``push``), empty where it wins something."""
        return _UNPAID.get(self.kind, "")

    def of_stake(self, stake: int) -> int:
        """Return the win on a stake beside the stake (shares of a meter are the ledger's matter)."""
        if self.kind is FIXED:
            return self.cents
        times, over = self._ratio
        # Cut off, once for the payment (reading P13): whole numbers all the way, no float comes near money.
        return stake * times // over

    @cached_property
    def _ratio(self) -> tuple[int, int]:
        return self.rate.as_integer_ratio()

    @cached_property
    def text(self) -> str:
        """The cell as the law prints it."""
        match self.kind:
            case PayKind.TO | PayKind.FOR:
                word = self.kind.name.lower()
                return f"{grouped(self.rate.numerator)} {word} {self.rate.denominator}"
            case PayKind.METER:
                meter = "meter" if self.level == "main" else self.level
                return f"{int(self.rate * 100)}% of {meter}"
            case PayKind.FIXED:
                return dollars(self.cents)
        return self.kind.name.lower()

    @property
    def odds(self) -> str:
        """The cell as programs read it: no commas between digits."""
        return self.text.replace(",", "")


def parse_payout(text: str) -> Payout | None:
    """Return the payout that a chapter file writes as ``text``; None when it is none of the six kinds."""
    if text in _WORDS:
        return Payout(_WORDS[text])
    plain = text.replace(",", "")
    if odds := _ODDS.fullmatch(plain):
        kind = PayKind.TO if odds[2] == "to" else PayKind.FOR
        # Odds to nothing, as in "9 to 0", are no payout.
        return Payout(kind, Fraction(int(odds[1]), int(odds[3]))) if int(odds[3]) else None
    if share := _METER.fullmatch(plain):
        level = "main" if share[2] == "meter" else share[2]
        return Payout(PayKind.METER, Fraction(int(share[1]), 100), level=level)
    # With its commas: in a sum they stand where thousands end.
    if _FIXED.fullmatch(text):
        return Payout(PayKind.FIXED, cents=int(plain[1:]) * 100)
    return None
