"""The felt drawn: seats across, the dealer's and the shared cards below them, then the dealer's desk.

The picture is the dealer's: seat 1 is at the left, where the deal begins. A card that is not public is a
back; how many there are of each is all that the table's view tells.
"""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from sabot.firmware.demo.canvas import WIDTH, Canvas
from sabot.firmware.demo.felt import Felt, Result
from sabot.firmware.demo.news import News, money
from sabot.rules.cards import RED, SYMBOLS, parse
from sabot.rules.payouts import dollars

TITLE, RIBBON, METERS, SEATS, STACKS, DEALER, ALARM, DESK, LOG = 0, 1, 2, 3, 7, 13, 16, 17, 22
LAST = WIDTH - 1
STACK_ROWS = DEALER - STACKS
CARD_WIDTH, EMPTY_SEAT, WIDEST_SEAT = 3, 3, 21
HAND_WIDTH = len("three of a kind")
DESK_TEXT = 24
STORY_WIDTH = LAST - DESK_TEXT
STATIONS = (
    ("CARDS", ("closed", "inspecting", "verifying", "spread", "washing", "idle")),
    ("SHUFFLE", ("shuffling", "cutting")),
    ("BETS", ("bets_open",)),
    ("CHIPS", ("counting_chips", "chip_mismatch")),
    ("DEAL", ("dealing",)),
    ("STUB", ("stub", "stub_wrong")),
    ("DECIDE", ("deciding",)),
    ("REVEAL", ("turning", "declaring")),
    ("SETTLE", ("settling", "validating", "documents", "returning")),
    ("CLEAR", ("clearing",)),
)
KEYS = (
    ("LOCK", "LOCK"),
    ("OK", "OK"),
    ("BACK", "BACK"),
    ("LEFT", "◂"),
    ("RIGHT", "▸"),
    ("ONE", "1×"),
    ("TWO", "2×"),
    ("THREE", "3×"),
    ("FOLD", "FOLD"),
    ("PLUS", "+"),
    ("MINUS", "−"),
    ("MENU", "MENU"),
    ("FLOOR", "FLOOR"),
)
METHODS = {
    ("manual_shoe", "each_card"): "reading shoe",
    ("manual_shoe", "none"): "shoe",
    ("hand", "none"): "from the hand",
}


def draw(felt: Felt) -> Canvas:
    """The whole picture."""
    canvas = Canvas()
    _title(canvas, felt)
    _ribbon(canvas, felt)
    _meters(canvas, felt)
    canvas.fill(range(SEATS, ALARM), "felt")
    _seats(canvas, felt)
    _dealer(canvas, felt)
    _alarm(canvas, felt)
    _display(canvas, felt)
    _keys(canvas, felt)
    _story(canvas, felt)
    _log(canvas, felt)
    return canvas


# ---------------------------------------------------------------- above the felt


def clock(at: float) -> str:
    """A time of the day."""
    hours, seconds = divmod(int(at), 3600)
    return f"{hours % 24:02d}:{seconds // 60:02d}:{seconds % 60:02d}"


def _title(canvas: Canvas, felt: Felt) -> None:
    canvas.fill(range(TITLE, TITLE + 1), "title")
    canvas.put(TITLE, 1, felt.shift.setup.chapter.document, "title")
    round_ = felt.seen["round"]
    right = f"round {round_}  {clock(felt.clock)}" if round_ else clock(felt.clock)
    canvas.put(TITLE, LAST - len(right), right, "title")


def _ribbon(canvas: Canvas, felt: Felt) -> None:
    """Where in its life the table is."""
    column, phase = 0, felt.seen["phase"]
    for station, phases in STATIONS:
        on = "station_held" if felt.held else "station_on"
        column = canvas.put(RIBBON, column, f" {station} ", on if phase in phases else "station")
    if felt.held:
        canvas.put(RIBBON, LAST - len(" HELD "), " HELD ", "held")


def _meters(canvas: Canvas, felt: Felt) -> None:
    column = 1
    for levels in felt.seen["meters"].values():
        for level, cents in levels.items():
            column = canvas.put(METERS, column, "METER " if level == "main" else f"{level.upper()} ", "dim")
            column = canvas.put(METERS, column, dollars(cents), "meter") + 2
    how = _how_dealt(felt)
    canvas.put(METERS, LAST - len(how), how, "dim")


def _how_dealt(felt: Felt) -> str:
    seen = felt.seen
    if not seen["decks"]:
        return ""
    way = METHODS.get((seen["method"], seen["knowledge"]), "automated shoe")
    deck = seen["decks"].get(seen["deck"])
    return f"{way}, {deck['color']} deck" if deck else way


# ---------------------------------------------------------------- seats


def _seats(canvas: Canvas, felt: Felt) -> None:
    column, width = _layout(felt)
    for seat in range(1, felt.shift.setup.seat_count + 1):
        if seat in felt.shift.seats:
            _seat(canvas, felt, seat, column, width)
            column += width
        else:
            canvas.put(SEATS, column + 1, str(seat), "felt_dim")
            canvas.put(SEATS + 1, column + 1, "·", "felt_dim")
            column += EMPTY_SEAT


