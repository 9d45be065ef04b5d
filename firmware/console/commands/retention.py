"""Retention at a running table: `sabot journal retain`, through the program's own writer.

The export is made on a thread and takes as long as it takes, so the table is closed meanwhile, or in service
mode. Nothing is removed that was not read back from the export and proved.
"""

import asyncio
from contextlib import closing
from functools import partial
from pathlib import Path

from sabot.config.table_file import LEAST_DAYS, MOST_DAYS
from sabot.firmware.console import export
from sabot.firmware.console.call import Call
from sabot.firmware.console.command import CONTROLLERS, Argument, Command, count, one_of
from sabot.firmware.console.commands.devices import verify_idle
from sabot.firmware.console.commands.records import STICK, verify_export
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.journal_access import RunnerAppender
from sabot.firmware.console.program import ConsoleProgram
from sabot.firmware.credentials.board import Rooms, kind_of, load
from sabot.firmware.journal import retain, store
from sabot.firmware.journal.authority import two

BOARD, SECOND = "board", "second"


def verify_retain(call: Call) -> None:
    """Raise where somebody may play, or there is no such medium."""
    verify_idle(call.table, "old entries are exported and removed with the table closed or in service mode")
    verify_export(call)
    if call.get("target") == SECOND and call.program.storage.second is None:
        raise ConsoleError("E-CONS-011", "console", what="second medium in the table file", command="config")


async def retain_journal(call: Call) -> None:
    """Export, prove and remove what is older than the retention time."""
    assert call.second is not None  # the dispatcher has asked for one
    storage, stamp = call.program.storage, call.program.clock.stamp(call.now)
    authority = two((call.person, call.second), call.request.why)
    days = int(call.get("days", str(storage.retention_days)))
    folder = await asyncio.to_thread(_folder, call.program, call.get("target"))
    order = retain.RetentionOrder(folder, retain.oldest_to_keep(stamp.utc, days), authority, stamp)
    appender = RunnerAppender(call.runner, asyncio.get_running_loop())
    done = await asyncio.to_thread(partial(_retain, appender, call.program.rooms, order))
    if done is None:
        await call.say(f"nothing is surely older than {days} days; nothing was removed", removed=0)
        return
    name = str(done.written.file)
    await call.say(
        f"{done.removed} entries are in {name}, read back and proved, and removed here; "
        f"entry {done.anchor} is the signed anchor",
        file=name,
        removed=done.removed,
        anchor=done.anchor,
    )


def _folder(program: ConsoleProgram, target: str) -> Path:
    second = program.storage.second
    if target == SECOND and second is not None:
        folder = second
    else:
        folder = export.folder_of(program.rooms, target == STICK)
    export.verify_room(folder, program.rooms.journal)
    return folder


def _retain(appender: RunnerAppender, rooms: Rooms, order: retain.RetentionOrder) -> retain.Retained | None:
    """Export, prove and remove, on a thread with a loop of its own that waits for the table's."""
    with closing(store.open_for_reading(rooms.journal)) as db:
        return asyncio.run(retain.retain(appender, db, load(rooms, kind_of(rooms)), order))


COMMANDS = (
    Command(
        "retain",
        "export what is old to the `second` medium, the `board` or a `stick`, then remove it; two people",
        retain_journal,
        CONTROLLERS,
        (
            Argument("target", one_of(SECOND, BOARD, STICK), lambda _program: (SECOND, BOARD, STICK)),
            Argument("days", count(MOST_DAYS, LEAST_DAYS), may_lack=True),
        ),
        second=CONTROLLERS,
        needs_why=True,
        needs_table=True,
        orders=True,
        verify=verify_retain,
    ),
)
