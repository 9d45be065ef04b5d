"""What a figure says of itself, and the table of all."""

import pytest
from figure import Figure, as_table, cells, ratio, ratio_of_medians
from markdown import of_section, put, table
from wiretime import wire_us

LATENCY = Figure("lock", "calls", (3.0, 1.0, 2.0), 2.5, "two cores")
TESTS = Figure("tests", "x", (1.4,), 1.3, at_least=True)
ABSENT = Figure("peer", "ns", (), None, "cannot be installed")


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        (LATENCY, "met"),
        (Figure("lock", "calls", (3.0, 1.0, 2.6), 2.5), "MISSED"),
        (TESTS, "met"),
        (Figure("tests", "x", (1.2,), 1.3, at_least=True), "MISSED"),
        (Figure("peer", "ns", (2.0,)), ""),
        (ABSENT, "not measured"),
    ],
)
def test_the_median_is_held_against_the_goal(figure: Figure, verdict: str) -> None:
    assert figure.verdict == verdict


def test_best_is_the_least_but_where_more_is_better() -> None:
    assert LATENCY.as_json() | {"best": 1.0, "worst": 3.0, "median": 2.0, "samples": 3} == LATENCY.as_json()
    more = Figure("tests", "x", (1.4, 1.6), 1.3, at_least=True).as_json()
    assert (more["best"], more["worst"]) == (1.6, 1.4)


def test_a_ratio_is_of_the_samples_that_were_measured_in_turn() -> None:
    assert ratio("ours / theirs", LATENCY, Figure("other", "calls", (1.0, 2.0, 4.0))).samples == (
        3.0,
        0.5,
        0.5,
    )


def test_a_ratio_of_times_heeds_their_units_and_takes_the_middle_of_the_other() -> None:
    round_us, hand_ns = Figure("round", "us", (120.0, 124.0)), Figure("hand", "ns", (300.0, 400.0, 900.0))

    assert ratio("round / hand", round_us, hand_ns).samples == (400.0, 310.0)
    assert ratio_of_medians("round / hand", round_us, hand_ns, 290.0).samples == (300.0, 310.0)
    assert ratio_of_medians("round / hand", round_us, ABSENT, 290.0).verdict == "not measured"


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s", "%"])
def test_a_time_has_no_goal(unit: str) -> None:
    with pytest.raises(ValueError, match="holds on one machine alone"):
        Figure("lock", unit, (1.0,), 2.5)
    assert Figure("lock", unit, (1.0,)).verdict == ""


def test_the_table_has_every_figure_its_verdict_and_its_note() -> None:
    lines = as_table([("the lock", [LATENCY, TESTS]), ("peers", [ABSENT])]).splitlines()

    assert lines[1] == "the lock"
    assert lines[2].split() == [
        "lock",
        *["2.50", "calls", "2.00", "calls", "1.00", "calls", "3.00", "calls", "met"],
    ]
    assert lines[3].split() == ["tests", ">=", "1.30", "x", "1.40", "x", "1.40", "x", "1.40", "x", "met"]
    assert lines[5].split() == ["peer", "not", "measured"]
    assert lines[-2:] == ["  lock: two cores", "  peer: cannot be installed"]


def test_what_has_no_goal_shows_none() -> None:
    assert (
        cells(Figure("tests", "x", (1.4,), at_least=True))[1] == cells(Figure("hand", "ns", (1.4,)))[1] == ""
    )


def test_a_note_that_several_figures_have_stands_once() -> None:
    late = Figure("late lock", "calls", (9.0,), 2.5, "two cores")

    assert as_table([("the lock", [LATENCY, late])]).count("two cores") == 1


def test_the_page_has_the_same_and_a_shared_note_once() -> None:
    late = Figure("late lock", "calls", (9.0,), 2.5, "two cores")
    text = of_section("the lock", [LATENCY, late])

    assert "| lock | 2.50 calls | 2.00 calls | 1.00 calls | 3.00 calls | met |" in text
    assert "| 9.00 calls | **missed** |" in text
    assert text.count("two cores") == 1


def test_a_part_of_the_page_is_written_and_the_rest_is_left() -> None:
    page = "before\n<!-- begin locks -->\nold\n<!-- end locks -->\nafter\n"

    assert put(page, "locks", "new") == "before\n<!-- begin locks -->\n\nnew\n<!-- end locks -->\nafter\n"
    assert put(put(page, "locks", "new"), "locks", "old") == put(page, "locks", "old")
    with pytest.raises(ValueError, match="'keys' is marked"):
        put(page, "keys", "new")


def test_numbers_stand_to_the_right() -> None:
    assert table(("a", "b"), [("x", "1")]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_a_byte_on_a_wire_is_ten_bits() -> None:
    assert round(wire_us(1, 115_200), 1) == 86.8
    assert round(wire_us(8, 4_800)) == 16_667
