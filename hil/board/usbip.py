"""A USB device in software on the bus of an emulated board, by USB/IP over a Unix socket.

It is for machines on whose bus QEMU's own redirection does not work. The board's kernel takes the other end
as a cable, when this one has said by which words: a device that is not there yet must not be asked.
"""

import socket
from pathlib import Path

from sabot.hil.kernel.devices.usbip import UsbipWire, attachment
from sabot.hil.simulators.usb_bus import Behind

# The first port of the kernel's hub, and the input of the program that hands the connection over.
_PORT, _INPUT = 0, 0


class ForwardedDevice:
    """One device on the board's bus, as long as the board is on."""

    def __init__(self, behind: Behind, path: Path) -> None:
        wire = socket.socket(socket.AF_UNIX)
        wire.connect(str(path))
        wire.sendall(f"{attachment(_PORT, _INPUT)}\n".encode())
        self.stalls: dict[int, int] = {}
        self._wire = UsbipWire(behind, self.stalls, wire)

    def plug(self) -> None:
        """It is in."""

    def unplug(self) -> None:
        """Nobody tells the board's kernel that the other end of a plug is gone."""
        message = "a device on this wire cannot be pulled"
        raise ValueError(message)

    def close(self) -> None:
        """Away for good."""
        self._wire.close()
