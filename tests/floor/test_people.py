"""Orders of people: two of two departments, in their turn, and never while a link runs or a hit is open."""

from typing import Any

import pytest

from sabot.floor import orders
from sabot.floor.errors import FloorError
from sabot.floor.money import DOLLAR, UNITS
from sabot.floor.orders import Signature
from sabot.floor.state import restore
from sabot.floor.wire import hex_of

from .making import Floor, edited, founded, founded_order, key, linked, terms_text
from .test_contributions import CAPPED


def refused(floor: Floor, kind: str, by: tuple[str, ...] = ("11", "12"), **values: object) -> str:
    """Why an order is not carried out; nothing has changed."""
    before = (dict(floor.state.books.balances), floor.state.house.orders, len(floor.made()))
    with pytest.raises(FloorError) as caught:
        floor.order(kind, by, **values)
    assert (dict(floor.state.books.balances), floor.state.house.orders, len(floor.made())) == before
    return caught.value.what


def start(floor: Floor, file: str) -> None:
    floor.order(orders.CONFIGURATION, file=file)
    floor.order(orders.START, link="pit")


@pytest.mark.parametrize(
    ("by", "why"),
    [
        (("11",), "it takes 2 people of 2 departments, it has finance"),
        (("12", "13"), "it takes 2 people of 2 departments, it has table_games"),
        ((), "it takes 2 people of 2 departments, it has none"),
        (("11", "99"), "person 99 is not enrolled"),
    ],
)
def test_605a_4b_an_order_takes_two_people_of_two_departments(by: tuple[str, ...], why: str) -> None:
    assert refused(founded(), orders.TABLE, by, table="T1", key=hex_of(key("T1"))) == why


def test_605a_4b_a_signature_of_something_else_is_none() -> None:
    floor = founded()
    body, signatures = floor.signed(orders.TABLE, ("11", "12"), table="T1", key=hex_of(key("T1")))
    other, _ = floor.signed(orders.TABLE, ("11",), table="T2", key=hex_of(key("T1")))

    with pytest.raises(FloorError, match="person 11 did not sign it"):
        floor.desk.order(other, signatures, floor.at)
    with pytest.raises(FloorError, match="person 12 did not sign it"):
        floor.desk.order(body, [signatures[0], Signature("12", "no hex")], floor.at)


def test_605a_4b_an_order_counts_once_and_in_its_turn() -> None:
    floor = founded()
    first = floor.signed(orders.TABLE, ("11", "12"), table="T1", key=hex_of(key("T1")))
    floor.desk.order(*first, floor.at)

    with pytest.raises(FloorError, match="its number is 2, the next is 3"):
        floor.desk.order(*first, floor.at)
    assert refused(floor, orders.STOP, order=5, link="pit") == "its number is 5, the next is 3"


def test_prog_6_a_link_is_stopped_by_one_person() -> None:
    floor, _ = linked("T1")

    floor.order(orders.STOP, by=("12",), link="pit")

    assert floor.state.links["pit"].running is False
    assert refused(floor, orders.STOP, ("12",), link="pit") == "pit does not run"
    assert refused(floor, orders.STOP, ("12",), link="moon") == "there is no link moon"


# ---------------------------------------------------------------- people and tables


def test_605a_4b_a_floor_is_founded_once_by_two_departments() -> None:
    floor = founded()
    with pytest.raises(FloorError, match="the floor is founded"):
        floor.order(orders.FOUNDED, **dict.fromkeys((), "x"), **_founding())
    fresh = Floor()
    people = [["11", "Ada", "finance", hex_of(key("11"))], ["12", "Ben", "finance", hex_of(key("12"))]]
    assert "not of two departments" in refused(fresh, orders.FOUNDED, **{**_founding(), "people": people})
    twice = [["11", "Ada", "finance", hex_of(key("11"))], ["12", "Ben", "games", hex_of(key("11"))]]
    assert "one is twice" in refused(fresh, orders.FOUNDED, **{**_founding(), "people": twice})


def _founding() -> dict[str, Any]:
    body, _ = founded_order(Floor())
    fields = orders.read(body)
    return {name: fields[name] for name in ("facility", "key", "starts", "zone", "people")}


