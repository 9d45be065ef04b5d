"""A bad line: bytes that come late, one at a time, twice, bent, cut short or not at all, the same each time.

All that happens is drawn from one seed, so that what a test has found once it finds again. A clean line is
this one with every rate at zero.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

NOISE_MOST = 24


class Piece(NamedTuple):
    """Bytes that come out of the line that long after those before them."""

    after_s: float
    data: bytes


@dataclass(frozen=True, slots=True)
class Lossy:
    """A line that spoils what is written; rates are chances a write (``flip``: a byte)."""

    seed: int = 0
    drop: float = 0.0
    cut: float = 0.0
    duplicate: float = 0.0
    noise: float = 0.0
    flip: float = 0.0
    delay_s: float = 0.0
    is_byte_at_a_time: bool = False

    def way(self, name: str) -> "LossyWay":
        """Return one direction of the line, with draws of its own."""
        return LossyWay(self, Random(f"{self.seed}/{name}"))  # noqa: S311 - not a secret


class LossyWay:
    """One direction of a bad line."""

    def __init__(self, line: Lossy, draws: Random) -> None:
        self.line, self._draws = line, draws

    def carry(self, data: bytes) -> list[Piece]:
        """Return the pieces that come out for one write, in order."""
        copies = 1 + self._happens(self.line.duplicate)
        whole = b"".join(self._spoilt(data) for _ in range(copies))
        return list(self._pieces(self._burst() + whole))

    def _happens(self, chance: float) -> bool:
        return self._draws.random() < chance

    def _spoilt(self, data: bytes) -> bytes:
        if self._happens(self.line.drop):
            return b""
        if self._happens(self.line.cut):
            data = data[: self._draws.randrange(len(data) + 1)]
        return bytes(self._bent(byte) for byte in data) if self.line.flip else data

    def _bent(self, byte: int) -> int:
        return byte ^ 1 << self._draws.randrange(8) if self._happens(self.line.flip) else byte

    def _burst(self) -> bytes:
        return (
            self._draws.randbytes(self._draws.randint(1, NOISE_MOST))
            if self._happens(self.line.noise)
            else b""
        )

    def _pieces(self, data: bytes) -> Iterator[Piece]:
        step = 1 if self.line.is_byte_at_a_time else max(1, len(data))
        for place in range(0, len(data), step):
            yield Piece(self._draws.random() * self.line.delay_s, data[place : place + step])
