"""Every rule of the checker can object: a violation is planted in a shift that happened, and it is named."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from procedure.cards import masked
from procedure.check import ROUND_RULES, STEP_RULES
from procedure.decks import alternate
from procedure.reading import Step
from procedure.story import Deck, Receipt

from .plant import Plant
from .planted import PLANTS
from .streams import objections, objections_before, stream

SEEDS = range(12)


@pytest.mark.parametrize("plant", PLANTS, ids=[f"{each.rule}: {each.words}" for each in PLANTS])
def test_a_planted_violation_is_objected_to(plant: Plant) -> None:
    for seed in SEEDS:
        lines = stream(plant.way, seed, plant.mood)
        if not plant.change(lines):
            continue
        before = objections_before(plant.way, seed, plant.mood)
        after = {(each.rule, each.round, each.words) for each in objections(lines)}
        new = after - before
        assert plant.rule in {rule for rule, *_ in new}, (seed, new)
        return
    pytest.fail(f"no shift of {plant.way} has what {plant.words!r} is about")


def test_every_rule_has_its_plant() -> None:
    rules = {rule.name for rule in STEP_RULES} | {rule.name for rule in ROUND_RULES}
    assert {plant.rule for plant in PLANTS} == rules


def test_an_objection_has_its_paragraph_and_its_entry() -> None:
    plant = next(each for each in PLANTS if each.words == "a wrong number of cards, and played on")
    lines = stream(plant.way, 0, plant.mood)
    assert plant.change(lines)
    found = next(each for each in objections(lines) if each.rule == plant.rule)
    assert found.paragraph == "683a.13(c)"
    assert found.entry > 0
    assert found.round > 0
    assert str(found).startswith(f"entry {found.entry}, round {found.round}: 683a.13(c): ")


def test_683a_12b_a_row_that_reads_like_a_card_is_none() -> None:
    for words, count in (("pair 6s to 10s cannot be", 0), ("6s cannot be", 1)):
        step = Step(1, {}, [{"effect": "RefuseInput", "why": words}], None, None)
        assert len(list(masked(cast("Any", None), step))) == count


def test_x_3b_cards_that_came_since_are_others_wherever_they_lie_in_memory() -> None:
    """A receipt that is gone leaves its place to the next one."""
    setup = SimpleNamespace(decks=2, shuffler="counting")
    shift: Any = SimpleNamespace(setup=setup, last_deck="", last_receipts={}, is_one_deck=False)
    decks = {name: Deck(name, in_use=True, receipt=Receipt(0.0, "dealer")) for name in "AB"}
    round_ = cast("Any", SimpleNamespace(decks=decks, lock=SimpleNamespace(entry=1)))
    assert not list(alternate(shift, round_, {"deck": "A"}))
    assert [each.words for each in alternate(shift, round_, {"deck": "A"})] == [
        "deck A was used for two rounds together"
    ]
    place, decks["A"].receipt = id(decks["A"].receipt), None
    others = [Receipt(1.0, "dealer") for _ in range(100)]
    decks["A"].receipt = next((each for each in others if id(each) == place), others[0])
    assert not list(alternate(shift, round_, {"deck": "A"}))
