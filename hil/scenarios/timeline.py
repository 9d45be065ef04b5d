"""The picture of a scenario: steps, what was done and shown on each wire, events and effects, over time.

Most things at a table happen within milliseconds, between long waits. So the axis is half time and half turn:
where much happens it is wider, and the seconds under it say where one is. Every mark has its words as a
tooltip; those for which there is room are written out.
"""

from collections.abc import Iterator

from sabot.hil.scenarios.record import PlayedScenario
from sabot.hil.scenarios.timeline_rows import PEN, WIDTH, Axis, Lane, lanes_of, times

LANE = 26.0


def picture(played: PlayedScenario) -> str:
    """The SVG of a scenario; empty where nothing was done."""
    if not played.phases or not played.diary:
        return ""
    axis = Axis([*times(played)])
    lanes = [lane for lane in lanes_of(played, axis) if lane.parts]
    height = LANE * len(lanes) + 30
    rows = [_placed(lane, number) for number, lane in enumerate(lanes)]
    return PEN.in_page((WIDTH, height), "timeline", [*_grid(axis, height), *rows])


def _grid(axis: Axis, height: float) -> Iterator[str]:
    for second, x in axis.seconds():
        yield PEN.empty("line", **{"class": "grid"}, x1=x, x2=x, y1=4, y2=height - 22)
        yield PEN.text(f"{second:g} s", PEN.attributes(**{"class": "tick"}, x=x, y=height - 8))


def _placed(lane: Lane, number: int) -> str:
    top = 6 + number * LANE
    name = PEN.text(lane.title, PEN.attributes(**{"class": "lane"}, x=4, y=top + 14))
    return name + PEN.group(lane.parts, PEN.attributes(transform=f"translate(0 {PEN.number(top)})"))
