"""The picture of a life as SVG: the phases in the frames of their parts, the ways, then what can go wrong."""

# Theory of operation. `life` says what is to be shown, `Scene` in which columns and with which ways. `Grid`
# gives each box its height, by the words of the ways that leave it, and stacks the columns; `Routes` gives
# each way its course between them, and with the room that the words need each column its place across. Only
# then is anything drawn.

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sabot.desk.diagram.grid import BOX_WIDTH, CITE, LEAD_CITE, LEAD_WORDS, PAD, WORDS, BoxGroup, Edge, Grid
from sabot.desk.diagram.life import PART_OF, DiagramWay, Life, life, marks, parts, run_of, title
from sabot.desk.diagram.route import PlacedBox, Routes
from sabot.desk.diagram.trouble import DrawnIrregularity, Fault, faults, irregularities
from sabot.desk.drawing.colors import GREY, HAIR, WHITE
from sabot.desk.drawing.svg import Svg
from sabot.desk.drawing.text_width import SANS, wrap
from sabot.rules.chapter import Chapter
from sabot.statemachine.faults import LAW
from sabot.statemachine.state.phases import Phase

MARGIN = 24.0
TITLE, NAME, SMALL = 18.0, 12.0, 9.5
TOP = 74.0
# Line and ground of each part.
COLORS = {
    "opening": ("#2f6b57", "#eef5f1"),
    "betting": ("#8a6a1f", "#f8f2e2"),
    "dealing": ("#3a5f95", "#edf2f9"),
    "decisions": ("#6d4a8c", "#f3eef8"),
    "settlement": ("#1f7280", "#e9f4f6"),
    "void": ("#9c1f2e", "#fbecee"),
}
MARKS = ("#c0392b", "#3d4a45", "#a98433", "#3a5f95")
# The parts of a life, in columns from left to right.
COLUMNS = (("opening",), ("betting", "dealing", "void"), ("decisions", "settlement"))


class Scene(NamedTuple):
    """A drawing: columns of boxes, the ways between them, and the phase that each box is."""

    columns: list[list[BoxGroup]]
    edges: list[Edge]
    phases: Mapping[Hashable, Phase]


def _color(phase: Phase) -> str:
    return COLORS[PART_OF[phase]][0]


def whole_life(shown: Life) -> Scene:
    """Return every phase once, in the columns of its part."""
    found = {part.name: part for part in parts(shown.phases)}
    columns = [
        [BoxGroup(name, COLORS[name][0], found[name].phases) for name in names if name in found]
        for names in COLUMNS
    ]
    edges = [
        Edge(source, way.dest, way.words, way.cite, _color(source))
        for way in shown.ways
        for source in way.sources
    ]
    return Scene(columns, edges, {phase: phase for phase in shown.phases})


def one_phase(shown: Life, only: Phase) -> Scene:
    """Return a phase between those that lead to it and those that it leads to."""
    edges: list[Edge] = []
    before: dict[Hashable, Phase] = {}
    after: dict[Hashable, Phase] = {}
    for way in shown.ways:
        for source in way.sources:
            # A phase can be on both sides, so each box but the middle one is known by its side as well.
            start: Hashable = only if source is only else ("from", source)
            end: Hashable = ("to", way.dest) if source is only else only
            before |= {} if source is only else {start: source}
            after |= {end: way.dest} if source is only else {}
            edges.append(Edge(start, end, way.words, way.cite, _color(source)))
    columns = [[BoxGroup("", "", tuple(keys))] for keys in (before, {only: only}, after) if keys]
    return Scene(columns, edges, {**before, only: only, **after})


# ---------------------------------------------------------------- drawing


def picture(chapters: Sequence[Chapter], chapter: Chapter | None = None, only: Phase | None = None) -> str:
    """Return the whole sheet."""
    shown = life(chapter, only)
    scene = whole_life(shown) if only is None else one_phase(shown, only)
    name = "The life of a table" + (f": {title(only)}" if only else "")
    about = chapter.document if chapter else "every chapter; x stands for the chapter's number"
    svg = Svg()
    svg.text(MARGIN, 32, name, TITLE, bold=True)
    svg.text(MARGIN, 50, about, NAME, color=GREY)
    right, y = draw_scene(svg, scene, shown.from_many)
    known = [chapter] if chapter else list(chapters)
    width = max(right, 960.0) - MARGIN
    rows = irregularities(known, only)
    if rows:
        y = draw_irregularities(svg, rows, (MARGIN, y + 26, width), len(known))
    y = draw_faults(svg, faults(chapter), (MARGIN, y + 34, width))
    words = "A fault may come in any phase and lies over it: what was under way goes on where it stood."
    svg.text(MARGIN, y + 22, words, WORDS, color=GREY)
    return svg.document(MARGIN + width + MARGIN, y + 22 + MARGIN, f"{name}, {about}")


