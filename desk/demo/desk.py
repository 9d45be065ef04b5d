"""The dealer's desk drawn: the display, the keys, the paragraph behind the prompt, and what was ordered."""

import textwrap

from sabot.desk.demo.canvas import WIDTH, Canvas
from sabot.desk.demo.felt import Felt
from sabot.desk.demo.layout import ALARM, DESK, DESK_TEXT, LAST, LOG, STORY_WIDTH
from sabot.desk.demo.news import News

KEYS = (
    ("LOCK", "LOCK"),
    ("OK", "OK"),
    ("BACK", "BACK"),
    ("LEFT", "◂"),
    ("RIGHT", "▸"),
    ("ONE", "1x"),
    ("TWO", "2x"),
    ("THREE", "3x"),
    ("FOLD", "FOLD"),
    ("PLUS", "+"),
    ("MINUS", "-"),
    ("MENU", "MENU"),
    ("FLOOR", "FLOOR"),
)


def draw_desk(canvas: Canvas, felt: Felt) -> None:
    """Everything below the felt."""
    _alarm(canvas, felt)
    _display(canvas, felt)
    _keys(canvas, felt)
    _story(canvas, felt)
    _log(canvas, felt)


def _alarm(canvas: Canvas, felt: Felt) -> None:
    if felt.alarm is None:
        canvas.put(ALARM, 0, "─" * WIDTH, "rule")
    else:
        canvas.fill(range(ALARM, ALARM + 1), "alarm")
        canvas.put(ALARM, 0, f" ! {felt.alarm.text}"[:LAST], "alarm")


def _display(canvas: Canvas, felt: Felt) -> None:
    """The two lines as the dealer's display shows them."""
    canvas.put(DESK, 0, f"╭{'─' * 20}╮", "display_edge")
    for row, line in enumerate(felt.prompt, DESK + 1):
        canvas.put(row, 0, "│", "display_edge")
        canvas.put(row, 1, f"{line:<20}", "display_held" if felt.held else "display")
        canvas.put(row, 21, "│", "display_edge")
    canvas.put(DESK + 3, 0, f"╰{'─' * 20}╯", "display_edge")
    spots = len(felt.open_spots)
    canvas.put(DESK + 4, 1, f"{spots} spot{'s' * (spots > 1)} open" if spots else "wagers locked", "dim")


def _keys(canvas: Canvas, felt: Felt) -> None:
    """The keys, with the one just pressed in brackets."""
    column = DESK_TEXT
    for name, text in KEYS:
        after = canvas.put(DESK, column, text, "key")
        if felt.key == name:
            canvas.put(DESK, column - 1, f"[{text}]", "key_on")
        column = after + 1


def _story(canvas: Canvas, felt: Felt) -> None:
    """The paragraph of the prompt, what goes on, and what the script says of it."""
    column = canvas.put(DESK + 1, DESK_TEXT, felt.cite, "cite")
    who = ", ".join(felt.seen.get("unlocked", ()))
    if who:
        canvas.put(DESK + 1, column + 2, f"key switch: {who}", "dim")
    if felt.fault_words:
        canvas.put(DESK + 2, DESK_TEXT, _shortened(felt.fault_words, STORY_WIDTH), "display_held")
    elif felt.has_begun:
        canvas.put(DESK + 2, DESK_TEXT, felt.phase_words, "dim")
    for row, line in enumerate(textwrap.wrap(felt.story, STORY_WIDTH)[:2], DESK + 3):
        canvas.put(row, DESK_TEXT, line, "story")


def _log(canvas: Canvas, felt: Felt) -> None:
    for row, news in enumerate(felt.log, LOG):
        canvas.put(row, 1, _beside(news), "dim")


def _beside(news: News) -> str:
    """A line of the log with its paragraph at the right, where there is room for it."""
    room = LAST - 1 - len(news.cite)
    text = news.text if len(news.text) < room else _shortened(news.text, LAST - 1)
    return f"{text:<{room}}{news.cite}" if len(text) < room else text


def _shortened(text: str, width: int) -> str:
    return textwrap.shorten(text, width, placeholder=" …")
