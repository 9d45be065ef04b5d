"""The self-test without opening a table: what would keep it closed, and how its journal stands.

It reads and changes nothing, so it may run beside the program. The update asks the old release in this way
whether the table is closed, and the new one whether it can live with this board, this table file and this
journal.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sabot.config.table_file import TableFile
from sabot.firmware.credentials.board import FLOOR, SIMULATED, Rooms
from sabot.firmware.credentials.board import load as load_board
from sabot.firmware.examine import Check, Finding, examine
from sabot.firmware.integrity.check import checks as program_checks
from sabot.firmware.journal import store
from sabot.firmware.journal.checkpoints import HEAD
from sabot.firmware.journal.lock import is_written
from sabot.firmware.journal.recover import recover
from sabot.firmware.run.selftest import checks
from sabot.rules.errors import SabotError
from sabot.statemachine.state.setup import Setup


class Stand(NamedTuple):
    """The state of the journal; ``is_closing`` where it ends with a signed head and a snapshot."""

    phase: str
    entries: int
    is_closing: bool
    is_running: bool


NEW = Stand("closed", 0, is_closing=True, is_running=False)


def report(file: TableFile, setup: Setup) -> tuple[list[Finding], Stand | None]:
    """Return every finding, and how the journal stands (None where it cannot be read)."""
    rooms = Rooms(file.storage.state)
    names = [device.driver for device in file.devices]
    rows: tuple[Check, ...] = (
        *checks(rooms.root),
        *program_checks(names, file.law, is_simulated=file.is_simulated),
    )
    findings = examine(rows)
    try:
        return [*findings, Finding("journal", None)], _stand(file, setup, rooms)
    except SabotError as fault:
        return [*findings, Finding("journal", fault)], None


def _stand(file: TableFile, setup: Setup, rooms: Rooms) -> Stand:
    board = load_board(rooms, SIMULATED if file.is_simulated else FLOOR)
    if not rooms.journal.exists():
        return NEW
    try:
        with closing(store.open_for_reading(rooms.journal)) as db:
            found = recover(db, setup, board.seal, board.public_key)
            return Stand(
                found.table.state.play.phase.value,
                found.last.number if found.last else 0,
                _is_closing(db),
                is_written(rooms.journal),
            )
    except (sqlite3.Error, json.JSONDecodeError) as error:
        raise store.wrong(rooms.journal, error) from error


def _is_closing(db: sqlite3.Connection) -> bool:
    """Return whether nothing was recorded after the last signed head, whose state was kept."""
    number, _ = store.last_of(db)
    last, kept = store.entry(db, number), store.newest_snapshot(db)
    return last is None or (last.kind == HEAD and kept is not None and kept[0] == number)


def as_json(findings: list[Finding], stand: Stand | None, place: Path) -> str:
    """Return the report for programs."""
    rows = [
        {
            "check": each.name,
            "fault": str(each.fault) if each.fault else "",
            "keeps_closed": each.keeps_closed,
        }
        for each in findings
    ]
    return json.dumps({"table": str(place), "checks": rows, "journal": stand._asdict() if stand else None})
