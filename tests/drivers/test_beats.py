"""Beats of one grid: never later than promised, never at once again, and the same moment for everybody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.beat_grid import BEAT_S, next_beat

DAYS_S = 4e6
PROMISED_S = 0.25


@given(st.floats(0, DAYS_S), st.sampled_from((0.05, BEAT_S, 0.5, 1.0, 2.0)))
def test_a_beat_is_later_than_now_and_never_later_than_promised(now: float, every_s: float) -> None:
    assert now < next_beat(now, every_s) <= now + every_s


@given(st.floats(0, DAYS_S))
def test_a_beat_taken_at_its_moment_is_followed_by_the_next_and_not_by_itself(now: float) -> None:
    first = next_beat(now)

    assert next_beat(first) == pytest.approx(first + BEAT_S, abs=1e-6)


@pytest.mark.parametrize("late_s", [0.0, 0.01, 0.2])
def test_who_begins_at_another_moment_beats_at_the_same(late_s: float) -> None:
    assert next_beat(960.01 + late_s) == pytest.approx(960.24)


@given(st.floats(1, DAYS_S), st.sampled_from((0.5, 1.0, 2.0)))
def test_what_is_done_more_rarely_falls_on_a_beat_of_the_others(now: float, every_s: float) -> None:
    beat = next_beat(now, every_s)

    assert next_beat(beat - BEAT_S / 2) == pytest.approx(beat, abs=1e-6)
    assert beat > now + every_s - BEAT_S


def test_a_beat_comes_before_what_the_pages_promise_is_over() -> None:
    """Pads that were ordered in time have answered, and say nothing of their own."""
    assert PROMISED_S - 0.02 <= BEAT_S < PROMISED_S
