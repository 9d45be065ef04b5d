"""The few words between a table's program and its uplink: one packet of a Unix socket is one word.

The socket keeps packets apart (SOCK_SEQPACKET), so there is no framing to get wrong. The first byte is the
word, the rest what belongs to it; whatever else comes ends the connection. The table's program listens, the
uplink calls: it may be started, killed and replaced at any time.
"""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from sabot.floor.wire import MOST_BYTES

if TYPE_CHECKING:
    from pathlib import Path

SAY = b"U"  # the table: a payload for the floor
STATE = b"S"  # the table: how it is, a payload for whoever looks
LINKS = b"L"  # the table: the links whose values it wants, a list in JSON
HEARD = b"D"  # the uplink: a payload of the floor
BROKER = b"N"  # the uplink: nothing where it is connected, else why not
OF_TABLE, OF_UPLINK = (SAY, STATE, LINKS), (HEARD, BROKER)

# A payload, and the byte of its word.
MOST_PACKET = MOST_BYTES + 1
MOST_LINKS = 20
# Words heard in a row: an uplink that never ends its speech must not fill the table's memory.
MOST_AT_ONCE = 64
RIGHTS = 0o660


class LinkGone(Exception):  # noqa: N818 - it is no error: the other one went, or said what is no word
    """The other end is gone."""


def packet_socket() -> socket.socket:
    """Return a socket that keeps packets apart and never waits."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.setblocking(False)
    return line


def receive(line: socket.socket, known: tuple[bytes, ...]) -> tuple[bytes, bytes] | None:
    """Return the next word and what came with it, None where there is none yet; raise LinkGone at the end."""
    try:
        # One byte more than may come, so that a packet that was too long is seen and not cut.
        packet = line.recv(MOST_PACKET + 1)
    except BlockingIOError:
        return None
    except OSError as error:
        raise LinkGone from error
    if not packet or packet[:1] not in known or len(packet) > MOST_PACKET:
        raise LinkGone
    return packet[:1], packet[1:]


# A packet goes whole or not at all (SOCK_SEQPACKET): there is never half a word to send later.
def send(line: socket.socket, what: bytes, payload: bytes) -> bool:
    """Send a word; return False where the other end does not keep up; raise LinkGone where it is gone."""
    try:
        line.send(what + payload)
    except BlockingIOError:
        return False
    except OSError as error:
        raise LinkGone from error
    return True


def links_of(payload: bytes) -> list[str]:
    """Return the links that a table wants; raise LinkGone where this is no list of names."""
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise LinkGone from error
    if (
        not isinstance(found, list)
        or len(found) > MOST_LINKS
        or not all(isinstance(each, str) for each in found)
    ):
        raise LinkGone
    return found


class TableLine:
    """The socket of a table's program: it has one uplink at most, and the newest is the one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.is_socket():  # of a program that was killed; no other file is anybody's to remove
            path.unlink()
        self.listening = packet_socket()
        self.listening.bind(str(path))
        path.chmod(RIGHTS)
        self.listening.listen(1)
        self.line: socket.socket | None = None
        self.why_no_broker = "no uplink"
        self._links: list[str] = []

    def close(self) -> None:
        """Hang up, take no more calls, and remove the socket."""
        self._drop()
        self.listening.close()
        with suppress(OSError):
            self._path.unlink()

    def accept(self) -> None:
        """Take whoever calls; the one before is gone or will see that it is."""
        try:
            line, _ = self.listening.accept()
        except OSError:
            return
        self._drop()
        line.setblocking(False)
        self.line = line
        # An uplink remembers nothing: whoever calls is told first what is wanted.
        self._say(LINKS, json.dumps(self._links).encode())

    def want(self, links: list[str]) -> None:
        """Want the values of these links."""
        self._links = links
        self._say(LINKS, json.dumps(links).encode())

    def say(self, payload: bytes) -> None:
        """Hand over a payload for the floor, where there is an uplink."""
        self._say(SAY, payload)

    def report(self, payload: bytes) -> None:
        """Hand over how the table is, where there is an uplink."""
        self._say(STATE, payload)

    def hear(self) -> list[bytes]:
        """Return the payloads that came, a few at most, and note what the uplink says about its broker."""
        found: list[bytes] = []
        for _ in range(MOST_AT_ONCE):
            if self.line is None:
                break
            try:
                word = receive(self.line, OF_UPLINK)
            except LinkGone:
                self._drop()
                break
            if word is None:
                break
            what, payload = word
            if what == HEARD:
                found.append(payload)
            else:
                self.why_no_broker = payload.decode(errors="replace")[:200]
        return found

    def _say(self, what: bytes, payload: bytes) -> None:
        if self.line is not None:
            try:
                send(self.line, what, payload)
            except LinkGone:
                self._drop()

    def _drop(self) -> None:
        if self.line is not None:
            self.line.close()
        self.line, self.why_no_broker = None, "no uplink"
