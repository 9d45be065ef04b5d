"""A simulated table's own time, which stands still while the machine lets its program or its devices wait.

Between a program and its devices lie deadlines of a second and less: a pad that hears nothing for one locks
itself. On a busy machine a process can wait that long for its turn, and a verdict would be about the machine.
So program and devices of a table under test read one clock, out of a file that both have mapped. The devices'
loop moves it on at each of its turns, a little at a time, and never by more than that beyond the last turn
of the program's loop: neither misses a deadline because the other, or itself, had to wait. On a machine that
has time it is the machine's clock. A program that is gone, or has not turned for ten minutes, is waited for
no more: at a load of 60 a start takes longer than one.

``python -m sabot.hil.table.own_time FOLDER SECONDS WORDS`` is ``sabot WORDS`` in the own time of the table in
that folder, that many seconds later.
"""

import ctypes
import datetime as dt
import fcntl
import mmap
import os
import runpy
import selectors
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

NAME = "own-time"
# How far time goes without a turn, how often a loop turns at least, and when nobody waits for it any more.
STEP_S, TURN_S, STUCK_S, DEAD_S = 0.025, 0.008, 600.0, 0.2
NANO = 1_000_000_000
# The page: which picture of the clock holds, the two pictures (own time, machine's time, limit), and the time
# at which the program turned last (0: it does not run). A picture that holds is never written to.
COUNT, PICTURES, TURNED, SIZE = 0, (1, 4), 7, 8
_machine_s = time.monotonic
# From linux/prctl.h: the signal that the kernel sends to a process whose parent has died.
PR_SET_PDEATHSIG = 1


def of(folder: Path) -> Path:
    """Return the path of a table's time."""
    return folder / NAME


def beside(socket: Path) -> Path:
    """Return the path of the time of a simulator that stands alone: beside the socket of its hands."""
    return socket.with_name(f"{socket.name}.time")


def make(file: Path) -> None:
    """Give a table a time of its own, before its devices and its program are started."""
    file.write_bytes(bytes(SIZE * 8))


def turns_of(file: Path, pause_s: float) -> Callable[[], float]:
    """Return what tells when the program turned last; without a time of its own, a pause ago."""
    if not file.exists():
        return lambda: time.monotonic() - pause_s
    cells = TimePage(file).cells
    return lambda: cells[TURNED]


def clock_of(file: Path) -> Callable[[], float]:
    """Return the clock of a table, for whoever watches it: its own, or the machine's."""
    return TimePage(file).now if file.exists() else time.monotonic


class TimePage:
    """The clock's page, as anybody reads it."""

    def __init__(self, file: Path) -> None:
        self.file = os.open(file, os.O_RDWR | os.O_CLOEXEC)
        self.cells = memoryview(mmap.mmap(self.file, SIZE * 8)).cast("d")

    def now(self) -> float:
        """Return seconds of the table's own time; the machine's if nobody keeps it yet, or any more."""
        count, own_s, machine_s, limit_s = self.picture()
        if not count:
            return _machine_s()
        gone_s = max(0.0, _machine_s() - machine_s - STUCK_S)
        return max(own_s, min(own_s + _machine_s() - machine_s, limit_s)) + gone_s

    def picture(self) -> tuple[float, float, float, float]:
        """Return the clock as it was written last: how often, own time, machine's time, limit."""
        cells = self.cells
        while True:
            count = cells[COUNT]
            first = PICTURES[int(count) % 2]
            own_s, machine_s, limit_s = cells[first : first + 3]
            # Written meanwhile: the picture may be half the old one. The other of the two holds now.
            if cells[COUNT] == count:
                return count, own_s, machine_s, limit_s


