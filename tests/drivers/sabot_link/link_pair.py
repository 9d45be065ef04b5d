"""A host's conversation and a simulated device, joined by a bad line in virtual time."""

import heapq
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, Self, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.drivers.options import Value, defaults
from sabot.drivers.sabot_link import SCHEMA
from sabot.drivers.sabot_link.card_machine import CardMachineTalk
from sabot.drivers.sabot_link.talk import Talk
from sabot.hil.simulators.sabot_link import Machine, SabotLinkDevice, Who
from sabot.hil.simulators.sabot_link.on_port import TimedDevice
from sabot.statemachine.vocabulary.events import DecksFound, Event, StackTaken

PUBLIC = Ed25519PrivateKey.from_private_bytes(Who().secret).public_key().public_bytes_raw()


def options(**given: Value) -> dict[str, Value]:
    return {**defaults(SCHEMA), "port": "none", **given}


@dataclass
class Line:
    """What happens to the bytes of one direction."""

    loss: float = 0.0
    flips: float = 0.0
    delay_s: float = 0.002
    jitter_s: float = 0.0
    by_byte: bool = False


# What is told at the beginning of each session, and when a dealer takes a stack: few tests are about it.
AT_REST = (DecksFound, StackTaken)


Host = TypeVar("Host", bound=Talk)
Device = TypeVar("Device", bound=TimedDevice)


class Joined(Generic[Host, Device]):
    """Both sides and the time; nothing here waits for a real clock."""

    def __init__(
        self, make: Callable[[random.Random], tuple[Host, Device]], line: Line | None, seed: int
    ) -> None:
        self.chance = random.Random(seed)
        self.now = 1000.0
        self.line = line or Line()
        self.events: list[Event] = []
        self.heard: list[Event] = []
        self.host, self.device = make(self.chance)
        self.flying: list[tuple[float, int, str, bytes]] = []
        self.turn = count()
        self.last_due = {"host": 0.0, "device": 0.0}
        self.tap: list[tuple[str, bytes]] = []
        self.is_cut = False
        self.tamper: Callable[[str, bytes], bytes] = lambda _to, data: data
        self.host.opened(self.now)
        self.flush()

    def post(self, to: str, data: bytes) -> None:
        """Bytes go onto the line, and perhaps arrive."""
        if not data:
            return
        self.tap.append((to, data))
        data = self.tamper(to, data)
        line = self.line
        if self.is_cut or self.chance.random() < line.loss:
            return
        if line.flips and self.chance.random() < line.flips:
            spot = self.chance.randrange(len(data))
            data = data[:spot] + bytes([data[spot] ^ 1 << self.chance.randrange(8)]) + data[spot + 1 :]
        for piece in [data[at : at + 1] for at in range(len(data))] if line.by_byte else [data]:
            due = max(self.last_due[to], self.now + line.delay_s + self.chance.random() * line.jitter_s)
            self.last_due[to] = due
            heapq.heappush(self.flying, (due, next(self.turn), to, piece))

    def flush(self) -> None:
        self.post("device", self.host.take_wires())
        self.heard += (news := self.host.take_events())
        self.events += [event for event in news if not isinstance(event, AT_REST)]

    def run(self, seconds: float, until: Callable[[], Any] = lambda: False) -> bool:
        """Let time pass; whether ``until`` came true."""
        end = self.now + seconds
        while not until():
            times = [self.host.deadline, self.device.deadline, self.flying[0][0] if self.flying else None]
            self.now = max(self.now, min(end, *(at for at in times if at is not None), end))
            if self.now >= end:
                return bool(until())
            self._step()
        return True

    def _step(self) -> None:
        while self.flying and self.flying[0][0] <= self.now:
            _, _, to, data = heapq.heappop(self.flying)
            if to == "device":
                self.post("host", self.device.receive(data, self.now))
            else:
                self.host.receive(data, self.now)
                self.flush()
        self.host.tick(self.now)
        self.flush()
        self.post("host", self.device.tick(self.now))

    def up(self) -> Self:
        """Both sides know each other."""
        assert self.run(60.0, lambda: self.host.is_up), self.host.why
        self.run(1.0)
        return self

    def said(self, kind: type[Event]) -> list[Any]:
        """The events of a kind so far."""
        return [event for event in self.heard if isinstance(event, kind)]

    def wait(self, kind: type[Event], seconds: float = 60.0) -> Any:
        """The next event of a kind."""
        before = len(self.said(kind))
        assert self.run(seconds, lambda: len(self.said(kind)) > before), (
            kind,
            self.events[-3:],
            self.host.why,
        )
        return self.said(kind)[-1]

    def act(self, line: str) -> None:
        """Let the device do something, as a person would type it."""
        self.device.now = self.now
        name, _, rest = line.partition(" ")
        self.device.actions()[name][1](rest)
        self.post("host", self.device.tick(self.now))


class Pair(Joined[CardMachineTalk, SabotLinkDevice]):
    """A machine for cards."""

    def __init__(
        self,
        *,
        line: Line | None = None,
        seed: int = 1,
        enrolled: bytes | None = PUBLIC,
        who: Who | None = None,
        machine: Machine | None = None,
        name: str = "shuffler",
        **given: Value,
    ) -> None:
        self.enrolled = enrolled
        self.commands: list[tuple[str, Mapping[str, Any]]] = []

        def make(chance: random.Random) -> tuple[CardMachineTalk, SabotLinkDevice]:
            device = SabotLinkDevice(who, machine or Machine(speed=20.0), chance.randbytes)
            return CardMachineTalk(name, options(**given), lambda: self.enrolled, chance.randbytes), device

        super().__init__(make, line, seed)
        self._hear_commands(self.device.machine)

    def _hear_commands(self, machine: Machine) -> None:
        """Every command that reaches the works is kept."""
        obey = machine.command

        def heard(name: str, values: dict[str, int], now: float) -> int:
            self.commands.append((name, values))
            return obey(name, values, now)

        machine.command = heard  # type: ignore[method-assign]

    def shuffle(self, deck: str = "A") -> None:
        self.host.shuffle(deck, self.now)
        self.flush()

    def dispense(self, cards: int, deck: str = "") -> None:
        self.host.dispense(cards, self.now, deck)
        self.flush()