def draw_scene(svg: Svg, scene: Scene, from_many: Iterable[DiagramWay]) -> tuple[float, float]:
    """Draw the boxes and ways; return the right and the lower edge of what was drawn."""
    grid = Grid(scene.columns, scene.edges, TOP)
    routes = Routes(grid, MARGIN)
    _draw_frames(svg, grid, routes)
    # Lines first, boxes over them, words on top of both.
    for edge in (*grid.side, *grid.straight.values()):
        svg.way(routes.line(edge), edge.color)
    marked = list(marks(from_many))
    for key, box in grid.boxes.items():
        x, phase = routes.columns[box.column], scene.phases[key]
        svg.box(x, box.y, BOX_WIDTH, box.height, WHITE, _color(phase), 1.4)
        svg.text(x + BOX_WIDTH / 2, box.y + box.height / 2 + 4, title(phase), NAME, bold=True, align=0.5)
        colors = [mark for mark, sources in zip(MARKS, marked, strict=False) if phase in sources]
        for place, mark in enumerate(colors):
            svg.dot(x + BOX_WIDTH - 9 - 10 * place, box.y + 9, mark)
    for placed in routes.labels():
        _draw_label(svg, placed)
    return routes.right, _draw_legend(svg, from_many, routes.bottom + 14)


def _draw_frames(svg: Svg, grid: Grid, routes: Routes) -> None:
    for frame in grid.frames:
        if frame.group.title:
            x, end = routes.columns[frame.column] - PAD, routes.columns[frame.column] + BOX_WIDTH + PAD
            ground = COLORS[frame.group.title][1]
            svg.box(x, frame.y, end - x, frame.bottom - frame.y, ground, ground, 1)
            name, color = frame.group.title.upper(), frame.group.color
            svg.text(end - PAD, frame.y + 14, name, SMALL, bold=True, color=color, align=1)


def _draw_label(svg: Svg, placed: PlacedBox) -> None:
    label = placed.label
    for place, line in enumerate(reversed(label.words)):
        svg.text(placed.x, placed.y - 3.5 - LEAD_WORDS * place, line, WORDS, align=placed.align)
    for place, line in enumerate(label.cites):
        svg.text(placed.x, placed.y + 9 + LEAD_CITE * place, line, CITE, color=GREY, align=placed.align)


def _draw_legend(svg: Svg, ways: Iterable[DiagramWay], y: float) -> float:
    """Draw the legend: the mark of ways that lead out of many phases."""
    for mark, (sources, those) in zip(MARKS, marks(ways).items(), strict=False):
        svg.dot(MARGIN + 4, y - 3.5, mark)
        svg.text(MARGIN + 14, y, f"from {run_of(sources)}:", WORDS, bold=True)
        for way in those:
            svg.text(MARGIN + 220, y, f"{way.words}, to {title(way.dest)}", WORDS)
            svg.text(MARGIN + 440, y, way.cite, CITE, color=GREY)
            y += 15
        y += 4
    return y


# Left edge, top and width of a table.
Room = tuple[float, float, float]
# The columns of the two tables: their heads and their share of the width.
_IRREGULARITIES = (
    ("irregularity", 13),
    ("in the phases", 17),
    ("what it does", 25),
    ("then", 17),
    ("paragraph", 28),
)
_FAULTS = (("fault", 13), ("says", 17), ("cure", 25), ("released by", 17), ("whose rule", 28))
_LEAD, _CELL, _HEAD = 12.5, 10.0, 9.5


def draw_irregularities(svg: Svg, rows: Iterable[DrawnIrregularity], room: Room, chapters: int) -> float:
    """Draw the irregularities; return the lower edge.

    An outcome that is not that of all ``chapters`` names those that have it.
    """
    cells = []
    for row in rows:
        for place, each in enumerate(row.outcomes):
            those = "" if len(each.chapters) == chapters else f" ({', '.join(each.chapters)})"
            first = (row.kind, row.phases) if place == 0 else ("", "")
            cells.append((*first, each.fate + those, each.then, each.cite))
    return _draw_table(svg, _IRREGULARITIES, cells, room)


def draw_faults(svg: Svg, rows: Iterable[Fault], room: Room) -> float:
    """Draw the faults; return the lower edge."""
    cells = [(row.kind, row.words, row.cure, row.releases, _basis(row)) for row in rows]
    return _draw_table(svg, _FAULTS, cells, room)


def _basis(row: Fault) -> str:
    return row.cite if row.basis in (LAW, row.cite) else f"{row.basis}, beside {row.cite}"


def _draw_table(
    svg: Svg, heads: Sequence[tuple[str, int]], rows: Iterable[Sequence[str]], room: Room
) -> float:
    left, y, width = room
    widths = [width * share / sum(share for _, share in heads) for _, share in heads]
    lefts = [left + sum(widths[:place]) for place in range(len(widths))]
    for x, (head, _) in zip(lefts, heads, strict=True):
        svg.text(x, y, head.upper(), _HEAD, bold=True, color=GREY)
    y += 6
    for row in rows:
        cells = [wrap(cell, SANS, _CELL, space - 10) for cell, space in zip(row, widths, strict=True)]
        if row[0]:
            svg.rule(left, y, left + width, HAIR)
        for x, lines, is_name in zip(lefts, cells, (True, *[False] * len(cells)), strict=False):
            for place, line in enumerate(lines):
                svg.text(x, y + 12 + _LEAD * place, line, _CELL, bold=is_name)
        y += 5 + _LEAD * max(map(len, cells))
    return y
