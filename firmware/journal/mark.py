"""The mark: beside the journal, how far it reached, written after every commit.

A file that was deleted or cut, or a log whose middle a medium lost, opens without a word and simply ends
earlier. The mark is what notices: it is one line, written over itself without waiting for the medium, so it
never runs ahead of what was durable, and where it is ahead of the journal, entries were lost. It proves
nothing against a person; that is for the heads on the second medium.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from sabot.firmware.credentials.atomic_files import flush_directory
from sabot.firmware.journal import store
from sabot.firmware.journal.errors import ERRORS, JournalError

LINK_BYTES = 32


def path_of(journal: Path) -> Path:
    """Return where the mark of a journal is."""
    return journal.with_suffix(".mark")


class Mark:
    """The mark of a journal that is being written."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._name = str(journal)  # asked for twice a commit: a path takes longer than the system does
        self._file = journal.stat()
        self._fd = os.open(path_of(journal), os.O_WRONLY | os.O_CREAT, 0o640)
        with suppress(OSError):
            self._make_last()

    def _make_last(self) -> None:
        """Give a new mark its whole line and its name for good; from then on it is written over in place."""
        if read(self._journal) is None:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, _line(0, bytes(LINK_BYTES)), 0)
            os.fsync(self._fd)
            flush_directory(self._journal.parent)

    def verify_in_place(self) -> None:
        """Raise OSError where the journal's name no longer leads to the file that is written."""
        found = os.stat(self._name)  # noqa: PTH116
        # A file that was moved or deleted takes commits on, and no start would find them.
        if (found.st_ino, found.st_dev) != (self._file.st_ino, self._file.st_dev):
            message = f"{self._journal} is another file than the one that is open"
            raise OSError(message)

    def set(self, number: int, link: bytes) -> None:
        """Note that all up to this entry is on the medium; a mark that cannot be set does no harm."""
        with suppress(OSError):
            # One line of one length, written in place and not flushed: it costs no write of its own, and
            # behind a cut of power it is the mark of before at worst, which is no false alarm.
            os.pwrite(self._fd, _line(number, link), 0)

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)


def _line(number: int, link: bytes) -> bytes:
    return f"{number:020} {link.hex()}\n".encode()


def read(journal: Path) -> tuple[int, bytes] | None:
    """Return the content of the mark, or None where there is none that can be read."""
    try:
        number, _, link = path_of(journal).read_text(encoding="ascii").partition(" ")
        found = int(number), bytes.fromhex(link)
    except (OSError, ValueError):
        return None
    # Exactly as it is written: half a line, or one with something behind it, is none.
    return found if _line(*found) == path_of(journal).read_bytes() else None


def verify(journal: Path, db: sqlite3.Connection) -> int | None:
    """Raise where the journal ends before its mark, or has another entry there.

    Return the number of the entry of the mark, None where there is no mark that can be read.
    """
    found = read(journal)
    if found is None:
        return None
    number, link = found
    last, _ = store.last_of(db)
    entry = store.entry(db, number) if 0 < number <= last else None
    # An entry that retention has removed cannot be compared; it is not missing.
    if number > last or (entry is not None and entry.link != link):
        why = "it ends earlier" if number > last else "it has another entry there"
        raise JournalError(ERRORS["E-JRNL-009"], str(journal), last=last, known=number, why=why)
    return number


def verify_gone(journal: Path) -> None:
    """Raise where there is no journal, but there was one."""
    found = read(journal)
    if found is not None and found[0]:
        raise JournalError(
            ERRORS["E-JRNL-009"], str(journal), last=0, known=found[0], why="the file is not there"
        )
