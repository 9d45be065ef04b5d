"""Lies to tell an auditor: the stream of a shift in which one thing is not as it happened.

A lie is told once, at the first step that has what it is about; the shift itself goes on as it would. Each
takes the table, the event and its effects, and gives back what the auditor is shown, or None where there is
nothing to lie about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary import events as ev

from .auditor import is_refused, of_kind
from .random_shift import RandomShift, Step

if TYPE_CHECKING:
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect

    from .auditor import Auditor
    from .setups import Way

Lie = Callable[["Table", Step], Step | None]
Where = Callable[["Table", Step], bool]
STEPS = 600


def anywhere(_table: Table, _step: Step) -> bool:
    """The first step that has the effect."""
    return True


def in_a_void(_table: Table, step: Step) -> bool:
    """Where a round is declared void."""
    return bool(of_kind(step.effects, ef.VoidRound))


def of_money(_table: Table, step: Step) -> bool:
    """Where an amount was paid from the tray."""
    return any(pay.paid for pay in of_kind(step.effects, ef.PayWager))


def at_the_lock(_table: Table, step: Step) -> bool:
    """Where the dealer presses LOCK and the table takes it."""
    pressed = isinstance(step.event, ev.KeyPressed) and step.event.key is ev.Key.LOCK
    return pressed and not is_refused(step.effects) and len(step.effects) > 1


def while_held(table: Table, step: Step) -> bool:
    """Where a fault held the table before and holds it still."""
    return table.rooms.faults.held is not None and not of_kind(step.effects, ef.RaiseFault)


def _each(kind: type[Effect], change: Callable[[Effect], list[Effect]], where: Where) -> Lie:
    def lie(table: Table, step: Step) -> Step | None:
        told = next((effect for effect in step.effects if isinstance(effect, kind)), None)
        if told is None or not where(table, step):
            return None
        place = step.effects.index(told)
        return Step(step.event, [*step.effects[:place], *change(told), *step.effects[place + 1 :]])

    return lie


def left_out(kind: type[Effect], where: Where = anywhere) -> Lie:
    """An effect is not told."""
    return _each(kind, lambda _effect: [], where)


def twice(kind: type[Effect], where: Where = anywhere) -> Lie:
    """An effect is told twice."""
    return _each(kind, lambda effect: [effect, effect], where)


def otherwise(kind: type[Effect], where: Where = anywhere, **fields: Any) -> Lie:
    """An effect is told with other fields; a number is added to what it was, as long as there is one."""

    def change(effect: Effect) -> list[Effect]:
        new: dict[str, Any] = {
            name: (getattr(effect, name) or 0) + value if isinstance(value, int) else value
            for name, value in fields.items()
        }
        return [replace(effect, **new)]

    return _each(kind, change, where)


def added(effect: Effect, where: Where = anywhere) -> Lie:
    """An effect is told that there never was."""
    return lambda table, step: (
        Step(step.event, [*step.effects, effect]) if step.effects and where(table, step) else None
    )


def last_first(table: Table, step: Step) -> Step | None:
    """The lock comes after everything else."""
    return Step(step.event, [*step.effects[1:], step.effects[0]]) if at_the_lock(table, step) else None


def another_event(kind: type[ev.Event], change: Callable[[Any], dict[str, Any]], where: Where) -> Lie:
    """The event was another one than the table heard."""

    def lie(table: Table, step: Step) -> Step | None:
        if not isinstance(step.event, kind) or not where(table, step):
            return None
        return Step(replace(step.event, **change(step.event)), step.effects)

    return lie


def forged(forge: Callable[[Table], None], where: Where) -> Lie:
    """The state of the table is not what the events made of it."""

    def lie(table: Table, step: Step) -> Step | None:
        if not where(table, step):
            return None
        forge(table)
        return step

    return lie


def told(auditor: type[Auditor], lie: Lie, way: Way, seed: int) -> bool:
    """Play a shift before an auditor and lie once; whether there was anything to lie about."""
    shift = RandomShift(seed, way, noise=0.1, whims=0.05, pauses=0.005, hot=0.6)
    looks = auditor(shift.table)
    has_lied = False
    for step, _ in zip(shift.steps(), range(STEPS), strict=False):
        shown = None if has_lied else lie(shift.table, step)
        has_lied = has_lied or shown is not None
        looks.see(*(shown or step))
    return has_lied
