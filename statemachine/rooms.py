"""The rooms of a table, put together: who knows whom, who hears what, who carries out which action.

A room sees the parts of the state that it needs and the rooms below it. What lies above it and has to follow,
as cards that are dealt again once a fault is lifted, is handed to it here. What happened in the world is
heard whether the table is held or not; keys are refused while it is held where they may wait.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from sabot.statemachine import (
    by_hand,
    card_turning,
    chips,
    clearing,
    correcting,
    cutting,
    dealing,
    deciding,
    decks,
    declaring,
    faults,
    irregular,
    linked_hits,
    lockout,
    opening,
    out_of_order,
    restart,
    settling,
    shoe_reading,
    shuffling,
    stub,
    voiding,
)
from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.action import Action, Actions, meanings
from sabot.statemachine.alarms import Alarms
from sabot.statemachine.betting import Betting
from sabot.statemachine.by_hand import ByHand
from sabot.statemachine.card_turning import CardTurning, Turned
from sabot.statemachine.chips import Answering, ChipCount
from sabot.statemachine.clearing import Clearing, RoundRecorder
from sabot.statemachine.contest import Contest, LaidCards, SettlingProgress
from sabot.statemachine.correcting import Correcting
from sabot.statemachine.cures import Cures
from sabot.statemachine.cutting import Cutting, IdleWatch
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.deciding import Deciding
from sabot.statemachine.decks import Decks, Registering
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.display import DealerDisplay, TableUpdates
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.hits import Hits, Shares
from sabot.statemachine.irregular import FaceUp, Irregularities
from sabot.statemachine.keys import ActionLists, Keys
from sabot.statemachine.late_chips import LateChips, Looked
from sabot.statemachine.law import Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.lockout import Boxes, Lockout
from sabot.statemachine.opening import GamingDay, Opening
from sabot.statemachine.orders import ConsoleOrders
from sabot.statemachine.out_of_order import OutOfOrder
from sabot.statemachine.outbox import Calling, LastTold, Outbox
from sabot.statemachine.outcome import LargePayments, Settlements
from sabot.statemachine.preparing import Preparing
from sabot.statemachine.prompts.after_deal import AfterDealPrompts, SettlingWords
from sabot.statemachine.prompts.before_round import BeforeRoundPrompts
from sabot.statemachine.prompts.by_phase import Prompts
from sabot.statemachine.prompts.deal import DealPrompts
from sabot.statemachine.restart import Restart
from sabot.statemachine.reveal_questions import RevealQuestions
from sabot.statemachine.safe_lane import SafeLane
from sabot.statemachine.settling import Settling
from sabot.statemachine.shoe_reading import ShoeReading
from sabot.statemachine.shuffling import Shuffling
from sabot.statemachine.state.books import LastRecord
from sabot.statemachine.state.phases import Phases
from sabot.statemachine.state.snapshot import State
from sabot.statemachine.stub import Stub
from sabot.statemachine.views import Views
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.voiding import TakingBack, Voiding

# The actions of each room, in the order in which lists show them.
ROWS: Mapping[str, tuple[Action, ...]] = {
    "opening": opening.ACTIONS,
    "registering": decks.REGISTERING_ACTIONS,
    "gaming_day": opening.DAY_ACTIONS,
    "shuffling": shuffling.ACTIONS,
    "cutting": cutting.ACTIONS,
    "box_owners": lockout.BOX_ACTIONS,
    "lockout": lockout.ACTIONS,
    "chip_count": chips.ACTIONS,
    "dealing": dealing.ACTIONS,
    "reading": shoe_reading.ACTIONS,
    "face_up": irregular.FACE_UP_ACTIONS,
    "stub": stub.ACTIONS,
    "deciding": deciding.ACTIONS,
    "turning": card_turning.ACTIONS,
    "declaring": declaring.ACTIONS,
    "settling": settling.ACTIONS,
    "linked_hits": linked_hits.ACTIONS,
    "correcting": correcting.ACTIONS,
    "clearing": clearing.ACTIONS,
    "irregularities": irregular.ACTIONS,
    "voiding": voiding.ACTIONS,
    "undo": voiding.UNDO_ACTIONS,
    "faults": faults.ACTIONS,
    "out_of_order": out_of_order.ACTIONS,
    "restart": restart.ACTIONS,
    "by_hand": by_hand.ACTIONS,
}
ACTIONS: dict[str, Action] = {action.name: action for rows in ROWS.values() for action in rows}
MEANT = meanings(ACTIONS.values())


Room = TypeVar("Room")


class TableRooms:
    """Every room of one table."""

    def __init__(
        self, law: Law, state: State, phases: Phases, out: Outbox, last_told: LastTold, recorded: LastRecord
    ) -> None:
        # The parts by the names of their fields: a room whose field is called ``stock`` gets the stock.
        parts = {each.name: getattr(state, each.name) for each in fields(state)}
        self._there: dict[str, Any] = {"law": law, "phases": phases, "out": out, **parts}
        self.last_told = self._there["last_told"] = last_told
        self.recorded = self._there["recorded"] = recorded
        self.contest = self._there["contest"] = Contest(law, state.play)
        self.actions = self._there["actions"] = Actions(state.crew, state.play)
        self.looked = self._there["looked"] = Looked()
        self._lay_the_ground()
        self._build_the_rooms()
        self._build_what_tells()
        self._lead_up()
        for name, rows in ROWS.items():
            room = self._there[name]
            # Last: an action is bound to its room, and all rooms must be there.
            self.actions.known |= {row.name: ACTIONS[row.name].at(room) for row in rows}
        self.handlers = self._handlers()

    def _build(self, name: str, kind: type[Room]) -> Room:
        """Build a room: what its fields name is there already, for it lies below."""
        # Fields that are set later (``init=False``) lie above, and come in ``_lead_up``.
        needs = [each.name for each in fields(kind) if each.init and each.name in self._there]  # type: ignore[arg-type]
        self._there[name] = built = kind(**{need: self._there[need] for need in needs})
        return built

    def _lay_the_ground(self) -> None:
        """Build what others stand on: people, shares, faults, decks."""
        # Each is built of those above it here: a field that is not there yet would be left out.
        self.cards = self._build("cards", LaidCards)
        self.hits = self._build("hits", Hits)
        self.late_chips = self._build("late_chips", LateChips)
        self.calling = self._build("calling", Calling)
        self.shares = self._build("shares", Shares)
        self.cures = self._build("cures", Cures)
        self.progress = self._build("progress", SettlingProgress)
        self.asking = self._build("asking", RevealQuestions)
        self.linked_meters = self._build("linked_meters", LinkedMeters)
        self.linked_hits = self._build("linked_hits", LinkedHits)
        self.large = self._build("large", LargePayments)
        self.faults = self._build("faults", FaultLatch)
        self.settlements = self._build("settlements", Settlements)
        self.by_hand = self._build("by_hand", ByHand)
        self.accounts = self._build("accounts", GameAccounts)
        self.orders = self._build("orders", ConsoleOrders)
        self.deck_room = self._build("deck_room", Decks)

    def _build_the_rooms(self) -> None:
        """Build the rooms of a round."""
        self.declaring = self._build("declaring", Declaring)
        self.gaming_day = self._build("gaming_day", GamingDay)
        self.shuffling = self._build("shuffling", Shuffling)
        self.cutting = self._build("cutting", Cutting)
        self.idle_watch = self._build("idle_watch", IdleWatch)
        self.opening = self._build("opening", Opening)
        self.dealing = self._build("dealing", Dealing)
        self.registering = self._build("registering", Registering)
        self.reading = self._build("reading", ShoeReading)
        self.chip_count = self._build("chip_count", ChipCount)
        self.answering = self._build("answering", Answering)
        self.settling = self._build("settling", Settling)
        self.turned = self._build("turned", Turned)
        self.voiding = self._build("voiding", Voiding)
        self.undo = self._build("undo", TakingBack)
        self.settling_words = self._build("settling_words", SettlingWords)
        self.irregularities = self._build("irregularities", Irregularities)
        self.box_owners = self._build("box_owners", Boxes)
        self.alarms = self._build("alarms", Alarms)

    def _build_what_tells(self) -> None:
        """Build what closes a round, and what tells people."""
        self.face_up = self._build("face_up", FaceUp)
        self.deciding = self._build("deciding", Deciding)
        self.out_of_order = self._build("out_of_order", OutOfOrder)
        self.stub = self._build("stub", Stub)
        self.turning = self._build("turning", CardTurning)
        self.lockout = self._build("lockout", Lockout)
        self.correcting = self._build("correcting", Correcting)
        self.before_round_prompts = self._build("before_round_prompts", BeforeRoundPrompts)
        self.deal_prompts = self._build("deal_prompts", DealPrompts)
        self.after_deal_prompts = self._build("after_deal_prompts", AfterDealPrompts)
        self.prompts = self._build("prompts", Prompts)
        self.views = self._build("views", Views)
        self.safe_lane = self._build("safe_lane", SafeLane)
        self.display = self._build("display", DealerDisplay)
        self.recording = self._build("recording", RoundRecorder)
        self.betting = self._build("betting", Betting)
        self.telling = self._build("telling", TableUpdates)
        self.lists = self._build("lists", ActionLists)
        self.clearing = self._build("clearing", Clearing)
        self.restart = self._build("restart", Restart)
        self.keys = self._build("keys", Keys)
        self.preparing = self._build("preparing", Preparing)

    def _lead_up(self) -> None:
        """Hand to rooms what lies above them and follows from what they do."""
        self.actions.held = lambda: self.faults.held
        self.actions.meant = MEANT
        self.faults.freed = self.dealing.order_stack
        self.faults.lifted = self.shuffling.on_lifted
        self.shuffling.order_stack = self.dealing.order_stack
        self.shuffling.void_with_deck = self.voiding.void_with_deck
        self.dealing.irregular = self.irregularities.irregular

    def _handlers(self) -> Mapping[type[ev.Event], Callable[[Any], None]]:
        """Return the handler of each event, in every phase, held or not."""
        return {
            # No entry asks whether the table is held: each room knows
            # what of it may wait. A device's word never may.
            ev.KeyPressed: self.keys.on_key,
            ev.DeviceJammed: self.alarms.on_jam,
            ev.DeviceFaulted: self.alarms.on_fault,
            ev.DeviceRetested: self.alarms.on_retested,
            ev.DeviceModeChanged: self.alarms.on_mode,
            ev.DeviceEmptied: self.alarms.on_emptied,
            ev.LinkLost: self.alarms.on_link_lost,
            ev.LinkRestored: self.alarms.on_link_restored,
            ev.ShufflerStopped: self.shuffling.on_shuffler_stopped,
            ev.ShuffleBlocked: self.shuffling.on_shuffle_blocked,
            ev.ShuffleStarted: self.shuffling.on_shuffle_started,
            ev.ShuffleCompleted: self.shuffling.on_shuffle_completed,
            ev.WagerSensed: self.betting.on_wager,
            ev.AccountWager: self.betting.on_account_wager,
            ev.AccountsRead: self.accounts.on_accounts_read,
            ev.AccountCredited: self.accounts.on_credited,
            ev.DrawSealed: self.accounts.on_sealed,
            ev.CardDrawn: self.reading.on_card,
            ev.CardsMissed: self.reading.on_missed,
            ev.StackDispensed: self.dealing.on_stack,
            ev.StackDelayed: self.dealing.on_delayed,
            ev.StackTaken: self.dealing.on_taken,
            ev.StubEjected: self.alarms.on_stub_ejected,
            ev.DecksFound: self.alarms.on_decks_found,
            ev.DrawMade: self.settling.on_draw,
            ev.Resumed: self.restart.on_resumed,
            ev.LotRegistered: self.opening.on_lot,
            ev.DealerSignedOn: self.opening.on_sign_on,
            ev.ReleaseOrdered: self.orders.on_release,
            ev.MeterAdjusted: self.orders.on_meter_adjusted,
            ev.ServiceModeChanged: self.orders.on_service_mode,
            ev.MeterLinkChanged: self.linked_meters.on_changed,
            ev.HitGranted: self.linked_hits.on_granted,
            ev.MeterLinkRefused: self.linked_hits.on_refused,
            ev.GrantTakenBack: self.linked_hits.on_taken_back,
            ev.RoleUnlocked: self.calling.on_unlocked,
            ev.RoleLocked: self.calling.on_locked,
            ev.TimeReached: self.deck_room.on_time,
        }
