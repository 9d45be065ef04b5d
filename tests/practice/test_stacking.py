"""A deck that is stacked by what a place is to get comes out so by every chapter and method."""

import random

import pytest

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.practice.cards import CardsError
from sabot.practice.stacking import plain_cards, stacked
from sabot.rules.plan import OWN, bets_of, plan
from sabot.statemachine.labels import place_words

METHODS = [(chapter, method) for chapter in CHAPTER_IDS for method in load_chapter(chapter).plans]
WAGERS = {3: ["ante"], 5: ["ante"]}
ACES = ["As", "Ah"]


@pytest.mark.parametrize(("chapter", "method"), METHODS)
def test_x_8d_each_place_gets_its_gift(chapter: str, method: str) -> None:
    law = load_chapter(chapter)
    middle = "COMMUNITY" if chapter == "pa683a" else "DEALER"
    gifts = {"SEAT 3": ACES, middle: ["Kc", "Kd"]}
    order = stacked(law, method, WAGERS, OWN, gifts, random.Random(1))
    assert len(set(order)) == len(order)
    got: dict[str, list[str]] = {}
    for card in plan(law, method, sorted(WAGERS), bets_of(law, WAGERS, OWN)):
        got.setdefault(place_words(card.place), []).append(order[card.position - 1])
    assert set(ACES) <= set(got["SEAT 3"])
    assert {"Kc", "Kd"} <= set(got[middle])


@pytest.mark.parametrize(
    ("wagers", "gifts", "why"),
    [
        ({}, {"SEAT 3": ACES}, "nobody has wagered"),
        (WAGERS, {"SEAT 1": ACES}, "SEAT 1 gets fewer"),
        (WAGERS, {"SEAT 3": ["As"] * 2}, "there is one As"),
        (WAGERS, {"SEAT 3": ["As", "2c", "3c", "4c", "5c", "6c"]}, "SEAT 3 gets fewer"),
    ],
)
def test_what_cannot_be_is_refused(
    wagers: dict[int, list[str]], gifts: dict[str, list[str]], why: str
) -> None:
    with pytest.raises(CardsError, match=why):
        stacked(load_chapter("pa641a"), "hand", wagers, OWN, gifts, random.Random(1))


def test_cards_as_people_write_them() -> None:
    assert plain_cards(["as", "10H", "Tc"]) == ["As", "Th", "Tc"]
    with pytest.raises(CardsError, match="no card"):
        plain_cards(["1s"])
