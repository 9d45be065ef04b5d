"""The random source: what it drew, in order, each under a seal until it is ordered open."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

MAGIC, LUCKY = 1, 2
PACK, SALT = 52, 16


def seal(draw: int, round_: int, kind: int, value: int, salt: bytes) -> bytes:
    """Return the page's seal, byte by byte."""
    numbers = draw.to_bytes(4, "big") + round_.to_bytes(4, "big") + bytes([kind, value])
    return hashlib.sha256(b"sabot-accounts/1 draw" + numbers + salt).digest()


@dataclass
class Draw:
    """One draw; nobody is told its value before it is due."""

    number: int
    round: int
    kind: int
    value: int = field(repr=False)
    salt: bytes = field(repr=False)
    is_open: bool = False

    @property
    def seal(self) -> bytes:
        """Return the seal that holds the system to a draw."""
        return seal(self.number, self.round, self.kind, self.value, self.salt)


class Source:
    """Draws over the whole life of a system; ``wanted`` is what each round has."""

    def __init__(self, random: Callable[[int], bytes], positions: int) -> None:
        self._random, self.positions = random, positions
        self.draws: list[Draw] = []
        self.wanted: list[tuple[int, int | None]] = []
        self.skips = self.before = 0

    @property
    def last(self) -> int:
        """Return the number of the last draw."""
        return self.draws[-1].number if self.draws else self.before

    def draw_for(self, round_: int) -> list[Draw]:
        """Draw what this round has, and return it."""
        return [self._draw(round_, kind, value) for kind, value in self.wanted]

    def _draw(self, round_: int, kind: int, value: int | None) -> Draw:
        number, self.skips = self.last + 1 + self.skips, 0
        below = PACK if kind == MAGIC else self.positions + 1
        drawn = self._below(below) if value is None else value
        self.draws.append(Draw(number, round_, kind, drawn, self._random(SALT)))
        return self.draws[-1]

    def _below(self, most: int) -> int:
        """Return one of that many numbers, each as likely."""
        # Bytes that would favor some numbers are thrown away.
        while (byte := self._random(1)[0]) >= 256 // most * most:
            pass
        return byte % most

    def of(self, round_: int) -> list[Draw]:
        """Return the draws of a round."""
        return [draw for draw in self.draws if draw.round == round_]
