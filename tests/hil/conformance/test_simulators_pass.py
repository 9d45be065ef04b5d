"""The simulators speak as the pages say: the kit finds nothing, and leaves nothing out."""

import pytest

from sabot.hil.conformance.conventions import KINDS
from sabot.hil.conformance.hands import NoHands
from sabot.hil.conformance.kit import Setting
from sabot.hil.conformance.record import NOT_CLAIMED, NOT_TRIED, PASSED, Record, Result
from sabot.hil.simulators.pads import Build, Pad
from sabot.hil.simulators.sabot_link import Machine, SabotLinkDevice, Who

from .virtual import HONEST, kit_for, run_whole


def names(results: list[Result], outcome: str) -> set[str]:
    return {each.name for each in results if each.outcome == outcome}


def words(results: list[Result]) -> list[tuple[str, str]]:
    return [(each.name, each.words) for each in results if each.outcome != PASSED]


def verdict(results: list[Result]) -> str:
    return Record("", "", "", "", results=results).verdict


@pytest.mark.parametrize("convention", KINDS)
def test_a_simulator_gets_a_certificate(convention: str) -> None:
    results = run_whole(kit_for(convention, HONEST[convention]), convention)

    assert words(results) == []
    assert verdict(results) == "certificate"
    assert len(results) == len(KINDS[convention].checks)


@pytest.mark.parametrize("convention", ["sabot-link", "sabot-pads"])
def test_without_authentication_the_proof_is_not_part_of_the_certificate(convention: str) -> None:
    results = run_whole(kit_for(convention, HONEST[convention], Setting(is_authenticated=False)), convention)

    prefix = "link" if convention == "sabot-link" else "pads"
    assert names(results, NOT_CLAIMED) == {f"{prefix}.{name}" for name in ("enrolled", "proof", "forged")} | (
        {"link.replay"} if prefix == "link" else set()
    )
    assert verdict(results) == "certificate"


@pytest.mark.parametrize("convention", ["sabot-link", "sabot-pads"])
def test_a_key_that_nobody_has_compared_is_not_tried(convention: str) -> None:
    results = run_whole(kit_for(convention, HONEST[convention], Setting()), convention)

    (untried,) = (each for each in results if each.outcome == NOT_TRIED)
    assert untried.name.endswith(".enrolled")
    assert "fingerprint" in untried.words
    assert verdict(results) == "incomplete"


@pytest.mark.parametrize("convention", KINDS)
def test_without_hands_nothing_is_wrong_and_there_is_no_certificate(convention: str) -> None:
    results = run_whole(kit_for(convention, HONEST[convention], hands=NoHands()), convention)

    assert verdict(results) == "incomplete"
    untried = [each for each in results if each.outcome == NOT_TRIED]
    assert len(untried) >= 2
    assert all("--person" in each.words or "link.shuffle" in each.words for each in untried)


def test_a_shuffler_that_counts_and_reads_nothing_is_certified_for_that() -> None:
    who = Who(kind=1, capabilities=1 | 4)
    make = lambda _: SabotLinkDevice(who, Machine(speed=20.0))  # noqa: E731

    results = run_whole(kit_for("sabot-link", make), "sabot-link")

    assert names(results, NOT_CLAIMED) == {
        "link.digest",
        "link.stack",
        "link.hides",
        "link.stub",
        "link.face-up",
    }
    assert verdict(results) == "certificate"


def test_pads_without_values_are_certified_for_that() -> None:
    results = run_whole(
        kit_for("sabot-pads", lambda clock: Pad(Build(spots=4, has_values=False), now=lambda: clock.now_s)),
        "sabot-pads",
    )

    assert names(results, NOT_CLAIMED) == {"pads.changed"}
    assert verdict(results) == "certificate"
