"""A serial line over real pseudo-terminals with real pyserial: it opens, dies, comes back, and says so once."""

import asyncio
import errno
import os
import subprocess
import sys
import time
from collections.abc import Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sabot.drivers.convention import LineSettings
from sabot.drivers.errors import LinkError
from sabot.drivers.serial_link import WAITING_MOST, BackOff
from sabot.drivers.serial_port import close_port, modem_lines, open_port
from sabot.hil.simulators.pty_port import SimulatedPort
from tests.terminals import open_terminals

from .lines_heard import SOON, Ear, Echo, link_to
from .waiting import until

LINE = LineSettings(baud=115200)
NOBODY = 65534


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def test_bytes_go_both_ways_and_are_stamped_when_they_are_read(tmp_path: Path) -> None:
    async def work() -> None:
        device, ear = Echo(answers=True), Ear()
        port = SimulatedPort(device, path=tmp_path / "shoe")
        link = link_to(port.plug_in(), ear)
        link.start()
        await until(lambda: link.is_up)
        before = time.monotonic()

        assert link.write(b"\x00\x11\x13\x03\xff")
        await until(lambda: len(ear.data) == 5)

        assert bytes(ear.data) == b"\x00\x11\x13\x03\xff"  # no byte means anything to the line
        assert before <= ear.times[0] <= time.monotonic()
        await link.stop()
        port.unplug()
        assert (ear.ups, ear.downs, link.is_up) == (1, [], False)

    run(work())


def test_a_port_that_is_missing_at_start_is_one_event_and_is_found_when_it_comes(tmp_path: Path) -> None:
    async def work() -> None:
        device, ear = Echo(), Ear()
        port = SimulatedPort(device, path=tmp_path / "shoe")
        link = link_to(str(port.path), ear)
        link.start()
        await until(lambda: ear.downs)
        await asyncio.sleep(0.2)  # several more tries
        assert len(ear.downs) == 1
        assert "No such file" in ear.downs[0]
        assert not link.write(b"x")

        port.plug_in()
        await until(lambda: link.is_up)

        assert (ear.ups, link.opened, link.why) == (1, 1, "")
        await link.stop()
        port.unplug()

    run(work())


def test_a_port_that_comes_back_under_another_name_is_closed_first_and_opened_again(tmp_path: Path) -> None:
    async def work() -> None:
        before = open_terminals()
        device, ear = Echo(), Ear()
        port = SimulatedPort(device, path=tmp_path / "shoe")
        link = link_to(port.plug_in(), ear)
        link.start()
        await until(lambda: link.is_up)
        names = [port.terminal]
        for turn in range(1, 4):
            port.unplug()
            await until(lambda turn=turn: len(ear.downs) == turn)  # type: ignore[misc]
            assert not link.is_up
            port.plug_in()
            names.append(port.terminal)
            await until(lambda: link.is_up)
            device.write(b"%d" % turn)
            await until(lambda turn=turn: len(ear.data) == turn)  # type: ignore[misc]

        assert all(one != other for one, other in pairwise(names))
        assert bytes(ear.data) == b"123"
        assert (ear.ups, len(ear.downs)) == (4, 3)
        assert open_terminals() == before + 2  # ours, and the simulator's hold on it: no stale handle
        await link.stop()
        port.unplug()

    run(work())


def test_what_came_before_the_port_was_opened_is_thrown_away(tmp_path: Path) -> None:
    async def work() -> None:
        device, ear = Echo(), Ear()
        port = SimulatedPort(device, path=tmp_path / "shoe")
        port.plug_in()
        device.write(b"from the round before")
        link = link_to(port.name, ear)
        link.start()
        await until(lambda: link.is_up)
        device.write(b"now")
        await until(lambda: len(ear.data) >= 3)

        assert bytes(ear.data) == b"now"
        await link.stop()
        port.unplug()

    run(work())


def test_a_restart_is_one_event_with_its_reason_and_the_line_comes_back() -> None:
    async def work() -> None:
        device, ear = Echo(), Ear()
        port = SimulatedPort(device)
        link = link_to(port.plug_in(), ear)
        link.start()
        await until(lambda: link.is_up)

        link.restart("no answer to a question")
        assert not link.is_up
        link.restart("said twice")
        await until(lambda: link.is_up)

        assert ear.downs == ["no answer to a question"]
        assert ear.ups == 2
        await link.stop()
        port.unplug()

    run(work())


def test_a_program_that_is_stopped_while_the_port_is_opening_leaves_nothing_open() -> None:
    async def work() -> None:
        before = open_terminals()
        port = SimulatedPort(Echo())
        name = port.plug_in()
        for _ in range(20):
            link = link_to(name, Ear())
            link.start()
            await asyncio.sleep(0)
            await link.stop()
        await until(lambda: open_terminals() == before + 1)
        port.unplug()

    run(work())


def test_what_the_system_does_not_take_at_once_waits_and_arrives_in_order() -> None:
    async def work() -> None:
        device, ear = Echo(), Ear()
        port = SimulatedPort(device)
        link = link_to(port.plug_in(), ear)
        link.start()
        await until(lambda: link.is_up)
        whole = bytes(range(256)) * 200

        assert all(link.write(whole[place : place + 64]) for place in range(0, len(whole), 64))
        await until(lambda: len(device.data) == len(whole))

        assert bytes(device.data) == whole
        await link.stop()
        port.unplug()

    run(work())


