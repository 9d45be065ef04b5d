"""A USB device in software on the bus of an emulated board, by USB/IP over a Unix socket.

It is for machines on whose bus QEMU's own redirection does not work. The board's kernel takes the other end
as a cable, when this one has said by which words: a device that is not there yet must not be asked. A cable
that was pulled is never taken again: each time there is another plug, and another port of the kernel's hub.
"""

import socket
from contextlib import suppress
from pathlib import Path

from sabot.hil.kernel.devices.usbip import UsbipWire, attachment
from sabot.hil.simulators.usb_bus import Behind

# The input of the program that hands the connection over.
_INPUT = 0


def plug_for(path: Path, count: int) -> Path:
    """Return the plug for the next time a device is plugged in, after ``count`` times."""
    return path.with_name(f"{path.stem}-{count}{path.suffix}") if count else path


class ForwardedDevice:
    """One device on the board's bus, for as long as it is plugged in."""

    def __init__(self, behind: Behind, path: Path) -> None:
        self._behind, self._path = behind, path
        self.stalls: dict[int, int] = {}
        self._cable: UsbipWire | None = None
        self._count = 0
        self.plug()

    def plug(self) -> None:
        """Put the device on the bus; raise ValueError when no plug is left."""
        if self._cable is not None:
            return
        if not (path := plug_for(self._path, self._count)).exists():
            message = f"there is no plug {path.name}"
            raise ValueError(message)
        wire = socket.socket(socket.AF_UNIX)
        wire.connect(str(path))
        # First the words by which the board's kernel is to take the cable, then USB/IP on the same wire.
        wire.sendall(f"{attachment(self._count, _INPUT)}\n".encode())
        self._count += 1
        self.stalls.clear()
        self._cable = UsbipWire(self._behind, self.stalls, wire)

    def unplug(self) -> None:
        """Pull the cable, by sending what is no word of USB/IP."""
        if self._cable is not None:
            # QEMU's end of the plug stays open, so the kernel never sees the wire
            # end; nonsense makes it hang up.
            with suppress(OSError):
                self._cable.say_nonsense()
            self.close()

    def cut(self) -> None:
        """Refuse: nobody tells the board's kernel that the other end of a plug is gone."""
        message = "a cable of this wire cannot break unheard"
        raise ValueError(message)

    def stall(self, endpoint: int, times: int = 1) -> None:
        """Let an endpoint halt, and again as often after the board has cleared it."""
        self.stalls[endpoint] = times

    def close(self) -> None:
        """Take the device away for good."""
        cable, self._cable = self._cable, None
        if cable is not None:
            cable.close()
