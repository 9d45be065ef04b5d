"""The place of everything on the paper.

The blocks flow into one to three columns. One number decides the sizes of all of them, the size of a row: the
layout tries it from large to small and takes the first at which the blocks fit, so that a short sign is read
from across the table and a long one still fits on its sheet. What is left of the height goes between blocks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from sabot.desk.sign.block import Block, Group
from sabot.desk.sign.block_setter import BlockSetter
from sabot.desk.sign.content import Content
from sabot.desk.sign.elements import SignSheet
from sabot.desk.sign.frame import SignFrame, footer, header
from sabot.firmware.errors import CommandError

PAPERS = {"letter": (612.0, 792.0), "a4": (595.276, 841.89), "tabloid": (792.0, 1224.0)}
MOST_COLUMNS = 3
# Ways to divide groups into columns that are tried at each size: three columns of eight groups are 2187.
MOST_DIVISIONS = 3000
# Row sizes in letter points.
LARGEST, COMFORTABLE, SMALLEST, STEP = 18.0, 10.0, 5.0, 0.25
LOOSE, TIGHT = 1.0, 0.35
# In row sizes: the widest column that the eye still follows from hand to odds, the gutter, the gaps,
# and what each step out of the chapter's order must save.
WIDEST, GUTTER, GAP, WIDEST_GAP, DISORDER = 29.0, 2.0, 1.0, 2.8, 0.5

Columns = tuple[tuple[Block, ...], ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """Blocks in columns at one row size."""

    setter: BlockSetter
    columns: Columns
    highest: float


def lay_out(content: Content, paper: str) -> SignSheet:
    """Return the sheet for a sign; its head is drawn in together when the rows would become small."""
    for tight in (LOOSE, TIGHT):
        sheet = SignSheet(*PAPERS[paper], f"{content.game}: payouts", content.house)
        frame = SignFrame(sheet, tight)
        top, bottom = header(frame, content), footer(frame, content)
        flow = best_flow(content.groups, frame, bottom - top)
        if flow and flow.setter.size >= COMFORTABLE * frame.unit:
            break
    if flow is None:
        raise CommandError("E-CLI-006", content.game, paper=paper)
    _place(frame, flow, top, bottom)
    return sheet


def best_flow(groups: Sequence[Group], frame: SignFrame, room: float) -> Flow | None:
    """Return the flow with the largest rows, of those the one with the fewest columns; None if none fits."""
    size = LARGEST * frame.unit
    while size >= SMALLEST * frame.unit:
        for flow in _flows(groups, frame, size):
            if flow.highest <= room:
                return flow
        size -= STEP * frame.unit
    return None


def _flows(groups: Sequence[Group], frame: SignFrame, size: float) -> Iterator[Flow]:
    """Yield the best way to flow groups of this row size into each number of columns that suits them."""
    for number in range(1, min(MOST_COLUMNS, len(groups)) + 1):
        width = min((frame.width - (number - 1) * GUTTER * size) / number, WIDEST * size)
        setter = BlockSetter(size, width)
        if all(setter.suits(block) for group in groups for block in group):
            yield _best_division(groups, setter, number)


def _best_division(groups: Sequence[Group], setter: BlockSetter, number: int) -> Flow:
    """Return the lowest way to put groups into columns; each step out of order must be worth it."""
    gap = GAP * setter.size
    heights = [sum(setter.height(block) + gap for block in group) for group in groups]

    def highest(places: Sequence[int]) -> float:
        columns = [0.0] * number
        for place, height in zip(places, heights, strict=True):
            columns[place] += height
        return max(columns) - gap

    def cost(places: Sequence[int]) -> float:
        swapped = sum(earlier > later for earlier, later in combinations(places, 2))
        return highest(places) + swapped * DISORDER * setter.size

    best = min(_divisions(len(groups), number), key=cost)
    columns = (
        tuple(block for group, place in zip(groups, best, strict=True) if place == column for block in group)
        for column in range(number)
    )
    return Flow(setter, tuple(columns), highest(best))


def _divisions(groups: int, columns: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to put groups into columns: the first group stands first, no column is empty.

    Of very many groups only the ways that keep their order: there are few of those.
    """
    if columns ** (groups - 1) > MOST_DIVISIONS:
        for cuts in combinations(range(1, groups), columns - 1):
            yield tuple(sum(place >= cut for cut in cuts) for place in range(groups))
        return
    for rest in product(range(columns), repeat=groups - 1):
        places = (0, *rest)
        if len(set(places)) == columns:
            yield places


def _place(frame: SignFrame, flow: Flow, top: float, bottom: float) -> None:
    """Draw the columns side by side, spread so that they end about together."""
    setter, size = flow.setter, flow.setter.size
    pitch = setter.width + GUTTER * size
    x = (frame.sheet.width - pitch * len(flow.columns) + GUTTER * size) / 2
    gaps = max(len(column) - 1 for column in flow.columns)
    height = min(bottom - top, flow.highest + gaps * (WIDEST_GAP - GAP) * size)
    top += (bottom - top - height) / 2
    for column in flow.columns:
        gap = _spread(setter, column, height)
        y = top
        for block in column:
            setter.draw(frame.sheet, block, x, y)
            y += setter.height(block) + gap
        x += pitch


def _spread(setter: BlockSetter, column: Sequence[Block], height: float) -> float:
    """Return the distance between the blocks of a column that is to become this high."""
    if len(column) == 1:
        return 0.0
    even = (height - sum(map(setter.height, column))) / (len(column) - 1)
    return min(even, WIDEST_GAP * setter.size)
