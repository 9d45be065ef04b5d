"""Keys: what each of the dealer's thirteen keys means now, and the two lists that they walk, MENU and FLOOR.

OK takes the step of the phase, LOCK is "no more bets" and nothing else, BACK leaves or corrects, the others
enter something, MENU and FLOOR open the lists. A key that makes no sense changes nothing and says why. LOCK
is the safe direction: it is heard even over an open list.

Whatever may be done has its key path. A list shows what its reader may order in this phase and nothing else;
irregularities stand first, for they cannot wait, but it opens at the line that the display asks for. When the
table moves on beneath an open list its lines are refreshed in place: the cursor stays on its line, and where
that may not be taken any more the display says so, and OK takes nothing until the cursor is moved.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from sabot.statemachine import chips, cures
from sabot.statemachine.action import CLAIM, HOLD, Action, Actions, Refused
from sabot.statemachine.by_hand import ByHand
from sabot.statemachine.chips import Answering
from sabot.statemachine.correcting import Correcting
from sabot.statemachine.cures import Cures
from sabot.statemachine.cutting import IdleWatch
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Registering
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.display import DealerDisplay
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.law import Law
from sabot.statemachine.lockout import Lockout
from sabot.statemachine.outbox import Calling
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.parts import EntryState, Menu, Pending, TableClock, TableCrew, Trouble
from sabot.statemachine.state.phases import (
    COUNTING_CHIPS,
    DECIDING,
    DECLARING,
    LAST_COUNT,
    RETURNING,
    STUB,
    VALIDATING,
    Phase,
)
from sabot.statemachine.state.round import Play
from sabot.statemachine.stub import Stub
from sabot.statemachine.vocabulary.events import Key, KeyPressed, Role
from sabot.statemachine.voiding import TakingBack, Voiding

# ------------------------------------------------------------ the two lists

IRREGULAR = "13"
# An OK this soon after a list has closed by itself was meant for the list.
CLOSED_S = 1.0
# What the display asks for in words that are not the line's own.
ASKED: Mapping[str, str] = {
    "CHECK DEVICES": "check_devices",
    "COVER OR SIGN": "covered",
    "SETTLED HOW?": "settled_by_hand",
    "DOCUMENTS": "documents",
}


@dataclass(slots=True, eq=False, repr=False)
class ActionLists:
    """Open, walk and refresh the two lists."""

    actions: Actions
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    books: MoneyBooks
    trouble: Trouble
    play: Play
    calling: Calling
    cures: Cures
    display: DealerDisplay
    faults: FaultLatch
    # Fixed by the rows of the actions: the lines of a phase's lists, and the action behind each title.
    _of_phase: dict[tuple[Phase, bool], list[str]] = field(init=False, default_factory=dict)
    _by_title: dict[str, str] = field(init=False, default_factory=dict)

    def listed(self, role: Role) -> list[str]:
        """Return the actions that a list shows now, irregularities first, none that has a key of its own.

        FLOOR has those of whoever has unlocked.
        """
        lines = self._lines(self.play.phase, of_dealer=role is Role.DEALER)
        known, is_held = self.actions.known, self.faults.held is not None
        # Mostly nothing is latched and nothing claimed, and half of the floor's lines are about that.
        there = {"", *self._needs_met()}
        return [
            name
            for name in lines
            if known[name].needs in there and self._choices(known[name], is_held=is_held)
        ]

    def _needs_met(self) -> Iterator[str]:
        """Yield the needs of actions that are met now: a fault is latched, a claim is open."""
        if self.trouble.holds:
            yield HOLD
        if self.books.linked.claims:
            yield CLAIM

    def prepare(self) -> None:
        """Learn the lines of a hit's list: that is half of the work of opening it first."""
        self._lines(VALIDATING, of_dealer=False)

    def _lines(self, phase: Phase, *, of_dealer: bool) -> list[str]:
        lines = self._of_phase.get((phase, of_dealer))
        if lines is None:
            lines = self._of_phase[phase, of_dealer] = self._lines_of(phase, of_dealer)
        return lines

    def _lines_of(self, phase: Phase, of_dealer: bool) -> list[str]:  # noqa: FBT001 (as it is kept)
        """Return the actions that a list may show in a phase, few of some fifty."""
        found = [
            name
            for name, action in self.actions.known.items()
            if action.key is None and phase in action.phases and (action.by is Role.DEALER) is of_dealer
        ]
        # The sort is stable: beside the irregularities the rooms' own order stays.
        return sorted(found, key=lambda name: not self.actions.known[name].section.startswith(IRREGULAR))

    def choices(self, name: str) -> list[str]:
        """Return the values of an action to choose from now; a single empty one where it asks for none."""
        action = self.actions.known[name]
        if self.play.phase not in action.phases:
            return []
        return self._choices(action, is_held=self.faults.held is not None)

    def _choices(self, action: Action, *, is_held: bool) -> list[str]:
        """Return the values of an action of this phase to choose from."""
        if (is_held and not action.while_held) or not self.actions.is_entitled(action):
            return []
        if action.when is not None and not action.when():
            return []
        if action.values is None:
            return [""] if self._is_allowed(action, "") else []
        offered = action.values()
        if not offered and action.value_may_lack:
            offered = [""]
        # A list offers only what would be done: each value is verified as when it is taken.
        return [value for value in offered if self._is_allowed(action, value)]

    def _is_allowed(self, action: Action, value: str) -> bool:
        try:
            action.verify(value)
        except Refused:
            return False
        return True

    def open_list(self, role: Role) -> None:
        """Open a role's list where the display asks; FLOOR calls a floorperson where nobody has unlocked."""
        # The same key calls and opens: who calls need not know whether somebody is there.
        if role is Role.FLOOR and not self.crew.unlocked:
            self.calling.call_floor()
            return
        actions = self.listed(role)
        if not actions:
            raise Refused("nothing to choose now")
        self.entry.open_list(Menu(role, actions, self.opens_at(actions)))

    def opens_at(self, actions: list[str]) -> int:
        """Return the place of the line that the display asks for, the first where it asks for none."""
        name = self._asked()[0]
        return actions.index(name) if name in actions else 0

    def value_at(self, name: str, offered: list[str]) -> int:
        """Return the place of the value that the display asks for, the first where it asks for none."""
        asked, value = self._asked()
        return offered.index(value) if asked == name and value in offered else 0

    def _asked(self) -> tuple[str, str]:
        """Return the action that the display asks for, and its value, both empty where it asks for none."""
        held = self.faults.held
        if held is not None:
            return self.cures.asked(held)
        who, _, words = self.display.step_lines()[1].partition(": ")
        if who not in cures.CALLED.values():
            return "", ""
        if not self._by_title:
            # Of two actions with one title the first counts: it is laid last.
            self._by_title = {each.title: name for name, each in reversed(self.actions.known.items())}
        return ASKED.get(words) or self._by_title.get(words, ""), ""

    def list_key(self, menu: Menu, key: Key) -> None:
        """Take a key while a list is open: move, take, leave."""
        if key in (Key.LEFT, Key.RIGHT):
            menu.move(1 if key is Key.RIGHT else -1)
        elif key is Key.BACK:
            self._leave(menu)
        # The line changed under a finger that was on its way: it must not take what stands there now.
        elif key is Key.OK and menu.gone:
            raise Refused("this may not be taken any more")
        elif key is Key.OK:
            self._take(menu)
        else:
            raise Refused(f"{key} means nothing in a list")

    def _leave(self, menu: Menu) -> None:
        if menu.action:
            menu.cursor, menu.action, menu.values, menu.gone = menu.actions.index(menu.action), "", [], False
        else:
            self.entry.close_list()

    def _take(self, menu: Menu) -> None:
        name, value = (
            (menu.action, menu.values[menu.cursor]) if menu.action else (menu.actions[menu.cursor], "")
        )
        offered = [] if menu.action else self.choices(name)
        if any(offered):
            menu.action, menu.values, menu.cursor = name, offered, self.value_at(name, offered)
            return
        self.actions.verify(name, value)  # before the list closes: where it is refused its line stays
        self.entry.close_list()
        self.actions.do(name, value)

    # ---------------------------------------------------------------- the table moves on beneath

    def refresh(self, menu: Menu) -> None:
        """Show what may be done now; the line that was shown keeps the cursor, or is gone."""
        # Before anything is replaced: it is the line that somebody reads at this moment.
        here = menu.lines[menu.cursor]
        menu.actions = self.listed(menu.role)
        menu.values = self.choices(menu.action) if menu.action in menu.actions else []
        menu.action = menu.action if menu.values else ""
        if not menu.actions:
            self.entry.shut_list(self.clock.now)
            return
        # Once gone, gone until the cursor moves, though the line should come back: nobody saw that it did.
        menu.gone = menu.gone or here not in menu.lines
        last = len(menu.lines) - 1
        menu.cursor = min(menu.cursor, last) if menu.gone else menu.lines.index(here)

    def was_meant_for_list(self) -> bool:
        """Return whether a list has closed by itself so lately that an OK was meant for it."""
        at = self.entry.list_closed_at
        return at is not None and self.clock.now - at < CLOSED_S


