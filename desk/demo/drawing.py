"""The whole picture: where the table is in its life, the felt, and the dealer's desk below it."""

# Everything is drawn anew for each frame, from what the felt knows; `Screen` finds out which lines have
# changed. Rows and columns of the picture are those of `canvas`. Where something does not fit it is left out
# or cut, and never moves anything else: an eye that has learnt the picture finds each thing at its place.

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from sabot.desk.demo.canvas import (
    ALARM,
    CARDS,
    DEALER,
    DESK,
    DESK_TEXT,
    FELT_END,
    HANDS,
    LAST,
    LOG,
    METERS,
    NOTICE,
    RIBBON,
    SEATS,
    STACKS,
    STORY_WIDTH,
    TITLE,
    WIDTH,
    Canvas,
)
from sabot.desk.demo.felt import DemoFelt, WagerResult
from sabot.desk.demo.narration import DemoNews, money
from sabot.rules.cards import RED, SYMBOLS, parse
from sabot.rules.payouts import dollars

STATIONS = (
    ("CARDS", ("closed", "inspecting", "verifying", "spread", "washing", "idle")),
    ("SHUFFLE", ("shuffling", "cutting")),
    ("BETS", ("bets_open",)),
    ("CHIPS", ("counting_chips", "chip_mismatch")),
    ("DEAL", ("dealing",)),
    ("STUB", ("stub", "stub_wrong")),
    ("DECIDE", ("deciding",)),
    ("REVEAL", ("turning", "declaring")),
    ("SETTLE", ("settling", "validating", "documents", "returning", "last_count", "last_wrong")),
    ("CLEAR", ("clearing",)),
)
METHODS = {
    ("manual_shoe", "each_card"): "reading shoe",
    ("manual_shoe", "none"): "shoe",
    ("hand", "none"): "from the hand",
}


def draw(felt: DemoFelt) -> Canvas:
    """Return the whole picture."""
    canvas = Canvas()
    _title(canvas, felt)
    _ribbon(canvas, felt)
    _meters(canvas, felt)
    draw_felt(canvas, felt)
    draw_desk(canvas, felt)
    return canvas


def _title(canvas: Canvas, felt: DemoFelt) -> None:
    canvas.fill(range(TITLE, TITLE + 1), "title")
    round_ = felt.seen["round"]
    right = f"round {round_}  {felt.clock}" if round_ else felt.clock
    canvas.put(TITLE, LAST - len(right), right, "title")
    canvas.put(TITLE, NOTICE, f" {felt.notice} ", "held")
    document = textwrap.shorten(felt.shift.chapter.document, NOTICE - 2, placeholder=" …")
    canvas.put(TITLE, 1, document, "title")


def _ribbon(canvas: Canvas, felt: DemoFelt) -> None:
    """Draw the table's place in its life."""
    column, phase = 0, felt.seen["phase"]
    on = "station_held" if felt.held else "station_on"
    for station, phases in STATIONS:
        if phase in phases:
            column = canvas.put(RIBBON, column, f"[{station}]", on)
        else:
            column = canvas.put(RIBBON, column, f" {station} ", "station")
    if felt.held:
        canvas.put(RIBBON, LAST - len(" HELD "), " HELD ", "held")


def _meters(canvas: Canvas, felt: DemoFelt) -> None:
    """Draw as many meters as there is room for beside how the cards are dealt."""
    how = _how_dealt(felt)
    column, end = 1, LAST - len(how)
    canvas.put(METERS, end, how, "dim")
    for levels in felt.seen["meters"].values():
        for level, cents in levels.items():
            name, amount = "METER " if level == "main" else f"{level.upper()} ", dollars(cents)
            if column + len(name) + len(amount) >= end:
                return
            column = canvas.put(METERS, column, name, "dim")
            column = canvas.put(METERS, column, amount, "meter") + 2


def _how_dealt(felt: DemoFelt) -> str:
    seen = felt.seen
    if not seen.get("decks"):
        return ""
    way = METHODS.get((seen["method"], seen["knowledge"]), "automated shoe")
    deck = seen["decks"].get(seen["deck"])
    return f"{way}, {deck['color']} deck" if deck else way


STACK_ROWS = DEALER - STACKS
CARD_WIDTH, EMPTY_SEAT, WIDEST_SEAT = 3, 3, 21
HAND_WIDTH = len("three of a kind")


