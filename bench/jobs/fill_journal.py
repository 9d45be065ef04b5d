"""Makes a journal with very many entries behind an open round, as a cut of power leaves it.

What lies behind is the entries of real rounds again and again, chained, sealed and signed like any others.
Then the table is opened and half a round is played by the real runner, and the process dies without closing
anything.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import closing
from pathlib import Path

from journalling import Desk
from playing import full_shift

from sabot.firmware.credentials.board import Board
from sabot.firmware.journal import content, store
from sabot.firmware.journal.checkpoints import HEAD, head
from sabot.firmware.journal.entry import Draft, Entry, chained
from sabot.firmware.journal.recover import snapshot_place
from sabot.statemachine.state.snapshot import setup_json
from sabot.statemachine.table import Table

SEED, PLAYED = 641, 3
AT_ONCE = 5_000


async def real_rounds(root: Path) -> list[Entry]:
    """The entries of a few real rounds, from the journal that they made."""
    shift = full_shift("manual_shoe", PLAYED, SEED)
    desk = Desk(root / "sample", shift.setup)
    desk.begin()
    await desk.play(shift.opening)
    first = desk.writer.last + 1
    for events in shift.rounds:
        await desk.play(events)
    await desk.end()
    with closing(store.open_for_reading(desk.rooms.journal)) as db:
        return list(store.entries(db, first))


def fill(path: Path, board: Board, sample: list[Entry], count: int, state: dict[str, object]) -> None:
    """So many entries, and the snapshot of a table after them."""
    with closing(store.open_for_writing(path)) as db:
        db.execute("PRAGMA synchronous=OFF")  # nothing of this is anybody's
        number, link = store.last_of(db)
        while number < count:
            db.execute("BEGIN")
            for _ in range(AT_ONCE):
                number += 1
                entry = chained(number, link, draft(board, sample[number % len(sample)], number, link))
                store.insert(db, (entry,))
                if entry.kind == HEAD:
                    store.index(db, "head", number)
                link = entry.link
            db.execute("COMMIT")
        db.execute("BEGIN")
        store.keep_snapshot(
            db, number, link, board.seal.close(content.compact(state), snapshot_place(number))
        )
        db.execute("COMMIT")
        db.execute("PRAGMA synchronous=FULL")


def draft(board: Board, model: Entry, number: int, before: bytes) -> Draft:
    """An entry like a real one, at its own place."""
    if model.kind == HEAD:
        return head(board, model.stamp, number, before)
    sealed = board.seal.close(bytes(len(model.sealed)), content.place_of(number)) if model.sealed else b""
    return Draft(model.kind, model.stamp, model.body, sealed)


async def filled(root: Path, count: int) -> None:
    """The whole journal; never comes back."""
    sample = await real_rounds(root)
    shift = full_shift("manual_shoe", 2, SEED)
    table = Table(shift.setup)
    for event in (*shift.opening, *shift.rounds[0]):
        table.handle(event)
    desk = Desk(root, shift.setup, table)
    await desk.end()
    fill(desk.rooms.journal, desk.board, sample, count, table.snapshot())
    desk = Desk(root, shift.setup, table)
    half = len(shift.rounds[1]) // 2
    await desk.play(shift.rounds[1][:half])
    (root / "expected.json").write_text(json.dumps(table.snapshot()), encoding="utf-8")
    (root / "setup.json").write_text(json.dumps(setup_json(shift.setup)), encoding="utf-8")
    print(json.dumps({"entries": desk.writer.last, "replayed": half}), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    asyncio.run(filled(Path(sys.argv[1]), int(sys.argv[2])))