def test_a_port_that_takes_no_bytes_is_a_dead_line_and_memory_stays_bounded() -> None:
    async def work() -> None:
        master, slave = os.openpty()
        ear = Ear()
        link = link_to(os.ttyname(slave), ear, BackOff(first_s=60))
        link.start()
        await until(lambda: link.is_up)
        sent = 0
        while link.write(bytes(1024)):
            sent += 1024
            assert sent < 1_000_000

        assert not link.is_up
        assert "takes no bytes" in ear.downs[0]
        assert sent <= WAITING_MOST + 65_536
        await link.stop()
        os.close(master)
        os.close(slave)

    run(work())


def test_the_wait_grows_to_its_bound_and_starts_anew_when_something_is_heard() -> None:
    assert [BackOff().delay_s(failures) for failures in range(6)] == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0]
    assert BackOff().delay_s(10_000) == 5.0

    async def work() -> None:
        device, ear = Echo(), Ear()
        port = SimulatedPort(device)
        link = link_to(port.plug_in(), ear, SOON)
        link.start()
        for turn in range(1, 4):
            await until(lambda turn=turn: ear.ups == turn)  # type: ignore[misc]
            link.restart("silent")
        await until(lambda: ear.ups == 4)
        assert link._failures == 3  # a port that opens is no device that speaks
        device.write(b"!")
        await until(lambda: ear.data)
        assert link._failures == 0
        await link.stop()
        port.unplug()

    run(work())


def test_a_second_reader_through_pyserial_is_told_that_the_port_is_in_use() -> None:
    async def work() -> None:
        port = SimulatedPort(Echo())
        name = port.plug_in()
        first = open_port(name, LINE)

        with pytest.raises(LinkError) as caught:
            open_port(name, LINE)

        assert caught.value.kind.code == "E-LINK-002"
        close_port(first)
        close_port(open_port(name, LINE))  # closed, it is free again
        port.unplug()

    run(work())


OPENING = f"""
import os, sys
if sys.argv[2] == "nobody":
    os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
try:
    os.close(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY))
    print("opened")
except OSError as error:
    print(error.errno)
"""


def opened_by_another_program(name: str, user: str) -> str:
    """What a program meets that opens the port and takes no lock."""
    done = subprocess.run(
        [sys.executable, "-c", OPENING, name, user], capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout.strip()


def test_a_program_without_a_lock_is_kept_out_by_the_kernel_unless_it_is_root() -> None:
    async def work() -> None:
        port = SimulatedPort(Echo())
        name = port.plug_in()
        os.chmod(name, 0o666)  # noqa: PTH101 - a path of a device
        is_root = os.geteuid() == 0
        user = "nobody" if is_root else "the same"
        assert opened_by_another_program(name, user) == "opened"
        ours = open_port(name, LINE)

        assert opened_by_another_program(name, user) == str(errno.EBUSY)
        if is_root:
            assert opened_by_another_program(name, "root") == "opened"  # root always may: no service is root

        close_port(ours)
        assert opened_by_another_program(name, user) == "opened"
        port.unplug()

    run(work())


def test_a_second_reader_that_came_first_makes_an_empty_port_a_dead_line() -> None:
    """Whoever takes the bytes away behind our back is found out when the port is ready and empty."""

    async def work() -> None:
        ear, device = Ear(), Echo()
        port = SimulatedPort(device)
        link = link_to(port.plug_in(), ear, BackOff(first_s=60))
        link.start()
        await until(lambda: link.is_up)
        os.write(port._master, b"half of a message")
        thief = os.open(port.terminal, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        os.read(thief, 100)
        link._readable()  # the loop had been told that there is something

        assert "another program" in ear.downs[0]
        os.close(thief)
        await link.stop()
        port.unplug()

    run(work())


def test_a_name_by_serial_number_that_nobody_has_is_a_clear_error() -> None:
    with pytest.raises(LinkError) as caught:
        open_port("usb-serial:NOSUCH", LINE)

    assert caught.value.kind.code == "E-LINK-001"
    assert "no adapter with this serial number" in str(caught.value)


def test_a_file_that_is_no_terminal_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(LinkError) as caught:
        open_port(str(tmp_path / "file"), LINE)

    assert caught.value.kind.code == "E-LINK-001"


def test_a_pseudo_terminal_has_no_modem_lines() -> None:
    async def work() -> None:
        port = SimulatedPort(Echo())
        ours = open_port(port.plug_in(), LINE)
        assert modem_lines(ours) is None
        close_port(ours)
        assert modem_lines(ours) is None
        port.unplug()

    run(work())


class Clumsy(Ear):
    """A listener that breaks its promise not to raise."""

    def link_up(self) -> None:
        raise ZeroDivisionError


def test_a_listener_that_breaks_is_told_to_the_loop_and_leaves_no_port_open() -> None:
    async def work() -> None:
        before = open_terminals()
        told: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, facts: told.append(facts))
        port = SimulatedPort(Echo())
        link = link_to(port.plug_in(), Clumsy())
        link.start()
        await until(lambda: told)

        assert isinstance(told[0]["exception"], ZeroDivisionError)
        assert not link.is_up
        await until(lambda: open_terminals() == before + 1)
        await link.stop()
        port.unplug()

    run(work())
