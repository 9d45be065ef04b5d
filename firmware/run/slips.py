"""Slips: an exception that nobody expected, told without a card, and how many of them a table bears.

A slip ends the program; the next start comes up from the journal as it was before. Its entry in the journal
says which event it was and where it broke, never with an exception's own words, for a card may be among them.
Beside the journal a small file counts: it is written first, it survives where the journal was what broke, and
it is read before anything else of a start that might break again. Too many slips in a row keep the table out
of service until a technician has lifted them.
"""

import json
import traceback
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, field, replace
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

import sabot
from sabot.config.table_file import SlipLimit
from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.journal import store
from sabot.firmware.journal.content import LIFTED, SLIP, compact
from sabot.firmware.journal.entry import Draft, Stamp
from sabot.firmware.run.errors import RunError
from sabot.rules.frozen import frozen, mutable
from sabot.statemachine.vocabulary import codec
from sabot.statemachine.vocabulary.events import Event

CODE = "E-RUN-009"
MOST_KEPT, MOST_FRAMES = 32, 24
_ROOT = Path(sabot.__file__).resolve().parent.parent.parent
# Fields of events that are told: none of them can have a card in it.
_TOLD = ("key", "device", "fault", "seat", "wager", "deck", "role", "mode", "count")


@frozen
class Slip:
    """A slip: what broke, where, and over what; ``event`` is the event under way, without its cards."""

    error: str
    place: str
    over: str
    stamp: Stamp
    event: Mapping[str, Any] | None = None
    frames: tuple[str, ...] = ()
    is_journalled: bool = False
    is_answered: bool = False
    is_lifted: bool = False

    @property
    def words(self) -> str:
        """Return one line for people."""
        return f"{CODE} {self.error} at {self.place}, over {self.over}"

    def age_s(self, now: Stamp) -> float:
        """Return how long ago it was; 0 where no clock can tell, so that it counts."""
        # The same start of the machine: its monotonic clock tells, whatever UTC was set to.
        if self.stamp.boot == now.boot:
            return max(0.0, float(now.at) - float(self.stamp.at))
        if not (self.stamp.trusted and now.trusted):
            return 0.0
        then, today = (datetime.fromisoformat(each.utc) for each in (self.stamp, now))
        return max(0.0, (today - then).total_seconds())


def slip_of(error: BaseException, over: str, stamp: Stamp, event: Event | None = None) -> Slip:
    """Describe an exception by its type and the places it came through."""
    frames = places(error)
    told = codec.event_json(event) if event is not None else None
    return Slip(type(error).__name__, frames[-1], over, stamp, told, frames)


def event_words(event: Event) -> str:
    """Name an event for people: its kind, and those of its fields that are no secret."""
    facts = [str(getattr(event, name)) for name in _TOLD if hasattr(event, name)]
    return " ".join((type(event).__name__, *facts))


def places(error: BaseException) -> tuple[str, ...]:
    """Return the frames an exception came through, the innermost last: no line of source, no value."""
    return tuple(_places(error))[-MOST_FRAMES:] or ("?",)


def _places(error: BaseException) -> Iterator[str]:
    for frame in traceback.extract_tb(error.__traceback__):
        path = PurePath(frame.filename)
        known = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else PurePath(*path.parts[-2:])
        yield f"{known}:{frame.lineno} {frame.name}"


def _read_slip(kept: dict[str, Any]) -> Slip:
    """Read a slip; its time is read too, for one that no start can compare would end them all."""
    slip = Slip(**kept | {"stamp": Stamp(*kept["stamp"]), "frames": tuple(kept["frames"])})
    float(slip.stamp.at)
    if datetime.fromisoformat(slip.stamp.utc).utcoffset() is None:
        raise ValueError("a time without its zone")
    return slip


# ---------------------------------------------------------------- in the journal


def slip_entry(slip: Slip) -> Draft:
    """Return the journal's entry of a slip."""
    body = {
        "code": CODE,
        "error": slip.error,
        "place": slip.place,
        "over": slip.over,
        "event": slip.event,
        "frames": slip.frames,
        "version": sabot.__version__,
    }
    return Draft(SLIP, slip.stamp, compact(body).decode())


