"""Counts, debts and records: rounds, meters, accounts, links, the gaming day, the round that ended.

A record has everything that is needed to reconstruct any hand that was turned. What became public stands in
it openly. Of cards that never did it knows how many lay where: their identities are sealed with the events
that brought them, and the plan says which event that was.
"""

from dataclasses import dataclass, field

from sabot.rules.frozen import frozen, mutable
from sabot.rules.round import Line
from sabot.statemachine.state.ledger import Ledger
from sabot.statemachine.state.round import Hit, Note
from sabot.statemachine.vocabulary.effects import Owed
from sabot.statemachine.vocabulary.events import OpenCard


@mutable
class Day:
    """The counts for the report of the gaming day."""

    rounds: int = 0
    voids: int = 0
    faults: int = 0
    unlocks: int = 0
    hits: int = 0
    opened: dict[str, int] = field(default_factory=dict)

    def count_void(self, way: int) -> None:
        """Count a void round, or (-1) one that stands after all."""
        self.voids += way


@mutable
class MeterLink:
    """A link as it was heard last: the configuration under which a wager counts, and why it is shut."""

    config: int
    why: str


@mutable
class Contributed:
    """A wager of this round that contributed to a link."""

    seat: int
    wager: str
    cents: int
    config: int


@mutable
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
    # False while an earlier claim for the same turn is open: the floor grants a turn once.
    is_said: bool = True
    grant: int = 0
    each: int = 0
    by: str = ""
    none: str = ""
    refused: str = ""


@mutable
class MeterLinks:
    """The linked meters of a table: what was heard, what this round gave, which hits are open."""

    links: dict[str, MeterLink] = field(default_factory=dict)
    # The number of the floor's last message: one with this number or a lower one was heard before.
    heard: int = 0
    placed: list[Contributed] = field(default_factory=list)
    # What the last void took back, for UNDO VOID to give again.
    taken_back: list[Contributed] = field(default_factory=list)
    claims: list[HitClaim] = field(default_factory=list)


@mutable(kw_only=True)
class MoneyBooks:
    """The counts and debts of a table: rounds, meters, game accounts, links, the gaming day."""

    notes: list[Note] = field(default_factory=list)
    rounds: int = 0
    owed: list[Owed] = field(default_factory=list)
    # The number of the last debt: numbers rise and are never
    # used twice, so a debt that is told again is known.
    credits: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    linked: MeterLinks = field(default_factory=MeterLinks)
    day: Day = field(default_factory=Day)


# ------------------------------------------------------------ the record of a round


@frozen
class RoundRecord:
    """One round as it is kept."""

    number: int
    chapter: str
    deck: str
    lot: str
    proof: str
    method: str
    knowledge: str
    dealer: str
    floor: str
    started_at: float
    ended_at: float
    bets: dict[int, dict[str, int | None]]
    players: dict[int, str]
    raises: dict[int, list[int | None]]
    folded: tuple[int, ...]
    left: tuple[int, ...]
    plan: tuple[str, ...]
    face_up: tuple[int, ...]
    chips: int
    stub: int | None
    # Names of what was turned; of the rest a number only. Nothing sealed is in a record.
    public: dict[str, tuple[OpenCard, ...]]
    hidden: dict[str, int]
    hands: dict[str, str]
    known: dict[str, str]
    magic_card: OpenCard | None
    lucky: int | str | None
    # Before and after, so that a share of a meter can be worked out again from the record alone.
    meters_before: dict[str, dict[str, int]]
    meters: dict[str, dict[str, int]]
    declared: dict[str, dict[str, str]]
    irregularity: str
    when: str
    void: str
    by_hand: bool
    lines: tuple[Line, ...]
    hits: tuple[Hit, ...]
    notes: tuple[Note, ...]
    late: tuple[Note, ...]


@dataclass(slots=True, eq=False)
class LastRecord:
    """The record of the round that ended last."""

    last: RoundRecord | None = None
    # The one before it, until there is time to free it, which takes a tenth as long as to make one.
    _before: RoundRecord | None = field(init=False, default=None)

    def keep(self, record: RoundRecord) -> None:
        """Keep the record of the round that ends now."""
        self._before, self.last = self.last, record

    def let_go(self) -> None:
        """Free the record that was replaced."""
        self._before = None
