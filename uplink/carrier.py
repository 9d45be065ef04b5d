"""``sabot-uplink``: carries between a table's program and the broker, and understands nothing of it.

It has the only network of the board, so it has nothing else: no key that moves money, no memory, no file
but its settings and certificate. What the table says it passes on, what the floor says it passes back; both
ends see for themselves what is signed, what is missing and what came twice. Where one side is away or does
not keep up, what the other says is let go: it is said again.
"""

# Theory of operation. Two threads. This one calls the table's socket, waits on it and publishes what comes
# (``_turn``); the library's brings what the floor says and writes it to the socket (``_heard``). The lock is
# for the one thing that both use, which socket is the present one. Nothing is queued: a packet that the table
# does not take, and one that comes while there is no table, is dropped, and both ends repair that by their
# numbers. What breaks in the library's thread is kept and raised here, so that the process ends aloud and the
# service manager starts it anew, with nothing to lose.

import argparse
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from sabot.config.reader import Section, read_toml
from sabot.floor import broker, wire
from sabot.floor.broker import Address, Broker
from sabot.floor.settings import read_address
from sabot.rules.errors import SabotError
from sabot.uplink import packets
from sabot.uplink.packets import LinkGone
from sabot.uplink.telemetry import Telemetry, TelemetryTerms

SETTINGS = "/etc/sabot/uplink.toml"
SOCKET = "/run/sabot-link/table"
TICK_S = 0.5
# A name with one of these would be another topic, or many.
NO_TOPIC = "/+#"
DONE, BAD_INPUT = 0, 2

Said = Callable[[str], None]


class UplinkSettings(NamedTuple):
    """The settings of an uplink."""

    table: str
    socket: Path
    broker: Address
    telemetry: TelemetryTerms | None = None


def read_settings(path: Path) -> UplinkSettings:
    """Return the settings of a file; raise ConfigError at the first slip."""
    root = Section(str(path), "", read_toml(path))
    table = root.text("table")
    if not wire.name(table) or set(table) & set(NO_TOPIC):
        raise root.wrong("table", table, "the name of a table, as it is enrolled at the floor")
    address = read_address(root.section("broker"))
    telemetry = _telemetry(root.maybe("telemetry"), table, address)
    found = UplinkSettings(table, Path(root.text("socket", SOCKET)), address, telemetry)
    root.finish()
    return found


def _telemetry(part: Section | None, table: str, address: Address) -> TelemetryTerms | None:
    """Return the terms of telemetry, by the link's broker where no other is named; None without this part."""
    if part is None:
        return None
    own = part.maybe("broker")
    names = [part.text("group"), part.text("node", table), part.text("host", "-")]
    for key, each in zip(("group", "node", "host"), names, strict=True):
        if set(each) & set(NO_TOPIC):
            raise part.wrong(key, each, "a name without / + #")
    group, node, host = names
    host = host if host != "-" else ""
    return TelemetryTerms(
        read_address(own) if own else address, group, node, host, part.flag("aliases", default=True)
    )


class Carrier:
    """Carries for one table."""

    def __init__(self, settings: UplinkSettings, said: Said) -> None:
        self._settings, self._said = settings, said
        self._up = broker.up(settings.table)
        self._down = broker.down(settings.table)
        self._state = broker.state(settings.table)
        self._line: socket.socket | None = None
        self._told: str | None = None
        self._shown: str | None = None
        self._lock = threading.Lock()
        self._broker = Broker(settings.broker, f"table-{settings.table}", self._heard)
        self._telemetry = Telemetry(settings.telemetry) if settings.telemetry else None

    def run(self, stop: threading.Event) -> None:
        """Carry until told to stop; raise what broke in a thread of the library."""
        self._broker.listen(frozenset({self._down}))
        self._broker.begin()
        if self._telemetry is not None:
            self._telemetry.begin()
        try:
            while not stop.is_set():
                self._turn()
                # The library's threads cannot end the process; this one
                # does, and the service manager starts it again.
                self._raise_what_broke()
        finally:
            self._broker.end()
            if self._telemetry is not None:
                self._telemetry.end()
            self._hang_up()

    def _raise_what_broke(self) -> None:
        failed = self._broker.failed or (self._telemetry.failed if self._telemetry else None)
        if failed:
            raise failed

    # ------------------------------------------------------------ the table

    def _turn(self) -> None:
        line = self._line or self._call()
        self._show(self._broker.trouble)
        if line is None:
            time.sleep(TICK_S)
            return
        self._tell(line, self._broker.trouble)
        if self._line is not line:  # the table was gone when it was told
            return
        ready, _, _ = select.select([line], [], [], TICK_S)
        if ready:
            self._carry(line)

    def _call(self) -> socket.socket | None:
        """Call the table's program, and return the line; None where it is not there yet."""
        line = packets.packet_socket()
        try:
            line.connect(str(self._settings.socket))
        except OSError:
            line.close()
            return None
        with self._lock:
            # None, so that a new line is told at once how it stands with the broker.
            self._line, self._told = line, None
        return line

    def _hang_up(self) -> None:
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            line.close()

    def _carry(self, line: socket.socket) -> None:
        """Carry everything that the table has said."""
        try:
            while word := packets.receive(line, packets.OF_TABLE):
                what, payload = word
                if what == packets.SAY:
                    self._broker.say(self._up, payload)
                elif what == packets.STATE:
                    self._broker.say(self._state, payload)
                    if self._telemetry is not None:
                        self._telemetry.hear(payload)
                else:
                    values = {broker.value(link) for link in packets.links_of(payload)}
                    self._broker.listen(frozenset({self._down, *values}))
        except (LinkGone, ValueError):  # a link whose name is no topic is no link
            self._hang_up()

    def _tell(self, line: socket.socket, trouble: str) -> None:
        """Tell the table that the broker came or went, and why."""
        if trouble != self._told:
            self._told = trouble
            try:
                packets.send(line, packets.BROKER, trouble.encode()[:200])
            except LinkGone:
                self._hang_up()

    def _show(self, trouble: str) -> None:
        if trouble != self._shown:
            self._shown = trouble
            self._said(f"broker: {trouble or 'connected'}")

    # ------------------------------------------------------------ the broker's thread

    def _heard(self, _topic: str, payload: bytes) -> None:
        with self._lock:
            # The word is one byte more. What is longer is no payload of the floor.
            if self._line is not None and len(payload) < packets.MOST_PACKET:
                try:
                    packets.send(self._line, packets.HEARD, payload)
                except LinkGone:
                    return  # the other thread sees it too, and calls again


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``sabot-uplink`` until SIGTERM; return the exit code."""
    parser = argparse.ArgumentParser(prog="sabot-uplink", description="carry between a table and the floor")
    parser.add_argument("settings", type=Path, nargs="?", default=Path(SETTINGS))
    args = parser.parse_args(argv)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    try:
        Carrier(read_settings(args.settings), lambda text: print(text, flush=True)).run(stop)
    except SabotError as error:
        print(f"sabot-uplink: {error}", file=sys.stderr)
        return BAD_INPUT
    return DONE


if __name__ == "__main__":
    sys.exit(main())
