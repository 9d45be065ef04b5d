"""Processes beside a rig: ready when they say so, gone when nobody wants them, and named where they do not start."""

from contextlib import closing
from pathlib import Path

import pytest

from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.table.helper_process import HelperProcess


def test_a_helper_that_does_not_start_is_named() -> None:
    with pytest.raises(
        ScenarioError, match=r"this\.is\.none: the rig cannot be used \(it did not start: it ended with 1\)"
    ):
        HelperProcess("sabot.this.is.none")


def test_the_devices_of_a_table_say_their_keys(tmp_path: Path) -> None:
    (tmp_path / "world.json").write_text('{"seed": 1, "devices": {}}')
    with closing(HelperProcess("sabot.hil.table", tmp_path)) as devices:
        assert devices.told == b'{"keys": {}}\n'
