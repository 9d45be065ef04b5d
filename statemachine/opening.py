"""Opening the table and closing it: the gaming day, people, inspection, a deck that is changed (x.4).

Decks are opened by name (A, and B where two alternate). A day ends with its report, and the decks leave.
"""

# Theory of operation. Cards come to the table in one way, whether a day opens or a deck is changed.
# ``stock.opening`` has the decks that are on it, ``at_deck`` the one at hand: of two each is inspected,
# spread and washed by itself (x.4(d), reading D20), while the floor verifies all of them at once. Preshuffled
# cards skip all of that (x.4(e)). When the last deck is washed the first goes to the shuffler, and the other
# follows it there.

from dataclasses import dataclass

from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused, of_way, phases
from sabot.statemachine.decks import Decks
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.shuffling import Shuffling
from sabot.statemachine.state.books import Day, MoneyBooks
from sabot.statemachine.state.ledger import SEED, Cause, money
from sabot.statemachine.state.parts import Devices, EntryState, OpenWagers, TableClock, TableCrew
from sabot.statemachine.state.phases import BEFORE_LOCK, SPREADING, Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.stock import DECK_NAMES, Deck, Stock
from sabot.statemachine.vocabulary.effects import ReportDay
from sabot.statemachine.vocabulary.events import DealerSignedOn, Key, LotRegistered, Role

# ------------------------------------------------------------ the gaming day
#
# A report must let finance explain every cent: each meter's opening value, what was moved on to it and off it
# by each cause, and its closing value, in hundredths of a cent because that is what the ledger keeps. Beside
# the money stand the decks with their lineage, and how often the table was held, voided or unlocked.


def _lineage(deck: Deck) -> str:
    """Return in words the origin of a deck and what became of it."""
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
        """Begin a gaming day: rounds, decks and what meters move count from here."""
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
        """Raise where wagers are on the table."""
        if self.layout.bets:
            raise Refused("there are wagers on the table")

    def close(self, _value: str) -> None:
        """End the gaming day with its report; the decks leave."""
        # Before the report: it tells what became of each deck.
        for name in list(self.stock.decks):
            self.deck_room.retire(name, "table closed", self.law.cite("3(c)"))
        self.out.emit(ReportDay(lines=tuple(self.day_report())))
        self.crew.end_day()
        self.layout.part_boxes()
        self.stock.close()
        self.phases.close()

    def day_report(self) -> list[str]:
        """Return the report of the gaming day."""
        day = self.books.day
        return [
            f"rounds {day.rounds}, voids {day.voids}, hits {day.hits}",
            f"faults {day.faults}, unlocks {day.unlocks}",
            *(_lineage(deck) for deck in [*self.stock.retired, *self.stock.decks.values()]),
            *(self._meter(account) for account in sorted(self.books.ledger.balances) if "." in account),
        ]

    def _meter(self, account: str) -> str:
        """Return the line of one account of a meter: opened, each cause, closed."""
        ledger = self.books.ledger
        moved = ledger.moved.get(account, {})
        causes = "".join(f", {what} {money(units)}" for what, units in sorted(moved.items()))
        opened, closed = self.books.day.opened.get(account, 0), ledger.balances[account]
        return f"meter {account}: opened {money(opened)}{causes}, closed {money(closed)}"


