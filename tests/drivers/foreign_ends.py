"""What somebody else's devices do on a line, from the pages alone; nothing of Sabot is imported here."""

import asyncio
import os
import tty
from collections.abc import Callable

Put = Callable[[bytes], object]
SOH, STX, ETX, EOT = 1, 2, 3, 4


class End:
    """Something at the end of a cable."""

    def attached(self, put: Put) -> None:
        self.put = put

    def detached(self) -> None:
        self.put = lambda _data: None

    def received(self, data: bytes) -> None:
        raise NotImplementedError


class ForeignDisplay(End):
    """It shows what comes, and answers nothing at all."""

    shown = b""

    def received(self, data: bytes) -> None:
        self.shown = (self.shown + data)[-400:]


class ForeignSign(End):
    """docs/alpha.md: frames with a checksum; what was written is read back in the form of its writing."""

    def __init__(self) -> None:
        self.files: dict[bytes, bytes] = {}
        self._came = b""

    def received(self, data: bytes) -> None:
        self._came += data
        while EOT in self._came:
            frame, _, self._came = self._came.partition(bytes([EOT]))
            self._take(frame[frame.rfind(SOH) :])

    def _take(self, frame: bytes) -> None:
        """SOH, type, address, STX, command, data, ETX, checksum."""
        content, summed = frame[4:-4], frame[-4:]
        if len(frame) < 11 or frame[4] != STX or b"%04X" % (sum(content) & 0xFFFF) != summed:
            return
        command, label, data = content[1:2], content[2:3], content[3:-1]
        if command in b"AGE":
            self.files[command + label] = data
        elif command in b"BHF":
            write = {b"B": b"A", b"H": b"G", b"F": b"E"}[command]
            self._answer(write + label + self.files.get(write + label, b""))

    def _answer(self, content: bytes) -> None:
        body = bytes([STX]) + content + bytes([ETX])
        self.put(bytes(5) + b"\x01000" + body + b"%04X" % (sum(body) & 0xFFFF) + bytes([EOT]))


class Cable(End):
    """A cable to a pseudo-terminal that another program serves."""

    def __init__(self, path: str) -> None:
        self._line = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._line)

    def attached(self, put: Put) -> None:
        super().attached(put)
        asyncio.get_running_loop().add_reader(self._line, lambda: self.put(os.read(self._line, 4096)))

    def detached(self) -> None:
        asyncio.get_running_loop().remove_reader(self._line)
        super().detached()

    def received(self, data: bytes) -> None:
        os.write(self._line, data)

    def close(self) -> None:
        os.close(self._line)
