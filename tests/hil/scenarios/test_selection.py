"""What a rig keeps for a run that names no scenario, and who plays where a rig stands elsewhere."""

from pathlib import Path

import pytest

from calling import sabot
from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.scenarios.rig import player_of, read_rig
from sabot.hil.scenarios.runner import chosen, selected
from sabot.hil.scenarios.scenario_file import read_library

BARE = 'title = "nothing at all"\nstrategy = "sabot.hil.scenarios.sim:SimStrategy"\nfeatures = []\n'
KEPT = ("pa679a.11 a round, auto_shoe", "pa682a.11 a round, hand")
SCENARIOS = read_library().scenarios


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bare.toml"
    path.write_text(f"{BARE}selection = {list(KEPT)}\n", encoding="utf-8")
    return path


def test_a_selection_is_whole_names_and_no_patterns(file: Path) -> None:
    assert [each.name for each in selected(SCENARIOS, read_rig(str(file)))] == list(KEPT)


def test_a_rig_that_keeps_nothing_plays_all_and_so_does_a_star() -> None:
    assert selected(SCENARIOS, read_rig("sim")) == SCENARIOS
    assert chosen(SCENARIOS, ["*"]) == SCENARIOS


def test_a_name_that_is_not_there_any_more_is_refused_with_the_nearest(file: Path) -> None:
    file.write_text(f"{BARE}selection = ['pa679a.11 a round, autoshoe']\n", encoding="utf-8")

    with pytest.raises(
        ScenarioError, match=r"has '.*autoshoe' in it; the nearest is 'pa679a\.11 a round, auto_shoe'"
    ):
        selected(SCENARIOS, read_rig(str(file)))


def test_a_run_says_that_it_plays_a_selection_and_how_to_have_all(file: Path) -> None:
    answer = sabot("hil", "run", "--target", str(file))

    assert answer.code == 1, answer.err
    first, *rows, _last = answer.out.splitlines()
    assert first == (
        f"2 of {len(SCENARIOS)} scenarios, those that the file of bare keeps; --scenario '*' plays all"
    )
    assert [row.partition(" s  ")[2] for row in rows if row.startswith("SKIP")] == list(KEPT)


def test_a_rig_here_has_no_player_and_one_that_is_not_there_is_the_rigs_error(file: Path) -> None:
    assert player_of(read_rig("sim")) is None
    file.write_text(f'{BARE}player = "sabot.hil.kernel.scenarios:nobody"\n', encoding="utf-8")

    with pytest.raises(ScenarioError, match=r"E-HIL-006 bare: .* no attribute 'nobody'"):
        player_of(read_rig(str(file)))
