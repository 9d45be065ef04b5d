"""An export: a part of the journal as JSON lines, for programs and people that do not have Sabot.

The first line says what it is, then follows an entry a line with its body as the very text that was hashed,
and a closing line in which the board signs the digest of everything before it. Sealed card data is left out
unless it is asked for; its digest is always there, so that the chain can be proved either way. The page on
the journal has every field.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sabot import __version__
from sabot.drivers import hashing
from sabot.firmware.credentials.atomic_files import flush_directory
from sabot.firmware.errors import CommandError
from sabot.firmware.journal import anchor, store, verify
from sabot.firmware.journal.checkpoints import Signer
from sabot.firmware.journal.content import compact
from sabot.firmware.journal.entry import GENESIS, Entry
from sabot.rules.frozen import frozen

FORMAT = 1


class ExportPart(NamedTuple):
    """The entries to export, with or without their sealed data."""

    first: int
    last: int
    with_sealed: bool = False


class Closing(NamedTuple):
    """The closing figures of an export."""

    first: int
    last: int
    link: bytes
    digest: str


def whole(db: sqlite3.Connection, *, with_sealed: bool = False) -> ExportPart:
    """Return all that is there; entries that an interrupted removal left behind do not count."""
    noted = store.anchor_entry(db)
    entry = store.entry(db, noted) if noted is not None else None
    first = json.loads(entry.body)["entries"] + 1 if entry is not None else 1
    return ExportPart(max(first, store.first_of(db)), store.last_of(db)[0], with_sealed)


def signed_text(closing: Closing) -> bytes:
    """Return the text under a closing line's signature."""
    parts = ("sabot journal export", closing.first, closing.last, closing.link.hex(), closing.digest)
    return "\n".join(map(str, parts)).encode()


class Making:
    """An export in the making, a line at a time, for those too who must not make all of it at once."""

    def __init__(self, part: ExportPart, board: Signer) -> None:
        self.part = part
        self._board = board
        self._link = GENESIS
        self._digest = hashing.Sum()

    def header(self, db: sqlite3.Connection) -> bytes:
        """Return the first line."""
        before = _before(db, self.part, self._board)
        return self._line(_header(db, self.part, self._board, before), before)

    def entry(self, entry: Entry) -> bytes:
        """Return the line of the next entry."""
        return self._line(_fields(entry, with_sealed=self.part.with_sealed), entry.link)

    def closing(self) -> bytes:
        """Return the last line, signed."""
        part = self.part
        return closing_line(Closing(part.first, part.last, self._link, self._digest.hexdigest()), self._board)

    def _line(self, value: dict[str, object], link: bytes) -> bytes:
        line = compact(value) + b"\n"
        self._digest.update(line)
        self._link = link
        return line


def lines(db: sqlite3.Connection, part: ExportPart, board: Signer) -> Iterator[bytes]:
    """Yield the lines of an export, the signed one last."""
    making = Making(part, board)
    yield making.header(db)
    yield from map(making.entry, store.entries(db, part.first, part.last))
    yield making.closing()


def closing_line(closing: Closing, board: Signer) -> bytes:
    """Return the line that the board signs."""
    said = {
        "first": closing.first,
        "last": closing.last,
        "link": closing.link.hex(),
        "digest": closing.digest,
        "key": board.public_key.hex(),
        "signature": board.sign(signed_text(closing)).hex(),
    }
    return compact({"closing": said}) + b"\n"


def _before(db: sqlite3.Connection, part: ExportPart, board: Signer) -> bytes:
    """Return the link that the first entry follows."""
    entry = store.entry(db, part.first - 1) if part.first > 1 else None
    if entry is not None:
        return entry.link
    return verify.beginning(db, board.public_key)[1]


def _header(db: sqlite3.Connection, part: ExportPart, board: Signer, before: bytes) -> dict[str, object]:
    header: dict[str, object] = {
        "sabot_journal": FORMAT,
        "program": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "board": board.public_key.hex(),
        "first": part.first,
        "before": before.hex(),
        "sealed": part.with_sealed,
    }
    noted = store.anchor_entry(db)
    entry = store.entry(db, noted) if noted is not None else None
    # Only where the export goes on from there: a part from further on is proved by nothing that was removed.
    if entry is not None and anchor.verify(entry, board.public_key)[0] == part.first - 1:
        header["anchor"] = entry.body
    return header


def _fields(entry: Entry, *, with_sealed: bool) -> dict[str, object]:
    line: dict[str, object] = {
        "number": entry.number,
        "kind": entry.kind,
        "boot": entry.stamp.boot,
        "at": entry.stamp.at,
        "utc": entry.stamp.utc,
        "trusted": entry.stamp.trusted,
        "body": entry.body,
        "seal": entry.digest_of_seal,
        "link": entry.link.hex(),
    }
    if with_sealed and entry.sealed:
        line["sealed"] = entry.sealed.hex()
    return line


# ---------------------------------------------------------------- to a file


@frozen
class ExportWritten:
    """An export that is on a medium."""

    file: Path
    closing: Closing
    bytes: int


def write(target: Path, content: Iterable[bytes]) -> int:
    """Write a new file, whole and flushed before it has its name; nothing is ever overwritten."""
    # By process: two exports to one name must not write into one file.
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        with beside.open("xb") as file:
            size = sum(_put(file, line) for line in content)
            file.flush()
            os.fsync(file.fileno())
        # A link fails where the name is taken; a rename would write over it.
        os.link(beside, target)
        # Without it a cut of power can take back the name of a file whose content is there.
        flush_directory(target.parent)
    except FileExistsError as error:
        raise CommandError("E-CLI-005", str(target), why="the file exists already") from error
    except OSError as error:
        raise CommandError("E-CLI-005", str(target), why=error.strerror or error) from error
    finally:
        with suppress(OSError):
            beside.unlink()
    return size


def _put(file: BinaryIO, line: bytes) -> int:
    return file.write(line)


def export(db: sqlite3.Connection, target: Path, part: ExportPart, board: Signer) -> ExportWritten:
    """Export to a new file; return it with its closing figures."""
    size = write(target, lines(db, part, board))
    return ExportWritten(target, read_closing(target), size)


def read_closing(target: Path) -> Closing:
    """Return the closing figures of an export that was just written."""
    with target.open("rb") as file:
        for line in file:
            last = line
    said = json.loads(last)["closing"]
    return Closing(said["first"], said["last"], bytes.fromhex(said["link"]), said["digest"])
