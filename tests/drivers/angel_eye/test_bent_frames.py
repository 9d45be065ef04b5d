"""What the check of eight bits lets through, counted in every place there is: the figures of the page."""

from collections import Counter

import pytest

from .bent_frames import all_flips, judged, outcome


@pytest.mark.parametrize("count", [1, 2])
def test_flips_in_every_place(count: int) -> None:
    wanted = {1: {"gap": 64}, 2: {"gap": 1991, "right": 9, "no card": 5, "wrong card": 11}}[count]
    assert judged(all_flips(count), copies=1) == Counter(wanted)


@pytest.mark.parametrize("count", [1, 2])
def test_with_copies_no_wrong_card_goes_without_a_fault(count: int) -> None:
    found = judged(all_flips(count), copies=3)
    assert found["wrong card"] == found["no card"] == found["other report"] == 0


def test_a_report_that_never_came_is_a_gap() -> None:
    assert outcome(b"") == "gap"
