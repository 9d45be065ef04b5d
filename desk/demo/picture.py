"""One frame of the demo as a picture: the moment of a shift's last irregularity."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from sabot.desk.demo.canvas import HEIGHT, LOOKS, WIDTH, Canvas, StyledRun
from sabot.desk.demo.drawing import draw
from sabot.desk.demo.felt import DemoFelt
from sabot.desk.demo.narration import DemoNews, NewsKind
from sabot.desk.drawing.svg import Pen
from sabot.firmware.errors import CommandError


class Album:
    """A stage that keeps the picture of the last irregularity."""

    def __init__(self, name: str) -> None:
        self.kept, self.title = Canvas(), ""
        self._path = Path(name)
        if not os.access(self._path.parent, os.W_OK):
            raise CommandError("E-CLI-005", name, why="the folder is not there, or not to be written in")

    def open(self, felt: DemoFelt, number: int, shifts: int) -> None:  # noqa: ARG002 (a title is no picture)
        """Take the title of the picture from the shift."""
        self.title = f"sabot demo: {felt.shift.chapter.document}, {felt.notice}"

    def show(self, felt: DemoFelt, news: Sequence[DemoNews]) -> None:
        """Keep the felt if something went wrong just now."""
        if any(each.kind is NewsKind.ALARM for each in news):
            self.kept = draw(felt)

    @property
    def svg(self) -> str:
        """Return the picture that was kept, as SVG."""
        return svg(self.kept, self.title)

    def write(self) -> None:
        """Write the picture to its file."""
        try:
            self._path.write_text(self.svg, encoding="utf-8")
        except OSError as error:
            raise CommandError("E-CLI-005", str(self._path), why=error.strerror or str(error)) from error


_CELL_WIDTH, _CELL_HEIGHT, _BASELINE, _MARGIN = 9, 18, 13, 12
_FONT = 'font-family="DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace" font-size="15"'
PEN = Pen(1)
_NIGHT = "#14161a"
# Of the 256 colors the first 16 are the terminal's own, 216 are a cube of these six levels, 24 are greys.
_CUBE = (0, 95, 135, 175, 215, 255)
_FIRST_CUBE, _FIRST_GRAY = 16, 232


def svg(canvas: Canvas, title: str) -> str:
    """Return a canvas as a whole SVG document."""
    width, height = WIDTH * _CELL_WIDTH + 2 * _MARGIN, HEIGHT * _CELL_HEIGHT + 2 * _MARGIN
    ground = PEN.empty("rect", width=width, height=height, rx=8, fill=_NIGHT)
    grounds: list[str] = []
    inks: list[str] = []
    for row in range(HEIGHT):
        column = 0
        for run in canvas.runs(row):
            grounds += _ground(run, row, column)
            inks += _ink(run, row, column)
            column += len(run.text)
    # All grounds before all inks: a letter may reach into the cell beside it.
    return PEN.document((width, height), title, [ground, *grounds, *inks], style=f" {_FONT}")


def _ground(run: StyledRun, row: int, column: int) -> list[str]:
    look = LOOKS[run.style]
    if look.ground < 0:
        return []
    x, y = _MARGIN + column * _CELL_WIDTH, _MARGIN + row * _CELL_HEIGHT
    return [
        PEN.empty(
            "rect",
            x=x,
            y=y,
            width=len(run.text) * _CELL_WIDTH,
            height=_CELL_HEIGHT,
            fill=_hex(look.ground),
            shape_rendering="crispEdges",
        )
    ]


def _ink(run: StyledRun, row: int, column: int) -> list[str]:
    """Return a run word by word, each letter at its own place."""
    look = LOOKS[run.style]
    weight = "bold" if look.bold else ""
    y = _MARGIN + row * _CELL_HEIGHT + _BASELINE
    lines = []
    # A renderer may fold two blanks, and its fonts may be wider than a cell.
    for word in re.finditer(r"\S+", run.text):
        x = " ".join(str(_MARGIN + (column + at) * _CELL_WIDTH) for at in range(*word.span()))
        look_of_it = PEN.attributes(x=x, y=y, fill=_hex(look.ink), font_weight=weight)
        lines.append(PEN.text(word.group(), look_of_it))
    return lines


def _hex(number: int) -> str:
    """Return one of the 256 colors as every terminal has it."""
    if number >= _FIRST_GRAY:
        level = 8 + 10 * (number - _FIRST_GRAY)
        return f"#{level:02x}{level:02x}{level:02x}"
    red, rest = divmod(number - _FIRST_CUBE, 36)
    green, blue = divmod(rest, 6)
    return "#" + "".join(f"{_CUBE[part]:02x}" for part in (red, green, blue))
