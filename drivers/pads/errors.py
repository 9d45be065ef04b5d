"""Errors of bet pads before the first report: their map, and the USB beneath."""

from sabot.drivers.errors import LinkError
from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-PAD-001",
        "{spot!r} is no spot of a table with {seats} seats",
        "A spot is written as in ante (each seat the same) or 3.ante (spot by spot), and both do not mix.",
        "Correct the option `spots`; - stands for a spot of the pad that is not used.",
    ),
    (
        "E-PAD-002",
        "{count} spots are named, and a pad has 1 to {most}",
        "The option `spots` is empty, or it names the spots of one seat and there are too many seats.",
        "Name the spots of the pad in its order.",
    ),
    (
        "E-PAD-003",
        "the spot {spot} is named twice",
        "Two sensors cannot report one wager.",
        "Give each spot of the pad a wager of its own, or - where it is not used.",
    ),
    (
        "E-PAD-004",
        "the USB backend {backend!r} cannot be had ({why})",
        "It is written as module:factory or module:factory:argument, and names something that is not there.",
        "Leave the option out to take libusb.",
    ),
    (
        "E-PAD-005",
        "no USB library is installed ({why})",
        "The Python package is there, but libusb-1.0 is not.",
        "Install it: sudo apt-get install libusb-1.0-0.",
    ),
    (
        "E-PAD-006",
        "no pad is plugged in{serial}",
        "The cable is out, the pad has no power, or udevd does not run: libusb needs it to see what is new.",
        "Look with `lsusb -v` for an interface of class 255, subclass 83; see docs/wiring.md on udevd.",
    ),
    (
        "E-PAD-007",
        "the pad was there and does not work any more ({why})",
        "It was unplugged, lost power, is used by another program, or this user may not open it.",
        "Plug it in, stop the other program, or install the udev rule that gives the pad to the group.",
    ),
)


class PadError(SabotError):
    """A description of pads that cannot be."""


class PadGoneError(LinkError):
    """A pad that cannot be opened or read."""
