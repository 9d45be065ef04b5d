"""The process of a practice table's devices: those of the rig, and a way to be told when one of them changed.

``{"after": N}`` on the control socket is answered as soon as the diary has more than N rows, with what every
device shows then. So whoever draws the table need not ask again and again.
"""

from collections.abc import Mapping
from typing import Any

from sabot.hil.table.diary import NOISE
from sabot.hil.table.world import Part, World

LONG_S = 3600.0


class Watched(World):
    """The devices of a table that somebody looks at."""

    async def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Do or show what was asked; or wait until there is something new to see."""
        if "after" not in asked:
            return await super().answer(asked)
        await self.diary.until(max(0, int(asked["after"])), LONG_S)
        return {
            "rows": len(self.diary.rows),
            "shows": {name: _seen(part) for name, part in self.parts.items()},
        }


def _seen(part: Part) -> dict[str, Any]:
    """Return what a device shows, without what changes all the time and says nothing."""
    return {name: value for name, value in part.shows().items() if name not in NOISE}
