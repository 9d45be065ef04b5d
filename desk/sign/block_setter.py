"""One block set in type: a band with its title, notes in italics, rows with their odds at the right.

All measures are in row sizes, so that a block looks the same however large it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sabot.desk.drawing import colors
from sabot.desk.drawing.text_width import (
    SANS,
    SANS_BOLD,
    SERIF_BOLD,
    SERIF_ITALIC,
    fit,
    text_width,
    wrap_even,
)
from sabot.desk.sign.block import Block, Cells
from sabot.desk.sign.elements import Box, RuleLine, SignSheet, SignText

# In row sizes: paddings, sizes of letters, distances of lines. A hand may take two lines at most, must have
# two fifths of the width, and a title may be drawn a fifth smaller.
MOST_LINES, HAND_SHARE, TITLE_SHARE = 2, 0.4, 0.8
BAND, PAD = 2.05, 0.55
TITLE, BOUNDS, NOTE, HEAD = 1.3, 1.0, 1.02, 0.85
NOTE_LINE, HEAD_LINE, ROW_LINE, WRAPPED_LINE = 1.2, 1.25, 1.55, 1.15
HAIRLINE = 0.05
AFTER_BAND, AFTER_NOTES, COLUMN_GAP = 0.3, 0.2, 1.3


@dataclass(frozen=True, slots=True)
class BlockSetter:
    """Sets blocks in a column of one width with rows of one size."""

    size: float
    width: float

    # ------------------------------------------------------------ measuring

    def height(self, block: Block) -> float:
        """Return the height of a block."""
        parts = BAND + AFTER_BAND + AFTER_NOTES * bool(block.notes) + HEAD_LINE * bool(block.heads)
        parts += NOTE_LINE * len(self._notes(block))
        wrapped = sum(len(self._hand(text, block)) - 1 for text, _ in block.rows)
        return (parts + ROW_LINE * len(block.rows) + WRAPPED_LINE * wrapped) * self.size

    def suits(self, block: Block) -> bool:
        """Return whether the column has room for title and bounds, and for hands of two lines beside odds."""
        title = text_width(block.title, SERIF_BOLD, TITLE * self.size)
        return (
            self._title_width(block) >= title * TITLE_SHARE
            and self._hand_width(block) >= self.width * HAND_SHARE
            and all(len(self._hand(text, block)) <= MOST_LINES for text, _ in block.rows)
        )

    def _bounds_width(self, block: Block) -> float:
        return text_width(block.bounds, SANS, BOUNDS * self.size)

    def _title_width(self, block: Block) -> float:
        """Return the width that the bounds leave for the title."""
        bounds = self._bounds_width(block)
        return self.width - 2 * PAD * self.size - bounds - (self.size if bounds else 0.0)

    def _notes(self, block: Block) -> list[str]:
        width = self.width - 2 * PAD * self.size
        return [
            line for note in block.notes for line in wrap_even(note, SERIF_ITALIC, NOTE * self.size, width)
        ]

    def _cell_widths(self, block: Block) -> list[float]:
        columns = zip(*(cells for _, cells in block.rows), strict=True)
        widths = [max(text_width(cell, SANS_BOLD, self.size) for cell in cells) for cells in columns]
        heads = [text_width(head, SANS, HEAD * self.size) for head in block.heads] or [0.0] * len(widths)
        return [max(pair) for pair in zip(widths, heads, strict=True)]

    def _hand_width(self, block: Block) -> float:
        cells = sum(width + COLUMN_GAP * self.size for width in self._cell_widths(block))
        return self.width - 2 * PAD * self.size - cells

    def _hand(self, text: str, block: Block) -> list[str]:
        """Return a hand in lines, broken where its name has a comma if that will do."""
        hand, comma, rest = text.partition(", ")
        whole, *parts = (text_width(part, SANS, self.size) for part in (text, hand + comma, rest))
        if comma and max(parts) <= self._hand_width(block) < whole:
            return [f"{hand},", rest]
        return wrap_even(text, SANS, self.size, self._hand_width(block))

    # ------------------------------------------------------------ drawing

    def draw(self, sheet: SignSheet, block: Block, x: float, y: float) -> None:
        """Draw a block on the sheet, with its top left corner here."""
        self._band(sheet, block, x, y)
        y += (BAND + AFTER_BAND) * self.size
        for line in self._notes(block):
            y += NOTE_LINE * self.size
            left = x + PAD * self.size
            base = y - 0.3 * self.size
            sheet.add(SignText(left, base, line, SERIF_ITALIC, NOTE * self.size, colors.GREY))
        y += AFTER_NOTES * self.size * bool(block.notes)
        if block.heads:
            y += HEAD_LINE * self.size
            heads = (SANS, HEAD * self.size, colors.GREY)
            self._cells(sheet, block, block.heads, x, y - 0.35 * self.size, heads)
        for place, (text, cells) in enumerate(block.rows):
            y = self._row(sheet, block, text, cells, x, y)
            if place < len(block.rows) - 1:
                sheet.add(RuleLine(x, y, x + self.width, y, HAIRLINE * self.size, colors.HAIR))

    def _band(self, sheet: SignSheet, block: Block, x: float, y: float) -> None:
        size, base = self.size, y + 1.42 * self.size
        sheet.add(Box(x, y, self.width, BAND * size, colors.GREEN, radius=0.3 * size))
        if block.bounds:
            left = x + self.width - PAD * size - self._bounds_width(block)
            sheet.add(SignText(left, base, block.bounds, SANS, BOUNDS * size, colors.PALE, align=1))
        title = fit(block.title, SERIF_BOLD, TITLE * size, self._title_width(block))
        sheet.add(SignText(x + PAD * size, base, block.title, SERIF_BOLD, title, colors.WHITE))

    def _row(self, sheet: SignSheet, block: Block, text: str, cells: Cells, x: float, y: float) -> float:
        """Draw a hand, on as many lines as it needs, its odds beside the last; return where the row ends."""
        left = x + PAD * self.size
        lines = self._hand(text, block)
        base = y + 1.1 * self.size
        for place, line in enumerate(lines):
            at = base + place * WRAPPED_LINE * self.size
            sheet.add(SignText(left, at, line, SANS, self.size, colors.INK))
        last = base + (len(lines) - 1) * WRAPPED_LINE * self.size
        self._cells(sheet, block, cells, x, last, (SANS_BOLD, self.size, colors.INK))
        return y + (ROW_LINE + (len(lines) - 1) * WRAPPED_LINE) * self.size

    def _cells(
        self,
        sheet: SignSheet,
        block: Block,
        cells: Sequence[str],
        x: float,
        base: float,
        style: tuple[str, float, str],
    ) -> None:
        """Draw cells in their columns, each ending at the right of its column."""
        font, size, color = style
        right = x + self.width - PAD * self.size
        for cell, width in zip(reversed(cells), reversed(self._cell_widths(block)), strict=True):
            left = right - text_width(cell, font, size)
            sheet.add(SignText(left, base, cell, font, size, color, align=1))
            right -= width + COLUMN_GAP * self.size
