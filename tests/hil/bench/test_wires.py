"""The wires of a bench on what a machine without one has: a crossed pair of terminals, a chip of lines."""

import asyncio
import os
import pty
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sabot.hil.bench.wires import BenchWorld, RelayLines
from sabot.hil.simulators import gpio

PINS = {"key_ok": 5, "key_lock": 4, "lock_at_rest": 19, "door": 21, "lock_open": 23}


@contextmanager
def crossed() -> Iterator[tuple[int, str]]:
    """A line with two ends: one of ours, and the name of the adapter."""
    ours, adapter = pty.openpty()
    tty.setraw(adapter)
    try:
        yield ours, os.ttyname(adapter)
    finally:
        os.close(ours)
        os.close(adapter)


@pytest.fixture
def lines() -> Iterator[RelayLines]:
    gpio.reset()
    plan = {
        "module": "sabot.hil.simulators.gpio",
        "pins": PINS,
        "closed_at_rest": ["lock_at_rest", "door"],
        "outputs": ["lock_open"],
    }
    made = RelayLines(plan)
    yield made
    made.close()


async def read(fd: int, wanted: int) -> bytes:
    data, end = b"", asyncio.get_running_loop().time() + 10
    os.set_blocking(fd, False)
    while len(data) < wanted and asyncio.get_running_loop().time() < end:
        try:
            data += os.read(fd, 4096)
        except BlockingIOError:
            await asyncio.sleep(0.01)
    return data


async def drained(fd: int) -> bytes:
    os.set_blocking(fd, False)
    try:
        return os.read(fd, 4096)
    except BlockingIOError:
        return b""


def test_a_display_on_an_adapter_shows_what_comes_over_the_line(tmp_path: Path) -> None:
    async def play(line: int, adapter: str) -> tuple[list[str], list[str]]:
        world = BenchWorld(tmp_path, {"display": {"kind": "escpos", "port": adapter, "baud": 9600}}, 1)
        os.write(line, b"\x0cBETS OPEN")
        shown: list[str] = []
        for _ in range(200):
            shown = world.parts["display"].shows()["lines"]
            if shown[0].startswith("BETS OPEN"):
                break
            await asyncio.sleep(0.02)
        await world.parts["display"].act("unplug", "")
        os.write(line, b"\x0cTOO LATE")
        await asyncio.sleep(0.05)
        silent = world.parts["display"].shows()["lines"]
        world.close()
        return shown, silent

    with crossed() as (line, adapter):
        shown, silent = asyncio.run(play(line, adapter))
    assert shown[0].rstrip() == "BETS OPEN"
    assert silent == shown


def test_a_shoe_on_an_adapter_answers_and_is_silent_without_its_cable(tmp_path: Path) -> None:
    async def play(line: int, adapter: str) -> tuple[bytes, bytes, bytes]:
        plan = {"shoe": {"kind": "angel-eye", "port": adapter, "baud": 4800}}
        world = BenchWorld(tmp_path, plan, 1)
        await world.parts["shoe"].act("draw", "Ah")
        spoken = await read(line, 1)
        await world.parts["shoe"].act("unplug", "")
        await drained(line)
        await world.parts["shoe"].act("draw", "Kh")
        await asyncio.sleep(0.05)
        silent = await drained(line)
        await world.parts["shoe"].act("plug", "")
        await world.parts["shoe"].act("draw", "Qh")
        again = await read(line, 1)
        world.close()
        return spoken, silent, again

    with crossed() as (line, adapter):
        spoken, silent, again = asyncio.run(play(line, adapter))
    assert spoken
    assert not silent
    assert again


def test_a_device_without_an_adapter_is_refused(tmp_path: Path) -> None:
    async def make() -> None:
        BenchWorld(tmp_path, {"pads": {"kind": "sabot-pads", "at": "pads.sock"}}, 1)

    with pytest.raises(ValueError, match="pads: a device of a bench needs the port of an adapter"):
        asyncio.run(make())


def test_a_finger_closes_a_relay_and_lets_it_go(lines: RelayLines) -> None:
    chip = gpio.BOARD_CHIP
    assert lines.shows() == {"key_ok": 1, "key_lock": 1, "lock_at_rest": 0, "door": 0, "lock_open": 0}
    before = len(chip.history)
    asyncio.run(lines.act("press", "key_ok"))
    moved = [(pin, level) for _, pin, level in chip.history[before:]]
    assert moved == [(PINS["key_ok"], 0), (PINS["key_ok"], 1)]


def test_the_lock_has_two_contacts(lines: RelayLines) -> None:
    chip = gpio.BOARD_CHIP
    before = len(chip.history)
    asyncio.run(lines.act("press", "key_lock"))
    moved = [(pin, level) for _, pin, level in chip.history[before:]]
    assert moved == [(19, 1), (4, 0), (4, 1), (19, 0)]


def test_an_output_of_the_controller_is_seen_with_its_time(lines: RelayLines) -> None:
    lines.edges()
    gpio.BOARD_CHIP.drive(PINS["lock_open"], 1)
    assert [(name, level) for _, name, level in lines.edges()] == [("lock_open", 1)]
    assert lines.edges() == []


def test_a_line_that_is_not_wired_is_named(lines: RelayLines) -> None:
    with pytest.raises(ValueError, match="there is no line 'key_magic'"):
        asyncio.run(lines.act("press", "key_magic"))
