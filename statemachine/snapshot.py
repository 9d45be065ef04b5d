"""A snapshot: the whole table as plain values, and the table again from them.

A table that is restored goes on as if it had never stopped: the state is in the snapshot, and so is what
people were told last, for the next event tells only what differs from it. Whatever follows from the set-up
alone is made anew. A snapshot holds every card by its name, those that nobody may see yet included: it is
for the one who seals the journal, and for nobody else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.rules.chapter import Chapter
from sabot.rules.errors import SabotError, table
from sabot.statemachine import day, safelane
from sabot.statemachine.codec import MASKED, UNCOVERED, at_place, read
from sabot.statemachine.effects import Effect
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.record import RoundRecord
from sabot.statemachine.setup import Setup
from sabot.statemachine.state import State

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

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


@dataclass(frozen=True, slots=True)
class Kept:
    """What of a table does not follow from its set-up; ``told`` and ``spots`` is what was told last."""

    state: State
    told: dict[str, Effect]
    spots: frozenset[tuple[int, str]]
    last_record: RoundRecord | None


def take(table: "Table") -> dict[str, object]:
    """The whole table as plain values."""
    kept = Kept(table.state, table.told, table.told_spots, table.last_record)
    return {"format": FORMAT, "setup": setup_json(table.setup), **UNCOVERED.object_of(kept)}


def put(table: "Table", snapshot: Mapping[str, object]) -> None:
    """Make a new table what another was when the snapshot was taken."""
    rest = dict(snapshot)
    found = rest.pop("format", None)
    if found != FORMAT:
        raise SnapshotError(ERRORS["E-SNAPSHOT-001"], "snapshot", found=repr(found), known=FORMAT)
    taken_under = rest.pop("setup", None)
    kept = read(Kept, rest, "snapshot")
    names = _differences(setup_json(table.setup), taken_under)
    if names and (kept.state.phase is not Phase.CLOSED or "chapter" in names):
        raise SnapshotError(ERRORS["E-SNAPSHOT-002"], "snapshot", names=" ".join(names))
    table.state, table.last_record = kept.state, kept.last_record
    table.told, table.told_spots = kept.told, kept.spots
    table.phases = Phases(kept.state.phase)
    if names:
        _begin_under(table.setup, table)
    safelane.arm(table)


def _differences(ours: Mapping[str, object], theirs: object) -> list[str]:
    """The fields of the set-up that are not the same."""
    found = theirs if isinstance(theirs, dict) else {}
    pairs = {name: (ours.get(name), found.get(name)) for name in sorted(ours.keys() | found.keys())}
    # A field that is empty now did not exist when the snapshot was taken.
    return [name for name, (own, other) in pairs.items() if own != other and (own or other)]


def _begin_under(setup: Setup, table: "Table") -> None:
    """A closed table takes up another set-up; its meters go on, those that are new are seeded."""
    state = table.state
    state.method, state.knowledge = setup.method, setup.knowledge
    state.shuffler, state.deck_count = setup.shuffler, setup.decks
    day.seed_meters(table)


# ---------------------------------------------------------------- the set-up


_SETUP = MASKED.fields(Setup, frozenset({"chapter"}))


def setup_json(setup: Setup) -> dict[str, object]:
    """A set-up as plain values, its chapter by name."""
    return {"chapter": setup.chapter.id, **_SETUP.write(setup)}


def read_setup(value: object, chapter_of: Callable[[str], Chapter], place: str = "table") -> Setup:
    """A set-up out of JSON, verified; ``chapter_of`` knows the chapters by name."""
    fields = dict(read(dict[str, object], value, place))
    chapter = chapter_of(read(str, fields.pop("chapter", None), f"{place}.chapter"))
    setup = Setup(chapter=chapter, **at_place(place, _SETUP.read, fields))
    setup.verify()
    return setup
