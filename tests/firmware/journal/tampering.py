"""Ways to alter a journal behind its back, and what the altered one must be said to be broken at."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sabot.firmware.journal.checkpoints import Signer, head
from sabot.firmware.journal.entry import Draft, Stamp, chained


class Row(NamedTuple):
    """An altered journal, and the entry that must be named."""

    orders: tuple[str, ...]
    entry: int


AT = 17
COLUMNS = {
    "kind": "'command'",
    "boot": "boot || 'x'",
    "at": "at || '0'",
    "utc": "'2020' || substr(utc, 5)",
    "trusted": "1 - trusted",
    "body": "replace(body, '\"at\":', '\"at\": ')",
    "sealed": "x'00'",
    "link": "zeroblob(32)",
}
ROWS = {
    name: Row((f"UPDATE entry SET {name} = {new} WHERE number = {AT}",), AT) for name, new in COLUMNS.items()
}
ROWS |= {
    "taken out": Row((f"DELETE FROM entry WHERE number = {AT}",), AT + 1),
    "put in twice": Row(
        (
            f"UPDATE entry SET number = number + 1000 WHERE number > {AT}",
            f"INSERT INTO entry SELECT {AT + 1}, kind, boot, at, utc, trusted, body, sealed, link FROM entry WHERE number = {AT}",
            "UPDATE entry SET number = number - 999 WHERE number > 1000",
        ),
        AT + 1,
    ),
    "two changed about": Row(
        (
            f"UPDATE entry SET number = 999999 WHERE number = {AT}",
            f"UPDATE entry SET number = {AT} WHERE number = {AT + 1}",
            f"UPDATE entry SET number = {AT + 1} WHERE number = 999999",
        ),
        AT,
    ),
    "beginning cut off": Row((f"DELETE FROM entry WHERE number < {AT}",), AT),
}


def change(path: Path, *orders: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for order in orders:
            db.execute(order)
        db.commit()


def numbers(path: Path, kind: str) -> list[int]:
    with closing(sqlite3.connect(path)) as db:
        return [
            row[0] for row in db.execute("SELECT number FROM entry WHERE kind = ? ORDER BY number", (kind,))
        ]


def rewrite(path: Path, first: int, signer: Signer | None = None) -> None:
    """Write the journal anew from an entry on: an amount is altered and every later link made good again."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(
            "SELECT number, kind, boot, at, utc, trusted, body, sealed FROM entry WHERE number >= ? ORDER BY number",
            (first,),
        ).fetchall()
        link = db.execute("SELECT link FROM entry WHERE number = ?", (first - 1,)).fetchone()[0]
        for number, kind, boot, at, utc, trusted, body, sealed in rows:
            stamp = Stamp(boot, at, utc, bool(trusted))
            text = body if number > first else body.replace('"source":""', '"source":"x"')
            draft = Draft(kind, stamp, text, sealed)
            if kind == "head" and signer is not None:
                draft = head(signer, stamp, number, link)
            entry = chained(number, link, draft)
            db.execute(
                "UPDATE entry SET body = ?, link = ? WHERE number = ?", (entry.body, entry.link, number)
            )
            link = entry.link
        db.commit()


def export_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def write_lines(path: Path, lines: list[dict[str, object]]) -> None:
    path.write_bytes(b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines))
