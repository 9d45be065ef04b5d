"""The frame of a sign: house, game and the phrases of the law above, limit and sources below.

Sizes are in letter points, times how much wider the paper is; ``tight`` draws the head in together when the
blocks need the room.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sabot.desk.drawing import colors
from sabot.desk.drawing.text_width import (
    ASCENT,
    DESCENT,
    SANS,
    SANS_BOLD,
    SERIF,
    SERIF_BOLD,
    SERIF_ITALIC,
    fit,
    text_width,
    wrap,
    wrap_even,
)
from sabot.desk.sign.content import Content
from sabot.desk.sign.elements import SUIT_SIGNS, Box, RuleLine, SignShape, SignSheet, SignText

LETTER_WIDTH = 612.0
MARGIN = 48.0
_SEPARATOR = "   \u00b7   "


@dataclass(frozen=True, slots=True)
class SignFrame:
    """A sheet with its measure; heights go down the page from ``y``."""

    sheet: SignSheet
    tight: float = 1.0

    @property
    def unit(self) -> float:
        """Return a letter point on this paper."""
        return self.sheet.width / LETTER_WIDTH

    @property
    def left(self) -> float:
        """Return the left edge of text."""
        return MARGIN * self.unit

    @property
    def width(self) -> float:
        """Return the width that text may have."""
        return self.sheet.width - 2 * self.left

    def center(self, y: float, text: str, font: str, size: float, color: str, tracking: float = 0.0) -> None:
        """Draw a line of text in the middle, smaller if it is too wide."""
        size = fit(text, font, size, self.width - tracking * len(text))
        width = text_width(text, font, size) + tracking * (len(text) - 1)
        x = (self.sheet.width - width) / 2
        self.sheet.add(SignText(x, y, text, font, size, color, tracking, align=0.5))


def header(frame: SignFrame, content: Content) -> float:
    """Draw frame, house, game and phrases; return where the blocks may begin."""
    unit, tight = frame.unit, frame.tight
    _borders(frame)
    game = (18 + 32 * tight) * unit
    y = (44 + 14 * tight) * unit
    frame.center(y, content.house.upper(), SERIF, (10 + 3 * tight) * unit, colors.BRASS, 3.2 * unit)
    y += (4 + 8 * tight) * unit + ASCENT * game
    frame.center(y, content.game, SERIF_BOLD, game, colors.GREEN)
    y += (6 + 8 * tight) * unit + DESCENT * game
    _ornament(frame, y)
    y += (9 + 8 * tight) * unit
    return _phrases(frame, content.phrases, y)


def _borders(frame: SignFrame) -> None:
    sheet, unit = frame.sheet, frame.unit
    for inset, line, radius, color in ((20, 2.2, 10, colors.GREEN), (26, 0.8, 6, colors.BRASS)):
        edge = inset * unit
        size = (sheet.width - 2 * edge, sheet.height - 2 * edge)
        sheet.add(Box(edge, edge, *size, stroke=color, line=line * unit, radius=radius * unit))


def _ornament(frame: SignFrame, y: float) -> None:
    """Draw four suit signs between two rules."""
    sheet, unit = frame.sheet, frame.unit
    size, pitch, middle = 9 * unit, 17 * unit, sheet.width / 2
    start = middle - 1.5 * pitch - size / 2
    for place, path in enumerate(SUIT_SIGNS):
        color = colors.RED if place % 2 else colors.INK
        sheet.add(SignShape(start + place * pitch, y - size / 2, size, path, color))
    inner, outer = 2.2 * pitch, 9 * pitch
    sheet.add(RuleLine(middle - outer, y, middle - inner, y, 0.9 * unit, colors.BRASS))
    sheet.add(RuleLine(middle + inner, y, middle + outer, y, 0.9 * unit, colors.BRASS))


def _phrases(frame: SignFrame, phrases: Sequence[str], y: float) -> float:
    """Draw the phrases that the law wants word for word, in a box of their own (x.2(b))."""
    if not phrases:
        return y
    unit = frame.unit
    size, line = 14.5 * unit, 20 * unit
    lines = [
        part for phrase in phrases for part in wrap_even(phrase, SERIF_BOLD, size, frame.width - 20 * unit)
    ]
    height = line * len(lines) + 11 * unit
    frame.sheet.add(_plate(frame, y, height))
    for place, text in enumerate(lines, 1):
        frame.center(y + place * line, text, SERIF_BOLD, size, colors.INK)
    return y + height + 10 * unit


def _plate(frame: SignFrame, y: float, height: float) -> Box:
    unit = frame.unit
    place = (frame.left, y, frame.width, height)
    return Box(*place, colors.TINT, colors.BRASS, 0.8 * unit, 4 * unit)


def footer(frame: SignFrame, content: Content) -> float:
    """Draw limit and sources; return where the blocks must end."""
    # From the bottom up: what the law wants to be found stands at a fixed place,
    # the blocks take what is left.
    y = _small_print(frame, content.small_print)
    return _limit(frame, content.limit, y)


def _small_print(frame: SignFrame, items: Sequence[str]) -> float:
    """Draw the sources, broken between them where that is possible; return their upper edge."""
    unit = frame.unit
    size, line = 6.6 * unit, 8.6 * unit
    lines: list[str] = []
    for item in items:
        longer = f"{lines[-1]}{_SEPARATOR}{item}" if lines else item
        if lines and text_width(longer, SANS, size) <= frame.width:
            lines[-1] = longer
        else:
            lines += wrap(item, SANS, size, frame.width)
    y = frame.sheet.height - 36 * unit - line * (len(lines) - 1)
    for place, text in enumerate(lines):
        frame.center(y + place * line, text, SANS, size, colors.GREY)
    y -= 14 * unit
    frame.sheet.add(RuleLine(frame.left, y, frame.left + frame.width, y, 0.6 * unit, colors.BRASS))
    return y - 8 * unit


def _limit(frame: SignFrame, lines: Sequence[str], y: float) -> float:
    if not lines:
        return y
    unit = frame.unit
    first, *rest = lines
    size = 10.5 * unit
    rest = [part for text in rest for part in wrap(text, SERIF_ITALIC, size, frame.width - 20 * unit)]
    height = (25 + 13 * len(rest)) * unit
    top = y - height
    frame.sheet.add(_plate(frame, top, height))
    frame.center(top + 17 * unit, first, SANS_BOLD, 13 * unit, colors.INK)
    for place, text in enumerate(rest, 1):
        frame.center(top + (17 + 13.5 * place) * unit, text, SERIF_ITALIC, size, colors.INK)
    return top - 10 * unit
