"""A device that is wrong in one thing is found by the check of that thing, and by no other."""

from collections.abc import Callable
from typing import Any

import pytest

from sabot.hil.conformance.conventions import KINDS
from sabot.hil.conformance.record import NOT_TRIED, WRONG, Record

from . import broken_link, broken_pads, broken_serial
from .virtual import Clock, kit_for, run_whole

DEVICES = {
    "sabot-link": broken_link.DEVICES,
    "sabot-pads": broken_pads.DEVICES,
    "angel-eye": broken_serial.SHOES,
    "alpha": broken_serial.SIGNS,
}
ROWS = [
    (convention, words, make, check)
    for convention, devices in DEVICES.items()
    for words, (make, check) in devices.items()
]


def test_every_check_has_a_device_that_only_it_finds() -> None:
    found = {check for devices in DEVICES.values() for _, check in devices.values()}

    assert found == {check.name for kind in KINDS.values() for check in kind.checks}


@pytest.mark.parametrize(
    ("convention", "words", "make", "check"), ROWS, ids=[f"{row[0]}: {row[1]}" for row in ROWS]
)
def test_a_broken_device_is_caught_by_the_check_that_should(
    convention: str, words: str, make: Callable[[Clock], Any], check: str
) -> None:
    results = run_whole(kit_for(convention, make), convention)

    wrong = [each for each in results if each.outcome == WRONG]
    assert [each.name for each in wrong] == [check], [(each.name, each.words) for each in wrong]
    assert wrong[0].words
    assert wrong[0].section
    record = Record(convention, "", "", "", results=results)
    assert record.verdict == "to fix", words
    behind = [each for each in results if each.outcome == NOT_TRIED]
    assert all(check in each.words for each in behind)
