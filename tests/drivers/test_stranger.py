"""Who is there: each device by its own voice and no other, an echo and noise are nobody, and nothing is changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from sabot.drivers import alpha, angel_eye, escpos, sabot_accounts, sabot_link
from sabot.drivers.convention import Recognition
from sabot.drivers.options import Value
from sabot.drivers.stranger import is_there
from sabot.hil.simulators.alpha import AlphaSign
from sabot.hil.simulators.angel_eye import AngelEyeShoe
from sabot.hil.simulators.escpos import EscposDisplay
from sabot.hil.simulators.pty_port import ByteDevice, SimulatedPort
from sabot.hil.simulators.sabot_accounts import AccountsDevice
from sabot.hil.simulators.sabot_link import SabotLinkDevice
from sabot.hil.simulators.sabot_link.on_port import DeviceOnPort

METERS: dict[str, Value] = {"meters": "prog5.mega=MEGA"}
KNOWN: dict[str, Callable[[dict[str, Value]], Recognition | None]] = {
    "sabot-link": sabot_link.KIND.recognition,
    "sabot-accounts": sabot_accounts.KIND.recognition,
    "angel-eye": angel_eye.KIND.recognition,
    "alpha": lambda said: alpha.KIND.recognition(METERS | said),
}
DEVICES: dict[str, Callable[[], Any]] = {
    "sabot-link": lambda: DeviceOnPort(SabotLinkDevice()),
    "sabot-accounts": lambda: DeviceOnPort(AccountsDevice()),
    "angel-eye": AngelEyeShoe,
    "alpha": AlphaSign,
    "escpos": EscposDisplay,
}


class Echo:
    """A plug whose two wires touch: all that is said comes back."""

    def attached(self, write: Callable[[bytes], None]) -> None:
        self._write = write

    def detached(self) -> None:
        """Nothing is kept."""

    def received(self, data: bytes) -> None:
        self._write(data)


class Crackle(Echo):
    """A line on which everything raises the same noise."""

    def __init__(self, noise: bytes) -> None:
        self.noise = noise

    def received(self, _data: bytes) -> None:
        noise, self.noise = self.noise, b""
        self._write(noise)


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))


def known(kind: str, **said: Value) -> Recognition:
    found = KNOWN[kind](said)
    assert found is not None
    return found._replace(deadline_s=0.1)


def answers(root: Path, device: ByteDevice, kind: str, **said: Value) -> bool:
    found: list[bool] = []

    async def work() -> None:
        port = SimulatedPort(device, path=root / "port")
        port.plug_in()
        found.append(await is_there(str(port.path), known(kind, **said)))
        port.unplug()

    run(work)
    return found[0]


@pytest.mark.parametrize("kind", KNOWN)
@pytest.mark.parametrize("there", DEVICES)
def test_a_device_is_known_by_its_own_voice_and_by_no_other(tmp_path: Path, kind: str, there: str) -> None:
    assert answers(tmp_path, DEVICES[there](), kind) is (kind == there)


@pytest.mark.parametrize("kind", KNOWN)
def test_an_echo_of_the_question_is_nobody(tmp_path: Path, kind: str) -> None:
    assert not answers(tmp_path, Echo(), kind)


@pytest.mark.parametrize(
    "noise", [b"\x06", b"\x15\x31", b"\x06\x06\x06", b"\x04\xff\x06\x00", bytes(range(256))]
)
@pytest.mark.parametrize("kind", KNOWN)
def test_noise_that_came_once_is_nobody(tmp_path: Path, kind: str, noise: bytes) -> None:
    assert not answers(tmp_path, Crackle(noise), kind)


@pytest.mark.parametrize("kind", KNOWN)
def test_where_no_port_is_nobody_is(tmp_path: Path, kind: str) -> None:
    async def work() -> None:
        assert not await is_there(str(tmp_path / "none"), known(kind))

    run(work)


def test_a_shoe_in_error_and_one_of_the_other_checks_are_known_too(tmp_path: Path) -> None:
    shoe = AngelEyeShoe(bcc_with_stx=False)
    shoe.refusals = [0x38] * 9
    assert answers(tmp_path, shoe, "angel-eye", bcc_with_stx=False)


def test_what_never_answers_cannot_be_known() -> None:
    assert KNOWN["alpha"]({"read_back": False}) is None
    assert escpos.KIND.recognition({}) is None


@pytest.mark.parametrize("kind", KNOWN)
def test_no_question_moves_a_card_or_changes_a_device(tmp_path: Path, kind: str) -> None:
    port, shoe, sign = DeviceOnPort(SabotLinkDevice()), AngelEyeShoe(), AlphaSign()
    link = port.device.link
    link.report("JAM", 0.0, place=1)
    before = port.device.machine.kept(), list(link.kept), link.events
    for device in (port, shoe, sign):
        answers(tmp_path, device, kind)
    assert (port.device.machine.kept(), list(link.kept), link.events) == before
    assert not link.is_open
    assert (shoe.is_locked, shoe.error, [order.kind for order in shoe.orders if order.kind != "GP"]) == (
        False,
        0,
        [],
    )
    assert (sign.files, sign.memory, sign.sequence, sign.priority, sign.blanks) == ({}, b"", b"", None, 0)
