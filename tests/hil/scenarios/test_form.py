"""Files of scenarios: what tables expand to, and what is wrong with one that cannot be played."""

from collections import Counter
from pathlib import Path

import pytest

from sabot.config import CHAPTER_IDS as CHAPTERS
from sabot.hil.scenarios.errors import ScenarioError
from sabot.hil.scenarios.scenario_file import read_library
from sabot.hil.scenarios.vocabulary import METHODS

ONE = """
[[scenario]]
name = "a story"
paragraph = "679a.11"
chapter = "pa679a"
method = "hand"
steps = "see display: BETS OPEN"
"""


def library(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    return [each.name for each in read_library(tmp_path).scenarios]


def test_a_table_of_values_makes_one_scenario_for_each_way_to_fill_the_names(tmp_path: Path) -> None:
    text = (
        ONE.replace("a story", "{chapter}.{n} {method}")
        .replace('"hand"', '"{method}"')
        .replace('"pa679a"', '"{chapter}"')
    )
    names = library(
        tmp_path,
        text
        + """
[[scenario.vary]]
chapter = [{ chapter = "pa679a", n = "1" }, { chapter = "pa682a", n = "2" }]
method = ["hand", "manual_shoe"]
[[scenario.vary]]
chapter = { chapter = "md4cp", n = "3" }
method = "auto_shoe"
""",
    )
    assert names == [
        "pa679a.1 hand",
        "pa679a.1 manual_shoe",
        "pa682a.2 hand",
        "pa682a.2 manual_shoe",
        "md4cp.3 auto_shoe",
    ]


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        (
            "[[scenario]]",
            "[[scenaro]]",
            "'scenaro' is no table of a scenario file; the nearest is 'scenario'",
        ),
        ('name = "a story"', "", "it has no name"),
        ('paragraph = "679a.11"', "", "it names no paragraph"),
        ("chapter =", "chaptr =", "'chaptr' is no field; the nearest is 'chapter'"),
        ('"pa679a"', '"pa697a"', "'pa697a' is no chapter; the nearest is 'pa679a'"),
        ('"hand"', '"hands"', "'hands' is no method; the nearest is 'hand'"),
        ("see display: BETS OPEN", "key: OK", "it expects nothing"),
        ("see display: BETS OPEN", "see displa: BETS OPEN", "scenario 'a story', step line 1"),
        ("see display: BETS OPEN", "see display: {what}", "'what' is no name of vary"),
        ("steps =", 'start = "prepared:noon"\nsteps =', "'prepared:noon' is no start"),
        ("steps =", 'knowledge = "stack"\nsteps =', "hand is not dealt with 'stack'"),
        ("paragraph", "paragraph paragraph", "cannot be read"),
    ],
)
def test_what_cannot_be_played_is_told_before_anything_is(
    tmp_path: Path, was: str, becomes: str, told: str
) -> None:
    with pytest.raises(ScenarioError) as wrong:
        library(tmp_path, ONE.replace(was, becomes, 1))
    assert told in str(wrong.value)
    assert "a.toml" in str(wrong.value)


def test_no_two_scenarios_have_one_name(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="another of this name"):
        library(tmp_path, ONE + ONE)


def test_a_line_that_begins_with_a_number_sign_is_for_the_reader(tmp_path: Path) -> None:
    text = ONE.replace('"see display: BETS OPEN"', '"""\n# why\n\nsee display: BETS OPEN\n"""')
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    (scenario,) = read_library(tmp_path).scenarios
    assert [str(step) for step in scenario.steps] == ["see display: BETS OPEN"]


def test_the_library_has_a_round_of_each_chapter_by_each_method() -> None:
    scenarios = read_library().scenarios
    rounds = Counter((each.chapter, each.method) for each in scenarios if each.file == "floor/rounds.toml")
    assert rounds == {(chapter, method): 1 for chapter in CHAPTERS for method in METHODS}
