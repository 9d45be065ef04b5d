"""Keys: what each of the dealer's thirteen keys means now.

OK takes the step of the phase, LOCK is "no more bets" and nothing else, BACK leaves or corrects, the others
enter something, MENU and FLOOR open the lists. A key that makes no sense changes nothing and says why. LOCK
is the safe direction: it is heard even over an open list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sabot.statemachine import (
    answering,
)
from sabot.statemachine.action import Actions, Refused
from sabot.statemachine.answering import Answering
from sabot.statemachine.byhand import ByHand
from sabot.statemachine.correcting import Correcting
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.events import Key, KeyPressed, Role
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.idle import IdleWatch
from sabot.statemachine.law import Law
from sabot.statemachine.lists import ActionLists
from sabot.statemachine.lockout import Lockout
from sabot.statemachine.people import EntryState, Pending
from sabot.statemachine.phases import Phase
from sabot.statemachine.registering import Registering
from sabot.statemachine.round import Play
from sabot.statemachine.stub import Stub
from sabot.statemachine.undo import TakingBack
from sabot.statemachine.voiding import Voiding

P = Phase
# The keys that open a list, and whose it is.
LISTS: Mapping[Key, Role] = {Key.MENU: Role.DEALER, Key.FLOOR: Role.FLOOR}
# A column of ten and one of one, for whoever has forty cards to enter.
STEPS: Mapping[Key, int] = {Key.PLUS: 1, Key.MINUS: -1, Key.RIGHT: 10, Key.LEFT: -10}


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
        if self.entry.menu is not None and key is not Key.LOCK:
            self.lists.list_key(self.entry.menu, key)
        elif key is not Key.LOCK and (digit_key := self._takes_digits()) is not None:
            digit_key(key)
        elif key is Key.OK and self.lists.was_meant_for_list():
            raise Refused("the list has closed: look again")
        elif key in LISTS:
            self.lists.open_list(LISTS[key])
        elif self.faults.held is not None and not self._goes_on_while_held(key):
            raise Refused(
                f"held: {self.faults.held.why} ({self.faults.held.cite}), {self.faults.held.role} releases"
            )
        elif key is Key.LOCK:
            self.actions.do("lock", "")
            self.entry.close_list()
        elif key is Key.BACK:
            self.correcting.back()
        elif key is Key.OK and (step := self._step()):
            self.actions.do(step, "")
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
        """Return the step that OK takes now.

        Chips that go back and a stack in the exit come before that of the phase.
        """
        if self.lockout.to_hand_back() is not None:
            return "handed_back"
        if self.dealing.lies_in_exit():
            return "stack_taken"
        step = self.actions.meant[Key.OK].get(self.play.phase)
        return step or ("nobody" if self.idle_watch.is_idle() else "")

    def _goes_on_while_held(self, key: Key) -> bool:
        """Wagers of a void round go back, and a mistaken declaration too, whatever else is wrong."""
        if self.play.phase in (P.LAST_COUNT, P.LAST_WRONG):
            return True
        if self.play.phase is P.RETURNING and key in (Key.LEFT, Key.RIGHT):
            return bool(self.play.current.take_back)
        if key is Key.BACK:
            return self.undo.may_take_back()
        name = self.actions.meant[Key.OK].get(self.play.phase) if key is Key.OK else None
        return name is not None and self.actions.known[name].while_held

    def _entry_key(self, key: Key) -> None:
        phase, pending = self.play.phase, self.entry.pending
        way = {Key.PLUS: 1, Key.MINUS: -1}.get(key, 0)
        if phase is Phase.DECIDING and key in answering.MULTIPLES:
            self.answering.enter_multiple(key)
        elif phase is Phase.DECIDING and key is Key.FOLD:
            self.answering.enter_fold()
        elif phase is Phase.DECIDING and way:
            self.answering.enter_step(way)
        elif phase is Phase.DECIDING and key in (Key.LEFT, Key.RIGHT):
            self.answering.choose_which(key)
        elif phase is Phase.DECLARING:
            self.declaring.choose(key)
        elif phase is Phase.RETURNING and key in (Key.LEFT, Key.RIGHT):
            self.voiding.look_at_payments(key)
        elif key is Key.FOLD and (means_no := self.actions.meant[key].get(phase)):
            self.actions.do(means_no, "")
        elif key in STEPS and self._counts_stub():
            _count(pending, STEPS[key])
        elif way and phase is Phase.COUNTING_CHIPS:
            _count(pending, way)
        else:
            raise Refused(f"{key} means nothing now")

    def _counts_stub(self) -> bool:
        phase = self.play.phase
        return phase is P.LAST_COUNT or (phase is P.STUB and self.stub.is_count_due())
