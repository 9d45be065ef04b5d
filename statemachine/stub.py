"""The stub: to the rack unexposed, or counted face down when a count is due (x.8(e)-(h)).

A shuffler that counted this very deck waives the count, and the record says so each time. The count is
blind: it starts empty, and what would be right is not on the display. One that does not come out is the
dealer's to explain, and nothing else leads on: cards misdealt, or the deck is wrong and leaves the table. A
round that ends before its stub is counted at its end where a count is due.
"""

from dataclasses import dataclass

from sabot.statemachine.action import Action, Refused, allow, phases
from sabot.statemachine.contest import Contest
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.deciding import Deciding
from sabot.statemachine.decks import Decks
from sabot.statemachine.irregular import Irregularities
from sabot.statemachine.law import Law
from sabot.statemachine.state.parts import Devices, EntryState, TableClock, TableCrew
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.events import Key, Role
from sabot.statemachine.voiding import TakingBack

# The last entry of a round, where BACK has a way of its own.
STUB, COUNT_WANTED = "stub", "count wanted"

P = Phase
DEALER = Role.DEALER


@dataclass(slots=True, eq=False, repr=False)
class Stub:
    """Rack or count the stub."""

    law: Law
    phases: Phases
    contest: Contest
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    stock: Stock
    devices: Devices
    play: Play
    dealing: Dealing
    deciding: Deciding
    deck_room: Decks
    irregularities: Irregularities
    undo: TakingBack

    def waiver(self) -> str:
        """Return why the stub need not be counted, empty when it must be from time to time."""
        deck = self.stock.decks.get(self.play.current.deck)
        counts = (
            self.devices.shuffler in (Shuffler.COUNTING, Shuffler.RESHUFFLER)
            and "shuffler" not in self.devices.out_of_order
        )
        if counts and deck is not None and deck.counted:
            return f"shuffler counted {self.law.chapter.deck.pack} in deck {deck.name}"
        return ""

    def is_count_due(self) -> bool:
        """Return whether this round's stub must be counted (at least once every five rounds; reading V14)."""
        # Before the waiver: who counted the deck does not matter once the stub is in doubt.
        if self.play.current.count_wanted or self.play.current.miscounted:
            return True
        if self.waiver():
            return False
        # The rounds that are over; the one on the felt is the fifth.
        every = self.law.chapter.deck.stub_count_every_rounds - 1
        scope = self.law.readings["stub_count_scope"]
        # The law says "every five rounds" and not whose: the table's, the deck's or both (reading V14).
        by_table = scope != "deck" and self.stock.since_count >= every
        by_deck = scope != "table" and self.stock.decks[self.play.current.deck].since_count >= every
        return by_table or by_deck

    def verify_rack(self, _value: str) -> None:
        """Raise unless a due count was entered; the display does not say how many are expected."""
        if self.is_count_due():
            self.verify_counted()

    def verify_counted(self, _value: str = "") -> None:
        """Raise where no count was entered: it starts empty, and nothing is no count."""
        if self.entry.pending.number is None:
            raise Refused("count the stub first")

    def rack_stub(self, _value: str) -> None:
        """Put the stub in the rack unexposed, counted first when a count is due."""
        round_ = self.play.current
        # The last way around is dealt now: BACK takes back the stub before it.
        round_.confirm_lap()
        round_.enter(STUB)
        if not self.is_count_due():
            round_.stub_done = True
            if self.waiver():
                round_.note(self.clock.now, f"stub not counted: {self.waiver()}", self.law.stub_cite)
            self.after_stub()
        elif self._is_right():
            self.after_stub()
        else:
            self.phases.stub_differs()

    def _is_right(self) -> bool:
        """Take the count and return whether it is right; a wrong one must be determined (x.8(g)-(h))."""
        round_, expected = self.play.current, self.dealing.expected_stub()
        round_.stub = self.entry.pending.number
        round_.miscounted = round_.stub != expected
        self.entry.clear_pending()
        if round_.miscounted:
            round_.note(self.clock.now, f"stub {round_.stub}, expected {expected}", self.law.stub_cite)
            return False
        round_.note(self.clock.now, f"stub counted: {round_.stub}", self.law.stub_cite)
        self._count_is_done()
        return True

    def _count_is_done(self) -> None:
        """Note that the stub was counted: from the end of this round on, five rounds may pass."""
        self.play.current.stub_done, self.play.current.miscounted = True, False
        self.stock.counted_down(self.play.current.deck)

    def after_stub(self) -> None:
        """Have players asked, unless the contest is void or nobody has an Ante."""
        self.entry.clear_pending()
        if self.contest.is_void or not self.contest.players_to_ask():
            self.phases.reveal()
        else:
            self.phases.ask()
            self.deciding.ask_next()

    def verify_count(self, _value: str) -> None:
        """Raise where the stub is to be counted in any case."""
        if self.is_count_due():
            raise Refused("the stub is to be counted as it is")

    def count_stub(self, _value: str) -> None:
        """Have the stub counted though no count is due: the law says at least."""
        self.play.current.want_count(is_wanted=True)
        self.play.current.enter(COUNT_WANTED)

    def recount(self, _value: str) -> None:
        """Count again, from nothing."""
        self.phases.recount()
        self.entry.clear_pending()

    def take_back(self) -> None:
        """Take back, by BACK, the count being entered, a count asked for, or else the last way around."""
        round_ = self.play.current
        if self.is_count_due() and self.entry.pending.number is not None:
            self.entry.clear_pending()
        elif round_.last_entry == COUNT_WANTED:
            round_.want_count(is_wanted=False)
            round_.enter("")
        else:
            self.dealing.take_back_lap()

    def rack_again(self) -> None:
        """Have the stub that was just laid down counted or racked once more."""
        round_ = self.play.current
        words = "stub racked" if round_.stub is None else f"stub of {round_.stub}"
        round_.note(self.clock.now, f"{words} taken back", self.law.stub_cite, round_.dealer)
        # A stub that was counted is counted again; one that was only racked is racked again.
        round_.want_count(is_wanted=round_.count_wanted or round_.stub is not None)
        round_.stub, round_.stub_done = None, False
        round_.enter("")
        round_.turn_to(0)
        self.recount("")

    def misdealt(self, _value: str) -> None:
        """Void the round: a place has a wrong number of cards, and 52 are there in all."""
        # The floor may take it back: UNDO VOID.
        self.undo.remember("misdealt")
        self._count_is_done()
        self.irregularities.irregular("stub_misdealt")

    def stub_short(self, _value: str) -> None:
        """Void the round, and the deck leaves the table: it was not misdealt, so the deck is wrong."""
        self.undo.remember("not misdealt")
        self._count_is_done()
        self.irregularities.irregular("stub_short")

    # ---------------------------------------------------------------- a round that never came to its stub

    def count_at_last(self) -> None:
        """Have the stub of a round that is void or finished by hand counted too, before clearing (x.8(f)).

        Not where the deck has left the table, or was to be shuffled before its first card.
        """
        round_, deck = self.play.current, self.stock.decks.get(self.play.current.deck)
        is_there = deck is not None and not deck.reshuffle and not round_.stub_done
        if is_there and self.is_count_due():
            self.entry.clear_pending()
            self.phases.count_at_last()

    def count_last(self, _value: str) -> None:
        """Take the count of the stub of a round that is over."""
        if self._is_right():
            self.phases.last_right()
        else:
            self.phases.last_differs()

    def count_last_again(self, _value: str) -> None:
        """Count again, from nothing."""
        self.phases.count_last_again()
        self.entry.clear_pending()

    def last_misdealt(self, _value: str) -> None:
        """Determine a misdeal in a round that is over already; the deck stays."""
        self._determine("stub_misdealt")

    def last_short(self, _value: str) -> None:
        """Determine that a round which is over was not misdealt: the deck leaves the table."""
        cite = self._determine("stub_short")
        self.deck_room.remove_deck(self.play.current.deck, "stub short", cite)

    def _determine(self, kind: str) -> str:
        cite = self.law.chapter.irregularities[kind].cite
        self.play.current.note(self.clock.now, kind.replace("_", " "), cite, self.crew.dealer)
        self._count_is_done()
        self.phases.determined()
        return cite


