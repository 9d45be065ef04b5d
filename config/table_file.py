"""A table file: one table's Rules Submission, its devices, and where it keeps its journal.

What the house chose among what the law leaves open stands in the submission, which the regulator has; what
stands here is the wiring of one table. A driver's own options are checked against the schema that the driver
brings, so that a slip in a quirk of a third party's device is found as early as one in a key of ours.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sabot.config.driver_options import OptionShape, read_options
from sabot.config.errors import ConfigError
from sabot.config.reader import Section, Toml, read_toml
from sabot.config.submission import Submission, load_submission

KNOWLEDGE = frozenset({"each_card", "stack", "count_only", "none"})
SHUFFLERS = frozenset({"hand", "plain", "counting", "reshuffler"})
POLICIES = (
    "composition",
    "deck_color",
    "unreadable_card",
    "short_stack",
    "sort_mode",
    "not_emptied",
    "lost_link",
    "contradiction",
)
LONGEST_NAME = 20
LEAST_DAYS, MOST_DAYS = 7, 36_500
MINUTES = 60

_DEVICE_NAME = re.compile(rf"[a-z0-9_]{{1,{LONGEST_NAME}}}")
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")

# The options of a driver, by its name and the place of that name (for an error).
SchemaOf = Callable[[str, str], Sequence[OptionShape]]


@dataclass(frozen=True, slots=True)
class Device:
    """A device of the table: the name that faults and reports use, its driver and the driver's options."""

    name: str
    driver: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Storage:
    """Where the journal and its copy are kept, and how long."""

    state: Path
    second: Path | None
    retention_days: int


@dataclass(frozen=True, slots=True)
class Day:
    """When the gaming day begins, in minutes after midnight of the table's zone."""

    starts_min: int
    zone: str


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table as its file describes it."""

    file: str
    name: str
    is_simulated: bool
    submission: Submission
    knowledge: str
    shuffler: str
    one_machine: bool
    smallest_chip_cents: int
    policies: Mapping[str, bool]
    devices: tuple[Device, ...]
    storage: Storage
    day: Day


def load_table_file(path: Path, schema_of: SchemaOf) -> TableFile:
    """A table file, understood to the last key, its submission with it."""
    return read_table_file(str(path), read_toml(path), schema_of)


def read_table_file(file: str, data: Toml, schema_of: SchemaOf) -> TableFile:
    """The table that a file describes."""
    root = Section(file, "", data)
    cards = root.section("cards")
    table = TableFile(
        file=file,
        name=name_of(root),
        is_simulated=root.flag("simulated"),
        submission=_submission(root),
        knowledge=cards.choice("knowledge", KNOWLEDGE),
        shuffler=cards.choice("shuffler", SHUFFLERS),
        one_machine=cards.flag("one_machine"),
        smallest_chip_cents=root.number("smallest_chip_cents", 1, 100_000, 100),
        policies=_policies(root.maybe("policies")),
        devices=tuple(read_device(name, part, schema_of) for name, part in root.section("device").sections()),
        storage=read_storage(root.section("storage")),
        day=_day(root.maybe("day")),
    )
    root.finish()
    return table


def name_of(root: Section) -> str:
    """The name of the table, as it stands on a display."""
    name = root.text("table")
    if len(name) > LONGEST_NAME or not name.isascii() or not name.isprintable():
        raise root.wrong("table", name, f"a name of at most {LONGEST_NAME} plain characters")
    return name


def _submission(root: Section) -> Submission:
    """The submission beside the table file, or where its path says."""
    text = root.text("submission")
    if not text.isprintable():
        raise root.wrong("submission", text, "the path of a Rules Submission, from here")
    path = Path(text)
    return load_submission(path if path.is_absolute() else Path(root.file).parent / path)


def _policies(part: Section | None) -> dict[str, bool]:
    return {name: part.flag(name, default=True) if part else True for name in POLICIES}


def read_device(name: str, part: Section, schema_of: SchemaOf) -> Device:
    """A device, its options checked against the schema of its driver."""
    if not _DEVICE_NAME.fullmatch(name):
        bound = f"1 to {LONGEST_NAME} small letters, digits and _"
        raise ConfigError("E-CONF-004", f"{part.file} [device]", key="name", value=name, bound=bound)
    driver = part.text("driver")
    return Device(name, driver, read_options(part, schema_of(driver, part.place)))


def read_storage(part: Section) -> Storage:
    """Where everything is kept."""
    second = _folder(part, "second") if "second" in part else None
    return Storage(_folder(part, "state"), second, part.number("retention_days", LEAST_DAYS, MOST_DAYS, 400))


def _folder(part: Section, key: str) -> Path:
    """A service may be started anywhere, so a folder is named from the root."""
    path = Path(part.text(key))
    if not path.is_absolute() or not str(path).isprintable():
        raise part.wrong(key, str(path), "the whole path of a folder, such as /var/lib/sabot")
    return path


def _day(part: Section | None) -> Day:
    if part is None:
        return Day(6 * MINUTES, "UTC")
    zone = part.text("zone", "UTC")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise part.wrong("zone", zone, "a time zone such as America/New_York") from error
    return Day(_minutes(part), zone)


def _minutes(part: Section) -> int:
    text = part.text("starts", "06:00")
    found = _TIME.fullmatch(text)
    if found is None:
        raise part.wrong("starts", text, "a time of day such as 06:00")
    return int(found[1]) * MINUTES + int(found[2])
