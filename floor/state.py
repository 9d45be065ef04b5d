"""The state of the floor: tables, links, grants, people and the books, and what of it changed.

The state follows from the ledger alone; it is kept beside it so that a start need not read years of entries,
and ``sabot floor verify`` proves that it is what the ledger makes. So each part can be written as JSON under
a name of its own, and whoever changes a part says so by ``touch``.
"""

# What is not kept, because it follows from what is: ``turns`` (from the grants that stand), ``plans`` (from
# the configurations) and ``touched``. Parts are plain dataclasses of JSON's own types, so that ``as_json``
# and ``restore`` are one line each; where a nicer type is wanted it is made at the door, as ``PlacedTable``
# is. Money is in ``books`` alone.

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from sabot.floor.books import FloorBooks
from sabot.floor.law_folders import PRINTED_ALONE, Laws
from sabot.floor.link_file import read_terms
from sabot.floor.link_plan import Plan, plan_of

Key = tuple[str, str]
Json = dict[str, Any]


class PlacedTable(NamedTuple):
    """A wager that contributed: its amount, its configuration, and the entry that holds it, if one does."""

    cents: int
    config: int
    held: int = 0


@dataclass(slots=True)
class TableState:
    """A table: its key, the numbers both ways, and the round that can still be taken back."""

    key: str
    applied: int = 0
    sent: int = 0
    retired: bool = False
    rounds: dict[str, list[Any]] = field(default_factory=dict)
    minutes: dict[str, list[Any]] = field(default_factory=dict)
    since: int = 0  # the entry at which its present board took the place of another

    def placed(self, link: str, number: int) -> dict[str, PlacedTable]:
        """Return the wagers of a round by seat and name; none where a newer round has contributed."""
        found = self.rounds.get(link)
        return (
            {spot: PlacedTable(*each) for spot, each in found[1].items()}
            if found and found[0] == number
            else {}
        )

    def minute(self, link: str, moment: str) -> dict[str, int]:
        """Return what the table added to each level of a link in a minute of its own clock, to add to."""
        if link not in self.minutes or self.minutes[link][0] != moment[:16]:
            self.minutes[link] = [moment[:16], {}]
        added: dict[str, int] = self.minutes[link][1]
        return added

    def keep(self, link: str, number: int, placed: Mapping[str, PlacedTable]) -> None:
        """Keep the wagers of the newest round."""
        self.rounds[link] = [number, {spot: list(each) for spot, each in placed.items()}]


@dataclass(slots=True)
class LinkState:
    """A link: its configurations, all of them, the one in force (0: none yet), and whether it runs."""

    configs: list[str] = field(default_factory=list)
    in_force: int = 0
    running: bool = False


@dataclass(slots=True)
class Grant:
    """An amount that was granted: to whom, from which level, and what has become of it."""

    entry: int
    at: str
    table: str
    claim: int
    link: str
    level: str
    round: int
    wager: str
    row: str
    seats: list[int]
    cents: int
    each: int
    before: int
    after: int
    reseed: int
    config: int
    by_hand: bool = False
    state: str = "open"

    @property
    def turns(self) -> list[str]:
        """The turns that it pays: each is paid once, whoever asks for it."""
        return turns_of(self.table, self.link, self.round, self.wager, self.seats)


@dataclass(slots=True)
class Held:
    """Contributions over the threshold: nobody believes them until two people say so."""

    entry: int
    table: str
    link: str
    round: int
    config: int
    cents: int
    shares: dict[str, list[int]]


@dataclass(slots=True)
class FloorPerson:
    """Somebody who may sign orders."""

    name: str
    department: str
    key: str


@dataclass(slots=True)
class FloorHouse:
    """The floor itself: its name, its key, its gaming day, and the number of the last order."""

    facility: str = ""
    key: str = ""
    starts: str = "06:00"
    zone: str = "UTC"
    orders: int = 0


def turns_of(table: str, link: str, number: int, wager: str, seats: list[int]) -> list[str]:
    """Return the names of the turns of seats: a wager of a seat wins one row of a round (641a.12(d)(2))."""
    return [f"{table}/{link}/{number}/{wager}/{seat}" for seat in seats]


