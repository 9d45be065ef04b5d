"""One frame of the demo as a picture: the moment of a shift's last irregularity."""

import os
from collections.abc import Sequence
from pathlib import Path

from sabot.desk.demo.canvas import Canvas
from sabot.desk.demo.drawing import draw
from sabot.desk.demo.felt import Felt
from sabot.desk.demo.news import Kind, News
from sabot.desk.demo.svg import svg
from sabot.firmware.errors import CommandError


class Album:
    """A stage that keeps the picture of the last irregularity."""

    def __init__(self, name: str) -> None:
        self.kept, self.title = Canvas(), ""
        self._path = Path(name)
        if not os.access(self._path.parent, os.W_OK):
            raise CommandError("E-CLI-005", name, why="the folder is not there, or not to be written in")

    def open(self, felt: Felt, number: int, shifts: int) -> None:  # noqa: ARG002 (a title is no picture)
        """The title of the picture is that of the shift."""
        self.title = f"sabot demo: {felt.shift.chapter.document}, {felt.notice}"

    def show(self, felt: Felt, news: Sequence[News]) -> None:
        """Keep it, if something went wrong."""
        if any(each.kind is Kind.ALARM for each in news):
            self.kept = draw(felt)

    @property
    def svg(self) -> str:
        """The picture that was kept."""
        return svg(self.kept, self.title)

    def write(self) -> None:
        """The picture as an SVG file."""
        try:
            self._path.write_text(self.svg, encoding="utf-8")
        except OSError as error:
            raise CommandError("E-CLI-005", str(self._path), why=error.strerror or str(error)) from error
