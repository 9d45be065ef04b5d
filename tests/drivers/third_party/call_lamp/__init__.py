"""A call lamp for Sabot."""

from call_lamp.codec import LampCodec, Line
from call_lamp.driver import LINE, SCHEMA, CallLampDriver
from sabot.drivers.convention import Convention
from sabot.drivers.device import DriverKind


def describe(line: Line, _show_cards: bool) -> str:
    """A line says what it means; there are no cards in it."""
    return line.words


def compose(words: str) -> bytes:
    """What `sabot device send` is told, as it stands."""
    return LampCodec().encode(Line(words))


KIND = DriverKind("call-lamp", "call lamp with a button", "serial", SCHEMA, CallLampDriver)
CONVENTION = Convention("call-lamp", KIND.title, LINE, LampCodec, describe, compose)
