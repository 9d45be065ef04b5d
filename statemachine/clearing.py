"""Clearing the table so that each hand can be reconstructed, and the next deck (x.11(d), x.3(b))."""

from dataclasses import dataclass

from sabot.statemachine.action import Action, Refused, of_way, phases
from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.byhand import ByHand
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.effects import RecordRound
from sabot.statemachine.events import Key, Role
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.parts import Devices
from sabot.statemachine.people import EntryState
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.recording import RoundRecorder
from sabot.statemachine.round import Play
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.shuffling import Shuffling
from sabot.statemachine.stock import PlayedRound, Stock
from sabot.statemachine.stub import Stub


@dataclass(slots=True, eq=False, repr=False)
class Clearing:
    """Clear the table, and bring the next deck."""

    phases: Phases
    out: Outbox
    entry: EntryState
    stock: Stock
    devices: Devices
    books: MoneyBooks
    play: Play
    by_hand: ByHand
    dealing: Dealing
    deck_room: Decks
    faults: FaultLatch
    linked_meters: LinkedMeters
    recording: RoundRecorder
    shuffling: Shuffling
    stub: Stub

    def verify_cleared(self, _value: str) -> None:
        """A round that was taken over has a line for every stake, and a sum where it was paid."""
        still = len(self.by_hand.open_stakes())
        if still:
            raise Refused(f"{still} stakes have no line yet: SETTLED BY HAND")
        line = self.by_hand.unpriced()
        if line is not None:
            raise Refused(f"how much was paid for seat {line.seat} {line.wager}?")

    def clear_table(self, _value: str) -> None:
        """All cards are in the rack in order; the round is over and the next deck comes."""
        self.finish_round()
        self.next_deck()

    def count_round(self) -> None:
        """The round counts for its deck, for the table and for the day."""
        round_ = self.play.current
        deck = self.stock.decks.get(round_.deck)
        self.stock.count_round(round_.deck)
        self.books.day.rounds += 1
        if deck is not None:
            is_proven = deck.proof == "composition" and self.devices.shuffler == Shuffler.RESHUFFLER
            deck.count_round(None if is_proven else PlayedRound(round_.number, round_.bets))

    def next_deck(self) -> None:
        """The other deck comes in where two alternate (x.3(b)); else the one deck is shuffled."""
        used = self.stock.in_play
        other = next((name for name, deck in self.stock.decks.items() if name != used), "")
        if other and self.devices.deck_count > 1 and self.shuffling.shuffles_by_device():
            deck = self.stock.decks[other]
            if deck.ready and not self.deck_room.is_due(deck):
                self.stock.bring_in(other)
                self.phases.other_deck_in()
                if used in self.stock.decks:
                    self.shuffling.start_shuffle(used)
                return
            self.stock.put_in_shuffler(other)
            self.stock.put_on(*(name for name in (other, used) if name in self.stock.decks))
            self.phases.cleared()
            if not deck.ready:
                self.shuffling.start_shuffle(other)
            return
        self.phases.cleared()
        if used in self.stock.decks:
            self.shuffling.start_shuffle(used)

    def returned(self, _value: str) -> None:
        """All wagers were given back."""
        self.dealing.free_recalled(self.play.current.void)
        self.phases.returned()
        self.dealing.order_stub()
        self.stub.count_at_last()

    def finish_round(self) -> None:
        """The round is over: counted, recorded, its contributions final."""
        self.count_round()
        self.recording.keep_record()
        self.books.ledger.keep_round()
        self.linked_meters.close_round()
        self.out.emit(RecordRound(number=self.play.current.number))
        put_off = self.faults.put_off()
        self.play.end()
        self.entry.clear_pending()
        self.faults.hold_at_last(put_off)


ACTIONS = (
    Action(
        "clear",
        "TABLE CLEARED",
        Role.DEALER,
        phases(Phase.CLEARING),
        "11(d)",
        Clearing.clear_table,
        Clearing.verify_cleared,
        while_held=True,
        key=Key.OK,
    ),
    Action(
        "returned",
        "WAGERS RETURNED",
        Role.DEALER,
        *of_way("returned"),
        Clearing.returned,
        while_held=True,
        key=Key.OK,
    ),
)
