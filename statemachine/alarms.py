"""What devices report of themselves: jams, faults, tests, modes, lost links, cards left inside (x.13(e)-(f)).

Each report finds its row in the table of faults. A device's own word that a cause is gone counts as its test,
never as the release: that is a person's.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Refused
from sabot.statemachine.dealing import is_automated
from sabot.statemachine.events import (
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    LinkLost,
    LinkRestored,
)
from sabot.statemachine.faultrows import FAULT_ROWS, OURS
from sabot.statemachine.faults import hold
from sabot.statemachine.irregular import irregular
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.shuffling import sorted_by

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

ONE_MACHINE = {"shoe", "shuffler"}


def on_jam(table: "Table", event: DeviceJammed) -> None:
    """An automated shoe that jams voids the round (x.13(f)); a shoe drawn by hand never does by itself."""
    is_shoe = event.device != "shuffler" or table.state.shuffler == Shuffler.RESHUFFLER
    if is_shoe and table.state.phase is Phase.DEALING and is_automated(table):
        table.state.undo = None  # what a device did nobody takes back
        irregular(table, "shoe_jam")
    hold(table, "device", event.device, event.cause, table.cite("13(f)"))


def on_fault(table: "Table", event: DeviceFaulted) -> None:
    """A device's own fault, or what its driver found."""
    kind = event.fault if event.fault in FAULT_ROWS and event.fault not in OURS else "device"
    hold(table, kind, event.device, event.detail or event.fault)


def on_retested(table: "Table", event: DeviceRetested) -> None:
    """The cause was tested again; good or not, only a person lifts the hold."""
    found = [each for each in table.state.holds if _is_of(table, each.device, event.device)]
    if not found:
        raise Refused(f"{event.device} has no fault")
    for held in found:
        if event.fault in (held.kind, "", "all"):
            held.retested = event.good and held.needs_retest


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
        if held.kind == kind and _is_of(table, held.device, device):
            held.retested = True


def _is_of(table: "Table", held: str, device: str) -> bool:
    """Whether a fault under one name is of the device that speaks: one machine may be shoe and shuffler."""
    return held == device or (table.setup.one_machine and {held, device} == ONE_MACHINE)


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
