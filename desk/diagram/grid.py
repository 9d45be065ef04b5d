"""The places of the boxes: columns of boxes, grouped in frames, each as high as its ways need.

A way between two neighbours of a column is a straight arrow in the gap between them. Every other way leaves
a box at its side: it has a slot there, high enough for its words above the line and its paragraph below.
Slots never overlap, so neither do the words.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import inf

from sabot.desk.drawing.text_width import SANS, text_width, wrap

# In units of SVG: sizes of letters, distances of lines, the widest label, boxes, and the room around them.
WORDS, CITE = 10.0, 8.5
LEAD_WORDS, LEAD_CITE = 11.5, 10.0
WIDEST = 104.0
BOX_WIDTH, BOX_HEIGHT = 148.0, 34.0
ENTRY = 16.0
SLACK = 7.0
PAD, TITLE, BETWEEN = 12.0, 20.0, 16.0
Key = Hashable


@dataclass(frozen=True, slots=True)
class Edge:
    """A way to be drawn; its color is that of the part it comes from."""

    source: Key
    dest: Key
    words: str
    cite: str
    color: str


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """Boxes that stand together in a frame."""

    title: str
    color: str
    keys: tuple[Key, ...]


@dataclass(slots=True)
class DiagramBox:
    """A box, its place, and the slots of its two sides: the ways that leave there, None where ways enter."""

    key: Key
    column: int
    row: int
    y: float = 0.0
    height: float = BOX_HEIGHT
    sides: dict[int, list[Edge | None]] = field(default_factory=lambda: {-1: [], 1: []})

    @property
    def bottom(self) -> float:
        """Return its lower edge."""
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class DiagramFrame:
    """The frame of a group, from its upper to its lower edge."""

    group: BoxGroup
    column: int
    y: float
    bottom: float


class Label:
    """The words of a way, wrapped, above its line, and the paragraph below it."""

    def __init__(self, edge: Edge) -> None:
        self.words = wrap(edge.words, SANS, WORDS, WIDEST)
        self.cites = wrap(edge.cite, SANS, CITE, WIDEST)
        self.above = LEAD_WORDS * len(self.words)
        self.below = LEAD_CITE * len(self.cites)
        widths = [text_width(line, SANS, WORDS) for line in self.words]
        self.width = max([*widths, *(text_width(line, SANS, CITE) for line in self.cites)])
        self.height = self.above + self.below


class Grid:
    """Columns of boxes with their ways sorted into straight ones and side ones."""

    def __init__(self, columns: Sequence[Sequence[BoxGroup]], edges: Sequence[Edge], top: float) -> None:
        self.columns = columns
        self.boxes: dict[Key, DiagramBox] = {}
        for number, column in enumerate(columns):
            keys = [key for group in column for key in group.keys]
            self.boxes |= {key: DiagramBox(key, number, row) for row, key in enumerate(keys)}
        self.straight = self._straight(edges)
        self.side = [edge for edge in edges if edge not in self.straight.values()]
        self.ends = {edge: self._sides(edge) for edge in self.side}
        self._fill_sides()
        self.frames: list[DiagramFrame] = []
        for number, column in enumerate(columns):
            self._stack(number, column, top)

    def _straight(self, edges: Sequence[Edge]) -> dict[tuple[Key, Key], Edge]:
        """Return a way for each pair of neighbours, upper and lower; one that leads down is preferred."""
        found: dict[tuple[Key, Key], Edge] = {}
        for way in (1, -1):
            for edge in edges:
                source, dest = self.boxes[edge.source], self.boxes[edge.dest]
                if source.column == dest.column and dest.row - source.row == way:
                    pair = (edge.source, edge.dest) if way == 1 else (edge.dest, edge.source)
                    found.setdefault(pair, edge)
        return found

    # ------------------------------------------------------------ sides and slots

    def _sides(self, edge: Edge) -> tuple[int, int]:
        """Return the sides (-1 left, 1 right) at which a way leaves its source and enters its target."""
        source, dest = self.boxes[edge.source].column, self.boxes[edge.dest].column
        if source == dest:
            # Within a column a way goes around outside: the first column has its free side on the left.
            outer = -1 if source == 0 else 1
            return outer, outer
        toward = 1 if dest > source else -1
        return toward, -toward

    def _fill_sides(self) -> None:
        for edge, (leaves, _) in self.ends.items():
            self.boxes[edge.source].sides[leaves].append(edge)
        for edge, (_, enters) in self.ends.items():
            slots = self.boxes[edge.dest].sides[enters]
            # All ways that enter at a side share one slot.
            if None not in slots:
                slots.append(None)
        for box in self.boxes.values():
            for side in (-1, 1):
                # In the order of the other ends, from the top: ways that leave
                # beside each other need not cross.
                box.sides[side].sort(key=lambda slot, box=box, side=side: self._far_end(box, side, slot))  # type: ignore[misc]
            highest = max(sum(map(slot_height, slots)) for slots in box.sides.values())
            box.height = max(BOX_HEIGHT, highest)

    def _far_end(self, box: DiagramBox, side: int, slot: Edge | None) -> float:
        """Return how far down the other end of a slot is; of an entry, where its sources are on average."""
        if slot is not None:
            return self._depth(slot.dest, box)
        sources = [e.source for e, ends in self.ends.items() if e.dest == box.key and ends[1] == side]
        return sum(self._depth(source, box) for source in sources) / len(sources)

    def _depth(self, key: Key, box: DiagramBox) -> float:
        other = self.boxes[key]
        rows = sum(each.column == other.column for each in self.boxes.values())
        # A way to a column farther off goes through a lane below everything.
        return inf if abs(other.column - box.column) > 1 else other.row / rows

    # ------------------------------------------------------------ stacking

    def _stack(self, number: int, column: Sequence[BoxGroup], top: float) -> None:
        y = top
        before: Key = None
        for group in column:
            y += self._gap(before, group.keys[0]) if before is not None else 0
            frame_top = y
            y += TITLE if group.title else PAD
            for place, key in enumerate(group.keys):
                y += self._gap(before, key) if place else 0
                box = self.boxes[key]
                box.y = y
                y = box.bottom
                before = key
            y += PAD
            self.frames.append(DiagramFrame(group, number, frame_top, y))

    def _gap(self, upper: Key, lower: Key) -> float:
        edge = self.straight.get((upper, lower))
        return BETWEEN if edge is None else max(BETWEEN, Label(edge).height + 8)

    @property
    def bottom(self) -> float:
        """Return the lower edge of the lowest frame."""
        return max(frame.bottom for frame in self.frames)


def slot_height(slot: Edge | None) -> float:
    """Return how much room a slot takes at the side of its box."""
    return ENTRY if slot is None else Label(slot).height + SLACK
