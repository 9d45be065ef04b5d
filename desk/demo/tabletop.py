"""The felt drawn: seats across, the dealer's and the shared cards below them.

The picture is the dealer's: seat 1 is at the left, where the deal begins. A card that is not public is a
back; how many there are of each is all that the table's view tells.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sabot.desk.demo.canvas import WIDTH, Canvas
from sabot.desk.demo.felt import Felt, Result
from sabot.desk.demo.layout import CARDS, DEALER, FELT_END, HANDS, LAST, SEATS, STACKS
from sabot.desk.demo.news import money
from sabot.rules.cards import RED, SYMBOLS, parse

STACK_ROWS = DEALER - STACKS
CARD_WIDTH, EMPTY_SEAT, WIDEST_SEAT = 3, 3, 21
HAND_WIDTH = len("three of a kind")


def draw_felt(canvas: Canvas, felt: Felt) -> None:
    """Seats, cards and chips; while there are none, what goes on with the decks."""
    canvas.fill(range(SEATS, FELT_END), "felt")
    _seats(canvas, felt)
    _dealer(canvas, felt)
    if not felt.has_begun:
        words = felt.phase_words
        canvas.put(STACKS + 1, (WIDTH - len(words)) // 2, words, "felt_bold")


def _seats(canvas: Canvas, felt: Felt) -> None:
    column, width = _layout(felt)
    for seat in range(1, felt.shift.submission.seats + 1):
        if seat in felt.shift.seats:
            _seat(canvas, felt, seat, column, width)
            column += width
        else:
            canvas.put(SEATS, column + 1, str(seat), "felt_dim")
            canvas.put(CARDS, column + 1, "·", "felt_dim")
            column += EMPTY_SEAT


def _layout(felt: Felt) -> tuple[int, int]:
    """Seats where nobody ever plays are narrow, and the others share the rest."""
    players = len(felt.shift.seats)
    empty = EMPTY_SEAT * (felt.shift.submission.seats - players)
    width = min((LAST - empty) // players, WIDEST_SEAT)
    return (LAST - empty - width * players) // 2, width


def _seat(canvas: Canvas, felt: Felt, seat: int, column: int, width: int) -> None:
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


def _amount(result: Result) -> str:
    if result.kind == "back" or result.cents is None:
        return "back" if result.kind == "back" else result.kind
    return {"won": "+", "lost": "-"}.get(result.kind, "") + money(result.cents)


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
    for name, deck in felt.seen.get("decks", {}).items():
        for line in (DEALER, DEALER + 1):
            canvas.put(line, column, "░░", f"back_{deck['color']}")
        canvas.put(DEALER, column + 3, f"DECK {name}, {deck['color']}", "felt_bold")
        canvas.put(DEALER + 1, column + 3, _proof(deck), "felt")
        column += WIDTH // 3


def _proof(deck: Mapping[str, Any]) -> str:
    return f"proof: {deck['proof']}" if deck["proof"] else "not yet shuffled"
