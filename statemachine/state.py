"""All that a table knows, in plain values.

Nothing here decides anything. The state is what a snapshot holds: names, numbers, lists and dicts, with
cards that are not public inside ``Secret``. A room of the table (``opening``, ``betting``, ...) reads and
changes the part that is its own.
"""

from dataclasses import dataclass, field

from sabot.rules.plan import Placement
from sabot.rules.round import Line
from sabot.statemachine.events import OpenCard, Role, Secret
from sabot.statemachine.ledger import Entry, Ledger
from sabot.statemachine.phases import Phase

DECK_NAMES = ("A", "B")


@dataclass(slots=True)
class PlayedRound:
    """What a blast radius needs to know of a round."""

    number: int
    bets: dict[int, dict[str, int | None]]


@dataclass(slots=True)
class Deck:
    """A deck and its lineage."""

    name: str
    lot: str
    color: str
    preshuffled: bool = False
    opened_at: float = 0.0
    opened_by: str = ""
    verified_by: str = ""
    rounds: int = 0
    since_count: int = 0
    ready: bool = False
    counted: bool = False
    proof: str = ""
    sorted_since: bool = False
    noticed: bool = False
    age_unknown: bool = False
    was_cut: bool = False
    recut: bool = False
    retired: str = ""
    methods: list[str] = field(default_factory=list)
    unproven: list[PlayedRound] = field(default_factory=list)


@dataclass(slots=True)
class Lot:
    """A deck registered for the table and not yet opened."""

    lot: str
    color: str
    preshuffled: bool


@dataclass(slots=True)
class Hit:
    """A frozen progressive hit."""

    seat: int
    wager: str
    row: str
    cents: int
    needs_documents: bool
    validated_by: str = ""


@dataclass(slots=True)
class Note:
    """Something the record of a round keeps besides money and cards."""

    at: float
    words: str
    cite: str = ""
    by: str = ""


@dataclass(slots=True)
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
    plan: list[Placement] = field(default_factory=list)
    drawn: int = 0
    lap_from: int | None = None
    ordered: int = 0
    delayed: str = ""
    count_wanted: bool = False
    face_up: list[int] = field(default_factory=list)
    seen: list[Secret | None] = field(default_factory=list)
    raises: dict[int, list[int | None]] = field(default_factory=dict)
    folded: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    asking: int = 0
    last_asked: int = 0
    last_entry: str = ""
    collected: list[int] = field(default_factory=list)
    street: int = 0
    turned: int = 0
    magic_card: OpenCard | None = None
    lucky: int | str | None = None
    irregularity: str = ""
    when: str = ""
    void: str = ""
    declared_dealer: str = ""
    last_said: str = ""
    declared: dict[int, dict[str, str]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    meters_before: dict[str, dict[str, int]] = field(default_factory=dict)
    meters_after: dict[str, dict[str, int]] = field(default_factory=dict)
    hands: dict[str, str] = field(default_factory=dict)
    settled: int = 0
    hits: list[Hit] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    chips: int = 0
    stub: int | None = None
    by_hand: bool = False
    gave_back: bool = False
    frozen: list[Hit] = field(default_factory=list)

    def note(self, at: float, words: str, cite: str = "", by: str = "") -> None:
        """Keep something for the record."""
        self.notes.append(Note(at, words, cite, by))


@dataclass(slots=True)
class Undo:
    """What stood before the last declaration: it can be taken back until the next step is confirmed."""

    words: str
    phase: Phase
    boxes: dict[int, str]
    round: RoundState | None = None
    contributions: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Hold:
    """Why the table waits, and who may lift it once its cause was tested again."""

    kind: str
    device: str
    why: str
    cite: str
    role: Role
    needs_retest: bool
    since: float = 0.0
    retested: bool = False

    @property
    def may_be_lifted(self) -> bool:
        """Whether the right role's word is all that is missing."""
        return self.retested or not self.needs_retest


@dataclass(slots=True)
class Pending:
    """What the dealer is entering: a number or a choice, not yet confirmed."""

    number: int | None = None
    choice: int = 0
    fold: bool = False


@dataclass(slots=True)
class Menu:
    """An open list: its actions, the cursor, and the argument being chosen."""

    role: Role
    actions: list[str]
    cursor: int = 0
    action: str = ""
    values: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Day:
    """What the report of the gaming day counts."""

    rounds: int = 0
    voids: int = 0
    faults: int = 0
    unlocks: int = 0
    hits: int = 0
    opened: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    """A table."""

    phase: Phase
    method: str
    knowledge: str
    shuffler: str
    deck_count: int
    now: float = 0.0
    clock_offset: float = 0.0
    dealer: str = ""
    floor: str = ""
    unlocked: dict[str, str] = field(default_factory=dict)
    checklist: list[str] = field(default_factory=list)
    lots: list[Lot] = field(default_factory=list)
    decks: dict[str, Deck] = field(default_factory=dict)
    retired: list[Deck] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    in_play: str = ""
    in_shuffler: str = ""
    spread_up: bool = False
    bets: dict[int, dict[str, int | None]] = field(default_factory=dict)
    boxes: dict[int, str] = field(default_factory=dict)
    late: list[Note] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    round: RoundState | None = None
    rounds: int = 0
    since_count: int = 0
    holds: list[Hold] = field(default_factory=list)
    sorting: list[str] = field(default_factory=list)
    covered: list[str] = field(default_factory=list)
    out_of_order: list[str] = field(default_factory=list)
    pending: Pending = field(default_factory=Pending)
    menu: Menu | None = None
    undo: Undo | None = None
    ledger: Ledger = field(default_factory=Ledger)
    day: Day = field(default_factory=Day)

    def uncovered(self) -> list[str]:
        """The devices out of order that nobody has seen covered or signed (x.13(g))."""
        return [device for device in self.out_of_order if device not in self.covered]
