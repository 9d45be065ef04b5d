"""A serial line that is kept alive: pyserial opens it, the loop reads it, and opens it again when it dies.

The loop reads the descriptor itself, which is faster than any thread and stamps each read when it happens. A
line that dies is one ``link_down`` with its reason however often it is looked for afterwards; it is closed
before it is opened again, since a port that comes back while its old handle is open gets another number.
"""

# Theory of operation. One task (``_live``) owns the port over its lives: open in a thread, serve until
# ``_died`` is set, close in a thread, wait, again. Reading and writing happen in callbacks of the loop and
# may find the port dead at any moment; then ``_die`` detaches it on the spot, so that nothing more is read,
# written or told, and leaves the closing to the task. Writing never waits: what the system does not take
# stays in ``_waiting`` and goes when the descriptor is writable. The wait between two tries grows until
# something is heard, not until the port opens.

import asyncio
import os
import select
from collections.abc import Callable
from typing import Protocol

import serial

from sabot.drivers.convention import LineSettings
from sabot.drivers.errors import LinkError
from sabot.drivers.serial_port import ModemLines, close_port, modem_lines, open_port
from sabot.rules.frozen import frozen

CHUNK = 4096
# A port that takes nothing for so long is of no use, and its bytes must not grow the program without end.
WAITING_MOST = 65_536


class LinkListener(Protocol):
    """A listener to a line. Called from the loop; must not raise."""

    def link_up(self) -> None:
        """Hear that the port is open; nothing is known yet of the device behind it."""

    def link_down(self, reason: str) -> None:
        """Hear that the port is gone, or was never there; said once until it is up again."""

    def received(self, data: bytes, at: float) -> None:
        """Take bytes, with the time at which they were read."""


@frozen
class BackOff:
    """The wait before a port is looked for again."""

    first_s: float = 0.25
    factor: float = 2.0
    most_s: float = 5.0

    def delay_s(self, failures: int) -> float:
        """Return the wait after so many failures in a row (the first is 0)."""
        # Bounded, for a port that is missed all night would make the power overflow.
        return min(self.most_s, self.first_s * self.factor ** min(failures, 32))


