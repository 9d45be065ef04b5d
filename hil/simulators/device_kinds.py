"""The simulated devices by name, each with what can be chosen of it and how it is put on its wire.

A name is that of the driver that finds the device real; the words of the floor stand for the same devices.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.hil.simulators.lossy import Lossy
from sabot.hil.simulators.pty_port import ByteDevice, SimulatedPort

Value = str | int | float | bool
Action = tuple[str, Callable[[str], None]]
WORDS = {
    "shoe": "angel-eye",
    "shuffler": "sabot-link",
    "sign": "alpha",
    "display": "escpos",
    "pads": "sabot-pads",
    "accounts": "sabot-accounts",
}


class SimulatedChoice(NamedTuple):
    """Something that can be chosen of a simulator, in the shape of a driver's option."""

    name: str
    default: Value
    low: float | None = None
    high: float | None = None
    choices: tuple[Value, ...] = ()

    @property
    def type(self) -> type:
        """Return the type of its values."""
        return type(self.default)


class RunningSimulator(Protocol):
    """A simulated device at work."""

    where: str
    key: str

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on it, cable and all."""

    def close(self) -> None:
        """Take it away."""


class Acting(ByteDevice, Protocol):
    """A device on a line that can be told what to do."""

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on it."""


Chosen = Mapping[str, Value]


class SimKind(NamedTuple):
    """One simulated device."""

    title: str
    choices: tuple[SimulatedChoice, ...]
    start: Callable[[Path | None, int, Chosen], RunningSimulator]
    call: str


class OnSerial:
    """A device on a pseudo-terminal."""

    def __init__(self, device: Acting, path: Path | None, line: Lossy, key: str = "") -> None:
        self.port = SimulatedPort(device, path=path, line=line)
        self.device, self.key = device, key
        self.where = self.port.plug_in()

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on the device and its cable."""
        return {
            **self.device.actions(),
            "unplug": ("unplug: pull the cable", lambda _: self.port.unplug()),
            "plug": ("plug: put it back; the system gives the port another number", self._plug),
        }

    def _plug(self, _words: str) -> None:
        self.where = self.port.plug_in()

    def close(self) -> None:
        """Pull the cable for good."""
        self.port.unplug()


class OnUsb:
    """Pads on a simulated bus, behind a socket."""

    def __init__(self, path: Path | None, _seed: int, chosen: Chosen) -> None:
        pads = import_module("sabot.hil.simulators.pads")
        bus = import_module("sabot.hil.simulators.usb_bus")
        remote = import_module("sabot.hil.simulators.usb_remote")
        build = pads.Build(spots=chosen["spots"], has_values=chosen["has_values"], serial=chosen["serial"])
        self.pad, self.bus, self.key = pads.Pad(build), bus.Bus(), build.public.hex()
        self.where = str(path or Path.cwd() / "sabot-pads.sock")
        self.bus.plug(self.pad)
        self.server = remote.BusServer(self.bus, self.where)
        self.server.serve()

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on the pads and the bus."""
        return {**self.pad.actions(), **self.bus.actions(self.pad)}

    def close(self) -> None:
        """Take the bus away."""
        self.server.shutdown()
        self.server.server_close()
        Path(self.where).unlink(missing_ok=True)


