"""x.10, x.11: people see what a machine gave where it lies, and a hand that was declared and is not so is found."""

from __future__ import annotations

import pytest

from sabot.hil.table.dealer_eyes import HandLooked
from sabot.hil.table.game import read_game
from sabot.hil.table.stacks import Stacks, places_of
from sabot.rules.cards import NAMES
from sabot.statemachine.labels import place_words
from tests.statemachine.shift import Shift
from tests.statemachine.tables import CHAPTERS

from .witness import untrue

# ---------------------------------------------------------------- what a machine gave lies there too


@pytest.mark.parametrize(
    ("chapter", "lines", "count", "places"),
    [
        ("pa683a", ("2 CARDS TO", "SEAT 1"), 2, "SEAT 1/SEAT 1"),
        ("pa641a", ("6 CARDS TO", "DEALER, BOTTOM UP"), 6, "DEALER/DEALER/DEALER/DEALER/DEALER/DEALER"),
        ("pa641a", ("5 CARDS TO DEALER UP", "4 TO RACK"), 5, "////DEALER"),
        ("pa641a", ("5 CARDS TO DEALER UP", "SIX CARD, 3 TO RACK"), 5, "///SIX CARD/DEALER"),
        ("pa679a", ("4 CARDS TO SEAT 1", "SEAT 1 FOURTH"), 4, "SEAT 1 FOURTH/SEAT 1/SEAT 1/SEAT 1"),
        ("pa679a", ("4 CARDS TO DEALER", "1 TO RACK"), 4, "/DEALER/DEALER/DEALER"),
        ("pa682a", ("5 CARDS TO DEALER", "4 TO RACK"), 5, "DEALER////"),
        ("pa682a", ("5 CARDS TO ALL SIX", "DEALER, 3 TO RACK"), 5, "ALL SIX/DEALER///"),
    ],
)
def test_x_10_a_stack_is_divided_as_the_law_has_it(
    chapter: str, lines: tuple[str, str], count: int, places: str
) -> None:
    assert places_of(read_game(chapter), lines, count) == places.split("/")


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_10_people_see_the_cards_of_a_machine_where_they_lie(chapter: str, method: str) -> None:
    shift, stacks, at = Shift(chapter, method=method), Stacks(), 0
    shift.open_table()
    required = {"aces_up": 500} if "aces_up" in shift.chapter.wagers else {}
    bonus = {name: 500 for name in ("six_card", "all_six", "pair_bonus") if name in shift.chapter.wagers}
    shift.bet(2, ante=1000, **required, **bonus)
    shift.bet(5, ante=1000)
    stacks.hear([[0, "display", "lines.0", "BETS OPEN", "showed"]])
    shift.lock()
    while "CARDS TO" in shift.prompt[0]:
        at += 1
        stacks.hear(
            [[at, "display", f"lines.{n}", f"{line:20}", "showed"] for n, line in enumerate(shift.prompt)]
        )
        out = shift.out
        shift.draw()
        gave = " ".join(NAMES[card] for card in shift.pack[out : shift.out])
        stacks.hear([[at + 0.5, "shoe", f"gave.{at}", gave, "showed"]])
    by_hand = {
        each.place
        for each in shift.table.state.play.current.plan
        if each.position > shift.table.state.play.current.drawn
    }
    lying = {
        (place_words(place), nth): NAMES[card]
        for place in shift.table.rooms.contest.laid.positions
        if place not in by_hand and place != "discard"
        for nth, card in enumerate(shift.truth(place), 1)
    }
    assert stacks.lying(read_game(chapter)) == lying
    stacks.hear([[at + 1, "display", "lines.0", "BETS OPEN", "showed"]])
    assert stacks.lying(read_game(chapter)) == {}


def test_641a_13a_a_card_of_a_stack_that_lay_face_up_is_gone_and_the_next_takes_its_place() -> None:
    stacks = Stacks()
    stacks.hear([[1, "display", "lines.0", "3 CARDS TO", ""], [1, "display", "lines.1", "SEAT 1", ""]])
    stacks.hear([[2, "shoe", "gave.0", "Ah Kh Qh", ""]])
    stacks.rack(2)
    stacks.rack(4)
    assert stacks.lying(read_game("pa641a")) == {("SEAT 1", 1): "Ah", ("SEAT 1", 3): "Qh"}
    stacks.hear([[3, "display", "lines.0", "1 CARDS TO", ""], [4, "shoe", "gave.1", "2c", ""]])
    assert stacks.lying(read_game("pa641a")) == {
        ("SEAT 1", 1): "Ah",
        ("SEAT 1", 2): "2c",
        ("SEAT 1", 3): "Qh",
    }


# ---------------------------------------------------------------- whoever declares what is not so is found

TRUE = HandLooked("S1 HAND", "PAIR", ("Ah", "Ad", "9c", "4c", "3h"))
RECORD = {"declared": {"seat1": {"hand": "pair"}}, "public": {"seat1": ["Ah", "Ad"]}}


@pytest.mark.parametrize(
    ("chapter", "look", "record", "told"),
    [
        ("pa641a", TRUE, RECORD, ""),
        ("pa641a", TRUE._replace(row="FLUSH"), {"declared": {}}, "is PAIR"),
        ("pa641a", TRUE._replace(row="NO PAIR OR BETTER"), {"declared": {}}, "is PAIR"),
        (
            "pa641a",
            TRUE._replace(cards=("Ah", "Kd", "9c", "4c", "3h")),
            {"declared": {}},
            "NO PAIR OR BETTER",
        ),
        (
            "pa679a",
            HandLooked("DEALER'S HAND", "TOO LOW", ("Qh", "3d", "9c")),
            {"declared": {}},
            "is NO PAIR",
        ),
        ("pa679a", HandLooked("DEALER'S HAND", "TOO LOW", ("Jh", "3d", "9c")), {"declared": {}}, ""),
        (
            "pa641a",
            TRUE,
            {"declared": {"seat2": {"hand": "pair"}}},
            "S2 HAND: PAIR: declared, and nobody looked",
        ),
        (
            "pa641a",
            TRUE,
            RECORD | {"public": {"seat1": ["Ah", "2s"]}},
            "2s Ah lay there and were not all seen",
        ),
    ],
)
def test_x_11c_a_hand_that_was_declared_and_is_not_so_is_named(
    chapter: str, look: HandLooked, record: dict[str, object], told: str
) -> None:
    wrong = untrue(chapter, [look], [record])
    assert bool(wrong) is bool(told)
    assert told in "".join(wrong)
