"""The rooms of a table, and who hears what.

A room is a module with a part of the table's life: its actions, and its answers to events. Here they are put
together. What happened in the world is heard whether the table is held or not; keys are refused while it is
held where they may wait.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sabot.statemachine import (
    accounts,
    alarms,
    betting,
    boxes,
    byhand,
    chips,
    clearing,
    correcting,
    cutting,
    day,
    dealing,
    deciding,
    declaring,
    faceup,
    faults,
    irregular,
    linked,
    lockout,
    opening,
    orders,
    outoforder,
    reading,
    registering,
    restart,
    settling,
    shuffling,
    stub,
    turning,
    undo,
    voiding,
)
from sabot.statemachine import events as ev
from sabot.statemachine.action import Action

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

# The rooms in which people may order something.
ROOMS = (
    opening,
    registering,
    day,
    shuffling,
    cutting,
    boxes,
    lockout,
    chips,
    dealing,
    reading,
    faceup,
    stub,
    deciding,
    turning,
    declaring,
    settling,
    linked,
    correcting,
    clearing,
    irregular,
    voiding,
    undo,
    faults,
    outoforder,
    restart,
    byhand,
)
ACTIONS: dict[str, Action] = {action.name: action for room in ROOMS for action in room.ACTIONS}

Handler = Callable[["Table", Any], None]
# Heard in every phase, held or not.
HANDLERS: Mapping[type[ev.Event], Handler] = {
    ev.DeviceJammed: alarms.on_jam,
    ev.DeviceFaulted: alarms.on_fault,
    ev.DeviceRetested: alarms.on_retested,
    ev.DeviceModeChanged: alarms.on_mode,
    ev.DeviceEmptied: alarms.on_emptied,
    ev.LinkLost: alarms.on_link_lost,
    ev.LinkRestored: alarms.on_link_restored,
    ev.ShufflerStopped: shuffling.on_shuffler_stopped,
    ev.ShuffleBlocked: shuffling.on_shuffle_blocked,
    ev.ShuffleStarted: shuffling.on_shuffle_started,
    ev.ShuffleCompleted: shuffling.on_shuffle_completed,
    ev.WagerSensed: betting.on_wager,
    ev.AccountWager: betting.on_account_wager,
    ev.AccountsRead: accounts.on_accounts_read,
    ev.AccountCredited: accounts.on_credited,
    ev.DrawSealed: accounts.on_sealed,
    ev.CardDrawn: reading.on_card,
    ev.CardsMissed: reading.on_missed,
    ev.StackDispensed: dealing.on_stack,
    ev.StackDelayed: dealing.on_delayed,
    ev.StackTaken: dealing.on_taken,
    ev.StubEjected: alarms.on_stub_ejected,
    ev.DecksFound: alarms.on_decks_found,
    ev.DrawMade: settling.on_draw,
    ev.Resumed: restart.on_resumed,
    ev.LotRegistered: opening.on_lot,
    ev.DealerSignedOn: opening.on_sign_on,
    ev.ReleaseOrdered: orders.on_release,
    ev.MeterAdjusted: orders.on_meter_adjusted,
    ev.ServiceModeChanged: orders.on_service_mode,
    ev.MeterLinkChanged: linked.on_changed,
    ev.HitGranted: linked.on_granted,
    ev.MeterLinkRefused: linked.on_refused,
    ev.GrantTakenBack: linked.on_taken_back,
}
