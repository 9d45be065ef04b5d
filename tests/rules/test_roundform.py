"""The form of a round: what is refused (with its place and the cure), and the odd things that are accepted."""

from __future__ import annotations

import copy

import pytest

from sabot.rules.errors import SabotError
from sabot.rules.json_fields import RoundError
from sabot.rules.round_json import chapter_id, read_round
from sabot.rules.settlement import Settlement
from sabot.rules.settlement.round_settlement import MissingError

from .spoilt_rounds import REFUSED, legal, spoilt
from .table_talk import ALL, Json, law, returned, round_of, seat, settle, settle_json, won

NOTHING = "2d 4h 6s 8c Jd 3c"
ACES = "As Ad 9c 7h 2s"


def refusal(record: Json) -> str:
    with pytest.raises(SabotError) as caught:
        settle_json(record)
    return str(caught.value)


def test_the_legal_round_is_settled() -> None:
    assert settle_json(legal())[3, "ante"] == won(1000, back=1000)


@pytest.mark.parametrize("what", REFUSED)
def test_refused_with_its_place_and_the_cure(what: str) -> None:
    spoil, message = REFUSED[what]
    assert refusal(spoilt(spoil)).startswith(message)


@pytest.mark.parametrize("value", [[], 3, None, "round"])
def test_what_is_no_object_is_no_round(value: object) -> None:
    with pytest.raises(RoundError, match=r"E-ROUND-003 round: is .*, expected an object"):
        chapter_id(value)
    with pytest.raises(RoundError, match=r"E-ROUND-003 round: is .*, expected an object"):
        read_round(value, law("pa641a"), Settlement, {})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "E-ROUND-002 chapter: is missing"),
        ({"chapter": 641}, "E-ROUND-003 chapter: is 641, expected a text"),
    ],
)
def test_a_round_names_its_chapter(value: Json, message: str) -> None:
    with pytest.raises(RoundError) as caught:
        chapter_id(value)
    assert str(caught.value).startswith(message)
    assert chapter_id({"chapter": "pa641a", "whatever": 1}) == "pa641a"


# ---------------------------------------------------------------- other chapters


def test_679a_a_pair_bonus_card_is_the_players_own_or_the_community() -> None:
    record = round_of("pa679a", seat(1, "As Ad 9c", ante=1, fold=True), pair_bonus_card="mine")
    assert refusal(record).startswith(
        "E-ROUND-003 options.pair_bonus_card: is 'mine', expected one of community own"
    )


def test_679a_a_fourth_card_is_a_card_like_any_other() -> None:
    record = round_of("pa679a", seat(1, "As Ad 9c", fourth="As", ante=1, fold=True))
    assert refusal(record).startswith("E-ROUND-004 seats[0].fourth: As is there twice")


def test_679a_knows_no_draws() -> None:
    record = round_of("pa679a", seat(1, "As Ad 9c", ante=1, fold=True), draws={"lucky": 1})
    assert refusal(record).startswith("E-ROUND-001 draws: unknown field 'lucky'. The fields here are none.")


@pytest.mark.parametrize("limit", [-1, 0.5, True, "no"])
def test_679a_a_payout_limit_is_whole_cents(limit: object) -> None:
    record = round_of("pa679a", seat(1, "As Ad 9c", ante=1, fold=True), payout_limit=limit)
    assert refusal(record).startswith("E-ROUND-003 options.payout_limit: is ")


@pytest.mark.parametrize("chapter", ALL)
def test_a_payout_limit_that_is_null_is_none(chapter: str) -> None:
    record = round_of(chapter, seat(1, ante=1, fold=True), payout_limit=None)
    assert settle_json(record)[1, "ante"][0] == "forfeit"


def test_md_reset_amounts_by_the_levels_there_are() -> None:
    player = seat(1, ACES, aces_up=1)
    unknown = round_of("md4cp", player, meter_reset={"giga": 1})
    assert refusal(unknown).startswith(
        "E-ROUND-001 options.meter_reset: unknown field 'giga'. The fields here are main major mega minor."
    )
    negative = round_of("md4cp", player, meter_reset={"mega": -1})
    assert refusal(negative).startswith(
        "E-ROUND-003 options.meter_reset.mega: is -1, expected whole cents, not negative"
    )


def test_md_meters_have_the_levels_of_the_letter_chosen() -> None:
    player = seat(1, ACES, aces_up=1)
    record = round_of("md4cp", player, letters="progressive=E", meters={"progressive": {"main": 1}})
    assert refusal(record).startswith(
        "E-ROUND-001 meters.progressive: unknown field 'main'. The fields here are major mega minor."
    )
    open_choice = round_of("md4cp", player, meters={"progressive": {"main": 1, "mega": 2}})
    open_choice["options"]["paytables"].pop("progressive")
    assert settle_json(open_choice).meters == {"progressive": {"main": 1, "mega": 2}}


def test_683a_at_most_three_raises_and_all_or_a_fold() -> None:
    def told(**decision: object) -> str:
        return refusal(
            round_of("pa683a", {**seat(1, "As Ad", ante=100), "decision": decision}, community="9c 7h 2s")
        )

    assert told(raises=[100] * 4).startswith(
        "E-ROUND-003 seats[0].decision.raises: is [100, 100, 100, 100], expected at most 3 raises"
    )
    assert told(raises=[100, 100]).startswith(
        "E-ROUND-004 seats[0].decision: 2 of 3 second wagers and no fold"
    )
    assert told(raises=[100] * 3, fold=True).startswith(
        "E-ROUND-004 seats[0].decision: all raises and a fold"
    )
    assert told(raises=100).startswith("E-ROUND-003 seats[0].decision.raises: is 100, expected a list")
    assert told(raises=[100, -1, 100]).startswith("E-ROUND-003 seats[0].decision.raises[1]: is -1")
    assert told(play=100).startswith("E-ROUND-001 seats[0].decision: unknown field 'play'")


