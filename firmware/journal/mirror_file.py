"""The files on the second medium: the signed copy, and the heads, a line each.

Theory of operation. Two files, for two losses. The copy is replaced as a whole and is what a fresh board goes
on from when this one has burnt out: the meters, the open round, who and what was enrolled. The heads are only
ever added to. Whoever rewrites a journal with the board's own key makes one that is whole in itself, with
other heads; the lines that lie here then have no entry in it, and so it is found out. Neither file is
believed before its signatures are: the medium is easily carried away, and brought back.
"""

import json
import os
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sabot.firmware.credentials.atomic_files import flush_directory, write_whole
from sabot.firmware.journal import store
from sabot.firmware.journal.books import difference
from sabot.firmware.journal.checkpoints import HEAD, Signer, is_signed, signed_text
from sabot.firmware.journal.content import compact
from sabot.firmware.journal.entry import Entry
from sabot.rules.errors import SabotError, table
from sabot.rules.frozen import frozen

ERRORS = table(
    (
        "E-MIRROR-001",
        "the copy cannot be used ({why})",
        "The second medium lost or changed it, or it is no copy of a Sabot table.",
        "Keep the medium for audit; a running table writes a new copy by itself.",
    ),
    (
        "E-MIRROR-002",
        "the copy is of another board ({board}...)",
        "The medium belongs to another table, or the board was changed.",
        "Put the right medium in, or `sabot restore` on the new board.",
    ),
    (
        "E-MIRROR-003",
        "{why}",
        "Somebody wrote into the file of heads, or the medium changed it.",
        "Keep the medium for audit; compare with the exports.",
    ),
    (
        "E-MIRROR-004",
        "the head at entry {head} is not in the journal, which ends at entry {last}",
        "The journal was cut or written anew after the board had signed it, even if it is whole in itself.",
        "Close the table; keep journal and second medium for audit.",
    ),
    (
        "E-MIRROR-005",
        "{what} says {found}, the copy says {copied}",
        "The export is of another table or was made after the copy, or one of them was altered.",
        "Take the newest export and the medium that was in the board last.",
    ),
    (
        "E-MIRROR-006",
        "the journal is whole and agrees with the copy",
        "Nothing is lost, so nothing is restored.",
        "`sabot run` goes on from it; `sabot clear-memory` begins anew.",
    ),
)

COPY, HEADS = "sabot-copy.json", "sabot-heads.jsonl"
FORMAT = 1


