"""One fault at one table, from its report until nothing holds the table; whatever is wrong is an objection."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, NamedTuple

from sabot.statemachine.action import BETWEEN_ROUNDS
from sabot.statemachine.state.phases import ENDING, IN_ROUND, Phase
from sabot.statemachine.state.snapshot import Kept
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.events import (
    DeviceEmptied,
    DeviceFaulted,
    Resumed,
    ServiceModeChanged,
    TimeReached,
)
from sabot.statemachine.vocabulary.fault_kinds import FAULTS, OURS
from tests.statemachine.life import at
from tests.statemachine.shift import Shift

from .beside import Beside
from .robot import Robot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.statemachine.walk.setups import Way

MOST_HOLDS, MOST_EVENTS = 4, 400
DECK = ("composition", "deck_color")
TABLES_OWN = ("exposed_other", "hit_paid", "paid_first", "void_late", "paid_other")


KEPT = "cards kept"


class Case(NamedTuple):
    """A kind of fault, and of which device; ``KEPT`` is of one that gave fewer cards out than went in."""

    kind: str
    device: str


class Base:
    """A table in a phase, which each case begins from."""

    def __init__(self, way: Way, phase: Phase) -> None:
        self.shift = at(phase, way.chapter, method=way.method, knowledge=way.knowledge)
        self.phase = phase
        table = self.shift.table
        self.then = copy.deepcopy(table.state)
        last = table.rooms.last_told
        self._told, self._spots = dict(last.effects), last.spots

    def fresh(self) -> Shift:
        """The same table again, one for each fault."""
        shift = copy.copy(self.shift)
        kept = Kept(copy.deepcopy(self.then), dict(self._told), self._spots, None)
        shift.table = Table(self.shift.table.law.setup, kept)
        shift.events, shift.effects, shift.last = [], list(self.shift.effects), []
        shift.in_shuffler, shift.pack = list(self.shift.in_shuffler), list(self.shift.pack)
        return shift


def bases(way: Way) -> Iterator[Base]:
    """The phases that a table of this way comes to; some only another shuffler or method brings about."""
    for phase in Phase:
        Shift.most, usual = MOST_EVENTS, Shift.most
        try:
            base = Base(way, phase)
        except Exception:
            continue
        finally:
            Shift.most = usual
        yield base


def cases(base: Base) -> Iterator[Case]:
    """Every kind, of the devices that it may be of."""
    for row in FAULTS:
        devices = ["shoe", "shuffler", "pads"]
        if row.kind in OURS:
            devices = _of_ours(row.kind, base)
        elif row.kind in DECK:
            devices += ["deck A"] if base.then.stock.decks else []
        elif row.kind == "device":
            devices += ["journal", "second medium"]
        yield from (Case(row.kind, device) for device in devices)
    yield from (Case(KEPT, device) for device in ("shoe", "shuffler"))


def _of_ours(kind: str, base: Base) -> list[str]:
    state = base.then
    if kind == "deck_removed":
        return [f"deck {name}" for name in state.stock.decks if base.phase not in (Phase.CLOSED, *ENDING)]
    if kind == "service":
        return ["controller"] if base.phase in BETWEEN_ROUNDS else []
    if kind in ("restarted", "slip"):
        return ["controller"] if (kind == "restarted") == (state.play.round is not None) else []
    if kind == "out_of_order":
        values = base.shift.table.rooms.actions.named(kind).values
        return values() if values else []
    if kind in TABLES_OWN:
        return ["table"]
    return ["shoe"]


def bring(shift: Shift, case: Case) -> None:
    """Bring the fault about, as what reports it does."""
    kind, device = case
    table = shift.table
    if kind == "service":
        shift.send(ServiceModeChanged, on=True, person="tech", why="a look")
    elif kind in ("restarted", "slip"):
        shift.send(Resumed, down_s=1.0, slip="ValueError" if kind == "slip" else "")
    elif kind == "out_of_order":
        shift.menu("OUT OF ORDER", device)
    elif kind == "deck_removed":
        _remove(shift, device.removeprefix("deck "))
    elif kind == KEPT:
        shift.send(DeviceEmptied, device=device, cards_in=52, cards_out=49)
    elif kind in OURS:
        table.rooms.faults.hold(kind, device, "it was found")
        shift.send(TimeReached)
    else:
        shift.send(DeviceFaulted, device=device, fault=kind, detail="it was found")


def _remove(shift: Shift, name: str) -> None:
    """A deck is proven wrong: between rounds it leaves, in a round the round is void with it."""
    table, cite = shift.table, "641a.5(b)"
    if table.state.play.phase in IN_ROUND and table.state.play.current.deck == name:
        table.rooms.voiding.void_with_deck("51 cards", cite)
    else:
        table.rooms.deck_room.remove_deck(name, "51 cards", cite)
    shift.send(TimeReached)


def run(base: Base, case: Case, *, by_console: bool = False) -> list[str]:
    """Cure it by the printed words, lines of the list or orders of the console; return the objections."""
    shift = base.fresh()
    before, phase = shift.prompt, shift.phase
    bring(shift, case)
    robot = Robot(Beside(shift))
    objections: list[str] = []
    for _ in range(MOST_HOLDS):
        held = next(iter(shift.table.state.trouble.holds), None)
        if held is None:
            break
        try:
            robot.cure(by_console=by_console)
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]
        if any(each is held for each in shift.table.state.trouble.holds):
            return [f"{held.kind} is not gone in the printed steps; the display shows {shift.prompt}"]
    if shift.table.state.trouble.holds:
        objections.append(f"still held: {[each.kind for each in shift.table.state.trouble.holds]}")
    first, second = shift.prompt
    if first.startswith(("HELD: ", "FAULT: ")) or not second:
        objections.append(f"nothing holds the table and the display shows {shift.prompt}")
    if shift.phase is phase and _is_untouched(shift, base) and shift.prompt != before:
        objections.append(f"the next prompt is {shift.prompt}, it was {before}")
    return objections


def _is_untouched(shift: Shift, base: Base) -> bool:
    """Whether the table stands as it did: no deck to be shuffled anew, no device given up, no void."""
    now, then = shift.table.state, base.then
    ready = [
        {name: (deck.ready, deck.lot) for name, deck in state.stock.decks.items()} for state in (now, then)
    ]
    is_void = now.play.round is not None and bool(now.play.round.void)
    return (
        ready[0] == ready[1] and not now.devices.out_of_order and not is_void and not _is_read_anew(now, then)
    )


def _is_read_anew(now: object, then: object) -> bool:
    """Whether a restart made the pads tell anew what lies there."""
    return getattr(now, "bets", None) != getattr(then, "bets", None)
