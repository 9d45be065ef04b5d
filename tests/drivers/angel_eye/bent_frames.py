"""How often a damaged report of a card passes the check of eight bits, and what catches it then.

``python tests/drivers/angel_eye/bent_frames.py`` prints the table of ``docs/angel-eye.md``. A report stands
between two good ones, so that a gap in the sequence can be seen; it is damaged, given to the codec, and what
comes out is judged. Two to four flips are tried in every place there is; the rest is drawn from one seed.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb

from sabot.drivers.angel_eye.codec import AngelEyeCodec
from sabot.drivers.angel_eye.messages import CARD_KINDS, Report

BEFORE, CARD, AFTER = Report(6, "C"), Report(7, "D", bytes((0x11, 0x31))), Report(8, "C")
BITS = 64
OUTCOMES = ("right", "gap", "no card", "other report", "wrong card")
# A wrong card that is among the other cards of a round of 40 comes twice: 39 of 51.
ROUND, PACK = 40, 52
Flips = tuple[int, ...]


def frames() -> tuple[bytes, bytes, bytes]:
    codec = AngelEyeCodec()
    return codec.encode(BEFORE), codec.encode(CARD), codec.encode(AFTER)


def bent(frame: bytes, flips: Iterable[int]) -> bytes:
    data = bytearray(frame)
    for bit in flips:
        data[bit >> 3] ^= 1 << (bit & 7)
    return bytes(data)


def outcome(damaged: bytes, copies: int = 1) -> str:
    """What the table hears of a damaged report (the first of its copies)."""
    before, whole, after = frames()
    codec = AngelEyeCodec({"copies": max(copies, 1)})
    codec.receive(before)
    got = [*codec.receive(damaged), *codec.fall_silent(), *codec.receive(whole * (copies - 1) + after)]
    reports = [each for each in got if isinstance(each, Report)]
    middle = [each for each in reports if (each.kind, each.sequence) != (AFTER.kind, AFTER.sequence)]
    if any(each.missing for each in reports) or any(each.kind in "SEe" for each in reports):
        return "gap"
    if [each.data for each in middle if each.kind in CARD_KINDS] == [CARD.data]:
        return "right"
    told = [each.card for each in middle if each.kind in CARD_KINDS]
    if not told:
        return "other report"
    if None in told:
        return "no card"
    return "right" if told == [CARD.card] else "wrong card"


def judged(every: Iterable[Flips], copies: int) -> Counter[str]:
    whole = frames()[1]
    return Counter(outcome(bent(whole, flips), copies) for flips in every)


def all_flips(count: int) -> Iterator[Flips]:
    return combinations(range(BITS), count)


def drawn_flips(count: int, how_many: int, seed: int) -> Iterator[Flips]:
    draws = random.Random(f"{seed}/{count}")
    for _ in range(how_many):
        yield tuple(draws.sample(range(BITS), count))


def drawn_bytes(how_many: int, seed: int) -> Iterator[Flips]:
    """One to eight bytes in a row replaced by anything."""
    draws = random.Random(f"{seed}/bytes")
    for _ in range(how_many):
        size = draws.randint(1, 8)
        start = draws.randint(0, 8 - size)
        yield tuple(start * 8 + bit for bit in range(size * 8) if draws.random() < 0.5)


def _row(name: str, found: Counter[str]) -> str:
    total = found.total()
    cells = [f"{found[each]:,}" for each in OUTCOMES]
    rate = found["wrong card"] / total
    left = rate * (1 - (ROUND - 1) / (PACK - 1))
    return f"| {name} | {total:,} | {' | '.join(cells)} | {rate:.3%} | {left:.3%} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="The undetected errors of the reading shoe's dialect.")
    parser.add_argument("--draws", type=int, default=200_000, help="how many of those that are drawn")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(
        "| damage | frames | " + " | ".join(OUTCOMES) + " | wrong card | of these not met twice in a round |"
    )
    print("|---|" + "---|" * (len(OUTCOMES) + 3))
    for copies in (1, 3):
        words = "" if copies == 1 else ", two good copies follow"
        for count in (1, 2, 3):
            print(
                _row(f"{count} flip(s), all {comb(BITS, count):,}{words}", judged(all_flips(count), copies))
            )
        for count in (4, 8):
            flips = drawn_flips(count, args.draws, args.seed)
            print(_row(f"{count} flips, drawn{words}", judged(flips, copies)))
        print(_row(f"bytes in a row, drawn{words}", judged(drawn_bytes(args.draws, args.seed), copies)))


if __name__ == "__main__":
    main()
