"""Programs that must fail the campaign: without the safe lane, and without the stop.

Each is today's program with one thing taken out, which shows that the campaign would see it missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.firmware.program import Program
from sabot.firmware.run.runner import Runner
from sabot.statemachine.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def as_it_is() -> None:
    """Take nothing out."""


def without_the_lane() -> None:
    """Decide nothing first: a lock comes with the rest of its event."""
    setattr(Table, "safe", lambda _table, _event: ())  # noqa: B010 (mypy knows better than to assign it)


def without_the_stop() -> None:
    """Go on after a slip, as the loop of asyncio does by itself."""

    def nothing(_self: object, *_arguments: object) -> None:
        return

    for kind, name in ((Program, "slipped"), (Runner, "halt")):
        setattr(kind, name, nothing)


CONTROLS: Mapping[str, Callable[[], None]] = {
    "": as_it_is,
    "no-lane": without_the_lane,
    "no-stop": without_the_stop,
}
