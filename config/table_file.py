"""A table file: one table's Rules Submission, its devices, and where it keeps its journal.

What the house chose among what the law leaves open stands in the submission, which the regulator has; what
stands here is the wiring of one table. A driver's own options are checked against the schema that the driver
brings, so that a slip in a quirk of a third party's device is found as early as one in a key of ours.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from sabot.config.driver_options import OptionShape, read_options
from sabot.config.errors import ConfigError
from sabot.config.includes import Merged, read_merged
from sabot.config.loader import PRINTED, ChapterLaw
from sabot.config.reader import TABLE, Section, Toml, file_near, verify_kind
from sabot.config.submission import Submission, load_submission
from sabot.rules import display
from sabot.rules.errors import ALIKE, nearest
from sabot.rules.frozen import frozen

KNOWLEDGE = frozenset({"each_card", "stack", "count_only", "none"})
SHUFFLERS = frozenset({"hand", "plain", "counting", "reshuffler"})
# Rules of ours beyond the law's, each on unless the file switches it off; one that is off stands on the
# page that is signed for the table.
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
LONGEST_NAME = display.WIDTH
LEAST_DAYS, MOST_DAYS = 7, 36_500
MINUTES = 60
LAW_FOLDER = "a folder below that of this file"
TIME_OF_DAY = "a time of day such as 06:00"
MOST_FLOOR_CENTS = 100_000_000
MOST_SLIPS, DAY_MIN = 20, 24 * 60
LONGEST_IDLE_MIN = 240

_DEVICE_NAME = re.compile(rf"[a-z0-9_]{{1,{LONGEST_NAME}}}")
_KEY, _LINK = re.compile("[0-9a-f]{64}"), re.compile(rf"[a-z0-9-]{{1,{LONGEST_NAME}}}")
LINK_SOCKET = "/run/sabot-link/table"
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")

# The options of a driver, by its name and the place of that name (for an error).
SchemaOf = Callable[[str, str], Sequence[OptionShape]]


@frozen
class Device:
    """A device of the table: the name that faults and reports use, its driver and the driver's options."""

    name: str
    driver: str
    options: Mapping[str, Any]
    place: str = ""


@frozen
class Storage:
    """The places of the journal and its copy, and the time they are kept."""

    state: Path
    second: Path | None
    retention_days: int


@frozen
class DaySettings:
    """The beginning of the gaming day, in minutes after midnight of the table's zone."""

    starts_min: int
    zone: str


@frozen
class SlipLimit:
    """The number of slips in a row that keeps the table out of service, and within which time."""

    most: int = 3
    within_s: int = 10 * MINUTES


@frozen
class FloorTerms:
    """The floor of linked meters: its key, where the uplink calls, and the link of each meter."""

    key: str
    socket: Path
    meters: Mapping[str, str]


@frozen
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
    idle_after_min: int
    declared_floor_cents: int
    policies: Mapping[str, bool]
    devices: tuple[Device, ...]
    storage: Storage
    day: DaySettings
    slips: SlipLimit
    law: ChapterLaw = PRINTED
    digests: Mapping[str, str] = field(default_factory=dict)
    floor: FloorTerms | None = None

    @property
    def links(self) -> Mapping[str, str]:
        """The link of each meter that the floor owns."""
        return self.floor.meters if self.floor else {}


def load_table_file(path: Path, schema_of: SchemaOf, law: ChapterLaw | None = None) -> TableFile:
    """Return a table file with its parts and its submission, understood to the last key.

    ``law``, if given, takes the place of the one that the file names.
    """
    # Errors name the part and line where a value stands, so the section knows the origins.
    merged = read_merged(path)
    table = read_table_file(str(path), merged.data, schema_of, law, merged.section(str(path)))
    return replace(table, digests=dict(_digests(table, merged)))


def _digests(table: TableFile, merged: Merged) -> Iterator[tuple[str, str]]:
    """Yield each file that a table is played by, with its SHA-256."""
    for number, (name, content) in enumerate(merged.files.items()):
        title = f"part {os.path.relpath(name, Path(table.file).parent)}" if number else "table file"
        yield title, sha256(content).hexdigest()
    yield "submission", table.submission.sha256
    if table.law.folder:
        yield "law", table.law.sha256


def read_table_file(
    file: str, data: Toml, schema_of: SchemaOf, law: ChapterLaw | None = None, section: Section | None = None
) -> TableFile:
    """Return the table that a file describes."""
    verify_kind(file, data, TABLE)
    root = section or Section(file, "", data)
    cards, law = root.section("cards"), _law(root, law)
    table = TableFile(
        file=file,
        name=name_of(root),
        is_simulated=root.flag("simulated"),
        law=law,
        submission=_submission(root, law),
        knowledge=cards.choice("knowledge", KNOWLEDGE),
        shuffler=cards.choice("shuffler", SHUFFLERS),
        one_machine=cards.flag("one_machine"),
        smallest_chip_cents=root.number("smallest_chip_cents", 1, 100_000, 100),
        idle_after_min=root.number("idle_after_min", 1, LONGEST_IDLE_MIN, 20),
        declared_floor_cents=cards.number("declared_floor_cents", 0, MOST_FLOOR_CENTS, 0),
        policies=_policies(root.maybe("policies")),
        devices=tuple(read_device(name, part, schema_of) for name, part in root.section("device").sections()),
        storage=read_storage(root.section("storage")),
        day=_day(root.maybe("day")),
        slips=_slips(root.maybe("slips")),
        floor=_floor(root.maybe("floor")),
    )
    root.finish()
    return table


