"""The console in a pane: the real one, over the program's own socket, a connection for each page.

What is typed goes to the program as `sabot console` would send it, and what it says goes to the page. Nothing
is kept here, a PIN least of all.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

MOST_A_LINE = 1 << 20


class JsonLines:
    """A connection that carries JSON, one object a line; questions of several tasks wait for one another."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()

    @classmethod
    async def to(cls, path: Path) -> Self:
        """Connect to a socket; raise OSError if nobody listens."""
        return cls(*await asyncio.open_unix_connection(str(path), limit=MOST_A_LINE))

    async def say(self, value: object) -> None:
        """Send one object."""
        self._writer.write(json.dumps(value).encode() + b"\n")
        await self._writer.drain()

    async def hear(self) -> Any:  # noqa: ANN401 - whatever the other end says
        """Return the next object; raise ConnectionError when the other end has gone."""
        line = await self._reader.readline()
        if not line:
            raise ConnectionError("the other end has gone")
        return json.loads(line)

    async def ask(self, **what: object) -> dict[str, Any]:
        """Ask, and return the answer; raise ValueError with the words of a refusal."""
        async with self._turn:
            await self.say(what)
            answer: dict[str, Any] = await self.hear()
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


Said = dict[str, Any]


class Console:
    """A page's connection to the program, made when it is wanted, and anew after the program was gone."""

    def __init__(self, path: Callable[[], Path], tell: Callable[[Said], None]) -> None:
        self._path, self._tell = path, tell
        self._lines: JsonLines | None = None
        self._hearing: asyncio.Task[None] | None = None

    async def say(self, said: object) -> None:
        """Send what was typed; tell the page if nobody is there."""
        try:
            if self._lines is None:
                self._lines = await JsonLines.to(self._path())
                self._hearing = asyncio.create_task(self._hear(self._lines))
            await self._lines.say(said)
        except OSError as error:
            self._gone(str(error))

    async def _hear(self, lines: JsonLines) -> None:
        try:
            while True:
                self._tell(await lines.hear())
        except (OSError, ValueError) as error:
            self._gone(str(error))

    def _gone(self, why: str) -> None:
        if self._lines is not None:
            self._lines.close()
        self._lines = None
        self._tell({"gone": why})

    async def close(self) -> None:
        """Hang up."""
        if self._hearing is not None:
            self._hearing.cancel()
            with suppress(asyncio.CancelledError):
                await self._hearing
        if self._lines is not None:
            self._lines.close()
