"""Devices under test without a wire and without waiting: the simulators behind a line whose clock jumps."""

import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.hil.conformance.conventions import KINDS
from sabot.hil.conformance.hands import Act, CheckHands, Idle, words_in
from sabot.hil.conformance.kit import Kit, Setting
from sabot.hil.conformance.record import CheckResult
from sabot.hil.conformance.run import run_checks
from sabot.hil.simulators.alpha import AlphaSign
from sabot.hil.simulators.angel_eye import AngelEyeShoe
from sabot.hil.simulators.escpos import EscposDisplay
from sabot.hil.simulators.pads import Build, Pad
from sabot.hil.simulators.sabot_accounts import AccountsDevice, System
from sabot.hil.simulators.sabot_accounts.device import who as accounts_who
from sabot.hil.simulators.sabot_link import Machine, SabotLinkDevice, Who

ON_THE_WIRE_S, STEP_S = 0.001, 0.002
Action = tuple[str, Callable[[str], None]]
PADS_FACTS = {
    "interface": (0xFF, 0x53, 0x01),
    "device_class": 0,
    "configurations": 1,
    "endpoints": [(0x02, 2, 64, 1), (0x81, 3, 64, 1)],
}


class Clock:
    """The time of a device under test."""

    def __init__(self) -> None:
        self.now_s = 1000.0


class Wire(Protocol):
    """What every virtual line has beside its bytes."""

    def actions(self) -> Mapping[str, Action]: ...


class VirtualLine:
    """The clock, and nothing that comes back by itself."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.reopened = 0

    def now(self) -> float:
        return self.clock.now_s

    def reopen(self) -> None:
        self.reopened += 1

    def facts(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        return None


class LinkLine(VirtualLine):
    """A Sabot Link device, driven from deadline to deadline."""

    def __init__(self, clock: Clock, device: SabotLinkDevice | AccountsDevice) -> None:
        super().__init__(clock)
        self.device, self._out = device, b""

    def send(self, data: bytes) -> None:
        self._out += self.device.receive(data, self.now())

    def read(self, until: float) -> bytes:
        while not self._out:
            due = self.device.deadline
            self.clock.now_s = max(self.now(), until if due is None else min(due, until))
            if due is None or due > until:
                return b""
            self._out = self.device.tick(self.now())
        out, self._out = self._out, b""
        self.clock.now_s += ON_THE_WIRE_S
        return out

    def actions(self) -> Mapping[str, Action]:
        return {name: (words, self._acting(act)) for name, (words, act) in self.device.actions().items()}

    def _acting(self, act: Callable[[str], None]) -> Callable[[str], None]:
        def acting(words: str) -> None:
            self.device.now = self.now()
            act(words)
            self._out += self.device.tick(self.now())

        return acting


class PadLine(VirtualLine):
    """Pads, looked at every other millisecond."""

    def __init__(self, clock: Clock, pad: Pad) -> None:
        super().__init__(clock)
        self.pad, self.actions = pad, pad.actions

    def send(self, data: bytes) -> None:
        self.pad.write(data)

    def read(self, until: float) -> bytes:
        while (data := self.pad.read()) is None and self.now() < until:
            self.clock.now_s = min(until, self.now() + STEP_S)
        if data:
            self.clock.now_s += ON_THE_WIRE_S
        return data or b""

    def facts(self) -> dict[str, Any]:
        return {**PADS_FACTS, "serial": self.pad.strings[2], **getattr(self.pad, "usb", {})}


class ByteLine(VirtualLine):
    """A device that answers at once, or never: a shoe, a sign, a display."""

    def __init__(self, clock: Clock, device: AngelEyeShoe | AlphaSign | EscposDisplay) -> None:
        super().__init__(clock)
        self.device, self._out = device, b""
        self._plug("")

    def _plug(self, _words: str) -> None:
        self.device.attached(self._put)

    def _put(self, data: bytes) -> None:
        self._out += data

    def send(self, data: bytes) -> None:
        self.device.received(data)

    def facts(self) -> dict[str, Any]:
        lines = getattr(self.device, "modem_lines", None)
        return {"modem": lines()} if lines else {}

    def read(self, until: float) -> bytes:
        self.clock.now_s = self.now() + ON_THE_WIRE_S if self._out else max(self.now(), until)
        out, self._out = self._out, b""
        return out

    def actions(self) -> Mapping[str, Action]:
        return {
            **self.device.actions(),
            "unplug": ("", lambda _: self.device.detached()),
            "plug": ("", self._plug),
        }


class VirtualHands:
    """Hands that do to the simulator what they are told."""

    name = "a test"

    def __init__(self, line: Wire, shows: Callable[[], object] = dict) -> None:
        self._line, self._shows = line, shows

    def do(self, act: Act, idle: Idle) -> None:
        for line in act.lines:
            name, _, words = line.partition(" ")
            self._line.actions()[name][1](words)
        idle()

    def draw(self, wanted: str, idle: Idle) -> str:
        self.do(Act("", (f"draw {wanted}",)), idle)
        return wanted

    def sees(self, question: str, shown: str, idle: Idle) -> bool:  # noqa: ARG002
        idle()
        return shown in "\n".join(words_in(self._shows()))


def link_device(machine: Machine | None = None) -> SabotLinkDevice:
    return SabotLinkDevice(Who(), machine or Machine(speed=20.0))


def accounts_device(system: System | None = None) -> AccountsDevice:
    return AccountsDevice(accounts_who(), system or System(os.urandom))


LINK_KEY = Ed25519PrivateKey.from_private_bytes(Who().secret).public_key().public_bytes_raw()
PADS_KEY = Build().public
ACCOUNTS_KEY = Ed25519PrivateKey.from_private_bytes(accounts_who().secret).public_key().public_bytes_raw()
SETTINGS = {
    "sabot-link": Setting(key=LINK_KEY),
    "sabot-accounts": Setting(key=ACCOUNTS_KEY),
    "sabot-pads": Setting(key=PADS_KEY),
    "angel-eye": Setting(),
    "alpha": Setting(),
    "escpos": Setting(options={"high_codes": "\u00fc", "presence": "dsr"}),
}


def kit_for(
    convention: str,
    make: Callable[[Clock], Any],
    setting: Setting | None = None,
    hands: CheckHands | None = None,
) -> Kit:
    """The kit on a simulator that ``make`` builds for this clock."""
    clock = Clock()
    device = make(clock)
    line: Any
    if isinstance(device, (SabotLinkDevice, AccountsDevice)):
        line = LinkLine(clock, device)
    elif isinstance(device, Pad):
        line = PadLine(clock, device)
    else:
        line = ByteLine(clock, device)
    own = VirtualHands(line, getattr(device, "shows", dict))
    return KINDS[convention].kit(line, hands or own, setting or SETTINGS[convention])


def run_whole(kit: Kit, convention: str) -> list[CheckResult]:
    """Every check."""
    return list(run_checks(kit, KINDS[convention].checks, lambda *_: None))


HONEST: Mapping[str, Callable[[Clock], Any]] = {
    "sabot-link": lambda _: link_device(),
    "sabot-accounts": lambda _: accounts_device(),
    "sabot-pads": lambda clock: Pad(Build(spots=4), now=lambda: clock.now_s),
    "angel-eye": lambda _: AngelEyeShoe(),
    "alpha": lambda _: AlphaSign(),
    "escpos": lambda _: EscposDisplay(),
}
