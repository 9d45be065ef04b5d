"""One slip, and what follows: while it happens, in what is left on the medium, and after the next start.

Each trial is for a process of its own, forked where the table stands before the event: nothing of it goes on.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from sabot.firmware.journal import store
from sabot.firmware.journal.recover import recover
from sabot.firmware.journal.verify import verify_journal
from sabot.firmware.program import AGAIN, SLIPPED
from sabot.firmware.run.slips import SlipRegister
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import OUT_OF_SERVICE, HaltShoe, LockWagers
from sabot.statemachine.vocabulary.events import (
    Key,
    KeyPressed,
    Resumed,
    Role,
    RoleLocked,
    RoleUnlocked,
    TimeReached,
    WagerSensed,
)

from .felt import Felt
from .injector import Injector

if TYPE_CHECKING:
    from pathlib import Path

    from .places import Place

# The calls of the runner and of the table before the lane's lock is at the output.
LANE_CALLS = 40
TURNS = 3
# transitions logs whatever is raised while it says that a transition is over; none of our code runs there.
FINALIZING = ("transitions/core.py", "_process")
MONEY = ("bets", "raises", "folded", "left", "lines", "hits", "frozen", "returned", "order")


class Stretch(Enum):
    """A stretch of the way of an event."""

    HANDLING = "handling"
    PERFORMING = "performing"
    WRITING = "writing"


@dataclass
class Verdict:
    """What came of one trial."""

    stretch: str
    at: int
    place: str = ""
    ways: list[int] = field(default_factory=list)
    objections: list[str] = field(default_factory=list)
    has_raised: bool = False
    lost_device: bool = False
    was_given_again: bool = False
    was_harmless: bool = False
    lost_lines: bool = False


async def _turns() -> None:
    """Let a few turns of the loop go by.

    What is raised while the interpreter closes a generator has no caller, and a driver that breaks is lost by an
    event of its own: both are heard a turn later.
    """
    for _ in range(TURNS):
        await asyncio.sleep(0)


def state_of(table: Table) -> str:
    """Everything that a table knows, as text, in the order in which it knows it: lists for people go by that."""
    return json.dumps(table.snapshot())


def money_of(table: Table) -> dict[str, Any]:
    """Meters, and the money of the round under way."""
    state: dict[str, Any] = json.loads(state_of(table))["state"]
    round_ = state.get("round") or {}
    return {
        "meters": state["ledger"]["balances"],
        "bets": state["bets"],
        "rounds": state["rounds"],
        **{name: round_[name] for name in MONEY if name in round_},
    }


class Rehearsal:
    """An event that nothing goes wrong with: how the table stood before it, and stands after it.

    It is the same for every trial at a place, so it is played once, before they are forked.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self.before = state_of(place.table)
        self.kept, self.whole = (
            Table.restore(place.table.law.setup, json.loads(self.before)) for _ in range(2)
        )
        effects = {type(each) for each in self.whole.handle(place.event)}
        self.after = state_of(self.whole)
        is_lock = isinstance(place.event, KeyPressed) and place.event.key is Key.LOCK
        self.locks = LockWagers in effects and (is_lock or HaltShoe in effects)


