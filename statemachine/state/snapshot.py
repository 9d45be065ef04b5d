"""The state of a table: its parts, put together; as plain values, and the table again from them.

Nothing here decides anything. Each part is a class with what may be done to it; a room sees the parts that it
is given. A table that is restored goes on as if it had never stopped: the state is in the snapshot, and so is
what people were told last, for the next event tells only what differs from it. Whatever follows from the
set-up alone is made anew. A snapshot holds every card by its name, those that nobody may see yet included: it
is for the one who seals the journal, and for nobody else.
"""

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import cast

from sabot.rules.chapter import Chapter
from sabot.rules.errors import SabotError, table
from sabot.rules.frozen import frozen, mutable
from sabot.statemachine.state.books import Day, MoneyBooks, RoundRecord
from sabot.statemachine.state.parts import (
    Devices,
    EntryState,
    HeldFault,
    Menu,
    OpenWagers,
    Pending,
    TableClock,
    TableCrew,
    Trouble,
)
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Hit, Note, Play, RoundState, Undo
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.state.stock import Deck, Lot, PlayedRound, Stock
from sabot.statemachine.vocabulary.codec import MASKED, UNCOVERED, at_place, read
from sabot.statemachine.vocabulary.codings import Coding, Fields
from sabot.statemachine.vocabulary.effects import Effect

__all__ = [
    "Day",
    "Deck",
    "HeldFault",
    "Hit",
    "Lot",
    "Menu",
    "Note",
    "Pending",
    "PlayedRound",
    "RoundState",
    "State",
    "Undo",
]


@mutable(kw_only=True)
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


# ------------------------------------------------------------ as plain values

# A snapshot that an older program wrote opens as long as this number is the same; new fields have a default.
FORMAT = 1

ERRORS = table(
    (
        "E-SNAPSHOT-001",
        "has the format {found}, this program reads {known}",
        "It was taken by another version of Sabot, or it is no snapshot.",
        "Restore it with the version that took it.",
    ),
    (
        "E-SNAPSHOT-002",
        "was taken under another set-up of the table ({names})",
        "A table's chapter never changes, the rest of its set-up only while it is closed.",
        "Restore it with the set-up it was taken under, and close the table first.",
    ),
)


class SnapshotError(SabotError):
    """A snapshot that cannot be gone on from."""


@frozen
class Kept:
    """The part of a table that does not follow from its set-up; ``told`` and ``spots`` was told last."""

    state: State
    told: dict[str, Effect]
    spots: frozenset[tuple[int, str]]
    last_record: RoundRecord | None


def take(setup: Setup, kept: Kept) -> dict[str, object]:
    """Return the whole table as plain values."""
    written = {name: each.write(getattr(kept, name)) for name, each in _BESIDE.codings.items()}
    return {"format": FORMAT, "setup": setup_json(setup), "state": state_json(kept.state), **written}


def kept_in(setup: Setup, snapshot: Mapping[str, object]) -> Kept:
    """Return what a snapshot keeps of a table with this set-up; raise where it is of another one."""
    # The format first: the fields of another one mean something else.
    rest = dict(snapshot)
    found = rest.pop("format", None)
    if found != FORMAT:
        raise SnapshotError(ERRORS["E-SNAPSHOT-001"], "snapshot", found=repr(found), known=FORMAT)
    taken_under = rest.pop("setup", None)
    kept = at_place("snapshot", _read_kept, rest)
    # After the fields: the phase decides whether another set-up may be taken up.
    names = _differences(setup_json(setup), taken_under)
    # A chapter never changes, not even while closed: meters and books are that chapter's.
    if names and (kept.state.play.phase is not Phase.CLOSED or "chapter" in names):
        raise SnapshotError(ERRORS["E-SNAPSHOT-002"], "snapshot", names=" ".join(names))
    if names:
        _begin_under(setup, kept.state)
    return kept


def _differences(ours: Mapping[str, object], theirs: object) -> list[str]:
    """Return the fields of two set-ups that are not the same."""
    found = theirs if isinstance(theirs, dict) else {}
    pairs = {name: (ours.get(name), found.get(name)) for name in sorted(ours.keys() | found.keys())}
    # A field that is empty now did not exist when the snapshot was taken.
    return [name for name, (own, other) in pairs.items() if own != other and (own or other)]


def _begin_under(setup: Setup, state: State) -> None:
    """Take up another set-up at a closed table; its meters go on, new ones are seeded as it begins."""
    # The state has its own copy of these, because a device may be out of order while the set-up names it.
    state.devices.deal_by(setup.method, setup.knowledge, setup.shuffler)
    state.devices.shuffle_by(setup.shuffler, setup.decks)


# ---------------------------------------------------------------- the state, part by part


_BESIDE = UNCOVERED.fields(Kept, frozenset({"state"}))
_PARTS: Mapping[str, type] = {each.name: cast("type", each.type) for each in fields(State)}
_WRITTEN = {name: UNCOVERED.fields(part) for name, part in _PARTS.items()}
# Their fields side by side, as they stand in a snapshot: no two parts have one of the same name.
_SIDE_BY_SIDE = Fields(
    {field: coding for each in _WRITTEN.values() for field, coding in each.codings.items()},
    [field for each in _WRITTEN.values() for field in each.needed],
)


def state_json(state: State) -> dict[str, object]:
    """Return all parts of a state, their fields side by side."""
    written: dict[str, object] = {}
    for name, each in _WRITTEN.items():
        written |= each.write(getattr(state, name))
    return written


def _read_state(value: object) -> State:
    found = _SIDE_BY_SIDE.read(value)
    parts = {
        # A field that an older snapshot does not have takes its default.
        name: part(**{field: found[field] for field in _WRITTEN[name].codings if field in found})
        for name, part in _PARTS.items()
    }
    return State(**parts)


def _read_kept(value: object) -> Kept:
    """Read a snapshot's own fields: the state, and what is kept beside it."""
    state = Coding(state_json, _read_state, "an object")
    whole = Fields({"state": state, **_BESIDE.codings}, ["state", *_BESIDE.needed])
    return Kept(**whole.read(value))


# ---------------------------------------------------------------- the set-up


_SETUP = MASKED.fields(Setup, frozenset({"chapter"}))


def setup_json(setup: Setup) -> dict[str, object]:
    """Return a set-up as plain values, its chapter by name."""
    return {"chapter": setup.chapter.id, **_SETUP.write(setup)}


def read_setup(value: object, chapter_of: Callable[[str], Chapter], place: str = "table") -> Setup:
    """Return a set-up out of JSON, verified; ``chapter_of`` knows the chapters by name."""
    fields = dict(read(dict[str, object], value, place))
    # The chapter by its name alone: its text is law, and stands in its own file.
    chapter = chapter_of(read(str, fields.pop("chapter", None), f"{place}.chapter"))
    setup = Setup(chapter=chapter, **at_place(place, _SETUP.read, fields))
    setup.verify()
    return setup
