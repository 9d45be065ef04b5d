"""``sabot par`` as a person calls it. The counts that take long are called once each, and all their rows looked at."""

import json
import os
import random
from fractions import Fraction
from functools import cache
from io import StringIO
from typing import Any

import pytest

from calling import Answer, sabot
from sabot.config import load_chapter
from sabot.desk.commands.par import _dice
from sabot.desk.par_table import footer, wager_table
from sabot.firmware.progress_bar import ProgressBar
from sabot.rules.odds.estimate import Estimate, SuitWorth
from sabot.rules.odds.figures import SheetRow, of_contest
from sabot.rules.odds.strategy import Played

CONTRACT = ["wager", "paytable", "reading", "hold_pct", "stated", "agrees"]

Row = dict[str, Any]


@cache
def par(*words: str) -> Answer:
    return sabot("par", *words, patience_s=600)


def rows(*words: str) -> dict[tuple[str, str, str], Row]:
    """The rows of a sheet by wager, letter and reading."""
    answer = par(*words, "--json")
    assert (answer.code, answer.err) == (0, "")
    found = json.loads(answer.out)["rows"]
    return {(row["wager"], row["paytable"], row["reading"]): row for row in found}


# ---------------------------------------------------------------- the figures


def test_641a_the_whole_sheet_by_the_default_readings() -> None:
    found = rows("pa641a", "--default-only", "--rounds", "3000")
    ante = found["ante", "only", "default"]
    assert ante["exact"] is False
    # P1: the published edge is 2.79 %.
    assert ante["hold_pct"] == pytest.approx(2.788, abs=4 * ante["standard_error_pct"])
    assert 0 < ante["standard_error_pct"] < 0.01
    assert ante["hold_pct_heeding_rank_alone"] == pytest.approx(2.809072, abs=1e-6)
    # F1: full enumeration without folds.
    assert found["bad_beat", "A", "default"]["hold_pct"] == pytest.approx(19.472194, abs=1e-6)
    assert found["bad_beat", "A", "default"]["exact"] is True
    assert found["bad_beat", "B", "default"]["hold_pct"] == pytest.approx(21.381956, abs=1e-6)
    assert {row["stated"] for row in found.values()} == {None}
    assert len(found) == 6 + 2 + 4 + 1 + 5 + 2 + 1 + 1


@pytest.mark.skipif(not os.environ.get("SABOT_EXHAUSTIVE"), reason="slow: make walks")
def test_682a_the_required_wagers_of_one_letter_by_every_reading() -> None:
    found = rows("pa682a", "ante", "--paytable", "A")
    holds = {reading: row["hold_pct"] for (_, _, reading), row in found.items()}
    assert {row["exact"] for row in found.values()} == {True}
    assert holds["default"] == pytest.approx(3.293453, abs=1e-6)
    assert holds["win_bonus_tie=no"] == pytest.approx(3.293806, abs=1e-6)
    assert holds["win_bonus_for=less_one"] == pytest.approx(5.592072, abs=1e-6)
    assert holds["tiebreak=highest_card"] > 8
    agrees = {reading: row["agrees"] for (_, _, reading), row in found.items()}
    # S1: none of it follows from the text; "for 1" less one comes as near as the high end.
    assert [reading for reading, each in agrees.items() if each] == ["win_bonus_for=less_one"]
    less_one = found["ante", "A", "win_bonus_for=less_one"]
    assert round(less_one["hold_per_total_wagered_pct"], 2) == 2.63
    assert {row["exact"] for row in found.values()} == {True}


def test_683a_the_whole_sheet() -> None:
    found = rows("pa683a")
    ante = {letter: found["ante", letter, "default"] for letter in "ABC"}
    assert [ante[letter]["hold_pct"] for letter in "ABC"] == [4.914858, 15.232862, 14.105658]
    assert [ante[letter]["hold_per_total_wagered_pct"] for letter in "ABC"] == [1.369128, 4.283975, 3.922774]
    assert all(row["agrees"] for (_, _, reading), row in found.items() if reading == "default")
    assert {row["exact"] for row in found.values()} == {True}
    noted = {wager for (wager, _, _), row in found.items() if "note" in row}
    assert noted == {"board"}


def test_679a_the_required_wagers() -> None:
    found = rows("pa679a", "ante")
    holds = [found["ante", letter, "default"]["hold_pct"] for letter in "ABCD"]
    assert holds == [4.515549, 3.896351, 4.653913, 4.034715]
    assert {reading for _, _, reading in found} == {"default", "bad_beat_play=kept"}


# ---------------------------------------------------------------- the form


def test_rows_have_the_fields_of_the_contract_in_its_order() -> None:
    answer = json.loads(par("pa682a", "aces_bonus", "--json").out)
    assert list(answer)[:2] == ["chapter", "rows"]
    assert answer["chapter"] == "pa682a"
    for row in answer["rows"]:
        assert list(row)[:6] == CONTRACT
    assert {row["agrees"] for row in answer["rows"]} == {True, False}
    assert all("follows only with aces_bonus=four" in row["note"] for row in answer["rows"])


def test_one_letter_has_no_note_on_a_range_over_all_letters() -> None:
    (row,) = rows("pa683a", "board", "--paytable", "A", "--default-only").values()
    assert row["agrees"] is True
    assert "note" not in row


def test_a_letter_alone_asks_for_every_wager_that_has_it() -> None:
    found = rows("pa679a", "--paytable", "E")
    assert {wager for wager, _, _ in found} == {"all_six"}


