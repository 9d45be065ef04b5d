"""How long the board was down: exactly, by UTC where it was trusted, or not at all."""

import pytest

from sabot.firmware.journal.entry import GENESIS, Draft, Entry, Stamp, chained
from sabot.firmware.run import clock as clocks
from sabot.firmware.run.clock import Clock


def entry(boot: str, at: float, utc: str, *, trusted: bool) -> Entry:
    return chained(1, GENESIS, Draft("event", Stamp(boot, f"{at:.6f}", utc, trusted), "{}"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(clocks, "is_trusted", lambda: True)
    made = Clock()
    monkeypatch.setattr(made, "now", lambda: 1000.0)
    return made


def test_within_one_boot_it_is_exact(clock: Clock) -> None:
    assert clock.down_since(entry(clock.boot, 990.5, "2020-01-01T00:00:00Z", trusted=False)) == 9.5


def test_across_boots_it_is_utc_where_both_ends_are_trusted(clock: Clock) -> None:
    now = clock.stamp(1000.0).utc
    down_s = clock.down_since(entry("another", 5.0, now, trusted=True))

    assert down_s is not None
    assert 0 <= down_s < 60


@pytest.mark.parametrize(
    ("utc", "trusted"), [("2020-01-01T00:00:00Z", False), ("2999-01-01T00:00:00Z", True)]
)
def test_otherwise_nobody_knows(clock: Clock, utc: str, trusted: bool) -> None:
    assert clock.down_since(entry("another", 5.0, utc, trusted=trusted)) is None


def test_a_clock_that_nothing_set_is_not_trusted(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "is_trusted", lambda: False)

    assert clock.down_since(entry("another", 5.0, clock.stamp(0.0).utc, trusted=True)) is None
    assert clock.stamp(1.5)[1:4:2] == ("1.500000", False)
