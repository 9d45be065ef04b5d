"""The phases of a table's life, and every way from one to another, as rows.

Theory of operation. Rule 1: whatever moves the table from phase to phase is in this file. A row names a
trigger, where it may be pulled, where it leads, and the paragraph behind it (``x`` stands for the chapter's
number). The rows feed a flat ``transitions`` machine, the diagram in the docs and the reachability tests
alike. Rule 2: being held is no phase. A fault or a doubt lies over whatever phase the table is in, and when
it is lifted the table stands where it stood; so no row is needed to go into a hold or out of it, and no
phase can be lost by one.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple, Protocol

from transitions import Event, Machine


class Phase(Enum):
    """The phase of the table: what it is doing."""

    CLOSED = "closed"
    INSPECTING = "inspecting"
    VERIFYING = "verifying"
    SPREAD = "spread"
    WASHING = "washing"
    SHUFFLING = "shuffling"
    CUTTING = "cutting"
    IDLE = "idle"
    BETS_OPEN = "bets_open"
    COUNTING_CHIPS = "counting_chips"
    CHIP_MISMATCH = "chip_mismatch"
    DEALING = "dealing"
    STUB = "stub"
    STUB_WRONG = "stub_wrong"
    DECIDING = "deciding"
    TURNING = "turning"
    DECLARING = "declaring"
    SETTLING = "settling"
    VALIDATING = "validating"
    DOCUMENTS = "documents"
    CLEARING = "clearing"
    RETURNING = "returning"
    LAST_COUNT = "last_count"
    LAST_WRONG = "last_wrong"

    # A phase is looked up several times an event, and that of Enum is a call that hashes the name each time.
    __hash__ = object.__hash__


# What is asked at most events, as names of this module: a member of an Enum is found by a call of its class
# each time, which takes fifteen times as long (CPython 3.11).
BETS_OPEN, COUNTING_CHIPS, DEALING, STUB = Phase.BETS_OPEN, Phase.COUNTING_CHIPS, Phase.DEALING, Phase.STUB
DECIDING, TURNING, DECLARING, SETTLING = Phase.DECIDING, Phase.TURNING, Phase.DECLARING, Phase.SETTLING
VALIDATING, CLEARING, SHUFFLING = Phase.VALIDATING, Phase.CLEARING, Phase.SHUFFLING
RETURNING, LAST_COUNT = Phase.RETURNING, Phase.LAST_COUNT


class Row(NamedTuple):
    """One way from phase to phase."""

    trigger: str
    sources: tuple[Phase, ...]
    dest: Phase
    section: str
    words: str


P = Phase
IN_ROUND = (
    P.COUNTING_CHIPS,
    P.CHIP_MISMATCH,
    P.DEALING,
    P.STUB,
    P.STUB_WRONG,
    P.DECIDING,
    P.TURNING,
    P.DECLARING,
    P.SETTLING,
    P.VALIDATING,
    P.DOCUMENTS,
)

# A round that is decided but for its cards; it is brought to its end whatever holds the table.
ENDING = (P.RETURNING, P.LAST_COUNT, P.LAST_WRONG, P.CLEARING)

# Open, and no round on the felt: a deck may have to leave, and the table may be closed.
SPREADING = (P.INSPECTING, P.VERIFYING, P.SPREAD, P.WASHING)
BEFORE_LOCK = (*SPREADING, P.SHUFFLING, P.CUTTING, P.IDLE, P.BETS_OPEN)
CHANGING = CLOSING = BEFORE_LOCK

# Where a void that was declared by mistake may be undone: nothing was paid yet.
VOIDABLE = (
    *(P.COUNTING_CHIPS, P.CHIP_MISMATCH, P.DEALING, P.STUB, P.STUB_WRONG),
    *(P.DECIDING, P.TURNING, P.DECLARING, P.SETTLING, P.VALIDATING),
)

ROWS = (
    # A deck that is changed in the middle of the day is inspected as at the opening (x.3(c), 4(a)); what came
    # preshuffled is cut at once, and into a reshuffler it goes uncut.
    Row("receive", (P.CLOSED, *CHANGING), P.INSPECTING, "4(a)", "cards received"),
    Row("receive_preshuffled", (P.CLOSED, *CHANGING), P.CUTTING, "4(e), 5(c)(2)", "preshuffled received"),
    Row("load", (P.CLOSED, *CHANGING), P.SHUFFLING, "4(e), 5(g)", "preshuffled into a reshuffler"),
    Row("inspected", (P.INSPECTING,), P.VERIFYING, "4(a)", "dealer inspected"),
    Row("verified", (P.VERIFYING,), P.SPREAD, "4(a)-(b)", "floor verified, cards spread"),
    Row("looked", (P.SPREAD, P.IDLE), P.WASHING, "4(c), 5(f)", "first player looked"),
    Row("next_deck", (P.WASHING,), P.SPREAD, "4(d)", "the other deck spread"),
    Row("washed", (P.WASHING,), P.SHUFFLING, "4(c)", "washed and stacked"),
    Row("shuffled_by_hand", (P.SHUFFLING,), P.CUTTING, "5(a), 5(c)(2)", "shuffled by hand"),
    # No way to CUTTING: what a device shuffled is not cut (5(c)(1)).
    Row("shuffled_by_device", (P.SHUFFLING,), P.BETS_OPEN, "5(a)-(b), 5(c)(1)", "shuffled by device"),
    Row("cut", (P.CUTTING,), P.BETS_OPEN, "5(d)", "cut"),
    Row("recut", (P.BETS_OPEN,), P.CUTTING, "5(e)", "recut ordered"),
    Row("reshuffle", (P.BETS_OPEN, P.CUTTING), P.SHUFFLING, "5(a)", "reshuffle ordered"),
    Row("nobody_playing", (P.BETS_OPEN,), P.IDLE, "5(f)", "nobody playing"),
    # From wherever the opening has come to: at the close every deck leaves the table.
    Row("close", CLOSING, P.CLOSED, "-", "table closed"),
    Row("lock", (P.BETS_OPEN,), P.COUNTING_CHIPS, "8(b), 9(a)(3), 10(a)(2)", "no more bets"),
    # Only progressive chips are counted (x.8(b)). A lock without one goes straight to the deal.
    Row("lock_without_chips", (P.BETS_OPEN,), P.DEALING, "8(b), 9(a)(3), 10(a)(2)", "no more bets"),
    Row("chips_equal", (P.COUNTING_CHIPS,), P.DEALING, "8(b), 9(a)(3), 10(a)(2)", "chips counted"),
    Row("chips_differ", (P.COUNTING_CHIPS,), P.CHIP_MISMATCH, "8(b)", "chips differ"),
    # Out of the deal too: BACK may take the count back until the first card has left.
    Row("recount_chips", (P.CHIP_MISMATCH, P.DEALING), P.COUNTING_CHIPS, "8(b)", "count again"),
    Row("mismatch_resolved", (P.CHIP_MISMATCH,), P.DEALING, "8(b)", "floor resolved"),
    Row("dealt", (P.DEALING,), P.STUB, "8(e), 9(c), 10(c)", "all cards placed"),
    # Back into the deal: by BACK, by a card of the last stack that lay face up, by NO CARD WAS MISSED.
    Row("not_dealt", (P.STUB,), P.DEALING, "13(a)", "a card is wanted yet"),
    Row("stub_differs", (P.STUB,), P.STUB_WRONG, "8(h), 9(f), 10(f)", "stub count wrong"),
    # Out of decisions too: BACK takes back the stub that was laid down last.
    Row("recount", (P.STUB_WRONG, P.DECIDING, P.TURNING), P.STUB, "8(f)", "count again"),
    Row("ask", (P.STUB, P.TURNING), P.DECIDING, "11(b)", "players asked"),
    Row("reveal", (P.STUB, P.DECIDING), P.TURNING, "11(c)", "decisions made"),
    Row("declare", (P.TURNING,), P.DECLARING, "11(c)", "hands declared"),
    Row("settle", (P.TURNING, P.DECLARING), P.SETTLING, "11(c)", "seat by seat"),
    # Also while a hit is looked at: the player may leave then, and another hand may be open again.
    Row("declare_again", (P.SETTLING, P.VALIDATING), P.DECLARING, "11(c)", "declared once more"),
    Row("hit", (P.SETTLING,), P.VALIDATING, "11(c)(5)(iii)", "progressive hit"),
    Row("hit_validated", (P.VALIDATING,), P.SETTLING, "11(c)(5)(iii)", "floor validated"),
    Row("await_documents", (P.SETTLING,), P.DOCUMENTS, "11(c)(5)(iv)", "documents due"),
    Row("all_settled", (P.SETTLING, P.DOCUMENTS), P.CLEARING, "11(d)", "all settled"),
    # A wrong number of cards may show as late as when they are picked up (x.13(c)).
    Row("void", (*IN_ROUND, P.CLEARING), P.RETURNING, "13", "round void"),
    # One trigger for each phase: a row leads to one place, and an
    # undone void has to lead to where the round stood.
    *(Row(f"stand_{phase.value}", (P.RETURNING,), phase, "-", "void undone") for phase in VOIDABLE),
    # Not to settling: people pay by lines of their own, and the floor enters them while the cards lie there.
    Row("finish_by_hand", IN_ROUND, P.CLEARING, "-", "finished by hand"),
    Row("returned", (P.RETURNING,), P.CLEARING, "13", "wagers returned"),
    # A round that was void or taken over may end before its
    # stub was counted; a count that is due is made then.
    Row("count_at_last", (P.CLEARING,), P.LAST_COUNT, "8(f), 9(d), 10(d)", "stub not counted yet"),
    Row("last_right", (P.LAST_COUNT,), P.CLEARING, "8(f), 9(d), 10(d)", "stub counted"),
    Row("last_differs", (P.LAST_COUNT,), P.LAST_WRONG, "8(h), 9(f), 10(f)", "stub count wrong"),
    Row("count_last_again", (P.LAST_WRONG,), P.LAST_COUNT, "8(f)", "count again"),
    Row("determined", (P.LAST_WRONG,), P.CLEARING, "8(h), 9(f), 10(f)", "misdealt or not"),
    Row("cleared", (P.CLEARING,), P.SHUFFLING, "11(d), 5(a)", "cards in the rack"),
    Row("other_deck_in", (P.CLEARING,), P.BETS_OPEN, "3(b)(3)", "other deck in"),
)


class Trigger(Event):
    """A trigger: straight to where the row of this phase leads.

    No row has a condition or a callback, and nothing is queued, so the library's way round by all of these
    has nothing to find; it takes as long as a third of an ordinary event. What may not be pulled here it
    refuses itself.
    """

    def __init__(self, *args: Any, **named: Any) -> None:  # noqa: ANN401 (as the library's)
        """Keep where each phase leads once that was found: naming a phase takes half as long as the rest."""
        super().__init__(*args, **named)
        self._leads: dict[object, object] = {}

    def trigger(self, model: Any, *_args: object, **_named: object) -> bool:  # noqa: ANN401 (as the library's)
        """Set the phase that the row leads to; the library refuses where there is no row."""
        phase = model.state
        leads_to = self._leads.get(phase)
        if leads_to is None:
            ways = self.transitions.get(phase.name)
            if ways is None:
                return bool(super().trigger(model))
            name = ways[0].dest
            assert name is not None  # every row leads somewhere
            leads_to = self._leads[phase] = self.machine.states[name].value
        model.state = leads_to
        return True


class Steps(Machine):
    """The machine of the rows: whether a trigger may be pulled here, and where it leads."""

    event_cls = Trigger

    def _checked_assignment(self, model: object, name: str, func: Callable[..., Any]) -> None:
        """Bind what the model declares; of all else, 80 names for each table, the library would warn."""
        if hasattr(model, name):
            setattr(model, name, func)


class InPhase(Protocol):
    """The part of the state that keeps the phase."""

    phase: Phase


class Phases:
    """The model of the machine: each trigger is declared here and bound by it.

    The phase is kept once, in the state: here it is only passed to the machine and back.
    """

    def __init__(self, kept: InPhase) -> None:
        self._kept = kept
        self._machine = Steps(
            model=self,
            states=Phase,
            transitions=[
                {"trigger": row.trigger, "source": list(row.sources), "dest": row.dest} for row in ROWS
            ],
            initial=kept.phase,
            # Each of these three was tried the other way (docs/decisions/0008): auto transitions jump from
            # anywhere, and a queue throws away the fault that waits behind one invalid trigger.
            auto_transitions=False,
            queued=False,
            # The library binds the methods that are declared below, so a checker knows every trigger by name.
            model_override=True,
        )

    @property
    def state(self) -> Phase:
        """The phase, as the machine asks for it."""
        return self._kept.phase

    @state.setter
    def state(self, phase: Phase) -> None:
        self._kept.phase = phase

    # Declared, never written: the machine puts its own triggers in their place.
    def receive(self) -> None: ...
    def receive_preshuffled(self) -> None: ...
    def load(self) -> None: ...
    def inspected(self) -> None: ...
    def verified(self) -> None: ...
    def looked(self) -> None: ...
    def next_deck(self) -> None: ...
    def washed(self) -> None: ...
    def shuffled_by_hand(self) -> None: ...
    def shuffled_by_device(self) -> None: ...
    def cut(self) -> None: ...
    def recut(self) -> None: ...
    def reshuffle(self) -> None: ...
    def nobody_playing(self) -> None: ...
    def close(self) -> None: ...
    def lock(self) -> None: ...
    def lock_without_chips(self) -> None: ...
    def chips_equal(self) -> None: ...
    def chips_differ(self) -> None: ...
    def recount_chips(self) -> None: ...
    def mismatch_resolved(self) -> None: ...
    def dealt(self) -> None: ...
    def not_dealt(self) -> None: ...
    def stub_differs(self) -> None: ...
    def recount(self) -> None: ...
    def ask(self) -> None: ...
    def reveal(self) -> None: ...
    def declare(self) -> None: ...
    def settle(self) -> None: ...
    def declare_again(self) -> None: ...
    def hit(self) -> None: ...
    def hit_validated(self) -> None: ...
    def await_documents(self) -> None: ...
    def all_settled(self) -> None: ...
    def void(self) -> None: ...
    def stand_counting_chips(self) -> None: ...
    def stand_chip_mismatch(self) -> None: ...
    def stand_dealing(self) -> None: ...
    def stand_stub(self) -> None: ...
    def stand_stub_wrong(self) -> None: ...
    def stand_deciding(self) -> None: ...
    def stand_turning(self) -> None: ...
    def stand_declaring(self) -> None: ...
    def stand_settling(self) -> None: ...
    def stand_validating(self) -> None: ...
    def finish_by_hand(self) -> None: ...
    def returned(self) -> None: ...
    def count_at_last(self) -> None: ...
    def last_right(self) -> None: ...
    def last_differs(self) -> None: ...
    def count_last_again(self) -> None: ...
    def determined(self) -> None: ...
    def cleared(self) -> None: ...
    def other_deck_in(self) -> None: ...
