"""What no cards make together is not offered, and what some cards make always is.

Where two cards were not read, every two that they may be are tried here, and the rows that some of them make
are held against those that are offered.
"""

from __future__ import annotations

import random
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from sabot.rules import card_search
from sabot.rules.card_search import VIEWS, Felt, SaidWord, cells_of, may_all_be
from sabot.rules.hand_shapes import SUITED, Shape, holds, named_shape
from sabot.rules.rankings import LEVEL_SHIFT, PokerRanking
from sabot.rules.settlement.claims import Claim, Higher, named, rank_claim, row_claims
from sabot.rules.settlement.testimony import READ, SAID, Hearing
from tests.dealt import parse_all
from tests.statemachine.tables import CHAPTERS, law

from .test_testimony import BOARD, after, fours, house, places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sabot.rules.paytables import Column
    from sabot.rules.settlement.house import House

NOBODY: frozenset[int] = frozenset()
OWN, DEALER = frozenset({1, 2, 3}), frozenset({4, 5, 6})
POCKET, OTHERS = frozenset({1, 2}), frozenset({10, 11})


def rows(hearing: Hearing, column: Column, cards: frozenset[int]) -> set[str]:
    """The rows of a column that are left to some cards."""
    every = (*column.hits, "none")
    return {row for row in every if not hearing.against(row_claims(column, row, cards, NOBODY))}


def ranking(rules: House) -> PokerRanking:
    assert isinstance(rules.contest_ranking, PokerRanking)
    return rules.contest_ranking


# ---------------------------------------------------------------- two hands that are one together


def test_679a_11d3_a_straight_and_nothing_make_no_flush_of_six() -> None:
    """Of a straight that is no straight flush two are of a suit at most, of nothing too: that is four."""
    three, six = fours("pa679a"), house("pa679a").column("all_six")
    hearing = after(named(three, "straight", DEALER), named(three, "high", OWN))
    assert hearing.against(row_claims(six, "flush", OWN, DEALER)) == SAID
    assert rows(hearing, six, OWN | DEALER) == {"straight", "none"}


def test_679a_11d3_pairs_that_are_equal_are_four_of_a_rank() -> None:
    """Equal hands have the same ranks to the last card."""
    three, six = fours("pa679a"), house("pa679a").column("all_six")
    tie = [Claim(OWN | DEALER, higher=Higher(OWN, DEALER, three, 0))]
    pairs = named(three, "pair", OWN), named(three, "pair", DEALER)
    assert rows(after(*pairs, tie), six, OWN | DEALER) == {"four_of_a_kind"}
    assert rows(after(*pairs), six, OWN | DEALER) == {"four_of_a_kind", "full_house", "none"}


def test_679a_11d3_what_six_cards_are_decides_which_of_two_hands_is_higher() -> None:
    """The flushes that are a royal flush together have no rank in common: one is the higher."""
    three, six = fours("pa679a"), house("pa679a").column("all_six")
    flushes = named(three, "flush", OWN), named(three, "flush", DEALER)
    hearing = after(*flushes, row_claims(six, "royal_flush", OWN, DEALER))
    assert hearing.against([Claim(OWN | DEALER, higher=Higher(OWN, DEALER, three, 0))]) == SAID
    for sign in (1, -1):
        assert not hearing.against([Claim(OWN | DEALER, higher=Higher(OWN, DEALER, three, sign))])


# ---------------------------------------------------------------- two hands on one board


def test_683a_11h_a_pair_beside_trips_on_the_board_is_a_full_house() -> None:
    pocket, board, main = (house("pa683a").column(name) for name in ("pocket", "board", "main"))
    hearing = after(
        row_claims(pocket, "pair_2s_to_kings", POCKET, NOBODY),
        row_claims(board, "three_of_a_kind", BOARD, NOBODY),
    )
    assert rows(hearing, main, POCKET | BOARD) == {"full_house"}


@pytest.mark.parametrize("row", ["straight", "flush", "straight_flush", "royal_flush"])
def test_683a_11h_a_full_house_and_five_ranks_share_no_board(row: str) -> None:
    """A full house has a pair on the board, and neither a straight nor a flush has one."""
    main = house("pa683a").column("main")
    one, two = POCKET | BOARD, OTHERS | BOARD
    assert row not in rows(after(row_claims(main, "full_house", one, NOBODY)), main, two)
    assert "full_house" not in rows(after(row_claims(main, row, one, NOBODY)), main, two)


