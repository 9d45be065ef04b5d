"""What is left after a cut, opened as a start opens it: to a state that was acknowledged, or held with its reason.

Held against the run that nobody cut: each entry that is there is that run's entry, every entry that was
acknowledged is there, the table is the one that handled the same events. Anything else is silently wrong.
"""

import asyncio
import shutil
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sabot.desk.recording import Recording
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Board, Rooms
from sabot.firmware.journal import mirror_file, store
from sabot.firmware.journal.appending import direct
from sabot.firmware.journal.recover import Replay
from sabot.firmware.journal.verify import verify_journal
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.open_journal import open_journal, start_entry
from sabot.rules.errors import SabotError
from sabot.statemachine.table import Table
from tests.powercut.disk import Files
from tests.powercut.shift import SECOND, STATE, states

RECOVERED, GOES_ON = "recovered", "recovered, and went on"


class LostError(AssertionError):
    """Something is wrong and nobody was told."""


class Whole(NamedTuple):
    """The run that nobody cut: the link of each entry, and how many of them are events up to it."""

    links: list[bytes]
    events: list[int]


def whole_of(root: Path) -> Whole:
    """Read the journal of the whole run."""
    links, events = [b""], [0]
    with closing(store.open_for_reading(Rooms(root / STATE).journal)) as db:
        for entry in store.entries(db):
            links.append(entry.link)
            events.append(events[-1] + (entry.kind == "event"))
    return Whole(links, events)


class Judge:
    """Opens what a cut left."""

    def __init__(self, folder: Path, board_of: Path, recording: Recording, whole: Whole) -> None:
        self.folder, self.recording, self.whole = folder, recording, whole
        self.board: Board = boards.load(Rooms(board_of / STATE), boards.SIMULATED)
        self.rooms = Rooms(folder / STATE)
        self._states = states(recording)
        self._keep = [(board_of / STATE / name, name) for name in ("board.json", "keys")]

    def lay_out(self, files: Files, shared: bytes | None) -> None:
        """The files as the medium has them; ``shared`` is what SQLite's shared memory may hold."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in (STATE, SECOND):
            (self.folder / name).mkdir(parents=True)
        for name, content in files.items():
            (self.folder / name).write_bytes(content)
        if shared is not None and self.rooms.journal.exists():
            store.logs_of(self.rooms.journal)[1].write_bytes(shared)

    def says_the_same(self) -> bool:
        """Whether a new table has the effects that stand in the journal, from its first entry on."""
        replay = Replay(Table(self.recording.setup), self.board.seal, {})
        try:
            with closing(store.open_for_reading(self.rooms.journal)) as db:
                for entry in store.entries(db):
                    replay.take(entry)
        except SabotError:
            return False
        return True

    def verdict(self, acknowledged: int, *, goes_on: bool = False) -> str:
        """Recovered, or held and why; LostError where neither is true."""
        try:
            opened = open_journal(self.rooms, self.recording.setup, self.board)
        except SabotError as error:
            return f"held: {error.kind.code}"
        last = self._verify_entries(acknowledged)
        if opened.table.snapshot() != self._states[self.whole.events[last]]:
            raise LostError(f"another table after {last} entries")
        held = self._second(opened.table)
        if held is not None or not goes_on:
            return held or RECOVERED
        asyncio.run(self._go_on(opened.table))
        return GOES_ON

    def _verify_entries(self, acknowledged: int) -> int:
        """The number of the last entry; the entries are those of the whole run, none acknowledged is missing."""
        last = 0
        with closing(store.open_for_reading(self.rooms.journal)) as db:
            for entry in store.entries(db):
                last += 1
                if entry.number != last or entry.link != self.whole.links[last]:
                    raise LostError(f"entry {entry.number} is not what was written")
            if last:
                verify_journal(db, self.board.public_key, lambda _more: None)
        if last < acknowledged:
            raise LostError(f"entry {acknowledged} was acknowledged, the journal ends at {last}")
        return last

    def _second(self, table: Table) -> str | None:
        """What the second medium says: None where it agrees, else why the table would be held."""
        folder = self.folder / SECOND
        try:
            copy = mirror_file.read_copy(folder)
            with closing(store.open_for_reading(self.rooms.journal)) as db:
                heads = folder / mirror_file.HEADS
                if heads.exists():
                    mirror_file.verify_heads(heads, db, self.board.public_key)
                balances = table.state.books.ledger.balances
                why = copy and mirror_file.compare(copy, db, self.board.public_key, balances)
        except SabotError as error:
            return f"held: {error.kind.code} (second medium)"
        return f"held: {why}" if why else None

    async def _go_on(self, table: Table) -> None:
        """The next start writes where the cut one stopped, and all of it is proved."""
        async with direct(self.rooms.journal) as appender:
            start = start_entry(table, Clock().stamp(0.0), "TABLE 1", None)
            number = await appender.keep(lambda _number, _before: start)
        with closing(store.open_for_reading(self.rooms.journal)) as db:
            verify_journal(db, self.board.public_key, lambda _more: None)
            if store.last_of(db)[0] != number:
                raise LostError("what was written after the cut is not there")
