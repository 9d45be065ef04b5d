"""What must hold in every state of a walk, and for every step from one to another.

The auditors of ``invariants`` keep books over a whole shift; a walk has no history but the state it came
from, so what is held here is what one step and one state can show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.statemachine.action import Refused
from sabot.statemachine.contest import carried_out
from sabot.statemachine.labels import WIDTH
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary.events import KeyPressed, Role

from .auditor import BrokenError, is_refused, of_kind

if TYPE_CHECKING:
    from sabot.rules.round import Line
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect

    from .moves import Move

BETTING = (Phase.BETS_OPEN, Phase.DECIDING)
MONEY = (ef.PayWager, ef.CreditAccount, ef.FreezeHit, ef.Dispense, ef.OpenSpots)
Spot = tuple[int, str]


def holds(truth: object, *what: object) -> None:
    """Say what is broken unless it holds."""
    if not truth:
        raise BrokenError(" ".join(map(str, what)))


class StepWatch:
    """Looks at each step and each state."""

    def __init__(self) -> None:
        self.faults: set[Spot | tuple[str, str]] = set()
        self.tested: set[tuple[str, str]] = set()
        self.was_held = False
        self.stakes: dict[Spot, int | None] = {}
        self.carried_out: list[Line] = []

    def before(self, table: Table) -> None:
        """What was so before the move."""
        state = table.state
        self.faults = {(held.kind, held.device) for held in state.trouble.holds}
        self.tested = {(held.kind, held.device) for held in state.trouble.holds if held.may_be_lifted}
        self.was_held = table.rooms.faults.held is not None
        self.stakes, self.carried_out = {}, []
        round_ = state.play.round
        if round_ is not None and not round_.void and not round_.by_hand:
            seats = {seat: table.rooms.contest.stakes(seat) for seat in round_.bets}
            self.stakes = {
                (seat, name): cents for seat, bets in seats.items() for name, cents in bets.items()
            }
            self.carried_out = carried_out(round_)

    def after(self, table: Table, move: Move, said: list[Effect]) -> None:
        """What the move may have done."""
        self._faults_stay(table, move, said)
        if self.was_held and table.rooms.faults.held is not None:
            holds(not [each for each in said if isinstance(each, MONEY)], move, "moved while held:", said)
        for void in of_kind(said, ef.VoidRound):
            self._gives_back(void, said)
        if is_refused(said) and len(move.events) == 1:
            holds(not of_kind(said, ef.VoidRound), move, "was refused and did something", said)
        for line in (text for each in of_kind(said, ef.ShowPrompt) for text in (each.first, each.second)):
            holds(len(line) <= WIDTH and line.isascii() and line.isprintable(), repr(line))

    def _faults_stay(self, table: Table, move: Move, said: list[Effect]) -> None:
        found = {(held.kind, held.device) for held in table.state.trouble.holds}
        gone = self.faults - found
        cleared = {(each.fault, each.device) for each in of_kind(said, ef.ClearFault)}
        holds(gone <= cleared, move, "lost", gone)
        if gone:
            holds(any(isinstance(event, KeyPressed) for event in move.events), move, "cleared", gone)
            holds(gone <= self.tested, move, "cleared untested", gone)
        raised = {(each.fault, each.device) for each in of_kind(said, ef.RaiseFault)}
        holds(found - self.faults <= raised, move, "latched without a word", found - self.faults)

    def _gives_back(self, void: ef.VoidRound, said: list[Effect]) -> None:
        """Every stake of a void round goes back, but what lay with its player already."""
        returned = {(each.seat, each.wager) for each in of_kind(said, ef.ReturnWager)}
        collected = {(each.seat, each.wager) for each in of_kind(said, ef.CollectWager)}
        with_player = {(line.seat, line.wager) for line in self.carried_out if line.back}
        with_player |= {
            (line.seat, line.wager) for line in self.carried_out if line.result in ("returned", "push")
        }
        out = returned | with_player | collected
        holds(self.stakes.keys() <= out, void, "leaves", self.stakes.keys() - out)
        holds(not returned & with_player, void, "gives back twice", returned & with_player)

    def new_state(self, table: Table) -> None:
        """What must be so in every state."""
        state = table.state
        holds(state.books.ledger.is_balanced(), "the ledger does not sum to zero")
        holds(
            not table.rooms.display.open_spots()
            or (state.play.phase in BETTING and table.rooms.faults.held is None),
            "open spots",
            state,
        )
        _, _, (first, second, cite), _ = table.rooms.display.shown()
        holds(first and cite and max(len(first), len(second)) <= WIDTH, first, second, cite)
        for role in Role:
            holds(table.rooms.views.view(role)["phase"] == state.play.phase.value, "a view of another phase")
        for name in table.rooms.actions.known:
            try:
                table.rooms.actions.verify(name)
            except Refused as refusal:
                holds(str(refusal), name, "is refused without a word")
