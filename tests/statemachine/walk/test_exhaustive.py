"""Every state of a reduced table, and from each a way to open bets or to a closed table.

``make walks`` walks the larger tables (``LARGE``), for minutes; ``-s`` prints how many states were found. The
numbers of a run stand in ``docs/testing.md``.
"""

from __future__ import annotations

import os

import pytest

from sabot.statemachine.state.setup import Knowledge

from .exhaustive import Graph, Walker
from .moves import Limits
from .setups import Way
from .watch import StepWatch

BROKEN = frozenset({"out_of_order", "covered", "in_service", "choose_method"})
SMALL = BROKEN | {"join_boxes", "count_stub", "relieved", "correct", "choose_lot"}
FAULTY = SMALL | {"face_up", "player_left", "void_round", "recut", "reshuffle", "nobody"}
UNDOING = SMALL | {"recut", "reshuffle", "nobody"}
MANUAL = ("manual_shoe", Knowledge.NONE)
HAND = ("hand", Knowledge.NONE)
STACKS = ("auto_shoe", Knowledge.COUNT_ONLY)

Walk = tuple[str, Way, Limits]
SHORT: list[Walk] = [
    ("one seat", Way("pa679a", *MANUAL), Limits(seats=1, left_out=SMALL)),
    ("one seat", Way("pa683a", *MANUAL), Limits(seats=1, left_out=SMALL)),
]
LARGE: list[Walk] = [
    ("one seat", Way("pa641a", *STACKS), Limits(seats=1, left_out=SMALL)),
    ("one seat", Way("md4cp", *HAND), Limits(seats=1, left_out=SMALL)),
    ("one seat", Way("pa682a", *HAND), Limits(seats=1, left_out=SMALL)),
    ("two seats", Way("pa679a", *MANUAL), Limits(left_out=SMALL)),
    ("one seat, entries taken back", Way("pa682a", *HAND), Limits(seats=1, undo=True, left_out=UNDOING)),
    ("one seat and a fault", Way("pa679a", *MANUAL), Limits(seats=1, faults=1, kinds=3, left_out=FAULTY)),
    ("two seats", Way("pa641a", *STACKS), Limits(left_out=SMALL)),
    ("two seats", Way("md4cp", *HAND), Limits(left_out=SMALL)),
    ("two seats", Way("pa682a", *HAND), Limits(left_out=SMALL)),
    ("two seats", Way("pa683a", *MANUAL), Limits(left_out=SMALL)),
    ("two seats, all actions", Way("pa641a", *STACKS), Limits(left_out=BROKEN)),
    ("two seats, all actions", Way("md4cp", *HAND), Limits(left_out=BROKEN)),
    ("two seats, all actions", Way("pa679a", *MANUAL), Limits(left_out=BROKEN)),
    ("two seats, all actions", Way("pa682a", *HAND), Limits(left_out=BROKEN)),
    ("two seats, all actions", Way("pa683a", *MANUAL), Limits(left_out=BROKEN)),
    ("a progressive wager", Way("pa641a", *STACKS), Limits(seats=1, optional=("prog4",), left_out=SMALL)),
    (
        "an account wager",
        Way("pa641a", *HAND),
        Limits(seats=1, optional=("hand_bonus_dealer",), left_out=SMALL),
    ),
    ("a progressive wager", Way("md4cp", *HAND), Limits(seats=1, optional=("progressive",), left_out=SMALL)),
    ("an optional wager", Way("pa679a", *MANUAL), Limits(seats=1, optional=("prime",), left_out=SMALL)),
    ("an optional wager", Way("pa682a", *HAND), Limits(seats=1, optional=("prime",), left_out=SMALL)),
    ("an optional wager", Way("pa683a", *MANUAL), Limits(seats=1, optional=("pocket",), left_out=SMALL)),
    ("chips lifted late", Way("pa682a", *HAND), Limits(seats=1, late=True, left_out=SMALL)),
    ("entries taken back", Way("pa682a", *HAND), Limits(seats=1, undo=True, left_out=BROKEN)),
    ("two decks", Way("pa679a", *MANUAL), Limits(seats=1, decks=2, left_out=SMALL)),
    (
        "two decks and a fault",
        Way("pa679a", *MANUAL),
        Limits(seats=1, decks=2, faults=1, kinds=2, left_out=FAULTY),
    ),
    (
        "hours pass, decks run out",
        Way("pa679a", *MANUAL),
        Limits(seats=1, hours=True, lots=True, left_out=SMALL),
    ),
    ("every fault", Way("pa679a", *MANUAL), Limits(seats=1, faults=1, left_out=SMALL)),
    ("every fault", Way("pa641a", *STACKS), Limits(seats=1, faults=1, left_out=FAULTY)),
    (
        "devices out of order",
        Way("pa679a", *MANUAL),
        Limits(seats=1, faults=1, kinds=0, left_out=FAULTY - BROKEN),
    ),
]
WALKS = LARGE if os.environ.get("SABOT_EXHAUSTIVE") else SHORT


def walked(name: str, way: Way, limits: Limits) -> Graph:
    graph = Walker(way, limits, StepWatch()).walk()
    print(f"{way}, {name}: {len(graph.states)} states, {graph.moves} moves")
    return graph


@pytest.mark.parametrize(("name", "way", "limits"), WALKS, ids=[f"{way}-{name}" for name, way, _ in WALKS])
def test_every_state_holds_and_has_a_way_home(name: str, way: Way, limits: Limits) -> None:
    graph = walked(name, way, limits)
    lost = graph.without_way_home()
    assert not lost, (len(lost), graph.path(lost[0]))
    assert len(graph.states) > 100


def test_a_graph_tells_which_states_have_no_way_home() -> None:
    graph = Graph()
    for state in range(4):
        graph.add(bytes([state]), (max(state - 1, 0), f"to {state}"))
    graph.home = [0]
    graph.into[0] = [1]
    graph.into[2] = [1]
    graph.into[3] = [2]
    assert graph.without_way_home() == [2, 3]
    assert graph.path(3) == ["to 1", "to 2", "to 3"]
