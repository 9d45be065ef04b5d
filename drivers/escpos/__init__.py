"""The dealer's display: an ESC/POS customer display of two lines that never answers.

Here stand its options in the table file, in which one display differs from the next.
"""

from collections.abc import Mapping

from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.device import Driver, DriverKind, Host, Spoken
from sabot.drivers.escpos.codec import EscposCodec, describe, message_of
from sabot.drivers.options import Option, Schema, Value

TITLE = "dealer display (ESC/POS, 2 x 20)"
SCHEMA: Schema = (
    Option("port", None, "the serial port, best by its stable name", kind=str),
    Option("baud", 9600, "speed of the line", choices=(2400, 4800, 9600, 19200)),
    Option("brightness", 4, "how bright it is", low=1, high=4),
    Option("high_codes", "", "characters beyond ASCII that its test pattern showed right"),
    Option("presence", "none", "the modem line that says it is there", choices=("none", "dsr", "cts", "cd")),
    Option("presence_s", 1.0, "seconds between two looks at that line", low=0.05, high=60.0),
    Option("refresh_s", 30.0, "seconds until everything is sent again", low=1.0, high=3600.0),
    Option("scroll_s", 0.4, "seconds a step where a line does not fit", low=0.05, high=10.0),
)


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
