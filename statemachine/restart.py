"""A restart in the middle of a round: nothing is assumed, people go on.

The table comes up held and shows what it believes. The floor confirms, or takes the round over to finish it
by hand, its contributions kept or reversed by name. A round that is held by anything else may be taken over
too: people go on where the table cannot.
"""

from dataclasses import dataclass

from sabot.statemachine.action import HOLD, ROUND_PHASES, Action, Refused, phases
from sabot.statemachine.by_hand import ByHand
from sabot.statemachine.chips import Answering
from sabot.statemachine.contest import carried_spots
from sabot.statemachine.decks import Decks
from sabot.statemachine.display import TableUpdates
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.hits import Hits
from sabot.statemachine.law import ACCOUNT, Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.ledger import REVERSAL, Cause
from sabot.statemachine.state.parts import EntryState, OpenWagers, TableClock, TableCrew, Trouble
from sabot.statemachine.state.phases import ENDING, Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.stub import Stub
from sabot.statemachine.vocabulary.effects import FreeShoe
from sabot.statemachine.vocabulary.events import Resumed, Role
from sabot.statemachine.vocabulary.fault_kinds import POLICY

REVERSED = "reversed"
# Where a hit that was announced is not paid yet.
ANNOUNCED = phases(Phase.SETTLING, Phase.VALIDATING)


@dataclass(slots=True, eq=False, repr=False)
class Restart:
    """Come up held after a restart, and let people go on."""

    law: Law
    phases: Phases
    out: Outbox
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    stock: Stock
    layout: OpenWagers
    trouble: Trouble
    books: MoneyBooks
    play: Play
    answering: Answering
    by_hand: ByHand
    deck_room: Decks
    faults: FaultLatch
    hits: Hits
    linked_meters: LinkedMeters
    linked_hits: LinkedHits
    stub: Stub
    telling: TableUpdates

    def set_clock(self, event: Resumed) -> None:
        """Set the clock: the table's time never goes back, and the time that it was down has passed."""
        least = self.clock.now + (event.down_s or 0.0) - event.at
        self.clock.clock_offset = max(self.clock.clock_offset, least)

    def on_resumed(self, event: Resumed) -> None:
        """Lock everything and tell it anew; hold the table in a round, or after the program had stopped.

        What people and devices were told before may be gone with the power. Where nothing holds the table, a
        shoe that was locked at the end is freed. Before the lock a player may take his chips while nobody
        looks, so the pads tell which lie there yet. With unknown down time every deck is due.
        """
        # Whoever had proved a role may have gone: it is proved anew.
        self.crew.lock_all()
        self.entry.close_list()
        self.play.confirm()
        self.telling.forget()
        self.faults.lock_wagers(POLICY)
        self.linked_meters.forget()
        for deck in self.stock.decks.values():
            # Without a clock that is trusted the down time is unknown, and
            # then every deck may be past its life (x.3(c)).
            deck.age_unknown = deck.age_unknown or event.down_s is None
        self.deck_room.forget_deadlines()
        slip = f"the program stopped itself: {event.slip}" if event.slip else ""
        if self.play.round is not None:
            self.play.current.note(self.clock.now, slip or "controller restarted", POLICY)
            self.faults.hold("restarted", "controller", slip or "the controller restarted within a round")
            # Light and frozen amount may have gone with the power, and
            # 641a.11(c)(5)(ii) has the light on until it is looked at.
            if self.play.phase in ANNOUNCED:
                self.hits.tell_again()
        else:
            self._keep_accounts()
            if slip:
                self.faults.hold("slip", "controller", slip)
        if self.faults.held is None:  # a fault that stood has halted the shoe in the safe lane
            self.out.emit(FreeShoe(cite=POLICY))

    def _keep_accounts(self) -> None:
        """Keep of the wagers before the lock those on accounts; a pad tells its own as its spots open."""
        wagers, bets = self.law.chapter.wagers, self.layout.bets
        kept = {
            seat: {name: cents for name, cents in placed.items() if wagers[name].device == ACCOUNT}
            for seat, placed in bets.items()
        }
        self.layout.keep_bets(kept)

    def confirm_round(self, _value: str) -> None:
        """Go on with the round: what the controller believes is what lies on the felt."""
        self._lift_restart()

    def take_over(self, value: str) -> None:
        """Hand the round to the floor to finish by hand; its contributions are kept, or reversed by name."""
        round_ = self.play.current
        round_.by_hand, round_.gave_back = True, value == REVERSED
        # While players are still asked: in another phase nobody knows of chips that were not confirmed.
        self.answering.take_over_chips()
        # Asked while the lines of the old outcome stand: people finish the round by lines of their own.
        paid = carried_spots(round_)
        # Without contributions there was no progressive wager: no hit waits, and none stays announced.
        if value == REVERSED:
            self.hits.drop(self.hits.waiting())
        round_.announce(self.by_hand.frozen_hits())
        # Hits that the table has paid stay paid; one that it only announced the floor enters by hand.
        round_.keep_hits(lambda hit: (hit.seat, hit.wager) in paid)
        round_.put_lines(self.by_hand.settled_lines())
        by = self.crew.person(Role.FLOOR)
        round_.note(self.clock.now, f"finished by hand, contributions {value}", POLICY, by)
        if value == REVERSED:
            # Walked to its end: each entry is posted as it is asked for.
            list(self.books.ledger.reverse_round(Cause(REVERSAL, round_.number)))
            self.linked_hits.take_back_all(POLICY)
        self.entry.clear_pending()
        self.phases.finish_by_hand()
        # From that phase too: in the deal a shoe that is free again would be ordered to put out a stack.
        self._lift_restart()
        # Last, from the phase that a round by hand leads to.
        self.stub.count_at_last()

    def contribution_fates(self) -> list[str]:
        """Return the possible fates of the contributions of a round finished by hand."""
        return ["kept", REVERSED]

    def was_interrupted(self) -> bool:
        """Return whether a restart interrupted the round."""
        return any(held.kind == "restarted" for held in self.trouble.holds)

    def is_held(self) -> bool:
        """Return whether anything holds the round; a hit that the floor does not validate is like a hold."""
        return self.faults.held is not None or self.play.phase is Phase.VALIDATING

    def verify_restarted(self, _value: str) -> None:
        """Raise unless a restart interrupted the round."""
        if not self.was_interrupted():
            raise Refused("the round was not interrupted")

    def verify_take_over(self, _value: str) -> None:
        """Raise unless the round is held: people finish by hand what the table cannot."""
        if not self.is_held():
            raise Refused("nothing holds the round")

    def _lift_restart(self) -> None:
        for held in [held for held in self.trouble.holds if held.kind == "restarted"]:
            self.faults.lift(held, self.crew.person(Role.FLOOR))


ACTIONS = (
    Action(
        "confirm_round",
        "CONFIRM ROUND",
        Role.FLOOR,
        ROUND_PHASES | phases(*ENDING),
        "-",
        Restart.confirm_round,
        Restart.verify_restarted,
        when=Restart.was_interrupted,
        while_held=True,
        needs=HOLD,
    ),
    Action(
        "take_over",
        "TAKE OVER",
        Role.FLOOR,
        ROUND_PHASES,
        "-",
        Restart.take_over,
        Restart.verify_take_over,
        Restart.contribution_fates,
        lambda _, fate: f"SHARES {fate}".upper(),
        when=Restart.is_held,
        while_held=True,
    ),
)
