"""Errors of the lines before the first edge: how they are wired, and the library beneath."""

from sabot.drivers.errors import LinkError
from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-LINE-001",
        "the pin {pin} is given to {first} and to {second}",
        "Two lines cannot share a pin.",
        "Give one another pin, or -1; a line that the file leaves out has its usual one (docs/wiring.md).",
    ),
    (
        "E-LINE-002",
        "there is no line {name!r}; the lines are {known}",
        "The name is misspelt.",
        "Choose one of those.",
    ),
    (
        "E-LINE-003",
        "the GPIO library {module!r} cannot be loaded ({why})",
        "It is not installed, or this is no Raspberry Pi.",
        "Install the extra `sabot[gpio]`, or name another module.",
    ),
    (
        "E-LINE-004",
        "the lines cannot be had ({why})",
        "Another program holds a pin, this user may not open the GPIO chip, or the chip is not there.",
        "Stop the other program (`gpioinfo` names it), or add the user to the group gpio.",
    ),
    (
        "E-LINE-005",
        "the lines do not work any more ({why})",
        "The GPIO chip went away under the program.",
        "Let the service start again: this process cannot have the chip back.",
    ),
    (
        "E-LINE-006",
        "{text!r} is no line and pin",
        "A line is given as name=pin, as in lock_open=23.",
        "Correct it, or take the plan from a file with --file.",
    ),
    (
        "E-LINE-007",
        "{why}",
        'The file is no TOML, or no table in it has driver = "lines".',
        "Name the table file, or give the lines as name=pin.",
    ),
    (
        "E-LINE-008",
        "not every output is at its safe level: {failed}",
        "A pin is held by another program, or the chip is gone.",
        "Cut the power of the outputs: without it every one of them is safe (docs/wiring.md).",
    ),
    (
        "E-LINE-009",
        "{name} is on pin {pin}, which belongs to {owner}",
        "A contact or a relay there would disturb the board itself.",
        "Wire it to another pin of docs/wiring.md and write that one.",
    ),
    (
        "E-LINE-010",
        "there is no pin {pin}",
        "The pins have BCM numbers, 2 to 27 without 14 and 15.",
        "Give the BCM number of the pin (docs/wiring.md), not its place on the header.",
    ),
)


class LineError(SabotError):
    """A plan of lines that cannot be."""


class LinesGoneError(LinkError):
    """Lines that cannot be opened, read or driven."""
