"""Which cards the rules turn, and when (x.11): a hand with its seat, a bonus card with the wager it decides.

Nothing is turned for nobody: not a hand without a wager that its cards settle, not 679a's fourth or community
card below a pair (679a.11(d)(2)), not the All-Six and Six Card cards before such a wager is settled, and in a
contest that is void (x.13(d)) not the dealer's hand where no wager is settled by it.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from sabot.statemachine import lying, settling

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager
    from sabot.statemachine.table import Table

READ, DECLARED = "read", "declared"


def is_turned(table: "Table", place: str) -> bool:
    """Whether the cards of a place lie face up since the reveal."""
    if place == "dealer":
        return dealer_turned(table)
    (seat, part), round_ = _whose(place), table.round
    reached = round_.order[: round_.settled + 1]
    if not seat:
        return any(_opens(table, each, place) and _has_come(table, each, place) for each in reached)
    if seat not in reached:
        return False
    return _opens(table, seat, part) if part else table.has_cards_left(seat)


@lru_cache(maxsize=64)
def _whose(place: str) -> tuple[int, str]:
    """The seat that a place belongs to (0: to all), and which of its cards lie there (empty: its hand)."""
    seat, _, part = place.removeprefix("seat").partition(":")
    return (int(seat), part) if seat.isdigit() else (0, "")


def dealer_turned(table: "Table") -> bool:
    """Whether the dealer's hand is turned; in a void contest only where a wager is settled by it."""
    return not table.contest_is_void or any(
        wager.settles is not None and "dealer" in wager.settles.cards
        for seat in table.round.bets
        for wager in lying.live_wagers(table, seat)
    )


def _opens(table: "Table", seat: int, place: str) -> bool:
    """Whether a wager of a seat is settled by the card at a place."""
    wagers = table.chapter.wagers
    names = [name for name in table.stakes(seat) if _is_settled_by(table, seat, wagers[name], place)]
    return lying.plays(table, seat) and any(table.is_alive(seat, name) for name in names)


def _has_come(table: "Table", seat: int, place: str) -> bool:
    """Whether the turn of a card has come within its seat, and no hit before it waits for the floor."""
    if seat != settling.current_seat(table):
        return True
    wagers, now = table.chapter.wagers, settling.due(table).now
    later = {line.wager for line in settling.lines_left(table)[len(now) :]}
    names = [name for name in table.stakes(seat) if _is_settled_by(table, seat, wagers[name], place)]
    return any(name not in later for name in names)


def _is_settled_by(table: "Table", seat: int, wager: "Wager", place: str) -> bool:
    if wager.settles is None:
        return False
    if place in wager.settles.cards:
        return True
    if wager.bonus_card is None or place not in ("fourth", "pair_bonus_card"):
        return False
    lines = table.round.lines
    return any((line.seat, line.wager, line.result) == (seat, wager.name, "win") for line in lines)


def known_by(table: "Table", read: Mapping[int, int]) -> dict[str, str]:
    """Return whether each hand was read or declared, by the cards that were."""
    if read.keys() >= table.laid.placed:
        return dict.fromkeys(table.round.hands, READ)
    return {place: _known_by(table, place, read) for place in table.round.hands}


def _known_by(table: "Table", place: str, read: Mapping[int, int]) -> str:
    """A community is part of each hand but the dealer's."""
    own = lying.positions(table, place)
    shared = () if place == "dealer" else table.chapter.contest.cards
    cards = own.union(*(lying.positions(table, each) for each in shared if each != "own"))
    return READ if read.keys() >= cards else DECLARED
