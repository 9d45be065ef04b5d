"""One deck for hands that have no card in common: what it has no cards for is not offered, and a true word always is."""

from __future__ import annotations

import random
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from sabot.rules import disjoint_hands
from sabot.rules.disjoint_hands import mask_of, may_all_lie, options_of
from sabot.rules.hand_shapes import COLORED, SUITED, Shape, named_shape
from sabot.rules.settlement.claims import named
from sabot.rules.settlement.testimony import DECK, Hearing
from tests.dealt import parse_all
from tests.statemachine.tables import CHAPTERS, law

from .test_assigning import a_deal, lying, ranking
from .test_testimony import fours, house, places

if TYPE_CHECKING:
    from sabot.rules.rankings import PokerRanking

PACK = frozenset(range(52))


def hand(nth: int, size: int = 5) -> frozenset[int]:
    """The positions of a hand."""
    return frozenset(range(size * nth, size * nth + size))


def hearing(*names: str, read: str = "", order: PokerRanking) -> Hearing:
    """The first hands were named; some cards lie at places that nobody has."""
    heard = Hearing(dict(enumerate(parse_all(read), 500)))
    for nth, name in enumerate(names):
        heard.take(named(order, name, hand(nth)))
    return heard


def five() -> PokerRanking:
    column = house("pa641a").column("prog5")
    return column.ranking  # type: ignore[return-value]


def test_641a_6_there_are_as_many_royal_flushes_as_whole_suits() -> None:
    """There are three kings and three queens yet, but two suits alone have all five."""
    royal = named(five(), "royal_flush", hand(2))
    assert not hearing("royal_flush", read="Kh Qs", order=five()).against(royal)
    assert hearing("royal_flush", "royal_flush", read="Kh Qs", order=five()).against(royal) == DECK


def test_641a_6_there_are_as_many_four_of_a_kind_as_whole_ranks() -> None:
    read = "2s 3s 4s 5s 6s 7s Ts Js Qs Ks As"
    quads = named(fours("pa641a"), "four_of_a_kind", hand(2))
    assert not hearing("four_of_a_kind", read=read, order=fours("pa641a")).against(quads)
    said = hearing("four_of_a_kind", "four_of_a_kind", read=read, order=fours("pa641a"))
    assert said.against(quads) == DECK
    assert not said.against(named(fours("pa641a"), "three_of_a_kind", hand(2)))


def test_641a_6_a_card_makes_one_of_two_straight_flushes() -> None:
    """Each hand lacks one card, and the six of spades is the only one that makes either."""
    read = dict(zip((0, 1, 2, 5, 6, 7), parse_all("9s 8s 7s 5s 4s 3s"), strict=True))
    heard = Hearing({**read, 500: parse_all("Ts")[0], 501: parse_all("2s")[0]})
    four, one, other = fours("pa641a"), hand(0, 4), hand(5, 1) | {6, 7, 8}
    assert not heard.against(named(four, "straight_flush", other))
    heard.take(named(four, "straight_flush", one))
    assert heard.against(named(four, "straight_flush", other)) == DECK
    assert not heard.against(named(four, "high", other))


# ---------------------------------------------------------------- options


def test_x_11c_the_options_of_a_shape_are_what_it_lacks() -> None:
    quads, none = named_shape("four_of_a_kind", 4), frozenset[Shape]()
    assert options_of(frozenset({quads}), none, (), 4, PACK) == tuple(
        mask_of(range(4 * rank, 4 * rank + 4)) for rank in range(13)
    )
    aces = parse_all("As Ah Ad")
    pool = PACK - set(aces)
    found = options_of(frozenset({quads}), none, tuple(aces), 2, pool)
    assert found == (mask_of(parse_all("Ac")),)
    colored = Shape(2, ((14, 14),), COLORED)
    assert options_of(frozenset({colored}), none, (), 2, PACK) == tuple(
        sorted(mask_of(parse_all(pair)) for pair in ("As Ac", "Ah Ad"))
    )


@pytest.mark.parametrize(
    ("shape", "read"),
    [
        (named_shape("pair", 5), ""),
        (Shape(5, (), SUITED), ""),
        (named_shape("four_of_a_kind", 4), "As Ah Ad Ac"),
    ],
)
def test_x_11c_a_hand_of_many_options_or_none_to_come_crowds_nobody(shape: Shape, read: str) -> None:
    cards = tuple(parse_all(read))
    assert options_of(frozenset({shape}), frozenset(), cards, 5, PACK - set(cards)) is None


def test_x_11c_hands_are_dealt_one_after_the_other() -> None:
    assert may_all_lie([(0b011, 0b110), (0b001,)])
    assert not may_all_lie([(0b011, 0b110), (0b010,)])
    assert not may_all_lie([(0b01, 0b10)] * 3)
    assert not may_all_lie([()])


def test_x_11c_a_dealing_that_is_given_up_has_proven_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disjoint_hands, "MOST_TRIES", 2)
    assert may_all_lie([(0b01, 0b10)] * 3)


# ---------------------------------------------------------------- told truly


@pytest.mark.parametrize("chapter", [each for each in CHAPTERS if law(each).contest.against_dealer])
def test_x_11c_of_hands_with_a_card_unread_each_just_what_they_can_be_is_offered(chapter: str) -> None:
    """Every three cards that they may be, after every word so far."""
    chance, where, contest = random.Random(f"one each {chapter}"), places(chapter)[0], ranking(house(chapter))
    for nth in range(6):
        cards = a_deal(chance, nth)
        hands = [where[f"seat{seat}"] for seat in (1, 2, 3)]
        unread = [chance.choice(sorted(each)) for each in hands]
        heard = Hearing({at: card for at, card in cards.items() if at not in unread})
        left = [cards | dict(zip(unread, each, strict=True)) for each in permutations(sorted(heard.pool), 3)]
        for each in hands:
            made = {row: set[int]() for row in (*contest.order.names, "high")}
            for at, lie in enumerate(left):
                made[contest.name(contest.score(lying(lie, each)))].add(at)
            offered = {row for row in made if not heard.against(named(contest, row, each))}
            assert offered == {row for row in made if made[row]}, nth
            true = contest.name(contest.score(lying(cards, each)))
            heard.take(named(contest, true, each))
            left = [left[at] for at in sorted(made[true])]
