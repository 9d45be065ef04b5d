"""A shoe's words, cut into reports and answers, and everything named that is against the page.

The end of a report follows from its letter, never from the first ETX. Which letter has how many bytes is an
option, for the page marks some of them as assumed.
"""

from typing import NamedTuple

ENQ, ETX, ACK, NAK = 0x05, 0x03, 0x06, 0x15
LENGTHS = "S0 P0 D2 d2 R2 G1 C0 E1 e1 L1 M2"
SUITS, RANKS = {1: "d", 2: "c", 3: "s", 4: "h"}, " A23456789TJQK"
SHOWN = 12


class ShoeReport(NamedTuple):
    """A good report."""

    at: float
    sequence: int
    letter: str
    data: bytes


class ShoeAnswer(NamedTuple):
    """An answer of the shoe; ``code`` is None for an acknowledgement."""

    at: float
    code: int | None


def folded(data: bytes) -> bytes:
    """Return all bytes in one by exclusive or, as two digits of upper case."""
    total = 0
    for byte in data:
        total ^= byte
    return b"%02X" % total


def card_of(byte: int) -> str:
    """Return the card of its byte; empty for one that no deck has."""
    suit, rank = SUITS.get(byte >> 4, ""), byte & 0x0F
    return RANKS[rank] + suit if suit and 1 <= rank < len(RANKS) else ""


class ShoeFrameReader:
    """Bytes of the shoe; ``defects`` is what was wrong with them."""

    def __init__(self, lengths: str = LENGTHS, refusal_bytes: int = 1) -> None:
        self._refusal = 1 + refusal_bytes
        self._sizes = {word[0]: int(word[1:]) for word in lengths.split()}
        self._held = b""
        self.defects: list[str] = []

    def clear(self) -> None:
        """Forget half a frame: the shoe was without power."""
        self._held = b""

    def hear(self, data: bytes, at: float) -> list[ShoeReport | ShoeAnswer]:
        """Return the reports and answers that are complete now."""
        self._held += data
        found: list[ShoeReport | ShoeAnswer] = []
        while self._held:
            taken = self._next(at)
            if taken is None:
                break
            found += taken
        return found

    def _next(self, at: float) -> list[ShoeReport | ShoeAnswer] | None:
        """Return the first messages of the buffer; None if more bytes are needed."""
        first = self._held[0]
        if first == ACK:
            return self._cut(1, [ShoeAnswer(at, None)])
        if first == NAK:
            return None if len(self._held) < self._refusal else self._refused(at)
        if first != ENQ:
            return self._defect("a byte that begins nothing")
        return self._report(at)

    def _refused(self, at: float) -> list[ShoeReport | ShoeAnswer]:
        """Return a refusal, by one byte or by two digits."""
        code = self._held[1 : self._refusal]
        if len(code) == 1:
            return self._cut(self._refusal, [ShoeAnswer(at, code[0])])
        if not set(code) <= set(b"0123456789ABCDEF"):
            return self._defect("a refusal that is no two digits")
        return self._cut(self._refusal, [ShoeAnswer(at, int(code, 16))])

    def _report(self, at: float) -> list[ShoeReport | ShoeAnswer] | None:
        if len(self._held) < 3:  # noqa: PLR2004 - ENQ, number, letter
            return None
        letter = chr(self._held[2])
        if letter not in self._sizes:
            return self._defect(f"a report {letter!r}, which the page does not know")
        end = 3 + self._sizes[letter]
        if len(self._held) < end + 3:
            return None
        if self._held[end] != ETX:
            return self._defect(f"no ETX where report {letter} ends")
        if self._held[end + 1 : end + 3] != folded(self._held[1 : end + 1]):
            return self._defect(f"wrong check of report {letter}")
        return self._cut(end + 3, [ShoeReport(at, self._held[1], letter, self._held[3:end])])

    def _cut(self, size: int, found: list[ShoeReport | ShoeAnswer]) -> list[ShoeReport | ShoeAnswer]:
        self._held = self._held[size:]
        return found

    def _defect(self, words: str) -> list[ShoeReport | ShoeAnswer]:
        """Note what was wrong, and go on at the next byte that may begin a report."""
        self.defects.append(f"{words}: {self._held[:SHOWN].hex()}")
        start = self._held.find(ENQ, 1)
        return self._cut(start if start > 0 else len(self._held), [])
