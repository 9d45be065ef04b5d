"""What was said is held against the cards, the ranking and the deck: truth is never refused, a lie mostly is.

Random rounds are told truthfully, word by word: no true word may ever be left out. Then one word of each is
changed to what the cards are not.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from sabot.rules.rankings import PokerRanking
from sabot.rules.settlement.claims import (
    Claim,
    card_claim,
    may_tie,
    named,
    qualifying,
    rank_claim,
    row_claims,
)
from sabot.rules.settlement.house import House
from sabot.rules.settlement.testimony import DECK, READ, SAID, Hearing
from tests.dealt import parse_all
from tests.statemachine.tables import CHAPTERS, law, options

if TYPE_CHECKING:
    from sabot.rules.paytables import Column

OWN, SIXTH, OTHER, BOARD = (
    frozenset(range(1, 6)),
    frozenset({6}),
    frozenset(range(10, 15)),
    frozenset({7, 8, 9}),
)


def house(chapter: str) -> House:
    return House(law(chapter), options(chapter))


def fours(chapter: str = "pa641a") -> PokerRanking:
    ranking = house(chapter).contest_ranking
    assert isinstance(ranking, PokerRanking)
    return ranking


def after(*claims: list[Claim], read: str = "") -> Hearing:
    testimony = Hearing(dict(enumerate(parse_all(read), 20)))
    for claim in claims:
        assert not testimony.against(claim)
        testimony.take(claim)
    return testimony


@pytest.mark.parametrize(
    ("hand", "rows"),
    [
        ("high", {"none"}),
        ("pair", {"none"}),
        ("two_pair", {"none"}),
        ("straight", {"none", "straight"}),
        ("flush", {"none", "straight", "flush"}),
        ("three_of_a_kind", {"three_of_a_kind", "full_house"}),
        ("straight_flush", {"none", "straight", "flush", "straight_flush", "royal_flush"}),
        ("four_of_a_kind", {"four_of_a_kind"}),
    ],
)
def test_641a_6_the_five_card_hands_that_go_with_a_four_card_hand(hand: str, rows: set[str]) -> None:
    """641a.6(b) and (d) of the same five cards: only these can be."""
    column, testimony = house("pa641a").column("prog5"), after(named(fours(), hand, OWN))
    can_be = {
        row for row in (*column.hits, "none") if not testimony.against(row_claims(column, row, OWN, OWN))
    }
    assert can_be == rows


def test_641a_6_one_deck_has_four_aces() -> None:
    column = house("pa641a").column("prog4")
    aces, quads = (row_claims(column, row, OTHER, OTHER) for row in ("four_aces", "four_of_a_kind"))
    testimony = after(row_claims(column, "four_aces", OWN, OWN))
    assert testimony.against(aces) == DECK
    assert not testimony.against(quads)
    up = house("pa641a").column("aces_up")
    assert testimony.against(row_claims(up, "pair_of_aces", OTHER, OTHER)) == DECK


def test_641a_6_a_royal_needs_an_ace_that_is_left() -> None:
    column = house("pa641a").column("prog5")
    royal = row_claims(column, "royal_flush", OWN, OWN)
    assert after(read="As Ah Ad Ac").against(royal) == READ
    assert (
        after(row_claims(house("pa641a").column("prog4"), "four_aces", OTHER, OTHER)).against(royal) == DECK
    )
    assert not after(read="As Ah Ad").against(royal)


def test_641a_6_which_aces_a_pair_has_nobody_said() -> None:
    """With the kings of hearts and spades read, a royal flush wants an ace of clubs or diamonds: it is there."""
    aces = row_claims(house("pa641a").column("aces_up"), "pair_of_aces", OWN, OWN)
    royal = row_claims(house("pa641a").column("prog5"), "royal_flush", OTHER, OTHER)
    assert not after(aces, read="Kh Ks").against(royal)
    assert after(aces, read="Kh Ks Ac Ad").against(royal) == READ
    assert after(aces, read="Ah Ad").against(royal) == DECK


def test_683a_6_a_hand_with_a_pair_is_no_lo_ball() -> None:
    main, low = house("pa683a").column("main"), house("pa683a").column("lo_ball")
    seven = row_claims(low, "high_7", OWN, OWN)
    assert after(row_claims(main, "royal_flush", OWN, OWN)).against(seven) == SAID
    assert not after(row_claims(main, "none", OWN, OWN)).against(seven)
    pocket = row_claims(house("pa683a").column("pocket"), "ace_face_unsuited", frozenset({1, 2}), OWN - OWN)
    assert after(pocket).against(seven) == SAID


def test_683a_6_a_board_is_part_of_each_hand() -> None:
    board, main = house("pa683a").column("board"), house("pa683a").column("main")
    testimony = after(row_claims(board, "three_of_a_kind", BOARD, BOARD))
    hand = frozenset({1, 2}) | BOARD
    assert testimony.against(row_claims(main, "two_pair", hand, hand)) == SAID
    assert testimony.against(row_claims(main, "flush", hand, hand)) == SAID
    assert not testimony.against(row_claims(main, "full_house", hand, hand))


def test_679a_12d_trips_are_of_two_colors_and_a_flush_is_of_one() -> None:
    prime, three = house("pa679a").column("prime"), fours("pa679a")
    own, dealer = frozenset({1, 2, 3}), frozenset({4, 5, 6})
    trips, flush = after(named(three, "three_of_a_kind", own)), after(named(three, "flush", own))
    assert trips.against(row_claims(prime, "same_color_player", own, dealer)) == SAID
    assert flush.against(row_claims(prime, "none", own, dealer)) == SAID
    both = row_claims(prime, "same_color_player_dealer", own, dealer)
    assert not flush.against(both)
    assert after(named(three, "flush", own), named(three, "three_of_a_kind", dealer)).against(both) == SAID


def test_679a_1_a_dealer_with_a_queen_that_was_read_is_not_too_low() -> None:
    testimony = Hearing({1: parse_all("Qs")[0]})
    assert testimony.against([qualifying(frozenset({1, 2, 3}), 12, qualifies=False)]) == READ
    assert not testimony.against([qualifying(frozenset({1, 2, 3}), 12, qualifies=True)])


SIX = {
    "pa641a": "six_card",
    "md4cp": "six_card",
    "pa679a": "all_six",
    "pa682a": "all_six",
    "pa683a": "all_six",
}


@pytest.mark.parametrize(
    ("chapter", "letter"),
    [(chapter, letter) for chapter, wager in SIX.items() for letter in law(chapter).paytables[wager].letters],
)
def test_x_12_six_cards_of_which_five_hold_trips_are_a_winning_hand(chapter: str, letter: str) -> None:
    """Whether the letter has a row for the six-card royal or pays it as a royal flush (reading R7)."""
    rules = House(law(chapter), options(chapter, {SIX[chapter]: letter}))
    six, five = rules.column(SIX[chapter]), house("pa641a").column("prog5")
    hearing = after(row_claims(five, "three_of_a_kind", OWN, OWN))
    rows = {row for row in (*six.hits, "none") if not hearing.against(row_claims(six, row, OWN, SIXTH))}
    assert rows == {"three_of_a_kind", "full_house", "four_of_a_kind"}


def test_641a_12h_two_pair_and_a_sixth_card_are_no_trips() -> None:
    six = house("pa641a").column("six_card")
    hearing = after(named(fours(), "two_pair", OWN))
    assert hearing.against(row_claims(six, "three_of_a_kind", OWN, SIXTH)) == SAID
    assert not hearing.against(row_claims(six, "full_house", OWN, SIXTH))


def test_679a_11d3_two_hands_without_a_pair_make_no_trips_and_no_flush_of_six() -> None:
    three, six = fours("pa679a"), house("pa679a").column("all_six")
    own, dealer = frozenset({1, 2, 3}), frozenset({4, 5, 6})
    hearing = after(named(three, "high", own), named(three, "high", dealer))
    rows = {row for row in (*six.hits, "none") if not hearing.against(row_claims(six, row, own, dealer))}
    assert rows == {"straight", "none"}


def test_679a_11d3_a_pair_and_a_pair_make_no_trips_alone() -> None:
    """A third card of either rank leaves the other pair: that is a full house."""
    three, six = fours("pa679a"), house("pa679a").column("all_six")
    own, dealer = frozenset({1, 2, 3}), frozenset({4, 5, 6})
    hearing = after(named(three, "pair", own), named(three, "pair", dealer))
    rows = {row for row in (*six.hits, "none") if not hearing.against(row_claims(six, row, own, dealer))}
    assert rows == {"four_of_a_kind", "full_house", "none"}


def test_683a_11h_what_pocket_and_board_are_decides_what_their_five_cards_can_be() -> None:
    main, pocket, board = (house("pa683a").column(name) for name in ("main", "pocket", "board"))
    two, hand = frozenset({1, 2}), frozenset({1, 2}) | BOARD

    def rows(in_pocket: str, on_board: str) -> set[str]:
        hearing = after(
            row_claims(pocket, in_pocket, two, frozenset()), row_claims(board, on_board, BOARD, frozenset())
        )
        return {
            row
            for row in (*main.hits, "none")
            if not hearing.against(row_claims(main, row, hand, frozenset()))
        }

    assert not rows("none", "mini_royal") & {"pair_6s_to_10s", "three_of_a_kind", "full_house"}
    assert rows("pair_2s_to_kings", "pair") == {"four_of_a_kind", "full_house", "two_pair"}
    assert not rows("none", "none") & {"three_of_a_kind", "full_house", "four_of_a_kind"}


@pytest.mark.parametrize(
    ("row", "never"),
    [
        ("royal_flush", {"royal_flush", "four_of_a_kind"}),
        ("four_of_a_kind", {"royal_flush", "four_of_a_kind", "straight_flush"}),
        ("straight_flush", {"four_of_a_kind"}),
    ],
)
def test_683a_11h_two_hands_on_one_board_share_its_cards(row: str, never: set[str]) -> None:
    """Three cards of a royal on the board leave two for one player; quads take two of it, or all three."""
    main = house("pa683a").column("main")
    one, two = frozenset({1, 2}) | BOARD, frozenset({10, 11}) | BOARD
    hearing = after(row_claims(main, row, one, frozenset()))
    can_be = {row for row in main.hits if not hearing.against(row_claims(main, row, two, frozenset()))}
    assert main.hits.keys() - can_be >= never
    assert can_be >= {"three_of_a_kind", "two_pair", "pair_6s_to_10s"} - never
    assert ("straight_flush" in can_be) is (row != "four_of_a_kind")


def test_md_12h_a_super_royal_is_one_players() -> None:
    """The sixth card is everybody's, and one suit has six such cards."""
    six = house("md4cp").column("six_card")
    hearing = after(row_claims(six, "super_royal_other", OWN, SIXTH))
    for row in ("super_royal_other", "super_royal_diamonds"):
        assert hearing.against(row_claims(six, row, OTHER, SIXTH)) == SAID
    assert not hearing.against(row_claims(six, "royal_flush", OTHER, SIXTH))


