"""The process of a practice table's devices: those of the rig, and a way to be told when one of them changed.

``{"after": N}`` on the control socket is answered as soon as the diary has more than N rows, with what every
device shows then. So whoever draws the table need not ask again and again.
``{"note": "power", "words": "cut"}`` writes down what is no matter of a device.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sabot.hil.table.diary import NOISE
from sabot.hil.table.world import DevicePart, OnItsWire, World
from sabot.practice.line_monitor import LineMonitor

# How long somebody is let wait for news of a device and of the wires, and how many rows go in one answer (an
# answer is one line, of at most ``console.MOST_A_LINE`` bytes).
LONG_S, WIRE_S, MOST_ROWS = 3600.0, 5.0, 2000


class Watched(World):
    """The devices of a table that somebody looks at."""

    def __init__(
        self,
        root: Path,
        plan: Mapping[str, Mapping[str, Any]],
        seed: int,
        found: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(root, plan, seed, found)
        self.tap = LineMonitor(plan)
        for name, part in self.parts.items():
            if isinstance(part, OnItsWire):
                self.tap.listen_at(name, part)

    async def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Do or show what was asked for; or wait until there is something new to see."""
        if "note" in asked:
            return {"row": self.diary.did(str(asked["note"]), str(asked["words"]))}
        if "rows" in asked:
            first = int(asked["rows"])
            return {"diary": self.diary.since(first)[:MOST_ROWS]}
        if "wire" in asked:
            return await self.tap.until(int(asked["wire"]), WIRE_S)
        if "after" not in asked:
            return await super().answer(asked)
        await self.diary.until(max(0, int(asked["after"])), LONG_S)
        return {
            "rows": len(self.diary.rows),
            "shows": {name: _seen(part) for name, part in self.parts.items()},
        }


def _seen(part: DevicePart) -> dict[str, Any]:
    """Return what a device shows, without the values that change all the time and say nothing."""
    return {name: value for name, value in part.shows().items() if name not in NOISE}
