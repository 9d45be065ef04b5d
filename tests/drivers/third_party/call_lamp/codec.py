"""The words of a call lamp: lines of text that end with a newline."""

from collections.abc import Mapping
from typing import NamedTuple

from sabot.drivers.convention import Statistics
from sabot.drivers.options import Value

LONGEST = 64
KNOWN = ("CALL", "LAMP on", "LAMP off", "WHO", "I AM ")


class Line(NamedTuple):
    """One line, without its end."""

    words: str


class LampCodec:
    """Bytes in, lines out; it keeps at most one unfinished line."""

    def __init__(self, _options: Mapping[str, Value] | None = None) -> None:
        self.statistics = Statistics()
        self._kept = b""

    def receive(self, data: bytes) -> list[Line]:
        """The lines that these bytes complete, those that mean nothing left out."""
        *whole, self._kept = (self._kept + data).split(b"\n")
        if len(self._kept) > LONGEST:
            self._kept = self._kept[-LONGEST:]
            self.statistics.resyncs += 1
        self.statistics.buffer_high_water = max(self.statistics.buffer_high_water, len(self._kept))
        return [line for raw in whole if (line := self._read(raw)) is not None]

    def _read(self, raw: bytes) -> Line | None:
        words = raw.decode("ascii", errors="replace")
        if len(raw) > LONGEST or not words.startswith(KNOWN):
            self.statistics.refused += 1
            return None
        self.statistics.frames_in += 1
        return Line(words)

    def encode(self, message: Line) -> bytes:
        """The bytes of a line."""
        self.statistics.frames_out += 1
        return message.words.encode("ascii") + b"\n"
