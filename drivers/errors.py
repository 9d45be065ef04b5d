"""Errors between the program and a device.

A driver never raises at the table: what goes wrong on a wire becomes an event. These errors are for people
who name a port, a driver or a test on the command line, and for the moment a device is opened.
"""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-LINK-001",
        "the port cannot be opened ({why})",
        "The cable is out, the name is wrong, or this user may not open it.",
        "Look at `sabot device list`, plug it in, or add the user to the group that owns the port.",
    ),
    (
        "E-LINK-002",
        "the port is in use by another program ({why})",
        "Two programs on one port would each read half of every message.",
        "Stop the other one (`fuser -v PORT` names it) or choose another port.",
    ),
    (
        "E-LINK-003",
        "no answer within {deadline_s} s, asked {tries} times",
        "The device is off, its line settings differ, or the line is broken.",
        "Watch the line with `sabot device monitor PORT`, then check power, baud rate and cable.",
    ),
    (
        "E-LINK-004",
        "the driver {driver!r} is not installed; the drivers are {known}",
        "The name is misspelt, or the package that brings this driver is missing.",
        "Choose one of those or install the package that provides it.",
    ),
    (
        "E-LINK-005",
        "the package that provides the driver {driver!r} cannot be loaded ({why})",
        "The package is broken, or a library that it needs is missing.",
        "Reinstall the package with its dependencies.",
    ),
    (
        "E-LINK-006",
        "the device could not be asked ({why})",
        "The line went down before the answer came, or was down already.",
        "Look at `sabot device list`, then at the cable and the power of the device.",
    ),
    (
        "E-LINK-007",
        "{driver!r} is not the name of a convention; those that can be watched are {known}",
        "The name is misspelt, or the device is not on a serial line.",
        "Choose one of those; a device on USB or on lines is looked at with `sabot device test`.",
    ),
    (
        "E-LINK-008",
        "{option!r} is {value!r}, expected {bound}",
        "The option is written another way.",
        "Write it so in the table file, or take it out for the default.",
    ),
    (
        "E-LINK-009",
        "{one} and {other} are swapped: {said}",
        "Their two cables were exchanged, or their ports in the table file.",
        "Exchange the two plugs, or the two `port` lines; they come back by themselves, then floor: RELEASE.",
    ),
    (
        "E-LINK-010",
        "{guest} is on the port of {owner}: {said}",
        "A cable was put into the port of another device, or the table file names the wrong port.",
        "Put the plug of {guest} into its own port and that of {owner} back, or mend the `port` lines.",
    ),
)


class LinkError(SabotError):
    """A port that cannot be opened, or a device that does not answer."""


class DriverError(SabotError):
    """A driver that is not there."""