def test_the_stake_weighs_fixed_sums() -> None:
    (row,) = rows("md4cp", "six_card", "--paytable", "A", "--default-only", "--stake", "100").values()
    assert (row["stake_cents"], row["hold_pct"]) == (100, pytest.approx(12.990, abs=0.001))


def test_the_same_seed_gives_the_same_dice() -> None:
    drawn = [
        _dice(seed, name).random() for seed, name in ((1, "suit"), (1, "suit"), (2, "suit"), (1, "folded"))
    ]
    assert drawn[0] == drawn[1] == random.Random("1 suit").random()
    assert len(set(drawn)) == 3


# ---------------------------------------------------------------- for people


def test_for_people_letters_are_columns_and_readings_rows() -> None:
    out = par("pa682a", "aces_bonus").out
    lines = out.splitlines()
    assert lines[0] == "58 Pa. Code ch. 682a Four Card Prime"
    assert "stated: 1.11 to 6.6 % (125-204, preamble, Four Card Prime)" in out
    default = next(line for line in lines if line.startswith("  default"))
    assert default.split()[1:] == [
        "46.319!",
        "47.189!",
        "45.830!",
        "46.712!",
        "47.593!",
        "56.179!",
        "52.058!",
        "49.742!",
    ]
    assert next(line for line in lines if "aces_bonus=four" in line).split()[1] == "1.106"
    assert "Note: the stated 1.11 to 6.6 % follows only with aces_bonus=four" in out
    assert "! is outside the stated range." in " ".join(out.split())
    assert max(map(len, lines)) <= 105


def test_for_people_one_letter_shows_its_rows() -> None:
    out = par("pa679a", "pair_bonus", "--paytable", "B").out
    assert "Straight flush, with the bonus card" in out
    assert "60 to 1" in out
    assert "outside the stated range" not in out


def test_for_people_a_progressive_shows_its_meter() -> None:
    out = par("md4cp", "progressive").out
    assert "even at a meter of, for 1" in out
    assert "Meter: four-of-a-kind once in 4,165 hands." in out
    assert "The operator names rates and resets" in out
    wheel = next(line for line in out.splitlines() if "wheel5=no" in line)
    assert wheel.split()[1:3] == ["-", "-"]  # A and B pay four-card hands


def test_for_people_fixed_sums_name_their_stake_and_drawn_bonuses_their_return() -> None:
    assert "Fixed sums are weighed against a stake of $5." in par("md4cp", "six_card").out
    assert "Magic Card, when drawn: 9.615 % of draws hit, 192.3 %" in par("pa641a", "hand_bonus_player").out


def test_for_people_an_estimate_shows_its_error() -> None:
    suit = SuitWorth(Estimate(0.0002, 0.00003), 0.001)
    played = Played(Fraction(28, 1000), Fraction(2), Fraction(1, 2))
    rows = [
        SheetRow("ante", "only", "default", of_contest(played, suit)),
        SheetRow("ante", "only", "tiebreak=highest_card", of_contest(played)),
    ]
    lines = wager_table(load_chapter("pa641a"), rows, None).splitlines()
    said = [line.split() for line in lines]
    assert ["default", "2.780"] in said
    assert ["±", "0.003"] in said
    assert said.count(["±", "0.003"]) == 1
    assert ["heeding", "the", "rank", "alone", "2.800"] in said
    assert "± is one standard error, from 200 hands drawn with seed 7." in " ".join(
        footer(rows, 200, 7).split()
    )


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pa999",), "E-CONF-009"),
        (("pa682a", "raise"), "E-ODDS-001 WAGER: there is no wager 'raise' to reckon"),
        (
            ("pa682a", "prime", "--paytable", "C"),
            "E-ODDS-002 --paytable: paytable 'C' is not among those of prime",
        ),
        (("pa682a", "--paytable", "Z"), "E-ODDS-002"),
        (("pa682a", "--rounds", "1"), "E-CLI-003 --rounds: '1' is not a whole number from 2"),
        (("pa682a", "--seed", "x"), "E-CLI-003 --seed"),
        (("pa682a", "--stake", "0"), "E-CLI-003 --stake"),
    ],
)
def test_a_wrong_order_is_refused_with_one_message(words: tuple[str, ...], said: str) -> None:
    answer = par(*words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_help_teaches() -> None:
    answer = par("--help")
    assert answer.code == 0
    for word in ("--rounds", "--seed", "--paytable", "examples:", "sabot par pa682a aces_bonus"):
        assert word in answer.out


# ---------------------------------------------------------------- progress


class Terminal(StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_a_bar_moves_where_a_person_looks_at_it_and_makes_way_when_done() -> None:
    terminal = Terminal()
    tick = ProgressBar(terminal).stage("the dealer's hands", 200)
    for _ in range(199):
        tick(1)
    shown = terminal.getvalue().split("\r")
    assert shown[-1].startswith("the dealer's hands")
    assert shown[-1].endswith(" 99 %")
    assert len(shown) == 100
    tick(1)
    assert terminal.getvalue().endswith(" \r")
    assert terminal.getvalue().split("\r")[-2].strip() == ""


def test_nothing_is_written_where_nobody_looks() -> None:
    stream = StringIO()
    ProgressBar(stream).stage("the dealer's hands", 2)(2)
    assert stream.getvalue() == ""
