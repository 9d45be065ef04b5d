"""The console in a pane: the real one, over the program's own socket, a connection for each page.

What is typed goes to the program as `sabot console` would send it, and what it says goes to the page. Nothing
is kept here, a PIN least of all.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sabot.practice.json_lines import JsonLines

Said = dict[str, Any]


class Console:
    """A page's connection to the program, made when it is wanted, and anew after the program was gone."""

    def __init__(self, path: Callable[[], Path], tell: Callable[[Said], None]) -> None:
        self._path, self._tell = path, tell
        self._lines: JsonLines | None = None
        self._hearing: asyncio.Task[None] | None = None

    async def say(self, said: object) -> None:
        """Send what was typed; where nobody is there, say so."""
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
