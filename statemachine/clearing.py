"""Clearing the table so that each hand can be reconstructed, and the next deck (x.11(d), x.3(b)).

The record of the round is made as it ends: what became public stands in it openly, the rest as counts.
"""

# Theory of operation. What takes longest of a record is to find which cards are public in the end. That
# follows from what is known at the reveal, unless something is decided otherwise after it. So it is found
# after the reveal while nobody waits (``preparing``), together with all that it followed from; at the end
# these are compared, and it is found anew only where they differ.

from dataclasses import dataclass, field
from typing import NamedTuple

from sabot.statemachine.action import Action, Refused, of_way, phases
from sabot.statemachine.by_hand import ByHand
from sabot.statemachine.card_turning import READ, Turned
from sabot.statemachine.contest import DEALER, Contest, LaidCards
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.hits import Shares
from sabot.statemachine.law import Law
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.reveal_questions import EVERYBODY, HAND
from sabot.statemachine.shuffling import Shuffling
from sabot.statemachine.state.books import LastRecord, MoneyBooks, RoundRecord
from sabot.statemachine.state.parts import Devices, EntryState, OpenWagers, TableClock, TableCrew
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import Play, RoundState
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.state.stock import PlayedRound, Stock
from sabot.statemachine.stub import Stub
from sabot.statemachine.views import Views
from sabot.statemachine.vocabulary.effects import RecordRound
from sabot.statemachine.vocabulary.events import Key, Role

# ------------------------------------------------------------ the record


def _declared(round_: RoundState) -> dict[str, dict[str, str]]:
    """Return the dealer's words about each hand, and about shared cards, where no device saw them."""
    if not round_.declared:
        return {}
    words = {f"seat{seat}": dict(said) for seat, said in round_.declared.items() if said}
    shared = words.pop(f"seat{EVERYBODY}", {})
    dealer = {HAND: shared.pop(DEALER)} if DEALER in shared else {}
    return {place: said for place, said in {"dealer": dealer, **words, "shared": shared}.items() if said}


class PublicCards(NamedTuple):
    """The cards of a round for its record: how they lay, which became public, and how many did not."""

    public: dict[str, tuple[int, ...]]
    hidden: dict[str, int]
    # Only what was read and turned: a declared name stands under ``declared`` and nowhere else.
    hands: dict[str, str]
    known: dict[str, str]
    # The plan in words. They are many, so those of a new plan are found ahead too.
    plan: tuple[str, ...]

    def __repr__(self) -> str:
        """Name no card: they are found ahead, and each is a secret until its seat is settled."""
        return f"{type(self).__name__}()"


@dataclass(slots=True, eq=False, repr=False)
class RoundRecorder:
    """Make the record of a finished round."""

    law: Law
    contest: Contest
    recorded: LastRecord
    clock: TableClock
    crew: TableCrew
    stock: Stock
    layout: OpenWagers
    play: Play
    cards: LaidCards
    shares: Shares
    turned: Turned
    views: Views
    # What will be public once every seat is settled, found ahead, and what it followed from.
    _follows: tuple[object, ...] = field(init=False, default=())
    _in_the_end: PublicCards | None = field(init=False, default=None)

    def prepare(self) -> None:
        """Find what will be public in the end, the dearest part of a record."""
        if self._in_the_end is None or self._follows != self._basis(*self.contest.involved()):
            self._follows = self._basis(*self.contest.involved_copied())
            self._in_the_end = self._public_cards(self.views.turned_in_the_end())

    def _basis(self, *involved: object) -> tuple[object, ...]:
        """Return all that the cards which are public in the end follow from."""
        round_ = self.play.current
        decided = self.contest.laid, self.cards.read_cards(), round_.lines, round_.order, round_.hands
        return (*decided, round_.drawn, round_.turned, round_.irregularity, *involved)

    def public_cards(self) -> PublicCards:
        """Return what is public: as found ahead, if the round ended as it was decided then."""
        ahead = self._in_the_end
        if (
            ahead is not None
            and self.views.is_settled()
            and self._follows == self._basis(*self.contest.involved())
        ):
            return ahead
        return self._public_cards(self.views.turned_places())

    def _public_cards(self, turned: frozenset[str]) -> PublicCards:
        read, hands = self.cards.read_cards(), self.play.current.hands
        public, known = self.views.cards_shown(turned, read), self.turned.known_by(read)
        shown = {at: name for at, name in hands.items() if at in turned and known[at] == READ}
        return PublicCards(public, self.views.hidden_counts(public), shown, known, self.contest.laid.words)

    def keep_record(self) -> None:
        """Keep the record of the round that ends now as the last one."""
        self.recorded.keep(self.make_record())

    def make_record(self) -> RoundRecord:
        """Return the record of the round that ends now."""
        round_ = self.play.current
        # The deck may have left the table with a void: its lineage is in the books of the retired ones.
        deck, late = self.stock.decks.get(round_.deck), self.layout.late_notes()
        public, hidden, hands, known, plan = self.public_cards()
        # Field by field: laid together out of lists of names it takes twice as long.
        return RoundRecord(
            number=round_.number,
            chapter=self.law.chapter.id,
            deck=round_.deck,
            lot=deck.lot if deck else "",
            proof=deck.proof if deck else "",
            method=round_.method,
            knowledge=round_.knowledge,
            dealer=round_.dealer,
            floor=self.crew.floor,
            started_at=round_.started_at,
            ended_at=self.clock.now,
            bets=round_.bets,
            players=round_.players,
            raises=round_.raises,
            folded=tuple(round_.folded),
            left=tuple(round_.left),
            plan=plan,
            face_up=tuple(round_.face_up),
            chips=round_.chips,
            stub=round_.stub,
            public=public,
            hidden=hidden,
            hands=hands,
            known=known,
            magic_card=round_.magic_card,
            lucky=round_.lucky,
            meters_before=round_.meters_before,
            meters=self.shares.meters(),
            declared=_declared(round_),
            irregularity=round_.irregularity,
            when=round_.when,
            void=round_.void,
            by_hand=round_.by_hand,
            lines=tuple(round_.lines),
            hits=tuple(round_.hits),
            notes=tuple(round_.notes),
            late=late,
        )


