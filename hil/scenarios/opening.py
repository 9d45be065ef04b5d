"""Bets open at a table that nobody has opened yet: what people do where no start can be copied."""

from contextlib import closing

from sabot.hil.scenarios.floor import ScenarioFloor
from sabot.hil.scenarios.form import Scenario, read_steps
from sabot.hil.scenarios.rig import Rig, TableUnderTest
from sabot.hil.scenarios.sim import FIRST_START
from sabot.hil.scenarios.steps import take


def open_bets(table: TableUnderTest, scenario: Scenario, rig: Rig) -> None:
    """People open the table; what they remember goes on into the scenario."""
    with closing(ScenarioFloor(table, scenario.chapter, scenario.method, rig)) as floor:
        for step in read_steps(FIRST_START.steps, FIRST_START.where, scenario.chapter, scenario.method):
            take(floor, step)
        table.memory = floor.memory()