class TimeKeeper:
    """The devices, which keep the time: ``turn`` at each turn of their loop."""

    def __init__(self, file: Path) -> None:
        self._page = TimePage(file)
        self.now = self._page.now
        self._waits_since = self._looked = self._given_up = 0.0
        self._page.cells[TURNED] = 0.0
        # Where there was time before it goes on from there: a table that was put away has not grown older.
        count, _, _, limit_s = self._page.picture()
        at = limit_s if count else _machine_s()
        self._write(at, at + STEP_S)

    def turn(self) -> None:
        """Let time go on for a while from now; not far beyond the program's last turn."""
        at, machine_s, turned = self.now(), _machine_s(), self._page.cells[TURNED]
        limit = at + STEP_S
        if turned and turned != self._given_up:
            limit = min(limit, max(at, turned + STEP_S))
        if limit > at:
            self._waits_since = self._looked = machine_s
        elif machine_s - self._looked > DEAD_S:
            self._looked = machine_s
            self._look_for_the_program(turned, machine_s)
        self._write(at, limit)

    def _write(self, at: float, limit: float) -> None:
        cells = self._page.cells
        count = cells[COUNT] + 1
        first = PICTURES[int(count) % 2]
        cells[first], cells[first + 1], cells[first + 2] = at, _machine_s(), limit
        # Last of all: from now on this picture holds.
        cells[COUNT] = count

    def _look_for_the_program(self, turned: float, machine_s: float) -> None:
        """Look for the program by the file that it holds; the kernel lets go of it with the process."""
        try:
            fcntl.flock(self._page.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if machine_s - self._waits_since > STUCK_S:
                self._given_up = turned
        else:
            fcntl.flock(self._page.file, fcntl.LOCK_UN)
            self._page.cells[TURNED] = 0.0


class Follower:
    """A client of the devices for whom the time waits: ``turn`` when all is done that there was."""

    def __init__(self, file: Path) -> None:
        self._page = TimePage(file)
        self.now = self._page.now
        fcntl.flock(self._page.file, fcntl.LOCK_SH)

    def turn(self) -> None:
        """Let time go on: everything that came is done."""
        self._page.cells[TURNED] = self.now()

    def leave(self) -> None:
        """Let time wait no more."""
        self._page.cells[TURNED] = 0.0
        fcntl.flock(self._page.file, fcntl.LOCK_UN)


def keep(file: Path) -> None:
    """Make this process the devices' one, which keeps the time and lives in it; before their imports."""
    keeper = TimeKeeper(file)
    live_in(keeper.now, keeper.turn)


def follow(file: Path) -> None:
    """Make this process the program's, for which the table's time waits; before its imports."""
    follower = Follower(file)
    live_in(follower.now, follower.turn)


def live_in(now: Callable[[], float], turn: Callable[[], None]) -> None:
    """Replace every clock of this interpreter, and the turns of its loops, from now on."""
    behind = time.time() - now()

    def wall() -> float:
        return now() + behind

    time.monotonic, time.time = now, wall
    time.monotonic_ns, time.time_ns = (lambda: int(now() * NANO)), (lambda: int(wall() * NANO))
    dt.datetime = _datetime(wall)  # type: ignore[misc]
    selectors.DefaultSelector = _turning(turn)  # type: ignore[misc, assignment]


def _datetime(wall: Callable[[], float]) -> type[dt.datetime]:
    plain = dt.datetime

    class Own(plain):  # type: ignore[valid-type, misc]
        """A datetime whose now is the table's."""

        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            """Return the table's time of day."""
            return plain.fromtimestamp(wall(), tz)

    return Own


def _turning(turn: Callable[[], None]) -> type[selectors.PollSelector]:
    class Turning(selectors.PollSelector):
        """A selector that tells of every turn, and turns often: a loop that was woken early waits again.

        What is written to a pseudo-terminal is carried to its other end by a worker of the kernel, which has
        to wait for the processor as well: for seconds, on a busy machine. ``poll`` asks each terminal, and
        waits there until all is carried that was written; ``epoll`` only hears what has arrived. So no loop
        turns, and no time goes on, past bytes that are on their way to it.
        """

        def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
            """Report a turn, for everything that was ready is done, and wait for what comes next."""
            turn()
            return super().select(TURN_S if timeout is None else min(timeout, TURN_S))

    return Turning


# A table that was left at noon is switched on again hours later, with every clock ahead and running as fast
# as ever: so its journal is a true one. The other way, a journal made by a clock that was behind, would need
# a machine that has been up for that long: monotonic time begins with the machine.
def shift(seconds: float) -> None:
    """Set every clock of this interpreter ahead, from now on; before whatever copies a clock is imported."""
    for name in ("time", "monotonic"):
        setattr(time, name, _later(getattr(time, name), seconds))
        setattr(time, f"{name}_ns", _later(getattr(time, f"{name}_ns"), int(seconds * NANO)))
    dt.datetime = _later_datetime(seconds)  # type: ignore[misc]


def _later(clock: Callable[[], float], by: float) -> Callable[[], float]:
    return lambda: clock() + by


def _later_datetime(seconds: float) -> type[dt.datetime]:
    plain, by = dt.datetime, dt.timedelta(seconds=seconds)

    class Later(plain):  # type: ignore[valid-type, misc]
        """A datetime whose now is later."""

        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            """Return the time of the clock, plus that many seconds."""
            return plain.now(tz) + by

    return Later


def end_with_parent() -> None:
    """Let the kernel end this process when the rig that started it dies, however that comes about.

    Devices see their pipe close; the program has none, and a rig that was killed left it running for ever.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main(folder: Path, seconds: float, words: list[str]) -> None:
    """Run the program."""
    end_with_parent()
    file = of(folder)
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        make(file)
    # The clocks are the table's from here on, and those that `shift` sets ahead are these.
    follow(file)
    if seconds:
        shift(seconds)
    sys.argv = ["sabot", *words]
    runpy.run_module("sabot", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
