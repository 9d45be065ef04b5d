"""The common part of every driver on a serial line: the line, the questions, and honest news of both.

A device is back only when it has been asked for its state and has answered: an open port is no device. So
each time that the line comes up a task greets the device, says ``LinkRestored``, and then works until the
line dies. Whatever ends the task ends in ``LinkLost`` with the reason, once until the device is back.
"""

# Theory of operation. There are two lives, one inside the other. The port's (``SerialLink``) brings
# ``link_up``, ``received`` and ``link_down``; each ``link_up`` starts the device's, the task ``_live``, which
# greets and then works. A device that does not answer ends its own life by asking the port to be opened anew,
# which brings ``link_down``: so there is one way for a device to be lost, whatever was lost. ``_is_lost``
# makes it one event, and ``_is_lent`` none, where the program itself took the port away for a look.

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Generic, TypeVar

import structlog

from sabot.drivers.convention import Codec, LineSettings, Statistics
from sabot.drivers.device import DeviceStatus, Host, Identity
from sabot.drivers.errors import LinkError
from sabot.drivers.exchange import Exchanges
from sabot.drivers.options import Value
from sabot.drivers.serial_link import SerialLink, complain
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import DeviceFaulted, DeviceRetested, LinkLost, LinkRestored

Message = TypeVar("Message")


