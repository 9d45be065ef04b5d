"""Hits: the amount of the turn, the reset, parts and equal shares, validation, what goes back, what is paid once."""

from typing import Any

import pytest

from sabot.floor import messages, orders
from sabot.floor.errors import FloorError
from sabot.floor.money import DOLLAR, UNITS

from .making import Floor, Teller, edited, linked, terms_text
from .test_link_law import HAND_BONUS


def grant(floor: Floor) -> dict[str, object]:
    found = floor.last()["outcome"].get("grant")
    assert isinstance(found, dict)
    return found


def refused(floor: Floor) -> str:
    return str(floor.last()["outcome"].get("refused", ""))


def on_the_bonus() -> tuple[Floor, Teller]:
    floor, (one,) = linked("T1", text=HAND_BONUS, link="bonus")
    return floor, one


def test_641a_12e4_two_claims_at_once_get_the_amounts_of_their_turns() -> None:
    floor, (one, two) = linked("T1", "T2")
    floor.take(one.bets(1, 1, 2))
    floor.take(two.bets(1, 5))

    floor.take(two.hit(1, 5))
    first = grant(floor)
    floor.take(one.hit(1, 2))
    second = grant(floor)

    assert (first["cents"], first["before"]) == (1_000_030, 10_000 * DOLLAR + 30 * UNITS)
    assert first["after"] == second["before"] == 10_000 * DOLLAR
    assert second["cents"] == 1_000_000
    assert floor.units("pit.mega.open") == 2_000_030 * UNITS
    assert floor.units("house") == -31_250 * DOLLAR
    assert floor.state.books.is_balanced()


def test_641a_12e1_each_row_draws_its_own_level() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1, 2, 3))

    for seat, row, level, cents in (
        (1, "straight_flush", "major", 100_024),
        (2, "four_of_a_kind", "minor", 25_009),
    ):
        floor.take(one.hit(1, seat, row=row))
        assert (grant(floor)["level"], grant(floor)["cents"]) == (level, cents)


def test_641a_12g1_ten_percent_lowers_the_meter_by_what_was_paid_and_leaves_the_fraction() -> None:
    floor, one = on_the_bonus()
    floor.take(one.bets(1, 1, 2, 3, wager="hand_bonus_player"))

    floor.take(one.hit(1, 2, row="straight_flush", wager="hand_bonus_player"))

    assert grant(floor)["cents"] == 100_003
    assert grant(floor)["reseed"] == 0
    assert floor.units("bonus.main") == (1_000_039 - 100_003) * UNITS


def test_641a_12g2_a_jackpot_on_the_dealers_hand_is_divided_equally() -> None:
    floor, one = on_the_bonus()
    floor.take(one.bets(1, 1, 3, 6, wager="hand_bonus_dealer"))
    floor.take(one.void(1, 6, wager="hand_bonus_dealer"))
    floor.take(one.bets(1, 7, wager="hand_bonus_dealer"))

    floor.take(one.hit(1, 7, 3, 1, wager="hand_bonus_dealer"))

    assert (grant(floor)["each"], grant(floor)["cents"]) == (333_346, 1_000_038)
    assert floor.units("bonus.main") == UNITS
    assert grant(floor)["after"] == UNITS


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"seats": [2]}, "not each of the seats has a prog5 in round 1"),
        ({"seats": [1, 1]}, "not each of the seats has a prog5 in round 1"),
        ({"round": 2}, "not each of the seats has a prog5 in round 2"),
        ({"row": "full_house"}, "prog5 pays no part of a meter for full_house"),
        ({"link": "other"}, "there is no link other"),
    ],
)
def test_641a_12e4_a_claim_without_its_wager_is_refused(values: dict[str, object], why: str) -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    before = dict(floor.state.books.balances)

    claim = {"round": 1, "row": "royal_flush", "wager": "prog5", "seats": [1]}
    floor.take(one.say(messages.CLAIM, **{**claim, **values}))

    assert refused(floor) == why
    assert floor.state.books.balances == before
    assert not floor.state.grants


def test_prog_12_a_turn_is_paid_once() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))
    entry = floor.last()["number"]

    floor.take(one.hit(1, 1))

    assert refused(floor) == f"this turn was paid by entry {entry}"
    assert floor.units("pit.mega.open") == 1_000_010 * UNITS


@pytest.mark.parametrize(
    ("seats", "row"), [([7, 1, 3], "royal_flush"), ([3], "royal_flush"), ([1], "straight_flush")]
)
def test_641a_12g2_a_wager_wins_one_row_of_a_round_whoever_is_named_beside_it(
    seats: list[int], row: str
) -> None:
    floor, one = on_the_bonus()
    floor.take(one.bets(1, 1, 3, 7, wager="hand_bonus_dealer"))
    floor.take(one.hit(1, 1, 3, 7, wager="hand_bonus_dealer"))
    entry = floor.last()["number"]

    floor.take(one.hit(1, *seats, row=row, wager="hand_bonus_dealer"))

    assert refused(floor) == f"this turn was paid by entry {entry}"


# ---------------------------------------------------------------- validated, taken back