def lifted_entry(lift: Mapping[str, str], stamp: Stamp) -> Draft:
    """Return the journal's entry of a technician's word that slips are looked into."""
    return Draft(LIFTED, stamp, compact(dict(lift)).decode())


# ---------------------------------------------------------------- beside the journal


@mutable
class SlipRegister:
    """The file of the last slips: which of them journal and table have heard of, which were lifted."""

    path: Path
    slips: list[Slip] = field(default_factory=list)
    lifts: list[dict[str, str]] = field(default_factory=list)
    damage: str = ""

    @classmethod
    def read(cls, path: Path) -> "SlipRegister":
        """Read the file; one that cannot be read counts as too many slips."""
        try:
            found = json.loads(path.read_bytes())
            slips = [_read_slip(each) for each in found["slips"]]
            return cls(path, slips, [dict(each) for each in found["lifts"]])
        except FileNotFoundError:
            return cls(path)
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            # A file that somebody damaged must not hide how often the program stumbled.
            return cls(path, damage=f"{path.name} cannot be read: {type(error).__name__}")

    def add(self, slip: Slip) -> None:
        """Count a slip."""
        # More than any limit can ask for (``MOST_SLIPS`` of the table file).
        self.slips = [*self.slips, slip][-MOST_KEPT:]
        self._write()

    def verify(self, limit: SlipLimit, now: Stamp) -> None:
        """Raise where there were too many in a row."""
        lately = [each for each in self.slips if not each.is_lifted and each.age_s(now) <= limit.within_s]
        if self.damage:
            raise RunError("E-RUN-010", str(self.path), why=self.damage)
        if len(lately) >= limit.most:
            minutes = limit.within_s // 60
            why = f"{len(lately)} within {minutes} minutes, the last: {lately[-1].words}"
            raise RunError("E-RUN-010", str(self.path), why=why)

    def lift(self, by: str, why: str, stamp: Stamp) -> None:
        """Let the slips count no more, as a technician has looked into them."""
        self.slips = [replace(each, is_lifted=True) for each in self.slips]
        # Kept until the next start journals them: the program ends with the lifting.
        self.lifts.append({"by": by, "why": why, "at": stamp.at, "utc": stamp.utc})
        self.damage = ""
        self._write()

    # ------------------------------------------------------------ told to the journal and to the table

    @property
    def untold(self) -> list[Slip]:
        """The slips whose entry may not have reached the journal."""
        return [each for each in self.slips if not each.is_journalled]

    @property
    def unanswered(self) -> str:
        """The newest slip that no start has told the table of, in words; empty where there is none."""
        return next((each.words for each in reversed(self.slips) if not each.is_answered), "")

    def journalled(self) -> None:
        """Note that all that is here is in the journal."""
        self.slips = [replace(each, is_journalled=True) for each in self.slips]
        self._write()

    def told(self) -> None:
        """Note that journal and table have heard of everything, durably."""
        if self.untold or self.unanswered or self.lifts:
            self.slips = [replace(each, is_journalled=True, is_answered=True) for each in self.slips]
            self.lifts = []
            self._write()

    def _write(self) -> None:
        content = {"slips": [asdict(each) for each in self.slips], "lifts": self.lifts}
        write_whole(self.path, json.dumps(content, indent=1).encode())


def untold(register: SlipRegister, journal: Path) -> list[Slip]:
    """Return the slips that the journal has no entry of: the program may have ended between the two."""
    waiting = register.untold
    if not waiting:
        return []
    with closing(store.open_for_reading(journal)) as db:
        newest = store.newest_of(db, SLIP, store.last_of(db)[0])
        entry = store.entry(db, newest) if newest is not None else None
    # By start and monotonic second: UTC may have been set between the two.
    return [each for each in waiting if entry is None or each.stamp[:2] != entry.stamp[:2]]