DAY_ACTIONS = (
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


# ------------------------------------------------------------ the opening


@dataclass(slots=True, eq=False, repr=False)
class Opening:
    """Open the table: people, lots, inspection."""

    law: Law
    phases: Phases
    out: Outbox
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    stock: Stock
    devices: Devices
    play: Play
    deck_room: Decks
    faults: FaultLatch
    gaming_day: GamingDay
    shuffling: Shuffling

    def on_sign_on(self, event: DealerSignedOn) -> None:
        """Take a dealer who signs on, or relieves another between rounds."""
        # The record of a round names one dealer.
        if self.play.round is not None:
            raise Refused("relief only between rounds")
        self.crew.dealer = event.person
        self.out.note(f"dealer {event.person} on")

    def verify_relieved(self, _value: str) -> None:
        """Raise where there is nobody to relieve."""
        if not self.crew.dealer:
            raise Refused("no dealer has signed on")

    def relieved(self, _value: str) -> None:
        """Let the dealer go; no round begins before another has signed on."""
        self.out.note(f"dealer {self.crew.dealer} off")
        self.crew.dealer = ""

    def on_lot(self, event: LotRegistered) -> None:
        """Register a deck; it is opened when the table wants one."""
        self.deck_room.register(event.lot, event.color, preshuffled=event.preshuffled)

    def wants_dealer(self) -> bool:
        """Return whether the display asks for a dealer: OK begins the sign-on then, without a key switch."""
        is_asked = self.play.phase in (Phase.CLOSED, Phase.BETS_OPEN) and self.faults.held is None
        return is_asked and not self.crew.dealer and self.entry.menu is None and not self.entry.pending.lot

    def choose_lot(self, value: str) -> None:
        """Put a registered lot first in line."""
        self.stock.put_first(value)

    def lots(self) -> list[str]:
        """Return the lots to choose from."""
        return [lot.lot for lot in self.stock.lots]

    def verify_receive(self, _value: str) -> None:
        """Raise unless there are a dealer and as many decks, of different colors, as the table plays with."""
        if not self.crew.dealer:
            raise Refused("no dealer has signed on")
        self._verify_lots(self.devices.deck_count, set())

    def _verify_lots(self, wanted: int, colors_in_use: set[str]) -> None:
        found = self.stock.lots[:wanted]
        if len(found) < wanted:
            raise Refused(f"{wanted} deck(s) wanted, {len(found)} registered")
        # x.3(b)(1): a card of the other deck is seen by its back.
        colors = [lot.color for lot in found]
        if len(set(colors)) < len(colors) or colors_in_use & set(colors):
            raise Refused("the backs of two decks must differ in color")
        # They would part here: one is inspected and spread, the other is cut at once.
        if len({lot.preshuffled for lot in found}) > 1:
            raise Refused("one deck is preshuffled, the other is not")

    def receive(self, _value: str) -> None:
        """Take the decks to the table."""
        # Before the decks: their rounds and what they move belong to the new day.
        self.gaming_day.start_day()
        for name in DECK_NAMES[: self.devices.deck_count]:
            self._open_deck(name)
        self._receive_opened()

    def _receive_opened(self) -> None:
        """Have the decks inspected; preshuffled ones are cut (x.4(e)), or reshuffled uncut (x.5(g))."""
        self.stock.at_deck = 0
        if not all(self.stock.decks[name].preshuffled for name in self.stock.opening):
            self.phases.receive()
            return
        for name in self.stock.opening:
            self.stock.decks[name].preshuffled_by(f"batch {self.stock.decks[name].lot}")
        if self.shuffling.is_exempt("cut"):
            # A reshuffler takes what came preshuffled uncut, and shuffles it all the same (x.5(g)).
            self.phases.load()
            self.shuffling.start_shuffle(self.stock.opening[0])
        else:
            self.stock.bring_in(self.stock.opening[0])
            self.phases.receive_preshuffled()

    def _open_deck(self, name: str) -> None:
        lot = self.stock.next_lot()
        now, by = self.clock.now, self.crew.dealer
        self.stock.open_deck(Deck(name, lot.lot, lot.color, lot.preshuffled, opened_at=now, opened_by=by))
        self.deck_room.forget_deadlines()

    def deck_at_hand(self) -> str:
        """Return the deck that is inspected, spread or washed now, empty where there is one alone."""
        opening = self.stock.opening
        return opening[min(self.stock.at_deck, len(opening) - 1)] if len(opening) > 1 else ""

    def _goes_to_next(self) -> bool:
        """Go to the next deck that is opened, or back to the first; return whether there was a next."""
        is_next = self.stock.at_deck + 1 < len(self.stock.opening)
        self.stock.at_deck = self.stock.at_deck + 1 if is_next else 0
        return is_next

    def inspected(self, _value: str) -> None:
        """Take the deck at hand as inspected by the dealer, of two decks each by itself (x.4(d))."""
        if not self._goes_to_next():
            self.phases.inspected()

    def check_devices(self, _value: str) -> None:
        """Check off that shoe and shuffler were looked at for tampering, once a gaming day."""
        self.crew.check_off(f"shoe and shuffler inspected by {self.crew.person(Role.FLOOR)}")

    def verify_cards(self, _value: str) -> None:
        """Raise where the day's checklist is not done: only then the floor verifies what was inspected."""
        # Once a gaming day, before the first cards are verified.
        if not self.crew.checklist:
            raise Refused("shoe and shuffler not inspected today")

    def do_verify_cards(self, _value: str) -> None:
        """Take the inspection as verified by the floor; the cards are spread."""
        for name in self.stock.opening:
            self.stock.decks[name].verified_by = self.crew.person(Role.FLOOR)
        self.phases.verified()

    def looked(self, _value: str) -> None:
        """Go on after the first player had a look."""
        self.phases.looked()

    def washed(self, _value: str) -> None:
        """Take a deck as washed and stacked: the other is spread now (x.4(d)), else the shuffle begins."""
        if self._goes_to_next():
            self.phases.next_deck()
            return
        # An idle table has no deck that is opened: what was spread is the deck in play (x.5(f)).
        if not self.stock.opening:
            self.stock.put_on(self.stock.in_play)
        self.stock.put_in_shuffler(self.stock.opening[0])
        self.phases.washed()
        self.shuffling.start_shuffle(self.stock.in_shuffler)

    def verify_change(self, value: str) -> None:
        """Raise where no lot of another color than the deck that stays is registered."""
        stays = {deck.color for name, deck in self.stock.decks.items() if name != value}
        self._verify_lots(1, stays)

    def change_deck(self, value: str) -> None:
        """Take a deck out; a registered one comes in and is inspected."""
        if self.play.phase not in SPREADING:
            self.stock.put_on()  # a deck that waits for the shuffler is no deck to inspect
        if value in self.stock.decks:
            self.deck_room.retire(value, "deck changed", self.law.chapter.deck.rules["change"].cite)
        self._open_deck(value)

        self._receive_opened()

    def deck_names(self) -> list[str]:
        """Return the decks that may be changed: those at the table, and those that are missing."""
        there = list(self.stock.decks)
        missing = [name for name in DECK_NAMES if name not in there]
        return sorted([*there, *missing][: self.devices.deck_count])


ACTIONS = (
    Action(
        "receive",
        "RECEIVE CARDS",
        Role.DEALER,
        phases(Phase.CLOSED),
        "4(a)",
        Opening.receive,
        Opening.verify_receive,
        key=Key.OK,
    ),
    Action("inspected", "CARDS INSPECTED", Role.DEALER, *of_way("inspected"), Opening.inspected, key=Key.OK),
    Action("check_devices", "DEVICES CHECKED", Role.FLOOR, BETWEEN_ROUNDS, "-", Opening.check_devices),
    Action(
        "verify_cards",
        "VERIFY CARDS",
        Role.FLOOR,
        phases(Phase.VERIFYING),
        "4(a)",
        Opening.do_verify_cards,
        Opening.verify_cards,
    ),
    Action(
        "looked",
        "PLAYER LOOKED",
        Role.DEALER,
        phases(Phase.SPREAD, Phase.IDLE),
        "4(c)",
        Opening.looked,
        key=Key.OK,
    ),
    Action(
        "relieved",
        "DEALER RELIEVED",
        Role.DEALER,
        BETWEEN_ROUNDS,
        "-",
        Opening.relieved,
        Opening.verify_relieved,
    ),
    Action("washed", "WASHED AND STACKED", Role.DEALER, *of_way("washed"), Opening.washed, key=Key.OK),
    Action(
        "choose_lot",
        "CHOOSE LOT",
        Role.FLOOR,
        BETWEEN_ROUNDS,
        "4(a)",
        Opening.choose_lot,
        values=Opening.lots,
        say=lambda _, lot: lot,
        while_held=True,
    ),
    Action(
        "change_deck",
        "CHANGE DECK",
        Role.FLOOR,
        phases(*BEFORE_LOCK),
        "3(c)",
        Opening.change_deck,
        Opening.verify_change,
        Opening.deck_names,
        lambda _, name: f"DECK {name}",
        while_held=True,
    ),
)
