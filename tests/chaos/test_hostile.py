"""The table of hostile cases, and those of them that want the whole running program."""

from __future__ import annotations

import ast
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from console.test_commands import BY_ROLE
from sabot.firmware.console.catalogue import COMMANDS
from sabot.hil.table.crew import DEALER, FLOOR, TECHNICIAN, CrewMember
from tests.chaos import page
from tests.chaos.hostile import CASES
from tests.chaos.people import bring_home
from tests.chaos.stage import ROOT, Stage
from tests.chaos.truth import Truth, drawn, truth_of, verify_stopped

AUDITOR = CrewMember("41", "17320")
NOBODY = "nobody"


def functions_of(path: Path) -> set[str]:
    """The tests that stand in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tried[:40])
def test_each_case_names_tests_that_are_there(case: object) -> None:
    assert isinstance(case, tuple)
    for named in case[2]:
        file, _, function = named.partition("::")
        assert function in functions_of(ROOT / file), named


def test_the_page_has_the_cases_as_they_are() -> None:
    assert page.block_of(page.PAGE.read_text(encoding="utf-8"), page.HOSTILE) == page.hostile_table()


# ---------------------------------------------------------------- devices that lie


class Lie(NamedTuple):
    """Where the table stands, what a device does there, what stops it, and the fault that must be latched."""

    where: str
    begin: Callable[[Stage], None]
    end: tuple[str, str] | None
    fault: tuple[str, str] | None


def said(device: str, words: str) -> Callable[[Stage], None]:
    return lambda stage: stage.crew.hands.do(device, words)


def same_card_again(stage: Stage) -> None:
    stage.crew.hands.wait("the shoe free", lambda: not stage.crew.hands.see("shoe")["locked"])
    stage.crew.hands.do("shoe", f"draw {drawn(truth_of(stage.root))[-1]}")


def late_chip_unrefused(stage: Stage) -> None:
    """A chip after the lock, which the pad refuses, and then counts."""
    spot = stage.spots_a_seat
    stage.crew.hands.do("pads", f"chips {spot} 2500")
    stage.crew.hands.do("pads", f"lie {spot}")


SHUFFLER_LIES = {
    "count": Lie(
        "WASH ", said("shuffler", "lie count 1"), ("shuffler", "lie off"), ("contradiction", "shuffler")
    ),
    "digest": Lie(
        "WASH ", said("shuffler", "lie digest"), ("shuffler", "lie off"), ("contradiction", "shuffler")
    ),
    "reads": Lie(
        "WASH ", said("shuffler", "lie reads 1"), ("shuffler", "lie off"), ("contradiction", "shuffler")
    ),
}
WIRE_LIES = {
    "forged": Lie("WASH ", said("shuffler", "forge on"), ("shuffler", "forge off"), ("device", "shuffler")),
}
ROUND_LIES = {
    "replayed": Lie("CARD 2 TO", said("shuffler", "replay"), None, None),
    "unrefused": Lie("CARD 2 TO", late_chip_unrefused, None, ("contradiction", "pads")),
    "same card": Lie("CARD 2 TO", same_card_again, None, ("composition", "deck A")),
}


LIES = SHUFFLER_LIES | WIRE_LIES | ROUND_LIES


@pytest.mark.parametrize("name", LIES)
def test_a_device_that_lies_is_held_journalled_and_harmless(tmp_path: Path, name: str) -> None:
    lie = LIES[name]
    with Stage(tmp_path / "state", "pa679a", "manual_shoe") as stage:
        if name in ROUND_LIES:
            stage.to_bets()
            stage.crew.bet(0, 2500)
            stage.crew.hands.wait_display("1 SEATS")
            stage.lock()
        stage.crew.follow_to(lie.where)
        money = truth_of(stage.root).state["ledger"]
        lie.begin(stage)
        if lie.fault is None:
            stage.crew.follow_to("BETS OPEN")
            return
        if name in SHUFFLER_LIES:
            for words in ("SPREAD B", "WASH B", "SHUFFLING"):
                stage.crew.hands.press("OK")
                stage.crew.hands.wait_display(words)
            stage.crew.shuffle("A")
        stage.wait("the fault", lambda: lie.fault in {(h["fault"], h["device"]) for h in stage.holds()})
        stage.crew.hands.wait_display("HELD", patience_s=60.0)
        assert truth_of(stage.root).state["ledger"] == money
        assert stage.crew.hands.see("lines")["lock_open"] == 0
        if lie.end:
            stage.crew.hands.do(*lie.end)
            bring_home(stage)
    truth = verify_stopped(stage.root)
    raised = [each for told in truth.told for each in told.effects if each["effect"] == "RaiseFault"]
    assert lie.fault in {(each["fault"], each["device"]) for each in raised}
    assert all(record["bets"] == {"1": {"ante": 2500}} for record in truth.records)


def test_a_swapped_device_is_not_heard(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa679a", "manual_shoe") as stage:
        stage.wait("every device", lambda: all(stage.devices().values()))
        stage.stop()
        keys = json.loads((stage.root / "devices.json").read_text())
        keys["devices"]["shuffler"] = "ab" * 32
        (stage.root / "devices.json").write_text(json.dumps(keys))
        stage.start()
        stage.wait("the fault", lambda: "shuffler" in {held["device"] for held in stage.holds()})
        stage.crew.hands.wait_display("HELD", patience_s=60.0)
        assert stage.devices()["shuffler"] is False
        assert stage.ordered(FLOOR, "retest shuffler").end == "done"
        assert not any(held["may_be_lifted"] for held in stage.holds())
    verify_stopped(stage.root)


# ---------------------------------------------------------------- people and files


def test_no_command_is_carried_out_for_the_wrong_role(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa679a", "hand") as stage:
        stage.crew.hands.wait_display("SIGN ON")
        before = truth_of(stage.root)
        tried = 0
        for person, role in (
            (None, NOBODY),
            (DEALER, "dealer"),
            (FLOOR, "floor"),
            (TECHNICIAN, "technician"),
            (AUDITOR, "auditor"),
        ):
            for name, line in BY_ROLE.items():
                if role in COMMANDS[name].roles:
                    continue
                answer = (
                    stage.ordered(person, line, why="because")
                    if person
                    else stage.console(line, why="because")
                )
                assert answer.end == "refused", (role, line)
                tried += 1
        assert tried > len(BY_ROLE)
        # A refusal is answered at once, and its record follows: a slow medium has some still to write.
        stage.wait("each refusal on record", lambda: refusals(truth_of(stage.root)) >= tried)
        after = truth_of(stage.root)
        assert after.state["ledger"] == before.state["ledger"]
        assert refusals(after) == tried
    verify_stopped(stage.root)


def refusals(truth: Truth) -> int:
    """Return how many refused commands a journal has on record."""
    bodies = (json.loads(each.body) for each in truth.entries if each.kind == "command")
    return sum(body["result"] == "refused" for body in bodies)


def test_an_edited_journal_keeps_the_table_closed(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa679a", "hand") as stage:
        stage.to_bets()
        stage.kill()
        with closing(sqlite3.connect(stage.root / "journal.db")) as db:
            db.execute(
                "UPDATE entry SET body = replace(body, '21 Floor', '22 Other') WHERE body LIKE '%21 Floor%'"
            )
            db.commit()
        stage.start()
        assert "out of service: E-JRNL" in stage.status
        stage.crew.hands.wait_display("OUT OF SERVICE", "E-JRNL", patience_s=60.0)
        assert stage.crew.hands.see("lines")["lock_open"] == 0
        stage.kill()
        stage.start()
        assert "out of service: E-JRNL" in stage.status
