"""The dealer's display: an ESC/POS customer display of two lines that never answers."""

from collections.abc import Mapping

from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.device import Driver, DriverKind, Host, Spoken
from sabot.drivers.escpos.codec import EscposCodec, describe, message_of
from sabot.drivers.escpos.profile import SCHEMA
from sabot.drivers.options import Value

TITLE = "dealer display (ESC/POS, 2 x 20)"


def make(name: str, options: Mapping[str, Value], host: Host) -> Driver:
    """Return the driver; its library is loaded only now."""
    from sabot.drivers.escpos.driver import EscposDriver  # noqa: PLC0415 - without a display no pyserial

    return EscposDriver(name, options, host)


def speaks_of(_name: str, _options: Mapping[str, Value]) -> Spoken:
    """Return that it shows prompts."""
    return Spoken(shows_prompts=True)


KIND = DriverKind("escpos", TITLE, "serial", SCHEMA, make, speaks_of)
CONVENTION = Convention(
    name="escpos",
    title=TITLE,
    line=LineSettings(),
    codec=EscposCodec,
    describe=describe,
    compose=lambda words: EscposCodec().encode(message_of(words)),
)
