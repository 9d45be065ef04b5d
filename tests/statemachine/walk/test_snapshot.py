"""A table that is put away and taken out again goes on as if nothing had happened.

A shift is played to its end. Then it is played again with the power cut after every event: a new table is
restored from the snapshot, and what it says to the next event must be what was said the first time. A
snapshot goes through JSON on its way, as it does in the journal, and taking one changes nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.table import Table

from .amounts import SEEDS
from .random_shift import RandomShift, Step
from .setups import WAYS, Way

if TYPE_CHECKING:
    from sabot.statemachine.state.setup import Setup

OPENING = 20
STEPS = 75
LONG = 200


def play(way: Way, seed: int, steps: int) -> tuple[Setup, list[Step], list[str]]:
    """A shift, and what a snapshot of each of its moments says."""
    shift = RandomShift(seed, way, noise=0.1, whims=0.05, pauses=0.01)
    played, moments = [], []
    for step, _ in zip(shift.steps(), range(steps), strict=False):
        played.append(step)
        moments.append(json.dumps(shift.table.snapshot()))
    return shift.setup, played, moments


def restored(setup: Setup, moment: str) -> Table:
    return Table.restore(setup, json.loads(moment))


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_table_goes_on_from_a_snapshot_of_every_moment(way: Way) -> None:
    for seed in range(SEEDS):
        setup, played, moments = play(way, seed, STEPS)
        for index in range(0 if way is WAYS[0] else OPENING, STEPS - 1):
            table = restored(setup, moments[index])
            assert table.handle(played[index + 1].event) == played[index + 1].effects, (way, seed, index)
            assert json.dumps(table.snapshot()) == moments[index + 1], (way, seed, index)


@pytest.mark.parametrize("way", WAYS[::3], ids=str)
def test_a_shift_goes_on_to_its_end_from_a_snapshot(way: Way) -> None:
    for seed in range(100, 100 + SEEDS):
        setup, played, moments = play(way, seed, LONG)
        for index in range(OPENING, LONG - 1, 60):
            table = restored(setup, moments[index])
            assert json.dumps(table.snapshot()) == moments[index], (way, seed, index)
            said = [table.handle(step.event) for step in played[index + 1 :]]
            assert said == [step.effects for step in played[index + 1 :]], (way, seed, index)
            assert json.dumps(table.snapshot()) == moments[-1], (way, seed, index)
