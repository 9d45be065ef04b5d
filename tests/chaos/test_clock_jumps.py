"""The time of day of the running program jumps back and forth; the table lives in monotonic seconds."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from sabot.hil.table.crew import TECHNICIAN
from sabot.statemachine.vocabulary.events import Resumed
from tests.chaos.launch import BOOT
from tests.chaos.people import release_everything
from tests.chaos.stage import Stage
from tests.chaos.truth import verify_stopped

HOUR_S, YEAR_S = 3600.0, 365.25 * 24 * 3600.0
# Where a jump comes, how far, and whether the network vouches for the time of day from then on.
JUMPS = (
    ("INSPECT ", -10 * YEAR_S, False),
    ("SPREAD ", 10 * YEAR_S, True),
    ("BETS OPEN", -25 * HOUR_S, True),
    ("CARD 2 TO", 5 * HOUR_S, False),
    ("SEAT 1: PLAY", -20 * YEAR_S, True),
    ("REVEAL", 0.0, True),
    ("CARDS TO RACK", 100 * HOUR_S, False),
)


def test_the_time_of_day_jumps_and_the_table_does_not(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa679a", "manual_shoe") as stage:
        for where, ahead_s, is_set in JUMPS:
            stage.crew.follow_to(where)
            if where == "BETS OPEN":
                stage.crew.bet(0, 2500)
                stage.crew.hands.wait_display("1 SEATS")
            stage.set_wall(ahead_s, is_set=is_set)
            if where == "BETS OPEN":
                stage.lock()
        stage.crew.follow_to("BETS OPEN")
        assert stage.holds() == []
        assert stage.traces() == []

    truth = verify_stopped(stage.root)
    assert len(truth.records) == 1
    stamps = [each.stamp for each in truth.entries]
    # A device's event bears the second of its reading: one that was read before may be handled after.
    assert all(float(b.at) >= float(a.at) - 1.0 for a, b in pairwise(stamps))
    assert float(stamps[-1].at) - float(stamps[0].at) < HOUR_S
    days = [datetime.fromisoformat(each.utc) for each in stamps]
    back = sum(b < a for a, b in pairwise(days))
    assert back >= 3, "the jumps were not seen at all"
    assert {each.trusted for each in stamps} == {True, False}
    ends = [each for each in stamps if datetime.fromisoformat(each.utc) < days[0]]
    assert any(each.trusted for each in ends)


# The machine was off; what two clocks say that both were set, or not; how long it was, for all that is known.
CUTS = {
    "nothing vouches": (False, HOUR_S, False, None),
    "only before": (True, HOUR_S, False, None),
    "set back meanwhile": (True, -HOUR_S, True, None),
    "five hours": (True, 5 * HOUR_S, True, 5 * HOUR_S),
}


@pytest.mark.parametrize("name", CUTS)
def test_after_a_cut_the_time_of_day_counts_only_where_it_was_set_at_both_ends(
    tmp_path: Path, name: str
) -> None:
    was_set, ahead_s, is_set, down_s = CUTS[name]
    with Stage(tmp_path / "state", "pa679a", "hand") as stage:
        stage.set_wall(0.0, is_set=was_set)
        # Unlocking is an entry, durable before it is answered: the last one before the cut bears this stamp.
        assert stage.ordered(TECHNICIAN, "status").end == "done"
        stage.crew.hands.wait_display("SIGN ON")
        stage.kill()
        (stage.root / BOOT).write_text("another start of this machine", encoding="ascii")
        stage.set_wall(ahead_s, is_set=is_set)
        stage.start()
        release_everything(stage)
        stage.crew.hands.wait_display("SIGN ON")
    truth = verify_stopped(stage.root)
    _first_start, resumed = (each.event for each in truth.told if isinstance(each.event, Resumed))
    if down_s is None:
        assert resumed.down_s is None
    else:
        assert resumed.down_s == pytest.approx(down_s, abs=120.0)
