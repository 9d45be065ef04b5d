"""Settlement by what the dealer declares (x.11(c)) pays what settlement by cards pays.

Random rounds are settled by their cards; what the dealer would then have to say is read off the hands, all cards
are taken away, and the same round is settled by the words alone.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sabot.rules.paytables import Column
from sabot.rules.round import outcome_json
from sabot.rules.round_json import read_round
from sabot.rules.settlement import Declared, DeclaredSeat, Settlement
from sabot.rules.settlement.declared import YES
from sabot.rules.settlement.round_settlement import RoundSettlement
from tests.model.rounds import random_round

from .table_talk import ALL, Json, law, ranking, round_of, seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sabot.rules.round import Outcome, Round, Seat


def read(record: Json) -> tuple[Round, Settlement]:
    return read_round(record, law(record["chapter"]), Settlement, {})


def unseen(round_: Round) -> Round:
    """The round at a table where no device sees a card."""
    seats = tuple(replace(seat, cards=None, fourth=None) for seat in round_.seats)
    return replace(round_, seats=seats, places={})


def words(round_: Round, settlement: Settlement) -> Declared:
    """What the dealer says who sees all cards."""
    settling = RoundSettlement(settlement.house, round_)
    contest = round_.places.get("dealer")
    name = settlement.house.contest_ranking.name
    return Declared(
        dealer=name(settling.dealer_score()) if contest else "",
        dealer_qualifies=settlement.contest.dealer_qualifies(settling) if contest else True,
        seats={each.number: _of_seat(settling, settlement, each) for each in round_.seats if each.cards},
    )


def _of_seat(settling: RoundSettlement, settlement: Settlement, seat: Seat) -> DeclaredSeat:
    against_dealer = settlement.chapter.contest.against_dealer
    hand = settlement.house.contest_ranking.name(settling.score(seat)) if against_dealer else ""
    margin = settling.margin(seat) if against_dealer else -1
    return DeclaredSeat(hand, margin > 0, margin == 0, dict(_rows(settling, settlement, seat)))


def _rows(settling: RoundSettlement, settlement: Settlement, seat: Seat) -> Iterator[tuple[str, str]]:
    house, chapter = settlement.house, settlement.chapter
    if not chapter.contest.against_dealer:
        yield "main", _row(house.column("main"), settling.score(seat))
    for name in seat.stakes:
        wager = chapter.wagers[name]
        if wager.settles and wager.settles.kind == "posted":
            look = house.look(wager)
            yield name, _row(look.column, settling.look_at(seat, look))
            if wager.bonus_card and _is_there(settling, seat):
                yield f"{name}:bonus_card", YES if settling.has_bonus_card(seat, wager) else ""
            if wager.extras and settling.has_magic_card(seat, wager):
                yield f"{name}:magic_card", YES
    for name, envy in chapter.envy.items():
        look = house.envy_look(name, next(iter(envy.by_unit)))
        yield name, _row(look.column, settling.look_at(seat, look))


def _row(column: Column, score: int) -> str:
    hit = column.find(score)
    return hit.row if hit else ""


def _is_there(settling: RoundSettlement, seat: Seat) -> bool:
    own = settling.house.options.pair_bonus_card == "own"
    return seat.fourth is not None if own else "pair_bonus_card" in settling.round.places


def told(outcome: Outcome) -> Json:
    """The outcome but for the names of hands and the readings, which words do not reach."""
    told = outcome_json(outcome)
    return {name: told[name] for name in ("settle_order", "void", "lines", "meters")}


@pytest.mark.parametrize("chapter", ALL)
def test_x_11c_words_settle_as_cards_do(chapter: str) -> None:
    rng = random.Random(31)
    compared = 0
    for _ in range(400):
        record = random_round(rng, chapter)
        if "readings" in record["options"] or any("cards" not in seat for seat in record["seats"]):
            continue
        round_, settlement = read(record)
        compared += 1
        by_words = settlement.settle(unseen(round_), words(round_, settlement))
        assert told(by_words) == told(settlement.settle(round_)), record
    assert compared > 100


@pytest.mark.parametrize(
    ("dealer", "qualifies", "ante"),
    [("high", True, "win"), ("high", False, "returned"), ("pair", True, "win")],
)
def test_679a_11c3_a_dealer_who_is_too_low(dealer: str, qualifies: bool, ante: str) -> None:
    round_, settlement = read(round_of("pa679a", seat(1, "As Kd 9c", ante=100, play=100), dealer="Qs 7d 2c"))
    said = Declared(dealer, qualifies, {1: DeclaredSeat("high", wins=True)})
    assert settlement.settle(unseen(round_), said).lines[0].result == ante


def test_641a_11c6iii_a_tie_has_a_word_of_its_own_and_the_bad_beat_loses() -> None:
    stakes = {"ante": 100, "play": 100, "bad_beat": 100}
    round_, settlement = read(
        round_of("pa641a", seat(1, "As Kd 9c 9d 2s", **stakes), dealer="Ad Kc 9h 9s 2d 3c")
    )

    def results(said: DeclaredSeat) -> list[str]:
        outcome = settlement.settle(unseen(round_), Declared("pair", seats={1: said}))
        return [line.result for line in outcome.lines]

    assert results(DeclaredSeat("pair", ties=True)) == ["win", "win", "lose"]


def test_641a_11c_the_hands_as_they_were_declared() -> None:
    round_, settlement = read(
        round_of("pa641a", seat(1, "As Kd 9c 7h 2s", aces_up=100), seat(2, "Ks Kh 9d 7c 2c", aces_up=100))
    )
    said = Declared("flush", seats={1: DeclaredSeat("pair", rows={"aces_up": "pair_of_aces"})})
    outcome = settlement.settle(unseen(round_), said)
    assert outcome.hands == {"dealer": "flush", "seat1": "pair"}
    assert [(line.seat, line.result) for line in outcome.lines] == [(2, "lose"), (1, "win")]


def test_641a_11c_a_row_that_the_letter_does_not_have_makes_none() -> None:
    round_, settlement = read(round_of("pa641a", seat(1, "As Kd 9c 7h 2s", aces_up=100)))
    said = Declared("flush", seats={1: DeclaredSeat("pair", rows={"aces_up": "pair_of_kings"})})
    assert settlement.settle(unseen(round_), said).lines[0].result == "lose"


@pytest.mark.parametrize("chapter", ALL)
def test_every_row_of_every_paytable_can_be_said(chapter: str) -> None:
    """The score that stands for a row makes just that row, under every letter that has it."""
    model = law(chapter)
    readings = model.default_readings()
    for table in model.paytables.values():
        for letter in table.letters:
            column = Column(table, letter, ranking(chapter, table.sheet(letter).ranking), readings)
            for row, _ in table.rows(letter):
                hit = column.find(column.sample(row.name))
                assert hit is not None
                assert hit.row == row.name


def test_levels_by_name() -> None:
    fours, colors = ranking("pa641a", "four_card"), ranking("pa679a", "prime")
    assert [fours.level_of(name) for name in ("four_of_a_kind", "pair", "high", "full_house")] == [
        7,
        1,
        0,
        None,
    ]
    assert colors.level_of("pair") is None


def test_the_steps_of_a_wager_are_made_once() -> None:
    _, settlement = read(round_of("pa641a", seat(1, "As Kd 9c 7h 2s", aces_up=100)))
    assert settlement.steps("aces_up") is settlement.steps("aces_up")
