"""Operator actions in threes: ``verify`` raises why not, ``can`` answers, ``do`` does it.

An action is a row: who may do it, in which phases, under which section, what it asks for (a seat, a lot, a
method) and the key that means it. The dealer's MENU and the floor's list are nothing but the rows that hold
now and have no key of their own, so whatever can be done has its key path. An action that does nothing but go
one way from phase to phase has its phases and its section from the row of that way (``of_way``).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from sabot.rules.frozen import frozen
from sabot.statemachine.state.parts import HeldFault, TableCrew
from sabot.statemachine.state.phases import ENDING, IN_ROUND, ROWS, Phase
from sabot.statemachine.state.round import Play
from sabot.statemachine.vocabulary.events import Key, Role

# A name of its own, as the phases have: it is looked up for each action that is done or offered.
DEALER = Role.DEALER
CONFIRMED = "only the floor can correct what was confirmed"


class Refused(Exception):  # noqa: N818 (it is an answer, not a fault of the program)
    """An action that may not be done now; the message says why."""


# What some actions are about: a fault that is latched, a claim of a linked meter.
HOLD, CLAIM = "hold", "claim"
# A row calls these with the room that it belongs to; an action that is bound to its room (``at``) has it
# already.
Verify = Callable[..., None]
Do = Callable[..., None]
Values = Callable[..., list[str]]
Say = Callable[..., str]
When = Callable[..., bool]


def allow(_room: object, _value: str) -> None:
    """Allow an action that nothing but the phase stands against."""


@frozen
class Action:
    """One thing that a person may order."""

    name: str
    title: str
    by: Role
    phases: frozenset[Phase]
    section: str
    do: Do
    verify: Verify = allow
    # What there is to choose from, in the words of ``say``; None: nothing is chosen.
    values: Values | None = None
    say: Say | None = None
    # Whether a list shows it at all: asked before its values are.
    when: When | None = None
    while_held: bool = False
    # Where there is nothing to choose from it is done without a value.
    value_may_lack: bool = False
    # Whoever has unlocked any role may order it; which one it takes in the end ``verify`` says.
    any_role: bool = False
    key: Key | None = None
    # Where it is due it comes before the step of the phase, which has the same key.
    comes_first: bool = False
    # What must exist before there is anything to choose: without it a list does not even ask.
    needs: str = ""

    def at(self, room: object) -> "Action":
        """Return this action bound to the room that carries it out."""
        return replace(
            self,
            do=partial(self.do, room),
            verify=partial(self.verify, room),
            values=self.values and partial(self.values, room),
            say=self.say and partial(self.say, room),
            when=self.when and partial(self.when, room),
        )

    def words(self, value: str) -> str:
        """Return a value as the dealer's display shows it."""
        return self.say(value) if self.say else value.replace("_", " ").upper()

    def offers(self, value: str) -> bool:
        """Return whether a value is one of those to choose from now."""
        offered = self.values() if self.values else []
        return value in offered or (not value and not offered and self.value_may_lack)


@dataclass(slots=True, eq=False, repr=False)
class Actions:
    """Every action of a table, by name: verified, then done."""

    crew: TableCrew
    play: Play
    held: Callable[[], HeldFault | None] = field(init=False)
    known: dict[str, Action] = field(default_factory=dict)
    # The name of the action that a key means, by phase.
    meant: Mapping[Key, Mapping[Phase, str]] = field(init=False)

    def named(self, name: str) -> Action:
        """Return an action by its name."""
        return self.known[name]

    def verify(self, name: str, value: str = "") -> None:
        """Raise why an action may not be done now."""
        action = self.known[name]
        phase, held = self.play.phase, self.held()
        if phase not in action.phases:
            raise Refused(f"{action.title.lower()}: not while {phase.value.replace('_', ' ')}")
        if held is not None and not action.while_held:
            raise Refused(f"held: {held.why}")
        if action.by is not DEALER and not self.is_entitled(action):
            raise Refused(f"{action.title.lower()}: only the {action.by}")
        if action.values is not None and not action.offers(value):
            raise Refused(f"{action.title.lower()}: {value or 'nothing'} is not to be chosen now")
        # Its own reasons last: they may ask what is there in its phases alone, such as the round.
        action.verify(value)

    def is_entitled(self, action: Action) -> bool:
        """Return whether somebody is there who may order this; a fault is released by the role of its row."""
        unlocked = self.crew.unlocked
        # Whoever stands at the keys is the dealer: no step of that role asks for a proof.
        by_role = action.by is DEALER or action.by in unlocked
        return by_role or (action.any_role and bool(unlocked))

    def can(self, name: str, value: str = "") -> bool:
        """Return whether an action may be done now."""
        try:
            self.verify(name, value)
        except Refused:
            return False
        return True

    def do(self, name: str, value: str = "") -> None:
        """Verify an action and do it; what was declared before is confirmed by it."""
        # Asked here too, whatever the caller has asked: no way leads past the reasons against an action.
        self.verify(name, value)
        play, before = self.play, self.play.undo
        if play.round is not None:
            # Before the action, which may itself be an entry that BACK can take back.
            play.round.enter("")
        self.known[name].do(value)
        # Not where the action has put another declaration there, or has taken this one back.
        if before is not None and play.undo is before:
            play.confirm()


ANY_PHASE = frozenset(Phase)
ROUND_PHASES = frozenset(IN_ROUND)
BETWEEN_ROUNDS = frozenset(Phase) - ROUND_PHASES - frozenset(ENDING)


def phases(*names: Phase) -> frozenset[Phase]:
    """Return a set of phases."""
    return frozenset(names)


def of_way(trigger: str) -> tuple[frozenset[Phase], str]:
    """Return the phases from which a way leads on, and its paragraph."""
    # Exactly one: an action that could go two ways has no phases of its own to take over.
    (row,) = (row for row in ROWS if row.trigger == trigger)
    return frozenset(row.sources), row.section


def meanings(actions: Iterable[Action]) -> dict[Key, dict[Phase, str]]:
    """Return the action that a key means, by phase, as the rows of the actions say."""
    meant: dict[Key, dict[Phase, str]] = {key: {} for key in Key}
    for each in actions:
        # A step that comes before that of the phase is found by
        # what is due (``Keys._step``), not by the phase.
        if each.key is not None and not each.comes_first:
            meant[each.key] |= dict.fromkeys(each.phases, each.name)
    return meant
