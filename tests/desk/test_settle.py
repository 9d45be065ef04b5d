import copy
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from calling import sabot

CASES = Path(__file__).resolve().parents[1] / "data" / "cases"
Json = dict[str, Any]


def case(chapter: str, number: int) -> Json:
    line = (CASES / f"{chapter}.jsonl").read_text(encoding="utf-8").splitlines()[number - 1]
    found: Json = json.loads(line)
    return found


ROUND = case("pa641a", 2)["round"]


def test_a_worked_round_as_json_has_the_outcome_of_the_contract() -> None:
    wanted = case("pa641a", 2)["outcome"]

    answer = sabot("settle", "--json", stdin=json.dumps(ROUND))

    assert answer.code == 0
    outcome = json.loads(answer.out)
    lines = [{key: line[key] for key in wanted["lines"][0]} for line in outcome["lines"]]
    assert lines == wanted["lines"]
    assert {key: outcome[key] for key in wanted if key != "lines"} == {
        key: wanted[key] for key in wanted if key != "lines"
    }


def test_a_line_says_in_a_sentence_what_was_paid() -> None:
    answer = sabot("settle", "--json", stdin=json.dumps(ROUND))

    says = [line.get("says") for line in json.loads(answer.out)["lines"]]
    assert "Four-of-a-kind pays 25 to 1" in says
    assert "Four aces pays 100% of meter" in says


def test_for_people_there_is_a_table_with_sums_and_paragraphs(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(ROUND, indent=2))

    answer = sabot("settle", str(file))

    assert answer.code == 0
    for words in (
        "58 Pa. Code ch. 641a",
        "A♠ A♥ A♦ A♣",
        "$12,345.67",
        "[641a.12(b)]",
        "folded",
        "(was $12,345.67)",
    ):
        assert words in answer.out


def test_a_void_round_is_said_to_be_void() -> None:
    answer = sabot("settle", stdin=json.dumps(case("pa679a", 6)["round"]))

    assert "THE ROUND IS VOID under 679a.13(a): every wager goes back" in answer.out


def test_a_void_contest_says_what_is_still_settled() -> None:
    answer = sabot("settle", stdin=json.dumps(case("pa682a", 8)["round"]))

    assert "optional wagers are settled" in answer.out


def test_a_cut_payment_says_so() -> None:
    answer = sabot("settle", stdin=json.dumps(case("pa679a", 4)["round"]))

    assert "cut from $50,000 by the payout limit" in answer.out


def test_an_unknown_stake_is_shown_as_odds() -> None:
    round_ = copy.deepcopy(ROUND)
    round_["seats"][1]["wagers"]["ante"] = None
    round_["seats"][1]["decision"]["play"] = None

    people = sabot("settle", stdin=json.dumps(round_))
    lines = json.loads(sabot("settle", "--json", stdin=json.dumps(round_)).out)["lines"]

    assert "and what the unknown stakes win" in people.out
    assert lines[0]["odds"] == "1 to 1"
    assert lines[0]["paid"] is None


def test_a_stream_is_answered_in_order_and_a_bad_line_spoils_only_itself() -> None:
    bad = ROUND | {"dealer": ["As"]}
    stream = "\n".join([json.dumps(ROUND), json.dumps(bad), "{oops}", "", json.dumps(ROUND)])

    answer = sabot("settle", "--json", stdin=stream)

    assert answer.code == 2
    lines = [json.loads(line) for line in answer.out.splitlines()]
    assert ["error" in line for line in lines] == [False, True, True, False]
    assert lines[0] == lines[3]
    assert len(answer.err.splitlines()) == 2
    assert "line 2" in answer.err


def test_a_stream_for_people_says_which_line_was_refused() -> None:
    answer = sabot("settle", stdin=json.dumps(ROUND) + "\n{oops}\n")

    assert answer.code == 2
    assert "line 2: refused" in answer.out


def test_a_stream_that_begins_badly_is_still_a_stream() -> None:
    answer = sabot("settle", "--json", stdin="oops\n" + json.dumps(ROUND) + "\n")

    assert answer.code == 2
    assert len(answer.out.splitlines()) == 2


def test_each_line_is_answered_before_the_next_is_read() -> None:
    command = [sys.executable, "-Im", "sabot", "settle", "--json"]
    line = json.dumps(ROUND).encode() + b"\n"
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            os.write(process.stdin.fileno(), line)
            assert json.loads(process.stdout.readline())["settle_order"] == [2, 1]
        process.stdin.close()

    assert process.returncode == 0


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        ({"chapter": "pa999z"}, "pa999z"),
        ({"colour": "red"}, "'colour'"),
        ({"dealer": ["5s", "5c", "8h", "Jd", "Td"]}, "dealer"),
        ({"seats": []}, "seats"),
        ({"options": {"paytables": {"aces_up": "Z"}}}, "options.paytables.aces_up"),
    ],
)
def test_a_round_that_cannot_be_is_refused_with_one_message(spoil: Json, place: str) -> None:
    answer = sabot("settle", "--json", stdin=json.dumps(ROUND | spoil))

    assert answer.code == 2
    assert answer.out == ""
    assert len(answer.err.splitlines()) == 1
    assert place in answer.err


@pytest.mark.parametrize("text", ["", "nonsense", "[1, 2", "3", '{"chapter": NaN}', "[" * 100_000])
def test_input_that_is_no_round_is_refused_without_a_traceback(text: str) -> None:
    answer = sabot("settle", "--json", stdin=text)

    assert answer.code == 2
    assert answer.out == ""
    assert "Traceback" not in answer.err


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "noise"
    file.write_bytes(bytes(range(256)))

    answer = sabot("settle", str(file))

    assert answer.code == 2
    assert "E-CLI-002" in answer.err


def test_a_file_that_is_not_there_is_refused() -> None:
    answer = sabot("settle", "nowhere.json")

    assert answer.code == 2
    assert "E-CLI-001 nowhere.json: No such file" in answer.err


def test_another_reading_from_the_command_line_goes_before_the_rounds_own() -> None:
    round_ = case("pa682a", 2)["round"]
    round_["seats"][0]["cards"] = ["2h", "5h", "9h", "Jh", "Kd"]

    text = json.loads(sabot("settle", "--json", stdin=json.dumps(round_)).out)
    four = json.loads(sabot("settle", "--json", "--reading", "aces_bonus=four", stdin=json.dumps(round_)).out)

    assert text["lines"][1]["result"] == "lose"
    assert four["lines"][1]["row"] == "flush"
    assert text["readings"] == {"aces_bonus": "five"}
    assert four["readings"] == {"aces_bonus": "four"}


@pytest.mark.parametrize("text", ["aces_bonus", "=four", "aces_bonus="])
def test_a_reading_is_written_name_equals_value(text: str) -> None:
    answer = sabot("settle", "--reading", text, stdin=json.dumps(ROUND))

    assert answer.code == 2
    assert "E-CLI-003" in answer.err


def test_a_reading_that_the_chapter_does_not_have_is_refused() -> None:
    answer = sabot("settle", "--reading", "aces_bonus=four", stdin=json.dumps(ROUND))

    assert answer.code == 2
    assert "E-HOUSE-003" in answer.err
