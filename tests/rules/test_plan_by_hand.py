"""What an automated shoe does not give: the dealer takes the rest out of it and deals by hand."""

from __future__ import annotations

import pytest

from sabot.rules.plan import COMMUNITY, Bets, plan

from .table_talk import law

EVERYTHING = Bets(frozenset({"six_card", "all_six"}), frozenset({1, 4}))
ONE_CARD = Bets(bonus_seats=frozenset({1, 4}), bonus_card=COMMUNITY)


def by_hand(chapter: str, method: str, bets: Bets) -> list[str]:
    """The places of the cards that no stack brings, in the order dealt."""
    return [each.place for each in plan(law(chapter), method, (1, 4), bets) if not each.stack]


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_683a_10c_all_six_and_community_cards_are_dealt_by_hand(method: str) -> None:
    assert by_hand("pa683a", method, EVERYTHING) == ["all_six"] * 4 + ["community"] * 3


def test_679a_10c_fourth_cards_are_dealt_by_hand_from_the_stub() -> None:
    assert by_hand("pa679a", "auto_shoe", EVERYTHING) == ["seat1:fourth", "seat4:fourth"]


def test_679a_10g_a_reshuffling_shoe_gives_the_fourth_cards_in_its_stacks() -> None:
    assert by_hand("pa679a", "auto_shoe_reshuffle", EVERYTHING) == []


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_679a_10h_the_community_card_is_dealt_by_hand(method: str) -> None:
    assert by_hand("pa679a", method, ONE_CARD) == ["pair_bonus_card"]


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp", "pa682a"])
@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_x_10_the_other_chapters_have_every_card_out_of_the_shoe(chapter: str, method: str) -> None:
    assert by_hand(chapter, method, EVERYTHING) == []