def _layout(felt: Felt) -> tuple[int, int]:
    """Seats where nobody ever plays are narrow, and the others share the rest."""
    players = len(felt.shift.seats)
    empty = EMPTY_SEAT * (felt.shift.setup.seat_count - players)
    width = min((LAST - empty) // players, WIDEST_SEAT)
    return (LAST - empty - width * players) // 2, width


def _seat(canvas: Canvas, felt: Felt, seat: int, column: int, width: int) -> None:
    is_lit = felt.lamp == seat
    after = canvas.put(SEATS, column, f" SEAT {seat} ", "lit" if is_lit else "felt_bold")
    folded = seat in felt.seen.get("folded", ())
    hand = felt.seen.get("hands", {}).get(f"seat{seat}", "")
    if folded and not hand:
        canvas.put(SEATS, after, "folds", "felt_dim")
    column += 1
    after = _cards(canvas, felt, SEATS + 1, column, f"seat{seat}")
    _cards(canvas, felt, SEATS + 1, after + 1, f"seat{seat}:fourth")
    canvas.put(SEATS + 3, column, hand.replace("_", " ")[: width - 1], "felt_bold")
    for row, (name, result) in enumerate(felt.stacks(seat)[:STACK_ROWS], STACKS):
        text = _amount(result)
        label_style = "felt" if result.kind == "lies" else result.kind
        canvas.put(row, column, name[: width - 3 - len(text)], label_style)
        canvas.put(row, column + width - 2 - len(text), text, result.kind)


def _amount(result: Result) -> str:
    if result.kind == "back" or result.cents is None:
        return "back" if result.kind == "back" else result.kind
    return {"won": "+", "lost": "−"}.get(result.kind, "") + money(result.cents)


# ---------------------------------------------------------------- cards


def _cards(canvas: Canvas, felt: Felt, row: int, column: int, place: str) -> int:
    """The cards of a place, each two lines of two characters; the column after them."""
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


def _back(felt: Felt, place: str) -> str:
    """The color of a deck's backs; a folded hand is out of the game."""
    folded = (f"seat{seat}" for seat in felt.seen.get("folded", ()))
    deck = felt.seen["decks"].get(felt.seen["deck"])
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


def _dealer(canvas: Canvas, felt: Felt) -> None:
    """The dealer's and the shared cards, or the decks while no round is on."""
    counts = felt.seen.get("counts", {})
    places = [place for place in counts if not place.startswith("seat") and place != "discard"]
    column = 2
    for place in sorted(places, key=lambda place: place not in ("dealer", "community")):
        column = _shared(canvas, felt, place, column) + 2
    if not counts:
        _decks(canvas, felt)
    elif counts.get("discard"):
        canvas.put(DEALER, column, f"RACK {counts['discard']}", "felt_dim")


def _shared(canvas: Canvas, felt: Felt, place: str, column: int) -> int:
    """A place's name, what its hand makes, and its cards; the column after them."""
    hand, _, rest = felt.seen["hands"].get(place, "").replace("_", " ").partition(" (")
    title = place.replace("_", " ").upper()
    width = HAND_WIDTH if place == "dealer" else len(title)
    canvas.put(DEALER, column, f"{title:>{width}}", "felt_bold")
    canvas.put(DEALER + 1, column, f"{hand:>{width}}", "felt_bold")
    canvas.put(DEALER + 2, column, rest.removesuffix(")"), "felt")
    return _cards(canvas, felt, DEALER, column + width + 1, place)


def _decks(canvas: Canvas, felt: Felt) -> None:
    column = 2
    for name, deck in felt.seen["decks"].items():
        for line in (DEALER, DEALER + 1):
            canvas.put(line, column, "░░", f"back_{deck['color']}")
        canvas.put(DEALER, column + 3, f"DECK {name}, {deck['color']}", "felt_bold")
        canvas.put(DEALER + 1, column + 3, _proof(deck), "felt")
        column += WIDTH // 3


def _proof(deck: Mapping[str, Any]) -> str:
    return f"proof: {deck['proof']}" if deck["proof"] else "not yet shuffled"


# ---------------------------------------------------------------- the dealer's desk


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
    canvas.put(DESK + 4, 1, f"{spots} spots open" if spots else "wagers locked", "dim")


def _keys(canvas: Canvas, felt: Felt) -> None:
    column = DESK_TEXT
    for name, text in KEYS:
        style = "key_on" if felt.key == name else "key"
        column = canvas.put(DESK, column, text, style) + 1


def _story(canvas: Canvas, felt: Felt) -> None:
    """The paragraph of the prompt, what goes on, and what the script says of it."""
    column = canvas.put(DESK + 1, DESK_TEXT, felt.cite, "cite")
    who = ", ".join(felt.seen["unlocked"])
    if who:
        canvas.put(DESK + 1, column + 2, f"key switch: {who}", "dim")
    if felt.held:
        held = felt.seen["held"][0]
        words = f"{held['device']}: {held['why']}; the {held['releases']} releases"
        canvas.put(DESK + 2, DESK_TEXT, textwrap.shorten(words, STORY_WIDTH, placeholder=" …"), "display_held")
    elif felt.bets or felt.seen.get("counts"):
        canvas.put(DESK + 2, DESK_TEXT, felt.phase_words, "dim")
    else:
        canvas.put(STACKS + 1, (WIDTH - len(felt.phase_words)) // 2, felt.phase_words, "felt_bold")
    for row, line in enumerate(textwrap.wrap(felt.story, STORY_WIDTH)[:2], DESK + 3):
        canvas.put(row, DESK_TEXT, line, "story")


def _log(canvas: Canvas, felt: Felt) -> None:
    for row, news in enumerate(felt.log, LOG):
        canvas.put(row, 1, _beside(news), "dim")


def _beside(news: News) -> str:
    """A line of the log with its paragraph at the right, where there is room for it."""
    room = LAST - 1 - len(news.cite)
    text = news.text if len(news.text) < room else textwrap.shorten(news.text, LAST - 1, placeholder=" …")
    return f"{text:<{room}}{news.cite}" if len(text) < room else text