def test_683a_11h_a_pocket_and_a_neighbours_hand_decide_what_a_board_makes() -> None:
    """Seat 1's second pair is on the board, for its first is in the pocket: no five ranks for seat 2."""
    main, pocket = (house("pa683a").column(name) for name in ("main", "pocket"))
    hearing = after(
        row_claims(pocket, "pair_of_aces", POCKET, NOBODY),
        row_claims(main, "two_pair", POCKET | BOARD, NOBODY),
    )
    assert not rows(hearing, main, OTHERS | BOARD) & {"straight", "flush", "straight_flush", "royal_flush"}


# ---------------------------------------------------------------- the search itself


def test_x_11c_a_search_that_is_given_up_has_proven_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    quads, run = named_shape("four_of_a_kind", 5), named_shape("straight", 5)
    felt = Felt(((),), (5,), (SaidWord((0,), frozenset({quads}), frozenset()),), frozenset(range(52)))
    torn = felt._replace(words=(*felt.words, SaidWord((0,), frozenset({run}), frozenset())))
    assert may_all_be(felt)
    assert not may_all_be(torn)
    may_all_be.cache_clear()
    monkeypatch.setattr(card_search, "VIEWS", tuple(view._replace(most=1) for view in VIEWS))
    assert may_all_be(torn), "tried once"
    may_all_be.cache_clear()


def test_x_11c_cards_that_were_read_alone_can_rule_a_row_out() -> None:
    """Two cards are unread, and the seven of spades that makes all of one suit lies elsewhere."""
    cards = dict(enumerate(parse_all("2s 3s 4s"), 1)) | {9: parse_all("As")[0]}
    flush, suited = Shape(5, (), SUITED), named_shape("straight_flush", 5)
    hand = frozenset({1, 2, 3, 7, 8})
    wheel_or_six = Claim(hand, frozenset({flush, suited}), frozenset({Shape(1, ((6,),))}))
    assert Hearing(cards).against([wheel_or_six]) == READ
    assert not Hearing({at: card for at, card in cards.items() if at != 9}).against([wheel_or_six])


def test_x_11c_a_card_that_is_one_of_a_few_is_no_other() -> None:
    """A seventh card that is said to be a queen or a king is no nine, and an eighth may be."""
    few = Claim(frozenset({7}), among=frozenset(parse_all("Qs Kd")))
    hearing = after([few])
    assert hearing.against([rank_claim(frozenset({7}), 9, is_there=True)]) == SAID
    assert not hearing.against([rank_claim(frozenset({7}), 12, is_there=True)])
    assert not hearing.against([rank_claim(frozenset({8}), 9, is_there=True)])


def test_x_11c_positions_that_lie_in_the_same_hands_are_one_cell() -> None:
    assert cells_of([OWN, OWN | DEALER, BOARD]) == [OWN, DEALER, BOARD]
    assert cells_of([]) == []


# ---------------------------------------------------------------- told truly, in any order

Words = list[tuple[str, dict[str, list[Claim]], str]]


def words_of(chapter: str, cards: Mapping[int, int]) -> Words:
    """All that may be said of three hands: whose, what each row claims, and the row that is true."""
    where, _ = places(chapter)
    against_dealer = law(chapter).contest.against_dealer
    found = [word for seat in (1, 2, 3) for word in _of_seat(chapter, where, seat, cards)]
    return [*found, *(_classes(chapter, where["dealer"], cards) for _ in range(against_dealer))]


def _of_seat(
    chapter: str, where: dict[str, frozenset[int]], seat: int, cards: Mapping[int, int]
) -> Iterator[tuple[str, dict[str, list[Claim]], str]]:
    rules, own = house(chapter), where[f"seat{seat}"]
    for wager in law(chapter).wagers.values():
        if wager.settles and wager.settles.cards[0] == "own":
            column = rules.column(wager.settles.paytable)
            others = frozenset[int]().union(*(where[name] for name in wager.settles.cards[1:]))
            hit = column.find(column.ranking.score(lying(cards, own) + lying(cards, others)))
            claims = {row: row_claims(column, row, own, others) for row in (*column.hits, "none")}
            yield wager.name, claims, hit.row if hit else "none"
    if law(chapter).contest.against_dealer:
        yield _classes(chapter, own, cards)
        yield from _margin(rules, own, where["dealer"], cards)


