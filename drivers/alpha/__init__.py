"""The meter sign: the Alpha protocol of BetaBrite and its kin, read back and never authenticated."""

from collections.abc import Mapping
from dataclasses import replace

from sabot.drivers.alpha.codec import ANSWER, AlphaCodec, Packet
from sabot.drivers.alpha.files import ask_memory, describe, packet_of
from sabot.drivers.alpha.profile import SCHEMA, profile_of, speaks_of
from sabot.drivers.convention import Convention, LineSettings, Recognition
from sabot.drivers.device import Driver, DriverKind, Host
from sabot.drivers.options import Value

TITLE = "meter sign (Alpha protocol)"


def make(name: str, options: Mapping[str, Value], host: Host) -> Driver:
    """Return the driver; its library is loaded only now."""
    from sabot.drivers.alpha.driver import AlphaDriver  # noqa: PLC0415 - without a sign no pyserial

    return AlphaDriver(name, options, host)


def recognition(options: Mapping[str, Value]) -> Recognition | None:
    """Return how a sign is recognised, by its answer to how its memory is laid out; None for a mute one."""
    profile = profile_of(options)
    if not profile.reads_back:
        return None
    asked = replace(ask_memory(), kind=profile.sign_type, address=profile.address)
    return Recognition(
        profile.line, AlphaCodec, lambda: AlphaCodec().encode(asked), _is_voice, lambda _message: False, 0.7
    )


def _is_voice(packet: Packet) -> bool:
    # An echo of the question has a checksum too, but is addressed to signs and not marked as an answer.
    return packet.kind == ANSWER and packet.is_checked


KIND = DriverKind("alpha", TITLE, "serial", SCHEMA, make, speaks_of, recognition)
CONVENTION = Convention(
    name="alpha",
    title=TITLE,
    line=LineSettings(baud=9600, bits=7, parity="E", dtr=False),
    codec=AlphaCodec,
    describe=describe,
    compose=lambda words: AlphaCodec().encode(packet_of(words)),
)