class Trial:
    """A slip at the k-th call of a stretch."""

    def __init__(self, root: Path, rehearsal: Rehearsal, stretch: Stretch, at: int) -> None:
        self.root, self.event, self.table = root, rehearsal.place.event, rehearsal.place.table
        self.rehearsal, self.stretch, self.injector = rehearsal, stretch, Injector(at)
        self.verdict = Verdict(stretch.value, at)
        self.setup = self.table.law.setup
        self.was_locked_at_the_slip = False

    def run(self) -> Verdict:
        """Slip, stop, look at the medium, start again."""
        asyncio.run(self._play())
        self.verdict.ways, self.verdict.place = self.injector.ways, self.injector.place
        self.verdict.has_raised = self.injector.has_raised
        if self.injector.has_raised:
            self._look_at_the_medium()
        return self.verdict

    def object(self, words: str) -> None:
        """Note that something is not as it must be."""
        self.verdict.objections.append(words)

    # ------------------------------------------------------------ while it happens

    async def _play(self) -> None:
        if self.stretch is Stretch.WRITING:
            self.injector.in_new_threads()
        felt = self.felt = Felt(self.root, self.table)
        await felt.begin()
        self.injector.look = lambda: self._look_at_the_lock(felt)
        await getattr(self, f"_{self.stretch.value}")(felt)
        if self.injector.has_raised:
            self._judge_the_stop(felt)
        self.code = await felt.end()

    async def _handling(self, felt: Felt) -> None:
        def post() -> None:
            with self.injector.here():
                felt.runner.post(self.event)

        # As a driver's callback does: the supervisor hears of what even the runner's first line raises.
        asyncio.get_running_loop().call_soon(post)
        await _turns()
        if not self.injector.has_raised:
            await felt.durable()

    async def _performing(self, felt: Felt) -> None:
        tell = felt.program.durable

        def durable(number: int) -> None:
            if number <= first:
                tell(number)
                return
            with self.injector.here():
                tell(number)

        first = felt.writer.last
        felt.program.durable = durable  # type: ignore[method-assign]
        felt.runner.post(self.event)
        await felt.durable()
        await _turns()
        felt.program.durable = tell  # type: ignore[method-assign]

    async def _writing(self, felt: Felt) -> None:
        self.injector.arm(felt.writer._thread.ident)
        felt.runner.post(self.event)
        await felt.durable()
        self.injector.arm(None)
        await self._heard(felt)

    async def _heard(self, felt: Felt) -> None:
        """The thread's last word comes through the loop."""
        for _ in range(2000):
            if not self.injector.has_raised or felt.program.safe_stop.slip is not None:
                return
            await asyncio.sleep(0.001)

    def _look_at_the_lock(self, felt: Felt) -> None:
        """At the moment of the slip: what locks is locked after a few calls, whatever the rest of them do."""
        is_late = self.stretch is Stretch.HANDLING and self.injector.calls > LANE_CALLS
        if is_late and self.rehearsal.locks and not felt.is_locked:
            self.object(f"no lock after {LANE_CALLS} calls")

    def _judge_the_stop(self, felt: Felt) -> None:
        stop, lost = felt.program.safe_stop, [each for each in felt.program.drivers if each._broken]
        # What the GPIO library raises is a chip that vanished: the lines are let go of, and a new process starts.
        self.verdict.lost_lines = stop.slip is None and felt.program._code == AGAIN
        if stop.slip is None and not lost and not self.verdict.lost_lines:
            self._judge_what_vanished()
        # A device that is covered and out of order is on record only (x.13(g)): the table plays on without it.
        is_beside = bool(lost) and all(self.table.state.devices.is_set_aside(each.name) for each in lost)
        if not (felt.is_locked or self.verdict.was_harmless or is_beside):
            self.object("the lock output is open")
        if stop.slip is None:
            self.verdict.lost_device = bool(lost)
            return
        if felt.shown != OUT_OF_SERVICE:
            self.object(f"the display says {felt.shown!r}")
        for name in ("pads", "shoe"):
            told = {type(each) for each in felt.kept[name].told}
            if not {LockWagers, HaltShoe} <= told:
                self.object(f"{name} was not locked and halted")
        before = felt.runner.events
        felt.runner.post(TimeReached(at=self.event.at + 1))
        if felt.runner.events != before:
            self.object("an event was handled after the slip")

    def _judge_what_vanished(self) -> None:
        """Only a library may swallow an exception, and only where nothing of the event is left undone by it."""
        is_whole = state_of(self.table) == self.rehearsal.after
        self.verdict.was_harmless = is_whole and self.injector.is_within(FINALIZING)
        if not self.verdict.was_harmless:
            self.object("the exception vanished")

    # ------------------------------------------------------------ what is left, and the next start

    def _look_at_the_medium(self) -> None:
        slip, board = self.felt.program.safe_stop.slip, self.felt.program.board
        assert board is not None
        if slip is not None and self.code != SLIPPED:
            self.object(f"exit code {self.code}")
        rooms = self.felt.program.rooms
        with closing(store.open_for_reading(rooms.journal)) as db:
            verify_journal(db, board.public_key, lambda _count: None)
            kinds = [entry.kind for entry in store.entries(db)]
            found = recover(db, self.setup, board.seal, board.public_key)
        if slip is None:
            return
        if kinds[-2:] != ["slip", "head"] and not SlipRegister.read(rooms.slips).untold:
            self.object(f"the journal ends with {kinds[-2:]}")
        self._judge_the_start(found.table, has_event="event" in kinds, words=slip.words)

    def _judge_the_start(self, table: Table, *, has_event: bool, words: str) -> None:
        if state_of(table) != (self.rehearsal.after if has_event else self.rehearsal.before):
            self.object("the table does not stand where its journal ends")
        at = self.event.at
        table.handle(Resumed(at=at, down_s=1.0, slip=words))
        if table.rooms.faults.held is None or not any(
            words in held.why for held in table.state.trouble.holds
        ):
            self.object("the next start is not held over the slip")
        if not has_event and not isinstance(self.event, Resumed):
            self._give_again(table)

    def _give_again(self, table: Table) -> None:
        """The event comes again once the floor has looked.

        A list that was open would have to be opened again, and while another fault holds no pad's word counts.
        """
        kept = self.rehearsal.kept
        if (
            kept.state.entry.menu is not None
            or kept.state.crew.unlocked
            or kept.rooms.faults.held is not None
        ):
            return
        put_right(table, kept, self.event.at)
        table.handle(self.event)
        self.verdict.was_given_again = True
        if money_of(table) != money_of(self.rehearsal.whole):
            self.object("the money is another once the event is given again")


def put_right(table: Table, kept: Table, at: float) -> None:
    """The floor looks and lets go of what the slip holds; the pads tell which chips lie there yet."""
    table.handle(RoleUnlocked(at=at, role=Role.FLOOR, person="floor 1"))
    if table.rooms.actions.can("confirm_round"):
        table.rooms.actions.do("confirm_round")
    values = table.rooms.actions.named("release").values
    for name in values() if values is not None else ():
        if "slip" in name and table.rooms.actions.can("release", name):
            table.rooms.actions.do("release", name)
    table.handle(RoleLocked(at=at, role=Role.FLOOR))
    for seat, placed in kept.state.layout.bets.items():
        for wager, cents in placed.items():
            if wager not in table.state.layout.bets.get(seat, {}):
                table.handle(WagerSensed(at=at, seat=seat, wager=wager, cents=cents))
