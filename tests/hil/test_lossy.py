"""The bad line: what it does it does by its seed, and a clean one does nothing."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from sabot.hil.simulators.lossy import NOISE_MOST, Lossy
from sabot.hil.simulators.pty_port import SimulatedPort
from tests.simulator_thread import SimulatorThread

BAD = Lossy(7, drop=0.2, cut=0.1, duplicate=0.1, noise=0.1, flip=0.01, delay_s=0.001, is_byte_at_a_time=True)
FRAMES = [bytes((number % 256, *range(20))) for number in range(500)]


def carried(line: Lossy, name: str = "way") -> list[bytes]:
    way = line.way(name)
    return [b"".join(piece.data for piece in way.carry(frame)) for frame in FRAMES]


def test_a_clean_line_carries_everything_at_once_as_it_is() -> None:
    way = Lossy().way("way")
    for frame in FRAMES:
        (piece,) = way.carry(frame)
        assert piece == (0.0, frame)
    assert way.carry(b"") == []


def test_the_same_seed_does_the_same_and_another_seed_or_way_does_not() -> None:
    assert carried(BAD) == carried(BAD)
    assert carried(BAD) != carried(replace(BAD, seed=8))
    assert carried(BAD) != carried(BAD, "other way")


@pytest.mark.parametrize(
    ("line", "is_hit"),
    [
        (Lossy(1, drop=0.2), lambda _frame, out: out == b""),
        (Lossy(1, cut=0.2), lambda frame, out: out != frame and frame.startswith(out)),
        (Lossy(1, duplicate=0.2), lambda frame, out: out == frame + frame),
        (Lossy(1, noise=0.2), lambda frame, out: out != frame and out.endswith(frame)),
    ],
)
def test_each_harm_comes_as_often_as_it_is_asked_for(
    line: Lossy, is_hit: Callable[[bytes, bytes], bool]
) -> None:
    hits = sum(is_hit(frame, out) for frame, out in zip(FRAMES, carried(line), strict=True))
    harmed = sum(frame != out for frame, out in zip(FRAMES, carried(line), strict=True))

    assert 0.13 < hits / len(FRAMES) < 0.27
    assert hits == harmed


def test_bits_are_bent_one_at_a_time_and_bursts_are_bounded() -> None:
    bent = total = 0
    for frame, out in zip(FRAMES, carried(Lossy(1, flip=0.05)), strict=True):
        differences = [one ^ other for one, other in zip(frame, out, strict=True) if one != other]
        assert all(each.bit_count() == 1 for each in differences)
        bent, total = bent + len(differences), total + len(frame)
    assert 0.04 < bent / total < 0.06
    assert max(map(len, carried(Lossy(1, noise=1.0)))) <= NOISE_MOST + 21


def test_byte_at_a_time_is_one_byte_a_piece_with_its_delay() -> None:
    pieces = Lossy(1, delay_s=0.5, is_byte_at_a_time=True).way("way").carry(b"abc")

    assert [piece.data for piece in pieces] == [b"a", b"b", b"c"]
    assert all(0 <= piece.after_s <= 0.5 for piece in pieces)


class Heard:
    def __init__(self) -> None:
        self.data = b""
        self.has_enough = asyncio.Event()

    def attached(self, write: Callable[[bytes], None]) -> None:
        """It says nothing."""

    def received(self, data: bytes) -> None:
        self.data += data
        if len(self.data) >= 200:
            self.has_enough.set()

    def detached(self) -> None:
        """It does not care."""


def test_what_is_late_stays_in_order_and_what_is_on_the_line_is_lost_with_it() -> None:
    async def work() -> None:
        device = Heard()
        port = SimulatedPort(device, line=Lossy(3, delay_s=0.002, is_byte_at_a_time=True))
        port.plug_in()
        port._to_device.send(bytes(range(100)))
        port._to_device.send(bytes(range(100, 200)))
        await asyncio.wait_for(device.has_enough.wait(), 20)
        assert device.data == bytes(range(200))
        port._to_device.send(b"never")
        port.unplug()
        assert port._to_device._timer is None
        await asyncio.sleep(0.02)
        assert len(device.data) == 200

    asyncio.run(work())


def test_what_nobody_reads_is_lost_and_the_device_does_not_wait() -> None:
    async def work() -> None:
        port = SimulatedPort(Heard())
        port.plug_in()
        for _ in range(100):
            port._to_program.send(bytes(1024))
        assert port.lost_bytes > 0
        port.unplug()
        port._to_program.send(b"into the air")
        port.unplug()

    asyncio.run(work())


def test_simulators_in_a_thread_answer_and_raise_where_they_are_asked() -> None:
    port = SimulatedPort(Heard())
    with SimulatorThread(port) as thread:
        assert thread.call(lambda: port.is_plugged_in)
        with pytest.raises(ZeroDivisionError):
            thread.call(lambda: 1 // 0)
    assert not port.is_plugged_in
