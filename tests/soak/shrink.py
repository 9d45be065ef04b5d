"""A shift that broke something, cut down to the few events that it takes.

First everything after the objection goes, then pieces of what came before, halves first, single events last, as
long as the same auditor objects still. Every event stands alone, so that any may be left out.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabot.statemachine.vocabulary.events import Event

    from .shift import Broken, Rehearsal

PATIENCE_S = 60.0


def shrunk(rehearsal: Rehearsal, events: Sequence[Event], broken: Broken) -> list[Event]:
    """The events that are left when none of the pieces tried can go, or the time is up."""
    kept = list(events[: broken.step])
    size, until = max(1, len(kept) // 2), time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        before, start = len(kept), 0
        while start < len(kept) and time.monotonic() < until:
            shorter = _without(rehearsal, kept, start, size, broken)
            kept, start = (kept, start + size) if shorter is None else (shorter, start)
        if size == 1 and len(kept) == before:
            break
        size = max(1, size // 2)
    return kept


def _without(
    rehearsal: Rehearsal, kept: list[Event], start: int, size: int, broken: Broken
) -> list[Event] | None:
    """The list without one piece, where the same auditor still objects; cut off behind the objection."""
    rest = kept[:start] + kept[start + size :]
    found = rehearsal.objects(rest)
    return rest[: found.step] if found is not None and found.who == broken.who else None