ACTIONS = (
    Action(
        "rack_stub",
        "STUB TO RACK",
        DEALER,
        phases(P.STUB),
        "8(e)",
        Stub.rack_stub,
        Stub.verify_rack,
        key=Key.OK,
    ),
    Action(
        "count_stub", "COUNT THE STUB", DEALER, phases(P.STUB), "8(f)", Stub.count_stub, Stub.verify_count
    ),
    Action("recount", "COUNT AGAIN", DEALER, phases(P.STUB_WRONG), "8(f)", Stub.recount, key=Key.BACK),
    Action("misdealt", "MISDEALT", DEALER, phases(P.STUB_WRONG), "8(h)", Stub.misdealt, key=Key.OK),
    Action("stub_short", "NOT MISDEALT", DEALER, phases(P.STUB_WRONG), "8(h)", Stub.stub_short, key=Key.FOLD),
    *(
        Action(name, title, DEALER, phases(phase), section, do, verify, while_held=True, key=key)
        for name, title, key, phase, section, do, verify in (
            (
                "count_last",
                "STUB COUNTED",
                Key.OK,
                P.LAST_COUNT,
                "8(f)",
                Stub.count_last,
                Stub.verify_counted,
            ),
            ("count_last_again", "COUNT AGAIN", Key.BACK, P.LAST_WRONG, "8(f)", Stub.count_last_again, allow),
            ("last_misdealt", "MISDEALT", Key.OK, P.LAST_WRONG, "8(h)", Stub.last_misdealt, allow),
            ("last_short", "NOT MISDEALT", Key.FOLD, P.LAST_WRONG, "8(h)", Stub.last_short, allow),
        )
    ),
)
