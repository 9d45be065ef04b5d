"""Where everything stands on the paper.

The blocks flow into one to three columns. One number decides the sizes of all of them, the size of a row: the
layout tries it from large to small and takes the first at which the blocks fit, so that a short sign is read
from across the table and a long one still fits on its sheet. What is left of the height goes between the blocks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from sabot.firmware.errors import CommandError
from sabot.firmware.sign import palette
from sabot.firmware.sign.blocks import BlockSetter
from sabot.firmware.sign.content import Block, Content
from sabot.firmware.sign.elements import Sheet
from sabot.firmware.sign.frame import footer, header

PAPERS = {"letter": (612.0, 792.0), "a4": (595.276, 841.89), "tabloid": (792.0, 1224.0)}
MOST_COLUMNS = 3
LARGEST, SMALLEST, STEP = 19.0, 5.5, 0.25
# In row sizes: the widest column that the eye still follows from hand to odds, the narrowest, and the gutter.
WIDEST, NARROWEST, GUTTER = 33.0, 15.0, 2.0
GAP, WIDEST_GAP = 1.1, 3.2


@dataclass(frozen=True, slots=True)
class Flow:
    """Blocks in columns at one row size."""

    setter: BlockSetter
    columns: tuple[tuple[Block, ...], ...]
    heights: tuple[float, ...]

    @property
    def height(self) -> float:
        """The height of the longest column."""
        return max(self.heights)


def lay_out(content: Content, paper: str) -> Sheet:
    """The sheet of paper for a sign."""
    width, height = PAPERS[paper]
    sheet = Sheet(width, height, f"{content.game}: payouts", content.house)
    top = header(sheet, content)
    bottom = footer(sheet, content)
    _place(sheet, _best_flow(content, sheet, bottom - top), top, bottom)
    return sheet
