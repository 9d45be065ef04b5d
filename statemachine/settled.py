"""How far the settlement of a round has come, line by line.

A seat is settled in the law's order, and a hit in the middle of it waits for the floor after what stands
before it was paid (641a.11(c)(3)-(5)). So between "not yet" and "settled" a seat may be begun, and whatever
takes back, declares again or finishes by hand asks here what was carried out.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.contest import Contest
from sabot.statemachine.law import Law
from sabot.statemachine.phases import Phase
from sabot.statemachine.round import Play, RoundState

if TYPE_CHECKING:
    from sabot.rules.round import Line, Stake


def begun(round_: "RoundState") -> list[int]:
    """Return the seats of which anything was paid or taken, in settle order."""
    return round_.order[: round_.settled + (round_.carried > 0)]


def carried_out(round_: "RoundState") -> "list[Line]":
    """Return the lines that were carried out, those of the seat that is half settled among them."""
    closed = round_.order[: round_.settled]
    half = begun(round_)[round_.settled :]
    done = [line for line in round_.lines if line.seat in closed]
    return done + [line for line in round_.lines if line.seat in half][: round_.carried]


def carried_spots(round_: "RoundState") -> set[tuple[int, str]]:
    """Return the seats and wagers of those lines."""
    return {(line.seat, line.wager) for line in carried_out(round_)}


@dataclass(slots=True, eq=False, repr=False)
class SettlingProgress:
    """Tell how far the settlement of a round has come."""

    law: Law
    contest: Contest
    play: Play

    def is_being_settled(self, seat: int) -> bool:
        """Return whether a seat is half settled: something was carried out, or its hit is looked at."""
        round_ = self.play.current
        if seat not in round_.order[round_.settled : round_.settled + 1]:
            return False
        is_looked_at = self.play.phase is Phase.VALIDATING or any(hit.seat == seat for hit in round_.hits)
        return round_.carried > 0 or is_looked_at

    def forfeited(self, seat: int) -> "list[tuple[str, Stake, str]]":
        """Return what a seat's fold forfeited of the contest: wager, stake, and by which paragraph."""
        contest, stakes = self.law.chapter.contest, self.contest.stakes(seat)
        cite = contest.forfeit_cites[len(self.play.current.raises.get(seat, ()))]
        return [(name, stakes[name], cite) for name in contest.wagers if name in stakes]
