"""x.6(a): the cards, their ranks, and how they are written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.rules import cards
from sabot.rules.cards import CardError, parse
from tests.dealt import parse_all

from .table_talk import ALL, law, poker

HIGHEST_FIRST = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]
# The contest's ranking, or the one whose hands are made of the fewest cards.
LADDERS = {
    "pa641a": "four_card",
    "md4cp": "four_card",
    "pa679a": "three_card",
    "pa682a": "four_card",
    "pa683a": "five_card",
}


def test_x_6a_52_cards_of_13_ranks_and_4_suits() -> None:
    assert len(set(cards.NAMES)) == cards.PACK_SIZE == 52
    assert {name[0] for name in cards.NAMES} == set(HIGHEST_FIRST)
    assert {name[1] for name in cards.NAMES} == set("cdhs")


def test_x_6a_ranks_from_the_ace_down_to_the_2() -> None:
    numbers = [parse(rank + "s") >> 2 for rank in HIGHEST_FIRST]
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.parametrize("chapter", ALL)
def test_x_6a_a_higher_card_makes_the_higher_hand(chapter: str) -> None:
    ranking = poker(chapter, LADDERS[chapter])
    rest = {3: "5d 3h", 4: "5d 3h 2d", 5: "6d 4h 3d 2h"}[ranking.order.size]
    ladder = [ranking.score(parse_all(f"{rank}s {rest}")) for rank in HIGHEST_FIRST[:7]]
    assert ladder == sorted(set(ladder), reverse=True)


@pytest.mark.parametrize("chapter", ALL)
@given(deal=st.permutations(range(52)), swap=st.permutations(range(4)))
def test_x_6a_all_suits_are_equal(chapter: str, deal: list[int], swap: list[int]) -> None:
    """Hands keep their rank when all suits change places (a six-card royal's suit has rows of its own)."""
    for spec in law(chapter).rankings.values():
        if spec.kind == "color":
            continue
        ranking = poker(chapter, spec.name)
        hand = (
            deal[:6] if "six_card_royal" in spec.order else deal[: max(spec.size, 5 if spec.size > 3 else 0)]
        )
        other = [card >> 2 << 2 | swap[card & 3] for card in hand]
        assert ranking.name(ranking.score(hand)) == ranking.name(ranking.score(other))
        if ranking.name(ranking.score(hand)) != "six_card_royal":
            assert ranking.score(hand) == ranking.score(other)


@pytest.mark.parametrize("name", cards.NAMES)
def test_a_card_is_read_as_it_is_written(name: str) -> None:
    assert cards.NAMES[parse(name)] == name


@pytest.mark.parametrize("suit", "cdhs")
def test_a_ten_may_be_written_in_two_ways(suit: str) -> None:
    assert parse(f"10{suit}") == parse(f"T{suit}")


@pytest.mark.parametrize("text", ["", "1s", "11h", "Ax", "as", "AS", "joker", "sA", "10", "T", "As ", "10S"])
def test_what_is_no_card_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse(text, "dealer[2]")
    assert str(caught.value).startswith(f"E-CARD-001 dealer[2]: {text!r} is not a card. ")
    assert "Write it as in As, Td or 10d." in str(caught.value)


def test_several_cards_at_once() -> None:
    assert parse_all("As 10h 2c") == (parse("As"), parse("Th"), parse("2c"))
    assert cards.show(parse_all("As 10h 2c")) == "As Th 2c"


def test_cards_for_people() -> None:
    assert cards.pictures(parse_all("As 10h Td 2c")) == "A♠ 10♥ 10♦ 2♣"


@pytest.mark.parametrize(
    ("rank", "value"), [("2", 2), ("9", 9), ("10", 10), ("J", 11), ("Q", 12), ("K", 13), ("A", 14)]
)
def test_ranks_of_a_chapter_file(rank: str, value: int) -> None:
    assert cards.rank_value(rank) == value


def test_red_and_black() -> None:
    assert [cards.RED[parse(f"7{suit}")] for suit in "cdhs"] == [False, True, True, False]
