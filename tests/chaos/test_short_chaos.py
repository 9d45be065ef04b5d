"""A few seeds of chaos, the table of mishaps, and what judges a seed: the short form of `make chaos`."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from sabot.firmware.journal.errors import JournalError
from tests.chaos.campaign import Found, is_within, judge, run_seed
from tests.chaos.mishaps import MISHAPS
from tests.chaos.stage import Stage
from tests.chaos.truth import (
    Truth,
    truth_of,
    verify_cards,
    verify_faults,
    verify_procedure,
    verify_stopped,
)

SEEDS = (2, 15)


@pytest.mark.parametrize("seed", SEEDS)
def test_several_mishaps_at_once_leave_the_table_as_its_journal_says(tmp_path: Path, seed: int) -> None:
    found = run_seed(seed, tmp_path)
    assert not found.wrong, found
    assert found.rounds >= 1
    assert found.mishaps
    assert json.loads(json.dumps(found.as_json()))["seed"] == seed


def test_x_7c_people_put_right_a_chip_that_was_sensed_after_the_lock(tmp_path: Path) -> None:
    """Of two players' chips the second may be heard behind LOCK, on a machine with much else to do."""
    with Stage(tmp_path / "state", "pa641a", "manual_shoe") as stage:
        stage.crew.follow_to("BETS OPEN")
        stage.crew.bet(0, 2500)
        stage.crew.hands.wait_display("1 SEATS")
        stage.lock()
        stage.crew.hands.do("pads", f"chips {stage.spots_a_seat} 2500")
        stage.crew.hands.wait_display("RETURN SEAT 2", "LATE: ANTE $25")
        stage.crew.follow_to("CARDS TO RACK")
        assert stage.traces() == []


def test_there_is_a_mishap_of_every_sort() -> None:
    words = " ".join(MISHAPS)
    for sort in (
        "unplugged",
        "lies",
        "flooded",
        "stalls",
        "clock",
        "killed",
        "not run",
        "console",
        "memory",
        "processors",
    ):
        assert sort in words


# ---------------------------------------------------------------- the judges can object


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state directory of a table that was opened and had a fault."""
    root = tmp_path_factory.mktemp("judged") / "state"
    with Stage(root, "pa679a", "hand") as stage:
        stage.crew.hands.do("display", "unplug")
        stage.wait("the fault", lambda: bool(stage.holds()))
    return root


def without(truth: Truth, effect: str) -> Truth:
    told = [
        each._replace(effects=[one for one in each.effects if one["effect"] != effect]) for each in truth.told
    ]
    return truth._replace(told=told)


def test_a_fault_that_was_not_latched_is_missed(whole: Path) -> None:
    truth = verify_stopped(whole)
    with pytest.raises(AssertionError, match="was not latched"):
        verify_faults(without(truth, "RaiseFault"))


def test_a_fault_that_was_lost_is_missed(whole: Path) -> None:
    truth = truth_of(whole)
    truth.table.state.trouble.holds.clear()
    with pytest.raises(AssertionError, match="lost: "):
        verify_faults(truth)


def test_a_fault_that_nobody_lifted_is_objected_to(whole: Path) -> None:
    truth = truth_of(whole)
    verify_procedure(truth)
    lifted = {"effect": "ClearFault", "cite": "", "fault": "lost_link", "device": "display", "by": "nobody"}
    body = {"event": {"event": "TimeReached", "at": 0.0, "source": ""}, "effects": [lifted]}
    entry = replace(truth.entries[-1], kind="event", body=json.dumps(body))
    with pytest.raises(AssertionError, match="was lifted and no floor was there"):
        verify_procedure(truth._replace(entries=[*truth.entries, entry]))


def test_a_card_that_was_turned_twice_is_seen(whole: Path) -> None:
    record = {"number": 1, "void": "", "public": {"dealer": ["As"], "seat1": ["As"]}}

    class Doubled(Truth):
        @property
        def records(self) -> list[dict[str, object]]:
            return [record]

    with pytest.raises(AssertionError, match="twice"):
        verify_cards(Doubled(*truth_of(whole)))


def test_a_card_that_never_left_the_shoe_is_seen() -> None:
    assert is_within(["As", "Kd"], ["2c", "As", "Kd"])
    assert not is_within(["Kd", "As"], ["2c", "As", "Kd"])


def test_a_stake_that_nobody_laid_is_seen(whole: Path) -> None:
    class Staked(Truth):
        @property
        def records(self) -> list[dict[str, object]]:
            return [{"number": 1, "void": "", "by_hand": False, "bets": {"1": {"ante": 99}}}]

    with pytest.raises(AssertionError, match="stakes"):
        judge(Found(1), Staked(*truth_of(whole)), [])


def test_a_journal_that_was_altered_is_no_truth(whole: Path, tmp_path: Path) -> None:
    root = tmp_path / "state"
    shutil.copytree(whole, root, ignore=shutil.ignore_patterns("*.sock", "display", "shuffler"))
    with closing(sqlite3.connect(root / "journal.db")) as db:
        db.execute("UPDATE entry SET body = replace(body, 'display', 'pads') WHERE body LIKE '%LinkLost%'")
        db.commit()
    with pytest.raises(JournalError):
        truth_of(root)
