"""What the law hands about cannot be altered by whoever holds it, and says nothing that nobody said."""

from __future__ import annotations

from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import walk_packages
from typing import Any

import pytest

import sabot.rules
from sabot.rules.chapter import PlanStep, RankingSpec
from sabot.rules.payouts import Payout
from sabot.rules.round import Line, Options, Round, Seat


def records() -> list[Any]:
    """Every record of the package."""
    modules = [import_module(each.name) for each in walk_packages(sabot.rules.__path__, "sabot.rules.")]
    found: dict[type, None] = {}
    for module in modules:
        for _, each in getmembers(module, isclass):
            if each.__module__ == module.__name__ and hasattr(each, "__dataclass_fields__"):
                found[each] = None
    return list(found)


@pytest.mark.parametrize("record", records(), ids=lambda each: each.__name__)
def test_a_record_is_frozen_and_has_its_fields_alone(record: Any) -> None:
    assert record.__setattr__ is not object.__setattr__  # it refuses
    # A payout keeps its words once they were made (`cached_property`), for which it needs room.
    assert hasattr(record, "__slots__") is (record is not Payout)


def test_the_records_were_found() -> None:
    assert {Options, Seat, Round, RankingSpec, PlanStep, Payout} < set(records())


def test_what_a_round_does_not_say_is_what_nobody_did() -> None:
    seat = Seat(number=1, player="p", stakes={"ante": 100})
    assert (seat.cards, seat.fourth, seat.raises, seat.folded, seat.abandoned) == (
        None,
        None,
        0,
        False,
        False,
    )
    options = Options()
    assert (options.progressive_unit, options.payout_limit, options.pair_bonus_card) == (100, None, "own")


@pytest.mark.parametrize(
    ("stake", "paid", "back", "net"),
    [
        (1000, 500, 1000, 500),
        (1000, 0, 0, -1000),
        (1000, 0, 1000, 0),
        (300, 7, 300, 7),
        (0, 2500, 0, 2500),
        (None, 500, 100, None),
        (100, None, 100, None),
        (100, 500, None, None),
    ],
)
def test_the_net_of_a_line_is_known_where_all_amounts_are(
    stake: int | None, paid: int | None, back: int | None, net: int | None
) -> None:
    assert Line(1, "ante", stake, "win", paid, back, None, "641a.11(g)").net == net
