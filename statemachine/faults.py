"""Faults: latched, over whatever phase the table is in, and nobody can wave them away.

A fault is ours or a device's. It locks the wagers and halts the shoe at once and holds the table where it
stands; it goes when its cause was tested again and the right role said so. Each kind is a row: whose rule it
is, the policy that switches it, who releases it, what to do.
"""

from typing import TYPE_CHECKING, NamedTuple

from sabot.statemachine.action import ANY_PHASE, Action, Refused
from sabot.statemachine.dealing import order_stack
from sabot.statemachine.effects import (
    ClearFault,
    HaltShoe,
    LockWagers,
    RaiseFault,
    RequireRole,
)
from sabot.statemachine.effects import (
    Hold as HoldEffect,
)
from sabot.statemachine.events import (
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    LinkLost,
    LinkRestored,
    Role,
)
from sabot.statemachine.irregular import irregular
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.shuffling import order_shuffle_again, sorted_by
from sabot.statemachine.state import Hold

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

LAW, POLICY = "law", "our policy"


class FaultRow(NamedTuple):
    """A kind of fault: whose rule, which policy switches it, who releases it, whether it is retested."""

    kind: str
    basis: str
    policy: str
    section: str
    role: Role
    needs_retest: bool
    words: str
    cure: str


T, F = Role.TECHNICIAN, Role.FLOOR


FAULTS = (
    FaultRow("shuffler_jam", LAW, "", "13(e)", F, True, "shuffler stopped", "clear it, retest, reshuffle"),
    FaultRow("deck_removed", LAW, "", "5(b)", F, False, "deck removed", "bring another deck"),
    FaultRow(
        "out_of_order", LAW, "", "13(g)", F, False, "device out of order", "cover or sign it, choose a method"
    ),
    FaultRow("unreadable_card", POLICY, "unreadable_card", "13(a)", F, False, "card not read", "look at it"),
    FaultRow("composition", POLICY, "composition", "5(b)", F, False, "impossible card", "change the deck"),
    FaultRow(
        "deck_color", POLICY, "deck_color", "3(b)(1)", F, False, "card of the other deck", "change the deck"
    ),
    FaultRow(
        "short_stack", POLICY, "short_stack", "13(f)", F, True, "stack of a wrong size", "count it, retest"
    ),
    FaultRow("sort_mode", POLICY, "sort_mode", "5(a)", F, True, "device not in play mode", "shuffle again"),
    FaultRow("not_emptied", POLICY, "not_emptied", "5(b)", T, True, "cards left in the device", "empty it"),
    FaultRow("lost_link", POLICY, "lost_link", "-", F, True, "device not heard", "plug it in"),
    FaultRow(
        "contradiction", POLICY, "contradiction", "-", F, True, "sensors contradict", "look, then retest"
    ),
    FaultRow(
        "card_out_of_turn", POLICY, "contradiction", "13(b)", F, False, "card out of turn", "put it back"
    ),
    FaultRow("exposed_other", POLICY, "", "13(d)", F, False, "card exposed", "decide"),
    FaultRow("device", POLICY, "", "-", T, True, "device fault", "see the console"),
    FaultRow("restarted", POLICY, "", "-", F, False, "restarted in a round", "confirm or take over"),
)


FAULT_ROWS = {row.kind: row for row in FAULTS}
# What the table itself finds or is told by its people; a device has no word for it.
OURS = frozenset({"deck_removed", "out_of_order", "restarted"})


def hold(table: "Table", kind: str, device: str, why: str, cite: str = "") -> None:
    """Latch a fault: safe direction at once, and the table waits."""
    row = FAULT_ROWS[kind]
    if row.policy and not getattr(table.policies, row.policy):
        return
    cite = cite or (table.cite(row.section) if row.section != "-" else POLICY)
    known = next((each for each in table.state.holds if (each.kind, each.device) == (kind, device)), None)
    if known is not None:
        known.why, known.retested = why, False
        return
    latched = Hold(kind, device, why, cite, row.role, row.needs_retest)
    table.state.holds.append(latched)
    table.state.day.faults += 1
    if concerns_round(table, latched):
        _stop(table, latched)
    table.emit(RaiseFault(fault=kind, device=device, why=why, cite=cite))
    table.emit(RequireRole(role=row.role, why=row.words, cite=cite))


def _stop(table: "Table", held: Hold) -> None:
    """The safe direction, and the table waits; an open list must not hide it."""
    table.state.menu = None
    table.emit(LockWagers(cite=held.cite))
    table.emit(HaltShoe(cite=held.cite))
    words = f"{FAULT_ROWS[held.kind].words}: {held.why}"
    table.emit(HoldEffect(why=words, role=held.role, cite=held.cite))


def concerns_round(table: "Table", held: Hold) -> bool:
    """A fault of the shuffler or of the deck in it leaves the round on the felt alone (x.13(e); reading V15)."""
    round_ = table.state.round
    if round_ is None or table.state.shuffler == Shuffler.RESHUFFLER:
        return True
    if held.device.startswith("deck "):
        return held.device == f"deck {round_.deck}"
    return held.device != "shuffler"


