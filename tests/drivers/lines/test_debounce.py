"""Debounce against written-down bounces, and against what nobody wrote down."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.lines.debounce import BounceRule, Change, Contact, changes, debounce, look_again_at

SETTLED, EAGER = BounceRule(0.008), BounceRule(0.03, is_eager=True)
OFF = Contact(level=False)
RECORDED = json.loads((Path(__file__).parents[1] / "vectors/bounces.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("each", RECORDED["recordings"], ids=lambda each: each["name"])
@pytest.mark.parametrize("rule", [SETTLED, EAGER], ids=["settled", "eager"])
def test_a_bounce_is_what_the_hand_did(each: dict[str, list[list[float]]], rule: BounceRule) -> None:
    pairs = [(at / 1000, bool(level)) for at, level in each["edges_ms"]]

    found = changes(rule, OFF, pairs)

    wanted = each["settled_ms" if rule is SETTLED else "eager_ms"]
    assert [(round(change.at * 1000, 3), int(change.level)) for change in found] == [
        tuple(pair) for pair in wanted
    ]


def test_the_first_touch_of_an_eager_line_counts_at_once() -> None:
    contact, change = debounce(EAGER, OFF, 5.0, level=True)

    assert change == Change(5.0, level=True)
    assert look_again_at(EAGER, contact) == 5.03
    assert debounce(EAGER, contact, 5.001, level=False)[1] is None
    assert debounce(EAGER, contact, 5.03, level=False)[1] == Change(5.03, level=False)


def test_a_settled_line_waits_and_tells_the_first_moment() -> None:
    contact, change = debounce(SETTLED, OFF, 5.0, level=True)

    assert change is None
    due = look_again_at(SETTLED, contact)
    assert due is not None
    contact, change = debounce(SETTLED, contact, due, level=True)
    assert change == Change(5.0, level=True)
    assert look_again_at(SETTLED, contact) is None


def test_a_spike_on_a_settled_line_is_nothing() -> None:
    assert changes(SETTLED, OFF, [(1.0, True), (1.002, False)]) == []


def test_a_quiet_line_wants_no_look() -> None:
    assert look_again_at(SETTLED, OFF) is None
    assert debounce(SETTLED, OFF, 1.0, level=False) == (OFF, None)


edges = st.lists(st.tuples(st.floats(0, 10, allow_nan=False), st.booleans()), max_size=40).map(sorted)


@given(edges, st.sampled_from([SETTLED, EAGER]))
def test_changes_alternate_in_time_and_end_where_the_line_rests(
    pairs: list[tuple[float, bool]], rule: BounceRule
) -> None:
    found = changes(rule, OFF, pairs)

    assert [each.level for each in found] == [at % 2 == 0 for at in range(len(found))]
    assert [each.at for each in found] == sorted(each.at for each in found)
    assert (found[-1].level if found else False) == (pairs[-1][1] if pairs else False)


@given(edges, st.sampled_from([SETTLED, EAGER]))
def test_no_two_changes_are_closer_than_a_bounce(pairs: list[tuple[float, bool]], rule: BounceRule) -> None:
    times = [each.at for each in changes(rule, OFF, pairs)]

    assert all(later - earlier >= rule.settle_s - 1e-9 for earlier, later in pairwise(times))


@given(edges, st.sampled_from([SETTLED, EAGER]))
def test_a_look_is_never_asked_for_in_the_past(pairs: list[tuple[float, bool]], rule: BounceRule) -> None:
    contact = OFF
    for at, level in pairs:
        contact, _ = debounce(rule, contact, at, level=level)
        due = look_again_at(rule, contact)
        assert due is None or due > at - rule.settle_s
        assert not (rule.is_eager and due is not None and due <= at)
