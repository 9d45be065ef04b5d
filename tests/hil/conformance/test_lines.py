"""The wires of real devices: a port that dies and comes back, names of USB devices."""

import threading
import time
from pathlib import Path

import pytest

from sabot.drivers.convention import LineSettings
from sabot.drivers.errors import LinkError
from sabot.hil.conformance.lines import SerialLine, UsbLine, is_socket, usb_name
from sabot.hil.simulators.alpha import AlphaSign
from sabot.hil.simulators.pads import Build, Pad
from sabot.hil.simulators.pty_port import SimulatedPort
from sabot.hil.simulators.usb_bus import IN, Bus
from sabot.hil.simulators.usb_remote import BusServer
from tests.simulator_thread import SimulatorThread

WITHIN_S = 20.0
ASKED = b"\0\0\0\0\0\x01Z00\x02F$\x03006F\x04"


def read_something(line: SerialLine | UsbLine) -> bytes:
    return line.read(line.now() + WITHIN_S)


def test_a_port_that_hangs_up_is_an_error_and_can_be_opened_again(tmp_path: Path) -> None:
    port = SimulatedPort(AlphaSign(), path=tmp_path / "sign")
    with SimulatorThread(port) as simulators:
        line = SerialLine(str(tmp_path / "sign"), LineSettings())
        line.send(ASKED)
        assert read_something(line)
        assert line.read(line.now()) == b""

        simulators.call(port.unplug)
        with pytest.raises(OSError, match=r"hung up|Input/output"):
            read_something(line)

        later = threading.Timer(0.3, lambda: simulators.call(port.plug_in))
        later.start()
        line.reopen()
        later.join()
        line.send(ASKED)
        assert read_something(line)
        line.close()


def test_a_port_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match="E-LINK-001"):
        SerialLine(str(tmp_path / "none"), LineSettings())


def test_pads_are_found_read_after_a_stall_and_found_again(tmp_path: Path) -> None:
    pad, bus, where = Pad(Build(spots=3, serial="P-7")), Bus(), str(tmp_path / "bus")
    server = BusServer(bus, where)
    server.serve()
    with pytest.raises(LinkError, match="no such device"):
        UsbLine(where)
    bus.plug(pad)
    line = UsbLine(where)
    try:
        assert line.facts()["serial"] == "P-7"
        assert line.facts()["interface"] == (0xFF, 0x53, 0x01)
        with pytest.raises(LinkError, match="Resource busy"):
            UsbLine(where)
        bus.stall(pad, IN)
        began = time.monotonic()
        assert line.read(line.now() + 0.05) == b""
        assert line.read(line.now() + 0.05) == b""
        assert time.monotonic() - began < WITHIN_S

        bus.unplug(pad)
        with pytest.raises(OSError, match="No such device"):
            read_something(line)
        bus.plug(pad)
        line.reopen()
        assert line.facts()["serial"] == "P-7"
    finally:
        line.close()
        server.shutdown()
        server.server_close()
    assert is_socket(where)
    assert not is_socket(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("1209:0001", (0x1209, 1, "")),
        ("1209:0001:A:7", (0x1209, 1, "A:7")),
        ("FFFF:abcd:X", (0xFFFF, 0xABCD, "X")),
    ],
)
def test_pads_are_named_as_usb_devices_are(name: str, parts: tuple[int, int, str]) -> None:
    assert usb_name(name) == parts


@pytest.mark.parametrize("name", ["", "1209", "shoe:7", "/dev/ttyUSB0"])
def test_other_names_are_none_of_a_usb_device(name: str) -> None:
    with pytest.raises(ValueError, match=r"invalid literal|not enough values"):
        usb_name(name)
