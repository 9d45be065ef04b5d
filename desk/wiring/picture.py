"""The wiring of a table as a drawing: the header from above, on each side the circuit of each pin.

A technician stands before the open cabinet with it: so pins are where they are on the board (pin 1 at the top
left, its row the odd ones), every circuit ends at its own ground or coil, and nothing crosses.
"""

from sabot.desk.drawing.colors import BRASS, GREEN, GREY, HAIR, INK, RED, TINT, WHITE
from sabot.desk.drawing.svg import Svg
from sabot.desk.wiring.sheet import (
    CLOSES,
    GROUND,
    INVERTED,
    KEY,
    NOT_FOR_PLAY,
    OPENS,
    PINS,
    POWER_3V3,
    POWER_5V,
    RELAY,
    Wired,
    WiringCable,
    WiringSheet,
    printed,
)

WIDTH, TOP, ROW = 1240.0, 96.0, 36.0
MIDDLE, PAD = WIDTH / 2, 15.0
# Distances from the middle of the header, outwards: pin's number, chip's number, wire, circuit, its end.
NUMBER, CHIP, WIRE, SYMBOL, END = 34.0, 52.0, 104.0, 470.0, 560.0
_SUPPLY = {POWER_3V3: BRASS, POWER_5V: RED, GROUND: INK}
_RULES = (
    "Energised means that all is well: without power, program or wire every relay rests: locked, and red.",
    "The red lamp hangs on the rest contact of healthy's relay; lock_open has a relay of its own.",
    "The relays' supply is off while pins are looked for (sabot device wire), and until the bench proof.",
)


def picture(sheet: WiringSheet) -> str:
    """Return the drawing as SVG."""
    svg = Svg()
    svg.text(30, 40, f"{sheet.table}: wiring", 20, bold=True)
    svg.text(
        30,
        62,
        f"pins as on the board, seen from above; the inputs' resistor inside the chip: {sheet.pull}",
        11,
        color=GREY,
    )
    if sheet.is_simulated:
        svg.text(WIDTH - 30, 40, NOT_FOR_PLAY, 12, bold=True, color=RED, align=1)
    bottom = TOP + ROW * (len(PINS) / 2)
    svg.box(MIDDLE - 24, TOP - 6, 48, bottom - TOP + 12, TINT, HAIR, 1)
    by_pin = {each.pin: each for each in sheet.lines}
    spare = {each.pin: each.words for each in sheet.spares}
    # Odd pins left, even ones right, two a row: as on the board.
    for pin in PINS:
        side = -1 if pin % 2 else 1
        y = TOP + ROW * ((pin - 1) // 2) + ROW / 2
        _pad(svg, pin, side, y, is_wired=pin in by_pin)
        if pin in by_pin:
            _circuit(svg, by_pin[pin], side, y)
        else:
            _label(svg, side, CHIP, y + 4, spare[pin], 9, color=GREY)
    end = _cables(svg, sheet.cables, bottom + 44)
    for number, words in enumerate(_RULES):
        svg.text(30, end + 22 + 15 * number, words, 10, color=GREY)
    return svg.document(WIDTH, end + 22 + 15 * len(_RULES), f"{sheet.table}: wiring")


def _pad(svg: Svg, pin: int, side: int, y: float, *, is_wired: bool) -> None:
    x = MIDDLE + side * (PAD - 4)
    color = _SUPPLY.get(printed(pin), GREEN if is_wired else WHITE)
    svg.box(x - 6, y - 6, 12, 12, color, INK, 1)
    _label(svg, side, NUMBER, y + 4, str(pin), 11, bold=True)


def _label(
    svg: Svg,
    side: int,
    away: float,
    y: float,
    words: str,
    size: float,
    *,
    bold: bool = False,
    color: str = INK,
) -> None:
    """Write outwards: on the left side of the header a text ends where it begins on the right side."""
    svg.text(MIDDLE + side * away, y, words, size, bold=bold, color=color, align=0 if side > 0 else 1)


def _circuit(svg: Svg, line: Wired, side: int, y: float) -> None:
    _label(svg, side, CHIP, y + 4, f"GPIO{line.chip}", 10, color=GREY)
    _line(svg, side, y, WIRE, SYMBOL)
    _label(svg, side, WIRE + 6, y - 4, line.name, 11, bold=True)
    turned = f"; {INVERTED}" if line.is_inverted else ""
    _label(svg, side, WIRE + 6, y + 11, line.words + turned, 8.5, color=GREY)
    _SYMBOLS[line.circuit](svg, side, y)


def _line(svg: Svg, side: int, y: float, start: float, end: float, *, rise: float = 0.0) -> None:
    svg.line([(MIDDLE + side * start, y), (MIDDLE + side * end, y - rise)], INK, 1.3)


def _open_contact(svg: Svg, side: int, y: float) -> None:
    _contact(svg, side, y, rise=9.0)


def _closed_contact(svg: Svg, side: int, y: float) -> None:
    _contact(svg, side, y, rise=0.0)
    # The stroke across is what a contact that opens has and one that closes has not.
    _line(svg, side, y - 5, SYMBOL + 24, SYMBOL + 24, rise=-10)


def _contact(svg: Svg, side: int, y: float, *, rise: float) -> None:
    svg.dot(MIDDLE + side * SYMBOL, y, INK)
    _line(svg, side, y, SYMBOL, SYMBOL + 28, rise=rise)
    svg.dot(MIDDLE + side * (SYMBOL + 30), y, INK)
    _line(svg, side, y, SYMBOL + 30, END)
    # The sign of ground.
    for number, half in enumerate((8.0, 5.0, 2.0)):
        x = END + 4.0 * number
        _line(svg, side, y + half, x, x, rise=2 * half)


def _coil(svg: Svg, side: int, y: float) -> None:
    """Draw the transistor's box, then the coil's; the resistor and the diode are theirs, in words."""
    for start, width, words in ((SYMBOL, 58.0, "transistor"), (SYMBOL + 72, 36.0, "coil")):
        left = MIDDLE + (start if side > 0 else -start - width)
        svg.box(left, y - 12, width, 24, WHITE, INK, 1.2)
        svg.text(left + width / 2, y + 3.5, words, 9.5, align=0.5)
    _line(svg, side, y, SYMBOL + 58, SYMBOL + 72)


_SYMBOLS = {KEY: _open_contact, CLOSES: _open_contact, OPENS: _closed_contact, RELAY: _coil}


def _cables(svg: Svg, cables: tuple[WiringCable, ...], y: float) -> float:
    """Write the cables below; return where the list ends."""
    svg.text(30, y, "Cables", 13, bold=True)
    for number, cable in enumerate(cables):
        at = y + 22 + 18 * number
        svg.text(30, at, cable.device, 11, bold=True)
        svg.text(150, at, cable.driver, 11)
        svg.text(270, at, cable.port, 11, color=GREY)
        svg.rule(30, at + 5, WIDTH - 30, HAIR)
    return y + 22 + 18 * len(cables)
