"""Faults: latched, over whatever phase the table is in, and nobody can wave them away.

A fault is ours or a device's. It locks the wagers and halts the shoe at once and holds the table where it
stands; it goes when its cause was tested again and the right role said so. Each kind is a row: whose rule it
is, the policy that switches it, who releases it, what to do.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import ANY_PHASE, Action, Refused
from sabot.statemachine.dealing import order_stack
from sabot.statemachine.effects import (
    ClearFault,
    FreeShoe,
    HaltShoe,
    LockWagers,
    RaiseFault,
    RequireRole,
)
from sabot.statemachine.effects import (
    Hold as HoldEffect,
)
from sabot.statemachine.events import (
    Role,
)
from sabot.statemachine.faultrows import FAULT_ROWS, FAULTS, LAW, OURS, POLICY
from sabot.statemachine.labels import HELD_LINES, WIDTH, plain
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.shuffling import order_shuffle_again, stops_shuffler
from sabot.statemachine.state import Hold

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

__all__ = ["ACTIONS", "FAULTS", "FAULT_ROWS", "LAW", "OURS", "POLICY", "hold", "lift"]


def hold(table: "Table", kind: str, device: str, why: str, cite: str = "") -> None:
    """Latch a fault: safe direction at once, and the table waits."""
    row = FAULT_ROWS[kind]
    if row.policy and not getattr(table.policies, row.policy):
        return
    cite = cite or table.cite(row.section)
    known = next((each for each in table.state.holds if (each.kind, each.device) == (kind, device)), None)
    if known is not None:
        known.why, known.retested, known.since = why, False, table.now
        return
    latched = Hold(kind, device, why, cite, row.role, row.needs_retest, since=table.now)
    table.state.holds.append(latched)
    table.state.day.faults += 1
    if concerns_round(table, latched):
        _stop(table, latched)
    table.emit(RaiseFault(fault=kind, device=device, why=why, cite=cite))
    table.emit(RequireRole(role=row.role, why=row.words, cite=cite))


def _stop(table: "Table", held: Hold) -> None:
    """The safe direction, and the table waits; an open list must not hide it."""
    table.state.menu = None
    if table.state.round is not None:
        table.round.ordered = 0  # a shoe that is halted forgets its order
    row = FAULT_ROWS[held.kind]
    table.emit(HaltShoe(cite=held.cite), first=not table.has_emitted(LockWagers))
    lock_wagers(table, held.cite)
    table.emit(HoldEffect(why=f"{row.words}: {held.why}", role=held.role, how=row.cure, cite=held.cite))


def lock_wagers(table: "Table", cite: str) -> None:
    """Every spot is closed, before anything else is done; once for an event is enough."""
    table.told_spots = frozenset()
    if not table.has_emitted(LockWagers):
        table.emit(LockWagers(cite=cite), first=True)


def concerns_round(table: "Table", held: Hold) -> bool:
    """A fault of the shuffler or of the deck in it leaves the round on the felt alone (reading V15)."""
    round_ = table.state.round
    if round_ is None:
        return True
    if held.device.startswith("deck "):
        return held.device == f"deck {round_.deck}"
    return held.device != "shuffler" or table.state.shuffler == Shuffler.RESHUFFLER


def holding(table: "Table") -> list[Hold]:
    """The faults that hold the table now, the oldest first."""
    return [held for held in table.state.holds if concerns_round(table, held)]


def put_off(table: "Table") -> list[Hold]:
    """The faults that wait for the end of the round."""
    return [held for held in table.state.holds if not concerns_round(table, held)]


def hold_at_last(table: "Table", waiting: list[Hold]) -> None:
    """The round is over: what waited for it holds the table now."""
    for held in waiting:
        _stop(table, held)


def holds_to_lift(table: "Table") -> list[str]:
    """The faults that may be released, by number, kind and device."""
    return [
        f"{number} {each.kind} {each.device}"
        for number, each in enumerate(table.state.holds, 1)
        if not is_for_the_floor_to_confirm(table, each)
    ]


def is_for_the_floor_to_confirm(table: "Table", held: Hold) -> bool:
    """A restart within the round on the felt: it is confirmed or taken over, never just released."""
    return held.kind == "restarted" and table.state.round is not None


def _hold_words(_table: "Table", value: str) -> str:
    number, kind, device = value.split(maxsplit=2)
    words = f"{number} {HELD_LINES[kind][0]} {plain(device)}"
    return words if len(words) <= WIDTH else f"{number} {HELD_LINES[kind][0]}"


def _chosen(table: "Table", value: str) -> Hold:
    return table.state.holds[int(value.partition(" ")[0]) - 1]


def verify_release(table: "Table", value: str) -> None:
    """Its cause was tested again, and the role is the one that may say so."""
    held = _chosen(table, value)
    if not held.may_be_lifted and not _is_gone(table, held):
        raise Refused(f"{held.kind}: test the cause again first")
    if held.role.value not in table.state.unlocked:
        raise Refused(f"{held.kind}: only the {held.role} releases it")
    lacks_deck = len(table.state.decks) < table.state.deck_count and table.state.phase is not Phase.CLOSED
    if held.kind == "deck_removed" and lacks_deck:
        raise Refused("bring another deck first")
    if held.kind == "out_of_order" and held.device in table.state.uncovered():
        raise Refused("cover or sign the device first")


def _is_gone(table: "Table", held: Hold) -> bool:
    """A deck that was proven bad and has left the table need not be tested again."""
    name = held.device.removeprefix("deck ")
    left = {deck.name for deck in table.state.retired if deck.opened_at <= held.since}
    there = table.state.decks.get(name)
    return (
        held.device.startswith("deck ") and name in left and (there is None or there.opened_at > held.since)
    )


def release(table: "Table", value: str) -> None:
    """Lift a hold."""
    held = _chosen(table, value)
    lift(table, held, table.person(held.role))


def lift(table: "Table", held: Hold, by: str) -> None:
    """The fault is gone."""
    table.state.holds.remove(held)
    table.note(f"{held.kind} {held.device} released", held.cite, by)
    table.emit(ClearFault(fault=held.kind, device=held.device, by=by, cite=held.cite))
    if stops_shuffler(table, held):
        order_shuffle_again(table)
    if table.held is None:
        table.emit(FreeShoe(cite=held.cite))
        if table.phases.state is Phase.DEALING:
            order_stack(table)  # the order that the shoe was halted in is void


ACTIONS = (
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
