"""The console's socket: who may connect, how many at once, and that each leaves without a trace.

The socket belongs to a group of people (rights 0660); the kernel says which user is at the other end, and the
journal keeps it. It is served by the program's own loop: the table's state is read where it is written, with
no lock, and what could take long is read in small pieces on threads.
"""

import asyncio
import os
import socket
import struct
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import structlog

from sabot.firmware.console.catalogue import COMMANDS
from sabot.firmware.console.command import Command
from sabot.firmware.console.dispatcher import CommandDispatcher
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.line import Bucket, ConsoleLine
from sabot.firmware.console.program import ConsoleProgram
from sabot.firmware.console.session import ConsoleSession, Peer
from sabot.firmware.console.wire import LONGEST_LINE, line_of

MOST_CONSOLES = 8
# The board's own serial console is a user apart: whoever has the others' user leaves it a place.
MOST_OF_ONE_USER = 6
# How many consoles' allowance is for all those together that have proved nothing.
STRANGERS = 2
RIGHTS = 0o660
# ``struct ucred`` of unix(7): process, user, group.
_CREDENTIALS = struct.Struct("3i")


class ConsoleServer:
    """Serves consoles on a Unix socket."""

    def __init__(
        self, path: Path, program: ConsoleProgram, commands: Mapping[str, Command] = COMMANDS
    ) -> None:
        self._path = path
        self._program = program
        self._desk = CommandDispatcher(program, commands)
        self._log = structlog.get_logger()
        self._server: asyncio.Server | None = None
        self._lines: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._sessions = 0
        # Who hangs up leaves the bucket to who comes next: a new connection is no new allowance.
        self._buckets: list[Bucket] = []
        self._users: Counter[int] = Counter()
        self._strangers: Bucket | None = None

    async def start(self) -> None:
        """Listen; the socket gets its name only once it does, and takes over one that a dead program left."""
        listening = _listening(self._path)
        self._server = await asyncio.start_unix_server(self._connected, sock=listening, limit=LONGEST_LINE)

    async def stop(self) -> None:
        """Let go of every console."""
        if self._server is None:
            return
        self._server.close()
        for writer in self._lines.values():
            writer.transport.abort()
        await asyncio.gather(*self._lines, return_exceptions=True)
        with suppress(OSError):  # what a medium does not let go of is taken over by the next start
            self._path.unlink(missing_ok=True)

    @property
    def consoles(self) -> int:
        """Return how many are connected."""
        return len(self._lines)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = peer_of(writer.get_extra_info("socket"))
        if self.consoles >= MOST_CONSOLES or self._users[peer.uid] >= MOST_OF_ONE_USER:
            full = ConsoleError("E-CONS-017", "console", consoles=self.consoles)
            said = {"code": full.kind.code, "why": str(full), "consoles": self.consoles}
            writer.write(line_of(id=0, end="refused", **said))
            writer.close()
            return
        task = self._program.spawn(self._serve(reader, writer, peer), "a console")
        self._lines[task] = writer
        self._users[peer.uid] += 1
        task.add_done_callback(partial(self._gone, peer.uid))

    def _gone(self, uid: int, task: asyncio.Task[None]) -> None:
        del self._lines[task]
        self._users[uid] -= 1

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, peer: Peer) -> None:
        self._sessions += 1
        session = ConsoleSession(self._sessions, peer, self._program.clock.now)
        self._log.info("console connected", session=session.number, uid=peer.uid, pid=peer.pid)
        # There are never more buckets than consoles were connected at once.
        bucket = self._buckets.pop() if self._buckets else Bucket()
        self._strangers = self._strangers or Bucket(STRANGERS)
        try:
            why = await ConsoleLine(reader, writer, session, self._desk, bucket, self._strangers).serve()
        finally:
            self._buckets.append(bucket)
        self._log.info("console gone", session=session.number, why=why)


def _listening(path: Path) -> socket.socket:
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # By the mask and not by a later chmod: there is no moment at which others may connect.
    before = os.umask(0o777 & ~RIGHTS)
    try:
        found.bind(str(beside))
    finally:
        os.umask(before)
    found.listen()
    # Only now has it its name: whoever finds the socket is answered.
    beside.rename(path)
    return found


def peer_of(connection: socket.socket) -> Peer:
    """Return the peer at the other end, by the kernel's word."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return Peer(*_CREDENTIALS.unpack(found))
