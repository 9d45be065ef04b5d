"""An export of a journal: read by the program and by the checker that shares no line with it.

Both are told the board's key, and both must say the same of any file. What both take for whole must be the very
entries that the board exported. After a ``+`` the file is closed anew by the board, whatever stands in it: so the
readers get beyond the digest.
"""

import hashlib
import importlib.util
import io
import json
import re
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path
from types import ModuleType

from sabot.firmware.credentials.board import Board
from sabot.firmware.journal import export, store
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.rules.errors import SabotError
from tests.powercut import shift
from tests.powercut.campaign import kept, whole_files
from tests.powercut.run import KEPT
from tests.quick_medium import quick_medium

CHECKER = Path(__file__).parents[3] / "tools" / "check_journal.py"
# So many entries: each head in them costs the checker some milliseconds.
ENTRIES = 12


class TwoWordsError(AssertionError):
    """The program and the checker are not of one mind, or both are wrong."""


class Aim:
    """One export, bent."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fuzz-export-", dir=quick_medium())
        root = Path(self._folder.name)
        rooms, board = shift.prepare(root)
        for name, content in whole_files(kept(KEPT)[0]).items():
            (root / name).write_bytes(content)
        self._file, self._key = root / "export.jsonl", board.public_key
        self._board = board
        with closing(store.open_for_reading(rooms.journal)) as db:
            parts = [export.ExportPart(1, last) for last in (2, ENTRIES)]
            good = tuple(b"".join(export.lines(db, part, board)) for part in parts)
        self.seeds = (*good, *(b"+" + each for each in good))
        self._whole = {_entries(each) for each in good}
        self.words = tuple(dict.fromkeys(re.findall(rb'"\w+":', self.seeds[1])))

    def check(self, data: bytes) -> None:
        """Both readers, one verdict."""
        is_ours = data.startswith(b"+")
        data = _closed(data[1:], self._board) if is_ours else data
        is_whole, is_whole_there = self._program(data), _checker(data, self._key)
        if is_whole != is_whole_there:
            raise TwoWordsError(f"the program says {is_whole}, the checker says {is_whole_there}")
        if is_whole and not is_ours and _entries(data) not in self._whole:
            raise TwoWordsError("both take for whole what was never exported")

    def _program(self, data: bytes) -> bool:
        self._file.write_bytes(data)
        try:
            for _ in ImportedExport(self._file, self._key).entries():
                pass
        except SabotError:
            return False
        return True


def _closed(data: bytes, board: Board) -> bytes:
    """The same lines, their end signed by the board, as far as they say what to sign."""
    *lines, _ = data.splitlines(keepends=True) or [b""]
    try:
        first, last = json.loads(lines[0])["first"], json.loads(lines[-1])
        told = export.Closing(first, last["number"], bytes.fromhex(last["link"]), _sha256(lines))
        return b"".join(lines) + export.closing_line(told, board)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return data


def _sha256(lines: list[bytes]) -> str:
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _entries(data: bytes) -> bytes:
    """The lines between the first and the last."""
    return b"".join(data.splitlines(keepends=True)[1:-1])


def _checker(data: bytes, key: bytes) -> bool:
    checker = _module()
    try:
        checker.Checker(key).check(io.BytesIO(data))
    except checker.BrokenError:
        return False
    return True


@cache
def _module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_journal_under_fire", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
