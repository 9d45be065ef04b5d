"""The USB beneath the pads: pyusb blocks, so it lives in threads of its own, and each ends in an event.

One ``UsbPort`` is one attempt: a pad is looked for, opened, read until it is gone, and that is all. Whatever
ends the thread, an unplugged cable or an error nobody thought of, ``ended`` is called with the reason. Reads
have a finite timeout, for one without cannot be stopped; a timeout means that nothing happened. Writing has
a thread beside the reader's, so that a lock never waits for a report.

The library beneath pyusb can be named in words, for a USB device that is not on this machine's own bus.
"""

# Theory of operation. The reader thread is the life of an attempt: find, claim, read until something ends it,
# let go, post ``ended``. It starts the writer once the pad is claimed. Nothing is shared but two things: the
# outbox (None ends the writer) and the mark ``_over`` (ends the reader at its next timeout). A writer that
# breaks leaves its reason and sets the mark, so that there is one end and one reason. Everything that the
# threads have to say goes through ``LoopDoor`` into the loop; only ``_now`` is called from the reader, so
# that a report has the time at which it was read.

import ctypes.util
import errno
import os
import threading
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from typing import NamedTuple, Protocol

from sabot.drivers.pads.errors import ERRORS, PadGoneError
from sabot.drivers.threads import LoopDoor
from sabot.rules.errors import SabotError


def backend_of(words: str) -> object:
    """Return what ``module:factory[:argument]`` makes; None, which is libusb, for no words."""
    if not words:
        return None
    module, _, rest = words.partition(":")
    factory, _, argument = rest.partition(":")
    make = getattr(import_module(module), factory)
    return make(argument) if argument else make()


BACKEND_VARIABLE = "SABOT_USB_BACKEND"
LIBUSB = "libusb-1.0.so.0"
# Vendor class, subclass S, protocol 1: a pad is found by these and never by its maker's number.
_CLASS = (0xFF, 0x53, 0x01)
# Longer than the longest frame (656 bytes), so that a read ends with the frame and not inside it.
_IN, _OUT, _READ_BYTES = 0x81, 0x02, 1024
# A pad reports four times a second: a read that waits a little longer than that wakes only for a report.
# An order that the pad has not taken within 100 ms is said again by the link in any case.
_READ_MS, _WRITE_MS = 300, 100
_MOST_STALLS = 3
# Everything that pyusb and a pad that goes away are known to raise: USBError is an OSError.
EXPECTED = (OSError, NotImplementedError, SabotError)
_WHY = {
    errno.ENODEV: "it was unplugged",
    errno.EACCES: "this user may not open it",
    errno.EBUSY: "another program uses it",
    errno.EPIPE: "it stalls again and again",
    errno.EIO: "input or output fails",
}


class _Interface(Protocol):
    bInterfaceClass: int  # noqa: N815 - the names of the USB specification
    bInterfaceSubClass: int  # noqa: N815
    bInterfaceProtocol: int  # noqa: N815


class UsbDevice(Protocol):
    """The part of pyusb's device that is used."""

    bus: int
    address: int
    serial_number: str

    def __iter__(self) -> Iterator[Iterable[_Interface]]:
        """Iterate over its configurations, each with its interfaces."""

    def set_configuration(self) -> None:
        """Choose the first configuration."""

    def read(self, endpoint: int, size: int, timeout: int) -> Iterable[int]:
        """Wait for bytes, for so many milliseconds at most, and return them."""

    def write(self, endpoint: int, data: bytes, timeout: int) -> int:
        """Hand bytes over, and return how many were taken."""

    def clear_halt(self, endpoint: int) -> None:
        """End a stall."""


class WantedPad(NamedTuple):
    """The pad that is wanted, and the library to find it with."""

    serial: str = ""
    backend: str = ""


class PortListener(NamedTuple):
    """Callbacks of a port, made in the loop's thread; ``ended`` is the last."""

    opened: Callable[[], None]
    received: Callable[[float, bytes], None]
    ended: Callable[[str], None]


