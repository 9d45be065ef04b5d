"""Damaged frames by the million, and whether a wrong card ever comes out.

Frames that name cards are damaged as lines damage them (flips, bursts, lost, doubled and changed bytes, halves of two
frames joined) and given to the driver's codec, without MAC: what is counted here is what the CRC and the
strict header alone let through. A file keeps the count, so that a long run can be stopped and taken up again:
`python tests/drivers/sabot_link/link_campaign.py --frames 10000000 --state campaign.json`.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from sabot.drivers.sabot_link.codec import Frame, SabotLinkCodec, seal
from sabot.drivers.sabot_link.messages import CardRead, StackOut

BLOCK = 100_000
POOL = 512
Damage = Callable[[random.Random, bytes, bytes], bytes]


def flip(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    """One to six bits."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def burst(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    """A run of bytes that are anything."""
    size = chance.randint(1, 12)
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(size) + data[at + size :]


def lose(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    """One to four bytes that did not come."""
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.randint(1, 4) :]


def double(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    """A byte that came twice."""
    at = chance.randrange(len(data))
    return data[: at + 1] + data[at:]


def join(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """The head of one frame and the tail of another: the line was cut between."""
    at = chance.randrange(1, len(data))
    return data[:at] + other[min(at, len(other) - 2) :]


def swap(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    """Two neighbors the wrong way around."""
    at = chance.randrange(len(data) - 1)
    return data[:at] + data[at + 1 : at + 2] + data[at : at + 1] + data[at + 2 :]


DAMAGES: tuple[Damage, ...] = (flip, flip, burst, lose, double, join, swap)


@dataclass
class Count:
    """How far the campaign is.

    ``unhurt`` frames came out as sent, for the damage lay beside them; ``other`` ones are whole frames that
    were sent too (the cut lay at the edge); ``wrong`` is what nobody sent.
    """

    done: int = 0
    refused: int = 0
    unhurt: int = 0
    other: int = 0
    wrong: int = 0
    seconds: float = 0.0


def frames(chance: random.Random) -> list[tuple[bytes, bytes]]:
    """Frames that name cards, with their signed bytes."""
    found = []
    for number in range(1, POOL + 1):
        here = (number, chance.randrange(2**32))
        card = CardRead(*here, chance.randint(1, 52), chance.randint(2, 14), chance.randrange(4), 1, 1, 99)
        stack = StackOut(*here, number, 65, 7, bytes(chance.sample(range(52), 7)))
        frame = Frame(card if number % 2 else stack, chance.randrange(1, 2**32), number, chance.randrange(99))
        wire = seal(frame, None)
        found.append((wire, SabotLinkCodec().receive(wire)[0].signed))
    return found


def block(count: Count, size: int) -> None:
    """So many damaged frames more; the same count always continues the same way."""
    chance = random.Random(count.done + 1)
    pool = frames(chance)
    sent = {signed for _, signed in pool}
    codec = SabotLinkCodec()
    begun = time.perf_counter()
    for _ in range(size):
        wire, signed = pool[chance.randrange(POOL)]
        damaged = chance.choice(DAMAGES)(chance, wire, pool[chance.randrange(POOL)][0])
        while damaged == wire:
            damaged = flip(chance, wire, b"")
        got = [frame.signed for frame in codec.receive(damaged + b"\0")]
        if not got:
            count.refused += 1
        elif all(each == signed for each in got):
            count.unhurt += 1
        elif set(got) <= sent:
            count.other += 1
        else:
            count.wrong += 1
    count.done += size
    count.seconds += time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=10_000_000)
    parser.add_argument("--state", type=Path)
    given = parser.parse_args()
    count = Count()
    if given.state:
        given.state.parent.mkdir(parents=True, exist_ok=True)
    if given.state and given.state.exists():
        count = Count(**json.loads(given.state.read_text()))
    while count.done < given.frames:
        block(count, min(BLOCK, given.frames - count.done))
        if given.state:
            given.state.write_text(json.dumps(asdict(count)))
        print(f"{count.done:>10,} damaged  {count.refused:,} refused  {count.unhurt:,} unhurt  {count.other:,} other  {count.wrong} WRONG  "
              f"{count.seconds / count.done * 1e6:.1f} us each", flush=True)  # fmt: skip
    raise SystemExit(count.wrong > 0)


if __name__ == "__main__":
    main()
