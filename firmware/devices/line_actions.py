"""`sabot device monitor` and `send`: a port opened by itself, and what is heard on it.

The port is held open for a person: everything that comes goes to the analyser, until it is enough.
"""

import argparse
import asyncio
import json
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.serial_link import SerialLink
from sabot.drivers.serial_port import close_port, open_port
from sabot.firmware.devices.analyser import AmountShown, AnalysedMessage, Analyser
from sabot.firmware.devices.arguments import bytes_of_hex, chosen_convention
from sabot.firmware.devices.open_table import is_table_open
from sabot.firmware.errors import CommandError
from sabot.rules.errors import SabotError

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
        """Say that the port is open."""
        self.is_up.set()
        self.say(AnalysedMessage(time.time(), 0, None, "the port is open"))

    def link_down(self, reason: str) -> None:
        """Say that the port is gone; it is looked for."""
        self.is_up.clear()
        self.say(AnalysedMessage(time.time(), 0, None, f"the port is gone: {reason}"))

    def received(self, data: bytes, at: float) -> None:
        """Show what bytes mean; half a message is shown when the line falls silent."""
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
    """Listen so long (for ever without a time), sending something first; raise where there is no port."""
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
    """Listen at each speed for a while; return those that make the most sense first."""
    tried = []
    for baud in BAUDS:
        analyser = make()
        await listen(port, replace(line, baud=baud), Listener(analyser, lambda _line: None), seconds)
        tried.append((baud, analyser))
    return sorted(tried, key=lambda each: (each[1].share, each[1].messages), reverse=True)


SCAN_S = 1.0
_NOT_SHOWN = "··"


async def monitor(args: argparse.Namespace) -> int:
    """Show what comes until the time is over or Ctrl-C; return 1 where it made no sense."""
    convention, options, line = chosen_convention(args)
    if args.scan:
        return await _scan(args)
    analyser = Analyser(convention, options, _shown(args))
    _announce(args, f"{convention.title} on {args.port}, {line.baud} {line.bits}{line.parity}{line.stop}")
    await _until_interrupted(listen(args.port, line, _listener(args, analyser), args.seconds))
    _announce(args, analyser.verdict())
    return int(analyser.looks_wrong)


async def _scan(args: argparse.Namespace) -> int:
    convention, options, line = chosen_convention(args)
    shown, seconds = _shown(args), args.seconds or SCAN_S
    found = await scan(args.port, line, lambda: Analyser(convention, options, shown), seconds)
    for baud, analyser in found:
        if args.json:
            row = {"baud": baud, "bytes": analyser.total, "share": round(analyser.share, 4)}
            print(json.dumps({**row, "messages": analyser.messages}))
        else:
            print(f"{baud:>7} baud: {analyser.verdict()}")
    return 0 if found[0][1].messages else 1


async def send(args: argparse.Namespace) -> int:
    """Send one message, and show what is answered."""
    convention, options, line = chosen_convention(args)
    data = _bytes_of(args, convention)
    if is_table_open():
        raise CommandError("E-CLI-008", "device send")
    _confirm(args, data)
    analyser = Analyser(convention, options, AmountShown.NO_CARDS)
    _announce(args, f"sending {data.hex(' ')}")
    await _until_interrupted(listen(args.port, line, _listener(args, analyser), args.seconds, [data]))
    _announce(args, analyser.verdict())
    return 0


def _bytes_of(args: argparse.Namespace, convention: Convention) -> bytes:
    if args.hex:
        return bytes_of_hex(args.hex, "--hex")
    try:
        return convention.compose(args.message)
    except SabotError:
        raise
    except (ValueError, KeyError, TypeError, OverflowError, IndexError) as error:
        raise CommandError("E-CLI-009", args.driver, text=args.message, why=error) from error


def _confirm(args: argparse.Namespace, data: bytes) -> None:
    """Ask before anything is sent to a device: a hand slips easily."""
    if args.yes:
        return
    if not sys.stdin.isatty():
        raise CommandError("E-CLI-007", "device send", what="sending to a device")
    answer = input(f"send {data.hex(' ')} to {args.port}? [y/N] ")
    if answer.strip().lower() not in ("y", "yes"):
        raise KeyboardInterrupt


def _shown(args: argparse.Namespace) -> AmountShown:
    if is_table_open():
        return AmountShown.WORDS_ONLY
    return AmountShown.ALL if args.show_cards else AmountShown.NO_CARDS


def _listener(args: argparse.Namespace, analyser: Analyser) -> Listener:
    def say(line: AnalysedMessage) -> None:
        print(json.dumps(line.as_json()) if args.json else _line(line), flush=True)

    return Listener(analyser, say)


def _line(line: AnalysedMessage) -> str:
    stamp = datetime.fromtimestamp(line.at, UTC).strftime("%H:%M:%S.%f")[:-3]
    shown = " ".join([_NOT_SHOWN] * line.count) if line.data is None else line.data.hex(" ")
    return f"{stamp}  {shown:<36}  {line.words}".rstrip() if line.count else f"{stamp}  -- {line.words}"


def _announce(args: argparse.Namespace, words: str) -> None:
    """Print words about the line where they disturb no program that reads the answer."""
    print(words, file=sys.stderr if args.json else sys.stdout, flush=True)


async def _until_interrupted(work: Coroutine[object, object, None]) -> None:
    """Let Ctrl-C end the listening and not the command: the verdict is still to come."""
    task = asyncio.ensure_future(work)
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    with suppress(asyncio.CancelledError):
        await task
