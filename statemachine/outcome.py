"""The live round as ``rules`` settles it, by its cards or by declaration."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sabot.rules.round import Round, Seat
from sabot.rules.settlement import Declared
from sabot.statemachine import linked, lying

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def knows_cards(table: "Table") -> bool:
    """Whether every card that settlement needs is known, and none came twice: then people look at them."""
    return lying.knows_all(table)


def rules_round(table: "Table") -> Round:
    """The round as ``rules`` settles it, with the hands that were read and the meters as they were."""
    round_, read = table.round, lying.read_cards(table)
    return Round(
        chapter=table.chapter.id,
        options=table.setup.options,
        seats=tuple(_rules_seat(table, seat, read) for seat in round_.bets),
        places=_shared(table, read),
        meters=round_.meters_before | linked.unknown(table.setup),
        magic_card=round_.magic_card,
        lucky=round_.lucky,
        irregularity=round_.irregularity,
        when=round_.when,
    )


def _rules_seat(table: "Table", seat: int, read: Mapping[int, int]) -> Seat:
    round_, fourth = table.round, _cards(table, f"seat{seat}:fourth", read)
    return Seat(
        number=seat,
        player=round_.players[seat],
        stakes=table.stakes(seat),
        cards=_cards(table, f"seat{seat}", read),
        fourth=fourth[0] if fourth else None,
        raises=len(round_.raises.get(seat, ())),
        folded=seat in round_.folded,
        abandoned=seat in round_.left,
    )


def _cards(table: "Table", place: str, read: Mapping[int, int]) -> tuple[int, ...] | None:
    """The cards of a place where each of them was read, in the order dealt."""
    positions = lying.in_order(table, place)
    cards = tuple([read[each] for each in positions if each in read])
    return cards if cards and len(cards) == len(positions) else None


def _shared(table: "Table", read: Mapping[int, int]) -> dict[str, tuple[int, ...]]:
    hands = table.chapter.hands
    names = [place for place in hands.places if place != "player"]
    names += ["dealer_first"] if hands.dealer_first else []
    return {place: cards for place in names if (cards := _cards(table, place, read)) is not None}


def settle_known(table: "Table") -> None:
    """Settle the round by its cards."""
    take_outcome(table, None)


def take_outcome(
    table: "Table", declared: Declared | None, meters: dict[str, dict[str, int]] | None = None
) -> None:
    """Keep what ``rules`` says became of the round; ``meters`` as they were, where some were paid since."""
    round_ = table.round
    round_.meters_before = table.meters() if meters is None else meters
    outcome = table.settlement.settle(rules_round(table), declared)
    round_.order = list(outcome.settle_order)
    round_.lines = list(outcome.lines)
    round_.hands = dict(outcome.hands)
    round_.meters_after = outcome.meters
    linked.take_outcome(table)
    for name, value in outcome.readings.items():
        round_.note(table.now, f"reading {name}={value}")
