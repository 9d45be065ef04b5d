"""The bytes of the Angel Eye II-EX dialect on the shoe's side, by hand and by loop."""

from collections.abc import Iterator
from typing import NamedTuple

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS = {"d": 0x10, "c": 0x20, "s": 0x30, "h": 0x40}
CARD_BYTES = {
    rank + suit: high + low for suit, high in SUITS.items() for low, rank in enumerate(RANKS, start=1)
}
ENQ, STX, ETX = 0x05, 0x02, 0x03
ORDER_SIZE, MOST = 10, 80


def card_byte(name: str) -> int:
    """Return the byte of a card by its name; raise ValueError for what is no card."""
    if name not in CARD_BYTES:
        raise ValueError(f"{name!r} is not a card: write it as in As or Td")
    return CARD_BYTES[name]


def check(data: bytes) -> bytes:
    """Return all bytes in one by exclusive or, as two digits."""
    folded = 0
    for byte in data:
        folded ^= byte
    return f"{folded:02X}".encode("ascii")


def report(sequence: int, kind: bytes, data: bytes = b"") -> bytes:
    """Return a report: ENQ, number, letter, data, ETX, check of all behind ENQ."""
    middle = bytes([sequence]) + kind + data + bytes([ETX])
    return bytes([ENQ]) + middle + check(middle)


class ShoeOrder(NamedTuple):
    """An order of the host; one with a wrong check is kept to be refused."""

    kind: str
    argument: str
    is_good: bool = True
    is_ack: bool = False


class Orders:
    """The commands in a stream of bytes."""

    def __init__(self, *, with_stx: bool) -> None:
        self._from = 0 if with_stx else 1
        self._kept = b""

    def clear(self) -> None:
        """Forget what has begun."""
        self._kept = b""

    def feed(self, data: bytes) -> Iterator[ShoeOrder]:
        """Yield the commands that are complete now."""
        self._kept += data
        while self._kept:
            if self._kept[0] == 0x06:  # noqa: PLR2004 - the host takes a report
                self._kept = self._kept[1:]
                yield ShoeOrder("", "", is_ack=True)
            elif self._kept[0] != STX or not b"\x02OP".startswith(self._kept[:3]):
                self._kept = self._kept[1:]
            elif len(self._kept) < ORDER_SIZE:
                break
            else:
                yield from self._take()
        self._kept = self._kept[-MOST:]

    def _take(self) -> Iterator[ShoeOrder]:
        frame = self._kept[:ORDER_SIZE]
        if frame[7] != ETX:
            self._kept = self._kept[1:]
            return
        self._kept = self._kept[ORDER_SIZE:]
        is_good = check(frame[self._from : 8]) == frame[8:]
        yield ShoeOrder(frame[3:5].decode("latin-1"), frame[5:7].decode("latin-1"), is_good)