def test_x_6_cards_that_were_read_rule_out_what_they_cannot_be() -> None:
    testimony = Hearing(dict(enumerate(parse_all("Qh Jh 4h 2c"), 1)))
    ranking = fours()
    can_be = {
        name for name in (*ranking.order.names, "high") if not testimony.against(named(ranking, name, OWN))
    }
    assert can_be == {"flush", "pair", "high"}
    assert testimony.against(named(ranking, "two_pair", OWN)) == READ
    assert testimony.cards(OWN) == list(parse_all("Qh Jh 4h 2c"))


def test_641a_11c_the_one_card_that_was_not_read_is_one_of_those_it_may_be() -> None:
    read, (king, ace) = dict(enumerate(parse_all("Kh Kd Kc"), 1)), parse_all("Ks As")
    four = named(fours(), "four_of_a_kind", frozenset({1, 2, 3, 4}))
    for may_be, why in ((king, ""), (ace, READ)):
        hearing = Hearing(read, frozenset({1, 2, 3, 4}))
        assert hearing.against([Claim(frozenset({4}), among=frozenset({may_be})), *four]) == why


def test_641a_12g3_a_card_of_the_deck_is_in_one_hand() -> None:
    magic = parse_all("9h")[0]
    testimony = after([card_claim(magic, OWN, is_there=True)], read="9c")
    assert testimony.against([rank_claim(OTHER, 9, is_there=True)]) == ""
    assert (
        after([rank_claim(OWN, 9, is_there=True), rank_claim(OTHER, 9, is_there=True)], read="9c 9d").against(
            [rank_claim(BOARD, 9, is_there=True)]
        )
        == DECK
    )