class WiredDriver(ABC, Generic[Message]):
    """A device on a serial line; a driver of one kind says how it is greeted, heard and kept at work."""

    kind = ""

    def __init__(self, name: str, options: Mapping[str, Value], host: Host, line: LineSettings) -> None:
        self.name, self.options, self.host = name, options, host
        self.codec = self.make_codec()
        self.link = SerialLink(str(options["port"]), line, self, now=host.now)
        self.exchanges: Exchanges[Message] = Exchanges(self.write, self.statistics, name)
        self.log = structlog.get_logger().bind(device=name)
        self.notice = ""
        self.is_up = self.is_mute = self.is_unanswered = False
        self._is_lost = self._is_lent = self._is_stopped = False
        self._why = "not started"
        self._task: asyncio.Task[None] | None = None
        self._others: set[asyncio.Task[None]] = set()

    # ---------------------------------------------------------------- what a kind of device adds

    @abstractmethod
    def make_codec(self) -> Codec[Message]:
        """Return a fresh codec of this device."""

    @abstractmethod
    async def greet(self) -> None:
        """Ask a device that was plugged in for its state; raise LinkError where it is not there."""

    @abstractmethod
    async def work(self) -> None:
        """Keep the device at what was ordered, until the line dies."""

    @abstractmethod
    def heard(self, message: Message, at: float) -> None:
        """Take a message that was read at this time."""

    @abstractmethod
    async def run_retest(self, fault: str) -> bool:
        """Test the cause of a fault; return whether it is gone."""

    async def leave(self) -> None:
        """Bring the device into its safe state; the line is up."""

    @abstractmethod
    def perform(self, effect: Effect) -> None:
        """Do what this effect means for this device."""

    @abstractmethod
    def state(self) -> dict[str, Value]:
        """Return the known state of the device."""

    # ---------------------------------------------------------------- the interface of a driver

    @property
    def statistics(self) -> Statistics:
        """Return the counters of the line."""
        return self.codec.statistics

    async def start(self) -> None:
        """Look for the device until ``stop``."""
        self.link.start()

    async def stop(self) -> None:
        """Leave the device safe and let go of the line."""
        self._is_stopped = True
        # Work ends first: it keeps the device at what was ordered, and would undo its leaving.
        self._end_work()
        for task in self._others:
            task.cancel()
        if self.link.is_up:
            try:
                await self.leave()
            except LinkError as error:
                self.log.warning("not left in its safe state", why=error.what)
        await self.link.stop()
        self.is_up, self._why = False, "stopped"

    async def lend(self, use: Callable[[], Awaitable[None]]) -> None:
        """Leave the port to somebody else for a while; the table hears nothing of it."""
        self._end_work()
        self.exchanges.abandon("the port is looked at")
        # A device that was not up has nothing to keep quiet: that it is back afterwards is news to the table.
        self._is_lent = self.is_up
        await self.link.stop()
        try:
            await use()
        finally:
            if not self._is_stopped:
                self.link.start()

    def status(self) -> DeviceStatus:
        """Return the status of the device."""
        self.statistics.opened = self.link.opened
        found = Identity(kind=self.kind, capabilities=self.capabilities())
        why = "" if self.is_up else self._why
        shown = self.state() | ({"notice": self.notice} if self.notice else {})
        port = self.link.port
        return DeviceStatus(self.name, self.kind, port, self.is_up, why, found, self.statistics, shown)

    @abstractmethod
    def capabilities(self) -> tuple[str, ...]:
        """Return this device's capabilities in words."""

    def retest(self, fault: str) -> None:
        """Test the cause of a fault again."""
        self.spawn(self._retest(fault))

    async def _retest(self, fault: str) -> None:
        try:
            good = self.is_up and await self.run_retest(fault)
        except LinkError as error:
            self.log.warning("not retested", fault=fault, why=error.what)
            good = False
        # A device that is away has failed its test too: without an answer the fault would stay, and nobody
        # know why.
        left, now = "" if good else self._remaining(), self.host.now()
        about = {"source": self.name, "device": self.name, "fault": fault, "detail": left}
        self.host.post(DeviceRetested(at=now, good=good, **about))

    def _remaining(self) -> str:
        """Return the doubts that a failed retest has left, and what lifts them."""
        return self.doubt() if self.is_up else f"not heard: {self._why}"

    def doubt(self) -> str:
        """Return the remaining fault of a device that answers, and what lifts it.

        Empty where nobody can tell.
        """
        return ""

    # ---------------------------------------------------------------- the line

    def link_up(self) -> None:
        """Begin to ask the device behind the port, which is open now."""
        self._why = "asked, no answer yet"
        if not self._is_stopped:
            self._task = asyncio.get_running_loop().create_task(self._live(), name=f"driver {self.name}")
            self._task.add_done_callback(complain)

    def link_down(self, reason: str) -> None:
        """End the work, and tell the table once: the port is gone."""
        # Whoever waits for an answer hears at once that none will come.
        self.exchanges.abandon(reason)
        self._end_work()
        self.is_up, self._is_lent, self._why = False, False, reason
        if not self._is_lost:
            self._is_lost = True
            now = self.host.now()
            self.host.post(LinkLost(at=now, source=self.name, device=self.name, reason=reason))

    def received(self, data: bytes, at: float) -> None:
        """Take bytes, and hear the messages that they complete."""
        self.host.overhear(self.name, "in", data)
        for message in self.completed(data, at):
            self.heard(message, at)

    def completed(self, data: bytes, at: float) -> list[Message]:  # noqa: ARG002 (for a device with silences)
        """Return the messages that these bytes complete."""
        return self.codec.receive(data)

    def write(self, data: bytes) -> bool:
        """Send bytes; return False where the line is down."""
        is_sent = self.link.write(data)
        if is_sent:
            self.host.overhear(self.name, "out", data)
        return is_sent

    def fault(self, kind: str, detail: str, at: float | None = None) -> None:
        """Post a fault of the device."""
        now = self.host.now() if at is None else at
        event = DeviceFaulted(at=now, source=self.name, device=self.name, fault=kind, detail=detail)
        self.host.post(event)

    def note(self, words: str) -> None:
        """Log something that is worth knowing and holds no table, and show it in the status."""
        self.notice = words
        self.log.info(words)

    def spawn(self, work: "Coroutine[Any, Any, None]") -> None:
        """Do something beside the work of the line."""
        task = asyncio.get_running_loop().create_task(work)
        self._others.add(task)
        task.add_done_callback(self._others.discard)
        task.add_done_callback(complain)

    def _end_work(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    async def _live(self) -> None:
        try:
            # An open port is no device: only its answer counts as back.
            await self.greet()
            self._tell_restored()
            await self.work()
        except LinkError as error:
            self._give_up(error.what)
        except Exception as error:
            # A slip in a driver must not leave a device that seems to be up and is looked after by nobody.
            self._give_up(f"the driver broke: {type(error).__name__}")
            raise  # to whoever watches over the loop

    def _give_up(self, reason: str) -> None:
        self._task = None  # it ends by itself
        # Before the port is restarted: what was never up was asked in vain, and another device may be there.
        self.is_unanswered = not self.is_up
        self.link.restart(reason)

    def _tell_restored(self) -> None:
        is_news, self._is_lent = not self._is_lent, False
        self.is_up, self.is_unanswered, self._is_lost = True, False, False
        if is_news:
            self.host.post(LinkRestored(at=self.host.now(), source=self.name, device=self.name))


Say = Callable[[str], None]
