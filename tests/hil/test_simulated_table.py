"""What a simulated table does when its program is killed, put away and taken out again, and what it writes down."""

import asyncio
import errno
import fcntl
import os
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sabot.config.loader import PRINTED
from sabot.config.submission import example_submission
from sabot.firmware.simulated import world_plan
from sabot.hil.simulators.gpio.chip import Chip
from sabot.hil.simulators.gpio.remote import ChipServer, RemoteChip
from sabot.hil.simulators.pads import Pad
from sabot.hil.simulators.pty_port import SimulatedPort
from sabot.hil.simulators.sabot_link.machine import Machine
from sabot.hil.simulators.usb_bus import Bus, UsbFailure
from sabot.hil.simulators.usb_remote import BusServer, RemoteBus
from sabot.hil.table.diary import Edge, RigDiary
from sabot.hil.table.world import SimulatedLines, World

PATIENCE_S = 20.0
TIOCGEXCL = 0x80045440


def wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_the_claims_of_a_killed_program_go_with_its_connection(tmp_path: Path) -> None:
    bus = Bus()
    address = bus.plug(Pad())
    server = BusServer(bus, str(tmp_path / "bus.sock"))
    server.serve()
    try:
        killed = RemoteBus(server.server_address)  # type: ignore[arg-type]
        handle = killed.open(address)
        killed.configure(handle, 1)
        killed.claim(handle)
        other = RemoteBus(server.server_address)  # type: ignore[arg-type]
        again = bus.open(address)
        with pytest.raises(UsbFailure) as busy:
            bus.claim(again)
        assert busy.value.number == errno.EBUSY
        killed._mine.stream.close()

        def is_free() -> bool:
            try:
                bus.claim(again)
            except UsbFailure:
                return False
            return True

        wait_for(is_free)
        assert other.devices() == [address]
    finally:
        server.shutdown()
        server.server_close()


def test_whoever_hears_that_a_program_died_finds_nothing_held_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the thread that clears up after a connection comes late; the next program may not."""
    plan = {
        "pads": {"kind": "sabot-pads", "at": "bus.sock", "chosen": {}},
        "lines": {
            "kind": "lines",
            "at": "chip.sock",
            "pins": {"key_ok": 4},
            "closed_at_rest": [],
            "outputs": [],
        },
    }
    for where, name in ((Bus, "close"), (Chip, "left")):
        clear_up = getattr(where, name)

        def late(self: object, what: object, clear_up: Callable[..., None] = clear_up) -> None:
            time.sleep(0.3)
            clear_up(self, what)

        monkeypatch.setattr(where, name, late)

    async def once() -> None:
        world = World(tmp_path, plan, 1)
        bus, chip = RemoteBus(str(tmp_path / "bus.sock")), RemoteChip(str(tmp_path / "chip.sock"))
        (address,) = bus.devices()
        bus.claim(bus.open(address))
        chip.claim_input(None, 4, "up")
        bus._mine.stream.close()
        bus._mine.stream = None
        chip.left(None)
        assert await world.answer({"gone": True}) == {"done": True}
        bus.claim(bus.open(address))
        again = RemoteChip(str(tmp_path / "chip.sock"))
        again.claim_input(None, 4, "up")
        again.left(None)
        world.close()

    asyncio.run(once())


def test_nobody_draws_from_the_shoe_of_a_simulated_table_before_it_is_told_that_it_is_free(
    tmp_path: Path,
) -> None:
    example = example_submission(PRINTED, "pa679a")
    plan = world_plan(PRINTED.chapter("pa679a"), example, "manual_shoe", seed=1, speed=1.0)

    async def once() -> None:
        world = World(tmp_path, {"shoe": plan["devices"]["shoe"]}, 1)
        assert (await world.answer({"device": "shoe"}))["shows"]["locked"]
        world.close()

    asyncio.run(once())


class Quiet:
    """A device that says nothing."""

    def attached(self, write: Callable[[bytes], None]) -> None:
        pass

    def received(self, data: bytes) -> None:
        pass

    def detached(self) -> None:
        pass


def test_a_port_forgets_the_lock_and_the_settings_of_a_killed_program() -> None:
    async def once() -> None:
        port = SimulatedPort(Quiet())
        program = os.open(port.plug_in(), os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(program, termios.TIOCEXCL)
        settings = termios.tcgetattr(program)
        settings[2] |= termios.CLOCAL
        termios.tcsetattr(program, termios.TCSANOW, settings)
        os.close(program)
        port.forget()
        assert not termios.tcgetattr(port._slave)[2] & termios.CLOCAL
        assert fcntl.ioctl(port._slave, TIOCGEXCL, b"\0\0\0\0") == b"\0\0\0\0"
        port.unplug()
        port.forget()  # nothing is there that could

    asyncio.run(once())


def test_an_output_that_nobody_drives_is_low_and_every_edge_has_its_time(tmp_path: Path) -> None:
    lines = SimulatedLines(
        tmp_path / "gpio.sock", {"key_ok": 5, "door": 6, "lock_open": 7}, ["door"], ["lock_open"]
    )
    try:
        assert isinstance(lines._server, ChipServer)
        assert lines.shows() == {"key_ok": 1, "door": 0, "lock_open": 0}
        lines._hold("key_ok")
        lines._chip.claim_output("program", 7, 1)
        lines._chip.left("program")
        assert lines.shows() == {"key_ok": 0, "door": 0, "lock_open": 0}
        edges = lines.edges()
        assert [each[1:] for each in edges] == [("key_ok", 0), ("lock_open", 1), ("lock_open", 0)]
        assert [each[0] for each in edges] == sorted(each[0] for each in edges)
        assert lines.edges() == []
    finally:
        lines.close()


def test_the_cards_of_a_machine_lie_where_they_lay_and_can_be_stacked() -> None:
    machine, other = Machine(), Machine()
    machine.ready, machine.intake = machine.intake, []
    machine.stack([(14, 3), (2, 0)])
    assert [(each.rank, each.suit) for each in machine.ready[:2]] == [(14, 3), (2, 0)]
    assert len(set(machine.ready)) == 52
    other.lay_back(machine.kept())
    assert (other.ready, other.intake) == (machine.ready, [])


def test_the_next_stack_jams_once() -> None:
    machine = Machine(jams_stack=1)
    machine.ready, machine.held = machine.intake, False
    machine.command("DISPENSE", {"order": 1, "deck": 65, "cards": 5}, 0.0)
    machine.run(60.0)
    assert (machine.fault, len(machine.ready)) == (1, 52)
    machine.fault = 0
    machine.command("DISPENSE", {"order": 2, "deck": 65, "cards": 5}, 60.0)
    machine.run(120.0)
    assert (machine.fault, len(machine.ready)) == (0, 47)


def test_the_diary_has_what_is_different_and_what_was_done() -> None:
    class Device:
        has_pictures = False
        shown: dict[str, Any] = {"lines": ["a", "b"], "time": 1, "nothing": None}  # noqa: RUF012 - one device

        def shows(self) -> dict[str, Any]:
            return dict(self.shown)

        def edges(self) -> list[Edge]:
            return []

    device = Device()
    diary = RigDiary({"display": device})
    diary.look()
    diary.did("display", "power")
    device.shown = {"lines": ["a", "c"], "time": 2, "nothing": None}
    rows = diary.since(0)
    assert [row[1:] for row in rows] == [
        ("display", "lines.0", "a", "showed"),
        ("display", "lines.1", "b", "showed"),
        ("display", "", "power", "did"),
        ("display", "lines.1", "c", "showed"),
    ]
    assert diary.since(3) == rows[3:]
