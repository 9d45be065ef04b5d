"""The two ends of a line, both of which write down what they hear."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sabot.drivers.convention import LineSettings
from sabot.drivers.serial_link import BackOff, SerialLink

SOON = BackOff(first_s=0.01, most_s=0.05)


@dataclass
class Ear:
    """The program's end."""

    downs: list[str] = field(default_factory=list)
    ups: int = 0
    data: bytearray = field(default_factory=bytearray)
    times: list[float] = field(default_factory=list)

    def link_up(self) -> None:
        self.ups += 1

    def link_down(self, reason: str) -> None:
        self.downs.append(reason)

    def received(self, data: bytes, at: float) -> None:
        self.data += data
        self.times.append(at)


@dataclass
class Echo:
    """A device that writes down what it hears, and says it again where it is told to."""

    answers: bool = False
    data: bytearray = field(default_factory=bytearray)
    write: Callable[[bytes], None] = print
    is_attached: bool = False

    def attached(self, write: Callable[[bytes], None]) -> None:
        self.write, self.is_attached = write, True

    def received(self, data: bytes) -> None:
        self.data += data
        if self.answers:
            self.write(data)

    def detached(self) -> None:
        self.is_attached = False


def link_to(name: str, ear: Ear, backoff: BackOff = SOON) -> SerialLink:
    return SerialLink(name, LineSettings(baud=115200), ear, now=time.monotonic, backoff=backoff)
