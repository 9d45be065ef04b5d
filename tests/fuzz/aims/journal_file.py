"""A journal whose files were damaged: opened, proved, exported, shown, and recovered as a start recovers it.

An input is a list of edits (which file, where, what stands there now) and what is then done. Whatever was
damaged is refused with its code, or does not touch an entry: nothing may be read that was not written.
"""

import struct
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sabot.desk.recording import Recording
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import store
from sabot.firmware.run.open_journal import open_journal
from sabot.rules.errors import SabotError
from tests.fuzz.aims.command import DONE, run
from tests.powercut import shift
from tests.powercut.campaign import kept, whole_files
from tests.powercut.run import KEPT, KEPT_SHIFT, _recording
from tests.quick_medium import quick_medium

FILES = ("journal.db", "journal.db-wal", "journal.mark")
# Before the shift's last stop the entries stand in the log, after it in the file: both are damaged.
EDIT = struct.Struct(">B3sB")
COMMANDS = (
    ("journal", "verify"),
    ("journal", "tail"),
    ("journal", "show", "1"),
    ("meters",),
    ("report", "day"),
    ("journal", "export"),
)


class SilentError(AssertionError):
    """What was read is not what was written, and nobody said so."""


class Aim:
    """A journal of a recorded shift, laid out anew for each input."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fuzz-journal-", dir=quick_medium())
        root = Path(self._folder.name)
        ops, events = kept(KEPT)
        self._recording: Recording = _recording(KEPT_SHIFT, events)
        self._states = (_state(whole_files(ops[: len(ops) * 2 // 3])), _state(whole_files(ops)))
        shift.prepare(root)
        self._rooms = Rooms(root / shift.STATE)
        self._board = boards.load(self._rooms, boards.SIMULATED)
        self._export = root / "out.jsonl"
        self._rows = self._rows_of(self._states[1])
        self.seeds = tuple(bytes((way,)) + _edit(0, 4096 * way + 100, b"\\0") for way in range(16))
        self.words = (*(_edit(0, 4096 * page, b"\xff\xff") for page in range(30)), b"SQLite format 3\0")

    def check(self, data: bytes) -> None:
        """Damage the files, then do one thing with them."""
        way = data[0] if data else 0
        is_later = bool(way & 128)
        self._lay_out(self._states[is_later])
        for name, offset, content in _edits(data[1:]):
            _damage(self._rooms.root / name, offset, content)
        if way & 1:
            self._recover()
        else:
            self._command(COMMANDS[(way >> 1) % len(COMMANDS)])

    def _lay_out(self, files: dict[str, bytes]) -> None:
        for path in (self._rooms.journal, *store.logs_of(self._rooms.journal), self._export):
            path.unlink(missing_ok=True)
        for name, content in files.items():
            (self._rooms.root / name).write_bytes(content)

    def _rows_of(self, files: dict[str, bytes]) -> dict[int, bytes]:
        self._lay_out(files)
        with closing(store.open_for_reading(self._rooms.journal)) as db:
            return {entry.number: entry.link for entry in store.entries(db)}

    def _recover(self) -> None:
        try:
            opened = open_journal(self._rooms, self._recording.setup, self._board)
        except SabotError:
            return
        last = opened.last.number if opened.last is not None else 0
        if last and opened.last is not None and self._rows.get(last) != opened.last.link:
            raise SilentError(f"recovered to an entry {last} that nobody wrote")

    def _command(self, words: tuple[str, ...]) -> None:
        where = [str(self._export)] if words == ("journal", "export") else []
        code, _ = run([*words, *where, "--state", str(self._rooms.root)])
        if words == ("journal", "verify") and code == DONE:
            with closing(store.open_for_reading(self._rooms.journal)) as db:
                strange = [
                    each.number for each in store.entries(db) if self._rows.get(each.number) != each.link
                ]
            if strange:
                raise SilentError(f"entry {strange[0]} is proved and was never written")


def _state(files: dict[str, bytes]) -> dict[str, bytes]:
    prefix = f"{shift.STATE}/"
    return {name.removeprefix(prefix): content for name, content in files.items() if name.startswith(prefix)}


def _edit(file: int, offset: int, content: bytes) -> bytes:
    return EDIT.pack(file, offset.to_bytes(3, "big"), len(content)) + content


def _edits(data: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Edits one after the other; an empty content cuts the file off there."""
    while len(data) >= EDIT.size:
        file, offset, length = EDIT.unpack_from(data)
        content, data = data[EDIT.size : EDIT.size + length % 64], data[EDIT.size + length % 64 :]
        yield FILES[file % len(FILES)], int.from_bytes(offset, "big"), content


def _damage(path: Path, offset: int, content: bytes) -> None:
    if not path.exists():
        return
    old = path.read_bytes()
    place = offset % (len(old) + 1)
    path.write_bytes(old[:place] + content + old[place + len(content) :] if content else old[:place])
