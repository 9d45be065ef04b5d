"""The decks of a table: their lineage, which is dealt, which waits, which has left."""

# The life of a deck. A lot is registered, and opened under a name (A, or B where two alternate). It is
# inspected and shuffled, and so ready; brought in, dealt, and shuffled again after its round. When its time
# is over, or it proves bad, it is retired, and its lineage stays for the day's report. ``opening`` has the
# decks between the box and their first shuffle, ``in_shuffler`` the one that lies there or goes there next.

from collections.abc import Iterable
from dataclasses import field

from sabot.rules.frozen import mutable
from sabot.statemachine.vocabulary.events import Secret

DECK_NAMES = ("A", "B")


@mutable
class PlayedRound:
    """A played round, as a blast radius needs it."""

    number: int
    bets: dict[int, dict[str, int | None]]


@mutable
class Deck:
    """A deck and its lineage."""

    name: str
    lot: str
    color: str
    preshuffled: bool = False
    # Its life counts from here (x.3(c)).
    opened_at: float = 0.0
    opened_by: str = ""
    verified_by: str = ""
    rounds: int = 0
    # Rounds since its stub was counted (reading V14: those of the deck, beside those of the table).
    since_count: int = 0
    ready: bool = False
    # The device counted this very deck since it was shuffled: what waives the count of its stub (x.8(f)).
    counted: bool = False
    proof: str = ""
    # It was in a device that sorted, so a shuffle begun in play mode is wanted, however often one completes.
    sorted_since: bool = False
    # Its shuffle failed: a report counts after a new start (x.13(e)).
    failed: bool = False
    # It lies in the shoe no more; no spot opens for it.
    gone: bool = False
    # Cards that left before the deal, in their order: they are dealt first (x.13(b)).
    early: list[Secret | None] = field(default_factory=list)
    # The floor was called for its age, once.
    noticed: bool = False
    # Nobody knows how long the controller was down: the deck counts as due.
    age_unknown: bool = False
    # Only what was cut may be cut again (5(c)(1), 5(e)).
    was_cut: bool = False
    # Ordered for a locked round, and made before its first card.
    recut: bool = False
    reshuffle: bool = False
    # No shuffle has begun since its last round: a wrong number of that round may still be said (reading V23).
    as_dealt: bool = False
    retired: str = ""
    # All ways by which it was dealt; the shortest life of them counts (x.3(c)).
    methods: list[str] = field(default_factory=list)
    # What a deck that proves bad has touched: its rounds since it was last proven whole.
    unproven: list[PlayedRound] = field(default_factory=list)

    def begin_shuffle(self, *, is_sorting: bool) -> None:
        """Take the order as unknown; nothing that was ordered of this deck stands any more."""
        self.ready = self.counted = self.was_cut = self.reshuffle = self.gone = False
        self.early.clear()
        # A shuffle that is ordered while the device still sorts ends nothing.
        self.sorted_since = self.sorted_since and is_sorting

    def device_began(self, *, is_sorting: bool, is_untested: bool) -> None:
        """Note that a device began: in play mode that ends a sort, by a tested device also a failure."""
        self.ready = self.as_dealt = False
        self.sorted_since = self.sorted_since and is_sorting
        # A device whose fault was not tested since makes no new start by beginning again.
        self.failed = self.failed and is_untested

    def shuffled(self, proof: str) -> None:
        """Take it as shuffled by people."""
        self.proof, self.failed, self.as_dealt = proof, False, False

    def prove(self, proof: str, *, is_counted: bool, is_whole: bool) -> None:
        """Take it as shuffled by a device and ready, with its proof; ``is_whole``: its composition too."""
        self.counted, self.proof = is_counted, proof
        # A count proves no composition: a deck of the right number and
        # the wrong cards was once dealt for 420 hands.
        if is_whole:
            self.unproven.clear()
        self.ready, self.as_dealt = True, False

    def sort(self) -> None:
        """Take it as being in no shuffled order."""
        self.ready, self.sorted_since = False, True

    def fail(self) -> None:
        """Take its shuffle as failed: it is ready only after a new one."""
        self.ready, self.failed = False, True

    def lose(self, *, is_gone: bool) -> None:
        """Take it as lost out of the shoe."""
        self.fail()
        self.gone = is_gone

    def direct_shuffle(self, *, is_directed: bool) -> None:
        """Set whether the floor has directed a shuffle before the first card of a locked round."""
        self.reshuffle = is_directed

    def shuffled_for_round(self, proof: str) -> None:
        """Take the shuffle that was directed as made by hand: the cut comes next."""
        self.reshuffle, self.recut, self.proof = False, True, proof

    def direct_cut(self) -> None:
        """Have it cut, as the floor directs, before the first card of a locked round."""
        self.recut = True

    def cut_for_round(self) -> None:
        """Take the cut that was directed as made."""
        self.recut, self.was_cut = False, True

    def cut(self) -> None:
        """Take it as cut: it may be dealt."""
        self.ready = self.was_cut = True

    def break_up(self) -> None:
        """Take it as not ready to be dealt any more."""
        self.ready = False

    def spread(self) -> None:
        """Take it as spread on the felt, cards that had left it included."""
        self.ready = False
        self.early.clear()

    def leave_early(self, cards: Iterable[Secret | None]) -> None:
        """Add cards that left it before the deal."""
        self.early += cards

    def preshuffled_by(self, proof: str) -> None:
        """Take it as having come shuffled."""
        self.proof = proof

    def deal_by(self, method: str) -> None:
        """Add a method by which it is dealt now and was not before."""
        self.methods.append(method)

    def count_round(self, played: PlayedRound | None) -> None:
        """Count a round of it that is over; ``played`` where nothing proved it good."""
        self.rounds += 1
        self.since_count += 1
        self.ready, self.as_dealt = False, True
        if played is not None:
            self.unproven.append(played)

    def counted_down(self) -> None:
        """Note that its stub was counted: the end of this round makes the rounds since 0."""
        self.since_count = -1

    def mix(self) -> None:
        """Take it as not lying as it was dealt any more."""
        self.as_dealt = False


