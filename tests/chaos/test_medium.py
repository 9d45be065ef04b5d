"""The medium under the running program: full, read-only, damaged. Held with the reason, nothing overwritten."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from sabot.hil.table.crew import TECHNICIAN
from sabot.statemachine.vocabulary.events import Key, KeyPressed
from tests.chaos.media import card, small, why_not
from tests.chaos.people import bring_home, release_everything
from tests.chaos.stage import Stage
from tests.chaos.truth import kept_by_the_program, truth_of, verify_stopped

SAID = ("JOURNAL NOT WRITTEN", "CALL TECHNICIAN")
PAGE, PAGES = 4096, 6


def bet(stage: Stage) -> None:
    stage.to_bets()
    stage.crew.bet(0, 2500)
    stage.crew.hands.wait_display("1 SEATS")


def assert_held_unwritten(stage: Stage) -> None:
    """The next event finds the journal stuck: it is said, all is locked, the console says why it shows no more."""
    before = len(truth_of(stage.root).entries)
    stage.lock()
    stage.crew.hands.wait_display(*SAID, patience_s=60.0)
    assert stage.crew.hands.see("lines")["lock_open"] == 0
    stage.crew.hands.press("OK")
    assert stage.crew.hands.lines == SAID
    refused = stage.console("faults")
    assert (refused.end, "E-CONS-018" in refused.why) == ("refused", True), refused
    # The log may have had room for the LOCK itself in blocks that were its own before the medium was full.
    after = truth_of(stage.root)
    more = [each.event for each in after.told if each.entry.number > before]
    assert len(after.entries) == before + len(more)
    assert all(isinstance(each, KeyPressed) and each.key is Key.LOCK for each in more)
    assert len(more) <= 1
    assert stage.is_running


@pytest.mark.skipif(bool(why_not("mount")), reason=why_not("mount"))
def test_a_full_disk_holds_the_table_and_loses_nothing(tmp_path: Path) -> None:
    with small(tmp_path / "state") as medium, Stage(medium.folder, "pa679a", "manual_shoe") as stage:
        bet(stage)
        medium.fill()
        assert_held_unwritten(stage)
        medium.make_room()
        stage.wait("the journal written", lambda: stage.crew.hands.lines != SAID)
        assert "device journal" in release_everything(stage)
        bring_home(stage)
        assert stage.starts == 1
        assert stage.traces() == []
        assert stage.stop() == 0
        (record,) = verify_stopped(stage.root).records
        assert record["bets"] == {"1": {"ante": 2500}}


CARD_TOOLS = ("mount", "losetup", "mkfs.ext4", "fsck.ext4")


@pytest.mark.skipif(bool(why_not(*CARD_TOOLS)), reason=why_not(*CARD_TOOLS))
def test_a_card_that_turns_read_only_holds_the_table_and_a_new_start_says_so(tmp_path: Path) -> None:
    with card(tmp_path / "state") as medium, Stage(medium.folder, "pa679a", "manual_shoe") as stage:
        bet(stage)
        stage.wait("all written", lambda: stage.figures()["not_durable"] <= 2)
        medium.break_read_only()
        assert_held_unwritten(stage)
        assert stage.stop() == 1, "it said that all was written"
        for _ in range(2):
            start_on_a_dead_card(stage)
        stage.crew.hands.program_gone()
        assert stage.traces() == []


def start_on_a_dead_card(stage: Stage) -> None:
    """Out of service with its code, and up: a program that ends is started again for ever."""
    stage.start()
    assert "out of service" in stage.status
    stage.crew.hands.wait_display("OUT OF SERVICE", "E-", patience_s=60.0)
    assert stage.crew.hands.see("lines")["lock_open"] == 0
    stage.stop()


def test_a_damaged_page_is_said_at_every_start_or_did_no_harm(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa679a", "manual_shoe") as stage:
        bet(stage)
        stage.lock()
        stage.crew.follow_to("BETS OPEN")
        assert stage.stop() == 0
        journal, whole = stage.root / "journal.db", truth_of(stage.root)
        content = journal.read_bytes()
        outcomes = set()
        for page in random.Random(5).sample(range(len(content) // PAGE), PAGES):
            damaged = bytearray(content)
            damaged[page * PAGE : (page + 1) * PAGE] = os.urandom(PAGE)
            journal.write_bytes(damaged)
            outcomes.add(start_on_damage(stage, bytes(damaged), whole.state["ledger"]))
            journal.write_bytes(content)
        assert "out of service" in outcomes


def start_on_damage(stage: Stage, damaged: bytes, ledger: object) -> str:
    """Either nothing is touched and the code is shown, or the table is the one that was.

    A start proves the journal from its newest snapshot on; what is older is proved by `sabot journal verify`.
    """
    stage.start()
    stage.crew.hands.wait_display("E-JRNL" if "out of service" in stage.status else "", patience_s=60.0)
    if "out of service" not in stage.status:
        assert stage.stop() == 0
        _number, kept = kept_by_the_program(stage.root)
        assert kept["state"]["ledger"] == ledger
        return "in service"
    assert stage.ordered(TECHNICIAN, "status").end == "done"
    stage.stop()
    assert (stage.root / "journal.db").read_bytes() == damaged, "what was damaged was overwritten"
    return "out of service"
