"""A device that is wrong in one thing is found by the check of that thing, and by no other."""

from collections.abc import Callable
from typing import Any

import pytest

from sabot.hil.conformance.conventions import KINDS
from sabot.hil.conformance.record import NOT_TRIED, WRONG, Record
from sabot.hil.conformance.run import ConformanceCheck, run_checks
from sabot.hil.simulators.sabot_link import Machine
from sabot.hil.simulators.sabot_link.link import DeviceLink

from . import (
    broken_accounts,
    broken_displays,
    broken_inside,
    broken_link,
    broken_pads,
    broken_serial,
    broken_story,
)
from .broken_link import with_link
from .virtual import Clock, kit_for, run_whole

DEVICES = {
    "sabot-link": {**broken_link.DEVICES, **broken_inside.DEVICES, **broken_story.DEVICES},
    "sabot-accounts": broken_accounts.DEVICES,
    "sabot-pads": broken_pads.DEVICES,
    "angel-eye": broken_serial.SHOES,
    "alpha": broken_serial.SIGNS,
    "escpos": broken_displays.DISPLAYS,
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


def test_a_device_that_doubles_every_frame_gets_a_judgement_and_no_traceback() -> None:
    results = run_whole(kit_for("sabot-link", with_link(broken_inside.Doubled)), "sabot-link")

    assert len(results) == len(KINDS["sabot-link"].checks)
    wrong = {each.name for each in results if each.outcome == WRONG}
    assert "link.events" in wrong or len(wrong) > 3


def test_a_device_that_says_what_nobody_can_read_gets_a_judgement_too() -> None:
    def stumbles(_kit: Any) -> None:
        raise KeyError("digest")

    kit = kit_for("sabot-link", broken_link.with_link(DeviceLink))
    (result,) = run_checks(kit, [ConformanceCheck("link.x", "x", "x", stumbles)], lambda *_: None)
    assert (result.outcome, result.words) == (
        WRONG,
        "nothing can be made of what it said: KeyError('digest')",
    )


def test_a_session_that_dies_ends_its_check_at_once() -> None:
    class DiesInTheCycle(Machine):
        """Its link is dead from the first card on, for as long as the cycle takes."""

        def _next_card(self, now: float) -> None:
            self.link.session = 0  # type: ignore[union-attr]
            super()._next_card(now)

    results = run_whole(kit_for("sabot-link", broken_link.with_machine(DiesInTheCycle)), "sabot-link")
    (shuffle,) = (each for each in results if each.name == "link.shuffle")
    assert shuffle.outcome == WRONG
    assert shuffle.seconds < 10
