"""The cut, and what the floor may order before the first card: recut, reshuffle, cards spread (x.5(d)-(g)).

Only cards that were shuffled by hand or came preshuffled are cut, so only those can be cut again. An approved
reshuffling device is exempt from cut, recut and spread.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.events import Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.shuffling import is_exempt, reshuffle_locked, start_shuffle

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def cut(table: "Table", _value: str) -> None:
    """The cut was made, the cover card at least ten cards deep."""
    state = table.state
    deck = state.decks[state.in_play]
    deck.ready = deck.was_cut = True
    state.opening = [name for name in state.opening if name != state.in_play]
    table.phases.cut()
    for name in state.opening:
        start_shuffle(table, name)
    state.opening.clear()


def recut(table: "Table", _value: str) -> None:
    """The floor orders another cut before the first card; of a locked round it precedes the deal."""
    deck = table.state.decks[table.state.in_play]
    table.note("recut ordered", table.cite("5(e)"), by=table.person(Role.FLOOR))
    if table.state.round is not None:
        deck.recut = True
        return
    deck.ready = False
    table.phases.recut()


def verify_recut(table: "Table", _value: str) -> None:
    """A shuffled deck, and no reshuffling-and-counting device: that one has no cut (x.5(g))."""
    deck = table.state.decks.get(table.state.in_play)
    if deck is None or not deck.ready:
        raise Refused("the deck wants a shuffle, not a cut")
    _verify_not_exempt(table, "recut")
    if table.state.round is not None and (table.round.drawn or table.round.ordered):
        raise Refused(f"cards have been dealt ({table.cite('5(e)')})")
    if not deck.was_cut:
        raise Refused(f"shuffled by a device, not cut ({table.cite('5(c)(1)')})")


def _verify_not_exempt(table: "Table", what: str) -> None:
    if is_exempt(table, what):
        raise Refused(f"not with this device ({table.chapter.deck.rules['reshuffler_exempt'].cite})")


def reshuffle(table: "Table", _value: str) -> None:
    """The floor orders a shuffle; of a locked round it precedes the deal."""
    name = table.state.in_play
    table.note("reshuffle ordered", table.cite("5(a)"), by=table.person(Role.FLOOR))
    if table.state.round is None:
        table.phases.reshuffle()
    reshuffle_locked(table, name)


def verify_reshuffle(table: "Table", _value: str) -> None:
    """Until the first card (x.5(a))."""
    if table.state.round is not None and (table.round.drawn or table.round.ordered):
        raise Refused(f"cards have been dealt ({table.cite('5(a)')})")


def nobody_playing(table: "Table", _value: str) -> None:
    """The cards are spread face down until somebody comes (x.5(f)); whoever played here has gone."""
    deck = table.state.decks[table.state.in_play]
    deck.ready = False
    deck.early.clear()
    table.state.spread_up = False
    table.state.boxes.clear()
    table.phases.nobody_playing()


def show_faces(table: "Table", _value: str) -> None:
    """A player asked to see the cards face up (x.5(f))."""
    table.state.spread_up = True
    table.note("cards spread face up on request", table.cite("5(f)"))


def verify_nobody(table: "Table", _value: str) -> None:
    """Only with no wager on the table, and not with an exempt device."""
    if table.state.bets:
        raise Refused("there are wagers on the table")
    _verify_not_exempt(table, "idle")


BEFORE_CARDS = phases(Phase.BETS_OPEN, Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, Phase.DEALING)
ACTIONS = (
    Action("cut", "CARDS CUT", Role.DEALER, phases(Phase.CUTTING), "5(d)", cut),
    Action("recut", "RECUT", Role.FLOOR, BEFORE_CARDS, "5(e)", recut, verify_recut),
    Action(
        "reshuffle",
        "RESHUFFLE",
        Role.FLOOR,
        BEFORE_CARDS | phases(Phase.CUTTING),
        "5(a)",
        reshuffle,
        verify_reshuffle,
    ),
    Action("show_faces", "SHOW FACES", Role.DEALER, phases(Phase.IDLE), "5(f)", show_faces),
    Action(
        "nobody",
        "NOBODY PLAYING",
        Role.DEALER,
        phases(Phase.BETS_OPEN),
        "5(f)",
        nobody_playing,
        verify_nobody,
    ),
)
