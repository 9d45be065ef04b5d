"""Beats of one grid: never later than promised, never at once again, and the same moment for everybody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.beat_grid import next_beat
from sabot.drivers.sabot_link.session import PING_S

DAYS_S = 4e6


@given(st.floats(0, DAYS_S), st.sampled_from((0.25, 0.5, 1.0, 2.0)))
def test_a_beat_is_later_than_now_and_never_later_than_promised(now: float, every_s: float) -> None:
    assert now < next_beat(now, every_s) <= now + every_s


@given(st.floats(0, DAYS_S))
def test_a_beat_taken_at_its_moment_is_followed_by_the_next_and_not_by_itself(now: float) -> None:
    first = next_beat(now, PING_S)

    assert next_beat(first, PING_S) == first + PING_S


@pytest.mark.parametrize("late_s", [0.0, 0.01, 0.2])
def test_who_begins_at_another_moment_beats_at_the_same(late_s: float) -> None:
    assert next_beat(1000.01 + late_s, PING_S) == 1000.25