def test_605a_4b_people_are_enrolled_and_leave() -> None:
    floor = founded()
    floor.order(orders.PERSON, person=["14", "Dan", "surveillance", hex_of(key("14"))])
    assert "is enrolled already" in refused(
        floor, orders.PERSON, person=["14", "Eve", "cage", hex_of(key("15"))]
    )
    assert "that key is enrolled" in refused(
        floor, orders.PERSON, person=["15", "Eve", "cage", hex_of(key("14"))]
    )

    floor.order(orders.PERSON_GONE, by=("12", "14"), person="11")

    assert refused(floor, orders.STOP, ("11",), link="pit") == "there is no link pit"
    assert (
        refused(floor, orders.TABLE, ("11", "12"), table="T1", key="ab" * 32) == "person 11 is not enrolled"
    )
    assert "nobody could sign" in refused(floor, orders.PERSON_GONE, ("12", "14"), person="14")
    assert refused(floor, orders.PERSON_GONE, ("12", "14"), person="77") == "person 77 is not enrolled"


def test_prog_6_each_table_is_known_by_name_and_key() -> None:
    floor, (one,) = linked("T1")

    assert "that key" in refused(floor, orders.TABLE, table="T2", key=hex_of(key("T1")))
    assert "no name of a table" in refused(floor, orders.TABLE, table="T/2", key=hex_of(key("T2")))
    assert refused(floor, orders.TABLE_RETIRED, table="T7") == "there is no table T7"
    floor.take(one.bets(1, 1))

    floor.order(orders.TABLE, table="T1", key=hex_of(key("spare board")))

    assert floor.take(one.bets(2, 1)).verdict == "forged"
    one.key_of, one.number = "spare board", 1
    assert floor.take(one.bets(2, 1)).verdict == "applied"
    floor.order(orders.TABLE_RETIRED, table="T1")
    assert floor.take(one.bets(3, 1)).verdict == "unknown"


# ---------------------------------------------------------------- configurations


def test_prog_6_a_configuration_is_refused_while_the_link_runs_or_a_hit_is_open() -> None:
    floor, (one,) = linked("T1")
    text = terms_text("T1")
    assert refused(floor, orders.CONFIGURATION, file=text) == "pit runs"
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))
    entry = floor.last()["number"]
    floor.order(orders.STOP, link="pit")

    assert refused(floor, orders.CONFIGURATION, file=text) == f"the hit of entry {entry} is open"
    floor.take(one.say("validated", grant=entry))
    start(floor, text)

    assert floor.state.links["pit"].configs == [text, text]
    assert floor.state.links["pit"].in_force == 2
    assert floor.units("pit.mega") == 10_000 * DOLLAR


def test_prog_6_a_hit_that_came_while_the_link_stood_still_keeps_new_terms_out() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    floor.order(orders.STOP, link="pit")
    floor.order(orders.CONFIGURATION, file=terms_text("T1"))
    floor.take(one.hit(1, 1))

    assert "is open" in refused(floor, orders.START, link="pit")


def test_prog_6_a_configuration_is_in_force_from_its_moment_and_not_before() -> None:
    floor, _ = linked("T1")
    floor.order(orders.STOP, link="pit")
    floor.order(orders.CONFIGURATION, file=terms_text("T1", begins="2026-11-20T09:00:00Z"))

    assert refused(floor, orders.START, link="pit") == (
        "its newest configuration is in force from 2026-11-20T09:00:00Z"
    )
    floor.at = "2026-11-20T09:00:00.500Z"
    assert "is past" in refused(floor, orders.CONFIGURATION, file=terms_text("T1"))
    floor.order(orders.START, link="pit")
    assert floor.state.links["pit"].in_force == 2
    assert refused(floor, orders.START, link="pit") == "pit runs"


def test_641a_12_a_configuration_that_the_chapter_forbids_is_refused() -> None:
    floor = founded()
    floor.order(orders.TABLE, table="T1", key=hex_of(key("T1")))

    bad = edited(terms_text("T1"), ("rate = 10\n", "rate = 9\n"))

    assert "the chapter has 10%" in refused(floor, orders.CONFIGURATION, file=bad)
    assert refused(floor, orders.CONFIGURATION, file=terms_text("T1", "T2")) == "table T2 is not enrolled"


def test_prog_6_a_meter_of_a_table_is_linked_once() -> None:
    floor, _ = linked("T1")

    assert refused(floor, orders.CONFIGURATION, file=terms_text("T1", link="bar")) == (
        "the meter prog5 of table T1 is linked by pit"
    )


