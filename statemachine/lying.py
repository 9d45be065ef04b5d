"""Which cards lie where, which of them a device has read, and whose wagers they decide.

Cards are named by the positions in which they left the deck. Everything that asks, settles, turns or shows
cards starts here, so that all mean the same hand by a seat and the same cards by read.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sabot.rules.chapter import Wager
from sabot.rules.settlement.claims import Cards

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

# The place of the dealer's hand.
DEALER = "dealer"


def read_cards(table: "Table") -> dict[int, int]:
    """The cards that a device has read, by position; one that came twice is looked at by people."""
    seen = {position: card.card for position, card in enumerate(table.round.seen, 1) if card is not None}
    if len(set(seen.values())) == len(seen):
        return seen
    cards = list(seen.values())
    return {position: card for position, card in seen.items() if cards.count(card) == 1}


def in_order(table: "Table", place: str) -> Sequence[int]:
    """The positions of the cards at a place as they were dealt; a dealer's first are some of the dealer's."""
    if place == "dealer_first":
        return table.laid.positions.get(DEALER, [])[: table.chapter.hands.dealer_first]
    return table.laid.positions.get(place, [])


def positions(table: "Table", place: str) -> Cards:
    """The positions of the cards at a place."""
    return frozenset(in_order(table, place))


def cards_of(table: "Table", seat: int, places: tuple[str, ...]) -> Cards:
    """The positions of a seat's cards together with shared ones."""
    names = (f"seat{seat}" if place == "own" else place for place in places)
    return frozenset[int]().union(*(positions(table, name) for name in names))


def has_own_bonus_card(table: "Table") -> bool:
    """Whether each player has a bonus card of his own (679a.8(h))."""
    return table.setup.options.pair_bonus_card == "own"


def bonus_card(table: "Table", seat: int) -> Cards:
    """The position of the card that chooses the table of a seat's Pair Bonus."""
    return positions(table, f"seat{seat}:fourth" if has_own_bonus_card(table) else "pair_bonus_card")


def knows_all(table: "Table") -> bool:
    """Whether every card that was dealt to a place was read, each once."""
    return read_cards(table).keys() >= table.laid.placed


# ---------------------------------------------------------------- what they decide


def plays(table: "Table", seat: int) -> bool:
    """Whether a seat's wagers are settled by cards; in a void contest one who left is like any other."""
    return seat not in table.round.left or table.contest_is_void


def is_contested(table: "Table", seat: int) -> bool:
    """Whether Ante and second wagers of a seat still compete."""
    round_ = table.round
    is_out = seat in round_.folded or table.contest_is_void or not plays(table, seat)
    return "ante" in round_.bets[seat] and not is_out


def live_wagers(table: "Table", seat: int) -> list[Wager]:
    """The optional wagers of a seat that are settled by cards, in the chapter's order."""
    if not plays(table, seat):
        return []
    stakes, wagers = table.stakes(seat), table.chapter.wagers
    names = [name for name in table.chapter.order if name in stakes and table.is_alive(seat, name)]
    return [wagers[name] for name in names if wagers[name].settles]
