"""The driver on a real port: pyserial on a pseudo-terminal, a simulated device behind it, unplugged and back."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from sabot.drivers.device import DeviceStatus
from sabot.drivers.sabot_link import CONVENTION, KIND
from sabot.drivers.sabot_link.codec import Frame, SabotLinkCodec
from sabot.drivers.sabot_link.driver import SabotLinkDriver
from sabot.drivers.sabot_link.messages import CardRead, HoldCards, IdentityTold, Malformed, Ping, StackOut
from sabot.hil.simulators.lossy import Lossy
from sabot.hil.simulators.pty_port import SimulatedPort
from sabot.hil.simulators.sabot_link import Machine, SabotLinkDevice
from sabot.hil.simulators.sabot_link.on_port import DeviceOnPort
from sabot.statemachine.vocabulary.effects import (
    ClearFault,
    Dispense,
    FreeShoe,
    HaltShoe,
    LightSeat,
    StartShuffle,
)
from sabot.statemachine.vocabulary.events import (
    DeviceFaulted,
    DeviceRetested,
    Event,
    LinkLost,
    LinkRestored,
    ShuffleCompleted,
    StackDispensed,
)
from tests.drivers.at_port import HearingTable, PortRig, played

from .link_pair import AT_REST, PUBLIC, options


class Table(HearingTable):
    """A host that enrolled the device, and knows what each session begins with."""

    def kinds(self) -> list[type[Event]]:
        """What was posted, but for what each session begins with."""
        return [type(event) for event in self.events if not isinstance(event, AT_REST)]


class Rig(PortRig[SabotLinkDriver]):
    """A driver, a port, a device."""

    def __init__(self, path: Path, line: Lossy | None = None, key: bytes | None = PUBLIC) -> None:
        self.table = Table(key)
        self.on_port = DeviceOnPort(SabotLinkDevice(machine=Machine(speed=100.0)))
        self.port = SimulatedPort(self.on_port, path=path / "shuffler", line=line)
        name = self.port.plug_in()
        self.driver = SabotLinkDriver("shuffler", options(port=name), self.table)

    async def up(self) -> None:
        await self.driver.start()
        await self.table.until(lambda: self.driver.status().is_up)
        await self.table.until(lambda: not self.on_port.device.machine.held)


def on_rig(path: Path, play: Callable[[Rig], Coroutine[Any, Any, None]], **given: Any) -> Rig:
    return played(lambda: Rig(path, **given), play)


def test_a_shuffle_and_a_stack(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.up()
        rig.driver.perform(StartShuffle(deck="A"))
        assert (await rig.table.event(ShuffleCompleted)).count == 52
        rig.driver.perform(Dispense(count=4))
        assert len((await rig.table.event(StackDispensed)).cards) == 4
        rig.driver.perform(LightSeat(seat=1))

    rig = on_rig(tmp_path, play)
    assert rig.driver.status().statistics.crc_errors == 0
    assert {way for way, _ in rig.table.heard} == {"in", "out"}


def test_unplugged_and_back_under_another_number(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.up()
        was = rig.port.terminal
        rig.port.unplug()
        assert (await rig.table.event(LinkLost)).device == "shuffler"
        assert not rig.driver.status().is_up
        rig.port.plug_in()
        await rig.table.event(LinkRestored)
        assert rig.port.terminal != was

    rig = on_rig(tmp_path, play)
    assert rig.table.kinds() == [LinkLost, LinkRestored]
    assert rig.driver.status().statistics.opened == 2


def test_who_borrows_the_port_finds_the_loss_of_its_link_told(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.up()

        async def borrowed() -> None:
            assert [each.reason for each in rig.table.events if isinstance(each, LinkLost)] == [""]
            assert not rig.driver.link.is_up

        await rig.driver.lend(borrowed)
        await rig.table.event(LinkRestored)

    assert on_rig(tmp_path, play).table.kinds() == [LinkLost, LinkRestored]


def test_halt_and_free(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.up()
        machine = rig.on_port.device.machine
        rig.driver.perform(HaltShoe())
        await rig.table.until(lambda: machine.held)
        rig.driver.perform(FreeShoe())
        await rig.table.until(lambda: not machine.held)

    on_rig(tmp_path, play)


def test_a_fault_tested_and_released(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.up()
        rig.driver.options = rig.driver.talk.options = {**rig.driver.options, "duty": "shuffle"}
        rig.on_port.actions()["fault"][1]("5")
        assert (await rig.table.event(DeviceFaulted)).detail == "a motor"
        rig.driver.retest("device")
        assert (await rig.table.event(DeviceRetested)).good
        rig.driver.perform(ClearFault(fault="device", device="shoe", by="x"))
        assert rig.on_port.device.machine.fault == 5
        rig.driver.perform(ClearFault(fault="device", device="shuffler", by="x"))
        await rig.table.until(lambda: rig.on_port.device.machine.fault == 0)

    on_rig(tmp_path, play)


@pytest.mark.parametrize("released", ["shoe", "shuffler"])
def test_641a_13e_one_machine_is_released_by_either_of_its_names(tmp_path: Path, released: str) -> None:
    """A jam within its shuffle is told as the shuffler's, whatever the machine is called."""

    async def play(rig: Rig) -> None:
        await rig.up()
        rig.on_port.actions()["fault"][1]("1")
        assert await rig.table.event(DeviceFaulted)
        rig.driver.retest("all")
        assert (await rig.table.event(DeviceRetested)).good
        rig.driver.perform(ClearFault(fault="shuffler_jam", device=released, by="x"))
        await rig.table.until(lambda: rig.on_port.device.machine.fault == 0)

    on_rig(tmp_path, play)


