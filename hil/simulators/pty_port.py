"""The ground of every serial simulator: a pseudo-terminal that a program opens as it would open the device.

The simulator holds the master's end; the program finds the other under a path that stays the same. Unplugging
closes the pair, as the kernel does when a cable comes out; plugged in again the pair has another number, and
the stable path is pointed at it, as udev does.
"""

import asyncio
import fcntl
import os
import pty
import termios
import tty
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeVar

from sabot.hil.simulators.lossy import Lossy, LossyWay, Piece

CHUNK = 4096
Result = TypeVar("Result")


class ByteDevice(Protocol):
    """A device as its line sees it; called from the loop only."""

    def attached(self, write: Callable[[bytes], None]) -> None:
        """Take the way to the line: ``write`` sends to the program."""

    def received(self, data: bytes) -> None:
        """Take bytes from the program."""

    def detached(self) -> None:
        """Lose the line; what is written from now on goes nowhere."""


class Delayed:
    """One direction of a line: carries writes over a bad way, each piece after the one before it."""

    def __init__(self, way: LossyWay | None, deliver: Callable[[bytes], None]) -> None:
        self._way, self._deliver = way, deliver
        self._pieces: deque[Piece] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def send(self, data: bytes) -> None:
        """Put one write on the line."""
        if self._way is None:
            self._deliver(data)
            return
        self._pieces.extend(self._way.carry(data))
        if self._timer is None:
            self._next()

    def _next(self) -> None:
        """Deliver what is due at once, and wait for the rest."""
        while self._pieces and not self._pieces[0].after_s:
            self._deliver(self._pieces.popleft().data)
        self._timer = None
        if self._pieces:
            self._timer = asyncio.get_running_loop().call_later(self._pieces[0].after_s, self._due)

    def _due(self) -> None:
        self._deliver(self._pieces.popleft().data)
        self._next()

    def clear(self) -> None:
        """Lose what is on the line."""
        self._pieces.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class SimulatedPort:
    """A device on a pseudo-terminal; ``path`` is where a program finds it, as long as it is plugged in."""

    def __init__(self, device: ByteDevice, *, path: Path | None = None, line: Lossy | None = None) -> None:
        self.device, self.path = device, path
        self._master = self._slave = -1
        self._was = ""
        self._to_program = Delayed(line.way("to program") if line else None, self._write_master)
        self._to_device = Delayed(line.way("to device") if line else None, device.received)
        self.lost_bytes = 0
        # Whoever listens at the wire hears what goes "to" the device and comes "from" it.
        self.on_bytes: Callable[[str, bytes], None] | None = None

    @property
    def is_plugged_in(self) -> bool:
        """Return whether the device is on the line."""
        return self._master >= 0

    @property
    def terminal(self) -> str:
        """Return the name that the kernel gave this time."""
        return os.ttyname(self._slave)

    @property
    def name(self) -> str:
        """Return the path at which a program opens it: the stable one, or the kernel's name."""
        return str(self.path) if self.path else self.terminal

    def plug_in(self) -> str:
        """Put the device on the line, and return where to open it. Needs a running loop."""
        if self.is_plugged_in:
            return self.name
        # The slave stays open here, so that a program may come and go as it does at a real port.
        self._master, self._slave = _open_elsewhere(self._was)
        self._was = self.terminal
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        if self.path:
            _point(self.path, self.terminal)
        asyncio.get_running_loop().add_reader(self._master, self._readable)
        self.device.attached(self._to_program.send)
        return self.name

    def forget(self) -> None:
        """Forget a killed owner of the port: its lock and its settings go, as at a port of the kernel.

        A pseudo-terminal keeps both while this end holds it open, and takes 7E1 only together with a change.
        """
        if not self.is_plugged_in:
            return
        fcntl.ioctl(self._slave, termios.TIOCNXCL)
        settings = termios.tcgetattr(self._slave)
        settings[2] &= ~termios.CLOCAL
        termios.tcsetattr(self._slave, termios.TCSANOW, settings)

    def unplug(self) -> None:
        """Take the device off the line; whoever has it open sees it hang up."""
        if not self.is_plugged_in:
            return
        asyncio.get_running_loop().remove_reader(self._master)
        if self.path:
            self.path.unlink(missing_ok=True)
        self._to_program.clear()
        self._to_device.clear()
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self.device.detached()

    def _readable(self) -> None:
        with suppress(BlockingIOError):
            data = os.read(self._master, CHUNK)
            if self.on_bytes is not None:
                self.on_bytes("to", data)
            self._to_device.send(data)

    def _write_master(self, data: bytes) -> None:
        """Write to the program; what nobody reads is lost, for a line holds nothing back."""
        if not self.is_plugged_in:
            return
        if self.on_bytes is not None:
            self.on_bytes("from", data)
        try:
            written = os.write(self._master, data)
        except BlockingIOError:
            written = 0
        self.lost_bytes += len(data) - written


def _open_elsewhere(was: str) -> tuple[int, int]:
    """Return a new pair under another number than before."""
    pair = pty.openpty()
    if os.ttyname(pair[1]) != was:
        return pair
    # The kernel gives the lowest free number, so the first pair is held until there is a second. A program
    # that kept the old number must not get away with it.
    other = pty.openpty()
    for descriptor in pair:
        os.close(descriptor)
    return other


def _point(path: Path, target: str) -> None:
    """Point the stable path at this terminal, without a moment in which there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(target)
    beside.replace(path)
