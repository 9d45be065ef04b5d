"""The table: one event in, the effects out.

``safe`` says what an event locks and halts, for the runner to perform first. ``handle`` then finds the
handler for the event, lets it change the state, and tells people what follows from the new state (spots,
prompt, lamp, meters) where it differs from what they were told. A handler that refuses has changed nothing:
whatever it verifies it verifies first. What devices report is heard in every phase, held or not; of the keys
a held table takes those that lift the hold, bring a round to its end or take back a mistake.
"""

from collections.abc import Iterator, Mapping

from sabot.statemachine import labels
from sabot.statemachine.action import Refused
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import LastTold, Outbox
from sabot.statemachine.preparing import AHEAD
from sabot.statemachine.rooms import ACTIONS, TableRooms
from sabot.statemachine.state import snapshot
from sabot.statemachine.state.books import LastRecord
from sabot.statemachine.state.parts import Devices
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.state.snapshot import State
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.effects import Effect, RefuseInput, ShowNotice
from sabot.statemachine.vocabulary.events import Event

__all__ = ["ACTIONS", "Table"]


class Table:
    """A table of one chapter, as it is set up; it begins closed, or goes on from what was kept of it."""

    def __init__(self, setup: Setup, kept: snapshot.Kept | None = None) -> None:
        self.state = state = kept.state if kept is not None else new_state(setup)
        self.law = Law(setup, state.devices, state.play)
        self.phases = Phases(state.play)
        # The event that the safe lane was asked about last, and its answer, until it is handled.
        self._asked: Event | None = None
        self._first: tuple[Effect, ...] = ()
        # What is still to be prepared since the last event; None where nobody has asked since.
        self._pieces: Iterator[None] | None = None
        self.out = Outbox(state.clock, state.play, state.books)
        last_told = LastTold(kept.told, kept.spots) if kept is not None else LastTold()
        recorded = LastRecord(kept.last_record if kept is not None else None)
        self.rooms = TableRooms(self.law, state, self.phases, self.out, last_told, recorded)
        # Also of a table that goes on: a meter that its set-up has
        # since then is seeded, the others are left alone.
        self.rooms.gaming_day.seed_meters()
        if kept is not None:
            # A table that goes on with bets open must lock by its first event.
            self.rooms.safe_lane.arm()

    # ------------------------------------------------------------ events

    def safe(self, event: Event) -> tuple[Effect, ...]:
        """Return what an event locks and halts. To be performed before ``handle`` computes the rest."""
        # The runner asks before, ``handle`` asks again: computed once, so that both have the same answer.
        if self._asked is not event:
            self._asked, self._first = event, self.rooms.safe_lane.decide(event)
        return self._first

    def handle(self, event: Event) -> list[Effect]:
        """Handle one event, and return everything that follows from it, ``safe(event)`` first."""
        first = self._first if self._asked is event else self.safe(event)
        rooms, state = self.rooms, self.state
        clock, play, menu = state.clock, state.play, state.entry.menu
        self._pieces = None
        # What the lane decided leads the list: it has been performed by now, and the journal must say so.
        self.out.begin(first)
        if first:
            # Every spot is shut, whatever the rest finds; the telling below opens again what may be open.
            rooms.last_told.spots = frozenset()
        # Before the time is read: after a power cut the event's own clock has begun anew.
        if type(event) is ev.Resumed:
            rooms.restart.set_clock(event)
        # Devices stamp their events before they queue: a stamp that comes late never turns the time back.
        at = event.at + clock.clock_offset
        clock.now = max(clock.now, at)
        try:
            rooms.handlers.get(type(event), _unknown)(event)
        # Any other exception leaves this function: the runner stops
        # safely and begins again from before the event.
        except Refused as refusal:
            self._refuse(event, str(refusal))
        if len(first) > 1 and rooms.faults.held is None and not (play.round is not None and play.round.void):
            rooms.faults.go_on(first[0].cite)  # the lane halted for what turned out to hold nothing
        # In this order: a list is refreshed before it is worded, and LOCK is armed when all is told: what it
        # closes is what was told to be open.
        rooms.idle_watch.watch()
        # A list that was opened just now is fresh.
        if menu is not None and state.entry.menu is menu and not self.out.has_emitted(RefuseInput):
            rooms.lists.refresh(menu)
        # A refused event is told for too: time has passed with it, and a deck may have come due.
        rooms.telling.tell(rooms.display.shown())
        rooms.safe_lane.arm()
        self._asked = None
        return self.out.effects

    def prepare(self) -> bool:
        """Do, while nobody waits, one piece of what the next events will ask; False where nothing is left.

        It changes nothing that anybody can see, and need not be called.
        """
        if self._pieces is None:
            if self.state.play.phase not in AHEAD:  # as after most events
                return False
            self._pieces = self.rooms.preparing.pieces()
        for _ in self._pieces:
            return True
        return False

    def _refuse(self, event: Event, why: str) -> None:
        """Say why an event was refused, of a key on the display too unless that shows the hold."""
        self.out.emit(RefuseInput(why=why))
        if type(event) is ev.KeyPressed and not self.rooms.display.says_what_holds():
            first, second = labels.refusal_lines(why)
            self.out.emit(ShowNotice(first=first, second=second))

    # ------------------------------------------------------------ kept and restored

    def snapshot(self) -> dict[str, object]:
        """Return all that the table knows, as plain values, for whoever seals the journal and nobody else."""
        rooms = self.rooms
        told = rooms.last_told
        self.state.books.ledger.given()  # what the lock has only noted is written out, for it is in the state
        return snapshot.take(
            self.law.setup, snapshot.Kept(self.state, told.effects, told.spots, rooms.recorded.last)
        )

    @classmethod
    def restore(cls, setup: Setup, taken: Mapping[str, object]) -> "Table":
        """Return the table of a snapshot, which goes on as if it had never stopped."""
        return cls(setup, snapshot.kept_in(setup, taken))


def _unknown(event: Event) -> None:
    raise Refused(f"{type(event).__name__} is no event of this table")


def new_state(setup: Setup) -> State:
    """Return the state of a table that was never opened."""
    return State(
        play=Play(phase=Phase.CLOSED),
        devices=Devices(
            method=setup.method,
            knowledge=setup.knowledge,
            shuffler=setup.shuffler,
            deck_count=setup.decks,
        ),
    )
