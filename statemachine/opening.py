"""Opening and closing the table: people, lots, inspection, the gaming day (x.4).

Decks are opened by name (A, and B where two alternate). What a deck's count or composition proved is
written on the deck, with the rounds played since, so that a bad deck can name what it touched.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused, phases
from sabot.statemachine.effects import RemoveDeck, ReportDay
from sabot.statemachine.events import (
    DealerSignedOn,
    LotRegistered,
    Role,
)
from sabot.statemachine.ledger import SEED, Cause
from sabot.statemachine.phases import Phase
from sabot.statemachine.shuffling import start_shuffle
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


def on_lot(table: "Table", event: LotRegistered) -> None:
    """A deck is registered; it is opened when the table wants one."""
    known = [lot.lot for lot in table.state.lots] + [deck.lot for deck in table.state.decks.values()]
    if event.lot in known:
        raise Refused(f"lot {event.lot} is known already")
    table.state.lots.append(Lot(event.lot, event.color, event.preshuffled))


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
    table.start_day()
    for name in DECK_NAMES[: state.deck_count]:
        _open_deck(table, name)
    _receive_opened(table)


def _receive_opened(table: "Table") -> None:
    """Preshuffled cards skip inspection and shuffle and are cut (x.4(e)); others are inspected."""
    state = table.state
    preshuffled = all(state.decks[name].preshuffled for name in state.opening)
    if preshuffled and table.phases.state is Phase.CLOSED:
        for name in state.opening:
            state.decks[name].proof = f"batch {state.decks[name].lot}"
        state.in_play = state.opening[0]
        table.phases.receive_preshuffled()
    elif table.phases.state is Phase.CLOSED:
        table.phases.receive()
    else:
        table.phases.change_deck()


def _open_deck(table: "Table", name: str) -> None:
    state = table.state
    lot = state.lots.pop(0)
    state.decks[name] = Deck(
        name, lot.lot, lot.color, lot.preshuffled, opened_at=table.now, opened_by=state.dealer
    )
    state.opening.append(name)
    state.day.decks.append(f"{lot.lot} {lot.color} as deck {name}")


def inspected(table: "Table", _value: str) -> None:
    """The dealer inspected the cards."""
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
    """Washed and stacked; the shuffle begins."""
    state = table.state
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
    state.decks.pop(value, None)
    table.emit(RemoveDeck(deck=value, why="deck changed", cite=table.chapter.deck.rules["change"].cite))
    _open_deck(table, value)
    state.in_shuffler = ""
    _receive_opened(table)


def deck_names(table: "Table") -> list[str]:
    """The decks to choose from."""
    return list(DECK_NAMES[: table.state.deck_count])


def close(table: "Table", _value: str) -> None:
    """The gaming day ends with its report; the decks leave."""
    for name in list(table.state.decks):
        table.emit(RemoveDeck(deck=name, why="table closed"))
    table.emit(ReportDay(lines=tuple(day_report(table))))
    state = table.state
    state.decks.clear()
    state.checklist.clear()
    state.in_play = state.in_shuffler = ""
    table.phases.close()


def verify_close(table: "Table", _value: str) -> None:
    """Only without wagers on the table."""
    if table.state.bets:
        raise Refused("there are wagers on the table")


def day_report(table: "Table") -> list[str]:
    """The report of the gaming day."""
    day, ledger = table.state.day, table.state.ledger
    lines = [
        f"rounds {day.rounds}, voids {day.voids}, faults {day.faults}, unlocks {day.unlocks}, hits {day.hits}",
        *(f"deck {each}" for each in day.decks),
    ]
    for meter, levels in day.meters_at_open.items():
        for level, opened in levels.items():
            lines.append(f"meter {meter} {level}: opened {opened}, closes {ledger.cents(meter, level)}")
    lines += [f"{what}: {units} hundredths of a cent" for what, units in sorted(ledger.totals.items())]
    return lines


def seed_meters(table: "Table") -> None:
    """Put the seeds on meters that were never used."""
    ledger = table.state.ledger
    for meter, levels in table.setup.meters.items():
        for level, terms in levels.items():
            if f"{meter}.{level}" not in ledger.balances:
                ledger.seed(meter, level, terms.seed_cents, Cause(SEED, 0))


ACTIONS = (
    Action("receive", "RECEIVE CARDS", Role.DEALER, phases(Phase.CLOSED), "4(a)", receive, verify_receive),
    Action("inspected", "CARDS INSPECTED", Role.DEALER, phases(Phase.INSPECTING), "4(a)", inspected),
    Action("check_devices", "DEVICES CHECKED", Role.FLOOR, BETWEEN_ROUNDS, "17", check_devices),
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
    Action("washed", "WASHED AND STACKED", Role.DEALER, phases(Phase.WASHING), "4(c)", washed),
    Action("choose_lot", "CHOOSE LOT", Role.FLOOR, BETWEEN_ROUNDS, "4(a)", choose_lot, values=lots),
    Action(
        "change_deck",
        "CHANGE DECK",
        Role.FLOOR,
        phases(Phase.BETS_OPEN, Phase.SHUFFLING, Phase.CLEARING),
        "3(c)",
        change_deck,
        verify_change,
        deck_names,
        while_held=True,
    ),
    Action(
        "close",
        "CLOSE TABLE",
        Role.FLOOR,
        phases(Phase.BETS_OPEN, Phase.IDLE, Phase.SHUFFLING),
        "-",
        close,
        verify_close,
    ),
)
