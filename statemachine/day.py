"""The gaming day: what it opens with, what it counts, and the report it closes with.

A report must let finance explain every cent: each meter's opening value, what was moved on to it and off it
by each cause, and its closing value, in hundredths of a cent because that is what the ledger keeps. Beside
the money stand the decks with their lineage, and how often the table was held, voided or unlocked.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import decks
from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused, phases
from sabot.statemachine.effects import ReportDay
from sabot.statemachine.events import Role
from sabot.statemachine.ledger import SEED, Cause, money
from sabot.statemachine.phases import Phase
from sabot.statemachine.state import Day, Deck

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def start_day(table: "Table") -> None:
    """The table opens: the day counts from here."""
    state = table.state
    state.retired.clear()
    state.ledger.moved.clear()
    state.day = Day(opened=dict(state.ledger.balances))


def seed_meters(table: "Table") -> None:
    """Put the seeds on meters that were never used."""
    ledger = table.state.ledger
    for meter, levels in table.setup.meters.items():
        for level, terms in levels.items():
            if f"{meter}.{level}" not in ledger.balances:
                ledger.seed(meter, level, terms.seed_cents, Cause(SEED, 0))


def verify_close(table: "Table", _value: str) -> None:
    """Only without wagers on the table."""
    if table.state.bets:
        raise Refused("there are wagers on the table")


def close(table: "Table", _value: str) -> None:
    """The gaming day ends with its report; the decks leave."""
    state = table.state
    for name in list(state.decks):
        decks.retire(table, name, "table closed", table.cite("3(c)"))
    table.emit(ReportDay(lines=tuple(day_report(table))))
    state.checklist.clear()
    state.opening.clear()
    state.boxes.clear()
    state.in_play = state.in_shuffler = ""
    table.phases.close()


def day_report(table: "Table") -> list[str]:
    """The report of the gaming day."""
    day = table.state.day
    return [
        f"rounds {day.rounds}, voids {day.voids}, hits {day.hits}",
        f"faults {day.faults}, unlocks {day.unlocks}",
        *(_lineage(deck) for deck in [*table.state.retired, *table.state.decks.values()]),
        *(_meter(table, account) for account in sorted(table.state.ledger.balances) if "." in account),
    ]


def _lineage(deck: Deck) -> str:
    """Where a deck came from and what became of it."""
    what = "batch" if deck.preshuffled else "lot"
    verified = f", verified by {deck.verified_by}" if deck.verified_by else ""
    gone = f"; {deck.retired}" if deck.retired else ""
    opened = f"opened at {deck.opened_at:.0f} s by {deck.opened_by}{verified}"
    return f"deck {deck.name}, {what} {deck.lot}, {deck.color}: {opened}, {deck.rounds} rounds{gone}"


def _meter(table: "Table", account: str) -> str:
    """One account of a meter: opened, each cause, closed."""
    ledger = table.state.ledger
    moved = ledger.moved.get(account, {})
    causes = "".join(f", {what} {money(units)}" for what, units in sorted(moved.items()))
    opened, closed = table.state.day.opened.get(account, 0), ledger.balances[account]
    return f"meter {account}: opened {money(opened)}{causes}, closed {money(closed)}"


ACTIONS = (
    Action(
        "close",
        "CLOSE TABLE",
        Role.FLOOR,
        BETWEEN_ROUNDS - phases(Phase.CLOSED),
        "-",
        close,
        verify_close,
        while_held=True,
    ),
)
