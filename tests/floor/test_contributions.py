"""Contributions: shares to the unit, limits and their overflow, what is not believed, what goes back."""

import pytest

from sabot.floor import orders
from sabot.floor.money import DOLLAR, UNITS, share, words
from sabot.floor.wire import hex_of

from .making import Floor, Teller, edited, key, linked, terms_text
from .test_link_law import HAND_BONUS, MARYLAND

CAPPED = edited(
    MARYLAND, ('limit = "$50,000"', 'limit = "$1,500.25"'), ('tables = ["T1"]', 'tables = ["T1", "T2"]')
)


def refused(floor: Floor) -> str:
    return str(floor.last()["outcome"].get("refused", ""))


def test_641a_12e3_each_level_gets_its_share_of_each_wager() -> None:
    floor, (one, two) = linked("T1", "T2")

    floor.take(one.bets(1, 1, 2, 7))
    floor.take(two.bets(1, 4))

    assert floor.units("pit.mega") == 10_000 * DOLLAR + 4 * 10 * UNITS
    assert floor.units("pit.major") == 1_000 * DOLLAR + 4 * 8 * UNITS
    assert floor.units("pit.minor") == 250 * DOLLAR + 4 * 3 * UNITS
    assert floor.units("players") == -4 * 21 * UNITS
    assert floor.state.books.is_balanced()


def test_641a_12g4_the_reserve_is_kept_beside_the_meter() -> None:
    floor, (one,) = linked("T1", text=HAND_BONUS, link="bonus")

    floor.take(one.bets(1, 3, wager="hand_bonus_player"))
    floor.take(one.bets(2, 3, wager="hand_bonus_dealer"))

    assert floor.units("bonus.main") == 10_000 * DOLLAR + 2 * 13 * UNITS
    assert floor.units("bonus.main.reserve") == 2 * 8 * UNITS


def test_md_12d3_a_rate_of_an_eighth_of_a_percent_is_exact() -> None:
    floor, (one,) = linked("T1", text=MARYLAND, link="maryland")

    floor.take(one.bets(1, 1, wager="progressive"))

    assert floor.units("maryland.major.reserve") == UNITS // 8
    with pytest.raises(ArithmeticError, match=r"0\.000125% of 1 cents"):
        share(1, floor.state.in_force("maryland").terms.levels["major"].reserve_rate / 1000)


def test_money_is_written_to_the_last_unit() -> None:
    assert words(12 * DOLLAR + 345_678) == "$12.345678"
    assert words(-DOLLAR - 1) == "-$1.000001"


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"spots": [[1, "prog4", 100]]}, "prog4 does not feed pit"),
        ({"spots": [[1, "prog5", 500]]}, "a wager of 500 cents is none of pit"),
        ({"spots": [[8, "prog5", 100]]}, "there is no seat 8"),
        ({"spots": [[1, "prog5", 100], [1, "prog5", 100]]}, "seat 1 has contributed its prog5 in this round"),
        ({"link": "other"}, "there is no link other"),
        ({"config": 2}, "configuration 2 of pit was never in force"),
        ({"round": 4}, "round 4 is over, round 5 has contributed"),
    ],
)
def test_prog_9_what_cannot_contribute_is_entered_refused_and_said_to_the_table(
    values: dict[str, object], why: str
) -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(5, 1))
    before = dict(floor.state.books.balances)

    floor.take(one.say("contribution", **{"round": 6, "spots": [[2, "prog5", 100]], **values}))

    assert refused(floor) == why
    assert floor.state.books.balances == before
    assert floor.said()[-1][2]["why"] == why
    assert floor.state.tables["T1"].applied == 2


def test_prog_9_a_table_of_no_link_feeds_none() -> None:
    floor, _ = linked("T1")
    floor.order(orders.TABLE, table="T9", key=hex_of(key("T9")))

    floor.take(Teller("T9").bets(1, 1))

    assert refused(floor) == "T9 is no table of pit"


# ---------------------------------------------------------------- the limit


def test_prog_9_what_is_over_the_limit_waits_and_comes_back_after_a_hit() -> None:
    floor, (one, _) = linked("T1", "T2", text=CAPPED, link="maryland")
    floor.take(one.bets(1, 1, 2, 3, wager="progressive"))

    assert floor.units("maryland.major") == 150_025 * UNITS
    assert floor.units("maryland.major.overflow") == 125_000

    floor.take(one.hit(1, 2, wager="progressive"))

    assert floor.last()["outcome"]["grant"]["cents"] == 150_025
    assert floor.units("maryland.major") == 100_000 * UNITS + 125_000
    assert floor.units("maryland.major.overflow") == 0


def test_prog_8_a_void_takes_from_the_overflow_first() -> None:
    floor, (one, _) = linked("T1", "T2", text=CAPPED, link="maryland")
    floor.take(one.bets(1, 1, 2, 3, wager="progressive"))

    floor.take(one.void(1, 3, wager="progressive"))

    assert floor.units("maryland.major") == 150_025 * UNITS
    assert floor.units("maryland.major.overflow") == 0
    floor.take(one.void(1, 1, 2, wager="progressive"))
    assert floor.units("maryland.major") == 150_000 * UNITS
    assert floor.units("players") == 0


# ---------------------------------------------------------------- taken back


