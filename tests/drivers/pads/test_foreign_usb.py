"""A USB backend that is not ours, named as docs/devices.md says: under the driver and under the kit."""

import asyncio
import errno
from collections.abc import Iterator

import pytest

from sabot.drivers.errors import LinkError
from sabot.drivers.pads.driver import PadsDriver
from sabot.hil.conformance.conventions import KINDS
from sabot.hil.conformance.lines import UsbLine
from sabot.statemachine.vocabulary.events import LinkLost

from .foreign_usb import BUSES, OneDevice
from .padhost import PadHost

BACKEND = "tests.drivers.pads.foreign_usb:bus:bench"


@pytest.fixture
def device() -> Iterator[OneDevice]:
    BUSES["bench"] = OneDevice()
    yield BUSES["bench"]
    BUSES["bench"].is_there = False


def test_the_driver_speaks_through_it_and_hears_when_it_is_unplugged(device: OneDevice) -> None:
    async def test() -> None:
        host = PadHost()
        host.driver = PadsDriver("pads", {**host.options, "backend": BACKEND}, host)
        await host.driver.start()
        await host.until(lambda: device.written)
        assert device.written[0][:2] == b"SP"  # HELLO
        device.is_there = False
        assert "it was unplugged" in (await host.first(LinkLost)).reason
        await host.driver.stop()

    asyncio.run(asyncio.wait_for(test(), 30))


def test_the_kit_speaks_through_it_by_the_drivers_option(device: OneDevice) -> None:
    assert "backend" in {each.name for each in KINDS["sabot-pads"].choices}
    line = KINDS["sabot-pads"].open("cafe:4001", {"backend": BACKEND})
    assert isinstance(line, UsbLine)
    assert line.read(line.now() + 0.02) == b""
    device.reports.append(b"SP\x01")
    assert line.read(line.now() + 1) == b"SP\x01"
    line.send(b"SP\x02")
    assert device.written == [b"SP\x02"]
    assert line.facts()["endpoints"] == [(0x02, 2, 64, 1), (0x81, 3, 64, 1)]
    device.is_there = False
    with pytest.raises(OSError, match="gone") as raised:
        line.read(line.now() + 1)
    assert raised.value.errno == errno.ENODEV
    line.close()


@pytest.mark.parametrize(
    "backend", ["nowhere.at.all:make", "tests.drivers.pads.foreign_usb:nothing", "nocolon"]
)
def test_a_backend_that_cannot_be_had_is_bad_input_and_no_traceback(backend: str) -> None:
    with pytest.raises(LinkError, match="no USB library"):
        KINDS["sabot-pads"].open("cafe:4001", {"backend": backend})