def _law(root: Section, instead: ChapterLaw | None) -> ChapterLaw:
    """Return the chapters of the program, or with them those of a folder below that of the file."""
    # ``law`` is asked for first: the key is known also where another law takes its place.
    if "law" not in root or instead:
        return instead or PRINTED
    text, beside = root.text("law"), Path(root.file).parent
    if not text.isprintable():
        raise root.wrong("law", text, LAW_FOLDER)
    if not (beside / text).resolve().is_relative_to(beside.resolve()):
        raise root.fail("E-CONF-017", key="law", name=text, folder=beside)
    return ChapterLaw(beside / text)


def name_of(root: Section) -> str:
    """Return the name of the table, as it stands on a display."""
    name = root.text("table")
    if len(name) > LONGEST_NAME or not name.isascii() or not name.isprintable():
        raise root.wrong("table", name, f"a name of at most {LONGEST_NAME} plain characters")
    return name


def _submission(root: Section, law: ChapterLaw) -> Submission:
    """Return the submission beside the table file, or at the place that its path says."""
    text = root.text("submission")
    if not text.isprintable():
        raise root.wrong("submission", text, "the path of a Rules Submission, from here")
    path = Path(root.file).parent / text  # a path from / stays what it is
    if not path.is_file():
        facts = {"file": path, "why": "it is a folder" if path.is_dir() else "no such file"}
        raise ConfigError("E-CONF-013", root.place_of("submission"), **facts, near=file_near(path))
    return load_submission(path, law)


def _policies(part: Section | None) -> dict[str, bool]:
    return {name: part.flag(name, default=True) if part else True for name in POLICIES}


def read_device(name: str, part: Section, schema_of: SchemaOf) -> Device:
    """Return a device, its options checked against the schema of its driver."""
    if not _DEVICE_NAME.fullmatch(name):
        # A fault names its device on the dealer's display.
        bound = f"1 to {LONGEST_NAME} small letters, digits and _"
        raise ConfigError(
            "E-CONF-004", part.place.replace(f".{name}]", "]"), key="name", value=name, bound=bound
        )
    driver = part.text("driver")
    return Device(name, driver, read_options(part, schema_of(driver, part.place)), part.place)


def read_storage(part: Section) -> Storage:
    """Return the places of the journal and its copy."""
    second = _folder(part, "second") if "second" in part else None
    return Storage(_folder(part, "state"), second, part.number("retention_days", LEAST_DAYS, MOST_DAYS, 400))


def _folder(part: Section, key: str) -> Path:
    return _path(part, key, "the whole path of a folder, such as /var/lib/sabot")


def _path(part: Section, key: str, bound: str) -> Path:
    """Return a path, which has to be whole."""
    # A service may be started anywhere, so nothing counts from the working directory.
    path = Path(part.text(key))
    if not path.is_absolute() or not str(path).isprintable():
        raise part.wrong(key, str(path), bound)
    return path


def _floor(part: Section | None) -> FloorTerms | None:
    """Return the floor whose word counts here, with the meters that it owns (641a.2(c))."""
    if part is None:
        return None
    key = part.text("key")
    if not _KEY.fullmatch(key):
        raise part.wrong("key", key, "64 small hexadecimal digits, as the floor was founded with")
    socket = _path(part, "socket", "the whole path of a socket") if "socket" in part else Path(LINK_SOCKET)
    links = part.section("links")
    found = {meter: links.text(meter) for meter in links.data}
    for meter, link in found.items():
        if not _LINK.fullmatch(link):
            raise links.wrong(meter, link, "the name of a link: small letters, digits and -")
    if not found:
        raise part.wrong("links", "{}", "at least one meter and its link")
    return FloorTerms(key, socket, found)


def _slips(part: Section | None) -> SlipLimit:
    usual = SlipLimit()
    if part is None:
        return usual
    most = part.number("most", 1, MOST_SLIPS, usual.most)
    within_min = part.number("within_min", 1, DAY_MIN, usual.within_s // MINUTES)
    return SlipLimit(most, within_min * MINUTES)


def _day(part: Section | None) -> DaySettings:
    if part is None:
        return DaySettings(6 * MINUTES, "UTC")
    zone = part.text("zone", "UTC")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        near = nearest(zone, available_timezones(), ALIKE) or "America/New_York"
        raise part.wrong("zone", zone, f"a time zone such as {near}") from error
    return DaySettings(_minutes(part), zone)


def _minutes(part: Section) -> int:
    text = part.text("starts", "06:00", bound=TIME_OF_DAY)
    found = _TIME.fullmatch(text)
    if found is None:
        raise part.wrong("starts", text, TIME_OF_DAY)
    return int(found[1]) * MINUTES + int(found[2])
