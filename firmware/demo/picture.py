"""One frame of the demo as a picture: the moment of a shift's last irregularity."""

from collections.abc import Sequence
from pathlib import Path

from sabot.firmware.demo.book import Book
from sabot.firmware.demo.canvas import Canvas
from sabot.firmware.demo.drawing import draw
from sabot.firmware.demo.felt import Felt
from sabot.firmware.demo.news import Kind, News
from sabot.firmware.demo.svg import svg
from sabot.firmware.demo.verbs import crew_of, play_shift
from sabot.firmware.errors import CommandError

SEED = 1


class Album:
    """A stage that keeps the picture of the last irregularity."""

    def __init__(self) -> None:
        self.kept = Canvas()

    def open(self, felt: Felt, number: int, shifts: int) -> None:
        """A title is no picture."""

    def show(self, felt: Felt, news: Sequence[News]) -> None:
        """Keep it, if something went wrong."""
        if any(each.kind is Kind.ALARM for each in news):
            self.kept = draw(felt)


def picture(book: Book, chapter: str) -> str:
    """The SVG of a chapter."""
    album = Album()
    play_shift(crew_of(book, chapter, album, SEED))
    return svg(album.kept, f"sabot demo: {book.shifts[chapter].setup.chapter.document}")


def write_picture(book: Book, chapter: str, name: str) -> None:
    """The SVG in a file."""
    try:
        Path(name).write_text(picture(book, chapter), encoding="utf-8")
    except OSError as error:
        raise CommandError("E-CLI-005", name, why=error.strerror or str(error)) from error
