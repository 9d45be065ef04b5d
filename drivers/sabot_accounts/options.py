"""The options of an electronic wagering system in the table file."""

from collections.abc import Mapping

from sabot.drivers.device import Spoken
from sabot.drivers.errors import ERRORS, DriverError
from sabot.drivers.options import Option, Schema, Value, defaults

SEATS = 30
_PIN = "Take only the system that says this of itself; empty takes any."

SCHEMA: Schema = (
    Option("port", None, "The serial port, best by its name under /dev/serial/by-id.", kind=str),
    Option("baud", 115200, "The speed of the line.", 1200, 4_000_000),
    Option("wagers", None, "The wagers of each station in its order, by their names.", kind=str),
    Option("seats", 7, "How many positions have a station, from 1 on.", 1, SEATS),
    Option("beside", "ante", "While spots of this wager are open, stations take wagers."),
    Option("authenticated", True, "Let the system prove itself with the key that was enrolled."),
    Option("maker", "", _PIN),
    Option("model", "", _PIN),
    Option("serial", "", _PIN),
    Option("firmware", "", _PIN),
)


def wagers_of(name: str, options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the wagers by number; raise DriverError for none, or for a name that stands twice."""
    wagers = tuple(str(options.get("wagers", "")).split())
    if not wagers or len(set(wagers)) != len(wagers):
        value, bound = " ".join(wagers), "names of wagers, each once"
        raise DriverError(ERRORS["E-LINK-008"], name, option="wagers", value=value, bound=bound)
    return wagers


def speaks_of(name: str, options: Mapping[str, Value]) -> Spoken:
    """Return which wagers it brings, and from where."""
    given = defaults(SCHEMA) | dict(options)
    seats = range(1, int(given["seats"]) + 1)
    return Spoken(accounts=tuple((seat, wager) for seat in seats for wager in wagers_of(name, given)))
