"""Commands about what was recorded: the newest entries, a round, its seals, and the export of the journal.

Everything is read from the journal by connections that cannot write. What is sealed stays sealed in an
export, which has the format of `sabot journal export` and proves the chain without it; two people open the
cards of a closed round, through the program's own writer.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from sabot.config.loader import ChapterLaw
from sabot.firmware.console import export
from sabot.firmware.console.call import Call
from sabot.firmware.console.command import CONTROLLERS, Argument, Command, count, one_of
from sabot.firmware.console.commands.state import pair
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.journal_access import RunnerAppender, entries, read
from sabot.firmware.console.program import DOOR
from sabot.firmware.console.record import COMMAND
from sabot.firmware.journal import store, unseal
from sabot.firmware.journal.authority import two
from sabot.firmware.journal.checkpoints import HEAD
from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry
from sabot.firmware.journal.export import Making
from sabot.firmware.journal.retain import setup_of
from sabot.firmware.pages.journal_text import round_page, unsealed_line
from sabot.firmware.pages.replay_text import plain, words

MOST_ENTRIES, USUAL_ENTRIES = 1000, "20"
LONGEST_NUMBER, LONGEST_ROUND = 10**12, 10**9
STREAM, STICK = "stream", "stick"


async def events(call: Call) -> None:
    """Show the newest entries of the journal."""
    path = call.program.rooms.journal
    wanted, kind = int(call.get("count", USUAL_ENTRIES)), call.get("kind")
    last, _ = await read(path, store.last_of)
    async for found in entries(path, max(1, last - wanted + 1), last):
        for entry in found:
            if not kind or entry.kind == kind:
                await _tell(call, entry)


async def _tell(call: Call, entry: Entry) -> None:
    body = json.loads(entry.body)
    head = f"{entry.number} {entry.stamp.utc[11:19]} {entry.kind}"
    first, *more = _words(entry.kind, body)
    await call.say(f"{head} {first}", number=entry.number, kind=entry.kind, utc=entry.stamp.utc, body=body)
    for line in more:
        await call.say(f"    {line}")


def _words(kind: str, body: dict[str, object]) -> Iterator[str]:
    if kind == EVENT:
        for part in (body["event"], *_list(body["effects"])):
            assert isinstance(part, dict)  # as the journal writes them
            yield words(part)
    elif kind == COMMAND:
        given = " ".join([str(body["command"]), *map(str, _values(body["arguments"]))])
        reason = f": {body['reason']}" if body.get("reason") else ""
        yield plain(f"{body['by'] or 'nobody'}: {given} ({body['result']}{reason})")
    else:
        yield plain(", ".join(f"{name} {str(value)[:24]}" for name, value in body.items()))


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _values(value: object) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else []


async def head(call: Call) -> None:
    """Show the newest signed head, to be written down by whoever wants to prove the journal later."""
    last, signed = await read(call.program.rooms.journal, _newest_head)
    for name, value in signed.items():
        await call.say(pair(name, value), **{name: value})
    if not signed:
        await call.say("no head is signed yet")
    after = last - int(str(signed.get("entries", 0)))
    await call.say(pair("after it", f"{after} entries, chained and not yet signed"), after=after)


def _newest_head(db: sqlite3.Connection) -> tuple[int, dict[str, object]]:
    last, _ = store.last_of(db)
    number = store.newest_of(db, HEAD, last)
    entry = store.entry(db, number) if number is not None else None
    return last, {**json.loads(entry.body), "utc": entry.stamp.utc} if entry is not None else {}


# ---------------------------------------------------------------- a round


async def show_round(call: Call) -> None:
    """Show the record of a round as it was kept."""
    number = int(call.get("number"))
    found = await read(call.program.rooms.journal, partial(_round, number=number, law=call.program.law))
    if found is None:
        raise ConsoleError("E-CONS-011", "console", what=f"record of round {number}", command="events")
    text, record = found
    lines = text.split("\n")
    await call.say(lines[0], round=number, record=record)
    for line in lines[1:]:
        await call.say(line)


def _round(db: sqlite3.Connection, number: int, law: ChapterLaw) -> tuple[str, object] | None:
    """Return the record as a page under the set-up of then, and as it stands in the journal."""
    if store.entries_of_round(db, number) is None:
        return None
    page, facts = round_page(db, number, lambda entry: setup_of(db, law, entry))
    return page, facts["record"]


# ---------------------------------------------------------------- export


def verify_export(call: Call) -> None:
    """Raise where a stick may not be written: only in service mode, with the door open."""
    if call.get("target") != STICK:
        return
    runner = call.program.runner
    if runner is None or not runner.table.rooms.orders.in_service():
        raise ConsoleError("E-CONS-010", "console", why="a stick is written only in service mode")
    # The port is in the cabinet (docs/security.md): whoever writes a stick is there.
    if not call.program.is_line_active(DOOR):
        raise ConsoleError("E-CONS-010", "console", why="a stick is written only with the door open")


async def export_journal(call: Call) -> None:
    """Export the journal without what is sealed: line by line to this console, or to a file."""
    rooms = call.program.rooms
    wanted = partial(export.prepare, rooms=rooms, first=call.get("first"), last=call.get("last"))
    making = await read(rooms.journal, wanted)
    if call.get("target") == STREAM:
        async for lines in _pieces(rooms.journal, making):
            for line in lines:
                await call.put(line)
        return
    name = await _to_file(call, making)
    first, last, _ = making.part
    await call.say(f"entries {first} to {last} are in {name}, signed", first=first, last=last, file=str(name))


async def _pieces(path: Path, making: Making) -> AsyncIterator[list[bytes]]:
    """Yield the lines of an export, some at a time, each piece made on a thread."""
    yield [await read(path, making.header)]
    async for found in entries(path, making.part.first, making.part.last):
        yield await asyncio.to_thread(_lines, making, found)
    yield [await asyncio.to_thread(making.closing)]


def _lines(making: Making, found: list[Entry]) -> list[bytes]:
    return [making.entry(entry) for entry in found]


async def _to_file(call: Call, making: Making) -> Path:
    """Write the whole export under its name, or leave nothing of it."""
    rooms = call.program.rooms
    folder = await asyncio.to_thread(export.folder_of, rooms, call.get("target") == STICK)
    file = await asyncio.to_thread(export.begin, folder, rooms.journal, making.part)
    try:
        async for lines in _pieces(rooms.journal, making):
            await asyncio.to_thread(export.write, file, lines)
        return await asyncio.to_thread(export.finish, file)
    except BaseException:
        # Shielded: a console that goes away must not leave half a file.
        await asyncio.shield(asyncio.to_thread(export.give_up, file))
        raise


async def open_seals(call: Call) -> None:
    """Show the cards of a closed round that never became public."""
    runner, loop = call.runner, asyncio.get_running_loop()
    assert call.second is not None  # the dispatcher has asked for one
    authority = two((call.person, call.second), call.request.why)
    number, path = int(call.get("round")), call.program.rooms.journal
    await read(path, partial(unseal.verify_closed, number=number))
    stamp = call.program.clock.stamp(call.now)

    def opened() -> list[unseal.UnsealedRound]:
        with closing(store.open_for_reading(path)) as db:
            appender = RunnerAppender(runner, loop)
            # A loop of this thread alone; what it writes goes through the loop of the program.
            return asyncio.run(unseal.unseal(appender, db, runner.seal, number, authority, stamp))

    for each in await asyncio.to_thread(opened):
        await call.say(unsealed_line(each), **each._asdict())


COMMANDS = (
    Command(
        "events",
        "the newest entries of the journal: events, commands, signed heads",
        events,
        takes=(
            Argument("count", count(MOST_ENTRIES), may_lack=True),
            Argument("kind", one_of("event", "command", "head", "start"), may_lack=True),
        ),
        needs_table=True,
    ),
    Command(
        "head", "the newest signed head of the journal: entries, link, key, signature", head, needs_table=True
    ),
    Command(
        "round",
        "the record of a round, wager by wager",
        show_round,
        takes=(Argument("number", count(LONGEST_NUMBER)),),
        needs_table=True,
    ),
    Command(
        "export",
        "the journal as signed JSON lines: `stream`, to the `board`, or in service mode to a `stick`",
        export_journal,
        CONTROLLERS,
        (
            Argument("target", one_of(STREAM, "board", STICK), lambda _program: (STREAM, "board", STICK)),
            Argument("first", count(LONGEST_NUMBER), may_lack=True),
            Argument("last", count(LONGEST_NUMBER), may_lack=True),
        ),
        needs_why=True,
        verify=verify_export,
    ),
    Command(
        "unseal",
        "the cards of a closed round that never became public",
        open_seals,
        roles=CONTROLLERS,
        takes=(Argument("round", count(LONGEST_ROUND)),),
        second=CONTROLLERS,
        needs_why=True,
        needs_table=True,
        orders=True,
    ),
)
