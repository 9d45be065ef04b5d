"""The way from a library's thread into the loop.

A library calls from a thread of its own, and what it brings must run in the loop as the work of the device
that asked for it: the context of whoever opened the door goes along, so that a slip over it costs that
device.
"""

from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextvars import copy_context
from typing import NoReturn


class LoopDoor:
    """Lets one driver's threads into the loop. Made in the loop's thread, on behalf of the device."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._context = copy_context()

    def post(self, call: Callable[..., object], *arguments: object) -> None:
        """Have something called in the loop, from any thread."""
        try:
            self._loop.call_soon_threadsafe(call, *arguments, context=self._context)
        except RuntimeError:  # a loop that is closed has nobody left to tell
            return

    def broke(self, error: BaseException) -> None:
        """Raise in the loop what a thread could not answer for: whoever watches over the loop hears of it."""
        self.post(_raise, error)


def _raise(error: BaseException) -> NoReturn:
    raise error