PARTS: Mapping[str, Callable[..., Any]] = {
    "house": FloorHouse,
    "person": FloorPerson,
    "table": TableState,
    "link": LinkState,
    "grant": Grant,
    "held": Held,
}


# Parts that are known by the number of an entry; in a store every name is a text.
NUMBERED = frozenset({"grant", "held"})


@dataclass(slots=True)
class FloorState:
    """Everything that the ledger has come to."""

    books: FloorBooks = field(default_factory=FloorBooks)
    house: FloorHouse = field(default_factory=FloorHouse)
    people: dict[str, FloorPerson] = field(default_factory=dict)
    tables: dict[str, TableState] = field(default_factory=dict)
    links: dict[str, LinkState] = field(default_factory=dict)
    grants: dict[int, Grant] = field(default_factory=dict)
    held: dict[int, Held] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)
    plans: dict[tuple[str, int], Plan] = field(default_factory=dict)
    touched: set[Key] = field(default_factory=set)
    laws: Laws = PRINTED_ALONE

    def touch(self, part: str, name: object = "") -> None:
        """Note that a part changed."""
        self.touched.add((part, str(name)))

    def plan(self, link: str, config: int) -> Plan:
        """Return a configuration of a link, ready for work."""
        key = (link, config)
        if key not in self.plans:
            terms = read_terms(self.links[link].configs[config - 1], f"{link}-{config}")
            self.plans[key] = plan_of(terms, self.laws.chapter(terms))
        return self.plans[key]

    def in_force(self, link: str) -> Plan:
        """Return the configuration of a link that is in force."""
        return self.plan(link, self.links[link].in_force)

    def add_grant(self, grant: Grant) -> None:
        """Keep a grant; its turn is paid."""
        self.grants[grant.entry] = grant
        self.turns.update(dict.fromkeys(grant.turns, grant.entry))
        self.touch("grant", grant.entry)

    def release(self, grant: Grant) -> None:
        """Free the turn of a grant that was taken back."""
        for each in grant.turns:
            # The turn may have been paid anew since: that grant keeps it.
            if self.turns.get(each) == grant.entry:
                del self.turns[each]
        self.touch("grant", grant.entry)

    # ------------------------------------------------------------ as it is kept

    def facts(self) -> Iterator[tuple[Key, Json]]:
        """Yield every part as it is kept."""
        for part, items in self._items().items():
            yield from (((part, str(name)), as_json(each)) for name, each in items.items())

    def changed(self) -> dict[Key, Json | None]:
        """Take out the parts that changed since the last time; None for those that are gone."""
        items = self._items()
        found = {
            (part, name): items[part].get(int(name) if part in NUMBERED else name)
            for part, name in sorted(self.touched)
        }
        self.touched.clear()
        return {key: None if each is None else as_json(each) for key, each in found.items()}

    def _items(self) -> dict[str, Mapping[Any, Any]]:
        return {
            "house": {"": self.house},
            "person": self.people,
            "table": self.tables,
            "link": self.links,
            "grant": self.grants,
            "held": self.held,
        }


def as_json(part: Any) -> Json:  # noqa: ANN401 - any of the parts
    """Return a part as JSON has it."""
    return {each.name: getattr(part, each.name) for each in fields(part)}


def restore(facts: Mapping[Key, Json], balances: Mapping[str, int], laws: Laws = PRINTED_ALONE) -> FloorState:
    """Return the state that parts and balances make."""
    state = FloorState(FloorBooks(dict(balances)), laws=laws)
    for (part, name), body in facts.items():
        _put(state, part, name, PARTS[part](**body))
    return state


def _put(state: FloorState, part: str, name: str, each: Any) -> None:  # noqa: ANN401 - any of the parts
    if part == "house":
        state.house = each
        return
    items: dict[str, dict[Any, Any]] = {
        "person": state.people,
        "table": state.tables,
        "link": state.links,
        "grant": state.grants,
        "held": state.held,
    }
    items[part][int(name) if part in NUMBERED else name] = each
    if part == "grant" and each.state != "taken back":
        state.turns |= {turn: max(each.entry, state.turns.get(turn, 0)) for turn in each.turns}