def test_641a_6c_hands_with_three_of_a_rank_never_tie() -> None:
    ranking = fours()
    levels = {name: may_tie(ranking, ranking.level_of(name) or 0) for name in (*ranking.order.names, "high")}
    assert [name for name, can in levels.items() if not can] == ["four_of_a_kind", "three_of_a_kind"]
    beside_one = {name for name in levels if may_tie(ranking, ranking.level_of(name) or 0, 1)}
    assert beside_one == {"straight_flush", "flush", "straight", "high"}, "a third pair of a rank is none"
    assert not may_tie(ranking, 0, 3), "four hands have all cards of their ranks"


def places(chapter: str) -> tuple[dict[str, frozenset[int]], dict[int, int]]:
    """Three hands and what lies beside them."""
    sizes, at, where = law(chapter).hands.places, 1, {}
    for place in ("seat1", "seat2", "seat3", *(name for name in sizes if name != "player")):
        count = sizes["player" if place.startswith("seat") else place]
        where[place] = frozenset(range(at, at + count))
        at += count
    return where, {}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_11c_a_true_word_is_never_left_out(chapter: str) -> None:
    """Whatever was read, and whatever was said before of the same cards and others, in any order."""
    rng, rules = random.Random(7), house(chapter)
    where, _ = places(chapter)
    for nth in range(150):
        deck = rng.sample(range(52), 45)
        if nth % 3 == 0:
            deck = sorted(rng.sample(range(52), 52), key=lambda card: (card >> 2) // rng.choice((2, 3, 5)))[
                :45
            ]
            rng.shuffle(deck[:20])
        cards = dict(enumerate(deck, 1))
        read = {at: card for at, card in cards.items() if rng.random() < rng.choice((0.0, 0.3, 0.9))}
        testimony = Hearing(read)
        words = [
            (column, where[f"seat{seat}"], _beside(where, wager.settles.cards))
            for seat in (1, 2, 3)
            for wager in law(chapter).wagers.values()
            if wager.settles and wager.settles.cards[0] == "own"
            for column in [rules.column(wager.settles.paytable)]
        ]
        rng.shuffle(words)
        for column, own, others in words:
            claims = row_claims(column, _true_row(column, cards, own, others), own, others)
            assert not testimony.against(claims), (chapter, nth, column.name)
            testimony.take(claims)


def _beside(where: dict[str, frozenset[int]], names: tuple[str, ...]) -> frozenset[int]:
    return frozenset[int]().union(*(where[name] for name in names[1:]))


def _true_row(column: Column, cards: dict[int, int], own: frozenset[int], others: frozenset[int]) -> str:
    lying = [cards[at] for at in sorted(own)] + [cards[at] for at in sorted(others)]
    hit = column.find(column.ranking.score(lying))
    return hit.row if hit else "none"


def test_679a_12b_a_row_of_any_hand_claims_nothing() -> None:
    play = house("pa679a").column("play")
    (claim,) = row_claims(play, "flush_or_lower", OWN, OWN)
    assert (claim.has, len(claim.lacks)) == (frozenset(), 4)
