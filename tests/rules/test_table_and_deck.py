"""x.2 to x.5 and x.13(g), the same in all chapters but for where they stand: seats, decks, shuffle, cut, stub.

`WHERE` gives each paragraph its place in the Maryland document; in the Pennsylvania chapters the place is the
number of the chapter and the paragraph in the test's name.
"""

from __future__ import annotations

import pytest

from sabot.rules.chapter import Rule

from .table_talk import ALL, law

NUMBER = {"pa641a": "641a", "pa679a": "679a", "pa682a": "682a", "pa683a": "683a"}
MARYLAND = {
    "2(a)": "ch.2.A(1)",
    "3(a)": "ch.3.A",
    "3(b)": "ch.3.B",
    "3(c)": "ch.3.C",
    "5(b)": "ch.5.B",
    "5(d)": "ch.5.D",
    "5(g)": "ch.5.G-H",
    "9(a)(1)": "ch.9.A(1)",
    "13(g)": "ch.13.H",
}
# The stub's paragraphs carry other letters from chapter to chapter.
STUB_CITES = {
    "pa641a": "641a.8(f), 641a.9(d), 641a.10(d)",
    "md4cp": "ch.8.G, 9.C, 10.D",
    "pa679a": "679a.8(e), 679a.9(d), 679a.10(d)",
    "pa682a": "682a.8(e), 682a.9(d), 682a.10(d)",
    "pa683a": "683a.8(e), 683a.9(d), 683a.10(d)",
}
SEATS = {"pa641a": 7, "md4cp": 7, "pa679a": 6, "pa682a": 6, "pa683a": 6}
TITLES = {
    "pa641a": ("Four Card Poker", "641a"),
    "md4cp": ("Four Card Poker", "MLGCA"),
    "pa679a": ("Three Card Prime", "679a"),
    "pa682a": ("Four Card Prime", "682a"),
    "pa683a": ("Cajun Stud", "683a"),
}

every_chapter = pytest.mark.parametrize("chapter", ALL)


def where(chapter: str, paragraph: str) -> str:
    return MARYLAND[paragraph] if chapter == "md4cp" else f"{NUMBER[chapter]}.{paragraph}"


def rule(chapter: str, name: str) -> Rule:
    return law(chapter).deck.rules[name]


@every_chapter
def test_x_1_the_game_and_its_number(chapter: str) -> None:
    assert (law(chapter).id, law(chapter).game, law(chapter).cite) == (chapter, *TITLES[chapter])


@every_chapter
def test_x_2a_betting_positions(chapter: str) -> None:
    assert law(chapter).seats == SEATS[chapter]
    assert law(chapter).seats_cite == where(chapter, "2(a)")


@every_chapter
def test_x_3a_one_deck_of_52_cards(chapter: str) -> None:
    deck = law(chapter).deck
    assert (deck.pack, deck.decks) == (52, 1)
    assert rule(chapter, "cards") == Rule(where(chapter, "3(a)"))


@every_chapter
def test_x_3b_two_decks_with_a_shuffler(chapter: str) -> None:
    assert law(chapter).deck.decks_with_shuffler == 2
    assert rule(chapter, "two_decks") == Rule(where(chapter, "3(b)"))


@every_chapter
def test_x_3c_decks_are_changed_after_four_hours_in_the_hand_and_eight_in_a_shoe(chapter: str) -> None:
    assert law(chapter).deck.change_hours == {"hand": 4, "shoe": 8}
    assert rule(chapter, "change") == Rule(where(chapter, "3(c)"))


@every_chapter
def test_x_5b_a_shuffler_that_does_not_count_52_costs_the_deck_its_place(chapter: str) -> None:
    assert rule(chapter, "wrong_count") == Rule(where(chapter, "5(b)"))


@every_chapter
def test_x_5d_the_cover_card_goes_at_least_ten_cards_in(chapter: str) -> None:
    assert law(chapter).deck.cut_least_from_top == 10
    assert rule(chapter, "cut") == Rule(where(chapter, "5(d)"))


@every_chapter
def test_x_5g_a_reshuffling_device_needs_no_cut_and_no_spread(chapter: str) -> None:
    assert rule(chapter, "reshuffler_exempt") == Rule(where(chapter, "5(g)"), ("cut", "recut", "idle"))


@every_chapter
def test_x_8_9_10_the_stub_is_counted_every_5_rounds(chapter: str) -> None:
    assert law(chapter).deck.stub_count_every_rounds == 5
    assert rule(chapter, "stub") == Rule(STUB_CITES[chapter])


@every_chapter
def test_x_3_to_x_5_nothing_else_is_said_of_the_deck(chapter: str) -> None:
    told = {"cards", "two_decks", "change", "wrong_count", "reshuffler_exempt", "cut", "stub"}
    assert set(law(chapter).deck.rules) == told


@every_chapter
def test_x_9a1_dealing_from_the_hand_needs_a_shuffler(chapter: str) -> None:
    needs = {method: plan.needs_shuffler for method, plan in law(chapter).plans.items()}
    assert needs == {
        "manual_shoe": "",
        "hand": where(chapter, "9(a)(1)"),
        "auto_shoe": "",
        "auto_shoe_reshuffle": "",
    }


@every_chapter
def test_x_13g_a_device_out_of_order_is_covered_or_signed_first(chapter: str) -> None:
    assert law(chapter).out_of_order == Rule(where(chapter, "13(g)"))
