"""The picture of a scenario: steps, what was done and shown on each wire, events and effects, over time.

Most things at a table happen within milliseconds, between long waits. So the axis is half time and half turn:
where much happens it is wider, and the seconds under it say where one is. Every mark has its words as a
tooltip; those for which there is room are written out.
"""

from collections.abc import Iterator
from html import escape

from sabot.hil.scenarios.lanes import WIDTH, Axis, Lane, lanes_of, times
from sabot.hil.scenarios.record import Played

LANE = 26.0


def picture(played: Played) -> str:
    """The SVG of a scenario; empty where nothing was done."""
    if not played.phases or not played.diary:
        return ""
    axis = Axis([*times(played)])
    lanes = [lane for lane in lanes_of(played, axis) if lane.parts]
    height = LANE * len(lanes) + 30
    return "\n".join(
        [
            f'<svg viewBox="0 0 {WIDTH:g} {height:g}" role="img" aria-label="timeline">',
            *_grid(axis, height),
            *(part for number, lane in enumerate(lanes) for part in _placed(lane, number)),
            "</svg>",
        ]
    )


def _grid(axis: Axis, height: float) -> Iterator[str]:
    for second, x in axis.seconds():
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height - 22:.0f}"/>'
        yield f'<text class="tick" x="{x:.1f}" y="{height - 8:.0f}">{second:g} s</text>'


def _placed(lane: Lane, number: int) -> Iterator[str]:
    top = 6 + number * LANE
    yield f'<text class="lane" x="4" y="{top + 14:g}">{escape(lane.title)}</text>'
    yield f'<g transform="translate(0 {top:g})">'
    yield from lane.parts
    yield "</g>"