def test_641a_11c5iii_a_grant_is_open_until_the_floorperson_has_validated() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))
    entry = floor.last()["number"]

    floor.take(one.say(messages.VALIDATED, grant=entry))

    assert floor.units("pit.mega.open") == 0
    assert floor.units("winners") == 1_000_010 * UNITS
    assert floor.state.grants[entry].state == "validated"
    floor.take(one.say(messages.VALIDATED, grant=entry))
    assert refused(floor) == f"the grant of entry {entry} is validated"


@pytest.mark.parametrize("paid", [False, True])
def test_641a_13_a_grant_of_a_void_round_goes_back_with_its_reset(paid: bool) -> None:
    floor, (one, two) = linked("T1", "T2")
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))
    entry = floor.last()["number"]
    floor.take(two.bets(1, 1))
    if paid:
        floor.take(one.say(messages.VALIDATED, grant=entry))

    floor.take(one.say(messages.WITHDRAWN, grant=entry))
    floor.take(one.void(1, 1))

    assert floor.units("pit.mega") == 10_000 * DOLLAR + 10 * UNITS
    assert floor.units("house") == -11_250 * DOLLAR
    assert floor.units("winners") == floor.units("pit.mega.open") == 0
    floor.take(one.say(messages.WITHDRAWN, grant=entry))
    assert refused(floor) == f"the grant of entry {entry} is taken back"


def test_641a_13_a_turn_that_went_back_may_be_claimed_again() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))
    floor.take(one.say(messages.WITHDRAWN, grant=floor.last()["number"]))

    floor.take(one.hit(1, 1))

    assert grant(floor)["cents"] == 1_000_010


def test_prog_12_nobody_validates_or_withdraws_what_another_table_was_granted() -> None:
    floor, (one, two) = linked("T1", "T2")
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))
    entry = floor.last()["number"]

    for kind in (messages.VALIDATED, messages.WITHDRAWN):
        floor.take(two.say(kind, grant=entry))
        assert refused(floor) == f"entry {entry} granted this table nothing"


# ---------------------------------------------------------------- by hand, by order


def test_prog_7_a_hit_finished_by_hand_is_the_tables_own_when_it_hears() -> None:
    floor, (one,) = linked("T1")
    floor.order(orders.BY_HAND, table="T1", link="pit", round=1, wager="prog5", row="royal_flush", seats=[1])
    by_hand = grant(floor)
    balance = floor.units("pit.mega")

    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))

    assert refused(floor) == ""
    assert floor.units("pit.mega") == balance + 10 * UNITS
    told = floor.said()[-1][2]
    assert (told["cents"], told["by_hand"], told["claim"]) == (by_hand["cents"], True, 2)
    assert told["entry"] == by_hand["entry"]
    floor.take(one.hit(1, 1))
    assert refused(floor) == f"this turn was paid by entry {by_hand['entry']}"


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"table": "T9"}, "T9 is no table of pit"),
        ({"row": "flush"}, "prog5 pays no part of a meter for flush"),
        ({"link": "other"}, "there is no link other"),
        ({"seats": [2, 2]}, "a seat is named twice"),
        ({"round": 1}, "this turn was paid by entry 6"),
    ],
)
def test_prog_7_what_cannot_be_finished_by_hand(values: dict[str, Any], what: str) -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))

    known: dict[str, Any] = {
        "table": "T1",
        "link": "pit",
        "round": 2,
        "wager": "prog5",
        "row": "royal_flush",
        "seats": [1],
    }
    with pytest.raises(FloorError, match=what):
        floor.order(orders.BY_HAND, **{**known, **values})


def test_prog_7_a_claim_that_differs_from_what_was_finished_by_hand_is_refused() -> None:
    floor, (one,) = linked("T1")
    floor.order(
        orders.BY_HAND, table="T1", link="pit", round=1, wager="prog5", row="straight_flush", seats=[1]
    )
    entry = floor.last()["number"]
    floor.take(one.bets(1, 1))

    floor.take(one.hit(1, 1))

    assert refused(floor) == f"this turn was paid by entry {entry}"


def test_prog_8_a_grant_taken_back_by_order_is_said_to_its_table() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))
    entry = floor.last()["number"]

    floor.order(orders.TAKE_BACK, grant=entry)

    assert floor.units("pit.mega") == 10_000 * DOLLAR + 10 * UNITS
    assert (floor.said()[-1][2]["kind"], floor.said()[-1][2]["grant"]) == ("taken_back", entry)
    with pytest.raises(FloorError, match="no grant that stands"):
        floor.order(orders.TAKE_BACK, grant=entry)


def test_prog_6_a_claim_after_a_change_draws_by_the_terms_under_which_it_was_wagered() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    floor.order(orders.STOP, by=("11",), link="pit")
    text = edited(terms_text("T1"), ('threshold = "$20"', 'threshold = "$30"'))
    floor.order(orders.CONFIGURATION, file=text)
    floor.order(orders.START, link="pit")

    floor.take(one.hit(1, 1))

    assert (grant(floor)["config"], grant(floor)["cents"]) == (1, 1_000_010)
