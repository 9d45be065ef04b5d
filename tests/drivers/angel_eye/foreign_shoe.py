"""A reading shoe by somebody else, from docs/angel-eye.md alone: nothing of Sabot is imported here.

Plain, and small: one pseudo-terminal, one list of bytes that came, one counter. It does what the page says of a
real one and whatever a test has it do besides.
"""

import asyncio
import os
import tty
from collections.abc import Callable
from pathlib import Path

RANKS, SUITS = "A23456789TJQK", "dcsh"
ENQ, STX, ETX, ACK, NAK = 5, 2, 3, 6, 21
FREE, LOCKED = b"1", b"2"


def check(data: bytes) -> bytes:
    value = 0
    for byte in data:
        value ^= byte
    return b"%02X" % value


def card(name: str) -> int:
    """``As``: suit in bits 6 to 4, rank in 3 to 0."""
    return (SUITS.index(name[1]) + 1) << 4 | RANKS.index(name[0]) + 1


class ForeignShoe:
    """``put`` is where its bytes go; ``received`` is where a host's come."""

    def __init__(self) -> None:
        self.put: Callable[[bytes], object] = lambda _data: None
        self.number = 0
        self.is_locked, self.is_mute, self.error = False, False, 0
        self.busy_for, self.digits = 0, 1
        self.commands: list[str] = []
        self._came = b""

    def attached(self, put: Callable[[bytes], object]) -> None:
        self.put = put

    def detached(self) -> None:
        self.put = lambda _data: None

    # ---------------------------------------------------------------- what it says

    def report(self, letter: str, data: bytes = b"", times: int = 1) -> None:
        """One report, as often as such a shoe may send it under one number."""
        body = bytes([self.number]) + letter.encode() + data + bytes([ETX])
        self.number = (self.number + 1) % 256
        self._write((bytes([ENQ]) + body + check(body)) * times)

    def _write(self, data: bytes) -> None:
        if not self.is_mute:
            self.put(data)

    def draw(self, name: str, times: int = 1) -> None:
        """A dealer's hand draws a card."""
        self.report("d" if self.is_locked or self.error else "D", bytes([0x31, card(name)]), times)

    def start(self) -> None:
        """Power comes back: free, no error, numbers anew."""
        self.number, self.is_locked, self.error = 0, False, 0
        self.report("S")

    def fail(self, error: int, *, stays: bool = False) -> None:
        """An error; with bit 6 it stays in it."""
        self.error = error if stays else 0
        self.report("E", bytes([(0x40 if stays else 0) | error]))

    def cut_short(self, _name: str) -> None:
        """Power is gone within the report of a card, and comes back."""
        self.put(bytes([ENQ, self.number]) + b"D" + bytes([0x31]))
        self.start()

    def actions(self) -> dict[str, tuple[str, Callable[[str], None]]]:
        """What hands do to it, by the words of docs/certify.md."""
        return {
            "draw": ("draw this card", self.draw),
            "unread": ("a card that cannot be read", lambda _: self.fail(1, stays=True)),
            "start": ("power on", lambda _: self.start()),
            "reboot": ("power gone within a report", self.cut_short),
        }

    # ---------------------------------------------------------------- what it hears

    def received(self, data: bytes) -> None:
        self._came += data
        while (at := self._came.find(bytes([STX]))) >= 0 and len(self._came) >= at + 10:
            frame, self._came = self._came[at : at + 10], self._came[at + 10 :]
            self._obey(frame)

    def _obey(self, frame: bytes) -> None:
        if frame[7] != ETX or check(frame[:8]) != frame[8:]:
            self._refuse(2)
            return
        kind, argument = frame[3:5].decode("latin-1"), frame[5:7].decode("latin-1")
        if kind + argument not in ("GP00", "LK01", "LK02") and kind != "EC":
            self._refuse(6)
            return
        self.commands.append(kind + argument)
        if self.busy_for and kind == "LK":
            self.busy_for -= 1
            self._refuse(8)
            return
        self._write(bytes([ACK]))
        if kind == "LK":
            self._lock(is_locked=argument == "02")
        elif kind == "EC" and self.error:
            self.error = 0
            self.report("e", argument[1:].encode())

    def _refuse(self, why: int) -> None:
        """One digit, or two."""
        self._write(bytes([NAK]) + f"{why:0{self.digits}}".encode())

    def _lock(self, *, is_locked: bool) -> None:
        if is_locked is not self.is_locked:
            self.is_locked = is_locked
            self.report("L", LOCKED if is_locked else FREE)


class OnPty:
    """A shoe behind a pseudo-terminal, inside a running loop; ``path`` is where a host finds it."""

    def __init__(self, shoe: ForeignShoe, path: Path) -> None:
        self.path = path
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        path.symlink_to(os.ttyname(self._slave))
        shoe.attached(lambda data: os.write(self._master, data))
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._master, lambda: shoe.received(os.read(self._master, 4096)))

    def close(self) -> None:
        self._loop.remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)
        self.path.unlink()
