"""A picture of 24 lines of 80 characters, each cell with a style by name, and what a style looks like.

One canvas serves the terminal, the pictures of the docs and the tests, so that a picture shows exactly what
people see. Styles are names of things on the felt; a terminal's abilities choose among three ways to show
them: 256 colors, eight, or none.
"""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import NamedTuple, TextIO

WIDTH, HEIGHT = 80, 24


class StyledRun(NamedTuple):
    """Characters of one style that stand together."""

    text: str
    style: str


class CanvasStyle(NamedTuple):
    """A style: ink and ground as numbers of the 256 colors (-1: the terminal's own), and weight."""

    ink: int
    ground: int = -1
    bold: bool = False


class Canvas:
    """The picture."""

    def __init__(self) -> None:
        self._cells = [[(" ", "plain")] * WIDTH for _ in range(HEIGHT)]

    def put(self, row: int, column: int, text: str, style: str) -> int:
        """Write a text, cut at the right edge; return the column after it."""
        for offset, char in enumerate(text[: WIDTH - column]):
            self._cells[row][column + offset] = (char, style)
        return column + len(text)

    def fill(self, rows: range, style: str) -> None:
        """Paint whole lines."""
        for row in rows:
            self._cells[row] = [(" ", style)] * WIDTH

    def runs(self, row: int) -> list[StyledRun]:
        """Return a line as runs of one style."""
        groups = groupby(self._cells[row], key=lambda cell: cell[1])
        return [StyledRun("".join(char for char, _ in cells), style) for style, cells in groups]

    def text(self, row: int) -> str:
        """Return a line without styles."""
        return "".join(char for char, _ in self._cells[row]).rstrip()


FELT, PAPER, NIGHT = 22, 231, 234
LOOKS: Mapping[str, CanvasStyle] = {
    "plain": CanvasStyle(252),
    "bold": CanvasStyle(231, bold=True),
    "dim": CanvasStyle(244),
    "title": CanvasStyle(231, 24, bold=True),
    "station": CanvasStyle(242),
    "station_on": CanvasStyle(16, 114, bold=True),
    "station_held": CanvasStyle(231, 160, bold=True),
    "meter": CanvasStyle(221, bold=True),
    "felt": CanvasStyle(151, FELT),
    "felt_dim": CanvasStyle(71, FELT),
    "felt_bold": CanvasStyle(231, FELT, bold=True),
    "lit": CanvasStyle(16, 221, bold=True),
    "card": CanvasStyle(16, PAPER, bold=True),
    "card_red": CanvasStyle(160, PAPER, bold=True),
    "back_red": CanvasStyle(217, 124),
    "back_blue": CanvasStyle(153, 25),
    "back_green": CanvasStyle(157, 29),
    "back_out": CanvasStyle(71, FELT),
    "lies": CanvasStyle(230, FELT),
    "won": CanvasStyle(120, FELT, bold=True),
    "lost": CanvasStyle(210, FELT),
    "back": CanvasStyle(153, FELT),
    "alarm": CanvasStyle(16, 214, bold=True),
    "held": CanvasStyle(231, 160, bold=True),
    "rule": CanvasStyle(240),
    "display": CanvasStyle(123, NIGHT, bold=True),
    "display_held": CanvasStyle(215, NIGHT, bold=True),
    "display_edge": CanvasStyle(240, NIGHT),
    "key": CanvasStyle(246),
    "key_on": CanvasStyle(16, 231, bold=True),
    "cite": CanvasStyle(221),
    "story": CanvasStyle(231),
}
# Where there are eight colors: ink and ground among them, and the same weights.
EIGHT: Mapping[str, tuple[int, int]] = {
    "title": (7, 4),
    "station_on": (0, 2),
    "station_held": (7, 1),
    "meter": (3, -1),
    "lit": (0, 3),
    "card": (0, 7),
    "card_red": (1, 7),
    "back_red": (7, 1),
    "back_blue": (7, 4),
    "back_green": (7, 2),
    "won": (2, -1),
    "lost": (1, -1),
    "back": (6, -1),
    "alarm": (0, 3),
    "held": (7, 1),
    "display": (6, -1),
    "display_held": (3, -1),
    "key_on": (0, 7),
    "cite": (3, -1),
}


def sgr_256(style: str) -> str:
    """Return the escape sequence of a style on a terminal of 256 colors."""
    look = LOOKS[style]
    ground = f";48;5;{look.ground}" if look.ground >= 0 else ""
    return f"\x1b[0{';1' if look.bold else ''};38;5;{look.ink}{ground}m"


def sgr_8(style: str) -> str:
    """Return the escape sequence of a style on a terminal of eight colors, its own by default."""
    ink, ground = EIGHT.get(style, (-1, -1))
    parts = ["0"] + ["1"] * LOOKS[style].bold
    parts += [f"3{ink}"] * (ink >= 0) + [f"4{ground}"] * (ground >= 0)
    return f"\x1b[{';'.join(parts)}m"


def sgr_none(_style: str) -> str:
    """Return nothing: no color and no weight at all."""
    return ""


# Rows of the picture, from the top, and columns of the desk.
TITLE, RIBBON, METERS = 0, 1, 2
SEATS, CARDS, HANDS, STACKS, DEALER, FELT_END = 3, 4, 6, 7, 13, 16
ALARM, DESK, LOG = 16, 17, 22
# Between the title of a chapter and the number of the round.
NOTICE = 42
# Nothing is written in the last column: some terminals scroll when it is full.
LAST = WIDTH - 1
DESK_TEXT = 24
STORY_WIDTH = LAST - DESK_TEXT


_PLAIN = str.maketrans("─═│╭╮╰╯░♣♦♥♠◂▸·…", "-=|++++#cdhs<>..")


def glyphs_of(out: TextIO) -> Callable[[str], str]:
    """Return the function that makes a text fit for a stream: unchanged for UTF-8, else ASCII."""
    is_utf8 = (out.encoding or "").lower().replace("-", "") == "utf8"
    return str if is_utf8 else _plain


def _plain(text: str) -> str:
    return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
