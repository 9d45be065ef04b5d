"""The table: one event in, the effects out.

``handle`` finds the handler for an event in the phase the table is in, lets it change the state, and then
tells people what follows from the new state (prompt, lamp, spots, meters) where it differs from what they
were told. A handler that refuses has changed nothing: whatever it verifies it verifies first. Faults are
heard in every phase and before everything else; while the table is held only what may lift a hold is heard.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from sabot.rules.chapter import Chapter, Fate
from sabot.rules.payouts import PayKind
from sabot.rules.round import Line, Stake
from sabot.rules.settlement import Settlement
from sabot.rules.settlement.house import House, chosen_readings
from sabot.statemachine import (
    betting,
    boxes,
    chips,
    clearing,
    correcting,
    day,
    dealing,
    deciding,
    decks,
    declaring,
    display,
    faceup,
    faults,
    irregular,
    keys,
    lockout,
    opening,
    outcome,
    outoforder,
    restart,
    settling,
    shuffling,
    snapshot,
    stub,
    voiding,
)
from sabot.statemachine import events as ev
from sabot.statemachine.action import Action, Refused
from sabot.statemachine.effects import (
    Effect,
    LightSeat,
    LockWagers,
    OpenSpots,
    RecordRound,
    RefuseInput,
    RequireRole,
    SetMeter,
    ShowPrompt,
    WakeAt,
)
from sabot.statemachine.events import Event, KeyPressed, Role
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.ledger import Cause, account
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.record import RoundRecord, make_record
from sabot.statemachine.setup import Policies, Setup
from sabot.statemachine.state import Hold, Note, Pending, PlayedRound, RoundState, State
from sabot.statemachine.views import view

P = Phase
ROOMS = (
    opening,
    day,
    shuffling,
    betting,
    boxes,
    lockout,
    chips,
    dealing,
    faceup,
    stub,
    deciding,
    declaring,
    settling,
    correcting,
    clearing,
    irregular,
    voiding,
    faults,
    outoforder,
    restart,
)
ACTIONS: dict[str, Action] = {action.name: action for room in ROOMS for action in room.ACTIONS}

# What 641a.8 says of a manual shoe, 641a.9 says of the hand and 641a.10 of an automated shoe.
BY_METHOD: Mapping[str, Mapping[str, str]] = {
    "8(b)": {"hand": "9(a)(3)", "auto": "10(a)(2)"},
    "8(e)": {"hand": "9(c)", "auto": "10(c)"},
    "8(f)": {"hand": "9(d)", "auto": "10(d)"},
    "8(h)": {"hand": "9(f)", "auto": "10(f)"},
}

# What two tellings of the same kind differ in.
_PROMPT = attrgetter("first", "second", "cite")
_LAMP, _METER, _WAKE = attrgetter("seat"), attrgetter("cents"), attrgetter("at")

Handler = Callable[["Table", Any], None]
# Heard in every phase, held or not.
FAULT_HANDLERS: Mapping[type[Event], Handler] = {
    ev.DeviceJammed: faults.on_jam,
    ev.DeviceFaulted: faults.on_fault,
    ev.DeviceRetested: faults.on_retested,
    ev.DeviceModeChanged: faults.on_mode,
    ev.DeviceEmptied: faults.on_emptied,
    ev.LinkLost: faults.on_link_lost,
    ev.LinkRestored: faults.on_link_restored,
    ev.ShufflerStopped: shuffling.on_shuffler_stopped,
    ev.ShuffleStarted: shuffling.on_shuffle_started,
    ev.ShuffleCompleted: shuffling.on_shuffle_completed,
    ev.WagerSensed: betting.on_wager,
    ev.CardDrawn: dealing.on_card,
    ev.StackDispensed: dealing.on_stack,
    ev.DrawMade: settling.on_draw,
    ev.Resumed: restart.on_resumed,
    ev.LotRegistered: opening.on_lot,
}
# Heard only while nothing holds the table.
HANDLERS: Mapping[type[Event], Handler] = {
    ev.AccountWager: betting.on_account_wager,
    ev.DealerSignedOn: opening.on_sign_on,
}


class Table:
    """A table of one chapter, as it is set up."""

    def __init__(self, setup: Setup) -> None:
        setup.verify()
        self.setup = setup
        self.chapter: Chapter = setup.chapter
        self.policies: Policies = setup.policies
        self.readings = chosen_readings(setup.chapter, setup.options.readings)
        self.settlement = Settlement(setup.chapter, setup.options)
        self.house: House = self.settlement.house
        self.phases = Phases()
        self.last_record: RoundRecord | None = None
        self.state = State(
            phase=Phase.CLOSED,
            method=setup.method,
            knowledge=setup.knowledge,
            shuffler=setup.shuffler,
            deck_count=setup.decks,
        )
        self._effects: list[Effect] = []
        self._cites: dict[tuple[str, str], str] = {}
        self._laid = dealing.lay_out([])
        self.offered_spots = display.offered_spots(setup)
        self.feeds = chips.feeds(setup)
        self.told: dict[str, Effect] = {}
        self.told_spots: frozenset[display.Spot] = frozenset()
        day.seed_meters(self)

    # ------------------------------------------------------------ events

    def handle(self, event: Event) -> list[Effect]:
        """Everything that follows from one event."""
        self._effects = []
        if type(event) is ev.Resumed:
            restart.set_clock(self, event)
        self.state.now = max(self.state.now, event.at + self.state.clock_offset)
        try:
            self._dispatch(event)
        except Refused as refusal:
            self.emit(RefuseInput(why=str(refusal)))
        if self.state.phase is not self.phases.state:
            self.state.phase, self.state.menu = self.phases.state, None
        self._tell()
        return self._effects

    def _dispatch(self, event: Event) -> None:
        kind = type(event)
        if kind is KeyPressed:
            keys.press(self, event.key)  # type: ignore[attr-defined]
        elif kind in FAULT_HANDLERS:
            FAULT_HANDLERS[kind](self, event)
        elif kind is ev.RoleUnlocked:
            self._unlock(event)  # type: ignore[arg-type]
        elif kind is ev.RoleLocked:
            self.state.unlocked.pop(event.role.value, None)  # type: ignore[attr-defined]
            self.state.menu = None
        elif kind is ev.TimeReached:
            self._notice_decks()
        elif self.held is not None:
            raise Refused(f"held: {self.held.why} ({self.held.cite}), {self.held.role} releases")
        elif kind in HANDLERS:
            HANDLERS[kind](self, event)
        else:
            raise Refused(f"{kind.__name__} is no event of this table")

    def _unlock(self, event: ev.RoleUnlocked) -> None:
        self.state.unlocked[event.role.value] = event.person
        if event.role is Role.FLOOR:
            self.state.floor = event.person
        self.state.day.unlocks += 1
        self.note(f"{event.role} {event.person} unlocked")

    def _notice_decks(self) -> None:
        for deck in self.state.decks.values():
            due_soon = self.now >= decks.deadline(self, deck) - self.setup.change_notice_s
            if due_soon and not deck.noticed:
                deck.noticed = True
                cite = self.chapter.deck.rules["change"].cite
                minutes = int(max(decks.deadline(self, deck) - self.now, 0.0) // 60)
                why = f"deck {deck.name} is due in {minutes} min"
                self.note(why, cite)
                self.emit(RequireRole(role=Role.FLOOR, why=why, cite=cite))

    # ------------------------------------------------------------ questions from outside

    def view(self, role: Role) -> dict[str, object]:
        """What a role may see."""
        return view(self, role)

    def snapshot(self) -> dict[str, object]:
        """All that the table knows, as plain values: for whoever seals the journal, and nobody else."""
        return snapshot.take(self)

    @classmethod
    def restore(cls, setup: Setup, taken: Mapping[str, object]) -> "Table":
        """The table of a snapshot, which goes on as if it had never stopped."""
        table = cls(setup)
        snapshot.put(table, taken)
        return table

    def blast_radius(self, deck: str) -> list[PlayedRound]:
        """The rounds, with seats and wagers, that a deck dealt since it was last proven good."""
        return decks.touched(self, deck)

    # ------------------------------------------------------------ actions

    @property
    def actions(self) -> Mapping[str, Action]:
        """Every action there is, by name."""
        return ACTIONS

    def action(self, name: str) -> Action:
        """An action by its name."""
        return ACTIONS[name]

    def verify(self, name: str, value: str = "") -> None:
        """Raise why an action may not be done now."""
        action = ACTIONS[name]
        phase = self.phases.state
        if phase not in action.phases:
            raise Refused(f"{action.title.lower()}: not while {phase.value.replace('_', ' ')}")
        if self.held is not None and not action.while_held:
            raise Refused(f"held: {self.held.why}")
        if action.by is not Role.DEALER and not self.is_entitled(action):
            raise Refused(f"{action.title.lower()}: only the {action.by}")
        if action.values is not None and not action.offers(self, value):
            raise Refused(f"{action.title.lower()}: {value or 'nothing'} is not to be chosen now")
        action.verify(self, value)

    def is_entitled(self, action: Action) -> bool:
        """Whether somebody is there who may order this; a fault is released by the role of its row."""
        unlocked = self.state.unlocked
        by_role = action.by is Role.DEALER or action.by.value in unlocked
        return by_role or (action.any_role and bool(unlocked))

    def can(self, name: str, value: str = "") -> bool:
        """Whether an action may be done now."""
        try:
            self.verify(name, value)
        except Refused:
            return False
        return True

    def do(self, name: str, value: str = "") -> None:
        """Do an action that was verified."""
        self.verify(name, value)
        ACTIONS[name].do(self, value)

    # ------------------------------------------------------------ what rooms ask for

    @property
    def now(self) -> float:
        """The time of the event being handled."""
        return self.state.now

    @property
    def held(self) -> Hold | None:
        """The fault that holds the table now, the oldest one."""
        return next(iter(self.holding()), None) if self.state.holds else None

    def holding(self) -> list[Hold]:
        """The faults that hold the table now, the oldest first."""
        return faults.holding(self) if self.state.holds else []

    @property
    def round(self) -> RoundState:
        """The round under way."""
        assert self.state.round is not None  # only phases within a round ask
        return self.state.round

    def emit(self, effect: Effect) -> None:
        """Add an effect."""
        self._effects.append(effect)

    def cite(self, section: str) -> str:
        """The citation of a procedure, named by its number in 641a (``-``: our own policy)."""
        if section == "-":
            return POLICY
        asked = section, (self.state.round or self.state).method
        if asked not in self._cites:
            number = BY_METHOD.get(section, {}).get(asked[1].partition("_")[0], section)
            self._cites[asked] = self.chapter.section(number)
        return self._cites[asked]

    @property
    def stub_cite(self) -> str:
        """The rule of the stub count."""
        return self.cite("8(f)")

    def person(self, role: Role) -> str:
        """Who has unlocked a role."""
        return self.state.unlocked.get(role.value) or next(iter(self.state.unlocked.values()), "")

    def note(self, words: str, cite: str = "", by: str = "") -> None:
        """Keep something for the record of the round, between rounds of the next one."""
        round_ = self.state.round
        (round_.notes if round_ is not None else self.state.notes).append(Note(self.now, words, cite, by))

    def hold(self, kind: str, device: str, why: str, cite: str = "") -> None:
        """Latch a fault."""
        faults.hold(self, kind, device, why, cite)

    def irregular(self, kind: str) -> None:
        """Meet an irregularity."""
        irregular.irregular(self, kind)

    def remove_deck(self, name: str, why: str, cite: str) -> None:
        """A deck leaves the table for good."""
        if name in self.state.decks:
            decks.remove_deck(self, name, why, cite)

    def ask_next(self) -> None:
        """Ask the next player."""
        deciding.ask_next(self)

    def settle_known(self) -> None:
        """Settle the round by its cards."""
        outcome.settle_known(self)

    def begin_declaring(self) -> None:
        """Begin with the dealer's declarations."""
        declaring.begin_declaring(self)

    def knows_cards(self) -> bool:
        """Whether every card of the round is known."""
        return outcome.knows_cards(self)

    def clear_pending(self) -> None:
        """Forget what was being entered."""
        self.state.pending = Pending()

    # ------------------------------------------------------------ what follows from the round

    def meters(self) -> dict[str, dict[str, int]]:
        """Every meter as its sign shows it."""
        return self.state.ledger.shown(self.setup.meters)

    @property
    def laid(self) -> dealing.Laid:
        """The plan of the round, made easy to look up; once for each, for a change of plan is a new plan."""
        if self._laid.plan is not self.round.plan:
            self._laid = dealing.lay_out(self.round.plan)
        return self._laid

    def open_spots(self) -> frozenset[tuple[int, str]]:
        """The spots whose wagers count now."""
        return display.open_spots(self)

    @property
    def contest_is_void(self) -> bool:
        """Whether antes and raises go back and only optional wagers are settled."""
        found = self.chapter.irregularities.get(self.round.irregularity)
        return found is not None and found.fate is Fate.VOID_CONTEST

    def players_to_ask(self) -> list[int]:
        """The seats with an Ante that have not left, from the dealer's left."""
        round_ = self.round
        return [
            seat for seat in sorted(round_.bets) if "ante" in round_.bets[seat] and seat not in round_.left
        ]

    def stakes(self, seat: int) -> dict[str, Stake]:
        """All stakes of a seat, second wagers included."""
        round_ = self.round
        second = self.chapter.contest.wagers[1:]
        return round_.bets[seat] | dict(zip(second, round_.raises.get(seat, ()), strict=False))

    def is_alive(self, seat: int, wager: str) -> bool:
        """Whether a wager still competes."""
        if wager not in self.stakes(seat) or seat in self.round.left:
            return False
        return seat not in self.round.folded or self.house.keeps_after_fold(self.chapter.wagers[wager])

    def has_cards_left(self, seat: int) -> bool:
        """Whether a seat's cards are still on the table."""
        if seat in self.round.left:
            return False
        if seat not in self.round.folded:
            return bool(self.stakes(seat))
        return any(self.house.keeps_after_fold(self.chapter.wagers[wager]) for wager in self.stakes(seat))

    def share_of(self, line: Line) -> tuple[str, str] | None:
        """The meter and level that a line is paid from, if it is a share of one."""
        wager = self.chapter.wagers.get(line.wager)
        if wager is None or wager.settles is None or line.result != "win" or line.row is None:
            return None
        payout = self.house.column(wager.settles.paytable).hits[line.row].payout
        if payout.kind is not PayKind.METER:
            return None
        meter = next(each for each in self.chapter.meters.values() if line.wager in each.wagers)
        return meter.name, payout.level

    def hit_cents(self, line: Line) -> int:
        """What a share of a meter comes to (the stake may be unknown, the meter is not)."""
        if line.paid is not None:
            return line.paid
        share = self.share_of(line)
        assert share is not None  # only shares are asked for
        settles = self.chapter.wagers[line.wager].settles
        assert settles is not None  # a share is a row of its paytable
        rate = self.house.column(settles.paytable).hits[line.row or ""].payout.rate
        return self.meters()[share[0]][share[1]] * rate.numerator // rate.denominator

    def reseed_if_emptied(self, line: Line, meter: str, level: str, cause: Cause) -> None:
        """Put the seed back after a 100 % hit."""
        wager = self.chapter.wagers[line.wager]
        assert wager.settles is not None
        payout = self.house.column(wager.settles.paytable).hits[line.row or ""].payout
        terms = self._level_terms(meter, level)
        if payout.rate == 1 and terms:
            self.state.ledger.reseed(meter, level, terms, cause)

    def _level_terms(self, meter: str, level: str) -> int:
        spec = self.chapter.meters[meter]
        letter = self.house.letter(self.chapter.paytables[spec.paytable])
        terms = spec.levels[letter][level]
        if terms.reseed_for_1 is not None:
            return terms.reseed_for_1 * self.setup.options.progressive_unit
        return self.setup.options.meter_reset[level]

    @property
    def pays_shares_elsewhere(self) -> bool:
        """A share of a meter is not paid from the tray (641a.11(c)(5)(iv); in Maryland our own policy)."""
        return bool(self.chapter.meters)

    def finish_round(self) -> None:
        """The round is over: counted, recorded, its contributions final."""
        clearing.count_round(self)
        self.last_record = make_record(self)
        self.state.ledger.keep_round()
        self.emit(RecordRound(number=self.round.number))
        put_off = faults.put_off(self)
        self.state.round = None
        self.clear_pending()
        faults.hold_at_last(self, put_off)

    # ------------------------------------------------------------ telling

    def _tell(self) -> None:
        """Tell people what follows from the state, where it differs from what they were told."""
        first, second, cite = display.prompt(self)
        if self._is_news("prompt", _PROMPT, (first, second, cite)):
            self._tell_new("prompt", ShowPrompt(first=first, second=second, cite=cite))
        seat = display.lit_seat(self)
        if self._is_news("lamp", _LAMP, seat):
            self._tell_new("lamp", LightSeat(seat=seat))
        self._tell_spots()
        self._tell_meters()
        wake = self._wake_at()
        if wake is not None and self._is_news("wake", _WAKE, wake - self.state.clock_offset):
            self._tell_new("wake", WakeAt(at=wake - self.state.clock_offset))

    def _is_news(self, key: str, what: Callable[[Effect], object], now: object) -> bool:
        """Whether what was told last differs: asked of plain values, before an effect is made."""
        told = self.told.get(key)
        return told is None or what(told) != now

    def _tell_new(self, key: str, effect: Effect) -> None:
        self.told[key] = effect
        self.emit(effect)

    def _tell_meters(self) -> None:
        for meter, levels in self.setup.meters.items():
            for level in levels:
                key, cents = account(meter, level), self.state.ledger.cents(meter, level)
                if self._is_news(key, _METER, cents):
                    self._tell_new(key, SetMeter(meter=meter, level=level, cents=cents))

    def _tell_spots(self) -> None:
        spots, before = self.open_spots(), self.told_spots
        if spots is before or spots == before:
            return
        self.told_spots = spots
        closed, opened = before - spots, spots - before
        if closed:
            self._effects.insert(0, LockWagers(spots=display.in_order(closed), cite=self.cite("7(c)")))
        if opened:
            self.emit(OpenSpots(spots=display.in_order(opened), cite=self.cite("7(c)")))

    def _wake_at(self) -> float | None:
        notice, now = self.setup.change_notice_s, self.now
        due = [decks.deadline(self, deck) for deck in self.state.decks.values()]
        return min((time for end in due for time in (end - notice, end) if time > now), default=None)
