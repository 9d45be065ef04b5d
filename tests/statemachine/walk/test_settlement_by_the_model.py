"""The record of every random round, settled again by the naive model: line by line the same.

The model shares no code with ``sabot.rules`` and none with the table. Whatever the table did on its way (a
card set aside, an irregularity, a player who left, a decision taken back), its lines must be the model's.
"""

from __future__ import annotations

import pytest

from .amounts import ROUNDS, SEEDS
from .people import WHIMS
from .random_shift import RandomShift
from .reckoning import Reckoning
from .setups import KNOWN_WAYS, Way


@pytest.mark.parametrize("way", KNOWN_WAYS, ids=str)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_record_of_every_round_is_settled_alike_by_the_model(way: Way, seed: int) -> None:
    shift = RandomShift(seed, way, noise=0.01, whims=0.04, hot=0.6)
    shift.people.wishes = tuple(name for name in WHIMS if name != "out_of_order")
    model = Reckoning(shift.table)
    for _ in shift.rounds(ROUNDS):
        model.see()
    assert model.compared > ROUNDS // 8, shift
