"""Opening the table: people, lots, inspection, and a deck that is changed (x.4).

Decks are opened by name (A, and B where two alternate). What a deck's count or composition proved is
written on the deck, with the rounds played since, so that a bad deck can name what it touched.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import day, decks
from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused, phases
from sabot.statemachine.events import (
    DealerSignedOn,
    LotRegistered,
    Role,
)
from sabot.statemachine.labels import WIDTH
from sabot.statemachine.phases import BEFORE_LOCK, SPREADING, Phase
from sabot.statemachine.shuffling import is_exempt, start_shuffle
from sabot.statemachine.state import DECK_NAMES, Deck, Lot

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def on_sign_on(table: "Table", event: DealerSignedOn) -> None:
    """A dealer signs on, or relieves another between rounds."""
    state = table.state
    if state.round is not None:
        raise Refused("relief only between rounds")
    state.dealer = event.person
    table.note(f"dealer {event.person} on")


def verify_relieved(table: "Table", _value: str) -> None:
    """There is somebody to relieve."""
    if not table.state.dealer:
        raise Refused("no dealer has signed on")


def relieved(table: "Table", _value: str) -> None:
    """The dealer goes; no round begins before another has signed on."""
    table.note(f"dealer {table.state.dealer} off")
    table.state.dealer = ""


def on_lot(table: "Table", event: LotRegistered) -> None:
    """A deck is registered; it is opened when the table wants one."""
    register(table, event.lot, event.color, preshuffled=event.preshuffled)


def register(table: "Table", name: str, color: str, *, preshuffled: bool) -> None:
    """Put a deck in line, by the name of its lot, which no other had."""
    state = table.state
    if not 0 < len(name) <= WIDTH:
        raise Refused(f"a lot has a name of at most {WIDTH} characters")
    opened = [deck.lot for deck in [*state.decks.values(), *state.retired]]
    if name in opened or any(lot.lot == name for lot in state.lots):
        raise Refused(f"lot {name} is known already")
    state.lots.append(Lot(name, color, preshuffled))


def wants_dealer(table: "Table") -> bool:
    """Whether the display asks for a dealer: OK begins the sign-on then, without the floor's key."""
    state = table.state
    is_asked = state.phase in (Phase.CLOSED, Phase.BETS_OPEN) and table.held is None
    return is_asked and not state.dealer and state.menu is None and not state.pending.lot


def choose_lot(table: "Table", value: str) -> None:
    """Put a registered lot first in line."""
    lots = table.state.lots
    lots.sort(key=lambda lot: lot.lot != value)


def lots(table: "Table") -> list[str]:
    """The lots to choose from."""
    return [lot.lot for lot in table.state.lots]


def verify_receive(table: "Table", _value: str) -> None:
    """A dealer, and as many decks of different colors as the table plays with."""
    state = table.state
    if not state.dealer:
        raise Refused("no dealer has signed on")
    _verify_lots(table, state.deck_count, set())


def _verify_lots(table: "Table", wanted: int, colors_in_use: set[str]) -> None:
    found = table.state.lots[:wanted]
    if len(found) < wanted:
        raise Refused(f"{wanted} deck(s) wanted, {len(found)} registered")
    colors = [lot.color for lot in found]
    if len(set(colors)) < len(colors) or colors_in_use & set(colors):
        raise Refused("the backs of two decks must differ in color")
    if len({lot.preshuffled for lot in found}) > 1:
        raise Refused("one deck is preshuffled, the other is not")


def receive(table: "Table", _value: str) -> None:
    """Take the decks to the table."""
    state = table.state
    day.start_day(table)
    for name in DECK_NAMES[: state.deck_count]:
        _open_deck(table, name)
    _receive_opened(table)


def _receive_opened(table: "Table") -> None:
    """Preshuffled cards skip inspection and are cut (x.4(e)), a reshuffler takes them uncut (x.5(g))."""
    state = table.state
    state.at_deck = 0
    if not all(state.decks[name].preshuffled for name in state.opening):
        table.phases.receive()
        return
    for name in state.opening:
        state.decks[name].proof = f"batch {state.decks[name].lot}"
    if is_exempt(table, "cut"):
        table.phases.load()
        start_shuffle(table, state.opening[0])
    else:
        state.in_play = state.opening[0]
        table.phases.receive_preshuffled()


def _open_deck(table: "Table", name: str) -> None:
    state = table.state
    lot = state.lots.pop(0)
    state.dealt_last = "" if state.dealt_last == name else state.dealt_last
    state.decks[name] = Deck(
        name, lot.lot, lot.color, lot.preshuffled, opened_at=table.now, opened_by=state.dealer
    )
    state.opening.append(name)


