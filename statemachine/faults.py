"""Faults: latched, over whatever phase the table is in, and nobody can wave them away.

A fault is ours or a device's. It locks the wagers and halts the shoe at once and holds the table where it
stands; it goes when its cause was tested again and the right role said so. Each kind is a row: whose rule it
is, the policy that switches it, who releases it, what to do.
"""

from typing import TYPE_CHECKING, NamedTuple

from sabot.statemachine.action import ANY_PHASE, Action, Refused
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
    table.state.holds.append(Hold(kind, device, why, cite, row.role, row.needs_retest))
    table.state.day.faults += 1
    table.emit(LockWagers(cite=cite))
    table.emit(HaltShoe(cite=cite))
    table.emit(RaiseFault(fault=kind, device=device, why=why, cite=cite))
    table.emit(HoldEffect(why=f"{row.words}: {why}", role=row.role, cite=cite))
    table.emit(RequireRole(role=row.role, why=row.words, cite=cite))


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
    if held.kind == "deck_removed" and held.device.removeprefix("deck ") not in table.state.decks:
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


def on_jam(table: "Table", event: DeviceJammed) -> None:
    """An automated shoe that jams voids the round (x.13(f)); a shoe drawn by hand never does by itself."""
    is_automated = table.state.method.startswith("auto_shoe")
    if table.state.round is not None and is_automated and table.state.phase is Phase.DEALING:
        irregular(table, "shoe_jam")
    hold(table, "device", event.device, event.cause, table.cite("13(f)"))


def on_fault(table: "Table", event: DeviceFaulted) -> None:
    """A device's own fault, or what its driver found."""
    kind = event.fault if event.fault in FAULT_ROWS else "device"
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
    """After sort, verify or service a deck needs a shuffle begun in play mode."""
    if event.mode != "play":
        for deck in table.state.decks.values():
            if table.state.round is None or deck.name != table.round.deck:
                deck.ready, deck.sorted_since = False, True
        hold(table, "sort_mode", event.device, f"in {event.mode} mode")
        return
    for deck in table.state.decks.values():
        deck.sorted_since = False


def on_emptied(table: "Table", event: DeviceEmptied) -> None:
    """Cards in must equal cards out."""
    if event.cards_in != event.cards_out:
        left = event.cards_in - event.cards_out
        hold(table, "not_emptied", event.device, f"{left} card(s) not accounted for")


def on_link_lost(table: "Table", event: LinkLost) -> None:
    """Nothing is heard of a device."""
    hold(table, "lost_link", event.device, event.reason)


def on_link_restored(table: "Table", event: LinkRestored) -> None:
    """The device is heard again and its state was read: that is its retest."""
    for held in table.state.holds:
        if (held.kind, held.device) == ("lost_link", event.device):
            held.retested = True


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
    ),
)
