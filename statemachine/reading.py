"""Cards that a reading shoe reports one by one, and reports of it that never came (x.13(a)-(b)).

A report that was lost is a card that was not read until a person says otherwise: it lies at the place of the
card that was due, and the next one goes to the next place. To leave it out would record every later card one
place early, each under a name that is wrong; a card that nobody read is declared at the reveal. The table is
held meanwhile, and the floor looks: the felt shows whether a card lies there.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.dealing import is_before_deal, known, left_to_deal, stray, take, waits_for_deck
from sabot.statemachine.events import CardDrawn, CardsMissed, Role
from sabot.statemachine.faults import lift
from sabot.statemachine.labels import WIDTH, first_that_fits, place_words
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge
from sabot.statemachine.state import Hold, Missed

if TYPE_CHECKING:
    from sabot.rules.plan import Placement
    from sabot.statemachine.events import Secret
    from sabot.statemachine.table import Table

MISSED = "missed_card"
SHOE = "shoe"


def verify_reads(table: "Table") -> None:
    """Only a shoe in use that reads each card is heard."""
    if table.state.knowledge != Knowledge.EACH_CARD or SHOE in table.state.out_of_order:
        raise Refused("no shoe at this table reads single cards")


def is_due(table: "Table") -> bool:
    """Whether the deal wants a card now."""
    return table.phases.state is Phase.DEALING and not waits_for_deck(table)


def on_card(table: "Table", event: CardDrawn) -> None:
    """A reading shoe saw a card leave: it is the next card, even one drawn in error (x.13(b))."""
    verify_reads(table)
    was_held = table.held is not None
    if event.missed:
        _miss(table, event.missed)
    if not is_due(table):
        stray(table, (event.card,), "a card")
        return
    if was_held:
        words = f"card {table.round.drawn + 1} left the shoe while the table was held: it is the next card"
        table.note(words, table.cite("13(b)"))
        table.hold("card_out_of_turn", SHOE, "a card left the shoe while the table was held")
    if event.card is None:
        take(table, (None,))
        table.hold("unreadable_card", SHOE, "a card could not be read")
        return
    take(table, known(table, (event.card,)))


def on_missed(table: "Table", event: CardsMissed) -> None:
    """A report that was no card's showed that others before it never came."""
    verify_reads(table)
    if event.count < 1:
        raise Refused("no report is missing")
    _miss(table, event.count)


# ---------------------------------------------------------------- reports that never came


def _miss(table: "Table", count: int) -> None:
    """Enter cards that nobody read where the next ones were due; more than were due contradict themselves."""
    left = len(left_to_deal(table)) if is_due(table) else table.chapter.deck.pack
    words = f"{count} report{'s' * (count > 1)} of the shoe missing"
    if count > left:
        table.hold("contradiction", SHOE, f"{words}, {left} card(s) were due")
        return
    _forget_old(table)
    if is_due(table):
        first = table.round.drawn + 1
        whose = whose_card(table, first)
        table.state.missed.append(Missed(first, count))
        take(table, (None,) * count)
        words = f"{words}: {whose} was not read{' nor the next' * (count > 1)}, if it was dealt"
    elif is_before_deal(table):
        early = table.state.decks[table.state.in_play].early
        table.state.missed.append(Missed(len(early) + 1, count))
        early += (None,) * count
        words = f"{words} before the deal: what left is dealt first, unread"
    table.note(words, table.cite("13(b)"))
    table.hold(MISSED, SHOE, words)


def _forget_old(table: "Table") -> None:
    """What was entered before a release is confirmed by it."""
    if missing_hold(table) is None:
        table.state.missed.clear()


def missing_hold(table: "Table") -> Hold | None:
    """The hold over cards that were perhaps missed, None where there is none."""
    return next((held for held in table.state.holds if held.kind == MISSED), None)


def placed_at(table: "Table", position: int) -> "Placement":
    """Where a card of the deal lies, by its position in the deck."""
    return table.laid.order[position - 1]


def whose_card(table: "Table", position: int) -> str:
    """Which card of which place, as the display names it."""
    card = placed_at(table, position)
    return f"{place_words(card.place)} CARD {card.nth}"


def lines_of_missed(table: "Table") -> tuple[str, str]:
    """How many cards were perhaps missed, and whose the first is; empty where the deal wanted none."""
    missed, round_ = table.state.missed, table.state.round
    if not missed or round_ is None or not round_.drawn:
        return "", ""
    count, first = sum(each.count for each in missed), placed_at(table, missed[0].first)
    place = place_words(first.place)
    return (
        f"{count} NOT READ" if count > 1 else "",
        first_that_fits(f"FLOOR: {place} CARD {first.nth}", f"FLOOR: {place} {first.nth}", f"FLOOR: {place}"),
    )


# ---------------------------------------------------------------- the floor has looked


def gaps_to_take_back(table: "Table") -> list[str]:
    """The cards that were entered unread and may be none, by position; none before a card that lies aside."""
    state, round_ = table.state, table.state.round
    if missing_hold(table) is None or (round_ is not None and round_.void):
        return []
    aside = max(round_.face_up, default=0) if round_ is not None else 0
    cards = _cards_out(table)
    return [
        f"{each.first} {each.count}"
        for each in state.missed
        if each.first > aside and cards[each.first - 1 :][: each.count] == [None] * each.count
    ]


def no_card(table: "Table", value: str) -> None:
    """No card lies there: what came after moves up by as many places, and with the last the table goes on."""
    state = table.state
    first, count = map(int, value.split())
    del _cards_out(table)[first - 1 : first - 1 + count]
    state.missed = [
        Missed(each.first - count * (each.first > first), each.count)
        for each in state.missed
        if each.first != first
    ]
    if state.round is not None:
        table.round.drawn = len(table.round.seen)
        if table.phases.state is Phase.STUB:
            table.phases.not_dealt()
            table.clear_pending()
    by = table.person(Role.FLOOR)
    table.note(f"no card was missed at position {first}", table.cite("13(b)"), by)
    held = missing_hold(table)
    if held is not None and not state.missed:
        lift(table, held, by)


def _cards_out(table: "Table") -> "list[Secret | None]":
    """The cards that have left the deck: of the round once it deals, else those before the deal."""
    round_ = table.state.round
    if round_ is not None and round_.drawn:
        return round_.seen
    deck = table.state.decks.get(table.state.in_play)
    return deck.early if deck is not None else []


def gap_words(table: "Table", value: str) -> str:
    """A gap to choose: whose card it would be."""
    first, _ = map(int, value.split())
    round_ = table.state.round
    if round_ is None or not round_.drawn:
        return f"BEFORE DEAL, CARD {first}"
    return whose_card(table, first)[:WIDTH]


ACTIONS = (
    Action(
        "no_card_missed",
        "NO CARD WAS MISSED",
        Role.FLOOR,
        phases(Phase.BETS_OPEN, Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, Phase.DEALING, Phase.STUB),
        "13(b)",
        no_card,
        values=gaps_to_take_back,
        say=gap_words,
        while_held=True,
    ),
)