class OnGpio:
    """A chip of lines, behind a socket."""

    key = ""

    def __init__(self, path: Path | None, _seed: int, _chosen: Chosen) -> None:
        self.chip = import_module("sabot.hil.simulators.gpio.chip").Chip()
        self.where = str(path or Path.cwd() / "sabot-lines.sock")
        self.server = import_module("sabot.hil.simulators.gpio.remote").ChipServer(self.chip, self.where)
        self.server.serve()

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on the chip."""
        actions: Mapping[str, Action] = self.chip.actions()
        return actions

    def close(self) -> None:
        """Take the chip away."""
        self.server.shutdown()
        self.server.server_close()
        Path(self.where).unlink(missing_ok=True)


LINE = tuple(
    SimulatedChoice(each.name, each.default, 0.0, 10.0 if each.name == "delay_s" else 1.0)
    if isinstance(each.default, float)
    else SimulatedChoice(each.name, each.default)
    for each in fields(Lossy)
    if each.name != "seed" and isinstance(each.default, (bool, float))
)


def _line(seed: int, chosen: Chosen) -> Lossy:
    return Lossy(seed, **{each.name: chosen[each.name] for each in LINE})  # type: ignore[arg-type]


def _angel_eye(path: Path | None, seed: int, chosen: Chosen) -> RunningSimulator:
    module = import_module("sabot.hil.simulators.angel_eye")
    names = ("bcc_with_stx", "baud", "copies", "game", "free_value", "locked_value", "starts_locked")
    return OnSerial(module.AngelEyeShoe(**{name: chosen[name] for name in names}), path, _line(seed, chosen))


def _alpha(path: Path | None, seed: int, chosen: Chosen) -> RunningSimulator:
    module = import_module("sabot.hil.simulators.alpha")
    return OnSerial(module.AlphaSign(is_dumb=chosen["is_dumb"]), path, _line(seed, chosen))


def _escpos(path: Path | None, seed: int, chosen: Chosen) -> RunningSimulator:
    module = import_module("sabot.hil.simulators.escpos")
    return OnSerial(module.EscposDisplay(wraps=chosen["wraps"]), path, _line(seed, chosen))


def _sabot_link(path: Path | None, seed: int, chosen: Chosen) -> RunningSimulator:
    module = import_module("sabot.hil.simulators.sabot_link")
    on_port = import_module("sabot.hil.simulators.sabot_link.on_port")
    who = module.Who(serial=chosen["serial"])
    public = Ed25519PrivateKey.from_private_bytes(who.secret).public_key().public_bytes_raw()
    machine = module.Machine(speed=chosen["speed"])
    if not chosen["is_loaded"]:
        machine.intake = []
    draws = Random(seed)  # noqa: S311 - the same seed makes the same session
    device = on_port.DeviceOnPort(module.SabotLinkDevice(who, machine, draws.randbytes))
    return OnSerial(device, path, _line(seed, chosen), public.hex())


def _sabot_accounts(path: Path | None, seed: int, chosen: Chosen) -> RunningSimulator:
    module = import_module("sabot.hil.simulators.sabot_accounts")
    person = import_module("sabot.hil.simulators.sabot_accounts.device").who(chosen["serial"])
    on_port = import_module("sabot.hil.simulators.sabot_link.on_port")
    public = Ed25519PrivateKey.from_private_bytes(person.secret).public_key().public_bytes_raw()
    draws = Random(seed)  # noqa: S311 - the same seed makes the same session and the same draws
    system = module.System(draws.randbytes, stations=chosen["stations"])
    device = on_port.DeviceOnPort(module.AccountsDevice(person, system, draws.randbytes))
    return OnSerial(device, path, _line(seed, chosen), public.hex())


# How a driver finds each, for whoever starts one by itself.
_IDENTIFY = "sabot device identify"
KINDS: Mapping[str, SimKind] = {
    "angel-eye": SimKind(
        "reading shoe, Angel Eye dialect",
        (
            SimulatedChoice("bcc_with_stx", True),
            SimulatedChoice("baud", 4800, 0),
            SimulatedChoice("copies", 1, 1, 10),
            SimulatedChoice("game", False),
            SimulatedChoice("free_value", 1, 0, 15),
            SimulatedChoice("locked_value", 2, 0, 15),
            SimulatedChoice("starts_locked", False),
            *LINE,
        ),
        _angel_eye,
        f"{_IDENTIFY} {{where}} --as angel-eye",
    ),
    "sabot-link": SimKind(
        "shuffler and packet shoe, Sabot Link",
        (
            SimulatedChoice("speed", 1.0, 0.01, 1000),
            SimulatedChoice("serial", "SIM-0001"),
            SimulatedChoice("is_loaded", True),
            *LINE,
        ),
        _sabot_link,
        f"{_IDENTIFY} {{where}} --as sabot-link --key {{key}}",
    ),
    "sabot-accounts": SimKind(
        "electronic wagering system, Sabot accounts",
        (SimulatedChoice("stations", 7, 1, 30), SimulatedChoice("serial", "SIM-ACC-1"), *LINE),
        _sabot_accounts,
        f"{_IDENTIFY} {{where}} --as sabot-accounts --key {{key}} --option wagers=hand_bonus_player",
    ),
    "alpha": SimKind(
        "meter sign, Alpha protocol",
        (SimulatedChoice("is_dumb", False), *LINE),
        _alpha,
        f"{_IDENTIFY} {{where}} --as alpha --option meters=prog5.mega=MEGA",
    ),
    "escpos": SimKind(
        "dealer display, ESC/POS",
        (SimulatedChoice("wraps", True), *LINE),
        _escpos,
        f"{_IDENTIFY} {{where}} --as escpos",
    ),
    "sabot-pads": SimKind(
        "bet pads on a simulated USB bus",
        (
            SimulatedChoice("spots", 21, 1, 64),
            SimulatedChoice("has_values", True),
            SimulatedChoice("serial", "SIM0001"),
        ),
        OnUsb,
        f"{_IDENTIFY} --as sabot-pads --key {{key}} --option 'spots=ante play bonus' "
        "--option backend=sabot.hil.simulators.usb_backend:over_socket:{where}",
    ),
    "lines": SimKind(
        "keys, switches and lamps on a simulated chip",
        (),
        OnGpio,
        f"SABOT_GPIO_SOCKET={{where}} {_IDENTIFY} --as lines --option module=sabot.hil.simulators.gpio",
    ),
}
