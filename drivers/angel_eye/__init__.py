"""The reading shoe: a dialect of the Angel Eye II-EX, card by card and never authenticated."""

from collections.abc import Mapping

from sabot.drivers.angel_eye.codec import AngelEyeCodec
from sabot.drivers.angel_eye.messages import ASK, Message, Nak, Report, ShoeAck, command_of, describe
from sabot.drivers.angel_eye.profile import SCHEMA, speaks_of
from sabot.drivers.convention import Convention, LineSettings, Recognition
from sabot.drivers.device import Driver, DriverKind, Host
from sabot.drivers.options import Value, defaults

TITLE = "reading shoe (Angel Eye II-EX dialect)"


def make(name: str, options: Mapping[str, Value], host: Host) -> Driver:
    """Return the driver; its library is loaded only now."""
    from sabot.drivers.angel_eye.driver import AngelEyeDriver  # noqa: PLC0415 - without a shoe no pyserial

    return AngelEyeDriver(name, options, host)


def recognition(options: Mapping[str, Value]) -> Recognition:
    """Return how a shoe is recognised: by any report, or by acknowledging the question."""
    said = defaults(SCHEMA) | dict(options)

    def codec() -> AngelEyeCodec:
        return AngelEyeCodec(said)

    line = LineSettings(baud=int(said["baud"]))
    return Recognition(line, codec, lambda: codec().encode(ASK), _is_voice, _is_answer, 0.4)


def _is_voice(message: Message) -> bool:
    return isinstance(message, Report)


def _is_answer(message: Message) -> bool:
    # One byte, which noise has too: it counts only as the answer to a question, and twice.
    return isinstance(message, (ShoeAck, Nak))


KIND = DriverKind("angel-eye", TITLE, "serial", SCHEMA, make, speaks_of, recognition)
CONVENTION = Convention(
    name="angel-eye",
    title=TITLE,
    line=LineSettings(baud=4800),
    codec=AngelEyeCodec,
    describe=describe,
    compose=lambda words: AngelEyeCodec().encode(command_of(words)),
)
