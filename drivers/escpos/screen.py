"""The bytes that change what a display shows: the changed cells, at the least cost.

A cursor move costs four bytes, so a few unchanged cells between two changes are cheaper sent again than
jumped over. Behind the last cell of a line displays differ in where the cursor goes, so it counts as lost.

Only characters that a real display has are sent: plain ASCII, and what a technician has seen on this one. In
code page 437 the section sign and the suits are control codes, so they are spelt in letters; a high code is
sent only where the table file names its character, after the test pattern showed it. A line that does not fit
runs through, so that it can be read to its end and begins again.
"""

from collections.abc import Iterator

from sabot.drivers.escpos.codec import HEIGHT, WIDTH, DisplayText, Message, Move, Plain
from sabot.rules.frozen import mutable

GAP = b"   "
REST_STEPS = 3


@mutable
class Marquee:
    """One line; it rests a while at its beginning."""

    line: bytes = b""
    step: int = 0

    @property
    def fits(self) -> bool:
        """Return whether there is nothing to run."""
        return len(self.line) <= WIDTH

    def advance(self) -> None:
        """Move one step on, or begin again."""
        self.step = (self.step + 1) % (len(self.line) + len(GAP) + REST_STEPS)

    def shown(self) -> bytes:
        """Return the twenty cells as they stand now."""
        if self.fits:
            return self.line.ljust(WIDTH)
        # The first steps are the rest at the beginning; then the line and a gap go round.
        start = max(0, self.step - REST_STEPS)
        ring = self.line + GAP
        return (ring[start:] + ring)[:WIDTH]


SPELT = str.maketrans(
    {
        "§": "s.",
        "♠": "s",
        "♥": "h",
        "♦": "d",
        "♣": "c",
        "\u00d7": "x",
        "\u2013": "-",
        "\u2014": "-",
        "\u2019": "'",
        "\u2026": "...",
        "\u00a0": " ",
    }
)
UNKNOWN = b"?"
_FIRST, _LAST, _HIGH = 0x20, 0x7E, 0x80


def code_of(character: str, tested: str) -> bytes:
    """Return the byte that shows a character, or a question mark."""
    code = character.encode("cp437", "replace")
    if _FIRST <= code[0] <= _LAST or (code[0] >= _HIGH and character in tested):
        return code
    return UNKNOWN


def codes_of(text: str, tested: str = "") -> bytes:
    """Return a line of text as bytes for the display."""
    return b"".join(code_of(character, tested) for character in text.translate(SPELT))


# The bytes of a move. Home, the first cell of the first line, has a command of one byte.
MOVE_COST = 4
BLANK = (b" " * WIDTH,) * HEIGHT
Lines = tuple[bytes, ...]
Cell = tuple[int, int]
HOME: Cell = (0, 0)


def runs(before: bytes, after: bytes) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a line to send, from and to; those that lie close together are one."""
    # So far back that the first change begins a stretch of its own.
    start = end = -MOVE_COST
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if at - end >= MOVE_COST:
            if end > 0:
                yield start, end
            start = at
        end = at + 1
    if end > 0:
        yield start, end


def changes(before: Lines, after: Lines, cursor: Cell | None) -> tuple[list[Message], Cell | None]:
    """Return the messages that turn one picture into another, and where they leave the cursor."""
    messages: list[Message] = []
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        for start, end in runs(old, new):
            begin = _reached(cursor, (start, row))
            if begin is None:
                begin = start
                messages.append(Plain("home") if (start, row) == HOME else Move(start + 1, row + 1))
            messages.append(DisplayText(new[begin:end]))
            # Behind the last cell some displays go to the next line and some stay.
            cursor = (end, row) if end < WIDTH else None
    return messages, cursor


def _reached(cursor: Cell | None, to: Cell) -> int | None:
    """Return the column from which writing on costs less than a move, None where a move costs no more."""
    if cursor is None or cursor[1] != to[1]:
        return None
    cost = 1 if to == HOME else MOVE_COST
    return cursor[0] if 0 <= to[0] - cursor[0] < cost else None
