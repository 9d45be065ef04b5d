"""The round under way, and what may be taken back of it.

A round is one value: what was declared by mistake is undone by putting the round back as it stood. Whoever
changes it does so by what it offers.
"""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from sabot.rules.frozen import mutable
from sabot.rules.plan import Placement
from sabot.rules.round import Line
from sabot.statemachine.state.ledger import MeterEntry
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.events import OpenCard, Secret

# How an order of the shoe waits: for the dealer, who has not taken the stack before; or for the machine.
BY_EXIT, BUSY = "EXIT", "IS BUSY"


@mutable
class Hit:
    """A frozen progressive hit."""

    seat: int
    wager: str
    row: str
    cents: int
    needs_documents: bool
    validated_by: str = ""


@mutable
class Payment:
    """A payment made before a round turned out void, which is to be taken back."""

    seat: int
    wager: str
    cents: int | None


@mutable
class GoesBack:
    """Chips for the dealer to hand back: of a wager that does not stand, or ``late``; or to have put back."""

    seat: int
    wager: str
    cents: int | None
    way: str = ""


@mutable
class Sealed:
    """A draw of the round that nobody knows yet, and what it is held to."""

    draw: int
    seal: str


@mutable
class Note:
    """Something the record of a round keeps besides money and cards."""

    at: float
    words: str
    cite: str = ""
    by: str = ""


