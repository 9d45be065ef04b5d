"""All that a table knows, in plain values.

Nothing here decides anything. The state is what a snapshot holds: names, numbers, lists and dicts, with
cards that are not public inside ``Secret``. A room of the table (``opening``, ``betting``, ...) reads and
changes the part that is its own.
"""

from dataclasses import dataclass, field

from sabot.rules.plan import Placement
from sabot.rules.round import Line
from sabot.statemachine.effects import Owed
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
    failed: bool = False
    gone: bool = False
    early: list[Secret | None] = field(default_factory=list)
    noticed: bool = False
    age_unknown: bool = False
    was_cut: bool = False
    recut: bool = False
    reshuffle: bool = False
    as_dealt: bool = False
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
class Payment:
    """What was paid before a round turned out void, and is to be taken back."""

    seat: int
    wager: str
    cents: int | None


@dataclass(slots=True)
class GoesBack:
    """Chips for the dealer to hand back: of a wager that does not stand, or ``late``; or to have put back."""

    seat: int
    wager: str
    cents: int | None
    way: str = ""


@dataclass(slots=True)
class Missed:
    """Cards entered unread because their reports never came: from which position of the deck, how many."""

    first: int
    count: int


@dataclass(slots=True)
class Sealed:
    """A draw of the round that nobody knows yet, and what it is held to."""

    draw: int
    seal: str


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
    stub_out: bool = False
    exit: str = "none"
    ejecting: int = 0
    ejected: bool = False
    to_do: str = ""
    delayed: str = ""
    count_wanted: bool = False
    face_up: list[int] = field(default_factory=list)
    seen: list[Secret | None] = field(default_factory=list)
    raises: dict[int, list[int | None]] = field(default_factory=dict)
    folded: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    # Boxes whose player left while they were settled: theirs is kept.
    kept_for: list[int] = field(default_factory=list)
    asking: int = 0
    last_asked: int = 0
    last_entry: str = ""
    collected: list[int] = field(default_factory=list)
    street: int = 0
    turned: int = 0
    magic_card: OpenCard | None = None
    lucky: int | str | None = None
    sealed: list[Sealed] = field(default_factory=list)
    irregularity: str = ""
    when: str = ""
    void: str = ""
    exposed: str = ""
    take_back: list[Payment] = field(default_factory=list)
    hand_back: list[GoesBack] = field(default_factory=list)
    last_said: str = ""
    declared: dict[int, dict[str, str]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    meters_before: dict[str, dict[str, int]] = field(default_factory=dict)
    meters_after: dict[str, dict[str, int]] = field(default_factory=dict)
    hands: dict[str, str] = field(default_factory=dict)
    settled: int = 0
    carried: int = 0
    hits: list[Hit] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    chips: int = 0
    stub: int | None = None
    stub_done: bool = False
    miscounted: bool = False
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
    """Why the table waits, and who may lift it once its cause was tested again.

    ``unaccounted`` is how many cards went into the device and did not come out when it was emptied.
    """

    kind: str
    device: str
    why: str
    cite: str
    role: Role
    needs_retest: bool
    since: float = 0.0
    retested: bool = False
    unaccounted: int = 0

    @property
    def may_be_lifted(self) -> bool:
        """Whether the right role's word is all that is missing."""
        return self.retested or not self.needs_retest


@dataclass(slots=True)
class Pending:
    """What the dealer is entering: a number or a choice, not yet confirmed.

    ``felt`` is what a pad feels on the spot of the wager that is asked for (None: chips of unknown value),
    and ``counts`` whether that or the key counts where the two differ. ``lot`` is the color of a deck whose
    lot is being keyed in, ``digits`` as far as it has come. ``row`` is the row, and its question, that the
    cursor of a declaration was moved to: where a player leaves, another may stand there.
    """

    number: int | None = None
    choice: int = 0
    fold: bool = False
    felt: int | None = 0
    counts: str = ""
    lot: str = ""
    digits: str = ""
    row: str = ""


@dataclass(slots=True)
class Menu:
    """An open list: its actions, the cursor, and the argument being chosen.

    ``gone`` while the line that was shown may not be taken any more, until the cursor is moved.
    """

    role: Role
    actions: list[str]
    cursor: int = 0
    action: str = ""
    values: list[str] = field(default_factory=list)
    gone: bool = False

    @property
    def lines(self) -> list[str]:
        """The lines that the cursor walks."""
        return self.values if self.action else self.actions


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
class MeterLink:
    """A link as it was heard last: the configuration under which a wager counts, and why it is shut."""

    config: int
    why: str


@dataclass(slots=True)
class Contributed:
    """A wager of this round that contributed to a link."""

    seat: int
    wager: str
    cents: int
    config: int


@dataclass(slots=True)
class HitClaim:
    """A hit on a linked meter, from its seat's turn until nothing of it is open any more.

    ``grant`` and ``each`` are the floor's word (0: not heard yet), ``by`` who validated it or left it to the
    floor's console, ``none`` why it is no hit after all, ``refused`` why the floor grants nothing.
    """

    link: str
    round: int
    wager: str
    row: str
    seats: list[int]
    is_said: bool = True
    grant: int = 0
    each: int = 0
    by: str = ""
    none: str = ""
    refused: str = ""


@dataclass(slots=True)
class MeterLinks:
    """The linked meters of a table: what was heard, what this round gave, which hits are open."""

    links: dict[str, MeterLink] = field(default_factory=dict)
    heard: int = 0
    placed: list[Contributed] = field(default_factory=list)
    taken_back: list[Contributed] = field(default_factory=list)
    claims: list[HitClaim] = field(default_factory=list)


# ---------------------------------------------------------------- the parts of a table


@dataclass(slots=True, kw_only=True)
class TableClock:
    """The table's own time, which never goes back."""

    now: float = 0.0
    clock_offset: float = 0.0


@dataclass(slots=True, kw_only=True)
class TableCrew:
    """Who is at the table, with which role, and who was called."""

    dealer: str = ""
    floor: str = ""
    unlocked: dict[str, str] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    checklist: list[str] = field(default_factory=list)

    def person(self, role: Role) -> str:
        """Return who has unlocked a role."""
        return self.unlocked.get(role.value) or next(iter(self.unlocked.values()), "")


@dataclass(slots=True, kw_only=True)
class EntryState:
    """What is being entered at the keys: a number, a choice, a line of a list."""

    pending: Pending = field(default_factory=Pending)
    menu: Menu | None = None
    list_closed_at: float | None = None

    def clear_pending(self) -> None:
        """Forget what was being entered."""
        self.pending = Pending()

    def shut_list(self, at: float) -> None:
        """An open list must not hide what holds the table; an OK that was meant for it takes nothing."""
        if self.menu is not None:
            self.menu, self.list_closed_at = None, at


@dataclass(slots=True, kw_only=True)
class Stock:
    """The decks: registered, opened, in play, in the shuffler, retired."""

    lots: list[Lot] = field(default_factory=list)
    decks: dict[str, Deck] = field(default_factory=dict)
    retired: list[Deck] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    at_deck: int = 0
    in_play: str = ""
    # The deck of the round before: of two it is not dealt again next.
    dealt_last: str = ""
    in_shuffler: str = ""
    blocked: str = ""
    put_in: str = ""
    spread_up: bool = False
    since_count: int = 0


@dataclass(slots=True, kw_only=True)
class Devices:
    """What deals and what shuffles now, and which devices are out of order."""

    method: str
    knowledge: str
    shuffler: str
    deck_count: int
    sorting: list[str] = field(default_factory=list)
    covered: list[str] = field(default_factory=list)
    out_of_order: list[str] = field(default_factory=list)

    def is_set_aside(self, device: str) -> bool:
        """Whether a device is out of order and was seen covered or signed: it is not used (x.13(g))."""
        return device in self.out_of_order and device in self.covered

    def uncovered(self) -> list[str]:
        """Return the devices out of order that nobody has seen covered or signed (x.13(g))."""
        return [device for device in self.out_of_order if device not in self.covered]


@dataclass(slots=True, kw_only=True)
class OpenWagers:
    """The wagers before the lock, whose boxes are whose, and what came too late."""

    bets: dict[int, dict[str, int | None]] = field(default_factory=dict)
    boxes: dict[int, str] = field(default_factory=dict)
    late: list[Note] = field(default_factory=list)
    empty_since: float | None = None


@dataclass(slots=True, kw_only=True)
class Trouble:
    """What holds the table, and which cards were perhaps missed."""

    holds: list[Hold] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class MoneyBooks:
    """What is counted and owed: rounds, meters, game accounts, links, the gaming day."""

    notes: list[Note] = field(default_factory=list)
    rounds: int = 0
    owed: list[Owed] = field(default_factory=list)
    credits: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    linked: MeterLinks = field(default_factory=MeterLinks)
    day: Day = field(default_factory=Day)


@dataclass(slots=True, kw_only=True)
class Play:
    """What the table is doing: its phase, the round under way, and what may be taken back."""

    phase: Phase
    round: RoundState | None = None
    undo: Undo | None = None

    @property
    def current(self) -> RoundState:
        """The round under way."""
        assert self.round is not None  # only phases within a round ask
        return self.round


@dataclass(slots=True, kw_only=True)
class State:
    """A table: all its parts. A snapshot has their fields side by side, as it had before there were parts."""

    clock: TableClock = field(default_factory=TableClock)
    crew: TableCrew = field(default_factory=TableCrew)
    entry: EntryState = field(default_factory=EntryState)
    stock: Stock = field(default_factory=Stock)
    devices: Devices
    layout: OpenWagers = field(default_factory=OpenWagers)
    trouble: Trouble = field(default_factory=Trouble)
    books: MoneyBooks = field(default_factory=MoneyBooks)
    play: Play
