"""A backend of pyusb that is somebody else's, as docs/devices.md describes one: one device, in a list of bytes."""

import array
import errno
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import usb.backend
import usb.core


class OneDevice(usb.backend.IBackend):  # type: ignore[misc]
    """One device of the class of pads, whose reports are what a test put into ``reports``."""

    def __init__(self) -> None:
        super().__init__()
        self.reports: list[bytes] = []
        self.written: list[bytes] = []
        self.is_there = True

    def enumerate_devices(self) -> Iterator[str]:
        """Everything on the bus."""
        return iter(["it"] if self.is_there else [])

    def get_device_descriptor(self, _device: str) -> SimpleNamespace:
        """Whose it is; only what pyusb looks at."""
        words = {"bLength": 18, "bDescriptorType": 1, "bcdUSB": 0x200, "bcdDevice": 1, "bMaxPacketSize0": 64}
        words |= dict.fromkeys(("bDeviceClass", "bDeviceSubClass", "bDeviceProtocol", "iManufacturer"), 0)
        words |= {"idVendor": 0xCAFE, "idProduct": 0x4001, "iProduct": 0, "iSerialNumber": 0}
        return SimpleNamespace(
            **words, bNumConfigurations=1, address=9, bus=3, port_number=1, port_numbers=(1,), speed=2
        )

    def get_configuration_descriptor(self, _device: str, config: int) -> SimpleNamespace:
        """One configuration."""
        _only(config)
        words = {"bLength": 9, "bDescriptorType": 2, "wTotalLength": 32, "iConfiguration": 0, "bMaxPower": 50}
        return SimpleNamespace(
            **words, bNumInterfaces=1, bConfigurationValue=1, bmAttributes=0x80, extra_descriptors=[]
        )

    def get_interface_descriptor(self, _device: str, intf: int, alt: int, config: int) -> SimpleNamespace:
        """One interface, of the class of pads."""
        _only(intf, alt, config)
        words = {"bLength": 9, "bDescriptorType": 4, "bInterfaceNumber": 0, "bAlternateSetting": 0}
        words |= {"bInterfaceClass": 0xFF, "bInterfaceSubClass": 0x53, "bInterfaceProtocol": 1}
        return SimpleNamespace(**words, bNumEndpoints=2, iInterface=0, extra_descriptors=[])

    def get_endpoint_descriptor(
        self, _device: str, ep: int, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        """Interrupt IN 81, bulk OUT 02."""
        _only(intf, alt, config)
        address, kind = ((0x81, 3), (0x02, 2))[ep]
        words = {"bLength": 7, "bDescriptorType": 5, "bRefresh": 0, "bSynchAddress": 0, "bInterval": 1}
        words |= {"bEndpointAddress": address, "bmAttributes": kind}
        return SimpleNamespace(**words, wMaxPacketSize=64, extra_descriptors=[])

    def open_device(self, device: str) -> str:
        """A handle."""
        return device

    def close_device(self, _handle: str) -> None:
        """Let go."""

    def set_configuration(self, _handle: str, _value: int) -> None:
        """There is but one."""

    def get_configuration(self, _handle: str) -> int:
        """The only one."""
        return 1

    def claim_interface(self, _handle: str, _intf: int) -> None:
        """Nobody else is here."""

    def release_interface(self, _handle: str, _intf: int) -> None:
        """Nobody else is here."""

    def clear_halt(self, _handle: str, _ep: int) -> None:
        """Never stalled."""

    def intr_read(self, _handle: str, _ep: int, _intf: int, buff: Any, timeout: int) -> int:
        """What has come within so many milliseconds."""
        end = time.monotonic() + timeout / 1000
        while not self.reports:
            if not self.is_there:
                raise usb.core.USBError("gone", -4, errno.ENODEV)
            if time.monotonic() > end:
                raise usb.core.USBTimeoutError("nothing", -7, errno.ETIMEDOUT)
            time.sleep(0.002)
        data = self.reports.pop(0)
        buff[: len(data)] = array.array("B", data)
        return len(data)

    def bulk_write(self, _handle: str, _ep: int, _intf: int, data: Any, _timeout: int) -> int:
        """Hand over."""
        self.written.append(bytes(data))
        return len(data)


BUSES = {"bench": OneDevice()}


def bus(name: str) -> OneDevice:
    """The backend that ``tests.drivers.pads.foreign_usb:bus:NAME`` names."""
    return BUSES[name]


def _only(*numbers: int) -> None:
    if any(numbers):
        raise IndexError
