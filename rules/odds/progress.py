"""The watch over a long count: a stage is announced with its length, and ticks off what is done of it."""

from collections.abc import Callable

Tick = Callable[[int], None]
Stage = Callable[[str, int], Tick]


def unwatched(_label: str, _length: int) -> Tick:
    """Return a tick that does nothing, for a stage that nobody watches."""
    return _no_tick


def _no_tick(_done: int) -> None:
    return None
