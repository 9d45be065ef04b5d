"""A table's devices at people's service: ``control.sock`` takes one JSON object a line and answers each.

``world.json`` says which devices. The first line on standard output is the keys by which they can be
enrolled. It ends when its standard input does: a simulated table never outlives the program that wanted it.
"""

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from sabot.hil.table.world import World

MOST_A_LINE = 65_536


async def serve(root: Path, make: type[World] = World) -> None:
    """Serve the table until standard input ends."""
    plan = json.loads((root / "world.json").read_text(encoding="utf-8"))
    world = make(root, plan["devices"], plan["seed"], plan.get("found"))
    server = await answers(world, root)
    print(json.dumps({"keys": world.keys}), flush=True)  # noqa: T201 - the first line is for who started it
    looking = asyncio.create_task(world.diary.keep())
    await _wait_for_end()
    looking.cancel()
    server.close()
    world.close()


async def answers(world: World, root: Path) -> asyncio.Server:
    """Return a server that does and shows what is asked, each who asks in turn."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A line that is too long is a ValueError: that visitor is hung up on, and nobody else.
        with suppress(OSError, ValueError, asyncio.CancelledError):
            while line := await reader.readline():
                writer.write(json.dumps(await _answer(world, line)).encode() + b"\n")
                await writer.drain()
        writer.close()

    return await asyncio.start_unix_server(talk, root / "control.sock", limit=MOST_A_LINE)


async def _answer(world: World, line: bytes) -> dict[str, object]:
    try:
        asked = json.loads(line)
    except ValueError as error:
        return {"error": f"no JSON: {error}"}
    return await world.answer(asked if isinstance(asked, dict) else {"device": "?"})


async def _wait_for_end() -> None:
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    stdin = sys.stdin.fileno()

    def look() -> None:
        if not os.read(stdin, 4096):
            loop.remove_reader(stdin)
            over.set()

    loop.add_reader(stdin, look)
    await over.wait()
