"""The odds of a wager against a posted paytable: every kind of hand it can see, and the row each makes.

The row comes from the very columns that the wager's settlement step asks, the payment from a round put to
the settlement. Where a bonus card moves the wager to another table (679a's 2) each kind of hand is met with
and without that card. Nothing depends on decisions: a fold leaves these wagers alone, or takes them from
hands that win nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import Settles, Wager
from sabot.rules.odds.classes import Kind, census
from sabot.rules.odds.trial import OWN, Trial, place_size, split
from sabot.rules.payouts import PayKind, Payout
from sabot.rules.paytables import Hit
from sabot.rules.settlement.steps import PostedStep

# A stake no payout divides into broken cents, and the one on which fixed sums are quoted.
ROUND_STAKE, FIXED_STAKE = 10_000, 500


@dataclass(frozen=True, slots=True)
class RowOdds:
    """One row of a paytable: how often it is made, and what it then wins of a stake of 1."""

    row: str
    text: str
    payout: Payout
    chance: Fraction
    net: Fraction


@dataclass(frozen=True, slots=True)
class Posted:
    """The odds of a posted wager under one letter and one set of readings."""

    stake: int
    rows: tuple[RowOdds, ...]
    hold: Fraction


class _Case(NamedTuple):
    """A way to be paid: the row, and whether the bonus card moved the wager to its other table."""

    hit: Hit | None
    moved: bool


def posted_odds(trial: Trial, wager: Wager, fixed_stake: int = FIXED_STAKE) -> Posted:
    """What the house holds of a wager, and how."""
    settles = wager.settles
    assert settles is not None
    step = trial.settlement.steps(wager.name)[0]
    assert isinstance(step, PostedStep)
    count = sum(place_size(trial.chapter, place) for place in settles.cards)
    bonus_rank = wager.bonus_card.rank - 2 if wager.bonus_card else None
    kinds = census(step.column.ranking, count, bonus_rank)
    chances: dict[_Case, Fraction] = {}
    seen: dict[_Case, Kind] = {}
    for kind in kinds:
        for case, weight in _cases(step, kind, count):
            chances[case] = chances.get(case, Fraction(0)) + weight
            seen.setdefault(case, kind)
    total = sum(kind.weight for kind in kinds)
    stake = stake_of(trial, wager, fixed_stake)
    nets = {case: _net(trial, wager, settles, stake, kind, case) for case, kind in seen.items()}
    hold = -sum((chances[case] * net for case, net in nets.items()), Fraction(0)) / total
    rows = [
        RowOdds(case.hit.row, case.hit.text, case.hit.payout, chances[case] / total, nets[case])
        for case in chances
        if case.hit
    ]
    return Posted(stake, tuple(sorted(rows, key=lambda row: -row.net)), hold)


def stake_of(trial: Trial, wager: Wager, fixed_stake: int) -> int:
    """The stake on which the odds of a wager are reckoned, in cents."""
    if wager.envy:
        return min(trial.chapter.envy[wager.envy.paytable].by_unit)
    step = trial.settlement.steps(wager.name)[0]
    assert isinstance(step, PostedStep)
    fixed = any(hit.payout.kind is PayKind.FIXED for hit in step.column.hits.values())
    return fixed_stake if fixed else ROUND_STAKE


def _cases(step: PostedStep, kind: Kind, count: int) -> Iterator[tuple[_Case, Fraction]]:
    hit = step.column.find(kind.score)
    if hit is None or step.bonus_column is None:
        yield _Case(hit, moved=False), Fraction(kind.weight)
        return
    moved = Fraction(kind.weight * (4 - kind.counted), PACK_SIZE - count)
    yield _Case(hit, moved=False), kind.weight - moved
    yield _Case(step.bonus_column.find(kind.score), moved=True), moved


def _net(trial: Trial, wager: Wager, settles: Settles, stake: int, kind: Kind, case: _Case) -> Fraction:
    """What a kind of hand wins of a stake of 1."""
    own, places = split(trial.chapter, settles.cards, kind.cards)
    fourth = None
    if wager.bonus_card:
        is_bonus = wager.bonus_card.rank - 2
        fourth = next(
            card
            for card in range(PACK_SIZE)
            if card not in kind.cards and (card >> 2 == is_bonus) == case.moved
        )
    return Fraction(trial.net({wager.name: stake}, own, places, fourth), stake)


def looks_at_own_hand(wager: Wager) -> bool:
    """Whether a wager is on the player's own cards."""
    return wager.settles is not None and OWN in wager.settles.cards
