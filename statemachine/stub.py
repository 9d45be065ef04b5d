"""The stub: to the rack unexposed, or counted face down when a count is due (x.8(e)-(h)).

A shuffler that counted this very deck waives the count, and the record says so each time. The count is
blind: it starts empty, and what would be right is not on the display. One that does not come out is the
dealer's to explain, and nothing else leads on: cards misdealt, or the deck is wrong and leaves the table. A
round that ends before its stub is counted at its end where a count is due.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, allow, phases
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
    if table.round.count_wanted or table.round.miscounted:
        return True
    if waiver(table):
        return False
    every = table.chapter.deck.stub_count_every_rounds - 1
    scope = table.readings["stub_count_scope"]
    by_table = scope != "deck" and table.state.since_count >= every
    by_deck = scope != "table" and table.state.decks[table.round.deck].since_count >= every
    return by_table or by_deck


def verify_rack(table: "Table", _value: str) -> None:
    """Where a count is due something is counted; the display does not say how many are expected."""
    if is_count_due(table):
        verify_counted(table)


def verify_counted(table: "Table", _value: str = "") -> None:
    """The count starts empty, and nothing is no count."""
    if table.state.pending.number is None:
        raise Refused("count the stub first")


def rack_stub(table: "Table", _value: str) -> None:
    """The stub goes to the rack unexposed, counted first when a count is due."""
    round_ = table.round
    round_.lap_from, round_.last_entry = None, STUB
    if not is_count_due(table):
        round_.stub_done = True
        if waiver(table):
            round_.note(table.now, f"stub not counted: {waiver(table)}", table.stub_cite)
        after_stub(table)
    elif _is_right(table):
        after_stub(table)
    else:
        table.phases.stub_differs()


def _is_right(table: "Table") -> bool:
    """Take the count; a wrong one is left by its determination alone (x.8(g)-(h))."""
    round_, expected = table.round, expected_stub(table)
    round_.stub = table.state.pending.number
    round_.miscounted = round_.stub != expected
    table.clear_pending()
    if round_.miscounted:
        round_.note(table.now, f"stub {round_.stub}, expected {expected}", table.stub_cite)
        return False
    round_.note(table.now, f"stub counted: {round_.stub}", table.stub_cite)
    _count_is_done(table)
    return True


def _count_is_done(table: "Table") -> None:
    """From the end of this round on, five rounds may pass."""
    table.round.stub_done, table.round.miscounted = True, False
    table.state.since_count = -1  # this round's end makes it 0
    table.state.decks[table.round.deck].since_count = -1


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
    """Count again, from nothing."""
    table.phases.recount()
    table.clear_pending()


def take_back(table: "Table") -> None:
    """BACK: the count that is being entered, a count that was asked for, else the last way around."""
    round_ = table.round
    if is_count_due(table) and table.state.pending.number is not None:
        table.clear_pending()
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
    round_.stub_done = False
    recount(table, "")


def misdealt(table: "Table", _value: str) -> None:
    """A place has a wrong number of cards, and 52 are there in all: void."""
    remember(table, "misdealt")
    _count_is_done(table)
    table.irregular("stub_misdealt")


def stub_short(table: "Table", _value: str) -> None:
    """Not misdealt: void, and the deck leaves the table."""
    remember(table, "not misdealt")
    _count_is_done(table)
    table.irregular("stub_short")


# ---------------------------------------------------------------- a round that never came to its stub


def count_at_last(table: "Table") -> None:
    """A round that is void or finished by hand is counted too, before its cards are cleared (x.8(f)).

    Not where the deck has left the table, or was to be shuffled before its first card.
    """
    round_, deck = table.round, table.state.decks.get(table.round.deck)
    is_there = deck is not None and not deck.reshuffle and not round_.stub_done
    if is_there and is_count_due(table):
        table.clear_pending()
        table.phases.count_at_last()


def count_last(table: "Table", _value: str) -> None:
    """The stub of a round that is over."""
    if _is_right(table):
        table.phases.last_right()
    else:
        table.phases.last_differs()


def count_last_again(table: "Table", _value: str) -> None:
    """Count again, from nothing."""
    table.phases.count_last_again()
    table.clear_pending()


def last_misdealt(table: "Table", _value: str) -> None:
    """A place has a wrong number of cards; the round is over already, and the deck stays."""
    _determine(table, "stub_misdealt")


def last_short(table: "Table", _value: str) -> None:
    """Not misdealt: the deck leaves the table."""
    cite = _determine(table, "stub_short")
    table.remove_deck(table.round.deck, "stub short", cite)


def _determine(table: "Table", kind: str) -> str:
    cite = table.chapter.irregularities[kind].cite
    table.round.note(table.now, kind.replace("_", " "), cite, table.state.dealer)
    _count_is_done(table)
    table.phases.determined()
    return cite


P = Phase
DEALER = Role.DEALER
ACTIONS = (
    Action("rack_stub", "STUB TO RACK", DEALER, phases(P.STUB), "8(e)", rack_stub, verify_rack),
    Action("count_stub", "COUNT THE STUB", DEALER, phases(P.STUB), "8(f)", count_stub, verify_count),
    Action("recount", "COUNT AGAIN", DEALER, phases(P.STUB_WRONG), "8(f)", recount),
    Action("misdealt", "MISDEALT", DEALER, phases(P.STUB_WRONG), "8(h)", misdealt),
    Action("stub_short", "NOT MISDEALT", DEALER, phases(P.STUB_WRONG), "8(h)", stub_short),
    *(
        Action(name, title, DEALER, phases(phase), section, do, verify, while_held=True)
        for name, title, phase, section, do, verify in (
            ("count_last", "STUB COUNTED", P.LAST_COUNT, "8(f)", count_last, verify_counted),
            ("count_last_again", "COUNT AGAIN", P.LAST_WRONG, "8(f)", count_last_again, allow),
            ("last_misdealt", "MISDEALT", P.LAST_WRONG, "8(h)", last_misdealt, allow),
            ("last_short", "NOT MISDEALT", P.LAST_WRONG, "8(h)", last_short, allow),
        )
    ),
)
