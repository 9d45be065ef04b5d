"""One writer: a lock that the kernel holds for as long as the process lives."""

import fcntl
import os
from pathlib import Path

from sabot.firmware.journal.errors import ERRORS, JournalError


def path_of(journal: Path) -> Path:
    """Return where the lock of a journal is."""
    return journal.with_suffix(".lock")


class WriterLock:
    """The right to write a journal."""

    def __init__(self, journal: Path) -> None:
        try:
            self._fd = os.open(path_of(journal), os.O_RDWR | os.O_CREAT, 0o640)
        except OSError as error:
            raise JournalError(ERRORS["E-JRNL-001"], str(journal), why=error.strerror or error) from error
        try:
            # The kernel's, not a file's existence: it ends with the process, however that ends.
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            pid = os.pread(self._fd, 20, 0).decode("ascii", "replace").strip()
            os.close(self._fd)
            raise JournalError(ERRORS["E-JRNL-010"], str(journal), pid=pid or "unknown") from error
        try:
            # For people alone, in the words of E-JRNL-010: nothing decides by this number.
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)
        except OSError:  # a full medium: the lock holds without the number
            return

    def release(self) -> None:
        """Let somebody else write."""
        os.close(self._fd)


def is_written(journal: Path) -> bool:
    """Return whether a program has the journal open for writing."""
    try:
        fd = os.open(path_of(journal), os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False
