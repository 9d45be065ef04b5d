"""The gaming day: what it opens with, what it counts, and the report it closes with.

A report must let finance explain every cent: each meter's opening value, what was moved on to it and off it
by each cause, and its closing value, in hundredths of a cent because that is what the ledger keeps. Beside
the money stand the decks with their lineage, and how often the table was held, voided or unlocked.
"""

from dataclasses import dataclass

from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused, phases
from sabot.statemachine.decks import Decks
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.books import Day, MoneyBooks
from sabot.statemachine.state.ledger import SEED, Cause, money
from sabot.statemachine.state.parts import OpenWagers, TableCrew
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.stock import Deck, Stock
from sabot.statemachine.vocabulary.effects import ReportDay
from sabot.statemachine.vocabulary.events import Role


def _lineage(deck: Deck) -> str:
    """Return the origin of a deck and what became of it."""
    what = "batch" if deck.preshuffled else "lot"
    verified = f", verified by {deck.verified_by}" if deck.verified_by else ""
    gone = f"; {deck.retired}" if deck.retired else ""
    opened = f"opened at {deck.opened_at:.0f} s by {deck.opened_by}{verified}"
    return f"deck {deck.name}, {what} {deck.lot}, {deck.color}: {opened}, {deck.rounds} rounds{gone}"


@dataclass(slots=True, eq=False, repr=False)
class GamingDay:
    """Open and close the gaming day."""

    law: Law
    phases: Phases
    out: Outbox
    crew: TableCrew
    stock: Stock
    layout: OpenWagers
    books: MoneyBooks
    deck_room: Decks

    def start_day(self) -> None:
        """The table opens: the day counts from here."""
        self.stock.forget_retired()
        self.books.ledger.moved.clear()
        self.books.day = Day(opened=dict(self.books.ledger.balances))

    def seed_meters(self) -> None:
        """Put the seeds on meters that were never used."""
        ledger = self.books.ledger
        for meter, levels in self.law.setup.meters.items():
            for level, terms in levels.items():
                # Once in a meter's life, not once a day: after that only a hit brings a seed.
                if f"{meter}.{level}" not in ledger.balances:
                    ledger.seed(meter, level, terms.seed_cents, Cause(SEED, 0))

    def verify_close(self, _value: str) -> None:
        """Only without wagers on the table."""
        if self.layout.bets:
            raise Refused("there are wagers on the table")

    def close(self, _value: str) -> None:
        """The gaming day ends with its report; the decks leave."""
        # Before the report: it tells what became of each deck.
        for name in list(self.stock.decks):
            self.deck_room.retire(name, "table closed", self.law.cite("3(c)"))
        self.out.emit(ReportDay(lines=tuple(self.day_report())))
        self.crew.end_day()
        self.layout.part_boxes()
        self.stock.close()
        self.phases.close()

    def day_report(self) -> list[str]:
        """The report of the gaming day."""
        day = self.books.day
        return [
            f"rounds {day.rounds}, voids {day.voids}, hits {day.hits}",
            f"faults {day.faults}, unlocks {day.unlocks}",
            *(_lineage(deck) for deck in [*self.stock.retired, *self.stock.decks.values()]),
            *(self._meter(account) for account in sorted(self.books.ledger.balances) if "." in account),
        ]

    def _meter(self, account: str) -> str:
        """One account of a meter: opened, each cause, closed."""
        ledger = self.books.ledger
        moved = ledger.moved.get(account, {})
        causes = "".join(f", {what} {money(units)}" for what, units in sorted(moved.items()))
        opened, closed = self.books.day.opened.get(account, 0), ledger.balances[account]
        return f"meter {account}: opened {money(opened)}{causes}, closed {money(closed)}"


ACTIONS = (
    Action(
        "close",
        "CLOSE TABLE",
        Role.FLOOR,
        BETWEEN_ROUNDS - phases(Phase.CLOSED),
        "-",
        GamingDay.close,
        GamingDay.verify_close,
        while_held=True,
    ),
)
