"""What to send so that a display shows something else: the changed cells, at the least cost in bytes.

A cursor move costs four bytes, so a few unchanged cells between two changes are cheaper sent again than
jumped over. Behind the last cell of a line displays differ in where the cursor goes, so it counts as lost.
"""

from collections.abc import Iterator

from sabot.drivers.escpos.codec import HEIGHT, WIDTH, DisplayText, Message, Move, Plain

MOVE_COST = 4
BLANK = (b" " * WIDTH,) * HEIGHT
Lines = tuple[bytes, ...]
Cell = tuple[int, int]
HOME: Cell = (0, 0)


def runs(before: bytes, after: bytes) -> Iterator[tuple[int, int]]:
    """The stretches of a line to send, from and to, those that lie close to each other as one."""
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
    """The messages that turn one picture into another, and where they leave the cursor."""
    messages: list[Message] = []
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        for start, end in runs(old, new):
            begin = _reached(cursor, (start, row))
            if begin is None:
                begin = start
                messages.append(Plain("home") if (start, row) == HOME else Move(start + 1, row + 1))
            messages.append(DisplayText(new[begin:end]))
            cursor = (end, row) if end < WIDTH else None
    return messages, cursor


def _reached(cursor: Cell | None, to: Cell) -> int | None:
    """The column from which writing on is as cheap as a move, None where a move is cheaper."""
    if cursor is None or cursor[1] != to[1]:
        return None
    cost = 1 if to == HOME else MOVE_COST
    return cursor[0] if 0 <= to[0] - cursor[0] < cost else None