@mutable
class RoundState:
    """A round from the lock to the rack."""

    number: int
    deck: str
    dealer: str
    started_at: float
    method: str
    knowledge: str
    bets: dict[int, dict[str, int | None]]
    players: dict[int, str]
    # Made anew when a card lay face up, never changed in place: whoever looks it up tells a new plan by that.
    plan: list[Placement] = field(default_factory=list)
    # How many cards have left the deck. With the plan this says where each lies and which is next.
    drawn: int = 0
    # How many had left before the last way around that was keyed in; BACK goes back as far as here.
    lap_from: int | None = None
    # Cards that the shoe was ordered to put out and has not yet.
    ordered: int = 0
    stub_out: bool = False
    exit: str = "none"
    # Cards of the stub that the shoe was ordered to put out;
    # ``ejected`` once it has: the order is given once.
    ejecting: int = 0
    ejected: bool = False
    # What the dealer puts away before the next card, and why an order of the shoe waits.
    to_do: str = ""
    delayed: str = ""
    # The stub is to be counted though no count is due: the dealer asked, or the shoe put out another number.
    count_wanted: bool = False
    face_up: list[int] = field(default_factory=list)
    # In the order in which they left; None where nobody read the card.
    seen: list[Secret | None] = field(default_factory=list)
    # By street: their number says whether a seat has answered on this one.
    raises: dict[int, list[int | None]] = field(default_factory=dict)
    folded: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    # Boxes whose player left while they were settled: theirs is kept.
    kept_for: list[int] = field(default_factory=list)
    asking: int = 0
    last_asked: int = 0
    last_entry: str = ""
    # Folds whose forfeits are in the tray: what was collected is not collected again, and the fold stands.
    collected: list[int] = field(default_factory=list)
    street: int = 0
    turned: int = 0
    magic_card: OpenCard | None = None
    lucky: int | str | None = None
    sealed: list[Sealed] = field(default_factory=list)
    irregularity: str = ""
    when: str = ""
    void: str = ""
    # A card that was seen after the raises, where only one seen before them voids (682a.13(d)).
    # Should a decision open again, it was seen before it.
    exposed: str = ""
    take_back: list[Payment] = field(default_factory=list)
    hand_back: list[GoesBack] = field(default_factory=list)
    # For BACK: what was declared last, and whom was asked before.
    last_said: str = ""
    declared: dict[int, dict[str, str]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    meters_before: dict[str, dict[str, int]] = field(default_factory=dict)
    meters_after: dict[str, dict[str, int]] = field(default_factory=dict)
    hands: dict[str, str] = field(default_factory=dict)
    # Seats that are closed, and lines of the next one that were carried out: a hit may wait between them.
    settled: int = 0
    carried: int = 0
    hits: list[Hit] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    chips: int = 0
    stub: int | None = None
    stub_done: bool = False
    miscounted: bool = False
    # Taken over by the floor; ``gave_back`` where its contributions went back, so that there was no hit.
    by_hand: bool = False
    gave_back: bool = False
    # Hits that are announced by lamp and sign, with the amount that was on the meter then (x.12(d)(4)).
    frozen: list[Hit] = field(default_factory=list)

    @classmethod
    def blank(cls) -> "RoundState":
        """Return a round that nobody has locked yet."""
        return cls(0, "", "", 0.0, "", "", {}, {})

    def lock(
        self,
        number: int,
        deck: str,
        dealer: str,
        at: float,
        bets: dict[int, dict[str, int | None]],
        players: dict[int, str],
    ) -> None:
        """Begin a blank round: which it is, who deals what to whom, and since when."""
        self.number, self.deck, self.dealer, self.started_at = number, deck, dealer, at
        self.bets, self.players = bets, players

    def begin_with(self, notes: list[Note], meters: dict[str, dict[str, int]]) -> None:
        """Take over the notes since the last round, and the meters as they stand."""
        self.notes, self.meters_before = notes, meters

    def note(self, at: float, words: str, cite: str = "", by: str = "") -> None:
        """Keep something for the record."""
        self.notes.append(Note(at, words, cite, by))

    def ask(self, seat: int) -> None:
        """Ask a seat (0: none), and remember which was asked before."""
        self.last_asked, self.asking = self.asking or self.last_asked, seat

    def turn_to(self, seat: int) -> None:
        """Turn to the seat that is asked now (0: none, or what concerns all)."""
        self.asking = seat

    def close_answers(self) -> None:
        """Let BACK reopen no answer any more."""
        self.last_asked = 0

    def answer(self, seat: int, cents: int | None) -> None:
        """Add a seat's second wager."""
        # None: presence alone was felt, and no key named a multiple of a known Ante.
        self.raises.setdefault(seat, []).append(cents)

    def take_answer(self, seat: int) -> int | None:
        """Take a seat's second wager back."""
        return self.raises[seat].pop()

    def enter(self, what: str) -> None:
        """Remember what was entered last, where BACK has a way of its own."""
        self.last_entry = what

    def say(self, what: str) -> None:
        """Remember what was declared last."""
        self.last_said = what

    def want_count(self, *, is_wanted: bool) -> None:
        """Set whether the stub is to be counted though no count is due."""
        self.count_wanted = is_wanted

    def expose(self, kind: str) -> None:
        """Remember a card that was seen after the raises."""
        self.exposed = kind

    def take_exposed(self) -> str:
        """Return what was seen after the raises, and forget it: it counts as seen before them now."""
        kind, self.exposed = self.exposed, ""
        return kind

    def meet(self, kind: str, when: str | None = None) -> None:
        """Set the irregularity that ends the round or its contest."""
        self.irregularity, self.when = kind, self.when if when is None else when

    # ---------------------------------------------------------------- the deal

    def draw(self, cards: Sequence[Secret | None]) -> None:
        """Add cards that left the deck; what was entered or put away before them is done."""
        self.seen += cards
        self.drawn += len(cards)
        self.last_entry = self.to_do = ""

    def leave_stub(self) -> None:
        """Take what the shoe still has as the stub: it has given its last stack."""
        self.stub_out = True

    def begin_lap(self) -> None:
        """Begin a way around that is keyed in: BACK takes it back as far as here, and no order stands."""
        self.lap_from, self.ordered = self.drawn, 0

    def undo_lap(self, first: int) -> None:
        """Take the last way around as not dealt yet."""
        del self.seen[first:]
        self.drawn, self.lap_from = first, None

    def confirm_lap(self) -> None:
        """Take the last way around as dealt for good."""
        self.lap_from = None

    def no_card_missed(self) -> None:
        """Count the cards anew: one that was entered unread was none."""
        # The positions behind it move up by as many.
        self.drawn = len(self.seen)

    def put_away(self, what: str) -> None:
        """Set what the dealer puts away before the next card, empty where it is done."""
        self.to_do = what

    def deal_by(self, method: str, knowledge: str) -> None:
        """Set the method by which the round is dealt, and what is known of its cards."""
        self.method, self.knowledge = method, knowledge

    def order_cards(self, count: int) -> None:
        """Remember how many cards the shoe is ordered to put out."""
        self.ordered, self.delayed = count, ""

    def delay(self, why: str) -> None:
        """Remember why the order waits."""
        self.delayed = why

    def delay_by_shuffle(self, deck: str) -> None:
        """Let the order wait until a deck is shuffled."""
        self.delayed = f"SHUFFLES DECK {deck}"

    def shuffle_began(self, deck: str) -> None:
        """Name the deck that a busy machine shuffles: this report may come after that of the order."""
        if self.ordered and self.delayed == BUSY:
            self.delay_by_shuffle(deck)

    def end_order(self) -> None:
        """Forget the order: it was carried out, or is void."""
        self.ordered = 0

    def forget_orders(self) -> None:
        """Forget all orders, as a shoe that is halted does."""
        self.ordered = self.ejecting = 0

    def order_stub(self, count: int) -> None:
        """Remember that the shoe is ordered to put out the stub, and of how many cards."""
        self.ejecting = count

    def stub_came(self) -> int:
        """Take the stub as put out; return how many cards it should have."""
        expected, self.ejecting, self.ejected = self.ejecting, 0, True
        return expected

    def go_on_from(self, now: "RoundState") -> None:
        """Take over from the present round what the record and the shoe have had since."""
        # The record forgets nothing, also what is undone. The
        # shoe has heard its orders: it cannot unhear them.
        self.notes, self.ordered, self.delayed = now.notes, now.ordered, now.delayed

    # ---------------------------------------------------------------- the settlement

    def decide(self, lines: list[Line], order: list[int], hands: dict[str, str]) -> None:
        """Set the outcome: its lines, the order in which seats are settled, the hands."""
        self.lines, self.order, self.hands = lines, order, hands

    def put_lines(self, lines: list[Line]) -> None:
        """Set the lines of the round."""
        self.lines = lines

    def freeze(self, hit: Hit) -> None:
        """Add a hit that is announced, its amount frozen."""
        self.frozen.append(hit)

    def announce(self, frozen: list[Hit]) -> None:
        """Set the hits that are announced, and no others."""
        self.frozen = frozen

    def look_at(self, hit: Hit) -> None:
        """Add a hit that the floor validated, or said was paid."""
        self.hits.append(hit)

    def keep_hits(self, kept: Callable[[Hit], bool]) -> None:
        """Keep of the hits that the floor looked at those that stand."""
        self.hits = [hit for hit in self.hits if kept(hit)]

    def seal(self, draw: Sealed) -> None:
        """Add a draw that is under seal."""
        self.sealed.append(draw)

    def unseal(self, draw: int) -> None:
        """Drop the seal of a draw that is known."""
        self.sealed = [each for each in self.sealed if each.draw != draw]

    def hand_back_last(self, back: GoesBack) -> None:
        """Add chips that are to be handed back, or put back."""
        self.hand_back.append(back)

    def handed_back(self, left: list[GoesBack]) -> None:
        """Set the chips that are still to be handed back."""
        self.hand_back = left


@mutable
class Undo:
    """The state before the last declaration, which can be taken back until the next step is confirmed."""

    words: str
    phase: Phase
    boxes: dict[int, str]
    round: RoundState | None = None
    contributions: list[MeterEntry] = field(default_factory=list)


@mutable(kw_only=True)
class Play:
    """The play of a table: its phase, the round under way, and what may be taken back."""

    phase: Phase
    round: RoundState | None = None
    undo: Undo | None = None

    if TYPE_CHECKING:

        @property
        def current(self) -> RoundState:
            """The round under way; only phases within a round ask."""

    def begin(self, round_: RoundState) -> None:
        """Begin a round, or put one back as it stood."""
        self.round = round_

    def end(self) -> None:
        """End the round."""
        self.round = None

    def remember(self, undo: Undo | None) -> None:
        """Keep the state before a declaration that may be taken back."""
        self.undo = undo

    def confirm(self) -> None:
        """Leave nothing to take back: what was declared is confirmed by what followed."""
        self.undo = None


# The same slot under a second name: it is read a dozen times an event, and a property is a call each time.
Play.current = Play.round  # type: ignore[assignment,method-assign]
