"""Shuffle and cut (x.5), by hand or by device.

What a device counted or read is the deck's proof. A floorperson may order a recut or a reshuffle; an idle
table has its cards spread; an approved reshuffling device is exempt from the cut and the spread.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.decks import is_due, remove_deck
from sabot.statemachine.effects import StartShuffle
from sabot.statemachine.events import (
    Role,
    Secret,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
)
from sabot.statemachine.phases import SPREADING, Phase
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.state import Deck, Hold

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

COUNT_ONLY = "count only"


COMPOSITION = "composition"


BY_HAND = "by hand"


# With these a machine that shuffles and deals does neither.
STANDS_STILL = ("device", "short_stack", "not_emptied")


def shuffles_by_device(table: "Table") -> bool:
    """Whether a device shuffles (and none is out of order)."""
    state = table.state
    return state.shuffler != Shuffler.HAND and "shuffler" not in state.out_of_order


def start_shuffle(table: "Table", name: str) -> None:
    """A deck's order is now unknown; a device, where there is one, shuffles it."""
    deck = table.state.decks[name]
    deck.ready = deck.counted = deck.was_cut = False
    deck.sorted_since = deck.sorted_since and bool(table.state.sorting)
    table.state.in_shuffler = name
    is_stopped = any(stops_shuffler(table, held) for held in table.state.holds)
    if shuffles_by_device(table) and not is_stopped and not is_due(table, deck):
        table.emit(StartShuffle(deck=name, cite=table.cite("5(a)")))


def stops_shuffler(table: "Table", held: Hold) -> bool:
    """Whether a fault keeps the shuffler still: its own, or the shoe's where both are one machine."""
    is_machine = table.setup.one_machine and held.device == "shoe"
    return held.device == "shuffler" or (is_machine and held.kind in STANDS_STILL)


def to_be_shuffled(table: "Table") -> list[str]:
    """The decks that are in the shuffler, or are to be, and are not shuffled yet."""
    state = table.state
    if table.phases.state is Phase.SHUFFLING:
        waiting = [state.in_shuffler]
    elif table.phases.state in SPREADING:
        waiting = [name for name in state.decks if name not in state.opening]
    else:
        waiting = [name for name in state.decks if name != state.in_play]
    return [name for name in waiting if name in state.decks and not state.decks[name].ready]


def order_shuffle_again(table: "Table") -> None:
    """A fault of the shuffler is gone: the deck that waited in it is shuffled anew (x.13(e))."""
    for name in to_be_shuffled(table):
        start_shuffle(table, name)


def verify_shuffled_by_hand(table: "Table", _value: str) -> None:
    """By hand only where no device shuffles."""
    if shuffles_by_device(table):
        raise Refused("the shuffler does it: wait for its report")
    if table.state.in_shuffler not in table.state.decks:
        raise Refused("there is no deck to shuffle: change the deck")


def shuffled_by_hand(table: "Table", _value: str) -> None:
    """The dealer shuffled; the cards must be cut."""
    state = table.state
    state.in_play = state.in_shuffler
    state.decks[state.in_play].proof = BY_HAND
    table.phases.shuffled_by_hand()


def on_shuffle_started(table: "Table", event: ShuffleStarted) -> None:
    """A device began: the deck's order is unknown from now on; in play mode it ends what a sort did."""
    deck = table.state.decks.get(event.deck)
    if deck is None:
        raise Refused(f"there is no deck {event.deck}")
    deck.ready = False
    deck.sorted_since = deck.sorted_since and bool(table.state.sorting)


def sorted_by(table: "Table", device: str) -> None:
    """A device left play mode: no deck in it is in a shuffled order any more."""
    state = table.state
    for deck in state.decks.values():
        in_hand = deck.name == state.in_play and table.phases.state is not Phase.SHUFFLING
        if state.shuffler == Shuffler.RESHUFFLER or in_hand == (device != "shuffler"):
            deck.ready, deck.sorted_since = False, True


def on_shuffle_completed(table: "Table", event: ShuffleCompleted) -> None:
    """A device finished: its count or reading is the deck's proof; a wrong count removes it (x.5(b))."""
    state = table.state
    deck = state.decks.get(event.deck)
    if deck is None:
        raise Refused(f"there is no deck {event.deck}")
    if not _may_be_in_shuffler(table, deck):
        table.hold("contradiction", "shuffler", f"it reports deck {deck.name}, which is not in it")
        return
    if deck.sorted_since and table.policies.sort_mode:
        raise Refused("the device was in sort or verify mode: shuffle again")
    why = _why_bad(table, event)
    if why:
        remove_deck(table, event.deck, why, table.chapter.deck.rules["wrong_count"].cite)
        return
    deck.counted = event.count == table.chapter.deck.pack
    deck.proof = COMPOSITION if event.composition else COUNT_ONLY if deck.counted else "shuffled, not counted"
    if event.composition:
        deck.unproven.clear()
    deck.ready = True
    if table.phases.state is Phase.SHUFFLING and event.deck == state.in_shuffler:
        _into_play(table, event.deck)


def _may_be_in_shuffler(table: "Table", deck: Deck) -> bool:
    """A deck that is to be shuffled and lies neither before the dealer nor spread on the felt."""
    phase, state = table.phases.state, table.state
    is_in_hand = deck.name == state.in_play and phase is not Phase.SHUFFLING
    is_spread = deck.name in state.opening and phase in SPREADING
    return shuffles_by_device(table) and not (deck.ready or is_in_hand or is_spread)


def _why_bad(table: "Table", event: ShuffleCompleted) -> str:
    pack = table.chapter.deck.pack
    if event.count is not None and event.count != pack:
        return f"{event.count} cards counted"
    if event.composition and table.policies.composition:
        return composition_fault(event.composition, pack)
    return ""


def composition_fault(cards: tuple[Secret, ...], pack: int) -> str:
    """What is wrong with a deck's composition, without naming a card."""
    distinct = len(set(cards))
    if distinct < len(cards):
        return f"{len(cards) - distinct} card(s) twice in the deck"
    return "" if distinct == pack else f"{distinct} different cards in the deck"


def _into_play(table: "Table", name: str) -> None:
    state = table.state
    state.in_play = name
    state.opening = [each for each in state.opening if each != name]
    table.phases.shuffled_by_device()
    waiting = next(iter(state.opening), "")
    state.opening.clear()
    state.in_shuffler = ""
    if waiting:
        start_shuffle(table, waiting)


def on_shuffler_stopped(table: "Table", event: ShufflerStopped) -> None:
    """A jam, stop or unfinished cycle: the cards are reshuffled (x.13(e)); a round on the felt goes on."""
    deck = table.state.decks.get(event.deck)
    if deck is not None:
        deck.ready = False
    table.hold("shuffler_jam", "shuffler", event.cause)


ACTIONS = (
    Action(
        "shuffled",
        "SHUFFLED BY HAND",
        Role.DEALER,
        phases(Phase.SHUFFLING),
        "5(a)",
        shuffled_by_hand,
        verify_shuffled_by_hand,
    ),
)
