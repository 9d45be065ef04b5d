"""The stub: to the rack unexposed, or counted face down when a count is due (x.8(e)-(h)).

A shuffler that counted this very deck waives the count, and the record says so each time. A count that does
not come out is the dealer's to explain: cards misdealt, or the deck is wrong and leaves the table.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.dealing import expected_stub
from sabot.statemachine.events import Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Shuffler

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


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
    round_.lap_from = None
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
    table.round.count_wanted = True


def recount(table: "Table", _value: str) -> None:
    """Count again."""
    table.phases.recount()
    table.state.pending.number = expected_stub(table)


def misdealt(table: "Table", _value: str) -> None:
    """A place has a wrong number of cards, and 52 are there in all: void."""
    table.irregular("stub_misdealt")


def stub_short(table: "Table", _value: str) -> None:
    """Not misdealt: void, and the deck leaves the table."""
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
