"""The program as the practice table hears it at a console: each event, what followed, and why.

It is the console's ``follow``, given by nobody in particular, so it tells what the dealer's view has and no
card that nobody may see. It begins anew whenever the program does.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from sabot.practice.board import PracticeBoard
from sabot.practice.console import JsonLines
from sabot.practice.paragraph_gists import gist_of

AGAIN_S, MOST_KEPT = 0.05, 60
Told = dict[str, Any]


class Follow:
    """A listener at the console for as long as there is one."""

    def __init__(self, board: PracticeBoard, tell: Callable[[Told], None]) -> None:
        self._board, self._tell = board, tell
        self._kept: deque[Told] = deque(maxlen=MOST_KEPT)

    @property
    def newest(self) -> list[Told]:
        """Return the latest events told, for a page that comes later."""
        return [{"told": told} for told in self._kept]

    async def keep(self) -> None:
        """Listen until cancelled, through every end and start of the program."""
        while True:
            try:
                await self._listen()
            except (OSError, ValueError):
                await asyncio.sleep(AGAIN_S)

    async def _listen(self) -> None:
        console = await JsonLines.to(self._board.console)
        try:
            await console.hear()  # its greeting
            await console.say({"id": 1, "do": ["follow"]})
            while True:
                said = await console.hear()
                if said.get("data"):
                    self._take(said["data"])
                elif "end" in said or "refused" in said:
                    # Refused or ended while the program comes up or goes down: asked again
                    # by ``keep``, a little later.
                    await asyncio.sleep(AGAIN_S)
                    return
        finally:
            console.close()

    def _take(self, data: Told) -> None:
        told = {**data, "gists": _gists(data)}
        self._kept.append(told)
        self._tell(told)


def _gists(data: Told) -> dict[str, list[str]]:
    """Return our gist of every paragraph that is cited in an event's effects, notes and holds."""
    cited = [each.get("cite", "") for each in (*data["effects"], *data["notes"], *data["view"]["held"])]
    return {cite: gists for cite in dict.fromkeys(cited) if cite and (gists := gist_of(cite))}
