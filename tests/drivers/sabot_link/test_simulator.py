"""The simulated device: what a person can let it do, and what it answers to what no driver sends."""

import pytest

from sabot.drivers.sabot_link.codec import Frame, SabotLinkCodec, seal
from sabot.drivers.sabot_link.messages import (
    ClearLatch,
    DispenseStack,
    FreeCards,
    Hello,
    MachineState,
    Message,
    Parting,
    Query,
    Result,
    Shuffle,
    Unknown,
)
from sabot.hil.simulators.sabot_link import SabotLinkDevice, Who
from sabot.hil.simulators.sabot_link.on_port import DeviceOnPort


class Plain:
    """A host by hand, without authentication and without a conversation."""

    def __init__(self, device: SabotLinkDevice) -> None:
        self.device, self.codec, self.sequence, self.taken, self.now = device, SabotLinkCodec(), 0, 0, 10.0
        self.say(Hello(1, 1, 0, 0, 0, bytes(32), bytes(32)))

    def say(self, message: Message) -> list[Frame]:
        self.sequence += message.code >= 0x10 or isinstance(message, Unknown)
        reliable = message.code >= 0x10 or isinstance(message, Unknown)
        frame = Frame(message, 7, self.sequence if reliable else 0, self.taken)
        return self._take(self.device.receive(seal(frame, None), self.now))

    def wait(self, seconds: float) -> list[Frame]:
        self.now += seconds
        return self._take(self.device.tick(self.now))

    def _take(self, data: bytes) -> list[Frame]:
        frames = self.codec.receive(data)
        self.taken = max([self.taken, *(frame.sequence for frame in frames)])
        return frames

    def verdict(self, message: Message) -> int:
        (result,) = [each.message for each in self.say(message) if isinstance(each.message, Result)]
        return result.verdict


@pytest.fixture
def plain() -> Plain:
    host = Plain(SabotLinkDevice())
    (state,) = [each.message for each in host.say(Query()) if isinstance(each.message, MachineState)]
    assert (state.gate, state.cycle, state.kept) == (1, 0, 0)
    return host


def test_it_speaks_never_first() -> None:
    device = SabotLinkDevice()
    device.actions()["mode"][1]("sort")
    assert device.tick(5.0) == b""
    assert device.deadline is None


def test_it_answers_what_it_does_not_know_and_what_makes_no_sense(plain: Plain) -> None:
    assert plain.verdict(Unknown(0x55, b"")) == 7
    assert plain.verdict(Unknown(0x11, b"")) == 8
    assert plain.verdict(Shuffle(64)) == 8
    assert plain.verdict(DispenseStack(1, 65, 53)) == 8


def test_the_first_reason_of_the_page_is_told(plain: Plain) -> None:
    machine = plain.device.machine
    assert plain.verdict(DispenseStack(1, 65, 4)) == 2
    machine.mode = 2
    assert plain.verdict(DispenseStack(1, 65, 4)) == 3
    machine.doors = 4
    assert plain.verdict(DispenseStack(1, 65, 4)) == 4
    machine.fault = 5
    assert plain.verdict(DispenseStack(1, 65, 4)) == 6
    assert plain.verdict(ClearLatch(0)) == 6
    machine.mode, machine.doors, machine.fault = 1, 0, 0
    assert plain.verdict(FreeCards()) == 0
    assert plain.verdict(DispenseStack(1, 65, 4)) == 5
    assert plain.verdict(Shuffle(65)) == 0
    assert plain.verdict(Shuffle(65)) == 1


def test_it_stops_sending_after_ten_times_and_holds(plain: Plain) -> None:
    plain.verdict(FreeCards())
    plain.device.actions()["mode"][1]("sort")
    plain.wait(0)
    sent = sum(len(plain.wait(0.16)) for _ in range(30))
    assert sent in (9, 10)
    assert (plain.device.link.is_open, plain.device.machine.held) == (False, True)


def test_it_parts(plain: Plain) -> None:
    plain.say(Parting(1))
    assert not plain.device.link.is_open


@pytest.mark.parametrize(
    "name", [name for name in SabotLinkDevice().actions() if name not in ("reboot", "silent")]
)
def test_every_action_says_how_it_is_called(name: str) -> None:
    words, _ = SabotLinkDevice().actions()[name]
    assert words.startswith(name)


def test_actions_do_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    device = SabotLinkDevice(Who(serial="9"))
    do = {name: act for name, (_, act) in device.actions().items()}
    do["load"]("blue As Kd? 2c!")
    assert [(each.color, each.readable, each.face) for each in device.machine.intake] == [
        (2, True, 1),
        (2, False, 1),
        (2, True, 2),
    ]
    do["load"]("")
    assert len(device.machine.intake) == 52
    do["lie"]("size 2")
    do["lie"]("count")
    assert (device.machine.lies.stack_size, device.machine.lies.count) == (2, 1)
    do["lie"]("off")
    assert device.machine.lies.stack_size == 0
    do["jam"]("")
    do["empty"]("")
    do["replay"]("")
    do["silent"]("on")
    assert (device.tick(1.0), device.receive(b"\0", 1.0), device.deadline) == (b"", b"", None)
    do["state"]("")
    assert "fault=1" in capsys.readouterr().out
    assert [name for name, _ in device.link.kept] == ["JAM", "EMPTIED"]


def test_a_device_that_was_never_on_a_port_can_be_stopped() -> None:
    DeviceOnPort(SabotLinkDevice()).stop()