class MirrorError(SabotError):
    """A copy that is not to be trusted."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)


@frozen
class Copy:
    """A copy whose signature was proved."""

    key: bytes
    table: str
    entries: int
    link: bytes
    balances: dict[str, int]
    rounds: int
    made: str
    content: Mapping[str, Any]


def write_copy(folder: Path, board: Signer, content: Mapping[str, object]) -> None:
    """Write a new signed copy in place of the one before."""
    made = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    # The content as text within JSON: what was signed is there byte for byte, whoever reads it.
    text = compact({"sabot_copy": FORMAT, "made": made, **content}).decode()
    signature = board.sign(_signed(text)).hex()
    write_whole(folder / COPY, compact({"content": text, "signature": signature}) + b"\n")


def _signed(text: str) -> bytes:
    return f"sabot copy\n{text}".encode()


def read_copy(folder: Path, key: bytes | None = None) -> Copy | None:
    """Return the copy of a second medium, None where there is none; ``key`` is whose it must be."""
    path = folder / COPY
    try:
        outer = json.loads(path.read_bytes())
        text, signature = str(outer["content"]), bytes.fromhex(outer["signature"])
        content = json.loads(text)
        found = _copy(content)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MirrorError("E-MIRROR-001", str(path), why=error) from error
    if not is_signed(found.key, signature, _signed(text)):
        raise MirrorError("E-MIRROR-001", str(path), why="its signature is wrong")
    if key is not None and found.key != key:
        raise MirrorError("E-MIRROR-002", str(path), board=found.key.hex()[:16])
    return found


def _copy(content: dict[str, Any]) -> Copy:
    if content["sabot_copy"] != FORMAT:
        message = f"format {content['sabot_copy']}, this program knows {FORMAT}"
        raise ValueError(message)
    journal = content["journal"]
    return Copy(
        bytes.fromhex(content["board"]),
        str(content["table"]),
        int(journal["entries"]),
        bytes.fromhex(journal["link"]),
        {str(name): int(units) for name, units in content["balances"].items()},
        int(content["rounds"]),
        str(content["made"]),
        content,
    )


# ---------------------------------------------------------------- heads


def append_lines(path: Path, db: sqlite3.Connection, key: bytes) -> int:
    """Add the heads that are not in the file yet; return how many there were."""
    known = _last_line(path)
    numbers = store.numbers(db, "head", known + 1, 2**62)
    new = [each for each in (store.entry(db, number) for number in numbers) if each is not None]
    if not new:
        return 0
    is_new = not path.exists()
    with path.open("ab") as file:
        file.write(b"".join(_head_line(each, key) for each in new))
        file.flush()
        os.fsync(file.fileno())
    if is_new:
        flush_directory(path.parent)
    return len(new)


def _head_line(entry: Entry, key: bytes) -> bytes:
    body = json.loads(entry.body)
    line = {name: body[name] for name in ("entries", "link", "signature")}
    return compact({**line, "key": key.hex(), "head": entry.number, "utc": entry.stamp.utc}) + b"\n"


def _last_line(path: Path) -> int:
    """Return the entry of the last head in the file, 0 where there is none; end half a line."""
    try:
        with path.open("rb") as file:
            # Several lines: the last may be half of one, and each is some 350 bytes.
            file.seek(max(0, path.stat().st_size - 4096))
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return 0
    # Half a line of a cut of power: it is ended, so that the next one begins at its own beginning.
    if lines[-1]:
        with path.open("ab") as file:
            file.write(b"\n")
    for line in reversed(lines[:-1]):
        try:
            return int(json.loads(line)["head"])
        except (ValueError, KeyError, TypeError):
            continue
    return 0


def verify_heads(path: Path, db: sqlite3.Connection, key: bytes) -> int:
    """Return how many heads are on the second medium; MirrorError where one is not of this journal."""
    first, last = store.first_of(db), store.last_of(db)[0]
    count = 0
    for number, line in _heads(path):
        entries, link = int(line["entries"]), bytes.fromhex(line["link"])
        if line["key"] != key.hex() or not is_signed(
            key, bytes.fromhex(line["signature"]), signed_text(entries, link)
        ):
            raise MirrorError("E-MIRROR-003", f"{path}:{number}", why="the line is not signed by this board")
        count += 1
        if entries + 1 < first:
            continue  # retention has exported and removed it
        entry = store.entry(db, entries + 1)
        # A head that the board signed is not in this journal: it was
        # cut, or written anew with the board's own key.
        if entries + 1 > last or entry is None or entry.kind != HEAD or _link_of(entry) != line["link"]:
            raise MirrorError("E-MIRROR-004", f"{path}:{number}", head=entries + 1, last=last)
    return count


def _link_of(entry: Entry) -> str:
    try:
        return str(json.loads(entry.body)["link"])
    except (ValueError, KeyError, TypeError):
        return ""


def _heads(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the lines that are whole; a cut of power can leave half of one."""
    found = []
    for number, raw in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            line = json.loads(raw)
            _ = line["entries"], line["link"], line["key"], line["signature"]
        except (ValueError, KeyError, TypeError):
            continue
        found.append((number, line))
    return found


def verify_copy(copy: Copy, db: sqlite3.Connection, place: str) -> None:
    """Raise where the copy was made of another journal than this one, or of more of it."""
    last, _ = store.last_of(db)
    entry = store.entry(db, copy.entries) if copy.entries else None
    if copy.entries > last or (entry is not None and entry.link != copy.link):
        raise MirrorError("E-MIRROR-004", place, head=copy.entries, last=last)


def compare(copy: Copy, db: sqlite3.Connection, key: bytes, balances: Mapping[str, int]) -> str | None:
    """Return why copy and journal cannot both be true, None where they agree, by the table's balances."""
    if copy.key != key:
        return f"the copy is of another board ({copy.key.hex()[:16]})"
    last, _ = store.last_of(db)
    if copy.entries > last:
        return f"the copy knows entry {copy.entries}, the journal ends at {last}"
    entry = store.entry(db, copy.entries) if copy.entries else None
    if entry is not None and entry.link != copy.link:
        return f"copy and journal have different entries {copy.entries}"
    # Only at the same entry: behind the copy's entry meters may have moved.
    if copy.entries == last and difference(copy.balances, balances):
        return f"copy and journal differ in {', '.join(sorted(difference(copy.balances, balances)))}"
    return None
