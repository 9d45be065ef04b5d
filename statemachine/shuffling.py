"""Shuffle and cut (x.5), by hand or by device.

What a device counted or read is the deck's proof. A floorperson may order a recut or a reshuffle; an idle
table has its cards spread; an approved reshuffling device is exempt from the cut and the spread.
"""

# Where a deck may be: before the dealer (in shoe or hand, or spread on the felt), or in the shuffler, or on
# its way there. A report about a deck that cannot be in the shuffler is a contradiction. A deck becomes ready
# by a report that it is complete, and three things spoil that: a sort (until a shuffle begins in play mode),
# a failure (until a new start after its test, x.13(e)) and a wrong count or composition (it leaves, x.5(b)).

from collections.abc import Callable
from dataclasses import dataclass, field

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.decks import Decks
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.parts import Devices, HeldFault, Trouble
from sabot.statemachine.state.phases import DEALING, SHUFFLING, SPREADING, Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.state.stock import Deck, Stock
from sabot.statemachine.vocabulary.effects import EjectStub, StartShuffle
from sabot.statemachine.vocabulary.events import (
    Key,
    Role,
    Secret,
    ShuffleBlocked,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
)

COUNT_ONLY, COMPOSITION, BY_HAND = "count only", "composition", "by hand"
# Where a shuffle that the floor directed for a locked round is waited for.
BEFORE_CARDS = (Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, Phase.DEALING)
# With these a machine that shuffles and deals does neither.
STANDS_STILL = ("device", "short_stack", "not_emptied")
# What a shuffler says of itself when it stopped, or did not complete its cycle (x.13(e)).
FAILS = frozenset({"shuffler_jam", "device", "not_emptied"})


def composition_fault(cards: tuple[Secret, ...], pack: int) -> str:
    """Return the fault of a deck's composition, without naming a card."""
    distinct = len(set(cards))
    if distinct < len(cards):
        return f"{len(cards) - distinct} card(s) twice in the deck"
    return "" if distinct == pack else f"{distinct} different cards in the deck"


