"""How the ways run: out of the box's side, along a track of the channel between two columns, and in.

Each channel has room for the words of both its neighbours and, between them, as many tracks as run side by
side. A way between columns that are no neighbours takes a lane below everything.
"""

from dataclasses import dataclass

from sabot.desk.diagram.grid import BOX_WIDTH, ENTRY, PAD, SLACK, Box, Edge, Grid, Label, slot_height
from sabot.desk.diagram.tracks import CLEAR, Run, assign

PITCH = 9.0
LANE = 11.0
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """A label beside its line: from x on where ``align`` is 0, up to x where it is 1."""

    label: Label
    x: float
    y: float
    align: int


class Routes:
    """All ways as lines, all labels at their places."""

    def __init__(self, grid: Grid, left: float) -> None:
        self.grid = grid
        self.ports = self._ports()
        self.far = [edge for edge in grid.side if self._distance(edge) > 1]
        self.runs = {edge: self._runs(edge) for edge in grid.side}
        for channel in range(len(grid.columns) + 1):
            assign([run for runs in self.runs.values() for run in runs if run.channel == channel])
        self._place_columns(left)

    def _distance(self, edge: Edge) -> int:
        return abs(self.grid.boxes[edge.source].column - self.grid.boxes[edge.dest].column)

    # ------------------------------------------------------------ ports

    def _ports(self) -> dict[tuple[object, int, Edge | None], float]:
        """The height of each slot's line, the slots of a side in the middle of it."""
        ports: dict[tuple[object, int, Edge | None], float] = {}
        for box in self.grid.boxes.values():
            for side, slots in box.sides.items():
                y = box.y + (box.height - sum(map(slot_height, slots))) / 2
                for slot in slots:
                    above = ENTRY / 2 if slot is None else SLACK / 2 + Label(slot).above
                    ports[box.key, side, slot] = y + above
                    y += slot_height(slot)
        return self._apart(ports)

    def _apart(
        self, ports: dict[tuple[object, int, Edge | None], float]
    ) -> dict[tuple[object, int, Edge | None], float]:
        """Entries moved a little where a line from across the channel would run into them."""
        for (key, side, slot), y in list(ports.items()):
            if slot is not None:
                continue
            channel = self._channel(self.grid.boxes[key], side)
            taken = [
                height
                for (other, other_side, each), height in ports.items()
                if other_side == -side and self._channel(self.grid.boxes[other], other_side) == channel
            ]
            moves = (0, 3, -3, 5, -5, 7, -7)
            free = (y + move for move in moves if all(abs(y + move - height) > CLEAR - 1 for height in taken))
            ports[key, side, slot] = next(free, y)
        return ports

    def _channel(self, box: Box, side: int) -> int:
        return box.column + (side == 1)

    # ------------------------------------------------------------ runs

    def _runs(self, edge: Edge) -> list[Run]:
        leaves, enters = self.grid.ends[edge]
        source, dest = self.grid.boxes[edge.source], self.grid.boxes[edge.dest]
        start = self.ports[edge.source, leaves, edge], -leaves
        end = self.ports[edge.dest, enters, None], -enters
        first, last = self._channel(source, leaves), self._channel(dest, enters)
        if edge not in self.far:
            return [Run(first, start, end)]
        lane = self._lane(edge)
        return [Run(first, start, (lane, leaves)), Run(last, (lane, enters), end)]

    def _lane(self, edge: Edge) -> float:
        return self.grid.bottom + LANE * (1.5 + self.far.index(edge))

    @property
    def bottom(self) -> float:
        """The lowest line."""
        return self.grid.bottom + LANE * (1.5 + len(self.far))

    # ------------------------------------------------------------ across

    def _place_columns(self, left: float) -> None:
        """The left edge of each column, and of each channel's tracks."""
        self.columns: list[float] = []
        self.tracks: list[float] = []
        x = left
        for channel in range(len(self.grid.columns) + 1):
            x += PAD + self._zone(channel - 1, 1)
            self.tracks.append(x)
            x += self._tracks_width(channel) + self._zone(channel, -1) + PAD
            self.columns.append(x)
            x += BOX_WIDTH
        self.right = self.columns.pop() - PAD

    def _zone(self, column: int, side: int) -> float:
        """How wide the words are that stand beside a column."""
        labels = [
            Label(slot).width
            for box in self.grid.boxes.values()
            if box.column == column
            for slot in box.sides[side]
            if slot is not None
        ]
        entries = any(b.sides[side] for b in self.grid.boxes.values() if b.column == column)
        return max(labels, default=0.0) + 8 if labels else 10.0 * entries

    def _tracks_width(self, channel: int) -> float:
        tracks = [run.track for runs in self.runs.values() for run in runs if run.channel == channel]
        return PITCH * (max(tracks) + 1) if tracks else 0.0

    # ------------------------------------------------------------ lines

    def line(self, edge: Edge) -> list[Point]:
        """The corners of a way."""
        if edge not in self.runs:
            return self._straight_line(edge)
        leaves, enters = self.grid.ends[edge]
        points: list[Point] = [self._at_box(edge.source, leaves, self.ports[edge.source, leaves, edge])]
        for run in self.runs[edge]:
            x = self.tracks[run.channel] + PITCH * (run.track + 0.5)
            points += [(x, run.start[0]), (x, run.end[0])]
        return [*points, self._at_box(edge.dest, enters, self.ports[edge.dest, enters, None])]

    def _at_box(self, key: object, side: int, y: float) -> Point:
        x = self.columns[self.grid.boxes[key].column]
        return (x + BOX_WIDTH if side == 1 else x, y)

    def _straight_line(self, edge: Edge) -> list[Point]:
        source, dest = self.grid.boxes[edge.source], self.grid.boxes[edge.dest]
        x = self.columns[source.column] + BOX_WIDTH / 5
        if source.row < dest.row:
            return [(x, source.bottom), (x, dest.y)]
        return [(x, source.y), (x, dest.bottom)]

    def labels(self) -> list[Placed]:
        """The words of every way."""
        placed = []
        for edge, (leaves, _) in self.grid.ends.items():
            x, y = self._at_box(edge.source, leaves, self.ports[edge.source, leaves, edge])
            placed.append(Placed(Label(edge), x + leaves * (PAD + 3), y, int(leaves == -1)))
        for edge in self.grid.straight.values():
            (x, y), (_, end) = self._straight_line(edge)
            label = Label(edge)
            line = (y + end) / 2 + (label.above - label.below) / 2
            placed.append(Placed(label, x + 7, line - 1, 0))
        return placed