@mutable
class Lot:
    """A deck registered for the table and not yet opened."""

    lot: str
    color: str
    preshuffled: bool


@mutable(kw_only=True)
class Stock:
    """The decks: registered, opened, in play, in the shuffler, retired."""

    lots: list[Lot] = field(default_factory=list)
    decks: dict[str, Deck] = field(default_factory=dict)
    retired: list[Deck] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    # Which of the opened decks is inspected, spread or washed now: one after the other (x.4(d), reading D20).
    at_deck: int = 0
    in_play: str = ""
    # The deck of the round before: of two it is not dealt again next.
    dealt_last: str = ""
    in_shuffler: str = ""
    # The deck whose shuffle waits until other cards are out, and the deck that is not in the machine yet.
    blocked: str = ""
    put_in: str = ""
    spread_up: bool = False
    since_count: int = 0

    @property
    def deck_in_play(self) -> Deck:
        """The deck that is dealt."""
        return self.decks[self.in_play]

    def put_in_line(self, lot: Lot) -> None:
        """Register a deck behind those that are registered."""
        self.lots.append(lot)

    def put_first(self, name: str) -> None:
        """Put a registered deck first in line."""
        # The sort is stable: the others keep their turn.
        self.lots.sort(key=lambda lot: lot.lot != name)

    def next_lot(self) -> Lot:
        """Take the first lot out of the line, and return it."""
        return self.lots.pop(0)

    def open_deck(self, deck: Deck) -> None:
        """Open a registered deck, to be inspected."""
        # The name is taken by another deck now: a new deck was not dealt last.
        self.dealt_last = "" if self.dealt_last == deck.name else self.dealt_last
        self.decks[deck.name] = deck
        self.opening.append(deck.name)

    def retire(self, name: str, why: str) -> Deck:
        """Take a deck off the table and return it; its lineage stays for the report of the day."""
        deck = self.decks.pop(name)
        deck.retired = why
        self.retired.append(deck)
        self.take_off(name)
        # A deck that left cannot be waited for.
        self.in_shuffler = "" if self.in_shuffler == name else self.in_shuffler
        return deck

    def forget_retired(self) -> None:
        """Forget the decks that left: a new day counts its own."""
        self.retired.clear()

    def put_on(self, *names: str) -> None:
        """Set the decks that wait to be spread, washed or shuffled, and no others."""
        self.opening = list(names)

    def take_off(self, name: str) -> None:
        """Take a deck off those that wait."""
        self.opening = [each for each in self.opening if each != name]

    def bring_in(self, name: str) -> None:
        """Set the deck that is dealt from now on."""
        self.in_play = name

    def put_in_shuffler(self, name: str) -> None:
        """Set the deck that lies in the shuffler, or goes there next; empty for none."""
        self.in_shuffler = name

    def count_round(self, deck: str) -> None:
        """Count a round that is over, dealt from this deck."""
        self.dealt_last = deck
        self.since_count += 1

    def counted_down(self, deck: str) -> None:
        """Note that a round's stub was counted: its end makes the rounds since 0."""
        # As for the deck: the round that is counted ends later, and its end adds one.
        self.since_count = -1
        self.decks[deck].counted_down()

    def close(self) -> None:
        """Close: no deck waits, none is in play."""
        # The lots stay: what was registered and never opened waits for the next day.
        self.opening.clear()
        self.in_play = self.in_shuffler = ""