def test_641a_13_a_void_takes_back_what_the_round_contributed() -> None:
    floor, (one, _) = linked("T1", "T2")
    base = dict(floor.state.books.balances)
    floor.take(one.bets(1, 1, 2))

    floor.take(one.void(1, 1, 2))

    assert {name: units for name, units in floor.state.books.balances.items() if units} == base
    assert [move[3] for move in floor.last()["outcome"]["moved"]] == ["reversal"] * 6


@pytest.mark.parametrize(("number", "seats"), [(1, [3]), (2, [1]), (1, [1, 1])])
def test_641a_13_nothing_goes_back_that_was_not_given(number: int, seats: list[int]) -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1, 2))
    before = dict(floor.state.books.balances)

    floor.take(one.void(number, *seats))

    assert "to take back" in refused(floor)
    assert floor.state.books.balances == before


def test_641a_13_a_round_is_final_when_the_next_has_contributed() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    floor.take(one.bets(2, 1))

    floor.take(one.void(1, 1))

    assert "has no prog5 in round 1 to take back" in refused(floor)


def test_641a_13_a_void_that_was_a_mistake_contributes_again() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    full = dict(floor.state.books.balances)
    floor.take(one.void(1, 1))

    floor.take(one.bets(1, 1))

    assert floor.state.books.balances == full


def test_prog_8_the_house_bears_what_another_table_has_won_meanwhile() -> None:
    floor, (one,) = linked("T1", text=HAND_BONUS, link="bonus")
    floor.take(one.bets(1, 1, 2, wager="hand_bonus_player"))
    floor.take(one.hit(1, 1, wager="hand_bonus_player"))

    assert floor.units("bonus.main") == 0
    floor.take(one.void(1, 1, 2, wager="hand_bonus_player"))

    assert floor.units("bonus.main") == 0
    assert ["house", "players", 13 * UNITS, "borne by the house", 1] in floor.last()["outcome"]["moved"]
    assert floor.units("players") == 0


def test_641a_12e3_a_void_does_not_take_a_meter_below_its_seed() -> None:
    floor, (one, two) = linked("T1", "T2")
    floor.take(one.bets(1, 1))
    floor.take(two.bets(1, 1))
    floor.take(one.hit(1, 1))

    floor.take(two.void(1, 1))

    assert floor.units("pit.mega") == 10_000 * DOLLAR
    assert ["house", "players", 10 * UNITS, "borne by the house", 1] in floor.last()["outcome"]["moved"]
    assert floor.units("pit.major") == 1_000 * DOLLAR + 8 * UNITS


def test_641a_12e1_a_void_takes_a_meter_that_a_part_was_won_of_further_down() -> None:
    text = edited(
        terms_text("T1"),
        ('paytable = "D"', 'paytable = "A"'),
        ("level.mega", "level.main"),
        ("rate = 10", "rate = 21"),
    )
    text = text[: text.index("[level.major]")]
    floor, (one,) = linked("T1", text=text)
    floor.take(one.bets(1, 1, 2))
    floor.take(one.hit(1, 1, row="straight_flush"))
    stands = floor.units("pit.main")

    floor.take(one.void(1, 2))

    assert stands < 10_000 * DOLLAR
    assert floor.units("pit.main") == stands - 21 * UNITS


# ---------------------------------------------------------------- not believed

# a full round is $0.70 for the mega
TIGHT = edited(
    terms_text("T1"),
    ('rate = 10\nreserve_rate = 0\nthreshold = "$20"', 'rate = 10\nreserve_rate = 0\nthreshold = "$1"'),
)
MINUTE = "2026-11-20T07:00:00Z"


@pytest.mark.parametrize("believed", [True, False])
def test_prog_9_an_unreasonable_contribution_is_held_until_two_people_rule(believed: bool) -> None:
    floor, (one,) = linked("T1", text=TIGHT)
    floor.take(one.bets(1, *range(1, 7), at=MINUTE))
    stands = dict(floor.state.books.balances)

    floor.take(one.bets(2, *range(1, 6), at=MINUTE))
    entry = floor.last()["number"]

    assert floor.units("pit.mega") == stands["pit.mega"]
    assert floor.units("pit.mega.held") == 50 * UNITS
    assert floor.last()["outcome"]["held"] is True

    floor.order(orders.RULING, held=entry, believed=believed)

    assert floor.units("pit.mega.held") == 0
    assert floor.units("pit.mega") == stands["pit.mega"] + (50 * UNITS if believed else 0)
    assert floor.units("players") == stands["players"] - (5 * 21 * UNITS if believed else 0)
    floor.take(one.void(2, 1))
    assert refused(floor) == ("" if believed else "seat 1 has no prog5 in round 2 to take back")


def test_prog_9_rounds_that_waited_for_the_link_are_no_haste() -> None:
    floor, (one,) = linked("T1", text=TIGHT)

    for number in range(1, 4):
        floor.take(one.bets(number, *range(1, 8)))

    assert floor.units("pit.mega") == 10_000 * DOLLAR + 3 * 70 * UNITS


def test_prog_9_a_void_takes_back_what_is_held() -> None:
    floor, (one,) = linked("T1", text=TIGHT)
    floor.take(one.bets(1, *range(1, 8), at=MINUTE))
    floor.take(one.bets(2, *range(1, 6), at=MINUTE))
    entry = floor.last()["number"]

    floor.take(one.void(2, 1))

    assert floor.units("pit.mega.held") == 40 * UNITS
    assert floor.state.held[entry].cents == 400
    floor.order(orders.RULING, held=entry, believed=True)
    assert floor.units("pit.mega") == 10_000 * DOLLAR + 110 * UNITS
    assert floor.state.books.is_balanced()