def _classes(
    chapter: str, hand: frozenset[int], cards: Mapping[int, int]
) -> tuple[str, dict[str, list[Claim]], str]:
    contest = ranking(house(chapter))
    claims = {name: named(contest, name, hand) for name in (*contest.order.names, "high")}
    return "class", claims, contest.name(contest.score(lying(cards, hand)))


def _margin(
    rules: House, own: frozenset[int], dealer: frozenset[int], cards: Mapping[int, int]
) -> Iterator[tuple[str, dict[str, list[Claim]], str]]:
    mine, theirs = lying(cards, own), lying(cards, dealer)
    if ranking(rules).score(mine) >> LEVEL_SHIFT == ranking(rules).score(theirs) >> LEVEL_SHIFT:
        margin = rules.compare(mine, theirs)
        claims = {
            str(sign): [Claim(own | dealer, higher=Higher(own, dealer, rules.deciding_ranking, sign))]
            for sign in (1, 0, -1)
        }
        yield "higher", claims, str((margin > 0) - (margin < 0))


def lying(cards: Mapping[int, int], where: frozenset[int]) -> list[int]:
    return [cards[at] for at in sorted(where)]


def a_deal(chance: random.Random, nth: int) -> dict[int, int]:
    """Forty-five cards; of some deals those of a rank lie together, of others those of a suit."""
    deck = chance.sample(range(52), 52)
    near = chance.choice((1, 2, 4))
    if nth % 3 == 0:
        deck.sort(key=lambda card: (card >> 2) // near)
    elif nth % 3 == 1:
        deck.sort(key=lambda card: card & 3)
    return dict(enumerate(deck[:45], 1))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_11c_true_words_of_hands_that_share_cards_are_never_left_out(chapter: str) -> None:
    chance = random.Random(f"true words {chapter}")
    for nth in range(30):
        cards, rate = a_deal(chance, nth), chance.choice((0.0, 0.3, 0.6, 0.9))
        hearing = Hearing({at: card for at, card in cards.items() if chance.random() < rate})
        words = words_of(chapter, cards)
        chance.shuffle(words)
        for whose, claims, row in words:
            assert not hearing.against(claims[row]), (nth, whose, row)
            hearing.take(claims[row])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_11c_of_two_unread_cards_just_what_they_can_be_is_offered(chapter: str) -> None:
    """Every two cards that they may be, after every word so far."""
    chance = random.Random(f"two unread {chapter}")
    for nth in range(4):
        cards = a_deal(chance, nth)
        where, _ = places(chapter)
        first, shared = sorted(where["seat1"]), sorted(where.get("dealer", where.get("community", BOARD)))
        two_seats = [chance.choice(first), chance.choice(sorted(where["seat2"]))]
        unread = two_seats if nth % 2 else chance.sample([*first, *shared], 2)
        hearing = Hearing({at: card for at, card in cards.items() if at not in unread})
        left = [dict(zip(unread, pair, strict=True)) for pair in permutations(sorted(hearing.pool), 2)]
        for whose, claims, row in words_of(chapter, cards):
            made = {each: [pair for pair in left if _makes(cards | pair, claims[each])] for each in claims}
            offered = {each for each in claims if not hearing.against(claims[each])}
            assert offered == {each for each in made if made[each]}, (nth, whose)
            hearing.take(claims[row])
            left = made[row]


def _makes(cards: dict[int, int], claims: list[Claim]) -> bool:
    return all(_is_true(cards, claim) for claim in claims)


def _is_true(cards: dict[int, int], claim: Claim) -> bool:
    lie, said = lying(cards, claim.cards), claim.higher
    if said:
        own, other = (said.ranking.score(lying(cards, hand)) for hand in (said.own, said.other))
        return (own > other) - (own < other) == said.sign
    return all(holds(shape, lie) for shape in claim.has) and not any(
        holds(shape, lie) for shape in claim.lacks
    )
