"""The stub: to the rack unexposed, or counted face down when a count is due (x.8(e)-(h)).

A shuffler that counted this very deck waives the count, and the record says so each time. A count that does
not come out is the dealer's to explain: cards misdealt, or the deck is wrong and leaves the table.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.dealing import expected_stub, take_back_lap
from sabot.statemachine.events import Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.undo import remember

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


# The last entry of a round, where BACK has a way of its own.
STUB, COUNT_WANTED = "stub", "count wanted"


def waiver(table: "Table") -> str:
    """Why the stub need not be counted, empty when it must be from time to time."""
    state = table.state
    deck = state.decks.get(table.round.deck)
    counts = (
        state.shuffler in (Shuffler.COUNTING, Shuffler.RESHUFFLER) and "shuffler" not in state.out_of_order
    )
    if counts and deck is not None and deck.counted:
        return f"shuffler counted {table.chapter.deck.pack} in deck {deck.name}"
    return ""


def is_count_due(table: "Table") -> bool:
    """Whether this round's stub must be counted (at least once every five rounds; reading V14)."""
    if table.round.count_wanted:
        return True
    if waiver(table):
        return False
    every = table.chapter.deck.stub_count_every_rounds - 1
    scope = table.readings["stub_count_scope"]
    by_table = scope != "deck" and table.state.since_count >= every
    by_deck = scope != "table" and table.state.decks[table.round.deck].since_count >= every
    return by_table or by_deck


def rack_stub(table: "Table", _value: str) -> None:
    """The stub goes to the rack unexposed, counted first when a count is due."""
    round_ = table.round
    round_.lap_from, round_.last_entry = None, STUB
    if not is_count_due(table):
        if waiver(table):
            round_.note(table.now, f"stub not counted: {waiver(table)}", table.stub_cite)
        after_stub(table)
        return
    round_.stub = table.state.pending.number
    if round_.stub != expected_stub(table):
        round_.note(table.now, f"stub {round_.stub}, expected {expected_stub(table)}", table.stub_cite)
        table.phases.stub_differs()
        return
    deck = table.state.decks[round_.deck]
    table.state.since_count = deck.since_count = -1  # this round's end makes it 0
    round_.note(table.now, f"stub counted: {round_.stub}", table.stub_cite)
    after_stub(table)


def after_stub(table: "Table") -> None:
    """Players are asked, unless the contest is void or nobody has an Ante."""
    table.clear_pending()
    if table.contest_is_void or not table.players_to_ask():
        table.phases.reveal()
    else:
        table.phases.ask()
        table.ask_next()


def verify_count(table: "Table", _value: str) -> None:
    """Once is enough."""
    if is_count_due(table):
        raise Refused("the stub is to be counted as it is")


def count_stub(table: "Table", _value: str) -> None:
    """The stub is counted though no count is due: the law says at least."""
    table.round.count_wanted, table.round.last_entry = True, COUNT_WANTED


def recount(table: "Table", _value: str) -> None:
    """Count again."""
    table.phases.recount()
    table.state.pending.number = expected_stub(table)


def take_back(table: "Table") -> None:
    """BACK: the count that is being entered, a count that was asked for, else the last way around."""
    round_, right = table.round, expected_stub(table)
    if is_count_due(table) and table.state.pending.number != right:
        table.state.pending.number = right
    elif round_.last_entry == COUNT_WANTED:
        round_.count_wanted, round_.last_entry = False, ""
    else:
        take_back_lap(table)


def rack_again(table: "Table") -> None:
    """The stub that was just laid down is counted or racked once more."""
    round_ = table.round
    words = "stub racked" if round_.stub is None else f"stub of {round_.stub}"
    round_.note(table.now, f"{words} taken back", table.stub_cite, round_.dealer)
    round_.count_wanted = round_.count_wanted or round_.stub is not None
    round_.stub, round_.last_entry, round_.asking = None, "", 0
    recount(table, "")


def misdealt(table: "Table", _value: str) -> None:
    """A place has a wrong number of cards, and 52 are there in all: void."""
    remember(table, "misdealt")
    table.irregular("stub_misdealt")


def stub_short(table: "Table", _value: str) -> None:
    """Not misdealt: void, and the deck leaves the table."""
    remember(table, "not misdealt")
    table.irregular("stub_short")


P = Phase
DEALER = Role.DEALER
ACTIONS = (
    Action("rack_stub", "STUB TO RACK", DEALER, phases(P.STUB), "8(e)", rack_stub),
    Action("count_stub", "COUNT THE STUB", DEALER, phases(P.STUB), "8(f)", count_stub, verify_count),
    Action("recount", "COUNT AGAIN", DEALER, phases(P.STUB_WRONG), "8(f)", recount),
    Action("misdealt", "MISDEALT", DEALER, phases(P.STUB_WRONG), "8(h)", misdealt),
    Action("stub_short", "NOT MISDEALT", DEALER, phases(P.STUB_WRONG), "8(h)", stub_short),
)