@pytest.mark.parametrize("chapter", ALL)
def test_paytables_are_needed_only_for_what_was_wagered(chapter: str) -> None:
    record = round_of(chapter, seat(1, ante=1, fold=True))
    needed = {"pa679a": {"bad_beat"}, "pa682a": {"bad_beat"}, "pa683a": {"main"}}.get(chapter, set())
    record["options"]["paytables"] = dict.fromkeys(needed, "A")
    assert settle_json(record)[1, "ante"][0] == "forfeit"
    if needed:
        record["options"] = {}
        assert refusal(record).startswith(f"E-HOUSE-002 options.paytables.{needed.pop()}")


# ---------------------------------------------------------------- accepted


def test_cards_of_a_folded_seat_with_nothing_alive_may_be_absent() -> None:
    told = settle(
        "pa641a", seat(1, ante=100, prog4=100, fold=True), seat(2, ACES, ante=100, play=100), dealer=NOTHING
    )
    assert told.hands == {"dealer": "high", "seat2": "pair"}


@pytest.mark.parametrize("wager", ["aces_up", "six_card", "bad_beat"])
def test_but_not_of_a_folded_seat_with_something_alive(wager: str) -> None:
    with pytest.raises(MissingError, match="seat 1 cards is not given"):
        settle("pa641a", seat(1, "", ante=100, fold=True, **{wager: 100}), dealer=NOTHING, six_card="5h")


def test_683a_nor_where_an_optional_wager_needs_only_the_board() -> None:
    with pytest.raises(MissingError, match="seat 1 cards is not given"):
        settle("pa683a", seat(1, ante=100, board=100, fold=True), community="9c 7h 2s")


def test_679a_an_absent_fourth_card_under_a_pair() -> None:
    told = settle("pa679a", seat(1, "As Kd 9c", ante=100, pair_bonus=100, play=100), dealer="Qs 7d 2c")
    assert told[1, "pair_bonus"][0] == "lose"


def test_void_rounds_with_too_few_and_too_many_cards() -> None:
    few = settle(
        "pa641a",
        seat(1, "As Ad", ante=100),
        dealer="2d 4h 6s 8c Jd 3c 5h",
        irregularity={"kind": "wrong_count"},
    )
    assert few[1, "ante"] == returned(100)


def test_but_not_a_card_twice_in_a_void_round() -> None:
    with pytest.raises(RoundError, match="As is there twice"):
        settle("pa641a", seat(1, "As As", ante=100), irregularity={"kind": "wrong_count"})


def test_void_rounds_without_cards_and_before_every_decision() -> None:
    told = settle(
        "pa641a",
        seat(1, ante=100, aces_up=50),
        seat(2, ante=100, play=300),
        irregularity={"kind": "shoe_jam"},
    )
    assert [told[number, "ante"] for number in (1, 2)] == [returned(100)] * 2


def test_683a_a_void_round_between_two_raises() -> None:
    told = settle("pa683a", seat(1, ante=100, raises=[300]), irregularity={"kind": "wrong_count"})
    assert told.wagers(1) == ["ante", "raise1"]


def test_tens_in_two_spellings() -> None:
    told = settle("pa641a", seat(1, "10s 10d Tc 7h 2s", aces_up=100))
    assert told[1, "aces_up"] == won(900, "three_of_a_kind", back=100)


def test_a_play_on_an_ante_of_unknown_value_and_an_unknown_play_on_a_known_ante() -> None:
    told = settle(
        "pa641a",
        seat(1, ACES, ante=None, play=123),
        seat(2, "Ks Kd 9h 7c 3s", ante=100, play=None),
        dealer=NOTHING,
    )
    assert told[1, "play"] == won(123, back=123)
    assert told.line(2, "play")["odds"] == "1 to 1"


def test_places_that_are_null_are_absent() -> None:
    record = round_of(
        "pa641a",
        {**seat(1, ante=100), "cards": None, "decision": {"fold": True}, "player": None},
        dealer=None,
    )
    assert settle_json(record).hands == {}


def test_a_player_is_the_seat_unless_named() -> None:
    record = round_of(
        "pa641a", seat(1, ACES, aces_up=100), seat(2, "Ks Kd 9h 7c 3s", player="p1", aces_up=100)
    )
    round_, _ = read_round(record, law("pa641a"), Settlement, {})
    assert [each.player for each in round_.seats] == ["seat1", "p1"]


def test_readings_of_the_command_line_come_on_top() -> None:
    record = round_of(
        "pa641a", seat(1, "As Ad 2c 3h 4s", aces_up=100), readings={"wheel5": "yes", "tiebreak": "poker"}
    )
    _, settlement = read_round(record, law("pa641a"), Settlement, {"wheel5": "no"})
    assert (settlement.house.readings["wheel5"], settlement.house.readings["tiebreak"]) == ("no", "poker")


def test_where_the_cards_came_from_is_not_looked_at() -> None:
    record = legal()
    other = copy.deepcopy(record)
    other["deal"] = "by hand"
    assert settle_json(record).outcome == settle_json(other).outcome
