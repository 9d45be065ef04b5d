"""The two lines of a seat that is settled: what to pay and what to take, each on a line of its own.

A dealer has two seconds for it. So only what lies on the felt or leaves the tray is told in dollars: chips
that were collected before the deal are not taken again, what a meter or an account pays is said to be theirs,
and what is left of a seat's wagers stays with the player.
"""

from typing import TYPE_CHECKING

from sabot.rules.payouts import dollars
from sabot.statemachine import chips, settling, shares
from sabot.statemachine.labels import WIDTH

if TYPE_CHECKING:
    from sabot.rules.round import Line
    from sabot.statemachine.table import Table


def settling_lines(table: "Table") -> tuple[str, str, str]:
    """What to do at the seat that is settled now."""
    seat = settling.current_seat(table)
    lines = [line for line in settling.seat_lines(table, seat) if not settling.is_collected(table, line)]
    todo = [words for ask in _MOVES if (words := ask(table, lines))] or ["NOTHING LEFT"]
    cite = next((line.cite for line in lines), table.cite("11(c)"))
    if len(todo) == 1:
        return f"SEAT {seat}", todo[0], cite
    firsts = (f"SEAT {seat} {todo[0]}", f"S{seat} {todo[0]}", todo[0])
    return next(first for first in firsts if len(first) <= WIDTH), todo[1], cite


def _device(table: "Table", line: "Line") -> str:
    wager = table.chapter.wagers.get(line.wager.partition(":")[0])
    return wager.device if wager else ""


def _pays(table: "Table", lines: "list[Line]") -> str:
    """From the tray; a stake of unknown value is paid by its odds."""
    wins = [line for line in lines if line.result == "win" and not settling.is_share(table, line)]
    tray = [line for line in wins if _device(table, line) != chips.ACCOUNT]
    if any(line.paid is None for line in tray):
        return "PAY BY ODDS"
    paid = sum(line.paid or 0 for line in tray)
    return f"PAY {dollars(paid)}" if paid else ""


def _takes(table: "Table", lines: "list[Line]") -> str:
    """What lies on the felt and is lost; progressive chips were collected before the deal."""
    lost = [
        line for line in lines if line.result in ("lose", "forfeit") and _device(table, line) == chips.FELT
    ]
    if any(line.stake is None for line in lost):
        return "TAKE LOST WAGERS"
    taken = sum(line.stake or 0 for line in lost)
    return f"TAKE {dollars(taken)}" if taken else ""


def _meter_pays(table: "Table", lines: "list[Line]") -> str:
    """A hit that is paid by a meter and not from the tray."""
    hits = [shares.hit_cents(table, line) for line in lines if settling.is_share(table, line)]
    return f"METER {dollars(sum(hits))}" if hits else ""


def _credits(table: "Table", lines: "list[Line]") -> str:
    """What the electronic wagering system pays to an account."""
    wins = [line for line in lines if line.result == "win" and not settling.is_share(table, line)]
    cents = sum(line.paid or 0 for line in wins if _device(table, line) == chips.ACCOUNT)
    return f"ACCOUNT {dollars(cents)}" if cents else ""


def _returns(_table: "Table", lines: "list[Line]") -> str:
    return "RETURN WAGERS" if any(line.result in ("returned", "push") for line in lines) else ""


# In the order in which two lines are filled.
_MOVES = (_pays, _takes, _meter_pays, _credits, _returns)
