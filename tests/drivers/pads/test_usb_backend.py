"""The simulated bus through the real pyusb: it must fail as libusb fails, here and behind a socket."""

import asyncio
import ctypes.util
import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import usb.core
import usb.util

from sabot.drivers.pads.driver import PadsDriver
from sabot.drivers.pads.usb import libusb
from sabot.hil.simulators.pads import Build, Pad
from sabot.hil.simulators.pads_felt import LIFTED
from sabot.hil.simulators.usb_backend import SimulatedUsb, over_socket
from sabot.hil.simulators.usb_bus import IN, OUT, Bus
from sabot.hil.simulators.usb_remote import BusServer
from sabot.statemachine.vocabulary.events import LinkLost, LinkRestored

from .padhost import PadHost, run


class Rig:
    def __init__(self, backend: SimulatedUsb, bus: Bus, pad: Pad) -> None:
        self.backend, self.bus, self.pad = backend, bus, pad

    def open(self) -> "usb.core.Device":
        device = usb.core.find(backend=self.backend, idVendor=0x1209)
        assert device is not None
        device.set_configuration()
        usb.util.claim_interface(device, 0)
        return device


@pytest.fixture(params=["here", "socket"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    bus, pad = Bus(), Pad(Build(spots=3))
    bus.plug(pad)
    if request.param == "here":
        yield Rig(SimulatedUsb(bus), bus, pad)
        return
    server = BusServer(bus, str(tmp_path / "usb"))
    server.serve()
    yield Rig(over_socket(str(tmp_path / "usb")), bus, pad)
    server.shutdown()
    server.server_close()


def test_a_pad_says_who_it_is_in_its_descriptors(rig: Rig) -> None:
    device = rig.open()

    assert (device.manufacturer, device.product, device.serial_number) == (
        "Sabot",
        "Simulated pad",
        "SIM0001",
    )
    (interface,) = device.get_active_configuration()
    numbers = (interface.bInterfaceClass, interface.bInterfaceSubClass, interface.bInterfaceProtocol)
    assert numbers == (0xFF, 0x53, 0x01)
    assert [each.bEndpointAddress for each in interface] == [IN, OUT]


def test_nothing_to_read_is_a_timeout(rig: Rig) -> None:
    device = rig.open()

    with pytest.raises(usb.core.USBTimeoutError) as failed:
        device.read(IN, 64, 20)
    assert failed.value.errno == errno.ETIMEDOUT


def test_a_blocked_read_ends_when_the_cable_is_pulled(rig: Rig) -> None:
    device, found = rig.open(), []

    def read() -> None:
        try:
            device.read(IN, 64, 5_000)
        except usb.core.USBError as error:
            found.append(error.errno)

    thread = threading.Thread(target=read)
    thread.start()
    began = time.monotonic()
    rig.bus.unplug(rig.pad)
    thread.join(5)

    assert found == [errno.ENODEV]
    assert time.monotonic() - began < 2
    assert usb.core.find(backend=rig.backend) is None
    with pytest.raises(usb.core.USBError) as failed:
        device.write(OUT, b"x")
    assert failed.value.errno == errno.ENODEV


def test_a_stall_lasts_until_it_is_cleared(rig: Rig) -> None:
    device = rig.open()
    rig.bus.stall(rig.pad, OUT)

    with pytest.raises(usb.core.USBError) as failed:
        device.write(OUT, b"x")
    assert failed.value.errno == errno.EPIPE
    device.clear_halt(OUT)
    assert device.write(OUT, b"x") == 1


def test_a_second_program_finds_the_interface_busy(rig: Rig) -> None:
    first, second = rig.open(), usb.core.find(backend=rig.backend)

    with pytest.raises(usb.core.USBError) as failed:
        usb.util.claim_interface(second, 0)
    assert failed.value.errno == errno.EBUSY
    usb.util.dispose_resources(first)
    usb.util.claim_interface(second, 0)


def test_a_pad_that_is_plugged_in_again_has_another_address(rig: Rig) -> None:
    before = rig.open().address
    rig.bus.unplug(rig.pad)
    rig.bus.plug(rig.pad)

    assert rig.open().address != before


def test_what_no_descriptor_says_is_a_stall(rig: Rig) -> None:
    device = rig.open()

    with pytest.raises(usb.core.USBError) as failed:
        device.ctrl_transfer(0xC0, 1, 0, 0, 4)
    assert failed.value.errno == errno.EPIPE


SIMULATOR = """
import sys, time
from sabot.hil.simulators.pads import Build, Pad
from sabot.hil.simulators.usb_bus import Bus
from sabot.hil.simulators.usb_remote import BusServer
bus, pad = Bus(), Pad(Build(spots=6))
bus.plug(pad)
BusServer(bus, sys.argv[1]).serve()
print("there", flush=True)
time.sleep(60)
"""


def test_a_pad_in_another_process_comes_up_is_killed_and_comes_back(tmp_path: Path) -> None:
    path = str(tmp_path / "usb")

    def simulator() -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", SIMULATOR, path], stdout=subprocess.PIPE, env=os.environ
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"there\n"
        return process

    async def test() -> None:
        host = PadHost(backend=f"sabot.hil.simulators.usb_backend:over_socket:{path}")
        process = await asyncio.to_thread(simulator)
        try:
            await host.driver.start()
            await host.until(lambda: host.driver.status().is_up)
            process.kill()
            process.wait()
            assert "unplugged" in (await host.first(LinkLost)).reason
            process = await asyncio.to_thread(simulator)
            await host.first(LinkRestored)
            await host.driver.stop()
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()

    run(test)


def test_every_action_of_pad_and_bus_can_be_done_by_its_words() -> None:
    bus, pad = Bus(), Pad(Build(spots=3))
    bus.plug(pad)
    words = {
        "chips": "0 500",
        "blind": "1",
        "see": "1",
        "light": "2 200",
        "lie": "0",
        "liar": "lock",
        "noise": "00",
        "jump": "5",
        "stall": "in",
    }

    for name, (help_, act) in {**pad.actions(), **bus.actions(pad)}.items():
        assert help_.startswith(name)
        act(words.get(name, ""))

    assert pad.spots[2].light == 200
    with pytest.raises(ValueError, match="wanted"):
        pad.actions()["chips"][1]("0")


def test_a_simulated_pad_counts_no_chip_where_none_lies_for_nobody_could_lift_it() -> None:
    pad = Pad(Build(spots=3))

    with pytest.raises(ValueError, match="no refused chip lies on spot 1"):
        pad.actions()["lie"][1]("1")
    pad.chips(1, 500)
    pad.actions()["lie"][1]("1")
    pad.chips(1, 0)

    assert pad.spots[1].cover == LIFTED


def test_the_driver_takes_libusb_where_no_backend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SABOT_USB_BACKEND", raising=False)

    async def test() -> None:
        host = PadHost()
        host.driver = PadsDriver("pads", {**host.options, "backend": ""}, host)
        await host.driver.start()
        reason = (await host.first(LinkLost)).reason
        # No pad on this machine's bus, or no libusb at all; either is said.
        assert reason.startswith(("E-PAD-005", "E-PAD-006", "E-PAD-007"))
        await host.driver.stop()

    run(test)


def test_libusb_is_found_where_the_loader_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes.util, "find_library", lambda _name: None)
    monkeypatch.setattr("usb.backend.libusb1._lib", None)
    monkeypatch.setattr("usb.backend.libusb1._lib_object", None)
    assert libusb() is not None
