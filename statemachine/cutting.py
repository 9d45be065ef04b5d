"""Before the first card: the cut, recut and reshuffle, cards spread while nobody plays (x.5(d)-(g)).

Only cards that were shuffled by hand or came preshuffled are cut, so only those can be cut again. An approved
reshuffling device is exempt from cut, recut and spread.

For a table at which nobody plays (x.5(f)) the law names no time, so the table file does. It runs from the
moment at which bets are open and nobody has one, and a single wager ends it. Then the dealer is asked to take
the cards out of shoe and rack and to spread them.
"""

from dataclasses import dataclass

from sabot.statemachine.action import Action, Refused, of_way, phases
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.shuffling import Shuffling
from sabot.statemachine.state.parts import OpenWagers, TableClock, TableCrew
from sabot.statemachine.state.phases import BETS_OPEN, Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.events import Key, Role

BEFORE_CARDS = phases(Phase.BETS_OPEN, Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, Phase.DEALING)


@dataclass(slots=True, eq=False, repr=False)
class Cutting:
    """Cut, recut and reshuffle before the first card."""

    law: Law
    phases: Phases
    out: Outbox
    crew: TableCrew
    stock: Stock
    layout: OpenWagers
    play: Play
    shuffling: Shuffling

    def cut(self, _value: str) -> None:
        """Take the deck as cut, the cover card at least ten cards deep; bets may open."""
        self.stock.deck_in_play.cut()
        self.stock.take_off(self.stock.in_play)
        self.phases.cut()
        # Of two decks the first is dealt after its cut; the other goes to the shuffler meanwhile.
        for name in self.stock.opening:
            self.shuffling.start_shuffle(name)
        self.stock.put_on()

    def recut(self, _value: str) -> None:
        """Order another cut, for the floor, before the first card; in a locked round it precedes the deal."""
        deck = self.stock.decks[self.stock.in_play]
        self.out.note("recut ordered", self.law.cite("5(e)"), by=self.crew.person(Role.FLOOR))
        if self.play.round is not None:
            deck.direct_cut()
            return
        deck.break_up()
        self.phases.recut()

    def verify_recut(self, _value: str) -> None:
        """Raise unless the deck was cut by hand and has dealt nothing, with a device that is not exempt."""
        deck = self.stock.decks.get(self.stock.in_play)
        if deck is None or not deck.ready:
            raise Refused("the deck wants a shuffle, not a cut")
        self._verify_not_exempt("recut")
        # An ordered stack counts as dealt: it may be on its way out already.
        if self.play.round is not None and (self.play.current.drawn or self.play.current.ordered):
            raise Refused(f"cards have been dealt ({self.law.cite('5(e)')})")
        if not deck.was_cut:
            raise Refused(f"shuffled by a device, not cut ({self.law.cite('5(c)(1)')})")

    def _verify_not_exempt(self, what: str) -> None:
        if self.shuffling.is_exempt(what):
            raise Refused(f"not with this device ({self.law.chapter.deck.rules['reshuffler_exempt'].cite})")

    def reshuffle(self, _value: str) -> None:
        """Order a shuffle, for the floor; in a locked round it precedes the deal."""
        name = self.stock.in_play
        self.out.note("reshuffle ordered", self.law.cite("5(a)"), by=self.crew.person(Role.FLOOR))
        if self.play.round is None:
            # A locked round stays locked in its phase; only between
            # rounds the phase says that the deck is shuffled.
            self.phases.reshuffle()
        self.shuffling.reshuffle_locked(name)

    def verify_reshuffle(self, _value: str) -> None:
        """Raise once the first card was dealt (x.5(a))."""
        if self.play.round is not None and (self.play.current.drawn or self.play.current.ordered):
            raise Refused(f"cards have been dealt ({self.law.cite('5(a)')})")

    def nobody_playing(self, _value: str) -> None:
        """Have the cards spread face down until somebody comes (x.5(f)); whoever played here has gone."""
        self.stock.deck_in_play.spread()
        self.stock.spread_up = False
        # Boxes are joined for a player, and no player is there any more.
        self.layout.part_boxes()
        self.phases.nobody_playing()

    def show_faces(self, _value: str) -> None:
        """Have the cards spread face up, as a player asked (x.5(f))."""
        self.stock.spread_up = True
        self.out.note("cards spread face up on request", self.law.cite("5(f)"))

    def verify_nobody(self, _value: str) -> None:
        """Raise where a wager is on the table, or the device is exempt."""
        if self.layout.bets:
            raise Refused("there are wagers on the table")
        self._verify_not_exempt("idle")


ACTIONS = (
    Action("cut", "CARDS CUT", Role.DEALER, *of_way("cut"), Cutting.cut, key=Key.OK),
    Action("recut", "RECUT", Role.FLOOR, BEFORE_CARDS, "5(e)", Cutting.recut, Cutting.verify_recut),
    Action(
        "reshuffle",
        "RESHUFFLE",
        Role.FLOOR,
        BEFORE_CARDS | phases(Phase.CUTTING),
        "5(a)",
        Cutting.reshuffle,
        Cutting.verify_reshuffle,
    ),
    Action("show_faces", "SHOW FACES", Role.DEALER, phases(Phase.IDLE), "5(f)", Cutting.show_faces),
    Action(
        "nobody",
        "NOBODY PLAYING",
        Role.DEALER,
        *of_way("nobody_playing"),
        Cutting.nobody_playing,
        Cutting.verify_nobody,
    ),
)


# ------------------------------------------------------------ nobody plays


@dataclass(slots=True, eq=False, repr=False)
class IdleWatch:
    """Notice that nobody plays."""

    law: Law
    clock: TableClock
    layout: OpenWagers
    play: Play
    shuffling: Shuffling

    def watch(self) -> None:
        """Note since when bets are open with nobody betting."""
        if self.play.phase is not BETS_OPEN or self.layout.bets or self.shuffling.is_exempt("idle"):
            self.layout.empty_since = None
        elif self.layout.empty_since is None:
            self.layout.empty_since = self.clock.now

    def deadline(self) -> float | None:
        """Return when a table that nobody bets at is idle, None where somebody plays or nobody looks."""
        since, after = self.layout.empty_since, self.law.setup.idle_after_s
        return since + after if since is not None and after else None

    def is_idle(self) -> bool:
        """Return whether nobody has bet for as long as the table file says."""
        end = self.deadline()
        return end is not None and self.clock.now >= end
