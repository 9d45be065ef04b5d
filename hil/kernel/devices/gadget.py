"""A serial port that the kernel has on USB: an adapter of its own gadget driver, on a controller of its own.

The device holds one end (/dev/ttyGS*), the program finds the other under /dev/serial/by-id. Unplugging
takes the adapter off its bus, and what still has it open sees it hang up; plugged in again it comes back
under the lowest number that is free. It has the face of the simulators' pseudo-terminal: every device goes
on it.
"""

import asyncio
import os
import tty
from contextlib import suppress
from pathlib import Path

from sabot.hil.simulators.lossy import Lossy
from sabot.hil.simulators.pty_port import CHUNK, ByteDevice, SimulatedPort

GADGETS = Path("/sys/kernel/config/usb_gadget")
CONTROLLERS = Path("/sys/class/udc")
MAKER, PRODUCT = "Sabot", "Rig"
_LANGUAGE = "0x409"
# What an adapter is made of, in the order in which the kernel lets it be taken apart.
_FOLDERS = ("configs/c.1", "functions/acm.0", f"strings/{_LANGUAGE}", "")


class GadgetPort(SimulatedPort):
    """A device on a serial adapter; ``number`` chooses the controller."""

    def __init__(self, device: ByteDevice, name: str, number: int, line: Lossy | None = None) -> None:
        super().__init__(device, path=by_id(name), line=line)
        self._gadget = GADGETS / name
        self._controller = f"dummy_udc.{number}"
        self._terminal = _make(self._gadget, name)

    @property
    def terminal(self) -> str:
        """Return the device's own end."""
        return self._terminal

    def plug_in(self) -> str:
        """Put the adapter on its bus. Needs a running loop."""
        if self.is_plugged_in:
            return self.name
        self._master = os.open(self._terminal, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._master)
        (self._gadget / "UDC").write_text(self._controller, encoding="ascii")
        asyncio.get_running_loop().add_reader(self._master, self._readable)
        self.device.attached(self._to_program.send)
        return self.name

    def forget(self) -> None:
        """Do nothing: the kernel forgets lock and settings with the program."""

    def unplug(self) -> None:
        """Take it off the bus; whoever has it open sees it hang up."""
        if not self.is_plugged_in:
            return
        asyncio.get_running_loop().remove_reader(self._master)
        self._to_program.clear()
        self._to_device.clear()
        (self._gadget / "UDC").write_text("\n", encoding="ascii")
        os.close(self._master)
        self._master = -1
        self.device.detached()

    def _readable(self) -> None:
        """Hear the host; nothing, or an error, is a host that is not there."""
        with suppress(OSError):
            if data := os.read(self._master, CHUNK):
                self._to_device.send(data)

    def _write_master(self, data: bytes) -> None:
        """Write to the host; what it does not take is lost, as on a line without handshake."""
        if not self.is_plugged_in:
            return
        written = 0
        with suppress(OSError):
            written = os.write(self._master, data)
        self.lost_bytes += len(data) - written

    def remove(self) -> None:
        """Unplug it, and let the kernel forget it."""
        self.unplug()
        for link in (self._gadget / "configs" / "c.1").glob("acm.*"):
            link.unlink()
        for folder in _FOLDERS:
            (self._gadget / folder).rmdir()


def by_id(name: str) -> Path:
    """Return the path where udev puts the adapter."""
    return Path(f"/dev/serial/by-id/usb-{MAKER}_{PRODUCT}_{name}-if00")


def _make(gadget: Path, name: str) -> str:
    """Make an adapter with one port, and return the terminal of its own end."""
    _tell(gadget, idVendor="0x1d6b", idProduct="0x0104", bcdDevice="0x0100")
    _tell(gadget / "strings" / _LANGUAGE, manufacturer=MAKER, product=PRODUCT, serialnumber=name)
    function = gadget / "functions" / "acm.0"
    _tell(function)
    _tell(gadget / "configs" / "c.1", MaxPower="100")
    (gadget / "configs" / "c.1" / "acm.0").symlink_to(function)
    return f"/dev/ttyGS{(function / 'port_num').read_text(encoding='ascii').strip()}"


def _tell(folder: Path, **words: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, value in words.items():
        (folder / name).write_text(value, encoding="ascii")
