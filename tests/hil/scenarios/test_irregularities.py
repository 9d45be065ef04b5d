"""x.13 of every chapter is played by every way of dealing that its paragraph can meet."""

import pytest

from sabot.config import CHAPTER_IDS as CHAPTERS
from sabot.hil.scenarios.scenario_file import Scenario, read_library
from sabot.hil.scenarios.vocabulary import MACHINE, METHODS

# Where Maryland's letters stand for a paragraph of the others.
MARYLAND = {"A": "a", "B": "a", "C": "b", "D": "c", "E": "d", "F": "e", "G": "f", "H": "g"}
SHUFFLED_APART = ("manual_shoe", "hand")
LIBRARY = read_library().scenarios

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def paragraph_of(scenario: Scenario) -> str:
    """The letter of x.13 that a scenario holds, in Pennsylvania's words."""
    _, _, section = scenario.paragraph.partition(".13")
    letter = section.strip("().")
    return MARYLAND.get(letter, letter)


def methods_of(chapter: str, paragraph: str) -> set[str]:
    """By which ways of dealing a paragraph is played."""
    return {each.method for each in LIBRARY if each.chapter == chapter and paragraph_of(each) == paragraph}


@each_chapter
@pytest.mark.parametrize("paragraph", ["a", "c", "d"])
def test_cards_face_up_wrong_counts_and_cards_seen_are_played_by_every_way_of_dealing(
    chapter: str, paragraph: str
) -> None:
    assert methods_of(chapter, paragraph) == set(METHODS)


@each_chapter
def test_cards_drawn_in_error_are_played_wherever_the_dealer_draws(chapter: str) -> None:
    assert methods_of(chapter, "b") >= set(SHUFFLED_APART)


@each_chapter
def test_a_jam_is_played_with_a_shuffler_apart_and_with_one_that_deals_too(chapter: str) -> None:
    methods = methods_of(chapter, "e")
    assert methods & set(SHUFFLED_APART)
    assert methods & set(MACHINE)


@each_chapter
def test_a_jam_of_the_shoe_is_played_by_each_automated_way_of_dealing(chapter: str) -> None:
    assert methods_of(chapter, "f") >= set(MACHINE)


@each_chapter
def test_a_device_out_of_order_is_played_as_the_shoe_and_as_the_shuffler(chapter: str) -> None:
    methods = methods_of(chapter, "g")
    assert methods & set(MACHINE)
    assert "hand" in methods


@each_chapter
@pytest.mark.parametrize("paragraph", ["a", "b", "c", "d", "e", "f"])
def test_each_void_says_by_which_paragraph(chapter: str, paragraph: str) -> None:
    cites = [
        str(step)
        for each in LIBRARY
        if each.chapter == chapter and paragraph_of(each) == paragraph
        for step in each.steps
        if "see journal: VoidRound" in str(step) or "see console" in str(step) or "RaiseFault" in str(step)
    ]
    law = chapter.removeprefix("pa") if chapter.startswith("pa") else "ch"
    assert any(f"{law}.13" in words for words in cites)
