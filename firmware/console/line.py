"""One console's connection: bounded, throttled, and dropped rather than waited for.

Nothing that comes over it can make the table wait. A line has a bound and so has what is kept of lines that
were not asked for; commands come at a rate that costs nothing; what is not read in time ends the connection,
and with it the command that spoke. All of it happens in one task for each console.
"""

import asyncio
import contextlib

from sabot.firmware.console.dispatcher import CommandDispatcher
from sabot.firmware.console.session import ConsoleSession
from sabot.firmware.console.wire import LONGEST_LINE, VERSION, Request, line_of, read_request

# They end a connection: an answer not read for so long; nothing typed for so long and no command going on.
STALLED_S, IDLE_S = 10.0, 900.0
KEPT_BYTES = 64 * 1024
MOST_SENSELESS = 3
# Commands of one console (docs/console.md).
PER_SECOND, AT_ONCE = 10.0, 30.0


class Dropped(Exception):  # noqa: N818 (it is what became of a console)
    """Raised to end the connection; the message says why."""


class Bucket:
    """A token bucket: so many commands at once, then so many a second, times the consoles that share it."""

    def __init__(self, consoles: int = 1) -> None:
        self._consoles = consoles
        self._left = consoles * AT_ONCE
        self._at = asyncio.get_running_loop().time()

    async def take(self) -> None:
        """Wait until another command is due."""
        now = asyncio.get_running_loop().time()
        most, per_second = self._consoles * AT_ONCE, self._consoles * PER_SECOND
        self._left = min(most, self._left + (now - self._at) * per_second) - 1.0
        self._at = now
        if self._left < 0:
            await asyncio.sleep(-self._left / per_second)


class ConsoleLine:
    """The connection of one console."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        session: ConsoleSession,
        desk: CommandDispatcher,
        bucket: Bucket,
        strangers: Bucket,
    ) -> None:
        self._reader, self._writer = reader, writer
        self._session, self._desk = session, desk
        self._running: asyncio.Task[None] | None = None
        self._running_id = 0
        self._is_answered = True
        self._senseless = 0
        self._dropped = ""
        self._bucket, self._strangers = bucket, strangers
        # What nobody reads is bounded by this: ``send`` waits, and after its time drops the console.
        writer.transport.set_write_buffer_limits(high=KEPT_BYTES)

    async def serve(self) -> str:
        """Listen until the console goes or is dropped; return why it ended."""
        try:
            await self._greet()
            while True:
                await self._take(await self._next())
        except Dropped as dropped:
            return str(dropped)
        except (ConnectionError, asyncio.IncompleteReadError):
            return self._dropped or "it went away"
        finally:
            await self._end()

    async def send(self, **said: object) -> None:
        """Say something, when there is room for it."""
        self._writer.write(line_of(**said))
        self._is_answered |= bool(said.keys() & {"end", "ask"})
        try:
            async with asyncio.timeout(STALLED_S):
                await self._writer.drain()
        except TimeoutError as error:
            self._dropped = "it does not read"
            self._writer.transport.abort()
            raise Dropped(self._dropped) from error
        await asyncio.sleep(0)  # a long answer gives everybody else a turn after each line

    # ------------------------------------------------------------ what comes in

    async def _greet(self) -> None:
        program = self._desk.program
        notice = "NOT FOR PLAY" if program.is_simulated else ""
        names = sorted(self._desk.commands)
        await self.send(hello=VERSION, table=program.name, notice=notice, commands=names)

    async def _next(self) -> bytes:
        """Return the next line; drop a console at which nothing is typed nor goes on, for its place."""
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(IDLE_S):
                        return await self._reader.readuntil(b"\n")
                # A long `follow` is not idle, though nothing is typed: only where no command goes on.
                if self._is_answered:
                    message = f"nothing was typed for {IDLE_S:.0f} s"
                    raise Dropped(message)
        except asyncio.LimitOverrunError as error:
            message = f"a line of more than {LONGEST_LINE} bytes"
            raise Dropped(message) from error

    async def _take(self, line: bytes) -> None:
        # Taken for every line, before it is looked at: nonsense costs as much as a command.
        await self._bucket.take()
        if self._session.person is None:
            await self._strangers.take()
        if self._writer.transport.is_closing():
            message = "it went away"
            raise Dropped(message)
        request = read_request(line)
        if request is None:
            await self._refuse_line("a line that makes no sense")
        elif request.stop:
            await self._stop(request.id)
        # One command at a time: what two of them say would be mixed.
        elif not self._is_answered:
            await self._refuse_line("a command before the end of another")
        elif request.complete:
            await self.send(id=request.id, words=self._desk.complete(request.complete))
        else:
            await self._begin(request)

    async def _refuse_line(self, why: str) -> None:
        self._senseless += 1
        # Not waited for: the third ends the connection anyway, so what is kept stays small.
        self._writer.write(line_of(id=0, refused=why))
        # In a row: a command that makes sense forgives those before it.
        if self._senseless >= MOST_SENSELESS:
            raise Dropped(why)

    # ------------------------------------------------------------ the command that goes on

    async def _begin(self, request: Request) -> None:
        if self._running is not None:
            await self._running  # it has said its last word
        self._running_id, self._is_answered, self._senseless = request.id, False, 0
        self._running = self._desk.program.spawn(self._run(request), f"the command {request.do}")

    async def _run(self, request: Request) -> None:
        try:
            await self._desk.answer(request, self._session, self)
        except (Dropped, ConnectionError):
            self._writer.transport.abort()  # wakes the one who listens

    async def _stop(self, number: int) -> None:
        """Stop a command; an answer that nobody waits for is given up between two lines."""
        running = self._running
        if running is None or self._is_answered or number != self._running_id:
            await self._refuse_line("a stop of nothing")  # once it may come just too late
            return
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        self._running = None
        await self.send(id=number, end="stopped", who=self._session.who)

    async def _end(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        # A role does not outlive its console.
        self._session.lock()
        self._writer.transport.abort()
