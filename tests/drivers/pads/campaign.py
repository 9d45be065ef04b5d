"""Corrupted reports by the million: how many of them were taken for something else than was sent.

`python -m tests.drivers.pads.campaign 1000000` from the top folder prints the count. Each corrupted report, bit flips,
bytes lost, doubled and swapped, a tail of another frame, is followed by a good one, which must be read.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable

from sabot.drivers.pads import messages as m
from sabot.drivers.pads.codec import LONGEST, PadCodec

Corruption = Callable[[bytearray, random.Random], bytes]


def report(*, sequence: int, cents: int = 2500) -> m.PadFrame:
    """A report of seven seats with three spots, some covered."""
    lies = m.PadSpot(m.Cover.COVERED, 1, 90, 30, cents)
    empty = m.PadSpot(m.Cover.EMPTY, 0, 90, None, 0)
    spots = tuple(lies if number % 3 == 0 else empty for number in range(21))
    return m.PadFrame(m.PadState(0, 0, 0, m.DARK, 0, m.Flag(0), spots), 9, sequence, 1, 5000)


def _flip(data: bytearray, rng: random.Random) -> bytes:
    for bit in rng.sample(range(8 * len(data)), rng.randint(1, 6)):
        data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def _burst(data: bytearray, rng: random.Random) -> bytes:
    start, count = rng.randrange(len(data)), rng.randint(1, 40)
    noise = rng.randbytes(len(data[start : start + count]))
    data[start : start + count] = (
        noise if noise != data[start : start + count] else bytes(each ^ 1 for each in noise)
    )
    return bytes(data)


def _lose(data: bytearray, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    del data[start : start + rng.randint(1, 70)]
    return bytes(data)


def _double(data: bytearray, rng: random.Random) -> bytes:
    start = rng.randrange(1, len(data))
    return bytes(data[:start] + data[start - 1 :])


def _tail_of_another(data: bytearray, rng: random.Random) -> bytes:
    other = PadCodec().encode(report(sequence=rng.randint(2, 999), cents=rng.randint(1, 9_999)))
    start = rng.randrange(17, len(data) - 4)  # behind the sequence, in which the two differ
    return bytes(data[:start]) + other[start:]


CORRUPTIONS: tuple[Corruption, ...] = (_flip, _burst, _lose, _double, _tail_of_another)


def corrupt(data: bytes, rng: random.Random) -> bytes:
    """A report as a bad line leaves it."""
    while (spoilt := rng.choice(CORRUPTIONS)(bytearray(data), rng)) == data:
        pass
    return spoilt


def run_campaign(count: int, seed: int) -> Counter[str]:
    """How many were corrupted, taken for something else (`wrong`), and how many good ones were lost."""
    rng, codec, counts = random.Random(seed), PadCodec(), Counter[str]()
    data = PadCodec().encode(report(sequence=1))
    good = PadCodec().encode(report(sequence=2))
    expected = {report(sequence=1).message}
    for _ in range(count):
        got = codec.receive(corrupt(data, rng) + good + bytes(LONGEST))
        counts["corrupted"] += 1
        counts["lost"] += not any(each.sequence == 2 for each in got)
        counts["wrong"] += sum(each.message not in expected for each in got)
    counts["crc errors"] = codec.statistics.crc_errors
    return counts


if __name__ == "__main__":
    began = time.perf_counter()
    counts = run_campaign(int(sys.argv[1]), seed=int.from_bytes(b"pads", "big"))
    took = time.perf_counter() - began
    print(", ".join(f"{number} {word}" for word, number in counts.items()), f"in {took:.0f} s")
