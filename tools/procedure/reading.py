"""Reading what a table did: a journal's export, or an event stream, a JSON value a line.

An **event stream** is the plain form of the same story, for a shift without a journal (a simulation, a test):

    {"sabot_stream": 1, "table": {...}}
    {"event": {...}, "effects": [...]}
    {"event": {...}, "effects": [...], "record": {...}, "shown": {...}}

``table`` is the set-up, as the ``setup`` of a journal's ``start`` entry; ``record`` is there where a round
ended; ``shown`` is by place the cards that a page showed after the event, where somebody kept it. A line may
have a ``number``; without one it is counted. A later line with ``table`` alone is a new start. Unknown fields
are let be, so that a stream may carry more than this checker reads.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .law import CHAPTERS, Chapter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Json = dict[str, Any]
FORMAT = 1


class UnreadableError(Exception):
    """A line that is neither a journal's nor a stream's."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(f"line {line}: {words}")
        self.line, self.words = line, words


@dataclass
class TableSetup:
    """A table as it was set up: what the operator chose where the text leaves a choice."""

    law: Chapter
    chapter: str
    method: str = "manual_shoe"
    shuffler: str = "counting"
    decks: int = 1
    seats: int = 0
    adjacent_boxes: int = 1
    offers: frozenset[str] = frozenset()
    pair_bonus_card: str = "own"
    readings: Json = field(default_factory=dict)
    is_beginning: bool = True
    proves_cards: bool = True

    def reading(self, name: str, default: str) -> str:
        """Return the answer that was chosen for an open question of the text."""
        return str(self.readings.get(name, default))

    def lost_by_fold(self) -> frozenset[str]:
        """Return what a fold forfeits; of what the text does not name, by the reading (F1)."""
        lost = self.law.lost_by_fold
        if self.reading("fold_unlisted", "alive") == "forfeit":
            lost |= {"bad_beat", "hand_bonus_player", "hand_bonus_dealer"}
        return lost

    @property
    def counts(self) -> bool:
        """Whether the shuffler counts the deck after each shuffle (x.5(b))."""
        return self.shuffler in ("counting", "reshuffler")


