"""A backend of pyusb over a simulated bus, in this process or in another one.

Name it in a driver's option ``backend`` as ``sabot.hil.simulators.usb_backend:in_process:NAME`` for a bus of
this process, ``sabot.hil.simulators.usb_backend:over_socket:PATH`` for one behind a Unix socket, and
``sabot.hil.simulators.usb_backend:over_stream:PATH`` for one device whose endpoints are a socket. It answers
as libusb does: a timeout is errno 110, a device that went away 19 (also in the middle of a read), a stall 32
until the halt is cleared. The methods and their arguments are pyusb's.
"""

import array
import errno
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import NamedTuple, TypeVar

import usb.backend
import usb.core

from sabot.hil.simulators.usb_bus import BUSES, Bus, UsbFailure
from sabot.hil.simulators.usb_remote import RemoteBus
from sabot.hil.simulators.usb_stream import stream_bus

# errno, and what libusb calls it: its own number and words.
_WORDS = {
    errno.ENODEV: (-4, "No such device (it may have been disconnected)"),
    errno.ETIMEDOUT: (-7, "Operation timed out"),
    errno.EPIPE: (-9, "Pipe error"),
    errno.EBUSY: (-6, "Resource busy"),
    errno.EIO: (-1, "Input/Output Error"),
    errno.EACCES: (-3, "Access denied (insufficient permissions)"),
}
_ENDPOINTS = ((0x81, 3), (0x02, 2))
Answer = TypeVar("Answer")


def in_process(name: str) -> "SimulatedUsb":
    """Return the backend of a bus of this process."""
    return SimulatedUsb(BUSES[name])


def over_socket(path: str) -> "SimulatedUsb":
    """Return the backend of a bus in another process."""
    return SimulatedUsb(RemoteBus(path))


def over_stream(path: str) -> "SimulatedUsb":
    """Return the backend of a device in another program, whose endpoints are the ways of a Unix socket."""
    return SimulatedUsb(stream_bus(path))


class _Device(NamedTuple):
    address: int


class SimulatedUsb(usb.backend.IBackend):  # type: ignore[misc]
    """The backend that pyusb asks for."""

    def __init__(self, bus: Bus | RemoteBus) -> None:
        super().__init__()
        self._bus = bus

    def enumerate_devices(self) -> Iterator[_Device]:
        """Yield the devices that are plugged in."""
        return iter([_Device(address) for address in _call(self._bus.devices)])

    def get_device_descriptor(self, dev: _Device) -> SimpleNamespace:
        """Return the device descriptor: the class is stated at the interface."""
        return SimpleNamespace(
            bLength=18,
            bDescriptorType=1,
            bcdUSB=0x200,
            bDeviceClass=0,
            bDeviceSubClass=0,
            bDeviceProtocol=0,
            bMaxPacketSize0=64,
            idVendor=0x1209,
            idProduct=0x0001,
            bcdDevice=0x100,
            iManufacturer=1,
            iProduct=2,
            iSerialNumber=3,
            bNumConfigurations=1,
            address=dev.address,
            bus=1,
            port_number=1,
            port_numbers=(1,),
            speed=2,
        )

    def get_configuration_descriptor(self, _dev: _Device, config: int) -> SimpleNamespace:
        """Return the only configuration."""
        _only(config)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=2,
            wTotalLength=32,
            bNumInterfaces=1,
            bConfigurationValue=1,
            iConfiguration=0,
            bmAttributes=0x80,
            bMaxPower=50,
            extra_descriptors=[],
        )

    def get_interface_descriptor(self, _dev: _Device, intf: int, alt: int, config: int) -> SimpleNamespace:
        """Return the only interface: Sabot pads."""
        _only(intf, alt, config)
        return SimpleNamespace(
            bLength=9,
            bDescriptorType=4,
            bInterfaceNumber=0,
            bAlternateSetting=0,
            bNumEndpoints=2,
            bInterfaceClass=0xFF,
            bInterfaceSubClass=0x53,
            bInterfaceProtocol=0x01,
            iInterface=0,
            extra_descriptors=[],
        )

    def get_endpoint_descriptor(
        self, _dev: _Device, ep: int, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        """Return an endpoint: interrupt IN, or bulk OUT."""
        _only(intf, alt, config)
        address, kind = _ENDPOINTS[ep]
        return SimpleNamespace(
            bLength=7,
            bDescriptorType=5,
            bEndpointAddress=address,
            bmAttributes=kind,
            wMaxPacketSize=64,
            bInterval=1,
            bRefresh=0,
            bSynchAddress=0,
            extra_descriptors=[],
        )

    def open_device(self, dev: _Device) -> int:
        """Return a handle."""
        return _call(self._bus.open, dev.address)

    def close_device(self, dev_handle: int) -> None:
        """Let go of a device."""
        _call(self._bus.close, dev_handle)

    def set_configuration(self, dev_handle: int, config_value: int) -> None:
        """Select the configuration."""
        _call(self._bus.configure, dev_handle, config_value)

    def get_configuration(self, dev_handle: int) -> int:
        """Return the selected configuration."""
        return _call(self._bus.configuration, dev_handle)

    def claim_interface(self, dev_handle: int, _intf: int) -> None:
        """Take the interface."""
        _call(self._bus.claim, dev_handle)

    def release_interface(self, dev_handle: int, _intf: int) -> None:
        """Give the interface back."""
        _call(self._bus.release, dev_handle)

    def clear_halt(self, dev_handle: int, ep: int) -> None:
        """End a stall."""
        _call(self._bus.clear_halt, dev_handle, ep)

    def intr_read(self, dev_handle: int, ep: int, _intf: int, buff: "array.array[int]", timeout: int) -> int:
        """Read into a buffer, and return how much came."""
        data = _call(self._bus.read, dev_handle, ep, len(buff), timeout / 1000)
        buff[: len(data)] = array.array("B", data)
        return len(data)

    def bulk_write(
        self, dev_handle: int, ep: int, _intf: int, data: "array.array[int]", _timeout: int
    ) -> int:
        """Write, and return how much went."""
        return _call(self._bus.write, dev_handle, ep, bytes(data))

    def ctrl_transfer(
        self,
        dev_handle: int,
        request_type: int,
        request: int,
        value: int,
        _index: int,
        data: "array.array[int]",
        _timeout: int,
    ) -> int:
        """Read a string descriptor into a buffer, and return how much came."""
        answer = _call(self._bus.control, dev_handle, request_type, request, value)[: len(data)]
        data[: len(answer)] = array.array("B", answer)
        return len(answer)


def _only(*numbers: int) -> None:
    if any(numbers):
        # What pyusb takes for the end of a list of descriptors.
        raise IndexError


def _call(ask: Callable[..., Answer], *arguments: object) -> Answer:
    """Ask the bus; turn its failures into pyusb's errors."""
    try:
        return ask(*arguments)
    except UsbFailure as failure:
        number, words = _WORDS[failure.number]
        kind = usb.core.USBTimeoutError if failure.number == errno.ETIMEDOUT else usb.core.USBError
        raise kind(words, number, failure.number) from failure
