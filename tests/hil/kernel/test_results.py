"""What the machines said: read from a console, held against what was wanted, and told to people and machines."""

import json

from sabot.hil.kernel.inside.report import NotAsExpectedError, expect, run
from sabot.hil.kernel.results import (
    PartResult,
    RigPart,
    as_json,
    as_table,
    is_good,
    result_of,
    results_of,
    with_silent,
)

GOOD = PartResult("pads-cut", is_good=True, seconds=0.5, words="0.01 s")


def test_a_result_is_found_anywhere_in_a_line_of_a_console() -> None:
    assert result_of("RIG-RESULT pads-cut ok 0.50 0.01 s\r") == GOOD
    assert result_of("[   15.15] python[217]: RIG-RESULT pads-cut ok 0.50 0.01 s") == GOOD
    assert result_of("RIG-RESULT lines-keys fail 12.00") == PartResult("lines-keys", False, 12.0, "")


def test_other_lines_are_none() -> None:
    for line in (
        "",
        "RIG 4.65 exit=0",
        "RIG-RESULT pads-cut maybe 0.5",
        "RIG-RESULT pads-cut ok",
        "pads-cut ok",
    ):
        assert result_of(line) is None
    assert results_of(["noise", "RIG-RESULT pads-cut ok 0.50 0.01 s", "more"]) == [GOOD]


def test_a_check_that_said_nothing_has_failed() -> None:
    found = with_silent([GOOD], ("pads-cut", "pads-stall"))

    assert found == [GOOD, PartResult("pads-stall", False, 0.0, "said nothing")]


def test_a_part_is_good_only_with_checks_that_all_held_and_no_trouble() -> None:
    bad = GOOD._replace(is_good=False)

    assert RigPart("pads", 1.0, [GOOD]).is_good
    assert not RigPart("pads", 1.0, []).is_good
    assert not RigPart("pads", 1.0, [GOOD, bad]).is_good
    assert not RigPart("pads", 1.0, [GOOD], "the machine went off").is_good
    assert is_good([RigPart("pads", 1.0, [GOOD])])
    assert not is_good([])
    assert not is_good([RigPart("pads", 1.0, [GOOD]), RigPart("lines", 1.0, [bad])])


def test_the_table_shows_the_words_of_a_failure_whole() -> None:
    long = "x" * 300
    good, bad = GOOD._replace(words=long), GOOD._replace(name="bad", is_good=False, words=long)

    told = as_table([RigPart("pads", 61.4, [good, bad], "went off")])

    assert told.splitlines()[0] == "FAIL pads (61 s)"
    assert f"{long[:100]}..." in told
    assert long in told
    assert told.endswith("went off")


def test_the_json_has_everything() -> None:
    told = json.loads(as_json([RigPart("pads", 1.25, [GOOD], "went off")], {"kernel": "7.2"}))

    assert told["about"] == {"kernel": "7.2"}
    assert told["good"] is False
    (part,) = told["parts"]
    assert part["trouble"] == "went off"
    assert part["checks"] == [{"name": "pads-cut", "is_good": True, "seconds": 0.5, "words": "0.01 s"}]


def test_what_is_said_inside_is_what_is_read_outside(capsys: object) -> None:
    def bad() -> str:
        expect("keys", 12, 13)
        return "never"

    code = run({"lines-keys": bad, "lines-bounce": lambda: "7\nbounces", "lines-quiet": lambda: None})
    said = results_of(capsys.readouterr().out.splitlines())  # type: ignore[attr-defined]

    assert code == 1
    assert [(each.name, each.is_good) for each in said] == [
        ("lines-keys", False),
        ("lines-bounce", True),
        ("lines-quiet", True),
    ]
    assert said[0].words == f"{NotAsExpectedError.__name__}: keys: 13 was expected, 12 came"
    assert said[1].words == "7 bounces"


def test_no_checks_at_all_are_no_success() -> None:
    assert run({}) == 1
