"""The odds of a wager against a posted paytable: every kind of hand it can see, and the row each makes.

The row comes from the very columns that the wager's settlement step asks, the payment from a round put to
the settlement. Where a bonus card moves the wager to another table (679a's 2) each kind of hand is met with
and without that card. Decisions do not come into it: a fold leaves these wagers alone, or takes them from
hands that win nothing.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import Wager
from sabot.rules.frozen import frozen
from sabot.rules.odds.hand_classes import HandKind, census
from sabot.rules.odds.suit_masks import SUIT_COUNT
from sabot.rules.odds.trial import Trial, place_size, split
from sabot.rules.payouts import PayKind, Payout
from sabot.rules.paytables import MeterHit
from sabot.rules.settlement.steps import PostedStep

# A stake that no payout divides into broken cents, and the one on which fixed sums are quoted.
ROUND_STAKE, FIXED_STAKE = 10_000, 500


@frozen
class RowOdds:
    """One row of a paytable: how often it is made, and what it then gains on a stake of 1."""

    table: str
    row: str
    text: str
    payout: Payout
    chance: Fraction
    net: Fraction


@frozen
class Posted:
    """The odds of a wager under one letter and one set of readings."""

    stake: int
    rows: tuple[RowOdds, ...]
    hold: Fraction


class _Case(NamedTuple):
    """A way to be paid: the row, and whether the bonus card moved the wager to its other table."""

    hit: MeterHit | None
    moved: bool


def posted_odds(trial: Trial, wager: Wager, fixed_stake: int = FIXED_STAKE) -> Posted:
    """Return the house's hold on a wager, and how it was reckoned."""
    step = posted_step(trial, wager)
    kinds = kinds_seen(trial, wager)
    free = PACK_SIZE - hand_size(trial, wager)
    counts: dict[_Case, int] = {}
    seen: dict[_Case, HandKind] = {}
    # Each hand counts once for each card that may lie beside it, also where no bonus card is dealt: the total
    # is the same for both, and the chances of all rows add up.
    for kind in kinds:
        for case, count in _cases(step, kind, free):
            counts[case] = counts.get(case, 0) + count
            # One hand stands for all that are paid alike: it is the one that is put to the settlement.
            seen.setdefault(case, kind)
    total = free * sum(kind.weight for kind in kinds)
    stake = stake_of(trial, wager, fixed_stake)
    nets = {case: _net(trial, wager, stake, kind, case) for case, kind in seen.items()}
    hold = -sum((counts[case] * net for case, net in nets.items()), Fraction(0)) / total
    rows = [
        RowOdds(
            table=wager.bonus_card.paytable if case.moved and wager.bonus_card else step.settles.paytable,
            row=case.hit.row,
            text=case.hit.text,
            payout=case.hit.payout,
            chance=Fraction(count, total),
            net=nets[case],
        )
        for case, count in counts.items()
        if case.hit
    ]
    return Posted(stake, in_printed_order(rows, step), hold)


def in_printed_order(rows: Iterable[RowOdds], step: PostedStep) -> tuple[RowOdds, ...]:
    """Return rows as the chapter prints them, those of the bonus card's table last."""
    places = {row: place for place, row in enumerate(step.column.hits)}
    own = step.settles.paytable
    return tuple(sorted(rows, key=lambda row: (row.table != own, places[row.row])))


def posted_step(trial: Trial, wager: Wager) -> PostedStep:
    """Return the step by which the settlement settles a wager."""
    step = trial.settlement.steps(wager.name)[0]
    assert isinstance(step, PostedStep)
    return step


def hand_size(trial: Trial, wager: Wager) -> int:
    """Return how many cards a wager looks at."""
    return sum(place_size(trial.chapter, place) for place in posted_step(trial, wager).settles.cards)


def kinds_seen(trial: Trial, wager: Wager) -> tuple[HandKind, ...]:
    """Return every kind of hand that a wager can see."""
    rank = wager.bonus_card.rank - 2 if wager.bonus_card else None
    return census(posted_step(trial, wager).column.ranking, hand_size(trial, wager), rank)


def stake_of(trial: Trial, wager: Wager, fixed_stake: int) -> int:
    """Return the stake on which the odds of a wager are reckoned, in cents."""
    if wager.envy:
        # Progressives are reckoned on their smallest unit; being
        # "for 1" they hold the same on any (docs/odds.md).
        return min(trial.chapter.envy[wager.envy.paytable].by_unit)
    hits = posted_step(trial, wager).column.hits.values()
    return fixed_stake if any(hit.payout.kind is PayKind.FIXED for hit in hits) else ROUND_STAKE


def _cases(step: PostedStep, kind: HandKind, free: int) -> Iterator[tuple[_Case, int]]:
    """Yield the ways in which a kind of hand is paid, each with its count over the cards beside the hand."""
    hit = step.column.find(kind.score)
    if hit is None or step.bonus_column is None:
        yield _Case(hit, moved=False), kind.weight * free
        return
    bonus_cards = SUIT_COUNT - kind.counted
    yield _Case(hit, moved=False), kind.weight * (free - bonus_cards)
    yield _Case(step.bonus_column.find(kind.score), moved=True), kind.weight * bonus_cards


def _net(trial: Trial, wager: Wager, stake: int, kind: HandKind, case: _Case) -> Fraction:
    """Return the gain of a kind of hand on a stake of 1."""
    own, places = split(trial.chapter, posted_step(trial, wager).settles.cards, kind.cards)
    fourth = None
    if wager.bonus_card:
        rank = wager.bonus_card.rank - 2
        others = (card for card in range(PACK_SIZE) if card not in kind.cards)
        fourth = next(card for card in others if (card >> 2 == rank) == case.moved)
    return Fraction(trial.net({wager.name: stake}, own, places, fourth), stake)
