"""Sabot Link: shufflers, packet shoes and whatever speaks the convention of `docs/sabot-link.md`.

The layers, from the wire up: ``frame`` (COBS and CRC), ``codec`` (headers and messages), ``reliable`` and
``session`` (one session, from greeting to end), ``talk`` and ``card_machine`` (one device over all its
sessions), with ``reporter`` that turns what it says into events; ``driver`` puts it on a port. Here stand the
options of such a device in the table file, and how it is known on the port of another.
"""

import os
from collections.abc import Mapping
from functools import partial

from sabot.drivers.convention import Convention, LineSettings, Recognition
from sabot.drivers.device import DriverKind, Spoken
from sabot.drivers.options import Option, Schema, Value, defaults
from sabot.drivers.sabot_link.codec import Frame, SabotLinkCodec
from sabot.drivers.sabot_link.driver import NAME, SabotLinkDriver
from sabot.drivers.sabot_link.messages import IdentityTold
from sabot.drivers.sabot_link.monitor import compose, describe
from sabot.drivers.sabot_link.session import GREETING_DEADLINE_S, hello_to_a_stranger
from sabot.drivers.sabot_link.words import CARD_MACHINES, COLORS

BAUD = 115200
_PIN = "Take only the device that says this of itself; empty takes any."
_COLOR = "The backs of deck {}; unknown takes the color that most of its cards have."

SCHEMA: Schema = (
    Option("port", None, "The serial port, best by its name under /dev/serial/by-id.", kind=str),
    Option("baud", BAUD, "The speed of the line.", 1200, 4_000_000),
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


def known_as(kinds: frozenset[int], options: Mapping[str, Value]) -> Recognition:
    """Return how a device of these kinds is recognised: by its IDENTITY, which answers a HELLO."""

    # Nothing follows that HELLO: it opens no session, and the device holds its cards as before.
    def is_voice(frame: Frame) -> bool:
        return isinstance(frame.message, IdentityTold) and frame.message.kind in kinds

    return Recognition(
        LineSettings(baud=int(options.get("baud", BAUD))),
        SabotLinkCodec,
        lambda: hello_to_a_stranger(os.urandom),
        is_voice,
        lambda _message: False,
        GREETING_DEADLINE_S,
    )


TITLE = "Sabot Link: shuffler, packet shoe"

KIND = DriverKind(NAME, TITLE, "serial", SCHEMA, SabotLinkDriver, speaks_of, partial(known_as, CARD_MACHINES))
CONVENTION = Convention("sabot-link", TITLE, LineSettings(baud=BAUD), SabotLinkCodec, describe, compose)
