"""A USB bus with simulated devices: what libusb would tell of them, its errors by number included.

A bus is plain calls with plain values, so that it can also stand in another process (``usb_remote``). A
device that is plugged in again has another address; whoever still holds the old one gets "no such device".
"""

import errno
import itertools
import threading
from collections.abc import Callable, Mapping
from typing import Protocol

IN, OUT = 0x81, 0x02
_GET_DESCRIPTOR, _STRING = 6, 3
_LANGUAGES = b"\x04\x03\x09\x04"
_WAYS = {"in": IN, "out": OUT}
BUSES: dict[str, "Bus"] = {}


class UsbFailure(Exception):  # noqa: N818 - an outcome of a call, with libusb's number
    """A call that libusb would have answered with this number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Behind(Protocol):
    """A simulated device: its strings, and its words with the host."""

    condition: threading.Condition

    @property
    def strings(self) -> tuple[str, str, str]:
        """Return maker, product and serial number."""

    def write(self, data: bytes) -> None:
        """Take bytes of the host."""

    def wait(self, timeout_s: float, is_gone: Callable[[], bool]) -> bytes | None:
        """Return bytes for the host; None if none came in time or the device is gone."""


class _Plugged:
    def __init__(self, device: Behind, address: int) -> None:
        self.device, self.address = device, address
        self.is_gone = False
        self.claimed_by: int | None = None
        self.configuration = 0
        self.stalls: dict[int, int] = {}
        self.rest = b""


class Bus:
    """The devices that are plugged in, by address."""

    def __init__(self) -> None:
        self._addresses, self._handles = itertools.count(2), itertools.count(1)
        self._plugged: dict[int, _Plugged] = {}
        self._open: dict[int, _Plugged] = {}
        self.failing: list[BaseException] = []

    # ---------------------------------------------------------------- the cable

    def plug(self, device: Behind) -> int:
        """Plug a device in, and return its address, a new one each time."""
        address = next(self._addresses)
        self._plugged[address] = _Plugged(device, address)
        return address

    def unplug(self, device: Behind) -> None:
        """Pull the cable; a read that waits ends at once."""
        for address, each in list(self._plugged.items()):
            if each.device is device:
                del self._plugged[address]
                with device.condition:
                    each.is_gone = True
                    device.condition.notify_all()

    def stall(self, device: Behind, endpoint: int, times: int = 1) -> None:
        """Let the next transfers of an endpoint stall until the halt is cleared."""
        for each in self._plugged.values():
            if each.device is device:
                each.stalls[endpoint] = times

    # ---------------------------------------------------------------- what libusb is asked

    def devices(self) -> list[int]:
        """Return the addresses of what is plugged in."""
        return list(self._plugged)

    def open(self, address: int) -> int:
        """Return a handle."""
        if address not in self._plugged:
            raise UsbFailure(errno.ENODEV)
        handle = next(self._handles)
        self._open[handle] = self._plugged[address]
        return handle

    def close(self, handle: int) -> None:
        """Let go of a device."""
        self.release(handle)
        self._open.pop(handle, None)

    def configure(self, handle: int, value: int) -> None:
        """Select the configuration."""
        self._there(handle).configuration = value

    def configuration(self, handle: int) -> int:
        """Return the selected configuration."""
        return self._there(handle).configuration

    def claim(self, handle: int) -> None:
        """Take the interface, which one handle can have at a time."""
        each = self._there(handle)
        if each.claimed_by not in (None, handle):
            raise UsbFailure(errno.EBUSY)
        each.claimed_by = handle

    def release(self, handle: int) -> None:
        """Give the interface back."""
        each = self._open.get(handle)
        if each is not None and each.claimed_by == handle:
            each.claimed_by = None

    def clear_halt(self, handle: int, endpoint: int) -> None:
        """End a stall; one that was to come more often comes again."""
        each = self._there(handle)
        each.stalls[endpoint] = max(0, each.stalls.get(endpoint, 0) - 1)

    def read(self, handle: int, endpoint: int, size: int, timeout_s: float) -> bytes:
        """Return the data of an interrupt transfer to the host."""
        if self.failing:
            raise self.failing.pop(0)
        each = self._ready(handle, endpoint, IN)
        data = each.rest or each.device.wait(timeout_s, lambda: each.is_gone)
        if each.is_gone:
            raise UsbFailure(errno.ENODEV)
        if not data:
            raise UsbFailure(errno.ETIMEDOUT)
        each.rest = data[size:]
        return data[:size]

    def write(self, handle: int, endpoint: int, data: bytes) -> int:
        """Carry a bulk transfer to the device, and return its size."""
        self._ready(handle, endpoint, OUT).device.write(data)
        return len(data)

    def control(self, handle: int, request_type: int, request: int, value: int) -> bytes:
        """Return a string descriptor; nothing else is known."""
        each = self._there(handle)
        if (request_type, request, value >> 8) != (0x80, _GET_DESCRIPTOR, _STRING):
            raise UsbFailure(errno.EPIPE)
        if not value & 255:
            return _LANGUAGES
        text = each.device.strings[(value & 255) - 1].encode("utf-16-le")
        return bytes((2 + len(text), _STRING)) + text

    def _there(self, handle: int) -> _Plugged:
        each = self._open.get(handle)
        if each is None or each.is_gone:
            raise UsbFailure(errno.ENODEV)
        return each

    def _ready(self, handle: int, endpoint: int, right: int) -> _Plugged:
        each = self._there(handle)
        if each.claimed_by != handle or not each.configuration or endpoint != right:
            raise UsbFailure(errno.EIO)
        if each.stalls.get(endpoint):
            raise UsbFailure(errno.EPIPE)
        return each

    # ---------------------------------------------------------------- a technician's words

    def actions(self, device: Behind) -> Mapping[str, tuple[str, Callable[[str], None]]]:
        """Return the actions on the cable of a device."""
        return {
            "unplug": ("unplug: pull the cable", lambda _: self.unplug(device)),
            "plug": ("plug: put it in again", lambda _: _nothing(self.plug(device))),
            "stall": (
                "stall in|out: the endpoint halts",
                lambda way: self.stall(device, _WAYS[way.strip()]),
            ),
        }


def _nothing(_address: int) -> None:
    """Drop an address: it is the bus's business."""
