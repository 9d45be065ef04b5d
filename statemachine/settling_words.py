"""The two lines of a seat that is settled: what to pay and what to take, each on a line of its own.

A dealer has two seconds for it. So only what lies on the felt or leaves the tray is told in dollars: chips
that were collected before the deal are not taken again, what a meter or an account pays is said to be theirs,
and what is left of a seat's wagers stays with the player. A hit waits for the floor
when what stands before it is paid, and has lines of its own then.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.hits import Shares
from sabot.statemachine.labels import first_that_fits, sum_words
from sabot.statemachine.law import Law
from sabot.statemachine.settling import Settling

if TYPE_CHECKING:
    from sabot.rules.round import Line


def _pays(tray: "list[Line]") -> str:
    """From the tray; a stake of unknown value is paid by its odds."""
    # A wager that the pad could not value is settled as odds; a sum of the rest would leave it out.
    if any(line.paid is None for line in tray):
        return "PAY BY ODDS"
    paid = sum(line.paid or 0 for line in tray)
    return sum_words("PAY", paid) if paid else ""


def _credits(wins: "list[Line]") -> str:
    """Return the amount that the electronic wagering system pays to an account."""
    cents = sum(line.paid or 0 for line in wins)
    return sum_words("ACCOUNT", cents) if cents else ""


def _returns(lines: "list[Line]") -> str:
    return "RETURN WAGERS" if any(line.result in ("returned", "push") for line in lines) else ""


@dataclass(slots=True, eq=False, repr=False)
class SettlingWords:
    """Word what to pay and take at a seat."""

    law: Law
    settling: Settling
    shares: Shares

    def settling_lines(self) -> tuple[str, str, str]:
        """Return the lines for the seat that is settled now, up to a hit that waits for the floor."""
        seat, (now, awaited) = self.settling.current_seat(), self.settling.due()
        has_folds = bool(self.settling.play.current.collected)
        lines = [line for line in now if not self.settling.is_collected(line)] if has_folds else now
        idle = "HIT: OK, CALL FLOOR" if awaited else "NOTHING LEFT"
        todo = [words for words in self._moves(lines) if words] or [idle]
        cite = lines[0].cite if lines else self.law.cite("11(c)")
        # One line says who, the other what; with two moves the seat shares a line with the first.
        if len(todo) == 1:
            return f"SEAT {seat}", todo[0], cite
        return first_that_fits(f"SEAT {seat} {todo[0]}", f"S{seat} {todo[0]}", todo[0]), todo[1], cite

    def _moves(self, lines: "list[Line]") -> tuple[str, ...]:
        """Return what is paid and taken, in the order in which two lines are filled.

        Empty where there is nothing.
        """
        by_meter: list[Line] = []
        by_account: list[Line] = []
        tray: list[Line] = []
        for line in lines:
            if line.result == "win":
                self._paid_from(line, by_meter, by_account, tray).append(line)
        return (
            _pays(tray),
            self._takes(lines),
            self._meter_pays(by_meter),
            _credits(by_account),
            _returns(lines),
        )

    def _paid_from(
        self, line: "Line", by_meter: "list[Line]", by_account: "list[Line]", tray: "list[Line]"
    ) -> "list[Line]":
        if self.settling.is_share(line):
            return by_meter
        return by_account if self.settling.is_on_account(line) else tray

    def _takes(self, lines: "list[Line]") -> str:
        """Return what is taken from the felt; progressive chips were collected before the deal."""
        lost = [line for line in lines if line.result in ("lose", "forfeit") and self._is_felt(line)]
        if any(line.stake is None for line in lost):
            return "TAKE LOST WAGERS"
        taken = sum(line.stake or 0 for line in lost)
        return sum_words("TAKE", taken) if taken else ""

    def _is_felt(self, line: "Line") -> bool:
        return line.wager.partition(":")[0] in self.law.felt_wagers

    def _meter_pays(self, hits: "list[Line]") -> str:
        """A hit that is paid by a meter and not from the tray."""
        return sum_words("METER", sum(self.shares.hit_cents(line) for line in hits)) if hits else ""