@dataclass
class Step:
    """An event, what followed from it, and the record where a round ended with it."""

    entry: int
    event: Json
    effects: list[Json]
    record: Json | None = None
    shown: dict[str, list[str]] | None = None
    # Filled in by whoever follows the table: its time, what its display said before, whose keys are turned.
    at: float = 0.0
    before: Json = field(default_factory=dict)
    unlocked: dict[str, str] = field(default_factory=dict)
    lifted: list[tuple[str, str, bool | None]] = field(default_factory=list)

    name: str = field(init=False)
    is_refused: bool = field(init=False)
    _kinds: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Look once: every rule asks which kind of event it was, and most steps have no effect."""
        self.name = str(self.event.get("event", ""))
        self._kinds = frozenset(str(each.get("effect")) for each in self.effects)
        self.is_refused = "RefuseInput" in self._kinds

    @property
    def is_ok(self) -> bool:
        """Whether the dealer or the floor took what the display offered."""
        return self.name == "KeyPressed" and self.event.get("key") == "OK"

    def all(self, *kinds: str) -> list[Json]:
        """Return the effects of these kinds, in order."""
        if self._kinds.isdisjoint(kinds):
            return []
        return [each for each in self.effects if each["effect"] in kinds]

    def has(self, *kinds: str) -> bool:
        """Whether there is an effect of one of these kinds."""
        return not self._kinds.isdisjoint(kinds)


@dataclass
class ByTwo:
    """Something outside play that takes two people: which entry, what, and who did it."""

    entry: int
    what: str
    people: list[str]


Item = TableSetup | Step | ByTwo


def items(lines: Iterable[bytes]) -> Iterator[Item]:
    """Yield what the lines say, one after the other; UnreadableError at the first that says nothing."""
    rows = enumerate(lines, 1)
    number, raw = next(rows, (1, b""))
    first = _object(raw, number)
    if first.get("sabot_journal") == 1:
        yield from _journal(first, rows)
    elif first.get("sabot_stream") == FORMAT:
        yield table_setup(first.get("table"), number)
        yield from _stream(rows)
    else:
        raise UnreadableError(number, "neither a journal's export nor an event stream")


def _object(raw: bytes, line: int) -> Json:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(line, "not JSON") from error
    if not isinstance(value, dict):
        raise UnreadableError(line, "not an object")
    return value


def _stream(rows: Iterator[tuple[int, bytes]]) -> Iterator[Item]:
    for count, (line, raw) in enumerate(rows, 1):
        value = _object(raw, line)
        yield (
            table_setup(value["table"], line)
            if "table" in value
            else _step(value, value.get("number", count), line)
        )


def _journal(header: Json, rows: Iterator[tuple[int, bytes]]) -> Iterator[Item]:
    """Yield the entries of an export; its proof is the business of ``check_journal.py``."""
    yield from before(header.get("anchor"))
    for line, raw in rows:
        value = _object(raw, line)
        if "closing" not in value:
            yield from entry(value.get("kind"), value.get("number"), value.get("body"), line)


def before(anchor: object) -> Iterator[Item]:
    """Yield the set-up in force where a journal begins in the middle: retention left it in the anchor."""
    if isinstance(anchor, str):
        start = _object(anchor.encode(), 1).get("start")
        if isinstance(start, str) and start:
            yield table_setup(_object(start.encode(), 1).get("setup"), 1, is_beginning=False)


def entry(kind: object, number: object, body: object, line: int = 0) -> Iterator[Item]:
    """Yield what one entry of a journal says, if it says anything of procedure."""
    if not (isinstance(kind, str) and isinstance(body, str) and isinstance(number, int)):
        raise UnreadableError(line, "not an entry of a journal")
    if kind == "event":
        yield _step(_object(body.encode(), line), number, line)
    elif kind == "start":
        yield table_setup(_object(body.encode(), line).get("setup"), line)
    elif kind in ("unsealed", "anchor", "restored", "cleared"):
        by = _object(body.encode(), line).get("by", [])
        yield ByTwo(number, kind, [_who(each) for each in by] if isinstance(by, list) else [str(by)])


def _who(person: object) -> str:
    return str(person.get("name", person)) if isinstance(person, dict) else str(person)


def _step(value: Json, number: object, line: int) -> Step:
    event, effects, record = value.get("event"), value.get("effects"), value.get("record")
    is_whole = isinstance(event, dict) and isinstance(effects, list) and isinstance(number, int)
    if not is_whole or not (record is None or isinstance(record, dict)):
        raise UnreadableError(line, "an event without its effects")
    return Step(int(str(number)), event or {}, effects or [], record, value.get("shown"))


def table_setup(setup: object, line: int = 0, *, is_beginning: bool = True) -> TableSetup:
    """Return a set-up as this checker knows it; UnreadableError where it is of no chapter."""
    if not isinstance(setup, dict) or setup.get("chapter") not in CHAPTERS:
        raise UnreadableError(line, "a table without a chapter that this checker knows")
    options = setup.get("options") or {}
    return TableSetup(
        law=CHAPTERS[setup["chapter"]],
        chapter=setup["chapter"],
        method=setup.get("method", "manual_shoe"),
        shuffler=setup.get("shuffler", "counting"),
        decks=setup.get("decks", 1),
        seats=setup.get("seats", 0),
        adjacent_boxes=setup.get("adjacent_boxes", 1),
        offers=frozenset(setup.get("offers", ())),
        pair_bonus_card=options.get("pair_bonus_card", "own"),
        readings=options.get("readings", {}),
        is_beginning=is_beginning,
        proves_cards=(setup.get("policies") or {}).get("composition", True),
    )
