"""Faults: latched, over whatever phase the table is in, and nobody can wave them away.

A fault is ours or a device's. It locks the wagers and halts the shoe at once and holds the table where it
stands; it goes when its cause was tested again and the right role said so. Each kind is a row: whose rule it
is, the policy that switches it, who releases it, what to do.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import cures
from sabot.statemachine.action import ANY_PHASE, Action, Refused
from sabot.statemachine.calling import call, came
from sabot.statemachine.dealing import order_stack
from sabot.statemachine.effects import (
    ClearFault,
    FreeShoe,
    HaltShoe,
    LockWagers,
    RaiseFault,
    RetestDevice,
)
from sabot.statemachine.effects import (
    Hold as HoldEffect,
)
from sabot.statemachine.events import (
    Role,
)
from sabot.statemachine.faultrows import FAULT_ROWS, FAULTS, LAW, OURS, POLICY
from sabot.statemachine.labels import HELD_LINES, WIDTH, first_that_fits, plain
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.shuffling import order_shuffle_again, stops_shuffler
from sabot.statemachine.state import Hold

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

__all__ = ["ACTIONS", "FAULTS", "FAULT_ROWS", "LAW", "OURS", "POLICY", "hold", "lift"]


def hold(table: "Table", kind: str, device: str, why: str, cite: str = "") -> None:
    """Latch a fault: safe direction at once, and the table waits."""
    row = FAULT_ROWS[kind]
    if _is_switched_off(table, kind):
        return
    cite = cite or table.cite(row.section)
    known = _known(table, kind, device)
    if known is not None:
        known.why, known.retested, known.since = why, False, table.now
        return
    latched = Hold(kind, device, why, cite, row.role, row.needs_retest, since=table.now)
    table.state.holds.append(latched)
    table.state.day.faults += 1
    if concerns_table(table, kind, device):
        _stop(table, latched)
    table.emit(RaiseFault(fault=kind, device=device, why=why, cite=cite))
    call(table, row.role, row.words, cite)


def would_stop(table: "Table", kind: str, device: str) -> bool:
    """Return whether a fault of this kind would lock and halt now, were it latched."""
    is_news = _known(table, kind, device) is None
    return is_news and not _is_switched_off(table, kind) and concerns_table(table, kind, device)


def _is_switched_off(table: "Table", kind: str) -> bool:
    policy = FAULT_ROWS[kind].policy
    return bool(policy) and not getattr(table.policies, policy)


def _known(table: "Table", kind: str, device: str) -> Hold | None:
    """Return the fault that is latched already, None where it is news."""
    for held in table.state.holds:
        if held.kind == kind and held.device == device:
            return held
    return None


def _stop(table: "Table", held: Hold) -> None:
    """The safe direction, and the table waits; an open list must not hide it."""
    table.shut_list()
    if table.state.round is not None:
        table.round.ordered = table.round.ejecting = 0  # a shoe that is halted forgets its order
    words, how = FAULT_ROWS[held.kind].words, cures.in_short(held.kind)
    if not table.has_emitted(HaltShoe):  # the safe lane has done it already, as a rule
        table.emit(HaltShoe(cite=held.cite), first=not table.has_emitted(LockWagers))
    lock_wagers(table, held.cite)
    table.emit(HoldEffect(why=f"{words}: {held.why}", role=held.role, how=how, cite=held.cite))


def lock_wagers(table: "Table", cite: str) -> None:
    """Every spot is closed, before anything else is done; once for an event is enough."""
    table.told_spots = frozenset()
    if not table.has_emitted(LockWagers):
        table.emit(LockWagers(cite=cite), first=True)


def concerns_table(table: "Table", kind: str, device: str) -> bool:
    """Whether a fault holds the table now: it concerns the round, and its device was not given up."""
    return not is_set_aside(table, kind, device) and concerns_round(table, device)


def is_set_aside(table: "Table", kind: str, device: str) -> bool:
    """Whether a fault is on record only: its device is covered and not used any more (x.13(g))."""
    return kind != "out_of_order" and table.state.is_set_aside(device)


def concerns_round(table: "Table", device: str) -> bool:
    """A fault of the shuffler or of the deck in it leaves the round on the felt alone (reading V15)."""
    round_ = table.state.round
    if round_ is None:
        return True
    if device.startswith("deck "):
        return device == f"deck {round_.deck}"
    return device != "shuffler" or table.state.shuffler == Shuffler.RESHUFFLER


def holding(table: "Table") -> list[Hold]:
    """The faults that hold the table now, the oldest first."""
    return [held for held in table.state.holds if concerns_table(table, held.kind, held.device)]


def put_off(table: "Table") -> list[Hold]:
    """The faults that wait for the end of the round."""
    return [held for held in table.state.holds if not concerns_round(table, held.device)]


def hold_at_last(table: "Table", waiting: list[Hold]) -> None:
    """What waited for the end of the round, or for its device to be used again, holds the table now."""
    for held in waiting:
        if concerns_table(table, held.kind, held.device):
            _stop(table, held)


def holds_to_lift(table: "Table") -> list[str]:
    """The faults that may be released, by number, kind and device."""
    return [
        f"{number} {each.kind} {each.device}"
        for number, each in enumerate(table.state.holds, 1)
        if not is_for_the_floor_to_confirm(table, each) and not is_set_aside(table, each.kind, each.device)
    ]


def is_for_the_floor_to_confirm(table: "Table", held: Hold) -> bool:
    """A restart within the round on the felt: it is confirmed or taken over, never just released."""
    return held.kind == "restarted" and table.state.round is not None


def _hold_words(_table: "Table", value: str) -> str:
    number, kind, device = value.split(maxsplit=2)
    words = f"{number} {HELD_LINES[kind]} {plain(device)}"
    return words if len(words) <= WIDTH else f"{number} {HELD_LINES[kind]}"


def _chosen(table: "Table", value: str) -> Hold:
    return table.state.holds[int(value.partition(" ")[0]) - 1]


def verify_release(table: "Table", value: str) -> None:
    """Its cause was tested again, and the role is the one that may say so."""
    held = _chosen(table, value)
    if not held.may_be_lifted and not cures.is_gone(table, held):
        raise Refused(f"{held.kind}: {_first(held)} first")
    if held.role.value not in table.state.unlocked:
        raise Refused(f"{held.kind}: only the {held.role} releases it")
    if held.kind == "deck_removed" and cures.lacks_deck(table):
        raise Refused("bring another deck first")
    if held.kind == "out_of_order" and held.device in table.state.uncovered():
        raise Refused("cover or sign the device first")


def _first(held: Hold) -> str:
    """Say what comes before a release."""
    return f"empty the {held.device}" if held.unaccounted else "test the cause again"


def release(table: "Table", value: str) -> None:
    """Lift a hold."""
    held = _chosen(table, value)
    lift(table, held, table.person(held.role))


def lift(table: "Table", held: Hold, by: str) -> None:
    """The fault is gone."""
    table.state.holds.remove(held)
    table.note(f"{held.kind} {held.device} released", held.cite, by)
    table.emit(ClearFault(fault=held.kind, device=held.device, by=by, cite=held.cite))
    came(table, held.role)
    if stops_shuffler(table, held):
        order_shuffle_again(table)
    if table.held is None:
        go_on(table, held.cite)


def go_on(table: "Table", cite: str) -> None:
    """Nothing holds the table any more: the shoe gives cards again."""
    table.emit(FreeShoe(cite=cite))
    if table.state.round is not None:
        order_stack(table)  # the order that the shoe was halted in is void


# ---------------------------------------------------------------- testing the cause again


def holds_to_test(table: "Table") -> list[str]:
    """The faults whose cause a device can test again, by kind and device."""
    return [
        f"{each.kind} {each.device}"
        for each in table.state.holds
        if cures.is_testable(each)
        and not each.may_be_lifted
        and not is_set_aside(table, each.kind, each.device)
    ]


def _test_words(_table: "Table", value: str) -> str:
    kind, device = value.split(maxsplit=1)
    return first_that_fits(f"{HELD_LINES[kind]} {plain(device)}", HELD_LINES[kind])


def retest(table: "Table", value: str) -> None:
    """Let the device test its cause again; its answer is an event of its own."""
    kind, device = value.split(maxsplit=1)
    table.emit(RetestDevice(device=device, fault=kind, cite=POLICY))


ACTIONS = (
    Action(
        "retest",
        "RETEST",
        Role.FLOOR,
        ANY_PHASE,
        "-",
        retest,
        values=holds_to_test,
        say=_test_words,
        while_held=True,
        any_role=True,
    ),
    Action(
        "release",
        "RELEASE",
        Role.FLOOR,
        ANY_PHASE,
        "-",
        release,
        verify_release,
        holds_to_lift,
        _hold_words,
        while_held=True,
        any_role=True,
    ),
)
