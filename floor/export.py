"""A ledger as a file of JSON lines, for whoever keeps or proves it elsewhere.

The first line names the floor and its key, then each entry stands on a line with its fields as they are
chained, and after the last of each commit a line with the head. The last head covers the whole, so the file
needs no other end.
"""

import json
import os
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sabot.floor.entry import FloorEntry
from sabot.floor.errors import FloorError
from sabot.floor.store import Store
from sabot.floor.verify import Tick

FORMAT = 1


class Exported(NamedTuple):
    """An export that was written."""

    file: Path
    entries: int
    bytes: int
    link: str


def lines(store: Store, tick: Tick = lambda _more: None) -> Iterator[str]:
    """Yield the lines of an export."""
    loaded = store.load()
    house = loaded.facts["house", ""]
    yield json.dumps({"sabot_floor": FORMAT, "facility": house["facility"], "key": house["key"]})
    heads = dict(store.heads())
    # Up to the end as it was read: the floor may commit more meanwhile.
    for entry in store.entries(1, loaded.last.number):
        yield json.dumps(entry._asdict() | {"link": entry.link.hex()}, ensure_ascii=False)
        if entry.number in heads:
            yield json.dumps({"head": entry.number, "signature": heads[entry.number].hex()})
        tick(1)


def export(store: Store, file: Path, tick: Tick = lambda _more: None) -> Exported:
    """Write an export to a new file, which is on the medium when this returns; else raise FloorError."""
    entries, link = store.load().last
    # Never over a file that is there: it may be the only export of what was lost since.
    try:
        with file.open("x", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines(store, tick))
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise FloorError("E-FLOOR-010", str(file), why=error.strerror or error) from error
    return Exported(file, entries, file.stat().st_size, link.hex())


class FloorExport:
    """A file that was exported: its entries, and the heads among them."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            with file.open(encoding="utf-8") as lines:
                first = _object(next(lines, ""))
        except (OSError, UnicodeDecodeError) as error:
            raise FloorError("E-FLOOR-010", str(file), why=error) from error
        if first.get("sabot_floor") != FORMAT:
            raise FloorError("E-FLOOR-015", str(file), what="it is no export of a floor")
        self.key = str(first.get("key"))

    @property
    def size(self) -> int:
        """Return how many lines there are."""
        with self._file.open("rb") as lines:
            return sum(1 for _ in lines)

    def entries(self) -> Iterator[FloorEntry]:
        """Yield its entries."""
        for each in self._rows():
            if "head" not in each:
                yield _entry(each, self._file)

    def heads(self) -> Generator[tuple[int, bytes]]:
        """Yield its heads, each with the number of the entry that it signs."""
        for each in self._rows():
            if "head" in each:
                yield int(each["head"]), bytes.fromhex(each["signature"])

    def _rows(self) -> Iterator[dict[str, Any]]:
        with self._file.open(encoding="utf-8") as lines:
            rows: Iterable[str] = lines
            for number, line in enumerate(rows, 1):
                if number > 1:
                    yield _object(line)


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise FloorError("E-FLOOR-015", "export", what=f"no line of an export: {line[:60]!r}")
    return value


def _entry(each: dict[str, Any], file: Path) -> FloorEntry:
    try:
        return FloorEntry(**{**each, "link": bytes.fromhex(each["link"])})
    except (KeyError, TypeError, ValueError) as error:
        raise FloorError("E-FLOOR-015", str(file), what=f"no entry: {error}") from error
