"""Turning cards: community cards one by one, then all that is shared (x.11(c)).

What folds forfeited is collected before a card is turned. In Cajun Stud the players are asked again after
each community card; where the contest is void nobody is asked any more.
"""

from dataclasses import dataclass

from sabot.statemachine.accounts import GameAccounts
from sabot.statemachine.action import Action, phases
from sabot.statemachine.contest import Contest
from sabot.statemachine.deciding import Deciding
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.effects import CollectWager
from sabot.statemachine.events import Key, Role
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.outcome import Settlements
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.round import Play
from sabot.statemachine.settled import SettlingProgress

P = Phase


@dataclass(slots=True, eq=False, repr=False)
class CardTurning:
    """Turn community cards, then all that is shared."""

    law: Law
    phases: Phases
    out: Outbox
    contest: Contest
    play: Play
    accounts: GameAccounts
    deciding: Deciding
    declaring: Declaring
    progress: SettlingProgress
    settlements: Settlements

    def turn(self, _value: str) -> None:
        """Turn the next community card, or reveal the dealer's cards, and go on."""
        round_ = self.play.current
        if not self.contest.is_void:
            self._collect_forfeits()
        round_.close_answers()
        community = self.law.chapter.hands.places.get("community", 0)
        if community and round_.turned < community:
            round_.turned += 1
            round_.street = min(round_.street + 1, self.deciding.streets() - 1)
            if self._asks_again():
                self.phases.ask()
                self.deciding.ask_next()
                return
            if round_.turned < community:
                return
        self._reveal_all()

    def _asks_again(self) -> bool:
        """Return whether players are asked after this community card; never in a void contest (x.13(d))."""
        if self.contest.is_void or self.play.current.turned >= self.deciding.streets():
            return False
        return any(not self.deciding.answered(seat) for seat in self.contest.players_to_ask())

    def _collect_forfeits(self) -> None:
        """Collect what folds forfeited; each once."""
        round_ = self.play.current
        for seat in round_.folded:
            if seat in round_.collected:
                continue
            round_.collected.append(seat)
            for name, cents, cite in self.progress.forfeited(seat):
                self.out.emit(CollectWager(seat=seat, wager=name, cents=cents, cite=cite))

    def _reveal_all(self) -> None:
        """Everything shared is public now; hands are turned as their seats are settled."""
        if self.settlements.knows_cards():
            self.settlements.settle_known()
            self.phases.settle()
        else:
            self.phases.declare()
            self.declaring.begin_declaring()


ACTIONS = (
    Action(
        "turn",
        "TURN CARDS",
        Role.DEALER,
        phases(P.TURNING),
        "11(c)",
        CardTurning.turn,
        lambda room, value: room.accounts.verify_drawn(value),
        key=Key.OK,
    ),
)
