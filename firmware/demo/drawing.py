"""The whole picture: where the table is in its life, the felt, and the dealer's desk below it."""

from sabot.firmware.demo.canvas import Canvas
from sabot.firmware.demo.desk import draw_desk
from sabot.firmware.demo.felt import Felt
from sabot.firmware.demo.layout import LAST, METERS, RIBBON, TITLE
from sabot.firmware.demo.news import clock
from sabot.firmware.demo.tabletop import draw_felt
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
    ("SETTLE", ("settling", "validating", "documents", "returning")),
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
    canvas.put(TITLE, 1, felt.shift.setup.chapter.document, "title")
    round_ = felt.seen["round"]
    right = f"round {round_}  {clock(felt.clock)}" if round_ else clock(felt.clock)
    canvas.put(TITLE, LAST - len(right), right, "title")


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
