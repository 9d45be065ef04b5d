"""A talk on a serial line: bytes and times are carried to it, its words are written and posted.

The talk knows no port and no clock, so this has all that must be had in a loop: after whatever was told to
the talk, what it has to say is written, what it has found is posted, and one timer is set for the moment at
which it has something to do by itself.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import Generic, TypeVar

from sabot.drivers.convention import LineSettings
from sabot.drivers.device import DeviceStatus, Host
from sabot.drivers.options import Value
from sabot.drivers.sabot_link.talk import Talk
from sabot.drivers.serial_link import SerialLink
from sabot.statemachine.vocabulary.effects import Effect

TEST_S = 5.0
# PARTING has some forty bytes, at 115,200 baud 4 ms.
LEAVING_S = 0.1
Spoken = TypeVar("Spoken", bound=Talk)


class LineDriver(ABC, Generic[Spoken]):
    """One device on one serial line."""

    convention = ""

    def __init__(self, name: str, options: Mapping[str, Value], host: Host, talk: Spoken) -> None:
        self.name, self.options, self.host, self.talk = name, options, host, talk
        line = LineSettings(baud=int(options["baud"]))
        self.link = SerialLink(str(options["port"]), line, self, now=host.now)
        self.is_mute = False
        self._was_in_vain = self._is_stopped = False
        self._timer: asyncio.TimerHandle | None = None
        self._hears: list[asyncio.Future[None]] = []

    # ---------------------------------------------------------------- Driver

    async def start(self) -> None:
        """Begin to look for the port."""
        self.link.start()

    @abstractmethod
    def perform(self, effect: Effect) -> None:
        """Do what an effect means for this kind of device."""

    @abstractmethod
    def facts(self) -> dict[str, Value]:
        """Return the facts that the device has told."""

    @abstractmethod
    def has_fault(self) -> bool:
        """Return whether it latches a fault, or its state is not known."""

    def retest(self, fault: str) -> None:
        """Test the cause of a fault again."""
        self.talk.retest(fault, self.host.now())
        self._carry_out()

    @property
    def is_up(self) -> bool:
        """Return whether a session is open."""
        return self.talk.is_up

    @property
    def is_unanswered(self) -> bool:
        """Return whether nobody answered its greeting."""
        return self._was_in_vain and not self.talk.is_up

    async def lend(self, use: Callable[[], Awaitable[None]]) -> None:
        """Leave the port to somebody else for a while; the device is not up, so no session is lost by it."""
        self.talk.closed(self.talk.why, self.host.now())
        self._carry_out()
        await self.link.stop()
        try:
            await use()
        finally:
            if not self._is_stopped:
                self.link.start()

    def status(self) -> DeviceStatus:
        """Return the status of the device."""
        talk = self.talk
        talk.codec.statistics.opened = self.link.opened
        facts: dict[str, Value] = {"authenticated": bool(self.options["authenticated"]), **self.facts()}
        if talk.offered:
            facts["offered_key"] = talk.offered.hex()
        why = "" if talk.is_up else talk.why or self.link.why
        port = str(self.options["port"])
        statistics = talk.codec.statistics
        return DeviceStatus(
            self.name, self.convention, port, talk.is_up, why, talk.identity, statistics, facts
        )

    async def test(self, say: Callable[[str], None]) -> bool:
        """Ask the device for its state, say all that is known of it, and return whether it has no fault."""
        if not self.talk.is_up:
            say(f"not connected: {self.talk.why}")
            return False
        who = self.talk.identity
        say(f"{who.kind} {who.maker} {who.model}, serial {who.serial}, firmware {who.firmware}")
        say("its key is the enrolled one" if who.authenticated else "it did not prove who it is")
        answers = self.talk.answers
        self.talk.query(self.host.now())
        self._carry_out()
        if not await self._comes(lambda: self.talk.answers > answers):
            say(f"no state within {TEST_S:g} s")
            return False
        for name, value in self.status().state.items():
            say(f"{name}: {value}")
        return not self.has_fault()

    async def stop(self) -> None:
        """Hold the cards, part, and let go of the port."""
        self._is_stopped = True
        self.talk.leave(self.host.now())
        self._carry_out()
        if self.link.is_up:
            # A port that is closed throws away what waits: the word of parting gets its time on the wire.
            await asyncio.sleep(LEAVING_S)
        await self.link.stop()

    # ---------------------------------------------------------------- the line

    def link_up(self) -> None:
        """Greet the device: the port is open."""
        self.talk.opened(self.host.now())
        self._carry_out()

    def link_down(self, reason: str) -> None:
        """End the session: the port is gone."""
        self.talk.closed(reason, self.host.now())
        self._carry_out()

    def received(self, data: bytes, at: float) -> None:
        """Take bytes from the device."""
        self.host.overhear(self.name, "in", data)
        self.talk.receive(data, at)
        self._was_in_vain &= not self.talk.is_up
        self._carry_out()

    # ---------------------------------------------------------------- carrying

    def _carry_out(self) -> None:
        """Write, post, and set the clock for what comes next."""
        data = self.talk.take_wires()
        if data and self.link.write(data):
            self.host.overhear(self.name, "out", data)
        for event in self.talk.take_events():
            self.host.post(event)
        for waiting in self._hears:
            if not waiting.done():
                waiting.set_result(None)
        self._hears.clear()
        self._set_clock()

    def _set_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        deadline = self.talk.deadline
        delay_s = None if deadline is None else max(0.0, deadline - self.host.now())
        loop = asyncio.get_running_loop()
        self._timer = None if delay_s is None else loop.call_later(delay_s, self._tick)

    def _tick(self) -> None:
        self.talk.tick(self.host.now())
        self._carry_out()
        # Nobody answered at all: the port may be dead without saying so, and is opened anew.
        if self.talk.is_port_suspect:
            self.talk.is_port_suspect, self._was_in_vain = False, True
            self.link.restart(self.talk.why)

    async def _comes(self, is_so: Callable[[], bool]) -> bool:
        """Return whether something comes true in time, looked at whenever something was heard."""
        try:
            async with asyncio.timeout(TEST_S):
                while not is_so():
                    heard = asyncio.get_running_loop().create_future()
                    self._hears.append(heard)
                    await heard
        except TimeoutError:
            return False
        return True