# ------------------------------------------------------------ the keys

# Names of their own, as the phases have: a key is compared a dozen times when one is pressed.
LOCK, OK, BACK, FOLD, PLUS, MINUS = Key.LOCK, Key.OK, Key.BACK, Key.FOLD, Key.PLUS, Key.MINUS
SIDEWAYS = (Key.LEFT, Key.RIGHT)
# The keys that open a list, and whose it is.
LISTS: Mapping[Key, Role] = {Key.MENU: Role.DEALER, Key.FLOOR: Role.FLOOR}
# A column of ten and one of one, for whoever has forty cards to enter.
STEPS: Mapping[Key, int] = {PLUS: 1, MINUS: -1, Key.RIGHT: 10, Key.LEFT: -10}


def _count(pending: Pending, way: int) -> None:
    number = (pending.number or 0) + way
    if number < 0:
        raise Refused("there are none to take off")
    pending.count_to(number)


@dataclass(slots=True, eq=False, repr=False)
class Keys:
    """Give each key its meaning now."""

    law: Law
    actions: Actions
    entry: EntryState
    play: Play
    answering: Answering
    by_hand: ByHand
    correcting: Correcting
    dealing: Dealing
    declaring: Declaring
    faults: FaultLatch
    idle_watch: IdleWatch
    lists: ActionLists
    lockout: Lockout
    registering: Registering
    stub: Stub
    undo: TakingBack
    voiding: Voiding

    def on_key(self, event: KeyPressed) -> None:
        """Take the key of an event."""
        self.press(event.key)

    def press(self, key: Key) -> None:
        """Take a key."""
        # LOCK passes an open list and digits: it is the safe direction.
        if self.entry.menu is not None and key is not LOCK:
            self.lists.list_key(self.entry.menu, key)
        elif key is not LOCK and (digit_key := self._takes_digits()) is not None:
            digit_key(key)
        # Before all that OK may mean: it was pressed at a list that had just closed, not at what lay beneath.
        elif key is OK and self.lists.was_meant_for_list():
            raise Refused("the list has closed: look again")
        # While the table is held too: its release stands in a list.
        elif key in LISTS:
            self.lists.open_list(LISTS[key])
        elif self.faults.held is not None and not self._goes_on_while_held(key):
            raise Refused(
                f"held: {self.faults.held.why} ({self.faults.held.cite}), {self.faults.held.role} releases"
            )
        elif key is LOCK:
            self.actions.do("lock", "")
            self.entry.close_list()
        elif key is BACK:
            self.correcting.back()
        elif key is OK and (step := self._step()):
            self.actions.do(step, "")
        # Wagers that go back come before every entry; only OK says that they went.
        elif (back := self.lockout.to_hand_back()) is not None:
            raise Refused(f"chips go back first ({self.law.cite('7(c)' if back.way else '7(d)')})")
        else:
            self._entry_key(key)

    def _takes_digits(self) -> Callable[[Key], None] | None:
        """Return the function that takes keys as digits now: those of a sum, or of the number of a lot."""
        if self.by_hand.takes_digits():
            return self.by_hand.amount_key
        return self.registering.digit_key if self.registering.takes_digits() else None

    def _step(self) -> str:
        """Return the step that OK takes now, empty where it takes none."""
        # Chips and the stack lie in the way of the next step, so they come before it.
        if self.lockout.to_hand_back() is not None:
            return "handed_back"
        if self.dealing.lies_in_exit():
            return "stack_taken"
        step = self.actions.meant[OK].get(self.play.phase)
        return step or ("nobody" if self.idle_watch.is_idle() else "")

    def _goes_on_while_held(self, key: Key) -> bool:
        """Return whether a key works while the table is held: to end a round, or to take back a mistake."""
        # A round that is over is brought to its end whatever holds the table.
        if self.play.phase in (LAST_COUNT, Phase.LAST_WRONG):
            return True
        if self.play.phase is RETURNING and key in SIDEWAYS:
            return bool(self.play.current.take_back)
        if key is BACK:
            return self.undo.may_take_back()
        name = self.actions.meant[OK].get(self.play.phase) if key is OK else None
        return name is not None and self.actions.known[name].while_held

    def _entry_key(self, key: Key) -> None:
        # By phase first: the same key is a multiple, a step of a count, or a move of a cursor.
        phase, pending = self.play.phase, self.entry.pending
        way = 1 if key is PLUS else -1 if key is MINUS else 0
        if phase is DECIDING and key in chips.MULTIPLES:
            self.answering.enter_multiple(key)
        elif phase is DECIDING and key is FOLD:
            self.answering.enter_fold()
        elif phase is DECIDING and way:
            self.answering.enter_step(way)
        elif phase is DECIDING and key in SIDEWAYS:
            self.answering.choose_which(key)
        elif phase is DECLARING:
            self.declaring.choose(key)
        elif phase is RETURNING and key in SIDEWAYS:
            self.voiding.look_at_payments(key)
        elif key is FOLD and (means_no := self.actions.meant[key].get(phase)):
            self.actions.do(means_no, "")
        elif key in STEPS and self._counts_stub():
            _count(pending, STEPS[key])
        elif way and phase is COUNTING_CHIPS:
            _count(pending, way)
        else:
            raise Refused(f"{key} means nothing now")

    def _counts_stub(self) -> bool:
        phase = self.play.phase
        return phase is LAST_COUNT or (phase is STUB and self.stub.is_count_due())
