"""Shuffle and cut (x.5), by hand or by device.

What a device counted or read is the deck's proof. A floorperson may order a recut or a reshuffle; an idle
table has its cards spread; an approved reshuffling device is exempt from the cut and the spread.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.decks import is_due, remove_deck
from sabot.statemachine.effects import EjectStub, StartShuffle
from sabot.statemachine.events import (
    Role,
    Secret,
    ShuffleBlocked,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
)
from sabot.statemachine.phases import SPREADING, Phase
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.state import Deck, Hold

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

COUNT_ONLY, COMPOSITION, BY_HAND = "count only", "composition", "by hand"
# Where a shuffle that the floor directed for a locked round is waited for.
BEFORE_CARDS = (Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, Phase.DEALING)
# With these a machine that shuffles and deals does neither.
STANDS_STILL = ("device", "short_stack", "not_emptied")
# What a shuffler says of itself when it stopped, or did not complete its cycle (x.13(e)).
FAILS = frozenset({"shuffler_jam", "device", "not_emptied"})


def shuffles_by_device(table: "Table") -> bool:
    """Whether a device shuffles (and none is out of order)."""
    state = table.state
    return state.shuffler != Shuffler.HAND and "shuffler" not in state.out_of_order


def is_exempt(table: "Table", what: str) -> bool:
    """Tell whether an approved reshuffling device frees the table of something (x.5(g))."""
    is_there = table.state.shuffler == Shuffler.RESHUFFLER
    return is_there and what in table.chapter.deck.rules["reshuffler_exempt"].words


def start_shuffle(table: "Table", name: str) -> None:
    """A deck's order is now unknown; a device, where there is one, shuffles it."""
    deck = table.state.decks[name]
    deck.ready = deck.counted = deck.was_cut = deck.reshuffle = deck.gone = False
    table.state.blocked = table.state.put_in = ""
    deck.early.clear()
    deck.sorted_since = deck.sorted_since and bool(table.state.sorting)
    table.state.in_shuffler = name
    is_stopped = any(stops_shuffler(table, held) for held in table.state.holds)
    if shuffles_by_device(table) and not is_stopped and not is_due(table, deck):
        table.emit(StartShuffle(deck=name, cite=table.cite("5(a)")))


def reshuffle_locked(table: "Table", name: str) -> None:
    """The deck of a locked round is shuffled before its first card; the round waits for it (x.5(a))."""
    start_shuffle(table, name)
    table.state.decks[name].reshuffle = table.state.round is not None


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
        waiting = [name for name, deck in state.decks.items() if name != state.in_play or deck.reshuffle]
    return [name for name in waiting if name in state.decks and not state.decks[name].ready]


def order_shuffle_again(table: "Table") -> None:
    """A fault of the shuffler is gone: the deck that waited in it is shuffled anew (x.13(e))."""
    for name in to_be_shuffled(table):
        is_directed = table.state.decks[name].reshuffle
        start_shuffle(table, name)
        table.state.decks[name].reshuffle = is_directed


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
    deck = state.decks[state.in_play]
    deck.proof, deck.failed, deck.as_dealt = BY_HAND, False, False
    table.phases.shuffled_by_hand()


def on_shuffle_started(table: "Table", event: ShuffleStarted) -> None:
    """A device began: the deck's order is unknown from now on; in play mode it ends what a sort did."""
    deck = table.state.decks.get(event.deck)
    if deck is None:
        raise Refused(f"there is no deck {event.deck}")
    deck.ready = deck.as_dealt = False
    table.state.blocked = table.state.put_in = ""
    deck.sorted_since = deck.sorted_since and bool(table.state.sorting)
    deck.failed = deck.failed and _is_untested(table)


def on_shuffle_blocked(table: "Table", event: ShuffleBlocked) -> None:
    """Cards lie where a deck is to be shuffled: all but a ready deck's come out. Or the deck is not in it."""
    decks, round_ = table.state.decks, table.state.round
    if event.deck not in decks:
        raise Refused(f"there is no deck {event.deck}")
    if event.is_empty:
        table.state.blocked, table.state.put_in = "", event.deck
        return
    table.state.blocked, table.state.put_in = event.deck, ""
    is_other_ready = any(deck.ready for deck in decks.values())
    if table.held is None and (round_ is None or round_.stub_out):
        table.emit(EjectStub(deck=event.deck if is_other_ready else "", cite=table.cite("5(a)")))


def unblock(table: "Table") -> None:
    """Cards came out: if they lay in the way of a deck it goes in now; what still lies there is told anew."""
    state = table.state
    state.blocked, state.put_in = "", state.blocked or state.put_in