def deck_at_hand(table: "Table") -> str:
    """The deck that is inspected, spread or washed now, empty where there is one alone."""
    opening = table.state.opening
    return opening[min(table.state.at_deck, len(opening) - 1)] if len(opening) > 1 else ""


def _goes_to_next(table: "Table") -> bool:
    """Go to the next of the decks that are opened, or back to the first after the last."""
    state = table.state
    is_next = state.at_deck + 1 < len(state.opening)
    state.at_deck = state.at_deck + 1 if is_next else 0
    return is_next


def inspected(table: "Table", _value: str) -> None:
    """The dealer inspected the cards, of two decks each by itself (x.4(d))."""
    if not _goes_to_next(table):
        table.phases.inspected()


def check_devices(table: "Table", _value: str) -> None:
    """The shoe and the shuffler were looked at for tampering, once a gaming day."""
    table.state.checklist.append(f"shoe and shuffler inspected by {table.person(Role.FLOOR)}")


def verify_cards(table: "Table", _value: str) -> None:
    """The floorperson verifies what the dealer inspected, the day's checklist done."""
    if not table.state.checklist:
        raise Refused("shoe and shuffler not inspected today")


def do_verify_cards(table: "Table", _value: str) -> None:
    """The inspection is verified; the cards are spread."""
    for name in table.state.opening:
        table.state.decks[name].verified_by = table.person(Role.FLOOR)
    table.phases.verified()


def looked(table: "Table", _value: str) -> None:
    """The first player had a look."""
    table.phases.looked()


def washed(table: "Table", _value: str) -> None:
    """Washed and stacked; of two decks the other is spread now (x.4(d)), else the shuffle begins."""
    state = table.state
    if _goes_to_next(table):
        table.phases.next_deck()
        return
    if not state.opening:
        state.opening.append(state.in_play)
    state.in_shuffler = state.opening[0]
    table.phases.washed()
    start_shuffle(table, state.in_shuffler)


def verify_change(table: "Table", value: str) -> None:
    """A deck to change, and a registered lot of another color than the deck that stays."""
    stays = {deck.color for name, deck in table.state.decks.items() if name != value}
    _verify_lots(table, 1, stays)


def change_deck(table: "Table", value: str) -> None:
    """A deck goes out, a registered one comes in and is inspected."""
    state = table.state
    if table.phases.state not in SPREADING:
        state.opening.clear()  # a deck that waits for the shuffler is no deck to inspect
    if value in state.decks:
        decks.retire(table, value, "deck changed", table.chapter.deck.rules["change"].cite)
    _open_deck(table, value)

    _receive_opened(table)


def deck_names(table: "Table") -> list[str]:
    """The decks that may be changed: those at the table, and those that are missing."""
    there = list(table.state.decks)
    missing = [name for name in DECK_NAMES if name not in there]
    return sorted([*there, *missing][: table.state.deck_count])


ACTIONS = (
    Action("receive", "RECEIVE CARDS", Role.DEALER, phases(Phase.CLOSED), "4(a)", receive, verify_receive),
    Action("inspected", "CARDS INSPECTED", Role.DEALER, phases(Phase.INSPECTING), "4(a)", inspected),
    Action("check_devices", "DEVICES CHECKED", Role.FLOOR, BETWEEN_ROUNDS, "-", check_devices),
    Action(
        "verify_cards",
        "VERIFY CARDS",
        Role.FLOOR,
        phases(Phase.VERIFYING),
        "4(a)",
        do_verify_cards,
        verify_cards,
    ),
    Action("looked", "PLAYER LOOKED", Role.DEALER, phases(Phase.SPREAD, Phase.IDLE), "4(c)", looked),
    Action("relieved", "DEALER RELIEVED", Role.DEALER, BETWEEN_ROUNDS, "-", relieved, verify_relieved),
    Action("washed", "WASHED AND STACKED", Role.DEALER, phases(Phase.WASHING), "4(c)", washed),
    Action(
        "choose_lot",
        "CHOOSE LOT",
        Role.FLOOR,
        BETWEEN_ROUNDS,
        "4(a)",
        choose_lot,
        values=lots,
        say=lambda _, lot: lot,
        while_held=True,
    ),
    Action(
        "change_deck",
        "CHANGE DECK",
        Role.FLOOR,
        phases(*BEFORE_LOCK),
        "3(c)",
        change_deck,
        verify_change,
        deck_names,
        lambda _, name: f"DECK {name}",
        while_held=True,
    ),
)
