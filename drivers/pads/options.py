"""The options of pads in the table file."""

from collections.abc import Mapping
from typing import NamedTuple

from sabot.drivers.device import PINS, Spoken
from sabot.drivers.options import Option, Schema, Value, defaults
from sabot.drivers.pads.messages import SEATS
from sabot.drivers.pads.spots import SpotMap, parse_spots
from sabot.drivers.pads.usb import WantedPad

SCHEMA: Schema = (
    Option(
        "spots",
        None,
        "the pad's spots in its order: `ante play` for each seat, or `1.ante 1.play …`",
        kind=str,
    ),
    Option("seats", 7, "how many seats the pad has", low=1, high=SEATS),
    Option(
        "sensing", "value", "what counts of a report: values, or presence only", choices=("value", "presence")
    ),
    Option("authenticated", default=True, words="whether the pad must prove itself with its enrolled key"),
    Option("expect_s", 60.0, "how long the dealer's hand is expected on a spot", low=1.0, high=600.0),
    *PINS,
    Option("backend", "", "the USB library as module:factory or module:factory:argument; empty is libusb"),
)


class Chosen(NamedTuple):
    """The options of one pad, read."""

    spots: SpotMap
    has_values: bool
    authenticated: bool
    expect_s: float
    wanted: WantedPad
    pins: Mapping[str, Value]


def choose(name: str, options: Mapping[str, Value]) -> Chosen:
    """Return the options as they are meant; raise PadError for what they cannot mean."""
    given = defaults(SCHEMA) | dict(options)
    return Chosen(
        parse_spots(str(given.get("spots", "")), int(given["seats"]), name),
        given["sensing"] == "value",
        bool(given["authenticated"]),
        float(given["expect_s"]),
        WantedPad(str(given["pin_serial"]), str(given["backend"])),
        {pin.name: given[pin.name] for pin in PINS},
    )


def speaks_of(name: str, options: Mapping[str, Value]) -> Spoken:
    """Return the spots of the pad."""
    return Spoken(spots=tuple(choose(name, options).spots.by_number.values()))
