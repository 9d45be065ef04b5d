"""The stage of the demo: plain lines, or a terminal redrawn in place.

Both are told the same things in the same order. The terminal gives each of them the time that a person needs
to see it; plain lines wait for nobody and need no input.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TextIO

from sabot.desk.demo.canvas import WIDTH, Canvas, glyphs_of
from sabot.desk.demo.drawing import draw
from sabot.desk.demo.felt import DemoFelt
from sabot.desk.demo.narration import DemoNews, NewsKind
from sabot.desk.demo.screen import Screen
from sabot.desk.demo.script import DemoScript

LAST = WIDTH - 1
_MARGIN = " " * 16
_MARKS = {NewsKind.SAY: "  --", NewsKind.ALARM: "  !!", NewsKind.CARD: "card", NewsKind.MONEY: "pays"}


class DemoStage(Protocol):
    """The stage that shows the felt."""

    def open(self, felt: DemoFelt, number: int, shifts: int) -> None:
        """Show that a shift begins."""

    def show(self, felt: DemoFelt, news: Sequence[DemoNews]) -> None:
        """Show what happened."""


class PlainStage:
    """Plain lines, none wider than a terminal of 80."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._glyphs = glyphs_of(out)

    def open(self, felt: DemoFelt, number: int, shifts: int) -> None:
        """Print the title of a shift."""
        self._print(title_lines(felt, number, shifts))

    def show(self, felt: DemoFelt, news: Sequence[DemoNews]) -> None:
        """Print a line for each thing that happened, or two if one is too narrow."""
        for each in news:
            self._print(_line(felt, each))

    def _print(self, lines: Sequence[str]) -> None:
        for line in lines:
            print(self._glyphs(line), file=self._out)


def _line(felt: DemoFelt, news: DemoNews) -> list[str]:
    if news.kind in (NewsKind.SAY, NewsKind.ALARM):
        mark = _MARKS[news.kind]
        return textwrap.wrap(f"{mark} {news.text}", LAST, subsequent_indent=" " * (len(mark) + 1))
    if news.kind is NewsKind.PROMPT:
        first, second = felt.prompt
        text = f"[{first:<20}|{second:<20}]"
        head = f"{felt.clock}  {felt.key:<6}"
    else:
        text = news.text
        head = f"{felt.clock}  {_MARKS.get(news.kind, ''):<6}"
    return _with_cite(head + text, news.cite)


def _with_cite(text: str, cite: str) -> list[str]:
    """Return lines with the paragraph at the right end of the last, or on a line of its own."""
    lines = textwrap.wrap(text, LAST, subsequent_indent=_MARGIN, drop_whitespace=False)
    if not cite:
        return lines
    if len(lines[-1]) + 2 + len(cite) > LAST:
        lines.append("")
    lines[-1] += cite.rjust(LAST - len(lines[-1]))
    return lines


# ---------------------------------------------------------------- a terminal

# How long each kind of thing stays before the next comes, in seconds.
_PAUSES: Mapping[NewsKind, float] = {
    NewsKind.ALARM: 4.5,
    NewsKind.SAY: 4.0,
    NewsKind.CARD: 1.6,
    NewsKind.MONEY: 1.4,
    NewsKind.EVENT: 0.8,
    NewsKind.EFFECT: 0.5,
    NewsKind.PROMPT: 0.6,
}
# A frame that nobody caused, as a prompt that counts; the title card; the share of a pause in a hurry.
_OF_ITSELF_S = 0.14
_TITLE_S = 6.0
_HURRY = 0.2


class Theatre:
    """A terminal, at a pace that a person can follow."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def open(self, felt: DemoFelt, number: int, shifts: int) -> None:
        """Show the title card of a shift."""
        self._screen.draw(title_card(felt, number, shifts))
        self._screen.wait(_TITLE_S)

    def show(self, felt: DemoFelt, news: Sequence[DemoNews]) -> None:
        """Show the felt as it is now, for as long as what happened needs."""
        self._screen.draw(draw(felt))
        self._screen.wait(_pause(felt, news), may_hold=not felt.is_key_turned)


def _pause(felt: DemoFelt, news: Sequence[DemoNews]) -> float:
    """Return the longest pause that any of the news needs; a prompt alone needs next to none."""
    kinds = {each.kind for each in news}
    if not felt.key and kinds <= {NewsKind.PROMPT}:
        return _OF_ITSELF_S
    longest = max((_PAUSES[kind] for kind in kinds), default=_OF_ITSELF_S)
    return longest * _HURRY if felt.hurry else longest


_TOP, _LEFT, _RIGHT, _LEGEND, _TEXT_WIDTH = 4, 8, 48, 19, 64
_RULE = "═" * LAST


def title_lines(felt: DemoFelt, number: int, shifts: int) -> list[str]:
    """Return a shift's title as plain lines."""
    about = textwrap.wrap(felt.shift.about, LAST - 2, initial_indent="  ", subsequent_indent="  ")
    document, count = felt.shift.chapter.document, f"shift {number} of {shifts}"
    rule = f"{f'══ {felt.notice} ':═<{LAST}}"
    return ["", rule, f"{document}{count:>{LAST - len(document)}}", *about, _RULE]


def title_card(felt: DemoFelt, number: int, shifts: int) -> Canvas:
    """Return a shift's title as a picture."""
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
    """Draw the legend of the felt."""
    column = canvas.put(_LEGEND, _LEFT, "░░", "back_red")
    canvas.put(_LEGEND, column, " a card that nobody may see yet", "dim")
    column = canvas.put(_LEGEND, _RIGHT, "[SEAT 2]", "lit")
    canvas.put(_LEGEND, column, " whose turn it is", "dim")
    column = canvas.put(_LEGEND + 1, _LEFT, "641a.8(d)", "cite")
    canvas.put(_LEGEND + 1, column, " the paragraph behind it", "dim")
    column = canvas.put(_LEGEND + 1, _RIGHT, "[OK]", "key_on")
    canvas.put(_LEGEND + 1, column, " the key just pressed", "dim")
    canvas.put(_LEGEND + 3, _LEFT, "space: hold     enter: on     n: next shift     q: leave", "dim")


def summary(book: DemoScript, felts: Sequence[DemoFelt]) -> Iterator[str]:
    """Yield what the shifts have shown, with the paragraphs that the table gave."""
    seen = [felt for felt in felts if felt.met]
    if seen:
        yield from ("", f"{seen[0].notice}: simulated tables. Met on the way, with the program's paragraphs:")
    for felt in seen:
        yield f"  {felt.shift.chapter.document}"
        for met in felt.met:
            title = book.irregularities[met.kind][0].capitalize()
            yield f"    {title:<24}{met.cite}"
