"""A socket on which one JSON object a line asks and one answers: the devices', and the program's console."""

import asyncio
import json
from pathlib import Path
from typing import Any, Self

MOST_A_LINE = 1 << 20


class JsonLines:
    """A connection; questions of several tasks wait for one another."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._turn = asyncio.Lock()

    @classmethod
    async def to(cls, path: Path) -> Self:
        """Connect; OSError where nobody is there."""
        return cls(*await asyncio.open_unix_connection(str(path), limit=MOST_A_LINE))

    async def say(self, value: object) -> None:
        """Send one object."""
        self._writer.write(json.dumps(value).encode() + b"\n")
        await self._writer.drain()

    async def hear(self) -> Any:  # noqa: ANN401 - whatever the other end says
        """Return the next object; ConnectionError where the other end has gone."""
        line = await self._reader.readline()
        if not line:
            raise ConnectionError("the other end has gone")
        return json.loads(line)

    async def ask(self, **what: object) -> dict[str, Any]:
        """Ask, and return the answer; ValueError with the words of a refusal."""
        async with self._turn:
            await self.say(what)
            answer: dict[str, Any] = await self.hear()
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def close(self) -> None:
        """Hang up."""
        self._writer.close()
