"""The plan of the lines: which pin each is on, at which level it is active, and what it rests at.

Every input has a pull-up and a switch to ground: active is low, but for contacts that are closed at rest (a
door, the second contact of the button), where a cut wire must look like an alarm and not like peace. Every
output is active high and safe when it is low: without power, without a program and without a pin it rests.
The other options of the lines stand here too.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sabot.drivers.device import Spoken
from sabot.drivers.lines.errors import ERRORS, LineError
from sabot.drivers.options import Option, Schema, Value, defaults
from sabot.statemachine.vocabulary.events import Key

LOCK, LOCK_AT_REST = "key_lock", "lock_at_rest"
KEY_SWITCH, DOOR, COVER = "key_switch", "door", "cover"
LOCK_OPEN, HEALTHY, HIT, CALL = "lock_open", "healthy", "hit", "call"
KEYS: Mapping[str, Key] = {f"key_{key.value.lower()}": key for key in Key}
# A file says -1 where a line is not wired; a line that it leaves out is on its usual pin.
NOT_WIRED = -1
_LAST_PIN = 27
RESERVED = {
    0: "the memory of a board on top",
    1: "the memory of a board on top",
    14: "the serial console",
    15: "the serial console",
}
FREE_PINS = tuple(pin for pin in range(_LAST_PIN + 1) if pin not in RESERVED)
_OTHERS = {
    LOCK_AT_REST: "the second contact of LOCK, closed at rest: it opens when the first closes",
    KEY_SWITCH: "the key switch of the floor",
    DOOR: "the contact of the service door, closed when the door is",
    COVER: "the switch under the cover or sign of a device that is out of order",
}
_OUTPUTS = {
    LOCK_OPEN: "energised while wagers are open; without it they are locked",
    HEALTHY: "energised while no fault is latched; without it the tower light is red",
    HIT: "energised while a progressive hit waits",
    CALL: "energised while a floorperson or technician is called and has not come",
}
INPUTS = (*KEYS, *_OTHERS)
OUTPUTS = tuple(_OUTPUTS)
# Every pin that the usual board has free; 0, 1, 14 and 15 are its memory's and the console's.
_PINS = dict(zip(INPUTS, (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 22), strict=True))
_PINS |= dict(zip(OUTPUTS, (23, 24, 25, 26), strict=True))
# What nobody notices where a line is not wired; a table without a cover has a sign (x.5).
MISSED = {
    LOCK_AT_REST: "LOCK has no second contact: a broken button is found only when it is pressed",
    KEY_SWITCH: "there is no key switch: the floor can be there only at the console",
    DOOR: "no contact of the service door: nobody is told that it is open",
    HIT: "no lamp says that a progressive hit waits",
    CALL: "no lamp says that somebody is called",
}
NEVER_OPEN = "lock_wagers names no wager: what hangs on lock_open is never open"
# A cut wire looks like an open door, or like a pressed LOCK: the alarm, not the peace.
CLOSED_AT_REST = frozenset({LOCK_AT_REST, DOOR})


class WiredLine(NamedTuple):
    """One line."""

    name: str
    pin: int
    is_active_high: bool


class LinePlan(NamedTuple):
    """The lines that are wired."""

    inputs: tuple[WiredLine, ...]
    outputs: tuple[WiredLine, ...]
    pull: str


def _pin_option(name: str, words: str) -> Option:
    return Option(
        name, _PINS[name], f"pin (BCM) of {words}; -1 where it is not wired", low=NOT_WIRED, high=_LAST_PIN
    )


WIRING: Schema = (
    *(_pin_option(name, f"the key {key}") for name, key in KEYS.items()),
    *(_pin_option(name, words) for name, words in (_OTHERS | _OUTPUTS).items()),
    Option("inverted", "", "lines that are wired the other way than usual, by name"),
    Option("pull", "up", "the resistor of the inputs inside the chip", choices=("up", "down", "off")),
    Option("module", "RPi.GPIO", "the GPIO library"),
)


def make_plan(options: Mapping[str, Value], place: str) -> LinePlan:
    """Return the plan that the options describe; raise LineError for an unknown name or a pin given twice."""
    given = defaults(WIRING) | dict(options)
    inverted = str(given["inverted"]).split()
    for name in inverted:
        if name not in _PINS:
            raise LineError(ERRORS["E-LINE-002"], place, name=name, known=", ".join(_PINS))
    inputs = tuple(_lines(INPUTS, given, inverted))
    outputs = tuple(_lines(OUTPUTS, given, inverted))
    _verify((*inputs, *outputs), place)
    return LinePlan(inputs, outputs, str(given["pull"]))


def _lines(names: tuple[str, ...], given: Mapping[str, Value], inverted: list[str]) -> list[WiredLine]:
    # An input is active when its contact pulls it low; one closed at rest is active when it lets go.
    usual = CLOSED_AT_REST | frozenset(OUTPUTS)
    return [
        WiredLine(name, int(given[name]), (name in usual) != (name in inverted))
        for name in names
        if int(given[name]) != NOT_WIRED
    ]


def verify_pins(plan: LinePlan, place: str) -> None:
    """Raise LineError where a line is on a pin that the board needs for itself."""
    for line in (*plan.inputs, *plan.outputs):
        if line.pin in RESERVED:
            facts = {"name": line.name, "pin": line.pin, "owner": RESERVED[line.pin]}
            raise LineError(ERRORS["E-LINE-009"], place, **facts)


def _verify(lines: tuple[WiredLine, ...], place: str) -> None:
    taken: dict[int, str] = {}
    for line in lines:
        if line.pin in taken:
            facts = {
                "pin": line.pin,
                "first": _named(taken[line.pin], line),
                "second": _named(line.name, line),
            }
            raise LineError(ERRORS["E-LINE-001"], place, **facts)
        taken[line.pin] = line.name


def _named(name: str, line: WiredLine) -> str:
    """Return a line's name, with a word where its pin is the usual one and perhaps nobody wrote it."""
    return f"{name} (its usual pin)" if _PINS[name] == line.pin else name


SCHEMA: Schema = (
    *WIRING,
    Option("lock_wagers", "ante", "the wagers whose open spots energise the lock output"),
    Option("settle_ms", 8.0, "how long a key may bounce (LOCK counts at once)", low=1.0, high=100.0),
    Option("stuck_s", 60.0, "a key that is held so long is stuck", low=5.0, high=600.0),
)


def speaks_of(name: str, options: Mapping[str, Value]) -> Spoken:
    """Return keys, outputs and the lock's wagers; raise LineError for a pin reserved or given twice."""
    plan = make_plan(options, name)
    verify_pins(plan, name)
    wired = {line.name: line.pin for line in (*plan.inputs, *plan.outputs)}
    wagers = tuple(str(options["lock_wagers"]).split())
    return Spoken(
        wagers=wagers,
        has_lock_out=LOCK in wired,
        holds_lock=LOCK_OPEN in wired,
        shows_health=HEALTHY in wired,
        keys=tuple(key for line, key in KEYS.items() if line in wired),
        pins=tuple(wired.values()),
        lacks=(
            *(words for line, words in MISSED.items() if line not in wired),
            *(() if wagers or LOCK_OPEN not in wired else (NEVER_OPEN,)),
        ),
    )
