"""The meter sign: the Alpha protocol of BetaBrite and its kin, read back and never authenticated."""

from collections.abc import Mapping

from sabot.drivers.alpha.codec import AlphaCodec
from sabot.drivers.alpha.files import describe, packet_of
from sabot.drivers.alpha.profile import SCHEMA, speaks_of
from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.device import Driver, DriverKind, Host
from sabot.drivers.options import Value

TITLE = "meter sign (Alpha protocol)"


def make(name: str, options: Mapping[str, Value], host: Host) -> Driver:
    """The driver; its library is loaded only now."""
    from sabot.drivers.alpha.driver import AlphaDriver  # noqa: PLC0415 - without a sign no pyserial

    return AlphaDriver(name, options, host)


KIND = DriverKind("alpha", TITLE, "serial", SCHEMA, make, speaks_of)
CONVENTION = Convention(
    name="alpha",
    title=TITLE,
    line=LineSettings(baud=9600, bits=7, parity="E", dtr=False),
    codec=AlphaCodec,
    describe=describe,
    compose=lambda words: AlphaCodec().encode(packet_of(words)),
)