# ------------------------------------------------------------ cards to the rack


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
    linked_hits: LinkedHits
    recording: RoundRecorder
    shuffling: Shuffling
    stub: Stub

    def verify_cleared(self, _value: str) -> None:
        """Raise where a round that was taken over lacks the line of a stake, or a sum that was paid."""
        still = len(self.by_hand.open_stakes())
        if still:
            raise Refused(f"{still} stakes have no line yet: SETTLED BY HAND")
        line = self.by_hand.unpriced()
        if line is not None:
            raise Refused(f"how much was paid for seat {line.seat} {line.wager}?")

    def clear_table(self, _value: str) -> None:
        """End the round, all cards being in the rack in order, and bring the next deck."""
        self.finish_round()
        self.next_deck()

    def count_round(self) -> None:
        """Count the round for its deck, for the table and for the day."""
        round_ = self.play.current
        deck = self.stock.decks.get(round_.deck)
        self.stock.count_round(round_.deck)
        self.books.day.rounds += 1
        if deck is not None:
            # Only where the device that dealt the round reads every card: a
            # proof of before the deal says nothing of after.
            is_proven = deck.proof == "composition" and self.devices.shuffler == Shuffler.RESHUFFLER
            deck.count_round(None if is_proven else PlayedRound(round_.number, round_.bets))

    def next_deck(self) -> None:
        """Bring the other deck in where two alternate (x.3(b)), else have the one deck shuffled."""
        used = self.stock.in_play
        other = next((name for name, deck in self.stock.decks.items() if name != used), "")
        if other and self.devices.deck_count > 1 and self.shuffling.shuffles_by_device():
            deck = self.stock.decks[other]
            # A deck whose time is over does not come in (x.3(c)); the display has it changed in SHUFFLING.
            if deck.ready and not self.deck_room.is_due(deck):
                self.stock.bring_in(other)
                self.phases.other_deck_in()
                if used in self.stock.decks:
                    self.shuffling.start_shuffle(used)
                return
            # The other deck has its turn, even though this one could be ready sooner (x.3(b)(3)).
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
        """Go on after a void: all wagers were given back."""
        # The wagers are back. Only now the shoe may move again, to put out what is left in it.
        self.dealing.free_recalled(self.play.current.void)
        self.phases.returned()
        self.dealing.order_stub()
        self.stub.count_at_last()

    def finish_round(self) -> None:
        """End the round: count and record it, and make its contributions final."""
        self.count_round()
        self.recording.keep_record()
        self.books.ledger.keep_round()
        self.linked_hits.close_round()
        self.out.emit(RecordRound(number=self.play.current.number))
        # Asked while there is a round: with none every fault concerns the table.
        put_off = self.faults.put_off()
        self.play.end()
        self.entry.clear_pending()
        # With the round over, a fault of the shuffler concerns the table (reading V15).
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
