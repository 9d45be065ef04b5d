"""The course of the ways: out of the box's side, along a track of the channel between two columns, and in.

Each channel has room for the words of both its neighbours and, between them, as many tracks as run side by
side. A way between columns that are no neighbours takes a lane below everything.
"""

from dataclasses import dataclass
from itertools import combinations

from sabot.desk.diagram.grid import BOX_WIDTH, ENTRY, PAD, SLACK, DiagramBox, Edge, Grid, Label, slot_height

# Distances of tracks in a channel, and of lanes below the boxes.
PITCH = 9.0
LANE = 11.0
Point = tuple[float, float]


@dataclass(slots=True)
class Run:
    """A vertical piece of a way in a channel: its two heights and from which side it is reached at each."""

    channel: int
    start: tuple[float, int]
    end: tuple[float, int]
    track: int = 0

    @property
    def heights(self) -> tuple[float, float]:
        """Return its upper and its lower end."""
        return min(self.start[0], self.end[0]), max(self.start[0], self.end[0])

    def is_beside(self, other: "Run") -> bool:
        """Return whether two runs of a channel pass each other at some height."""
        (low, high), (other_low, other_high) = self.heights, other.heights
        return low - CLEAR < other_high and other_low - CLEAR < high

    def crosses(self, other: "Run") -> int:
        """Return how often the pieces that reach this run cross another one."""
        low, high = other.heights
        return sum(
            low < y < high and (other.track - self.track) * side > 0 for y, side in (self.start, self.end)
        )


@dataclass(frozen=True, slots=True)
class PlacedBox:
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
        """Return the height of each slot's line; the slots of a side stand in its middle."""
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
        """Return the ports, with entries moved out of the way of lines from across the channel."""
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
            # Where nothing is free the entry stays: two lines that touch can still be read, an
            # arrow beside its box cannot.
            ports[key, side, slot] = next(free, y)
        return ports

    def _channel(self, box: DiagramBox, side: int) -> int:
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
        """Return the height of the lowest line."""
        return self.grid.bottom + LANE * (1.5 + len(self.far))

    # ------------------------------------------------------------ across

    def _place_columns(self, left: float) -> None:
        """Set the left edge of each column, and of each channel's tracks."""
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
        """Return how wide the words are that stand beside a column."""
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
        """Return the corners of a way."""
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

    def labels(self) -> list[PlacedBox]:
        """Return the words of every way, with their places."""
        placed = []
        for edge, (leaves, _) in self.grid.ends.items():
            x, y = self._at_box(edge.source, leaves, self.ports[edge.source, leaves, edge])
            placed.append(PlacedBox(Label(edge), x + leaves * (PAD + 3), y, int(leaves == -1)))
        for edge in self.grid.straight.values():
            (x, y), (_, end) = self._straight_line(edge)
            label = Label(edge)
            line = (y + end) / 2 + (label.above - label.below) / 2
            placed.append(PlacedBox(label, x + 7, line - 1, 0))
        return placed


# The least distance between the ends of two runs on one track.
CLEAR = 5.0


def assign(runs: list[Run]) -> None:
    """Give each run of a channel its track: none upon another, then as few crossings as swapping finds."""
    # Short runs first: they find a track near the words, and the long ones go around them.
    for run in sorted(runs, key=lambda run: run.heights[1] - run.heights[0]):
        taken = {
            other.track for other in runs if other.track > 0 and other is not run and run.is_beside(other)
        }
        run.track = next(track for track in range(1, len(runs) + 2) if track not in taken)
    for run in runs:
        run.track -= 1
    # It ends, because each step has fewer crossings than the one before.
    while _improved(runs):
        pass


def _improved(runs: list[Run]) -> bool:
    """Return whether two runs changed places, or one moved to a free track, with fewer crossings."""
    before = _crossings(runs)
    highest = max((run.track for run in runs), default=0)
    for first, second in combinations(runs, 2):
        first.track, second.track = second.track, first.track
        if _is_apart(runs) and _crossings(runs) < before:
            return True
        first.track, second.track = second.track, first.track
    for run in runs:
        was = run.track
        for track in range(highest + 1):
            run.track = track
            if _is_apart(runs) and _crossings(runs) < before:
                return True
        run.track = was
    return False


def _is_apart(runs: list[Run]) -> bool:
    return not any(a.track == b.track and a.is_beside(b) for a, b in combinations(runs, 2))


def _crossings(runs: list[Run]) -> int:
    return sum(run.crosses(other) for run in runs for other in runs)
