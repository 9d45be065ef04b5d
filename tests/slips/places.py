"""Where a slip is worth one: each kind of event, in each phase, the first time that a shift meets it.

A shift is one by chance (``tests/statemachine/walk``) with its accidents, for each chapter and way of dealing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sabot.statemachine.state.setup import Policies
from sabot.statemachine.vocabulary.events import KeyPressed, Resumed
from tests.statemachine.walk.random_shift import RandomShift
from tests.statemachine.walk.setups import random_setup

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.events import Event
    from tests.statemachine.walk.setups import Way

ROUNDS, MOST_EVENTS = 12, 4_000
NOISE, WHIMS = 0.04, 0.03


class Place(NamedTuple):
    """An event that a table is about to hear; the table is the shift's own, so it is for a forked process."""

    kind: str
    event: Event
    table: Table


def kind_of(event: Event, table: Table) -> str:
    """Name what an event is, and where it came."""
    what = str(event.key) if isinstance(event, KeyPressed) else type(event).__name__
    state = table.state
    where = state.play.phase.value.replace("_", " ")
    held = ", held" if table.rooms.faults.held is not None else ""
    return f"{what} while {where}{held}{', in a list' if state.entry.menu is not None else ''}"


def places(way: Way, seed: int, rng: random.Random) -> Iterator[Place]:
    """Yield each kind of event of a shift, the first time that it comes."""
    setup = random_setup(rng, way, policies=Policies())
    shift = RandomShift(seed, way, setup=setup, noise=NOISE, whims=WHIMS, pauses=0.002, hot=0.5)
    shift.handle(Resumed(at=shift.now, down_s=0.0))
    met: set[str] = set()
    for _ in range(MOST_EVENTS):
        event = shift.next_event()
        kind = kind_of(event, shift.table)
        if kind not in met:
            met.add(kind)
            yield Place(kind, event, shift.table)
        shift.handle(event)
        if shift.table.state.books.rounds >= ROUNDS and shift.table.state.play.round is None:
            return
