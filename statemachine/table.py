"""The table: one event in, the effects out.

``safe`` says what an event locks and halts, for the runner to perform first. ``handle`` then finds the
handler for the event in the phase the table is in, lets it change the state, and tells people what follows
from the new state (spots, prompt, lamp, meters) where it differs from what they were told. A handler that
refuses has changed nothing: whatever it verifies it verifies first. Faults are heard in every phase and
before everything else; while the table is held only what may lift a hold is heard.
"""

from collections.abc import Mapping

from sabot.rules.chapter import Chapter, Fate
from sabot.rules.plan import kept_plans
from sabot.rules.round import Stake
from sabot.rules.settlement import Settlement
from sabot.rules.settlement.house import House, chosen_readings
from sabot.statemachine import (
    accounts,
    calling,
    chips,
    clearing,
    day,
    dealing,
    deciding,
    decks,
    declaring,
    display,
    faults,
    idle,
    irregular,
    keys,
    labels,
    linked,
    lists,
    lockout,
    lying,
    outcome,
    restart,
    safelane,
    settling,
    snapshot,
    telling,
    voiding,
)
from sabot.statemachine import events as ev
from sabot.statemachine.action import Action, Refused
from sabot.statemachine.effects import Effect, RecordRound, RefuseInput, ShowNotice
from sabot.statemachine.events import Event, Role
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.record import RoundRecord, make_record
from sabot.statemachine.rooms import ACTIONS, HANDLERS
from sabot.statemachine.setup import Policies, Setup, verify_money
from sabot.statemachine.state import Hold, Note, Pending, PlayedRound, RoundState, State
from sabot.statemachine.views import view

__all__ = ["ACTIONS", "HANDLERS", "Table"]

