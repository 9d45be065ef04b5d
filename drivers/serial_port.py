"""Opening and closing one serial port: the only place where pyserial is spoken to.

pyserial knows how to configure a line; its lock is only advice to others. So the port is taken with TIOCEXCL
as well, which the kernel enforces against everybody but root. Both calls may block for as long as a sick USB
adapter wants, and are made in a thread of their own.
"""

import contextlib
import errno
import fcntl
import termios
from typing import NamedTuple

import serial

from sabot.drivers.convention import LineSettings
from sabot.drivers.errors import ERRORS, LinkError
from sabot.drivers.port_names import path_of

_IN_USE = {errno.EBUSY, errno.EAGAIN}


class ModemLines(NamedTuple):
    """The modem lines as the other end holds them."""

    cts: bool
    dsr: bool
    ri: bool
    cd: bool


def open_port(name: str, line: LineSettings) -> serial.Serial:
    """Return the port, configured, ours alone, without stale input; raise LinkError where that cannot be."""
    port = serial.Serial(
        baudrate=line.baud,
        bytesize=line.bits,
        parity=line.parity,
        stopbits=line.stop,
        timeout=0,
        write_timeout=0,
        exclusive=True,
    )
    # Before it is opened: DTR that rises for a moment resets some signs.
    port.dtr, port.rts = line.dtr, line.rts
    try:
        port.port = path_of(name)
        port.open()
        _take(port)
    except (serial.SerialException, OSError, ValueError, termios.error) as error:
        close_port(port)
        raise _refused(name, error) from error
    return port


def _take(port: serial.Serial) -> None:
    # pyserial's lock is only advice: a program that takes none would read half of every message.
    fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
    # A USB adapter may hold bytes back for 16 ms to fill a packet; a pty and some adapters know no such mode.
    with contextlib.suppress(ValueError, OSError, NotImplementedError):
        port.set_low_latency_mode(True)
    # What lay there was said to somebody else, or before the device was greeted.
    port.reset_input_buffer()


def close_port(port: serial.Serial) -> None:
    """Let go of a port, also of one whose device is gone; output that waits is thrown away.

    Without that the kernel waits up to 30 s for a device that takes nothing more.
    """
    # Each step by itself: of a device that is gone any of them fails, and the port must be closed all the
    # same.
    with contextlib.suppress(serial.SerialException, OSError, termios.error):
        port.reset_output_buffer()
    with contextlib.suppress(serial.SerialException, OSError, termios.error):
        # As the port was before: and a pseudo-terminal, which has no parity, takes 7E1 only with a change.
        settings = termios.tcgetattr(port.fileno())
        settings[2] &= ~termios.CLOCAL
        termios.tcsetattr(port.fileno(), termios.TCSANOW, settings)
    with contextlib.suppress(serial.SerialException, OSError, termios.error):
        # The mark is the tty's, not ours: while another holds it open it would outlive our closing.
        fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
    with contextlib.suppress(serial.SerialException, OSError):
        port.close()


def modem_lines(port: serial.Serial) -> ModemLines | None:
    """Return the modem lines; None where the port has none or is gone."""
    try:
        return ModemLines(port.cts, port.dsr, port.ri, port.cd)
    except (serial.SerialException, OSError):
        return None


def _refused(name: str, error: Exception) -> LinkError:
    code = "E-LINK-002" if getattr(error, "errno", None) in _IN_USE else "E-LINK-001"
    return LinkError(ERRORS[code], name, why=str(error))
