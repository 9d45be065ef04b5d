"""Bytes that nearly make sense: good frames bent, cut, doubled, mixed and buried in noise."""

from collections.abc import Callable, Sequence
from random import Random

LONGEST = 4096


def mutated(draws: Random, frames: Sequence[bytes], kept: Sequence[bytes]) -> bytes:
    """One input to throw."""
    data = draws.choice([*frames, *kept] or [b""])
    for _ in range(draws.randint(1, 6)):
        data = draws.choice(WAYS)(draws, data, frames)
    return data[:LONGEST]


def _flip(draws: Random, data: bytes, _frames: Sequence[bytes]) -> bytes:
    if not data:
        return data
    bent = bytearray(data)
    bent[draws.randrange(len(bent))] ^= 1 << draws.randrange(8)
    return bytes(bent)


def _cut(draws: Random, data: bytes, _frames: Sequence[bytes]) -> bytes:
    first, last = sorted((draws.randint(0, len(data)), draws.randint(0, len(data))))
    return data[:first] + data[last:]


def _noise(draws: Random, data: bytes, _frames: Sequence[bytes]) -> bytes:
    place = draws.randint(0, len(data))
    return data[:place] + draws.randbytes(draws.randint(1, 40)) + data[place:]


def _same(draws: Random, data: bytes, _frames: Sequence[bytes]) -> bytes:
    place = draws.randint(0, len(data))
    return data[:place] + bytes((draws.randrange(256),)) * draws.randint(1, 600) + data[place:]


def _another(draws: Random, data: bytes, frames: Sequence[bytes]) -> bytes:
    return data + draws.choice(frames) if frames else data


def _inside(draws: Random, data: bytes, frames: Sequence[bytes]) -> bytes:
    place = draws.randint(0, len(data))
    return data[:place] + draws.choice(frames) + data[place:] if frames else data


def _head(draws: Random, data: bytes, frames: Sequence[bytes]) -> bytes:
    """The beginning of a frame at the end: what comes next must not be swallowed for long."""
    frame = draws.choice(frames) if frames else b""
    return data + frame[: draws.randint(0, len(frame))]


WAYS: tuple[Callable[[Random, bytes, Sequence[bytes]], bytes], ...] = (
    _flip,
    _flip,
    _cut,
    _noise,
    _same,
    _another,
    _inside,
    _head,
)