class SerialLink:
    """One serial line, from ``start`` to ``stop``."""

    def __init__(
        self,
        port: str,
        line: LineSettings,
        listener: LinkListener,
        *,
        now: Callable[[], float],
        backoff: BackOff = BackOff(),  # noqa: B008 - it cannot be changed
    ) -> None:
        self.port, self.line, self.why = port, line, "not started"
        self.opened = 0
        self._listener, self._now, self._backoff = listener, now, backoff
        self._serial: serial.Serial | None = None
        self._task: asyncio.Task[None] | None = None
        self._died: asyncio.Future[str] | None = None
        self._waiting = bytearray()
        self._is_told_down = False
        self._failures = 0

    # ---------------------------------------------------------------- what the owner calls

    @property
    def is_up(self) -> bool:
        """Return whether the port is open and has not died."""
        return self._serial is not None

    def start(self) -> None:
        """Begin to look for the port, in the running loop."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._live(), name=f"link {self.port}")
            self._task.add_done_callback(complain)

    def write(self, data: bytes) -> bool:
        """Send bytes; return False where none of them will go, for the line is down or takes no more."""
        if self._serial is None:
            return False
        if len(self._waiting) + len(data) > WAITING_MOST:
            self._die(f"the port takes no bytes: {len(self._waiting)} are waiting")
            return False
        is_first = not self._waiting
        self._waiting += data
        if is_first:
            self._push()
        return self.is_up

    def restart(self, reason: str) -> None:
        """Close the port and open it again: what is open is of no use any more."""
        self._die(reason)

    def modem_lines(self) -> ModemLines | None:
        """Return the other end's modem lines, or None where the port has none or is down."""
        return None if self._serial is None else modem_lines(self._serial)

    async def stop(self) -> None:
        """Close the port and look for it no longer; no ``link_down`` is said for that."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self.why = "stopped"

    # ---------------------------------------------------------------- the life of a line

    async def _live(self) -> None:
        while True:
            try:
                port = await self._open()
            except LinkError as error:
                self._tell_down(error.what)
            else:
                await self._serve(port)
            await asyncio.sleep(self._backoff.delay_s(self._failures))
            self._failures += 1

    async def _open(self) -> serial.Serial:
        """Return the port, opened in a thread; who stops waiting for it leaves none open behind."""
        # A sick USB adapter may keep an open waiting for seconds, and
        # the loop that locks wagers waits for nothing.
        opening = asyncio.get_running_loop().run_in_executor(None, open_port, self.port, self.line)
        try:
            # A thread cannot be cancelled: the port that it opens later is closed by ``_close_unwanted``.
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_close_unwanted)
            raise

    async def _serve(self, port: serial.Serial) -> None:
        self._died = asyncio.get_running_loop().create_future()
        try:
            self._attach(port)
            await self._died
        finally:
            self._detach()
            # Closed before it is opened again, though this task be cancelled: else the same device comes
            # back under another number (ACM0 becomes ACM1).
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, close_port, port))

    def _attach(self, port: serial.Serial) -> None:
        self._serial, self._is_told_down, self.why = port, False, ""
        self.opened += 1
        # Orders for the device that was here before are not for the one that is plugged in now.
        self._waiting.clear()
        asyncio.get_running_loop().add_reader(port.fileno(), self._readable)
        self._listener.link_up()

    def _detach(self) -> None:
        """Forget the port without closing it."""
        if self._serial is None:
            return
        loop, descriptor = asyncio.get_running_loop(), self._serial.fileno()
        loop.remove_reader(descriptor)
        loop.remove_writer(descriptor)
        self._serial = None
        self._waiting.clear()

    def _die(self, reason: str) -> None:
        """Detach a line that is dead from this moment; the task closes it and looks for it again."""
        if self._serial is None:
            return
        self._detach()
        if self._died is not None and not self._died.done():
            # The task wakes at its next turn. From this line on nothing is written or read.
            self._died.set_result(reason)
        self._tell_down(reason)

    def _tell_down(self, reason: str) -> None:
        self.why = reason
        if not self._is_told_down:
            self._is_told_down = True
            self._listener.link_down(reason)

    # ---------------------------------------------------------------- bytes

    def _readable(self) -> None:
        assert self._serial is not None
        try:
            data = os.read(self._serial.fileno(), CHUNK)
        except BlockingIOError:
            return
        except (OSError, serial.SerialException) as error:
            self._die(f"reading failed: {error}")
            return
        at = self._now()
        # A tty that is ready and empty has hung up, or somebody else takes its bytes.
        if not data:
            self._die(_why_empty(self._serial.fileno()))
            return
        # Not when it opens: a port that opens and dies at once would be tried again without a pause.
        self._failures = 0
        self._listener.received(data, at)

    def _push(self) -> None:
        """Give the system what it takes; the rest waits until it takes more."""
        assert self._serial is not None
        descriptor, loop = self._serial.fileno(), asyncio.get_running_loop()
        try:
            del self._waiting[: os.write(descriptor, self._waiting)]
        except BlockingIOError:
            pass
        except (OSError, serial.SerialException) as error:
            self._die(f"writing failed: {error}")
            return
        if self._waiting:
            # The loop never waits for a device: what it does not take now goes when it takes more.
            loop.add_writer(descriptor, self._push)
        else:
            loop.remove_writer(descriptor)


def _why_empty(descriptor: int) -> str:
    """Return why a port that is ready has nothing to read."""
    # Asked for nothing, ``poll`` still tells of a hang-up or an error.
    poll = select.poll()
    poll.register(descriptor, 0)
    if poll.poll(0):
        return "the port hung up: unplugged"
    return "the port is ready but empty: unplugged, or another program reads it too"


def _close_unwanted(opening: "asyncio.Future[serial.Serial]") -> None:
    if not opening.cancelled() and opening.exception() is None:
        close_port(opening.result())


def complain(task: "asyncio.Task[None]") -> None:
    """Hand the error of a task that broke to whoever watches over the loop: it is a slip in the program."""
    if not task.cancelled() and (error := task.exception()) is not None:
        facts = {"message": f"{task.get_name()} broke", "exception": error, "task": task}
        task.get_loop().call_exception_handler(facts)
