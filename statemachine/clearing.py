"""Clearing the table so that each hand can be reconstructed, and the next deck (x.11(d), x.3(b))."""

from typing import TYPE_CHECKING

from sabot.statemachine import byhand
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.decks import is_due
from sabot.statemachine.events import Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.shuffling import shuffles_by_device, start_shuffle
from sabot.statemachine.state import PlayedRound

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def verify_cleared(table: "Table", _value: str) -> None:
    """A round that was taken over has a line for every stake, and a sum where it was paid."""
    still = len(byhand.open_stakes(table))
    if still:
        raise Refused(f"{still} stakes have no line yet: SETTLED BY HAND")
    line = byhand.unpriced(table)
    if line is not None:
        raise Refused(f"how much was paid for seat {line.seat} {line.wager}?")


def clear_table(table: "Table", _value: str) -> None:
    """All cards are in the rack in order; the round is over and the next deck comes."""
    table.finish_round()
    next_deck(table)


def count_round(table: "Table") -> None:
    """The round counts for its deck, for the table and for the day."""
    state, round_ = table.state, table.round
    deck = state.decks.get(round_.deck)
    state.dealt_last = round_.deck
    state.since_count += 1
    state.day.rounds += 1
    if deck is not None:
        deck.rounds += 1
        deck.since_count += 1
        deck.ready, deck.as_dealt = False, True
        if deck.proof != "composition" or table.state.shuffler != Shuffler.RESHUFFLER:
            deck.unproven.append(PlayedRound(round_.number, round_.bets))


def next_deck(table: "Table") -> None:
    """The other deck comes in where two alternate (x.3(b)); else the one deck is shuffled."""
    state = table.state
    used = state.in_play
    other = next((name for name, deck in state.decks.items() if name != used), "")
    if other and state.deck_count > 1 and shuffles_by_device(table):
        deck = state.decks[other]
        if deck.ready and not is_due(table, deck):
            state.in_play = other
            table.phases.other_deck_in()
            if used in state.decks:
                start_shuffle(table, used)
            return
        state.in_shuffler = other
        state.opening = [name for name in (other, used) if name in state.decks]
        table.phases.cleared()
        if not deck.ready:
            start_shuffle(table, other)
        return
    table.phases.cleared()
    if used in state.decks:
        start_shuffle(table, used)


ACTIONS = (
    Action(
        "clear",
        "TABLE CLEARED",
        Role.DEALER,
        phases(Phase.CLEARING),
        "11(d)",
        clear_table,
        verify_cleared,
        while_held=True,
    ),
)