@pytest.mark.parametrize(
    ("duty", "orders"),
    [("shuffle", [0x11]), ("dispense", [0x13, 0x14, 0x12]), ("both", [0x13, 0x14, 0x12, 0x11])],
)
def test_what_is_not_its_duty_is_passed_over(tmp_path: Path, duty: str, orders: list[int]) -> None:
    async def play(rig: Rig) -> None:
        rig.driver.options = rig.driver.talk.options = {**rig.driver.options, "duty": duty}
        await rig.up()
        rig.table.heard.clear()
        for effect in (HaltShoe(), FreeShoe(), Dispense(count=2, deck="A"), StartShuffle(deck="A")):
            rig.driver.perform(effect)
            await rig.table.until(lambda: rig.driver.talk.session and not rig.driver.talk.session._asked)

    rig = on_rig(tmp_path, play)
    sent = [
        frame.message.code
        for way, data in rig.table.heard
        if way == "out"
        for frame in SabotLinkCodec().receive(data)
    ]
    assert [code for code in sent if 0x10 < code < 0x20] == orders


def test_stopping_holds_the_cards(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.up()
        held = asyncio.Event()
        rig.on_port.device.machine.no_host = held.set
        await rig.driver.stop()
        # By the word of parting, and not by the two seconds after which a device holds by itself.
        await asyncio.wait_for(held.wait(), 1.0)

    on_rig(tmp_path, play)


def test_a_port_that_is_not_there_is_one_event(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        rig.port.unplug()
        await rig.driver.start()
        await rig.table.event(LinkLost)
        said: list[str] = []
        assert not await rig.driver.test(said.append)
        assert said[0].startswith("not connected: ")
        rig.port.plug_in()
        await rig.table.event(LinkRestored)

    on_rig(tmp_path, play)


def test_a_port_that_is_not_there_is_the_reason_until_its_device_has_another(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        rig.port.unplug()
        await rig.driver.start()
        await rig.table.event(LinkLost)
        rig.driver.talk.why = "another device"
        assert rig.driver.status().why == "another device"
        rig.driver.talk.why = ""
        assert rig.driver.status().why == rig.driver.link.why
        assert "cannot be opened" in rig.driver.link.why

    on_rig(tmp_path, play)


def test_a_device_that_nobody_enrolled_shows_its_key(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.driver.start()
        await rig.table.event(DeviceFaulted)
        status = rig.driver.status()
        assert (status.is_up, status.state["offered_key"]) == (False, PUBLIC.hex())
        rig.table.key = PUBLIC
        rig.driver.retest("device")
        await rig.table.event(LinkRestored)

    on_rig(tmp_path, play, key=None)


def test_over_a_bad_line(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.up()
        rig.driver.perform(StartShuffle(deck="A"))
        assert (await rig.table.event(ShuffleCompleted)).count == 52

    line = Lossy(seed=3, drop=0.1, cut=0.02, duplicate=0.05, noise=0.05, flip=0.001, is_byte_at_a_time=True)
    rig = on_rig(tmp_path, play, line=line)
    assert rig.driver.status().statistics.retries > 0


def test_the_technicians_test(tmp_path: Path) -> None:
    said: list[str] = []

    async def play(rig: Rig) -> None:
        await rig.up()
        assert await rig.driver.test(said.append)
        rig.on_port.actions()["fault"][1]("5")
        await rig.table.event(DeviceFaulted)
        assert not await rig.driver.test(said.append)

    on_rig(tmp_path, play)
    assert said[:2] == [
        "shuffler and packet shoe Sabot Simulated Mixer, serial SIM-0001, firmware 1.0.0",
        "its key is the enrolled one",
    ]
    assert "fault: a motor" in said


def test_status_says_what_the_device_said(tmp_path: Path) -> None:
    found: list[DeviceStatus] = []

    async def play(rig: Rig) -> None:
        await rig.up()
        found.append(rig.driver.status())

    on_rig(tmp_path, play)
    (status,) = found
    assert (status.driver, status.why, status.identity.serial) == ("sabot-link", "", "SIM-0001")
    assert (status.state["mode"], status.state["fault"]) == ("play", "")
    assert status.state["authenticated"] is True


def test_a_device_that_falls_silent_fails_its_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabot.drivers.sabot_link.line_driver.TEST_S", 0.05)
    said: list[str] = []

    async def play(rig: Rig) -> None:
        await rig.up()
        rig.on_port.actions()["silent"][1]("on")
        assert not await rig.driver.test(said.append)

    on_rig(tmp_path, play)
    assert said[-1] == "no state within 0.05 s"


def test_a_port_behind_which_nobody_answers_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot.drivers.sabot_link.session.GREETING_DEADLINE_S", 0.005)

    async def play(rig: Rig) -> None:
        rig.on_port.actions()["silent"][1]("on")
        await rig.driver.start()
        await rig.table.event(LinkLost)
        await rig.table.until(lambda: rig.driver.link.opened > 1)
        rig.on_port.actions()["silent"][1]("off")
        await rig.table.event(LinkRestored)

    rig = on_rig(tmp_path, play)
    assert rig.table.kinds() == [LinkLost, LinkRestored]


def test_stopping_what_was_never_started(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        assert not rig.driver.status().is_up

    assert on_rig(tmp_path, play).table.events == []


# ---------------------------------------------------------------- for those who listen


def test_what_the_package_offers() -> None:
    assert KIND.name == "sabot-link"
    assert CONVENTION.line.baud == 115200
    assert isinstance(CONVENTION.codec({}), SabotLinkCodec)


@pytest.mark.parametrize(
    ("message", "open_words", "shut_words"),
    [
        (CardRead(1, 2, 3, 12, 2, 1, 1, 99), "card=Qh, 99 %", "card=**"),
        (CardRead(1, 2, 3, 0, 255, 1, 1, 0), "card=not read", "card=**"),
        (StackOut(1, 2, 3, 65, 3, bytes([0, 51, 255])), "cards=2c As ??", "cards=**"),
        (Malformed(0x24, b"\x33"), "Malformed(type=0x24, 1 bytes)", "Malformed(type=0x24, 1 bytes)"),
        (HoldCards(), "HoldCards()", "HoldCards()"),
    ],
)
def test_a_frame_in_words(message: Any, open_words: str, shut_words: str) -> None:
    frame = Frame(message, 0x5AB07001, 3, 2, bytes(16))
    assert open_words in CONVENTION.describe(frame, True)
    shut = CONVENTION.describe(frame, False)
    assert shut_words in shut
    assert "Qh" not in shut
    assert shut.startswith("5ab07001 #3 ack 2 sealed ")


def test_a_technicians_words_as_a_frame() -> None:
    (ping,) = SabotLinkCodec().receive(CONVENTION.compose("ping token=5 session=0x7 ack=1"))
    assert ping == Frame(Ping(5), 7, 0, 1)
    (hold,) = SabotLinkCodec().receive(CONVENTION.compose("HoldCards session=7 sequence=3"))
    assert (hold.message, hold.sequence) == (HoldCards(), 3)
    for words, sequence in (("HoldCards session=7", 1), ("Ping token=5", 0)):
        (frame,) = SabotLinkCodec().receive(CONVENTION.compose(words))
        assert frame.sequence == sequence
    (told,) = SabotLinkCodec().receive(CONVENTION.compose("IdentityTold kind=1 version=1 maker=Me nonce=ff"))
    assert isinstance(told.message, IdentityTold)
    assert told.message.maker == "Me"
    assert told.message.nonce == b"\xff" + bytes(31)
    assert CONVENTION.describe(told, True).count("nonce=ff00") == 1


@pytest.mark.parametrize(
    ("text", "words"), [("deal", "deal is no message"), ("ping speed=1", "ping has no speed")]
)
def test_words_that_are_no_frame(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        CONVENTION.compose(text)
