"""The safe lane on random shifts of every way of dealing: it comes first, changes nothing, and is short."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import (
    HaltShoe,
    LightSeat,
    LockWagers,
    OpenSpots,
    SetMeter,
    ShowPrompt,
)
from sabot.statemachine.vocabulary.events import Key, KeyPressed
from tests.statemachine.lane import MOST_CALLS, calls_of, kinds

from .random_shift import RandomShift
from .setups import WAYS, random_setup

if TYPE_CHECKING:
    from sabot.statemachine.vocabulary.effects import Effect

    from .setups import Way

EVENTS = 120


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_policy_the_lane_comes_first_changes_nothing_and_misses_no_fault_of_a_device(way: Way) -> None:
    shift = RandomShift(WAYS.index(way), way, noise=0.15, whims=0.03, pauses=0.0)
    for _ in range(EVENTS):
        event = shift.next_event()
        before = Table.restore(shift.setup, shift.table.snapshot()).snapshot()
        first = shift.table.safe(event)
        assert shift.table.snapshot() == before
        effects = shift.handle(event)
        assert effects[: len(first)] == list(first)
        halts = HaltShoe in kinds(effects)
        assert not halts or isinstance(event, KeyPressed) or HaltShoe in kinds(first), event
        left_bets = isinstance(event, KeyPressed) and event.key is Key.LOCK and LockWagers in kinds(effects)
        assert not left_bets or LockWagers in kinds(first)
        assert _spots_before_words(effects)


def _spots_before_words(effects: list[Effect]) -> bool:
    """Spots are told before prompt, lamp and meters."""
    told = [index for index, each in enumerate(effects) if isinstance(each, (LockWagers, OpenSpots))]
    words = [
        index for index, each in enumerate(effects) if isinstance(each, (ShowPrompt, LightSeat, SetMeter))
    ]
    return not told or not words or max(told) < min(words)


def test_policy_every_event_that_a_random_table_hears_is_answered_in_a_few_calls() -> None:
    most: Counter[str] = Counter()
    for number in range(6):
        way = random.Random(number).choice(WAYS)
        shift = RandomShift(number, way, setup=random_setup(random.Random(number), way), noise=0.1)
        for _ in range(EVENTS):
            event = shift.next_event()
            name = type(event).__name__
            most[name] = max(most[name], calls_of(shift.table, event))
            shift.handle(event)

    assert {name: calls for name, calls in most.items() if calls > 5 * MOST_CALLS} == {}
