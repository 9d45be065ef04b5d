"""The wiring of one table as rows: each line with its pin and circuit, each device with its cable.

Text, JSON and the drawing are made of these rows, and these of the plan that the driver itself works by: a
drawing that was made from the table file cannot name another pin than the program.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sabot.config.table_file import Device
from sabot.drivers.lines.plan import (
    CLOSED_AT_REST,
    KEYS,
    OUTPUTS,
    RESERVED,
    WIRING,
    LinePlan,
    WiredLine,
    make_plan,
)

POWER_3V3, POWER_5V, GROUND = "3.3 V", "5 V", "ground"
_FIXED: Mapping[int, str] = {
    **dict.fromkeys((1, 17), POWER_3V3),
    **dict.fromkeys((2, 4), POWER_5V),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), GROUND),
}
# The chip's number of each other pin, from pin 3 on.
_CHIP: Mapping[int, int] = dict(
    zip(
        (number for number in range(1, 41) if number not in _FIXED),
        (
            2,
            3,
            4,
            14,
            15,
            17,
            18,
            27,
            22,
            23,
            24,
            10,
            9,
            25,
            11,
            8,
            7,
            0,
            1,
            5,
            6,
            12,
            13,
            19,
            16,
            26,
            20,
            21,
        ),
        strict=True,
    )
)
PINS = range(1, 41)
PIN_OF: Mapping[int, int] = {chip: pin for pin, chip in _CHIP.items()}


def printed(pin: int) -> str:
    """Return the words beside this pin on the board's own page: a voltage, ground, or GPIO and a number."""
    return _FIXED[pin] if pin in _FIXED else f"GPIO{_CHIP[pin]}"


def chip_number(pin: int) -> int | None:
    """Return the chip's number of this pin; None for a supply."""
    return _CHIP.get(pin)


LINES = "lines"
# What a person wires: the circuit, in words for a table and as a symbol in the drawing.
KEY, CLOSES, OPENS, RELAY = "key", "closes", "opens", "relay"
CIRCUITS = {
    KEY: "key to ground, closed while it is pressed",
    CLOSES: "contact to ground, open at rest",
    OPENS: "contact to ground, closed at rest",
    RELAY: "transistor, 10 kOhm from its gate to ground; relay coil with a diode",
}
INVERTED = "wired the other way than usual"
_WORDS = {option.name: option.words for option in WIRING}


class Wired(NamedTuple):
    """One line: its name, the board's pin and the chip's, the circuit, and what the line is."""

    name: str
    pin: int
    chip: int
    circuit: str
    is_inverted: bool
    words: str


class Spare(NamedTuple):
    """A pin without a line, and what it is."""

    pin: int
    words: str


class WiringCable(NamedTuple):
    """A device on a cable of its own: its name in the table file, its driver, and where the cable goes."""

    device: str
    driver: str
    port: str


class WiringSheet(NamedTuple):
    """The whole wiring of a table."""

    table: str
    is_simulated: bool
    lines: tuple[Wired, ...]
    spares: tuple[Spare, ...]
    cables: tuple[WiringCable, ...]
    pull: str


def sheet_of(table: str, devices: Sequence[Device], *, is_simulated: bool) -> WiringSheet:
    """Return the wiring that a table file describes."""
    board = next((each for each in devices if each.driver == LINES), None)
    # A table without lines is still drawn: every pin is then spare.
    plan = make_plan(board.options, board.name) if board else LinePlan((), (), "off")
    lines = tuple(sorted(_lines(plan), key=lambda each: each.pin))
    taken = {each.pin for each in lines}
    spares = tuple(Spare(pin, _spare(pin)) for pin in PINS if pin not in taken)
    cables = tuple(WiringCable(each.name, each.driver, _port(each)) for each in devices if each is not board)
    return WiringSheet(table, is_simulated, lines, spares, cables, plan.pull)


def _lines(plan: LinePlan) -> Iterator[Wired]:
    for line in (*plan.inputs, *plan.outputs):
        circuit = _circuit(line)
        # A key or contact pulls its line to ground; a relay, and a contact that
        # opens, are active when it is high.
        is_usual = line.is_active_high == (circuit in (RELAY, OPENS))
        words = _WORDS[line.name].removeprefix("pin (BCM) of ").removesuffix("; -1 where it is not wired")
        yield Wired(line.name, PIN_OF[line.pin], line.pin, circuit, not is_usual, words)


def _circuit(line: WiredLine) -> str:
    if line.name in OUTPUTS:
        return RELAY
    if line.name in CLOSED_AT_REST:
        return OPENS
    return KEY if line.name in KEYS else CLOSES


def _spare(pin: int) -> str:
    chip = chip_number(pin)
    if chip in RESERVED:
        return f"{printed(pin)}, {RESERVED[chip]}: leave it"
    return printed(pin) if chip is None else f"{printed(pin)}, free"


def _port(device: Device) -> str:
    """Return where a device's cable goes, as the table file says it, or that any of its kind will do."""
    port = device.options.get("port")
    serial = device.options.get("pin_serial")
    return str(port) if port else f"USB, serial number {serial}" if serial else "USB, any of its kind"


NOT_FOR_PLAY = "NOT FOR PLAY: the devices of this table are simulated"


def text(sheet: WiringSheet) -> str:
    """Return the wiring, a line for each pin that has one, then the cables."""
    return "\n".join(_text(sheet))


def _text(sheet: WiringSheet) -> Iterator[str]:
    yield f"{sheet.table}: pins of the header, and cables"
    if sheet.is_simulated:
        yield NOT_FOR_PLAY
    yield ""
    yield "pin  chip    line          circuit"
    for each in sheet.lines:
        turned = f"; {INVERTED}" if each.is_inverted else ""
        yield f"{each.pin:>3}  GPIO{each.chip:<3} {each.name:<13} {CIRCUITS[each.circuit]}{turned}"
        yield f"{'':<13}{each.words}"
    yield ""
    for spare in sheet.spares:
        yield f"{spare.pin:>3}  {spare.words}"
    yield ""
    yield "cable to     driver         port"
    for cable in sheet.cables:
        yield f"{cable.device:<12} {cable.driver:<14} {cable.port}"


def as_json(sheet: WiringSheet) -> str:
    """Return the wiring as one JSON object."""
    return json.dumps(
        {
            "table": sheet.table,
            "simulated": sheet.is_simulated,
            "pull": sheet.pull,
            "lines": [each._asdict() for each in sheet.lines],
            "spare": [each._asdict() for each in sheet.spares],
            "cables": [each._asdict() for each in sheet.cables],
        },
        indent=2,
    )
