"""A convention of the wire for those who only listen: the line analyser, the raw sender, the fuzzer.

A codec speaks the device's messages and does no input or output: bytes go in, messages come out. It never
raises on noise, keeps a bounded buffer, and reads the first good frame after garbage.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from sabot.drivers.options import Value
from sabot.rules.frozen import frozen


@dataclass(slots=True)
class Statistics:
    """Counters of a link since it was started."""

    frames_in: int = 0
    frames_out: int = 0
    crc_errors: int = 0
    resyncs: int = 0
    duplicates: int = 0
    retries: int = 0
    late_answers: int = 0
    refused: int = 0
    opened: int = 0
    buffer_high_water: int = 0


@frozen
class LineSettings:
    """The settings with which a serial line is opened."""

    baud: int = 9600
    bits: int = 8
    parity: str = "N"
    stop: int = 1
    dtr: bool = True
    rts: bool = True


Message = TypeVar("Message")


class Codec(Protocol[Message]):
    """The bytes of a convention, as messages and back."""

    statistics: Statistics

    def receive(self, data: bytes) -> list[Message]:
        """Return the messages that these bytes complete; the rest is kept, within bounds."""

    def encode(self, message: Message) -> bytes:
        """Return the bytes of one message."""


class Recognition(NamedTuple):
    """The signs by which a device is recognised on a port where another one was expected.

    ``question`` asks who is there; it moves no card and changes nothing, whoever hears it. ``is_voice`` says
    that only such a device says this; ``is_answer`` is for what noise could say too: it counts when it was
    had twice, each time as the answer to a question. An echo of the question must be neither.
    """

    line: LineSettings
    codec: Callable[[], "Codec[Any]"]
    question: Callable[[], bytes]
    is_voice: Callable[[Any], bool]
    is_answer: Callable[[Any], bool]
    deadline_s: float


class Convention(NamedTuple):
    """A convention by name, for those who listen to a line without a table.

    ``describe`` puts a message in words, with its cards only where ``show_cards`` says so; ``compose`` makes
    bytes of a technician's words for `sabot device send`.
    """

    name: str
    title: str
    line: LineSettings
    codec: Callable[[Mapping[str, Value]], "Codec[Any]"]
    describe: Callable[[Any, bool], str]
    compose: Callable[[str], bytes]
