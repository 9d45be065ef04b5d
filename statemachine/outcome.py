"""The live round as ``rules`` settles it, by its cards or by declaration."""

from typing import TYPE_CHECKING

from sabot.rules.plan import DISCARD
from sabot.rules.round import Round, Seat
from sabot.rules.settlement import Declared
from sabot.statemachine.dealing import cards_at
from sabot.statemachine.setup import Knowledge

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def knows_cards(table: "Table") -> bool:
    """Whether every card that settlement needs is known, and none came twice: then people look at them."""
    round_ = table.round
    if round_.knowledge not in (Knowledge.EACH_CARD, Knowledge.STACK):
        return False
    read = [card for card in round_.seen if card is not None]
    if len(set(read)) < len(read):
        return False
    return all(round_.seen[each.position - 1] is not None for each in round_.plan if each.place != DISCARD)


def rules_round(table: "Table", *, with_cards: bool) -> Round:
    """The round as ``rules`` settles it, with the meters that it began to be settled with."""
    round_ = table.round
    return Round(
        chapter=table.chapter.id,
        options=table.setup.options,
        seats=tuple(_rules_seat(table, seat, with_cards=with_cards) for seat in round_.bets),
        places=_shared(table) if with_cards else {},
        meters=round_.meters_before,
        magic_card=round_.magic_card,
        lucky=round_.lucky,
        irregularity=round_.irregularity,
        when=round_.when,
    )


def _rules_seat(table: "Table", seat: int, *, with_cards: bool) -> Seat:
    round_ = table.round
    fourth = _known(table, f"seat{seat}:fourth") if with_cards else ()
    return Seat(
        number=seat,
        player=round_.players[seat],
        stakes=table.stakes(seat),
        cards=_known(table, f"seat{seat}") if with_cards else None,
        fourth=fourth[0] if fourth else None,
        raises=len(round_.raises.get(seat, ())),
        folded=seat in round_.folded,
        abandoned=seat in round_.left,
    )


def _known(table: "Table", place: str) -> tuple[int, ...]:
    return tuple(card.card for card in cards_at(table, place) if card is not None)


def _shared(table: "Table") -> dict[str, tuple[int, ...]]:
    places = {place: _known(table, place) for place in table.chapter.hands.places if place != "player"}
    first = table.chapter.hands.dealer_first
    if first:
        places["dealer_first"] = places["dealer"][:first]
    return {place: cards for place, cards in places.items() if cards}


def settle_known(table: "Table") -> None:
    """Settle the round by its cards."""
    take_outcome(table, None)


def take_outcome(
    table: "Table", declared: Declared | None, meters: dict[str, dict[str, int]] | None = None
) -> None:
    """Keep what ``rules`` says became of the round; ``meters`` as they were, where some were paid since."""
    round_ = table.round
    round_.meters_before = table.meters() if meters is None else meters
    outcome = table.settlement.settle(rules_round(table, with_cards=declared is None), declared)
    round_.order = list(outcome.settle_order)
    round_.lines = list(outcome.lines)
    round_.hands = dict(outcome.hands)
    round_.meters_after = outcome.meters
    for name, value in outcome.readings.items():
        round_.note(table.now, f"reading {name}={value}")