# What 641a.8 says of a manual shoe, 641a.9 says of the hand and 641a.10 of an automated shoe.
BY_METHOD: Mapping[str, Mapping[str, str]] = {
    "8(a)": {"hand": "9(a)(2)", "auto": "10(a)(1)"},
    "8(b)": {"hand": "9(a)(3)", "auto": "10(a)(2)"},
    "8(e)": {"hand": "9(c)", "auto": "10(c)"},
    "8(f)": {"hand": "9(d)", "auto": "10(d)"},
    "8(h)": {"hand": "9(f)", "auto": "10(f)"},
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
        verify_money(setup, self.settlement)
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
        self._sorted = settling.sort_lines([])
        self.offered_spots = display.offered_spots(setup)
        self.feeds = chips.feeds(setup)
        self.counted_wagers = chips.wagers_on(setup, chips.PROGRESSIVE)
        self.account_wagers = chips.wagers_on(setup, chips.ACCOUNT)
        self.from_stations = tuple(sorted(self.account_wagers & setup.offers))
        self.signs = telling.signs(setup)
        self.links = linked.links_of(setup)
        self.lives_s = {method: setup.life_s(method) for method in setup.chapter.plans}
        self.all_stand = lockout.kept_verdicts(setup)
        self.planned = kept_plans(setup.chapter, self.readings)
        self.told: dict[str, Effect] = {}
        self.told_units: list[int] = []
        self.told_accounts: tuple[object, ...] = ()
        self.looked = lockout.Looked()
        self.told_spots: frozenset[display.Spot] = frozenset()
        self.armed: safelane.Armed | None = None
        day.seed_meters(self)

    # ------------------------------------------------------------ events

    def safe(self, event: Event) -> tuple[Effect, ...]:
        """Return what an event locks and halts. To be performed before ``handle`` computes the rest."""
        return safelane.decide(self, event)

    def handle(self, event: Event) -> list[Effect]:
        """Return everything that follows from one event, ``safe(event)`` first."""
        first = self.safe(event)
        self._effects = list(first)
        if first:
            self.told_spots = frozenset()
        if type(event) is ev.Resumed:
            restart.set_clock(self, event)
        self.state.now = max(self.state.now, event.at + self.state.clock_offset)
        try:
            self._dispatch(event)
        except Refused as refusal:
            self._refuse(event, str(refusal))
        self.state.phase = self.phases.state
        is_void = self.state.round is not None and self.state.round.void
        if len(first) > 1 and self.held is None and not is_void:
            faults.go_on(self, first[0].cite)  # the lane halted for what turned out to hold nothing
        idle.watch(self)
        menu = self.state.menu
        if menu is not None and not self.has_emitted(RefuseInput):
            lists.refresh(self, menu, keys.BY_KEY)
        telling.tell(self)
        safelane.arm(self)
        return self._effects

    def _refuse(self, event: Event, why: str) -> None:
        """Say why; of a key the display too, but where it says already what holds the table."""
        self.emit(RefuseInput(why=why))
        if type(event) is ev.KeyPressed and not display.says_what_holds(self):
            first, second = labels.refusal_lines(why)
            self.emit(ShowNotice(first=first, second=second))

    def _dispatch(self, event: Event) -> None:
        kind = type(event)
        if kind is ev.KeyPressed:
            keys.press(self, event.key)  # type: ignore[attr-defined]
        elif kind in HANDLERS:
            HANDLERS[kind](self, event)
        elif kind is ev.RoleUnlocked:
            self._unlock(event)  # type: ignore[arg-type]
        elif kind is ev.RoleLocked:
            self.state.unlocked.pop(event.role.value, None)  # type: ignore[attr-defined]
            self.state.menu = None
            if self.state.pending.lot:
                self.clear_pending()
        elif kind is ev.TimeReached:
            decks.give_notice(self)
        else:
            raise Refused(f"{kind.__name__} is no event of this table")

    def _unlock(self, event: ev.RoleUnlocked) -> None:
        self.state.unlocked[event.role.value] = event.person
        if event.role is Role.FLOOR:
            self.state.floor = event.person
        self.state.day.unlocks += 1
        calling.came(self, event.role)
        self.note(f"{event.role} {event.person} unlocked")

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
        """Do an action that was verified; what was declared before it is confirmed by it."""
        self.verify(name, value)
        state, before = self.state, self.state.undo
        if state.round is not None:
            state.round.last_entry = ""
        ACTIONS[name].do(self, value)
        if before is not None and state.undo is before:
            state.undo = None

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

    def emit(self, effect: Effect, *, first: bool = False) -> None:
        """Add an effect, before all others where it is in the safe direction."""
        self._effects.insert(0 if first else len(self._effects), effect)

    def has_emitted(self, kind: type[Effect]) -> bool:
        """Whether this event has such an effect already."""
        return any(type(effect) is kind for effect in self._effects)

    def cite(self, section: str) -> str:
        """The citation of a procedure, named by its number in 641a (``-``: our own policy)."""
        if section == "-":
            return POLICY
        asked = section, (self.state.round or self.state).method
        try:
            return self._cites[asked]
        except KeyError:
            number = BY_METHOD.get(section, {}).get(asked[1].partition("_")[0], section)
            self._cites[asked] = cite = self.chapter.section(number)
            return cite

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

    def irregular(self, kind: str, *, reopened: bool = False) -> None:
        """Meet an irregularity."""
        irregular.irregular(self, kind, reopened=reopened)

    def void_with_deck(self, why: str, cite: str) -> None:
        """End the round with its deck: every stake goes back, and the deck leaves the table."""
        self.round.irregularity = "stub_short"
        voiding.void(self, why, cite, remove=True)

    def owe(self, seat: int, wager: str, cents: int, cite: str, *, is_stake: bool) -> None:
        """Owe a game account."""
        accounts.owe(self, seat, wager, cents, cite, is_stake=is_stake)

    def order_stack(self) -> None:
        """Order the next stack of an automated shoe."""
        dealing.order_stack(self)

    def remove_deck(self, name: str, why: str, cite: str) -> None:
        """A deck leaves the table for good."""
        decks.remove_deck(self, name, why, cite)

    def ask_next(self) -> None:
        """Ask the next player."""
        deciding.ask_next(self)

    def settle_known(self) -> None:
        """Settle the round by its cards."""
        outcome.settle_known(self)

    def settle_again(self) -> None:
        """Somebody left or is here after all: what is not carried out yet is decided anew."""
        if self.state.phase is Phase.DECLARING:
            declaring.go_on(self)
        else:
            declaring.settle_again(self)
            settling.look_again(self)

    def begin_declaring(self) -> None:
        """Begin with the dealer's declarations."""
        declaring.begin_declaring(self)

    def knows_cards(self) -> bool:
        """Whether every card of the round is known."""
        return outcome.knows_cards(self)

    def shut_list(self) -> None:
        """An open list must not hide what holds the table; an OK that was meant for it takes nothing."""
        if self.state.menu is not None:
            self.state.menu, self.state.list_closed_at = None, self.now

    def step_lines(self) -> tuple[str, str, str]:
        """The lines of the step that OK takes, whatever lies over it."""
        return display.step_lines(self)

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

    @property
    def sorted_lines(self) -> settling.Sorted:
        """The lines of the round by seat; once for each outcome, for what is decided anew is a new list."""
        if self._sorted.lines is not self.round.lines:
            self._sorted = settling.sort_lines(self.round.lines)
        return self._sorted

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
        """Whether a wager that was made still competes, its player being there."""
        return seat not in self.round.folded or self.house.keeps_after_fold(self.chapter.wagers[wager])

    def has_cards_left(self, seat: int) -> bool:
        """Whether a seat's cards are turned: not where its player left or no wager is settled by them."""
        round_ = self.round
        if self.contest_is_void:
            return bool(lying.live_wagers(self, seat))
        if seat in round_.left:
            return False
        if seat not in round_.folded:
            return bool(round_.bets[seat] or self.stakes(seat))
        return any(self.house.keeps_after_fold(self.chapter.wagers[wager]) for wager in self.stakes(seat))

    def finish_round(self) -> None:
        """The round is over: counted, recorded, its contributions final."""
        clearing.count_round(self)
        self.last_record = make_record(self)
        self.state.ledger.keep_round()
        linked.close_round(self)
        self.emit(RecordRound(number=self.round.number))
        put_off = faults.put_off(self)
        self.state.round = None
        self.clear_pending()
        faults.hold_at_last(self, put_off)
