"""Waiting for something to be true, with a deadline: no test sleeps and hopes."""

import asyncio
from collections.abc import Callable

WITHIN_S = 30.0
LOOK_S = 0.002


async def until(is_true: Callable[[], object], within_s: float = WITHIN_S) -> None:
    """Go on as soon as this is true; fail when it does not become so."""
    loop = asyncio.get_running_loop()
    end = loop.time() + within_s
    while not is_true():
        assert loop.time() < end, f"did not become true within {within_s} s"
        await asyncio.sleep(LOOK_S)
