"""The lines before a round: cards received and looked at, shuffled and cut, the spread, open bets.

What is missing comes before what could be done next, and whoever can bring it is named: the dealer, the
floor. A locked round whose cards were ordered shuffled or cut once more has the words of both from here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sabot.rules.chapter import OUR_POLICY
from sabot.statemachine.action import Refused
from sabot.statemachine.cures import Cures
from sabot.statemachine.cutting import IdleWatch
from sabot.statemachine.decks import Decks
from sabot.statemachine.labels import Lines
from sabot.statemachine.law import Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.opening import Opening
from sabot.statemachine.out_of_order import OutOfOrder
from sabot.statemachine.shuffling import Shuffling
from sabot.statemachine.state.parts import Devices, OpenWagers, TableCrew
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.state.stock import Deck, Stock

SIGN_ON, REGISTER, CHANGE = "OK=DEALER SIGN ON", "FLOOR: REGISTER DECK", "FLOOR: CHANGE DECK"


@dataclass(slots=True, eq=False, repr=False)
class BeforeRoundPrompts:
    """Word the steps up to open bets."""

    law: Law
    crew: TableCrew
    stock: Stock
    devices: Devices
    layout: OpenWagers
    cures: Cures
    deck_room: Decks
    idle_watch: IdleWatch
    linked_meters: LinkedMeters
    opening: Opening
    out_of_order: OutOfOrder
    shuffling: Shuffling

    def closed_lines(self) -> Lines:
        """Word the step of a closed table."""
        # The first thing that is missing, and who can bring it: a dealer, then decks.
        second = "OK=RECEIVE CARDS" if len(self.stock.lots) >= self.devices.deck_count else REGISTER
        return "CLOSED", second if self.crew.dealer else SIGN_ON, self.law.cite("4(a)")

    def inspecting_lines(self) -> Lines:
        """Word the inspection."""
        name = self.opening.deck_at_hand()
        return f"INSPECT DECK {name}" if name else "INSPECT CARDS", "THEN OK", self.law.cite("4(a)")

    def spread_lines(self) -> Lines:
        """Word the spread."""
        name = self.opening.deck_at_hand()
        return f"SPREAD {name}{' ' * bool(name)}IN COLUMNS", "PLAYER LOOKED? OK", self.law.cite("4(b)")

    def washing_lines(self) -> Lines:
        """Word the wash."""
        name = self.opening.deck_at_hand()
        return f"WASH {name}{' ' * bool(name)}AND STACK", "FACE DOWN, THEN OK", self.law.cite("4(c)")

    def verifying_lines(self) -> Lines:
        """Word what the floor verifies."""
        second = "FLOOR: VERIFY CARDS" if self.crew.checklist else "FLOOR: CHECK DEVICES"
        return "CARDS INSPECTED", second, self.law.cite("4(a)")

    def idle_lines(self) -> Lines:
        """Word the spread of an idle table."""
        way = "UP" if self.stock.spread_up else "DOWN"
        return f"SPREAD FACE {way}", "PLAYER LOOKED? OK", self.law.cite("5(f)")

    def shuffling_lines(self) -> Lines:
        """Word the shuffle, or that the deck is due."""
        name = self.stock.in_shuffler
        deck = self.stock.decks.get(name)
        # Before the words of the shuffle: no round may begin with this deck any more (x.3(c)).
        if deck is not None and self.deck_room.is_due(deck):
            return self._due(name)
        return (*self.shuffle_words(name), self.law.cite("5(a)"))

    def shuffle_words(self, name: str) -> tuple[str, str]:
        """Word the shuffle of a deck, by hand or by a machine."""
        # A person has to do something before the machine goes on: that comes before WAIT.
        if self.shuffling.shuffles_by_device() and self.stock.blocked == name:
            return "CARDS IN THE MACHINE", "TAKE THEM OUT"
        if self.shuffling.shuffles_by_device() and self.stock.put_in == name:
            return f"PUT DECK {name} IN", "TO BE SHUFFLED"
        if self.shuffling.shuffles_by_device():
            return f"SHUFFLING DECK {name}", "WAIT"
        return f"SHUFFLE DECK {name}", "THEN OK"

    def cutting_lines(self) -> Lines:
        """Word the cut."""
        return *self.cut_words(), self.law.cite("5(d)")

    def cut_words(self) -> tuple[str, str]:
        """Return how deep the cover card goes, and where it and all above it go (x.5(d))."""
        return f"CUT: COVER CARD {self.law.chapter.deck.cut_least_from_top}+", "ABOVE TO BOTTOM, OK"

    def _due(self, name: str) -> Lines:
        second = CHANGE if self.cures.fitting_lots(name) else REGISTER
        return f"DECK {name} IS DUE", second, self.law.chapter.deck.rules["change"].cite

    def bets_open_lines(self) -> Lines:
        """Word open bets, or what is missing before them."""
        deck = self.stock.decks.get(self.stock.in_play)
        if deck is not None and self.deck_room.is_due(deck):
            return self._due(deck.name)
        return self._not_yet(deck) or self._open()

    def _not_yet(self, deck: Deck | None) -> Lines | None:
        """Return the lines for what is missing before a round, or None where nothing is."""
        # One line has room for one thing: people first, then cards, then devices. No chapter asks for a name
        # at the table or for a checklist, so those two cite the house.
        if not self.crew.dealer:
            return "NO DEALER", SIGN_ON, OUR_POLICY
        if not self.crew.checklist:
            return "DEVICES NOT CHECKED", "FLOOR: CHECK DEVICES", OUR_POLICY
        if deck is None or not deck.ready:
            return f"DECK {self.stock.in_play} NOT READY", "FLOOR: RESHUFFLE", self.law.cite("5(a)")
        if self.devices.out_of_order and self._lacks_device():
            return "DEVICE OUT OF ORDER", "FLOOR: CHOOSE METHOD", self.law.chapter.out_of_order.cite
        # Last, for nothing is wrong: the table only waits for players.
        if self.layout.empty_since is not None and self.idle_watch.is_idle():
            return "NO PLAY: EMPTY SHOE", "AND RACK, SPREAD, OK", self.law.cite("5(f)")
        return None

    def _open(self) -> Lines:
        """Word open bets, and until somebody has a wager where the deck goes; a machine has it inside."""
        shut = self.linked_meters.shut_words() if self.law.links else ""
        first = f"BETS, {shut}" if shut else "BETS OPEN"
        if self.layout.bets or self.law.setup.one_machine or self.devices.shuffler == Shuffler.RESHUFFLER:
            return first, f"{len(self.layout.bets)} SEATS  LOCK=END", self.law.cite("7(c)")
        where = "HAND" if self.devices.method == "hand" else "SHOE"
        return first, f"DECK {self.stock.in_play} INTO {where}", self.law.cite("8(a)")

    def _lacks_device(self) -> bool:
        try:
            self.out_of_order.verify_devices()
        except Refused:
            return True
        return False


BEFORE_ROUND: Mapping[Phase, Callable[[BeforeRoundPrompts], Lines]] = {
    Phase.CLOSED: BeforeRoundPrompts.closed_lines,
    Phase.INSPECTING: BeforeRoundPrompts.inspecting_lines,
    Phase.VERIFYING: BeforeRoundPrompts.verifying_lines,
    Phase.SPREAD: BeforeRoundPrompts.spread_lines,
    Phase.WASHING: BeforeRoundPrompts.washing_lines,
    Phase.SHUFFLING: BeforeRoundPrompts.shuffling_lines,
    Phase.CUTTING: BeforeRoundPrompts.cutting_lines,
    Phase.IDLE: BeforeRoundPrompts.idle_lines,
    Phase.BETS_OPEN: BeforeRoundPrompts.bets_open_lines,
}
