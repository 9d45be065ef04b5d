"""Turning cards: community cards one by one, then all that is shared (x.11(c)).

What folds forfeited is collected before a card is turned. In Cajun Stud the players are asked again after
each community card; where the contest is void nobody is asked any more.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.accounts import verify_drawn
from sabot.statemachine.action import Action, phases
from sabot.statemachine.deciding import answered, streets
from sabot.statemachine.effects import CollectWager
from sabot.statemachine.events import Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.settled import forfeited

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def turn(table: "Table", _value: str) -> None:
    """Turn the next community card, or reveal the dealer's cards, and go on."""
    round_ = table.round
    if not table.contest_is_void:
        _collect_forfeits(table)
    round_.last_asked = 0
    community = table.chapter.hands.places.get("community", 0)
    if community and round_.turned < community:
        round_.turned += 1
        round_.street = min(round_.street + 1, streets(table) - 1)
        if _asks_again(table):
            table.phases.ask()
            table.ask_next()
            return
        if round_.turned < community:
            return
    _reveal_all(table)


def _asks_again(table: "Table") -> bool:
    """Whether players are asked after this community card; never where the contest is void (x.13(d))."""
    if table.contest_is_void or table.round.turned >= streets(table):
        return False
    return any(not answered(table, seat) for seat in table.players_to_ask())


def _collect_forfeits(table: "Table") -> None:
    """Collect what folds forfeited; each once."""
    round_ = table.round
    for seat in round_.folded:
        if seat in round_.collected:
            continue
        round_.collected.append(seat)
        for name, cents, cite in forfeited(table, seat):
            table.emit(CollectWager(seat=seat, wager=name, cents=cents, cite=cite))


def _reveal_all(table: "Table") -> None:
    """Everything shared is public now; hands are turned as their seats are settled."""
    if table.knows_cards():
        table.settle_known()
        table.phases.settle()
    else:
        table.phases.declare()
        table.begin_declaring()


P = Phase
ACTIONS = (Action("turn", "TURN CARDS", Role.DEALER, phases(P.TURNING), "11(c)", turn, verify_drawn),)
