"""What stands before the shifts and after them: each chapter by its document, and what was met at the end."""

import textwrap
from collections.abc import Iterator, Sequence

from sabot.desk.demo.book import Book
from sabot.desk.demo.canvas import WIDTH, Canvas
from sabot.desk.demo.felt import Felt

LAST = WIDTH - 1
_TOP, _LEFT, _RIGHT, _LEGEND, _TEXT_WIDTH = 4, 8, 48, 19, 64
_RULE = "═" * LAST


def title_lines(felt: Felt, number: int, shifts: int) -> list[str]:
    """A shift's title as plain lines."""
    about = textwrap.wrap(felt.shift.about, LAST - 2, initial_indent="  ", subsequent_indent="  ")
    document, count = felt.shift.chapter.document, f"shift {number} of {shifts}"
    rule = f"{f'══ {felt.notice} ':═<{LAST}}"
    return ["", rule, f"{document}{count:>{LAST - len(document)}}", *about, _RULE]


def title_card(felt: Felt, number: int, shifts: int) -> Canvas:
    """A shift's title as a picture."""
    canvas, book = Canvas(), felt.book
    canvas.fill(range(_TOP), "title")
    canvas.put(1, _LEFT, felt.shift.chapter.document, "title")
    canvas.put(2, _RIGHT + 8, f" {felt.notice} ", "held")
    canvas.put(2, _LEFT, f"A short shift of {felt.shift.chapter.game}, {number} of {shifts}", "title")
    row = _TOP + 1
    for line in textwrap.wrap(felt.shift.about, _TEXT_WIDTH):
        canvas.put(row, _LEFT, line, "story")
        row += 1
    canvas.put(row + 1, _LEFT, "What goes wrong in it:", "dim")
    for kind in felt.shift.irregularities:
        canvas.put(row + 2, _LEFT + 2, f"! {book.irregularities[kind][0].lower()}", "cite")
        row += 1
    _legend(canvas)
    return canvas


def _legend(canvas: Canvas) -> None:
    """How to read the felt."""
    column = canvas.put(_LEGEND, _LEFT, "░░", "back_red")
    canvas.put(_LEGEND, column, " a card that nobody may see yet", "dim")
    column = canvas.put(_LEGEND, _RIGHT, "[SEAT 2]", "lit")
    canvas.put(_LEGEND, column, " whose turn it is", "dim")
    column = canvas.put(_LEGEND + 1, _LEFT, "641a.8(d)", "cite")
    canvas.put(_LEGEND + 1, column, " the paragraph behind it", "dim")
    column = canvas.put(_LEGEND + 1, _RIGHT, "[OK]", "key_on")
    canvas.put(_LEGEND + 1, column, " the key just pressed", "dim")
    canvas.put(_LEGEND + 3, _LEFT, "space: hold     enter: on     n: next shift     q: leave", "dim")


def summary(book: Book, felts: Sequence[Felt]) -> Iterator[str]:
    """What was met in the shifts that were seen, with the paragraphs that the table gave."""
    seen = [felt for felt in felts if felt.met]
    if seen:
        yield from ("", f"{seen[0].notice}: simulated tables. Met on the way, with the program's paragraphs:")
    for felt in seen:
        yield f"  {felt.shift.chapter.document}"
        for met in felt.met:
            title = book.irregularities[met.kind][0].capitalize()
            yield f"    {title:<24}{met.cite}"
