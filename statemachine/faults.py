"""Faults: latched, over whatever phase the table is in, and nobody can wave them away.

A fault is ours or a device's. It locks the wagers and halts the shoe at once and holds the table where it
stands; it goes when its cause was tested again and the right role said so. Each kind is a row: whose rule it
is, the policy that switches it, who releases it, what to do.
"""

# The life of a fault. It is raised once, locks and halts, and calls the role of its row. Said again it is the
# same fault, and its test has to be made again. Its cause goes; the device says so, or passes RETEST. The
# role lifts it. Only when nothing else holds the table the shoe is freed, and its stack ordered anew. A fault
# that does not concern the round on the felt waits for the end of the round (reading V15), one of a device
# that is covered for the device to be used again (x.13(g)).

from collections.abc import Callable
from dataclasses import dataclass, field

from sabot.statemachine import cures
from sabot.statemachine.action import ANY_PHASE, HOLD, Action, Refused
from sabot.statemachine.cures import Cures
from sabot.statemachine.labels import HELD_LINES, WIDTH, first_that_fits, plain
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Calling, LastTold, Outbox
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.parts import Devices, EntryState, HeldFault, TableClock, TableCrew, Trouble
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.vocabulary.effects import (
    ClearFault,
    FreeShoe,
    HaltShoe,
    LockWagers,
    RaiseFault,
    RetestDevice,
)
from sabot.statemachine.vocabulary.effects import (
    Hold as HoldEffect,
)
from sabot.statemachine.vocabulary.events import (
    Role,
)
from sabot.statemachine.vocabulary.fault_kinds import FAULT_ROWS, FAULTS, LAW, OURS, POLICY

__all__ = ["ACTIONS", "FAULTS", "FAULT_ROWS", "LAW", "OURS", "POLICY", "FaultLatch"]


def _first(held: HeldFault) -> str:
    """Return in words what comes before a release."""
    return f"empty the {held.device}" if held.unaccounted else "test the cause again"


