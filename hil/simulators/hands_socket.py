"""The hands at a simulator that stands alone: a socket on which a program does what a technician would type.

One JSON object a line asks, one answers, in the words of a simulated table's control socket. The device has
no name among others here, so any name will do.
"""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

from sabot.hil.simulators.kinds import RunningSimulator


async def serve_hands(running: RunningSimulator, path: Path) -> asyncio.Server:
    """Do and show what is asked, until the server is closed."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            while line := await reader.readline():
                writer.write(json.dumps(_answer(running, line)).encode() + b"\n")
                await writer.drain()
        writer.close()

    return await asyncio.start_unix_server(talk, path)


def _answer(running: RunningSimulator, line: bytes) -> dict[str, object]:
    try:
        asked = json.loads(line)
        if "do" not in asked:
            return {"shows": _shows(running)}
        name, _, words = str(asked["do"]).partition(" ")
        actions = running.actions()
        if name not in actions:
            return {"error": f"there is no {name!r}; there are {' '.join(actions)}"}
        actions[name][1](words)
    except (ValueError, IndexError, KeyError, TypeError) as error:
        return {"error": f"not done: {error}"}
    return {"done": True}


def _shows(running: RunningSimulator) -> dict[str, object]:
    """Return the words on a device that shows any; the others show nothing here."""
    shows = getattr(getattr(running, "device", None), "shows", dict)
    found: dict[str, object] = shows()
    return found
