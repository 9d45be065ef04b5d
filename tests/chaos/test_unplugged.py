"""Each device pulled out of the running program's table in each phase of a round; see `unplugging`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.stage import Stage
from tests.chaos.truth import verify_stopped
from tests.chaos.unplugging import DEVICES, STOPS, tour

# Two at a time where nothing hinders it. Lines cost a new process each time and a display is looked for every
# five seconds, so these two are pulled at some stops here, and at all of them by `make chaos`.
SOME = ("closed", "verifying", "shuffling", "bets open", "between cards", "deciding", "clearing")
TOURS = {("pads", "sign"): STOPS, ("shoe", "shuffler"): STOPS, ("display",): SOME, ("lines",): SOME}


def test_every_device_is_pulled() -> None:
    assert {device for devices in TOURS for device in devices} == set(DEVICES)


@pytest.mark.parametrize("devices", TOURS, ids=" and ".join)
def test_a_device_that_is_pulled_holds_the_table_and_costs_no_card_and_no_cent(
    tmp_path: Path, devices: tuple[str, ...]
) -> None:
    wanted = TOURS[devices]
    with Stage(tmp_path / "state", "pa641a", "manual_shoe") as stage:
        done = tour(stage, devices, tuple(wanted))
        assert stage.traces() == []
    assert done == list(wanted)
    truth = verify_stopped(stage.root)
    assert [record["void"] for record in truth.records] == [""]