def _is_untested(table: "Table") -> bool:
    """Whether the shuffler's own fault was not tested since: what it begins then is no new start."""
    return any(stops_shuffler(table, held) and not held.retested for held in table.state.holds)


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
    if not may_be_in_shuffler(table, deck):
        table.hold("contradiction", "shuffler", f"it reports deck {deck.name}, which is not in it")
        return
    if deck.sorted_since and table.policies.sort_mode:
        raise Refused("the device was in sort or verify mode: shuffle again")
    why = why_bad(table, event)
    if why:
        _remove_wrong(table, deck, why)
        return
    if deck.failed:
        raise Refused(f"deck {deck.name} failed, and no new shuffle began ({table.cite('13(e)')})")
    _take_proven(table, deck, event)


def _remove_wrong(table: "Table", deck: Deck, why: str) -> None:
    """A wrong deck leaves; the round that it was to be dealt to is void with it."""
    cite = table.chapter.deck.rules["wrong_count"].cite
    if deck.reshuffle and table.phases.state in BEFORE_CARDS:
        table.void_with_deck(why, cite)
    else:
        remove_deck(table, deck.name, why, cite)


def _take_proven(table: "Table", deck: Deck, event: ShuffleCompleted) -> None:
    """The deck is ready, with what the device proved of it."""
    state = table.state
    deck.counted = event.count == table.chapter.deck.pack
    deck.proof = COMPOSITION if event.composition else COUNT_ONLY if deck.counted else "shuffled, not counted"
    if event.composition:
        deck.unproven.clear()
    deck.ready, deck.as_dealt = True, False
    if table.phases.state is Phase.SHUFFLING and deck.name == state.in_shuffler:
        _into_play(table, deck.name)
    elif deck.reshuffle:
        deck.reshuffle = False
        if table.phases.state is Phase.DEALING:
            table.order_stack()


def may_be_in_shuffler(table: "Table", deck: Deck) -> bool:
    """A deck that is to be shuffled and lies neither before the dealer nor spread on the felt."""
    return shuffles_by_device(table) and not (deck.ready or _is_before_dealer(table, deck.name))


def why_bad(table: "Table", event: ShuffleCompleted) -> str:
    """Why a shuffled deck may not be played, empty where its count and composition are right."""
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
    """A deck that was changed while the other one is ready waits for its turn: they alternate (x.3(b)(3)).

    The deck of the round before is not that other one, whatever a device says of it meanwhile.
    """
    state = table.state
    at_hand = state.decks.get(state.in_play)
    has_turn = at_hand is not None and at_hand.ready and state.in_play != state.dealt_last
    state.in_play = state.in_play if has_turn else name
    state.opening = [each for each in state.opening if each != name]
    table.phases.shuffled_by_device()
    unready = [each for each, deck in state.decks.items() if not deck.ready]
    waiting = next(iter((*state.opening, *unready)), "")
    state.opening.clear()
    state.in_shuffler = ""
    if waiting:
        start_shuffle(table, waiting)


# ---------------------------------------------------------------- a shuffle that fails (x.13(e))


def on_shuffler_stopped(table: "Table", event: ShufflerStopped) -> None:
    """A jam, stop or unfinished cycle: the cards are reshuffled (x.13(e)); a round on the felt goes on."""
    fail_shuffle(table, event.deck)
    table.hold("shuffler_jam", "shuffler", event.cause)


def fail_shuffle(table: "Table", name: str = "") -> None:
    """A shuffle failed: this deck is shuffled anew, or where none is named each that was being shuffled.

    A shuffler that is covered has no deck (x.13(g)): what it says yet spoils none that people have shuffled.
    """
    if table.state.is_set_aside("shuffler"):
        return
    for each in [name] if name in table.state.decks else to_be_shuffled(table):
        deck = table.state.decks[each]
        deck.ready, deck.failed = False, True


def jam_shuffler(table: "Table") -> None:
    """It jams: whatever lies in it is shuffled anew, a deck that was ready there too."""
    for name in [name for name in table.state.decks if not _is_before_dealer(table, name)]:
        fail_shuffle(table, name)


def _is_before_dealer(table: "Table", name: str) -> bool:
    """Whether a deck lies in the shoe or the hand, or spread on the felt."""
    phase, state = table.phases.state, table.state
    deck = state.decks[name]
    if phase in SPREADING and state.opening and not deck.ready:  # what was dealt last waits to be shuffled
        return name in state.opening
    return name == state.in_play and phase is not Phase.SHUFFLING and not deck.reshuffle


def is_shuffler(table: "Table", device: str) -> bool:
    """Whether a device shuffles: the shuffler, or the one machine that deals too, while it does not deal."""
    is_machine = table.setup.one_machine or table.state.shuffler == Shuffler.RESHUFFLER
    return device == "shuffler" or (is_machine and device == "shoe" and bool(to_be_shuffled(table)))


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