@dataclass(slots=True, eq=False, repr=False)
class Shuffling:
    """Shuffle the decks, by hand or by device."""

    law: Law
    phases: Phases
    out: Outbox
    stock: Stock
    devices: Devices
    trouble: Trouble
    play: Play
    deck_room: Decks
    faults: FaultLatch
    # Set by who composes the rooms: the deal lies above this room.
    order_stack: Callable[[], None] = field(init=False)
    void_with_deck: Callable[[str, str], None] = field(init=False)

    def shuffles_by_device(self) -> bool:
        """Return whether a device shuffles (and none is out of order)."""
        return self.devices.shuffler != Shuffler.HAND and "shuffler" not in self.devices.out_of_order

    def is_exempt(self, what: str) -> bool:
        """Return whether an approved reshuffling device frees the table of a duty (x.5(g))."""
        is_there = self.devices.shuffler == Shuffler.RESHUFFLER
        return is_there and what in self.law.chapter.deck.rules["reshuffler_exempt"].words

    def start_shuffle(self, name: str) -> None:
        """Begin a shuffle: the deck's order is unknown now, and a device, where there is one, shuffles it."""
        deck = self.stock.decks[name]
        deck.begin_shuffle(is_sorting=bool(self.devices.sorting))
        self.stock.blocked = self.stock.put_in = ""
        self.stock.put_in_shuffler(name)
        # A machine that is held gets no order; its release sends what waits (``on_lifted``). A deck that
        # is due is not shuffled any more, it is changed.
        is_stopped = any(self.stops_shuffler(held) for held in self.trouble.holds)
        if self.shuffles_by_device() and not is_stopped and not self.deck_room.is_due(deck):
            self.out.emit(StartShuffle(deck=name, cite=self.law.cite("5(a)")))

    def reshuffle_locked(self, name: str) -> None:
        """Have a deck shuffled, for a locked round before its first card: the round waits for it (x.5(a))."""
        self.start_shuffle(name)
        self.stock.decks[name].direct_shuffle(is_directed=self.play.round is not None)

    def stops_shuffler(self, held: HeldFault) -> bool:
        """Return whether a fault keeps the shuffler still: its own, or the shoe's of the same machine."""
        is_machine = self.law.setup.one_machine and held.device == "shoe"
        return held.device == "shuffler" or (is_machine and held.kind in STANDS_STILL)

    def to_be_shuffled(self) -> list[str]:
        """Return the decks that are in the shuffler, or are to be, and are not shuffled yet."""
        if self.play.phase is SHUFFLING:
            waiting = [self.stock.in_shuffler]
        # A deck that lies spread on the felt cannot lie in the shuffler; the other deck may.
        elif self.play.phase in SPREADING:
            waiting = [name for name in self.stock.decks if name not in self.stock.opening]
        else:
            waiting = [
                name
                for name, deck in self.stock.decks.items()
                if name != self.stock.in_play or deck.reshuffle
            ]
        return [name for name in waiting if name in self.stock.decks and not self.stock.decks[name].ready]

    def on_lifted(self, held: HeldFault) -> None:
        """Have decks shuffled that waited, where the fault that was released kept the shuffler still."""
        if self.stops_shuffler(held):
            self.order_shuffle_again()

    def order_shuffle_again(self) -> None:
        """Have the decks that waited in the shuffler shuffled anew: its fault is gone (x.13(e))."""
        for name in self.to_be_shuffled():
            # The order of the floor outlives the fault: a new start would forget it.
            is_directed = self.stock.decks[name].reshuffle
            self.start_shuffle(name)
            self.stock.decks[name].direct_shuffle(is_directed=is_directed)

    def verify_shuffled_by_hand(self, _value: str) -> None:
        """Raise where a device shuffles, or there is no deck to shuffle."""
        if self.shuffles_by_device():
            raise Refused("the shuffler does it: wait for its report")
        if self.stock.in_shuffler not in self.stock.decks:
            raise Refused("there is no deck to shuffle: change the deck")

    def shuffled_by_hand(self, _value: str) -> None:
        """Take the deck as shuffled by the dealer; the cards must be cut."""
        self.stock.bring_in(self.stock.in_shuffler)
        self.stock.deck_in_play.shuffled(BY_HAND)
        self.phases.shuffled_by_hand()

    def on_shuffle_started(self, event: ShuffleStarted) -> None:
        """Take a deck's order as unknown, for a device began to shuffle it; in play mode that ends a sort."""
        deck = self.stock.decks.get(event.deck)
        if deck is None:
            raise Refused(f"there is no deck {event.deck}")
        self.stock.blocked = self.stock.put_in = ""
        deck.device_began(is_sorting=bool(self.devices.sorting), is_untested=self._is_untested())
        if self.law.setup.one_machine and self.play.round is not None:
            self.play.round.shuffle_began(event.deck)

    def on_shuffle_blocked(self, event: ShuffleBlocked) -> None:
        """Put out cards that lie where a deck is to be shuffled, but a ready deck's; or ask for the deck."""
        decks, round_ = self.stock.decks, self.play.round
        if event.deck not in decks:
            raise Refused(f"there is no deck {event.deck}")
        if event.is_empty:
            self.stock.blocked, self.stock.put_in = "", event.deck
            return
        self.stock.blocked, self.stock.put_in = event.deck, ""
        is_other_ready = any(deck.ready for deck in decks.values())
        # While the shoe deals, cards in the machine may be those of the round: nothing is put out then.
        if self.faults.held is None and (round_ is None or round_.stub_out):
            self.out.emit(EjectStub(deck=event.deck if is_other_ready else "", cite=self.law.cite("5(a)")))

    def unblock(self) -> None:
        """Ask for the deck that cards lay in the way of: they came out; what is left is told anew."""
        self.stock.blocked, self.stock.put_in = "", self.stock.blocked or self.stock.put_in

    def _is_untested(self) -> bool:
        """Return whether a fault of the shuffler is untested: what it begins then is no new start."""
        return any(self.stops_shuffler(held) and not held.retested for held in self.trouble.holds)

    def sorted_by(self, device: str) -> None:
        """Spoil the decks in a device that left play mode: none of them is in a shuffled order any more."""
        for deck in self.stock.decks.values():
            # The deck before the dealer is in a shoe, the other in the
            # shuffler: each is spoilt by the device it is in.
            in_hand = deck.name == self.stock.in_play and self.play.phase is not SHUFFLING
            if self.devices.shuffler == Shuffler.RESHUFFLER or in_hand == (device != "shuffler"):
                deck.sort()

    def on_shuffle_completed(self, event: ShuffleCompleted) -> None:
        """Take a finished shuffle: its count or reading is the deck's proof; a bad deck leaves (x.5(b))."""
        deck = self.stock.decks.get(event.deck)
        if deck is None:
            raise Refused(f"there is no deck {event.deck}")
        # Before its count is believed: a report about a deck
        # that lies elsewhere is of another deck, or wrong.
        if not self.may_be_in_shuffler(deck):
            self.faults.hold("contradiction", "shuffler", f"it reports deck {deck.name}, which is not in it")
            return
        # A deck that was sorted is complete and in order of suits: elsewhere 16 hands were dealt of one.
        if deck.sorted_since and self.law.policies.sort_mode:
            raise Refused("the device was in sort or verify mode: shuffle again")
        why = self.why_bad(event)
        if why:
            self._remove_wrong(deck, why)
            return
        # A report behind a failure is of the shuffle that failed, unless a new one began (x.13(e)).
        if deck.failed:
            raise Refused(f"deck {deck.name} failed, and no new shuffle began ({self.law.cite('13(e)')})")
        self._take_proven(deck, event)

    def _remove_wrong(self, deck: Deck, why: str) -> None:
        """Remove a wrong deck; the round that was to be dealt from it is void with it."""
        cite = self.law.chapter.deck.rules["wrong_count"].cite
        # The round was to be dealt from it, and no other deck may take its place.
        if deck.reshuffle and self.play.phase in BEFORE_CARDS:
            self.void_with_deck(why, cite)
        else:
            self.deck_room.remove_deck(deck.name, why, cite)

    def _take_proven(self, deck: Deck, event: ShuffleCompleted) -> None:
        """Take a deck as ready, with what the device proved of it."""
        is_counted, is_whole = event.count == self.law.chapter.deck.pack, bool(event.composition)
        # What was really proved: a count of 52 is not 52 different cards, and the record says which it was.
        proof = COMPOSITION if is_whole else COUNT_ONLY if is_counted else "shuffled, not counted"
        deck.prove(proof, is_counted=is_counted, is_whole=is_whole)
        if self.play.phase is SHUFFLING and deck.name == self.stock.in_shuffler:
            self._into_play(deck.name)
        elif deck.reshuffle:
            deck.direct_shuffle(is_directed=False)
            if self.play.phase is DEALING:
                # The locked round has waited for this deck.
                self.order_stack()

    def may_be_in_shuffler(self, deck: Deck) -> bool:
        """Return whether a deck may be in the shuffler: not ready, nor before the dealer or spread."""
        return self.shuffles_by_device() and not (deck.ready or self._is_before_dealer(deck.name))

    def why_bad(self, event: ShuffleCompleted) -> str:
        """Return why a shuffled deck may not be played, empty where count and composition are right."""
        pack = self.law.chapter.deck.pack
        # A plain shuffler counts nothing: no number is not a wrong number.
        if event.count is not None and event.count != pack:
            return f"{event.count} cards counted"
        if event.composition and self.law.policies.composition:
            return composition_fault(event.composition, pack)
        return ""

    def _into_play(self, name: str) -> None:
        """Bring a shuffled deck into play, unless the other is ready and has its turn (x.3(b)(3)).

        The deck of the round before is not that other one, whatever a device says of it meanwhile.
        """
        at_hand = self.stock.decks.get(self.stock.in_play)
        has_turn = at_hand is not None and at_hand.ready and self.stock.in_play != self.stock.dealt_last
        self.stock.bring_in(self.stock.in_play if has_turn else name)
        self.stock.take_off(name)
        self.phases.shuffled_by_device()
        unready = [each for each, deck in self.stock.decks.items() if not deck.ready]
        waiting = next(iter((*self.stock.opening, *unready)), "")
        self.stock.put_on()
        self.stock.put_in_shuffler("")
        # One machine, one deck at a time: the next goes in when this one is out.
        if waiting:
            self.start_shuffle(waiting)

    # ---------------------------------------------------------------- a shuffle that fails (x.13(e))

    def on_shuffler_stopped(self, event: ShufflerStopped) -> None:
        """Have cards reshuffled after a jam, stop or unfinished cycle (x.13(e)); the round goes on."""
        self.fail_shuffle(event.deck)
        self.faults.hold("shuffler_jam", "shuffler", event.cause)

    def fail_shuffle(self, name: str = "") -> None:
        """Have a deck whose shuffle failed shuffled anew, or each that was being shuffled.

        A shuffler that is covered has no deck (x.13(g)): it spoils none that people have shuffled.
        """
        if self.devices.is_set_aside("shuffler"):
            return
        for each in [name] if name in self.stock.decks else self.to_be_shuffled():
            deck = self.stock.decks[each]
            deck.fail()

    def jam_shuffler(self) -> None:
        """Have all that lies in a jammed shuffler shuffled anew, a deck that was ready there too."""
        for name in [name for name in self.stock.decks if not self._is_before_dealer(name)]:
            self.fail_shuffle(name)

    def _is_before_dealer(self, name: str) -> bool:
        """Return whether a deck lies in the shoe or the hand, or spread on the felt."""
        phase = self.play.phase
        deck = self.stock.decks[name]
        if (
            phase in SPREADING and self.stock.opening and not deck.ready
        ):  # what was dealt last waits to be shuffled
            return name in self.stock.opening
        return name == self.stock.in_play and phase is not SHUFFLING and not deck.reshuffle

    def is_shuffler(self, device: str) -> bool:
        """Return whether a device shuffles: the shuffler, or as ``shoe`` a machine with a deck to shuffle."""
        is_machine = self.law.setup.one_machine or self.devices.shuffler == Shuffler.RESHUFFLER
        return device == "shuffler" or (is_machine and device == "shoe" and bool(self.to_be_shuffled()))


ACTIONS = (
    Action(
        "shuffled",
        "SHUFFLED BY HAND",
        Role.DEALER,
        phases(Phase.SHUFFLING),
        "5(a)",
        Shuffling.shuffled_by_hand,
        Shuffling.verify_shuffled_by_hand,
        key=Key.OK,
    ),
)