class UsbPort:
    """One attempt at a pad."""

    def __init__(
        self, wanted: WantedPad, loop: AbstractEventLoop, now: Callable[[], float], owner: PortListener
    ) -> None:
        self.where = "usb"
        self._wanted, self._door, self._now, self._owner = wanted, LoopDoor(loop), now, owner
        self._over = threading.Event()
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._why_over = ""
        # Daemons: a read that a foreign backend never ends must not keep the program from ending.
        self.reader = threading.Thread(target=self._serve, name="pads-reader", daemon=True)
        self.writer: threading.Thread | None = None

    def start(self) -> None:
        """Begin to look."""
        self.reader.start()

    def send(self, data: bytes) -> None:
        """Hand a frame to the writing thread; never waits."""
        self._outbox.put(data)

    def close(self) -> None:
        """Write everything that was handed over, then end the port."""
        self._outbox.put(None)
        self._over.set()

    # ---------------------------------------------------------------- the reading thread

    def _serve(self) -> None:
        why, device = "it ended without a reason", None
        try:
            device = self._find()
            self._claim(device)
            self._door.post(self._owner.opened)
            self._read(device)
            why = self._why_over
        except EXPECTED as error:
            why = _reason(error, self.where)
        except Exception as error:  # a slip: the loop hears of it
            why = _reason(error, self.where)
            self._door.broke(error)
        finally:
            if device is not None:
                self._let_go(device)
            self._door.post(self._owner.ended, why)

    def _find(self) -> UsbDevice:
        try:
            import usb.core  # noqa: PLC0415 - a table without pads needs no USB library
        except ImportError as error:
            raise PadGoneError(ERRORS["E-PAD-005"], self.where, why=error) from error
        backend = _backend(self._wanted.backend or os.environ.get(BACKEND_VARIABLE, "")) or libusb()
        try:
            found = usb.core.find(find_all=True, backend=backend, custom_match=_is_pad)
            device: UsbDevice | None = next((each for each in found if self._is_wanted(each)), None)
        except usb.core.NoBackendError as error:
            raise PadGoneError(ERRORS["E-PAD-005"], self.where, why=error) from error
        if device is None:
            serial = f" with the serial number {self._wanted.serial}" if self._wanted.serial else ""
            raise PadGoneError(ERRORS["E-PAD-006"], self.where, serial=serial)
        return device

    def _is_wanted(self, device: UsbDevice) -> bool:
        return not self._wanted.serial or device.serial_number == self._wanted.serial

    def _claim(self, device: UsbDevice) -> None:
        import usb.util  # noqa: PLC0415

        self.where = f"usb {device.bus}:{device.address}"
        device.set_configuration()
        usb.util.claim_interface(device, 0)
        # Beside the reader: a read blocks for as long as nothing is reported, and a lock cannot wait for
        # that.
        self.writer = threading.Thread(target=self._write, args=(device,), name="pads-writer", daemon=True)
        self.writer.start()

    def _read(self, device: UsbDevice) -> None:
        stalls = 0
        while not self._over.is_set():
            try:
                data = bytes(device.read(_IN, _READ_BYTES, _READ_MS))
            except OSError as error:
                stalls = _after(error, device, _IN, stalls)
                continue
            stalls = 0
            if data:
                self._door.post(self._owner.received, self._now(), data)

    def _let_go(self, device: UsbDevice) -> None:
        """Let the last orders go out, then close; a device that is gone may refuse anything."""
        import usb.util  # noqa: PLC0415

        self._outbox.put(None)
        if self.writer is not None:
            self.writer.join(timeout=1.0)
        with suppress(OSError):
            usb.util.dispose_resources(device)

    # ---------------------------------------------------------------- the writing thread

    def _write(self, device: UsbDevice) -> None:
        stalls = 0
        try:
            while (data := self._outbox.get()) is not None:
                try:
                    device.write(_OUT, data, _WRITE_MS)
                    stalls = 0
                except OSError as error:
                    # An order that was not taken is said again by the next one.
                    stalls = _after(error, device, _OUT, stalls)
        except EXPECTED as error:  # the reader ends with this reason, and that is the event
            self._end_reading(error)
        except Exception as error:  # a slip: the loop hears of it
            self._end_reading(error)
            self._door.broke(error)

    def _end_reading(self, error: Exception) -> None:
        # Before the mark: the reader takes the reason when it sees the mark.
        self._why_over = _reason(error, self.where)
        self._over.set()


def _after(error: OSError, device: UsbDevice, endpoint: int, stalls: int) -> int:
    """Return the stalls in a row after a timeout (none more) or a stall; raise a third, and all else."""
    if error.errno == errno.ETIMEDOUT:
        return stalls
    # A stall is cleared and the transfer tried again; three in a row are a pad that stalls by itself.
    if error.errno != errno.EPIPE or stalls + 1 >= _MOST_STALLS:
        raise error
    device.clear_halt(endpoint)
    return stalls + 1


def _reason(error: Exception, where: str) -> str:
    """Return an error in the words of the table."""
    if isinstance(error, SabotError):
        return str(error)
    words = _WHY.get(getattr(error, "errno", None) or 0, "") or f"{type(error).__name__}: {error}"
    return str(PadGoneError(ERRORS["E-PAD-007"], where, why=words))


def _backend(words: str) -> object:
    try:
        return backend_of(words)
    except (ImportError, AttributeError, ValueError) as error:
        raise PadGoneError(ERRORS["E-PAD-004"], "usb", backend=words, why=error) from error


def libusb() -> object:
    """Return libusb as it is installed, None where it is not.

    pyusb looks in the cache of the system's loader, which a board from an image has not got. The loader finds
    the library without it, by the name that its interface has had since 1.0.
    """
    from usb.backend import libusb1  # noqa: PLC0415 - a table without pads needs no USB library

    return libusb1.get_backend(find_library=lambda name: ctypes.util.find_library(name) or LIBUSB)


def _is_pad(device: UsbDevice) -> bool:
    """Return whether an interface of this device is of the class of pads; what cannot be read is none."""
    with suppress(OSError):
        return any(
            (each.bInterfaceClass, each.bInterfaceSubClass, each.bInterfaceProtocol) == _CLASS
            for configuration in device
            for each in configuration
        )
    return False
