"""The options of a device that speaks Sabot Link in the table file."""

from collections.abc import Mapping

from sabot.drivers.device import Spoken
from sabot.drivers.options import Option, Schema, Value, defaults
from sabot.drivers.sabot_link.words import COLORS

_PIN = "Take only the device that says this of itself; empty takes any."
_COLOR = "The backs of deck {}; unknown takes the color that most of its cards have."

SCHEMA: Schema = (
    Option("port", None, "The serial port, best by its name under /dev/serial/by-id.", kind=str),
    Option("baud", 115200, "The speed of the line.", 1200, 4_000_000),
    Option(
        "duty",
        "both",
        "What it does at this table: a shuffler beside another shoe passes over orders to dispense.",
        choices=("both", "shuffle", "dispense"),
    ),
    Option("authenticated", True, "Let the device prove itself with the key that was enrolled."),
    Option("identities", True, "Ask for the cards of each stack; false where the table needs counts only."),
    Option("confidence", 90, "Below this many percent a card counts as not read.", 0, 100),
    Option("color_a", "unknown", _COLOR.format("A"), choices=COLORS),
    Option("color_b", "unknown", _COLOR.format("B"), choices=COLORS),
    Option("stack_s", 10.0, "A stack that was accepted comes within so many seconds.", 1, 60),
    Option("cycle_s", 240.0, "A cycle that began ends within so many seconds.", 10, 900),
    Option("busy_s", 60.0, "A busy device is ordered a stack again for so many seconds.", 1, 900),
    Option("taken_s", 120.0, "What lies in an exit that is sensed is taken within so many seconds.", 10, 900),
    Option("load_s", 300.0, "A deck that was to be shuffled is put in within so many seconds.", 10, 3600),
    Option("maker", "", _PIN),
    Option("model", "", _PIN),
    Option("serial", "", _PIN),
    Option("firmware", "", _PIN),
)


def speaks_of(_name: str, options: Mapping[str, Value]) -> Spoken:
    """Return what it tells of stacks and shuffles, by its duty."""
    given = defaults(SCHEMA) | dict(options)
    told = ("stack", "count_only") if given["identities"] else ("count_only",)
    return Spoken(
        knows=told if given["duty"] != "shuffle" else (), counts_shuffles=given["duty"] != "dispense"
    )
