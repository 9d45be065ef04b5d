"""What is counted and owed: rounds, meters, game accounts, links, the gaming day."""

from dataclasses import dataclass, field

from sabot.statemachine.effects import Owed
from sabot.statemachine.ledger import Ledger
from sabot.statemachine.round import Note


@dataclass(slots=True)
class Day:
    """The counts for the report of the gaming day."""

    rounds: int = 0
    voids: int = 0
    faults: int = 0
    unlocks: int = 0
    hits: int = 0
    opened: dict[str, int] = field(default_factory=dict)

    def count_void(self, way: int) -> None:
        """A round was void, or stands after all."""
        self.voids += way


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


@dataclass(slots=True, kw_only=True)
class MoneyBooks:
    """The counts and debts of a table: rounds, meters, game accounts, links, the gaming day."""

    notes: list[Note] = field(default_factory=list)
    rounds: int = 0
    owed: list[Owed] = field(default_factory=list)
    credits: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    linked: MeterLinks = field(default_factory=MeterLinks)
    day: Day = field(default_factory=Day)
