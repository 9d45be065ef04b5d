"""Raise an exception at the k-th call of a stretch of code.

A profile function hears each call of a Python function; one that raises makes the callee raise at its first
line, and is taken off by the interpreter. So exactly one call slips, as if its code were wrong.
"""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

NEVER = 0
RUNNER = "/firmware/run/runner.py"


class Stumble(Exception):  # noqa: N818 (it is what is done, not what went wrong)
    """The slip that is made on purpose."""


# A `with` of the library over a lock: whoever slips in its release leaves the lock held for ever. None of our code.
LOCKS = ("threading.py", ("__enter__", "__exit__"))
# By a KeyError out of these a mapping, or a selector, answers that it has no such key.
MAPPINGS = frozenset({"__getitem__", "get_map", "get_key"})
KINDS: tuple[type[Exception], ...] = (Stumble, KeyError, MemoryError, RecursionError)


class Injector:
    """Counts calls in one thread; at the k-th one it raises, once.

    ``NEVER``: it only keeps by which way each call came, its callers and their lines.
    """

    def __init__(self, at: int = NEVER, *, within: str = "", beyond: tuple[str, ...] = (RUNNER,)) -> None:
        self.at, self.within, self.beyond = at, within, beyond
        self.calls = 0
        self.ways: list[int] = []
        self.place = ""
        self.look: Callable[[], None] | None = None
        self._thread: int | None = None
        self._callers: list[tuple[str, str]] = []

    def is_within(self, caller: tuple[str, str]) -> bool:
        """Return whether the call came by way of a function, named by the end of its file and its name."""
        return any(file.endswith(caller[0]) and name == caller[1] for file, name in self._callers)

    @property
    def has_raised(self) -> bool:
        """Return whether the call was reached."""
        return bool(self.place)

    @contextmanager
    def here(self) -> Iterator[None]:
        """Count in this thread until the block ends."""
        self._thread = threading.get_ident()
        sys.setprofile(self._hear)
        try:
            yield
        finally:
            sys.setprofile(None)

    def in_new_threads(self) -> None:
        """Hear the threads that begin from now on; nothing is counted before ``arm``."""
        threading.setprofile(self._hear)

    def arm(self, thread: int | None) -> None:
        """Count in this thread from now on."""
        self._thread = thread

    def _hear(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or self.has_raised or threading.get_ident() != self._thread:
            return
        if (self.within and not self._is_wanted(frame)) or _is_of_a_lock(frame):
            return
        self.calls += 1
        if self.at == NEVER:
            self.ways.append(hash(tuple(_lines(frame))))
        if self.calls == self.at:
            code = frame.f_code
            self._callers = list(_callers(frame))
            self.place = f"{code.co_filename.rpartition('/')[2]}:{code.co_qualname}"
            if self.look is not None:
                self.look()
            raise _kind(self.at, code.co_name)

    def _is_wanted(self, frame: FrameType) -> bool:
        """Return whether the call came by way of the code in question, and not of what lies beyond it."""
        files = [file for file, _ in _callers(frame)]
        is_beyond = any(each in file for file in files for each in self.beyond)
        return any(self.within in file for file in files) and not is_beyond


def _is_of_a_lock(frame: FrameType) -> bool:
    return frame.f_code.co_name in LOCKS[1] and frame.f_code.co_filename.endswith(LOCKS[0])


def _kind(at: int, function: str) -> type[Exception]:
    """Return what is raised: in turn one of them, but no mapping's answer that it has no such key."""
    kind = KINDS[at % len(KINDS)]
    return Stumble if kind is KeyError and function in MAPPINGS else kind


def _lines(frame: FrameType | None) -> Iterator[tuple[str, int]]:
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back


def _callers(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_code.co_name
        frame = frame.f_back