def draw_felt(canvas: Canvas, felt: DemoFelt) -> None:
    """Draw seats, cards and chips; while there are none, what goes on with the decks."""
    canvas.fill(range(SEATS, FELT_END), "felt")
    _seats(canvas, felt)
    _dealer(canvas, felt)
    if not felt.has_begun:
        words = felt.phase_words
        canvas.put(STACKS + 1, (WIDTH - len(words)) // 2, words, "felt_bold")


def _seats(canvas: Canvas, felt: DemoFelt) -> None:
    column, width = _layout(felt)
    for seat in range(1, felt.shift.submission.seats + 1):
        if seat in felt.shift.seats:
            _seat(canvas, felt, seat, column, width)
            column += width
        else:
            canvas.put(SEATS, column + 1, str(seat), "felt_dim")
            canvas.put(CARDS, column + 1, "·", "felt_dim")
            column += EMPTY_SEAT


def _layout(felt: DemoFelt) -> tuple[int, int]:
    """Return the first column and the width of a seat; seats where nobody ever plays are narrow."""
    players = len(felt.shift.seats)
    empty = EMPTY_SEAT * (felt.shift.submission.seats - players)
    width = min((LAST - empty) // players, WIDEST_SEAT)
    return (LAST - empty - width * players) // 2, width


def _seat(canvas: Canvas, felt: DemoFelt, seat: int, column: int, width: int) -> None:
    is_lit = felt.lamp == seat
    title = f"[SEAT {seat}]" if is_lit else f" SEAT {seat} "
    after = canvas.put(SEATS, column, title, "lit" if is_lit else "felt_bold")
    folded = seat in felt.seen.get("folded", ())
    hand = felt.seen.get("hands", {}).get(f"seat{seat}", "")
    if folded and not hand:
        canvas.put(SEATS, after, "folds", "felt_dim")
    column += 1
    after = _cards(canvas, felt, CARDS, column, f"seat{seat}")
    _cards(canvas, felt, CARDS, after + 1, f"seat{seat}:fourth")
    canvas.put(HANDS, column, hand.replace("_", " ")[: width - 1], "felt_bold")
    for row, (name, result) in enumerate(felt.stacks(seat)[:STACK_ROWS], STACKS):
        text = _amount(result)
        label_style = "felt" if result.kind == "lies" else result.kind
        canvas.put(row, column, name[: width - 3 - len(text)], label_style)
        canvas.put(row, column + width - 2 - len(text), text, result.kind)


def _amount(result: WagerResult) -> str:
    if result.kind == "back" or result.cents is None:
        return "back" if result.kind == "back" else result.kind
    return {"won": "+", "lost": "-"}.get(result.kind, "") + money(result.cents)


# ---------------------------------------------------------------- cards


def _cards(canvas: Canvas, felt: DemoFelt, row: int, column: int, place: str) -> int:
    """Draw the cards of a place, each two lines of two characters; return the column after them."""
    count = felt.seen.get("counts", {}).get(place, 0)
    public: Sequence[str] = felt.seen.get("public", {}).get(place, ())
    backs = ["" for _ in range(count - len(public))]
    # The dealer's one open card is the last that was dealt; elsewhere cards turn from the first.
    cards = [*backs, *public] if place == "dealer" else [*public, *backs]
    back = _back(felt, place)
    for card in cards:
        _card(canvas, row, column, card, back)
        column += CARD_WIDTH
    return column


def _back(felt: DemoFelt, place: str) -> str:
    """Return the style of a place's backs: its deck's color, or dimmed for a folded hand."""
    folded = (f"seat{seat}" for seat in felt.seen.get("folded", ()))
    deck = felt.seen.get("decks", {}).get(felt.seen["deck"])
    return "back_out" if place in folded or deck is None else f"back_{deck['color']}"


def _card(canvas: Canvas, row: int, column: int, name: str, back: str) -> None:
    if not name:
        canvas.put(row, column, "░░", back)
        canvas.put(row + 1, column, "░░", back)
        return
    style = "card_red" if RED[parse(name)] else "card"
    rank = {"T": "10"}.get(name[0], name[0])
    canvas.put(row, column, f"{rank:<2}", style)
    canvas.put(row + 1, column, f"{SYMBOLS[name[1]]:>2}", style)


def _dealer(canvas: Canvas, felt: DemoFelt) -> None:
    """Draw the dealer's and the shared cards, or the decks while no round is on."""
    counts = felt.seen.get("counts", {})
    places = [place for place in counts if not place.startswith("seat") and place != "discard"]
    column = 2
    for place in sorted(places, key=lambda place: place not in ("dealer", "community")):
        column = _shared(canvas, felt, place, column) + 2
    if not counts:
        _decks(canvas, felt)
    elif counts.get("discard"):
        canvas.put(DEALER, column, f"RACK {counts['discard']}", "felt_dim")


def _shared(canvas: Canvas, felt: DemoFelt, place: str, column: int) -> int:
    """Draw a place's name, what its hand makes, and its cards; return the column after them."""
    hand, _, rest = felt.seen["hands"].get(place, "").replace("_", " ").partition(" (")
    title = place.replace("_", " ").upper()
    width = HAND_WIDTH if place == "dealer" else len(title)
    canvas.put(DEALER, column, f"{title:>{width}}", "felt_bold")
    canvas.put(DEALER + 1, column, f"{hand:>{width}}", "felt_bold")
    canvas.put(DEALER + 2, column, rest.removesuffix(")"), "felt")
    return _cards(canvas, felt, DEALER, column + width + 1, place)


def _decks(canvas: Canvas, felt: DemoFelt) -> None:
    column = 2
    for name, deck in felt.seen.get("decks", {}).items():
        for line in (DEALER, DEALER + 1):
            canvas.put(line, column, "░░", f"back_{deck['color']}")
        canvas.put(DEALER, column + 3, f"DECK {name}, {deck['color']}", "felt_bold")
        canvas.put(DEALER + 1, column + 3, _proof(deck), "felt")
        column += WIDTH // 3


def _proof(deck: Mapping[str, Any]) -> str:
    return f"proof: {deck['proof']}" if deck["proof"] else "not yet shuffled"


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


def draw_desk(canvas: Canvas, felt: DemoFelt) -> None:
    """Draw everything below the felt."""
    _alarm(canvas, felt)
    _display(canvas, felt)
    _keys(canvas, felt)
    _story(canvas, felt)
    _log(canvas, felt)


def _alarm(canvas: Canvas, felt: DemoFelt) -> None:
    if felt.alarm is None:
        canvas.put(ALARM, 0, "─" * WIDTH, "rule")
    else:
        canvas.fill(range(ALARM, ALARM + 1), "alarm")
        canvas.put(ALARM, 0, f" ! {felt.alarm.text}"[:LAST], "alarm")


def _display(canvas: Canvas, felt: DemoFelt) -> None:
    """Draw the two lines as the dealer's display shows them."""
    canvas.put(DESK, 0, f"╭{'─' * 20}╮", "display_edge")
    for row, line in enumerate(felt.prompt, DESK + 1):
        canvas.put(row, 0, "│", "display_edge")
        canvas.put(row, 1, f"{line:<20}", "display_held" if felt.held else "display")
        canvas.put(row, 21, "│", "display_edge")
    canvas.put(DESK + 3, 0, f"╰{'─' * 20}╯", "display_edge")
    spots = len(felt.open_spots)
    canvas.put(DESK + 4, 1, f"{spots} spot{'s' * (spots > 1)} open" if spots else "wagers locked", "dim")


def _keys(canvas: Canvas, felt: DemoFelt) -> None:
    """Draw the keys, with the one just pressed in brackets."""
    column = DESK_TEXT
    for name, text in KEYS:
        after = canvas.put(DESK, column, text, "key")
        if felt.key == name:
            canvas.put(DESK, column - 1, f"[{text}]", "key_on")
        column = after + 1


def _story(canvas: Canvas, felt: DemoFelt) -> None:
    """Draw the paragraph of the prompt, what goes on, and what the script says of it."""
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


def _log(canvas: Canvas, felt: DemoFelt) -> None:
    for row, news in enumerate(felt.log, LOG):
        canvas.put(row, 1, _beside(news), "dim")


def _beside(news: DemoNews) -> str:
    """Return a line of the log with its paragraph at the right, if there is room for it."""
    room = LAST - 1 - len(news.cite)
    text = news.text if len(news.text) < room else _shortened(news.text, LAST - 1)
    return f"{text:<{room}}{news.cite}" if len(text) < room else text


def _shortened(text: str, width: int) -> str:
    return textwrap.shorten(text, width, placeholder=" …")
