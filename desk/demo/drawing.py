"""The whole picture: where the table is in its life, the felt, and the dealer's desk below it."""

import textwrap

from sabot.desk.demo.canvas import Canvas
from sabot.desk.demo.desk import draw_desk
from sabot.desk.demo.felt import Felt
from sabot.desk.demo.layout import LAST, METERS, NOTICE, RIBBON, TITLE
from sabot.desk.demo.tabletop import draw_felt
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


def draw(felt: Felt) -> Canvas:
    """The whole picture."""
    canvas = Canvas()
    _title(canvas, felt)
    _ribbon(canvas, felt)
    _meters(canvas, felt)
    draw_felt(canvas, felt)
    draw_desk(canvas, felt)
    return canvas


def _title(canvas: Canvas, felt: Felt) -> None:
    canvas.fill(range(TITLE, TITLE + 1), "title")
    round_ = felt.seen["round"]
    right = f"round {round_}  {felt.clock}" if round_ else felt.clock
    canvas.put(TITLE, LAST - len(right), right, "title")
    canvas.put(TITLE, NOTICE, f" {felt.notice} ", "held")
    document = textwrap.shorten(felt.shift.chapter.document, NOTICE - 2, placeholder=" …")
    canvas.put(TITLE, 1, document, "title")


def _ribbon(canvas: Canvas, felt: Felt) -> None:
    """Where in its life the table is."""
    column, phase = 0, felt.seen["phase"]
    on = "station_held" if felt.held else "station_on"
    for station, phases in STATIONS:
        if phase in phases:
            column = canvas.put(RIBBON, column, f"[{station}]", on)
        else:
            column = canvas.put(RIBBON, column, f" {station} ", "station")
    if felt.held:
        canvas.put(RIBBON, LAST - len(" HELD "), " HELD ", "held")


def _meters(canvas: Canvas, felt: Felt) -> None:
    """As many of the meters as there is room for beside how the cards are dealt."""
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


def _how_dealt(felt: Felt) -> str:
    seen = felt.seen
    if not seen.get("decks"):
        return ""
    way = METHODS.get((seen["method"], seen["knowledge"]), "automated shoe")
    deck = seen["decks"].get(seen["deck"])
    return f"{way}, {deck['color']} deck" if deck else way
