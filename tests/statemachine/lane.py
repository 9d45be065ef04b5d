"""What tests of the safe lane count with: kinds of effects, and calls."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from sabot.statemachine.vocabulary.effects import HaltShoe, LockWagers

if TYPE_CHECKING:
    from types import FrameType

    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

SAFE = (LockWagers, HaltShoe)
MOST_CALLS = 14


def kinds(effects: Any) -> list[type[Effect]]:
    return [type(effect) for effect in effects]


def calls_of(table: Table, event: Event) -> int:
    """Count the calls of Python functions within the lane."""
    count = 0

    def hear(_frame: FrameType, what: str, _argument: object) -> None:
        nonlocal count
        count += what == "call"

    sys.setprofile(hear)
    try:
        table.safe(event)
    finally:
        sys.setprofile(None)
    return count
