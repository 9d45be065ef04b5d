"""The driver of a device that speaks Sabot Link: a conversation on a serial line, in the loop.

All that is decided is decided in the conversation, which has no port and no clock. Here bytes and times are
carried to it, and what it says is written and posted.
"""

import asyncio
import os
from collections.abc import Callable, Mapping

from sabot.drivers.convention import LineSettings
from sabot.drivers.device import Host, Status
from sabot.drivers.link import SerialLink
from sabot.drivers.options import Value
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.conversation import Conversation
from sabot.statemachine.effects import (
    ClearFault,
    Dispense,
    Effect,
    FreeShoe,
    HaltShoe,
    StartShuffle,
)

TEST_S = 5.0
LEAVING_S = 0.1
NAME = "sabot-link"
ANY_DUTY = ("both", "shuffle", "dispense")
# The names that the table has for a machine that does both.
ONE_MACHINE = ("shoe", "shuffler")


class SabotLinkDriver:
    """One shuffler or packet shoe."""

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        self.name, self.options, self.host = name, options, host
        self.talk = Conversation(name, options, lambda: host.keyring.key_of(name), os.urandom)
        line = LineSettings(baud=int(options["baud"]))
        self.link = SerialLink(str(options["port"]), line, self, now=host.now)
        self._timer: asyncio.TimerHandle | None = None
        self._hears: list[asyncio.Future[None]] = []

    # ---------------------------------------------------------------- Driver

    async def start(self) -> None:
        """Begin to look for the port."""
        self.link.start()

    def perform(self, effect: Effect) -> None:
        """Do what this effect means for a shuffler or a packet shoe."""
        row = _EFFECTS.get(type(effect))
        if row is not None and self.options["duty"] in _DUTIES.get(type(effect), ANY_DUTY):
            row(self, effect)
            self._carry_out()

    def retest(self, fault: str) -> None:
        """Test the cause of a fault again."""
        self.talk.retest(fault, self.host.now())
        self._carry_out()

    def status(self) -> Status:
        """How the device is."""
        talk, state = self.talk, self.talk.state
        talk.codec.statistics.opened = self.link.opened
        facts: dict[str, Value] = {"authenticated": bool(self.options["authenticated"])}
        if state is not None:
            facts |= {"mode": words.MODES[talk.reporter.mode], "inside": state.inside, "cycles": state.cycles}
            facts |= {"stacks": state.stacks, "cards_out": state.cards_out, "held": bool(state.gate)}
            facts |= {
                "doors": state.doors,
                "fault": words.FAULT_WORDS.get(state.fault, str(state.fault or "")),
            }
        if talk.offered:
            facts["offered_key"] = talk.offered.hex()
        why = "" if talk.is_up else talk.why or self.link.why
        port = str(self.options["port"])
        return Status(self.name, NAME, port, talk.is_up, why, talk.identity, talk.codec.statistics, facts)

    async def test(self, say: Callable[[str], None]) -> bool:
        """Who it is, how it is, and whether it tests itself good."""
        if not self.talk.is_up:
            say(f"not connected: {self.talk.why}")
            return False
        who = self.talk.identity
        say(f"{who.kind} {who.maker} {who.model}, serial {who.serial}, firmware {who.firmware}")
        say("its key is the enrolled one" if who.authenticated else "it did not prove who it is")
        state = self.talk.state
        self.talk.query(self.host.now())
        self._carry_out()
        if not await self._comes(lambda: self.talk.state is not state):
            say(f"no state within {TEST_S:g} s")
            return False
        for name, value in self.status().state.items():
            say(f"{name}: {value}")
        return self.talk.state is not None and not self.talk.state.fault

    async def stop(self) -> None:
        """Hold the cards, part, and let go of the port."""
        self.talk.leave(self.host.now())
        self._carry_out()
        if self.link.is_up:
            # A port that is closed throws away what waits: the word of parting gets its time on the wire.
            await asyncio.sleep(LEAVING_S)
        await self.link.stop()

    # ---------------------------------------------------------------- the line

    def link_up(self) -> None:
        """The port is open."""
        self.talk.opened(self.host.now())
        self._carry_out()

    def link_down(self, reason: str) -> None:
        """The port is gone."""
        self.talk.closed(reason, self.host.now())
        self._carry_out()

    def received(self, data: bytes, at: float) -> None:
        """Bytes from the device."""
        self.host.overhear(self.name, "in", data)
        self.talk.receive(data, at)
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
        if self.talk.is_port_suspect:
            self.talk.is_port_suspect = False
            self.link.restart(self.talk.why)

    async def _comes(self, is_so: Callable[[], bool]) -> bool:
        """Whether something comes true in time, looked at whenever something was heard."""
        try:
            async with asyncio.timeout(TEST_S):
                while not is_so():
                    heard = asyncio.get_running_loop().create_future()
                    self._hears.append(heard)
                    await heard
        except TimeoutError:
            return False
        return True

    # ---------------------------------------------------------------- effects

    def halt(self, _effect: Effect) -> None:
        """Let no more cards out."""
        self.talk.halt(self.host.now())

    def free(self, _effect: Effect) -> None:
        """Cards may come out again."""
        self.talk.free(self.host.now())

    def dispense(self, effect: Effect) -> None:
        """Put out a stack."""
        assert isinstance(effect, Dispense)
        self.talk.dispense(effect.count, self.host.now())

    def shuffle(self, effect: Effect) -> None:
        """Shuffle a deck."""
        assert isinstance(effect, StartShuffle)
        self.talk.shuffle(effect.deck, self.host.now())

    def clear(self, effect: Effect) -> None:
        """A person released a fault of this device, by its name, or by what else the one machine is."""
        assert isinstance(effect, ClearFault)
        names = ONE_MACHINE if self.options["duty"] == "both" else ()
        if effect.device in (self.name, *names):
            self.talk.clear(self.host.now())


_EFFECTS: dict[type[Effect], Callable[[SabotLinkDriver, Effect], None]] = {
    HaltShoe: SabotLinkDriver.halt,
    FreeShoe: SabotLinkDriver.free,
    Dispense: SabotLinkDriver.dispense,
    StartShuffle: SabotLinkDriver.shuffle,
    ClearFault: SabotLinkDriver.clear,
}
_DUTIES: dict[type[Effect], tuple[str, ...]] = {
    HaltShoe: ("both", "dispense"),
    FreeShoe: ("both", "dispense"),
    Dispense: ("both", "dispense"),
    StartShuffle: ("both", "shuffle"),
}
