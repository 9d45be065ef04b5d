"""A port held open for a person: everything that comes goes to the analyser, until it is enough."""

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from sabot.drivers.convention import LineSettings
from sabot.drivers.link import SerialLink
from sabot.drivers.port import close_port, open_port
from sabot.firmware.devices.analyser import AnalysedMessage, Analyser

QUIET_S = 0.3
BAUDS = (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)


@dataclass
class Listener:
    """Hears one line, and says each thing once."""

    analyser: Analyser
    say: Callable[[AnalysedMessage], None]
    is_up: asyncio.Event = field(default_factory=asyncio.Event)
    _quiet: asyncio.TimerHandle | None = None

    def link_up(self) -> None:
        """The port is open."""
        self.is_up.set()
        self.say(AnalysedMessage(time.time(), 0, None, "the port is open"))

    def link_down(self, reason: str) -> None:
        """The port is gone; it is looked for."""
        self.is_up.clear()
        self.say(AnalysedMessage(time.time(), 0, None, f"the port is gone: {reason}"))

    def received(self, data: bytes, at: float) -> None:
        """Bytes; what stays half a message is shown when the line falls silent."""
        for line in self.analyser.take(data, at):
            self.say(line)
        if self._quiet is not None:
            self._quiet.cancel()
        self._quiet = asyncio.get_running_loop().call_later(QUIET_S, self._fell_silent)

    def _fell_silent(self) -> None:
        for line in self.analyser.rest(time.time()):
            self.say(line)


async def listen(
    port: str, line: LineSettings, listener: Listener, seconds: float | None, send: Iterable[bytes] = ()
) -> None:
    """Listen so long (for ever without a time), sending something first; LinkError where no port is."""
    # Tried once by itself, so that a port that cannot be opened is said with its code.
    close_port(open_port(port, line))
    link = SerialLink(port, line, listener, now=time.time)
    link.start()
    try:
        async with asyncio.timeout(seconds):
            await listener.is_up.wait()
            for data in send:
                link.write(data)
            await asyncio.Event().wait()
    except TimeoutError:
        pass
    finally:
        await link.stop()


async def scan(
    port: str, line: LineSettings, make: Callable[[], Analyser], seconds: float
) -> list[tuple[int, Analyser]]:
    """Listen at each speed for a while; the one that makes the most sense comes first."""
    tried = []
    for baud in BAUDS:
        analyser = make()
        await listen(port, replace(line, baud=baud), Listener(analyser, lambda _line: None), seconds)
        tried.append((baud, analyser))
    return sorted(tried, key=lambda each: (each[1].share, each[1].messages), reverse=True)