@dataclass(slots=True, eq=False, repr=False)
class FaultLatch:
    """Latch faults, and lift them."""

    law: Law
    out: Outbox
    last_told: LastTold
    clock: TableClock
    crew: TableCrew
    devices: Devices
    trouble: Trouble
    books: MoneyBooks
    play: Play
    calling: Calling
    cures: Cures
    entry: EntryState
    # Set by who composes the rooms: what follows a release lies above this room.
    freed: Callable[[], None] = field(init=False)
    lifted: Callable[[HeldFault], None] = field(init=False)

    def hold(self, kind: str, device: str, why: str, cite: str = "") -> None:
        """Latch a fault: go into the safe direction at once, and hold the table."""
        row = FAULT_ROWS[kind]
        if self._is_switched_off(kind):
            return
        cite = cite or self.law.cite(row.section)
        known = self._known(kind, device)
        if known is not None:
            # It was raised, and somebody called; but what was tested of it before says nothing any more.
            known.why, known.retested, known.since = why, False, self.clock.now
            return
        latched = HeldFault(kind, device, why, cite, row.role, row.needs_retest, since=self.clock.now)
        self.trouble.holds.append(latched)
        self.books.day.faults += 1
        # A fault of the other deck's shuffler is latched and called
        # for, and holds the table when the round is over.
        if self.concerns_table(kind, device):
            self._stop(latched)
        self.out.emit(RaiseFault(fault=kind, device=device, why=why, cite=cite))
        self.calling.call(row.role, row.words, cite)

    def would_stop(self, kind: str, device: str) -> bool:
        """Return whether a fault of this kind would lock and halt now, were it latched."""
        # A fault that is told twice has locked and halted already: the lane says it once.
        is_news = self._known(kind, device) is None
        return is_news and not self._is_switched_off(kind) and self.concerns_table(kind, device)

    def _is_switched_off(self, kind: str) -> bool:
        policy = FAULT_ROWS[kind].policy
        return bool(policy) and not getattr(self.law.policies, policy)

    def _known(self, kind: str, device: str) -> HeldFault | None:
        """Return the fault that is latched already, None where it is news."""
        for held in self.trouble.holds:
            if held.kind == kind and held.device == device:
                return held
        return None

    def _stop(self, held: HeldFault) -> None:
        """Go into the safe direction and hold the table; a list that is open must not hide it."""
        self.entry.shut_list(self.clock.now)
        if self.play.round is not None:
            # A shoe that is halted drops its order (``FreeShoe``): the release orders the stack anew.
            self.play.current.forget_orders()
        words, how = FAULT_ROWS[held.kind].words, cures.in_short(held.kind)
        if not self.out.has_emitted(HaltShoe):  # the safe lane has done it already, as a rule
            self.out.emit(HaltShoe(cite=held.cite), first=not self.out.has_emitted(LockWagers))
        self.lock_wagers(held.cite)
        self.out.emit(HoldEffect(why=f"{words}: {held.why}", role=held.role, how=how, cite=held.cite))

    def lock_wagers(self, cite: str) -> None:
        """Close every spot before anything else is done, once in an event."""
        self.last_told.spots = frozenset()
        if not self.out.has_emitted(LockWagers):
            self.out.emit(LockWagers(cite=cite), first=True)

    def concerns_table(self, kind: str, device: str) -> bool:
        """Return whether a fault holds the table now: it concerns the round, and its device is in use."""
        return not self.is_set_aside(kind, device) and self.concerns_round(device)

    def is_set_aside(self, kind: str, device: str) -> bool:
        """Return whether a fault is on record only: its device is covered and not used any more (x.13(g))."""
        # Being out of order is itself the fault that waits for the
        # floor; only what the dead device says is put aside.
        return kind != "out_of_order" and self.devices.is_set_aside(device)

    def concerns_round(self, device: str) -> bool:
        """Return whether a fault of a device concerns the round on the felt, or the table between rounds."""
        # A fault of the shuffler or of the deck in it leaves the round alone (reading V15).
        round_ = self.play.round
        if round_ is None:
            return True
        if device.startswith("deck "):
            return device == f"deck {round_.deck}"
        # A reshuffling device deals too: what stops it stops the round.
        return device != "shuffler" or self.devices.shuffler == Shuffler.RESHUFFLER

    @property
    def held(self) -> HeldFault | None:
        """Return the fault that holds the table now, the oldest one, None where nothing does."""
        # One at a time, the oldest: a display of two lines has room for one.
        return next(iter(self.holding()), None) if self.trouble.holds else None

    def holding(self) -> list[HeldFault]:
        """Return the faults that hold the table now, the oldest first."""
        return [held for held in self.trouble.holds if self.concerns_table(held.kind, held.device)]

    def put_off(self) -> list[HeldFault]:
        """Return the faults that wait for the end of the round."""
        return [held for held in self.trouble.holds if not self.concerns_round(held.device)]

    def hold_at_last(self, waiting: list[HeldFault]) -> None:
        """Hold the table by what waited for the end of the round, or for its device to be used again."""
        for held in waiting:
            if self.concerns_table(held.kind, held.device):
                self._stop(held)

    def holds_to_lift(self) -> list[str]:
        """Return the faults that may be released, by number, kind and device."""
        return [
            f"{number} {each.kind} {each.device}"
            # By number: the words of two faults may be the same once they fit a display.
            for number, each in enumerate(self.trouble.holds, 1)
            if not self.is_for_the_floor_to_confirm(each) and not self.is_set_aside(each.kind, each.device)
        ]

    def is_for_the_floor_to_confirm(self, held: HeldFault) -> bool:
        """Return whether it is a restart within a round: confirmed or taken over, never just released."""
        return held.kind == "restarted" and self.play.round is not None

    def hold_words(self, value: str) -> str:
        """Return a fault as the list of RELEASE shows it."""
        number, kind, device = value.split(maxsplit=2)
        words = f"{number} {HELD_LINES[kind]} {plain(device)}"
        return words if len(words) <= WIDTH else f"{number} {HELD_LINES[kind]}"

    def _chosen(self, value: str) -> HeldFault:
        return self.trouble.holds[int(value.partition(" ")[0]) - 1]

    def verify_release(self, value: str) -> None:
        """Raise unless the cause was tested again and the role that may release it is there."""
        held = self._chosen(value)
        # A deck that has left cannot be tested again, and need not be.
        if not held.may_be_lifted and not self.cures.is_gone(held):
            raise Refused(f"{held.kind}: {_first(held)} first")
        if held.role.value not in self.crew.unlocked:
            raise Refused(f"{held.kind}: only the {held.role} releases it")
        # Else the table would go on with a deck too few, and nobody would be asked for one.
        if held.kind == "deck_removed" and self.cures.lacks_deck():
            raise Refused("bring another deck first")
        if held.kind == "out_of_order" and held.device in self.devices.uncovered():
            raise Refused("cover or sign the device first")

    def release(self, value: str) -> None:
        """Lift a hold."""
        held = self._chosen(value)
        self.lift(held, self.crew.person(held.role))

    def lift(self, held: HeldFault, by: str) -> None:
        """Lift a fault, and go on where no other holds the table."""
        # Before anything is told: what follows asks whether the table is held still.
        self.trouble.holds.remove(held)
        self.out.note(f"{held.kind} {held.device} released", held.cite, by)
        self.out.emit(ClearFault(fault=held.kind, device=held.device, by=by, cite=held.cite))
        self.calling.came(held.role)
        # A deck that waited for this is sent to be shuffled before the shoe is free again.
        self.lifted(held)
        # Another fault may hold it yet: then the shoe stays halted.
        if self.held is None:
            self.go_on(held.cite)

    def go_on(self, cite: str) -> None:
        """Free the shoe: nothing holds the table any more."""
        self.out.emit(FreeShoe(cite=cite))
        if self.play.round is not None:
            self.freed()  # the order that the shoe was halted in is void

    # ---------------------------------------------------------------- testing the cause again

    def holds_to_test(self) -> list[str]:
        """Return the faults whose cause a device can test again, by kind and device."""
        return [
            f"{each.kind} {each.device}"
            for each in self.trouble.holds
            if cures.is_testable(each)
            and not each.may_be_lifted
            and not self.is_set_aside(each.kind, each.device)
        ]

    def test_words(self, value: str) -> str:
        """Return a fault as the list of RETEST shows it."""
        kind, device = value.split(maxsplit=1)
        return first_that_fits(f"{HELD_LINES[kind]} {plain(device)}", HELD_LINES[kind])

    def retest(self, value: str) -> None:
        """Let the device test its cause again; its answer is an event of its own."""
        kind, device = value.split(maxsplit=1)
        self.out.emit(RetestDevice(device=device, fault=kind, cite=POLICY))


ACTIONS = (
    Action(
        "retest",
        "RETEST",
        Role.FLOOR,
        ANY_PHASE,
        "-",
        FaultLatch.retest,
        values=FaultLatch.holds_to_test,
        say=FaultLatch.test_words,
        while_held=True,
        any_role=True,
        needs=HOLD,
    ),
    Action(
        "release",
        "RELEASE",
        Role.FLOOR,
        ANY_PHASE,
        "-",
        FaultLatch.release,
        FaultLatch.verify_release,
        FaultLatch.holds_to_lift,
        FaultLatch.hold_words,
        while_held=True,
        any_role=True,
        needs=HOLD,
    ),
)
