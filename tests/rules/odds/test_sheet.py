"""The sheet: which rows there are, and what stands in them."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

from sabot.config import PRINTED, load_chapter
from sabot.rules.odds.engine import Method
from sabot.rules.odds.par_sheet import OddsError, ParSheet, verdict_on
from sabot.rules.odds.row_json import row_json, sheet_json
from sabot.rules.odds.stated_holds import Stated

from .tiny import tiny, tiny_streets

if TYPE_CHECKING:
    from sabot.rules.odds.estimate import Dice
    from sabot.rules.odds.figures import SheetRow
    from sabot.rules.odds.progress import Tick

CONTRACT = {"wager", "paytable", "reading", "hold_pct", "stated", "agrees", "exact"}


def dice(name: str) -> Dice:
    return random.Random(name)


def sheet(chapter: str, *, default_only: bool = False) -> ParSheet:
    method = Method(dice, default_only=default_only)
    return ParSheet(load_chapter(chapter), PRINTED.stated(chapter), method)


def small_sheet(stages: list[str] | None = None) -> ParSheet:
    """The sheet of the small game, of which every engine but the streets reckons a part."""

    def stage(label: str, length: int) -> Tick:
        if stages is not None:
            stages.append(f"{label}: {length}")
        return lambda _: None

    return ParSheet(tiny(), {}, Method(dice, rounds=200, stage=stage))


@cache
def block(chapter: str, wager: str) -> list[SheetRow]:
    """The rows of one wager, reckoned once for all tests."""
    return rows(sheet(chapter), wager)


def streets_rows() -> list[SheetRow]:
    """The ante of the small game with raises, of which a range of all wagered is stated."""
    stated = Stated("125-204", "10", "15", of_total_wagered=True)
    return rows(ParSheet(tiny_streets(), {"ante": stated}, Method(dice)), "ante")


def rows(sheet: ParSheet, *names: str, letter: str | None = None) -> list[SheetRow]:
    return [row for block in sheet.rows(names, letter) for row in block]


# ---------------------------------------------------------------- which rows


@pytest.mark.parametrize(
    ("chapter", "wagers"),
    [
        ("pa679a", ["prime", "pair_bonus", "all_six", "ante"]),
        ("pa682a", ["prime", "aces_bonus", "all_six", "ante"]),
        ("pa683a", ["pocket", "board", "lo_ball", "all_six", "ante"]),
        ("md4cp", ["aces_up", "six_card", "progressive", "ante"]),
    ],
)
def test_every_wager_with_a_stake_before_the_deal_has_odds(chapter: str, wagers: list[str]) -> None:
    assert list(sheet(chapter).wagers()) == wagers


def test_what_takes_long_comes_last() -> None:
    assert sheet("pa641a").wagers()[-3:] == ("bad_beat", "hand_bonus_dealer", "ante")


@pytest.mark.parametrize(
    ("chapter", "wager", "letters"),
    [
        ("pa679a", "ante", "ABCD"),
        ("pa679a", "pair_bonus", "ABCD"),
        ("pa683a", "ante", "ABC"),
        ("pa682a", "aces_bonus", "ABCDEFGH"),
    ],
)
def test_a_wager_has_the_letters_of_the_table_an_operator_chooses(
    chapter: str, wager: str, letters: str
) -> None:
    assert sheet(chapter).letters(wager) == tuple(letters)


@pytest.mark.parametrize(("chapter", "wager"), [("pa641a", "ante"), ("md4cp", "ante"), ("pa679a", "prime")])
def test_a_wager_without_a_choice_has_the_only_one(chapter: str, wager: str) -> None:
    assert sheet(chapter).letters(wager) == ("only",)


def test_a_wager_that_is_none_is_refused() -> None:
    with pytest.raises(OddsError, match=r"E-ODDS-001 WAGER: there is no wager 'raise' .* prime aces_bonus"):
        sheet("pa682a").verify("raise")


def test_a_letter_that_is_none_is_refused() -> None:
    sheet("pa682a").verify("prime", "B")
    with pytest.raises(OddsError, match=r"E-ODDS-002 --paytable: paytable 'C' .* prime, which are A B"):
        sheet("pa682a").verify("prime", "C")


def test_a_reading_has_a_row_where_it_changes_a_figure() -> None:
    found = [(row.paytable, row.reading) for row in rows(sheet("md4cp"), "progressive")]
    assert found[:2] == [
        ("A", "default"),
        ("B", "default"),
    ]  # four-card hands know no lowest five-card straight
    assert [reading for letter, reading in found if letter == "C"] == [
        "default",
        "wheel5=no",
        "md_envy_c=royal",
    ]
    assert [reading for letter, reading in found if letter == "F"] == ["default", "wheel5=no"]


def test_one_letter_alone() -> None:
    found = rows(sheet("pa682a"), "aces_bonus", "all_six", letter="B")
    assert {row.paytable for row in found} == {"B"}
    assert {row.reading for row in found} == {"default", "wheel5=no", "aces_bonus=four"}


def test_the_default_readings_alone() -> None:
    found = rows(sheet("pa683a", default_only=True), "board")
    assert [(row.paytable, row.reading) for row in found] == [(letter, "default") for letter in "ABCD"]


def test_the_readings_of_a_contest_are_those_that_its_ends_name() -> None:
    found = [reading for reading, _ in sheet("pa682a").variants("ante")]
    assert found == ["default", "tiebreak=highest_card", "win_bonus_tie=no", "win_bonus_for=less_one"]
    assert [reading for reading, _ in sheet("pa679a").variants("ante")][-1] == "bad_beat_play=kept"


def test_679a_ties_by_the_highest_card_change_nothing_and_have_no_row() -> None:
    found = {row.reading for row in rows(sheet("pa679a"), "ante")}
    assert found == {"default", "bad_beat_play=kept"}


def test_each_way_of_comparing_hands_is_counted_once() -> None:
    stages: list[str] = []
    found = rows(small_sheet(stages), "bad_beat", "hand_bonus_dealer", "ante")
    assert stages.count("the player's hands: 169") == 2
    assert stages.count("the dealer's hands: 14") == 2
    assert stages.count("folded hands: 200") == 1
    kept = [(row.wager, row.reading) for row in found]  # between two cards the literal order is the same
    assert kept == [
        ("bad_beat", "default"),
        ("hand_bonus_dealer", "default"),
        ("hand_bonus_dealer", "fold_unlisted=forfeit"),
        ("ante", "default"),
        ("ante", "ante_bonus_losing=no"),
    ]


def test_a_sheet_is_the_same_again() -> None:
    assert rows(small_sheet(), "ante", "hand_bonus_dealer") == rows(
        small_sheet(), "ante", "hand_bonus_dealer"
    )


# ---------------------------------------------------------------- figures


def test_the_figures_of_a_contest_with_a_card_shown() -> None:
    (row,) = (row for row in rows(small_sheet(), "ante") if row.reading == "default")
    figures = row.figures
    assert figures.played is not None
    assert figures.suit is not None
    assert float(figures.hold) == pytest.approx(float(figures.played.hold) - figures.suit.gain.mean)
    assert float(figures.wagered) == pytest.approx(float(figures.played.wagered) + figures.suit.more_wagered)
    assert figures.error == figures.suit.gain.error
    assert figures.hold_per_total_pct == figures.hold_pct / figures.wagered


def test_641a_11b_a_fold_that_forfeits_the_wager_on_the_dealers_hand_costs_it() -> None:
    """F1."""
    default, forfeit = rows(small_sheet(), "hand_bonus_dealer")
    assert forfeit.figures.hold > default.figures.hold
    assert forfeit.figures.error is not None
    assert default.figures.error is None


def test_683a_a_statement_may_be_about_all_that_is_wagered() -> None:
    """S1: the required wagers of 125-204."""
    (row,) = streets_rows()
    total, alone = row.figures.hold_per_total_pct, row.figures.hold_pct
    assert total < alone
    assert row.stated is not None
    assert row.agrees
    assert row.stated.agrees(total)
    assert not row.stated.agrees(alone)


def test_nothing_is_stated_of_641a() -> None:
    found = rows(sheet("pa641a"), "aces_up")
    assert {row.agrees for row in found} == {None}
    assert verdict_on(found) is None


def test_682a_12e_the_aces_bonus_follows_only_with_four_cards() -> None:
    """S1, R1."""
    found = block("pa682a", "aces_bonus")
    assert {row.reading for row in found if row.agrees} == {"aces_bonus=four"}
    said = verdict_on(found)
    assert said is not None
    assert "follows only with aces_bonus=four" in said


def test_683a_12c_one_end_of_the_board_bonus_is_nobodys() -> None:
    """S1, P5."""
    said = verdict_on(rows(sheet("pa683a"), "board"))
    assert said is not None
    assert "from no reading" in said
    assert "default: 4 of 4 letters within, but no letter holds 2.14 %" in said


@pytest.mark.parametrize(
    ("chapter", "wager"),
    [
        ("pa682a", "prime"),
        ("pa682a", "all_six"),
        ("pa683a", "lo_ball"),
        ("pa683a", "pocket"),
        ("pa683a", "all_six"),
    ],
)
def test_the_other_stated_ranges_follow_from_the_text(chapter: str, wager: str) -> None:
    assert verdict_on(block(chapter, wager)) is None


# ---------------------------------------------------------------- JSON


def test_a_row_as_json_has_the_fields_of_the_contract() -> None:
    (form,) = [row_json(row) for row in rows(sheet("pa683a"), "pocket", letter="A")]
    assert list(form)[:7] == ["wager", "paytable", "reading", "hold_pct", "stated", "agrees", "exact"]
    assert form["hold_pct"] == 4.524887
    assert (form["stated"], form["agrees"], form["exact"]) == ([4.52, 9.95], True, True)
    assert (form["stated_of"], form["stake_cents"]) == ("stake", 10_000)
    hits = form["hits"]
    assert isinstance(hits, list)
    assert hits[0] == {
        "paytable": "pocket",
        "row": "pair_of_aces",
        "pays": "30 to 1",
        "net": 30.0,
        "chance": 6 / 1326,
        "one_in": 221.0,
    }


def test_a_contest_as_json_says_what_is_wagered_in_all() -> None:
    (row,) = streets_rows()
    form = row_json(row, "a note")
    played = row.figures.played
    assert played is not None
    wanted = {
        "hold_pct": played.hold * 100,
        "hold_per_total_wagered_pct": played.hold / played.wagered * 100,
        "average_total_wager": played.wagered,
        "fold_pct": played.folds * 100,
    }
    assert {name: form[name] for name in wanted} == {
        name: round(float(each), 6) for name, each in wanted.items()
    }
    assert (form["exact"], form["stated_of"], form["note"]) == (True, "total_wagered", "a note")


def test_an_estimate_as_json_gives_its_error() -> None:
    (form,) = [row_json(row) for row in rows(small_sheet(), "ante") if row.reading == "default"]
    assert form["exact"] is False
    assert isinstance(form["standard_error_pct"], float)
    assert form["hold_pct_heeding_rank_alone"] != form["hold_pct"]
    assert "note" not in form


def test_a_progressive_as_json_has_meter_reseed_and_break_even() -> None:
    (form,) = [row_json(row) for row in rows(sheet("pa641a"), "prog4", letter="A")]
    wanted = {
        "reseed_cost_pct": 9.234463,
        "reseed_is_a_minimum": False,
        "primary_rate_pct": 29.0,
        "reserve_rate_pct": 0.0,
        "long_run_hold_pct": 26.832179,
        "break_even_meter_for_1": 35_230.33,
        "envy_pct_per_other_player": 0.804937,
        "stake_cents": 100,
    }
    assert {name: form[name] for name in wanted} == wanted
    assert form["meter"] == [
        {
            "row": "four_aces",
            "level": "main",
            "share_pct": 100.0,
            "chance": 48 / 2_598_960,
            "one_in": 54_145.0,
        }
    ]


def test_a_meter_of_several_levels_has_no_break_even() -> None:
    (form,) = [row_json(row) for row in rows(sheet("md4cp", default_only=True), "progressive", letter="E")]
    assert form["break_even_meter_for_1"] is None
    assert (form["primary_rate_pct"], form["reseed_is_a_minimum"]) == (None, True)


def test_drawn_bonuses_as_json() -> None:
    found = [row_json(row) for row in rows(sheet("pa641a"), "hand_bonus_player")]
    drawn = found[0]["drawn"]
    assert isinstance(drawn, list)
    assert drawn[1] == {
        "name": "lucky_bonus",
        "pays_for_1": 5.0,
        "chance": 0.125,
        "one_in": 8.0,
        "returned_pct_per_draw": 62.5,
    }


def test_a_whole_sheet_as_json() -> None:
    forms = [row_json(row) for row in rows(sheet("pa679a"), "prime", "pair_bonus")]
    whole = sheet_json("pa679a", {"seed": 1}, forms)
    assert list(whole) == ["chapter", "rows", "method"]
    assert all(set(form) >= CONTRACT for form in forms)