def holding(table: "Table") -> Hold | None:
    """The oldest fault that holds the table now."""
    return next((held for held in table.state.holds if concerns_round(table, held)), None)


def put_off(table: "Table") -> list[Hold]:
    """The faults that wait for the end of the round."""
    return [held for held in table.state.holds if not concerns_round(table, held)]


def hold_at_last(table: "Table", waiting: list[Hold]) -> None:
    """The round is over: what waited for it holds the table now."""
    for held in waiting:
        _stop(table, held)


def holds_to_lift(table: "Table") -> list[str]:
    """The faults that may be released, by number, kind and device."""
    return [f"{number} {each.kind} {each.device}" for number, each in enumerate(table.state.holds, 1)]


def _chosen(table: "Table", value: str) -> Hold:
    number = int(value.split(maxsplit=1)[0])
    if not 1 <= number <= len(table.state.holds):
        raise Refused(f"there is no fault {number}")
    return table.state.holds[number - 1]


def verify_release(table: "Table", value: str) -> None:
    """Its cause was tested again, and the role is the one that may say so."""
    held = _chosen(table, value)
    if not held.may_be_lifted:
        raise Refused(f"{held.kind}: test the cause again first")
    if held.role.value not in table.state.unlocked:
        raise Refused(f"{held.kind}: only the {held.role} releases it")
    if held.kind == "deck_removed" and len(table.state.decks) < table.state.deck_count:
        raise Refused("bring another deck first")
    if held.kind == "out_of_order" and held.device not in table.state.covered:
        raise Refused("cover or sign the device first")


def release(table: "Table", value: str) -> None:
    """Lift a hold."""
    held = _chosen(table, value)
    lift(table, held, table.person(held.role))


def lift(table: "Table", held: Hold, by: str) -> None:
    """The fault is gone."""
    table.state.holds.remove(held)
    table.note(f"{held.kind} {held.device} released", held.cite, by)
    table.emit(ClearFault(fault=held.kind, device=held.device, by=by, cite=held.cite))
    if held.device == "shuffler":
        order_shuffle_again(table)
    if table.held is None and table.phases.state is Phase.DEALING:
        order_stack(table)  # the order that the shoe was halted in is void


def on_jam(table: "Table", event: DeviceJammed) -> None:
    """An automated shoe that jams voids the round (x.13(f)); a shoe drawn by hand never does by itself."""
    is_automated = table.state.method.startswith("auto_shoe")
    if table.state.round is not None and is_automated and table.state.phase is Phase.DEALING:
        irregular(table, "shoe_jam")
    hold(table, "device", event.device, event.cause, table.cite("13(f)"))


def on_fault(table: "Table", event: DeviceFaulted) -> None:
    """A device's own fault, or what its driver found."""
    kind = event.fault if event.fault in FAULT_ROWS and event.fault not in OURS else "device"
    hold(table, kind, event.device, event.detail or event.fault)


def on_retested(table: "Table", event: DeviceRetested) -> None:
    """The cause was tested again; good or not, only a person lifts the hold."""
    found = [each for each in table.state.holds if each.device == event.device]
    if not found:
        raise Refused(f"{event.device} has no fault")
    for held in found:
        if event.fault in (held.kind, "", "all"):
            held.retested = event.good


def on_mode(table: "Table", event: DeviceModeChanged) -> None:
    """After sort, verify or service a deck needs a shuffle begun in play mode; play mode is the retest."""
    sorting = table.state.sorting
    if event.mode == "play":
        if event.device in sorting:
            sorting.remove(event.device)
        _passed(table, "sort_mode", event.device)
        return
    if event.device not in sorting:
        sorting.append(event.device)
    if table.policies.sort_mode:
        sorted_by(table, event.device)
    hold(table, "sort_mode", event.device, f"in {event.mode} mode")


def _passed(table: "Table", kind: str, device: str) -> None:
    """A device's own word that the cause is gone: that is the retest of its fault."""
    for held in table.state.holds:
        if (held.kind, held.device) == (kind, device):
            held.retested = True


def on_emptied(table: "Table", event: DeviceEmptied) -> None:
    """Cards in must equal cards out; when they do, that is the retest of an emptying that failed."""
    left = event.cards_in - event.cards_out
    if left:
        hold(table, "not_emptied", event.device, f"{left} card(s) not accounted for")
    else:
        _passed(table, "not_emptied", event.device)


def on_link_lost(table: "Table", event: LinkLost) -> None:
    """Nothing is heard of a device."""
    hold(table, "lost_link", event.device, event.reason)


def on_link_restored(table: "Table", event: LinkRestored) -> None:
    """The device is heard again and its state was read: that is its retest."""
    _passed(table, "lost_link", event.device)


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
        while_held=True,
        any_role=True,
    ),
)
