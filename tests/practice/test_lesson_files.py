"""The lessons themselves: what there is for each chapter, and that every word of them stands on a paragraph."""

import pytest

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.hil.scenarios import scenario_file
from sabot.hil.scenarios.language import ScenarioStep
from sabot.practice.lesson import LESSON, NOT_HERE, OF_RIG, WORLD, Lesson, shelf, whose
from sabot.practice.paragraph_gists import gist_of

POLICY = "our policy"


def ours(chapter: str) -> list[Lesson]:
    return [
        each for each in shelf().lessons.values() if each.kind == LESSON and each.scenario.chapter == chapter
    ]


def test_there_are_seventy_and_more() -> None:
    assert sum(each.kind == LESSON for each in shelf().lessons.values()) >= 70


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_x_11_a_round_by_each_method(chapter: str) -> None:
    rounds = {each.scenario.method for each in ours(chapter) if "lesson: a round" in each.scenario.name}
    assert rounds == set(load_chapter(chapter).plans)


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_x_13_each_irregularity(chapter: str) -> None:
    cited = {task.cite for each in ours(chapter) for task in each.tasks}
    law, letters = ("ch.13.{}", "ABCDEFGH") if chapter == "md4cp" else (f"{chapter[2:]}.13({{}})", "abcdefg")
    assert {law.format(letter) for letter in letters} <= cited


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
@pytest.mark.parametrize(
    "what", ["opening the day", "the power fails", "a deck is due", "the stub is counted"]
)
def test_what_else_a_dealer_meets(chapter: str, what: str) -> None:
    assert any(what in each.scenario.name for each in ours(chapter))


def test_a_hit_is_there_where_a_chapter_has_a_meter_on_the_felt() -> None:
    hits = {
        each.scenario.chapter for each in shelf().lessons.values() if "the meter is won" in each.scenario.name
    }
    metered = {
        chapter
        for chapter in CHAPTER_IDS
        if any(wager.device == "progressive" for wager in load_chapter(chapter).wagers.values())
    }
    assert hits == metered


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_each_step_of_a_learner_has_words_and_a_paragraph_with_a_gist(chapter: str) -> None:
    for lesson in ours(chapter):
        assert lesson.scenario.about, lesson.scenario.name
        for task in lesson.tasks:
            if task.who != WORLD and task.says:
                assert task.cite == POLICY or gist_of(task.cite), (lesson.scenario.name, task.cite)
        assert sum(bool(task.says) for task in lesson.tasks if task.who != WORLD) >= 3, lesson.scenario.name


def test_every_scenario_of_the_rig_is_a_lesson_but_those_that_need_what_is_not_here() -> None:
    rig = scenario_file.read_library().scenarios
    missing = [each for each in rig if each.name not in shelf().lessons]
    assert all(any((step.verb, step.words.split()[0]) in NOT_HERE for step in each.steps) for each in missing)
    assert len(missing) < len(rig) / 10
    assert {each.kind for each in shelf().lessons.values()} == {LESSON, OF_RIG}


def test_whose_a_step_is() -> None:
    steps = (("key", "LOCK"), ("floor", "RELEASE"), ("people", "sign on"), ("chips", "seat 1 ante 500"))
    found = [whose(ScenarioStep(verb, words, None, 1)) for verb, words in steps]
    assert found == ["dealer", "floor", "dealer", WORLD]


def test_words_above_a_step_are_the_readers() -> None:
    steps = scenario_file.read_steps(
        "# One.\n# Two. [641a.8(b)]\nkey: LOCK\nkey: OK", "here", "pa641a", "hand"
    )
    assert [step.about for step in steps] == ["One. Two. [641a.8(b)]", ""]
    assert str(steps[0]) == "key: LOCK"