def test_prog_8_a_meter_does_not_fall_by_a_configuration() -> None:
    floor, (one, _) = linked("T1", "T2", text=edited(CAPPED, ('"maryland"', '"pit"')), link="pit")
    floor.take(one.bets(1, 1, wager="progressive"))
    floor.order(orders.STOP, link="pit")
    lower = edited(CAPPED, ('"maryland"', '"pit"'), ("$1,500.25", "$1,500.10"))

    assert "a meter does not fall by a configuration" in refused(floor, orders.CONFIGURATION, file=lower)
    single = edited(lower[: lower.index("[level.major]")] + lower[lower.index("[level.minor]") :],
                    ('paytable = "D"', 'paytable = "C"'), ("level.minor", "level.main"),
                    ('base = "$250"', 'base = "$10,000"'), ('reset = "$250"', 'reset = "$10,000"'))  # fmt: skip
    assert "pit.major is not empty, and the configuration leaves major out" in refused(
        floor, orders.CONFIGURATION, file=single
    ) or "pit.minor is not empty" in refused(floor, orders.CONFIGURATION, file=single)
    assert refused(floor, orders.CONFIGURATION, file=terms_text("T1")) == "pit is a link of md4cp"


def test_prog_9_a_limit_that_is_lifted_lets_the_overflow_in() -> None:
    text = edited(CAPPED, ('"maryland"', '"pit"'))
    floor, (one, _) = linked("T1", "T2", text=text)
    floor.take(one.bets(1, 1, 2, 3, wager="progressive"))
    floor.order(orders.STOP, link="pit")

    start(floor, edited(text, ('limit = "$1,500.25"\n', "")))

    assert floor.units("pit.major") == 150_037 * UNITS + UNITS // 2
    assert floor.units("pit.major.overflow") == 0


# ---------------------------------------------------------------- money


def test_prog_8_people_put_a_meter_right_by_a_named_cause() -> None:
    floor, _ = linked("T1")

    floor.order(orders.ADJUSTMENT, link="pit", level="mega", units=5 * DOLLAR)
    floor.order(orders.ADJUSTMENT, link="pit", level="mega", units=-7 * DOLLAR)

    assert floor.units("pit.mega") == 9_998 * DOLLAR
    assert floor.last()["outcome"]["moved"] == [["pit.mega", "house", 7 * DOLLAR, "adjustment", 0]]
    assert "less than that" in refused(
        floor, orders.ADJUSTMENT, link="pit", level="mega", units=-9_999 * DOLLAR
    )
    assert "no level giga" in refused(floor, orders.ADJUSTMENT, link="pit", level="giga", units=1)
    assert "nothing is moved" in refused(floor, orders.ADJUSTMENT, link="pit", level="mega", units=0)


def test_prog_9_only_what_is_held_is_ruled_on() -> None:
    floor, _ = linked("T1")

    assert refused(floor, orders.RULING, held=3, believed=True) == "entry 3 holds nothing"


def test_prog_8_money_waits_for_the_first_start_of_a_link() -> None:
    floor = founded()
    floor.order(orders.TABLE, table="T1", key=hex_of(key("T1")))
    floor.order(orders.CONFIGURATION, file=terms_text("T1"))

    assert refused(floor, orders.ADJUSTMENT, link="pit", level="mega", units=1) == "pit was never in force"
    assert floor.units("pit.mega") == 0


def test_641a_2c_a_spare_board_counts_its_rounds_anew_and_its_turns_are_its_own() -> None:
    floor, (one,) = linked("T1")
    for raw in (one.bets(7, 1), one.hit(7, 1), one.bets(8, 1), one.hit(8, 1, row="straight_flush")):
        floor.take(raw)
    first = max(floor.state.grants)
    floor.order(orders.TABLE, table="T1", key=hex_of(key("spare board")))
    one.key_of = "spare board"

    floor.take(one.void(8, 1))
    assert "to take back" in floor.last()["outcome"]["refused"]
    floor.take(one.bets(1, 1, 2))
    assert "refused" not in floor.last()["outcome"]
    for number in range(2, 9):
        floor.take(one.bets(number, 1))
    floor.take(one.hit(8, 1, row="straight_flush"))
    assert floor.last()["outcome"]["grant"]["round"] == 8
    again = max(floor.state.grants)
    floor.take(one.hit(8, 1, row="straight_flush"))
    assert floor.last()["outcome"]["refused"] == f"this turn was paid by entry {again}"

    floor.order(orders.TAKE_BACK, grant=first)
    floor.take(one.hit(8, 1, row="straight_flush"))
    assert floor.last()["outcome"]["refused"] == f"this turn was paid by entry {again}"
    kept = restore(dict(floor.state.facts()), floor.state.books.balances)
    assert (kept.turns, kept.tables["T1"].since) == (floor.state.turns, floor.state.tables["T1"].since)
