"""Scenarios in the machine: what goes in, what comes out, and what is said of those that it did not come to."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sabot.hil.kernel import order as orders
from sabot.hil.kernel import scenarios as outside
from sabot.hil.kernel.machine import MachineHost, command
from sabot.hil.kernel.strategy import KernelStrategy
from sabot.hil.scenarios import report_json
from sabot.hil.scenarios.record import (
    ERROR,
    FAIL,
    PASS,
    SKIP,
    Measured,
    PlayedScenario,
    RecordedPhase,
    ScenarioRun,
)
from sabot.hil.scenarios.rig import RigOrder, read_rig
from sabot.hil.scenarios.runner import selected
from sabot.hil.scenarios.scenario_file import PREPARED, Scenario, read_library

TREE = Path(__file__).resolve().parents[3]
LIMIT_S = 3600.0
LIBRARY = read_library()
RIG = read_rig("kernel")
KEPT = selected(LIBRARY.scenarios, RIG)
# Stands where the emulator would: what lies in a folder is what the machine has played.
SCRIPT = """#!/bin/sh
for each in "$@"; do
  case $each in local,path=*,mount_tag=order,*) given=${each#local,path=}; given=${given%%,*};; esac
done
echo 'RIG 3.1 userland 7.2'
cp HERE/*.json "$given"
echo 'noise of a kernel'
echo 'RIG-PLAYED 1'
"""


def played(scenario: Scenario) -> PlayedScenario:
    made = PlayedScenario.of(scenario, "2026-01-31T12:00:00.000+00:00")
    made.outcome, made.why, made.seconds, made.waited_s, made.began_s = FAIL, "expected: é", 1.5, 0.25, 7.0
    measured = {"key to lock": Measured.of(12.25, 10.0), "chip to lamp": Measured.of(3.0, None)}
    made.phases = [
        RecordedPhase("key: LOCK", FAIL, 0.1, 0.2, "so", measured),
        RecordedPhase("see line: hit = 0", SKIP),
    ]
    made.diary = [[0.1, "lines", "", "press key_lock", "did"], [0.2, "lines", "lock_open", 0, "showed"]]
    made.journal = [{"number": 3, "at_s": None, "body": {"effects": [{"cite": "679a.7(c)"}]}}]
    made.attachments = {"program.log": "<log>\n"}
    return made


def test_what_was_kept_of_a_scenario_is_read_as_it_was(tmp_path: Path) -> None:
    before = played(KEPT[0])

    report_json.keep(before, tmp_path / "1.json")

    assert report_json.read(tmp_path / "1.json") == before


def test_an_order_is_read_as_it_was_written(tmp_path: Path) -> None:
    orders.write(RigOrder("kernel", None, KEPT), tmp_path)

    order, library = orders.read(tmp_path)

    assert order == RigOrder("kernel", None, KEPT)
    assert library == LIBRARY


def test_scenarios_and_rigs_of_ones_own_are_found_from_within_wherever_they_were_named_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours").mkdir()
    story = 'name = "x"\nparagraph = "679a.11"\nchapter = "pa679a"\nmethod = "hand"\n'
    steps = 'steps = "see display: BETS OPEN"\n'
    (tmp_path / "ours" / "a.toml").write_text(f"[[scenario]]\n{story}{steps}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    orders.write(RigOrder("mine.toml", Path("ours"), read_library(Path("ours")).scenarios), tmp_path)
    monkeypatch.chdir("/")

    order, _library = orders.read(tmp_path)

    assert order.target == str(tmp_path / "mine.toml")
    assert order.files == tmp_path / "ours"
    assert [each.name for each in order.scenarios] == ["x"]


def test_the_rig_keeps_a_round_of_each_chapter_and_what_goes_wrong_at_a_table() -> None:
    rounds = {each.chapter for each in KEPT if each.file.endswith("rounds.toml")}
    assert rounds == {each.chapter for each in LIBRARY.scenarios}
    assert {"links.toml", "power.toml", "face_up.toml", "progressive.toml"} <= {
        Path(each.file).name for each in KEPT
    }


def test_nothing_that_the_rig_keeps_would_be_skipped() -> None:
    strategy = KernelStrategy(RIG, LIBRARY)
    assert not [each.name for each in KEPT if each.needs - RIG.features or strategy.unfit(each)]


def test_a_scenario_that_begins_hours_later_is_skipped_with_the_reason() -> None:
    strategy = KernelStrategy(RIG, LIBRARY)
    why = {each.start: strategy.unfit(each) for each in LIBRARY.scenarios}
    later = {start: why for start, why in why.items() if start.startswith(PREPARED)}

    assert later
    assert {why for start, why in why.items() if start not in later} == {""}
    assert all(f"begins with bets open, not {start!r}" in why for start, why in later.items())


def test_the_machine_has_the_order_as_a_share_of_its_own(tmp_path: Path) -> None:
    host = MachineHost(
        tmp_path / "vmlinuz", tmp_path / "i.gz", tmp_path / "tree", tmp_path / "venv", Path("/usr")
    )

    words = command(host, outside.wanted(tmp_path / "order"))

    assert f"local,path={tmp_path}/order,mount_tag=order,security_model=none" in words
    assert "sabot.hil.kernel.inside.scenarios" in words[words.index("-append") + 1]


@pytest.fixture
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that is a script, and everything that it would be made of."""
    host = MachineHost(
        tmp_path / "7.2/vmlinuz", tmp_path / "i.gz", tmp_path / "tree", tmp_path / "venv", Path("/usr")
    )
    monkeypatch.setattr(outside, "prepare", lambda _cache, _folder: host)
    monkeypatch.setattr(outside, "program", lambda source: {"digest": str(source)})
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    emulator = tmp_path / "qemu-system-x86_64"
    emulator.write_text(SCRIPT.replace("HERE", f"{tmp_path}/played"), encoding="utf-8")
    emulator.chmod(0o755)
    (tmp_path / "played").mkdir()
    return tmp_path


def test_what_was_played_is_in_the_record_and_what_was_not_is_an_error_with_the_console(ready: Path) -> None:
    before = played(KEPT[1])
    report_json.keep(before, ready / "played" / "1.json")
    (ready / "played" / orders.ENVIRONMENT).write_text(json.dumps({"kernel": "7.2.1"}), encoding="utf-8")
    lines: list[tuple[str, str, int, int]] = []

    def tell(each: PlayedScenario, done: int, count: int, _left_s: float) -> None:
        lines.append((each.name, each.outcome, done, count))

    record: ScenarioRun = outside.play(RigOrder("kernel", None, KEPT[:2]), RIG, tell)

    assert [each.outcome for each in record.scenarios] == [ERROR, FAIL]
    assert record.scenarios[1] == before
    assert "noise of a kernel" in record.scenarios[0].attachments["console"]
    assert lines == [(KEPT[1].name, FAIL, 1, 2), (KEPT[0].name, ERROR, 2, 2)]
    assert record.environment["kernel"] == "7.2.1"
    assert record.environment["digest"] == str(ready / "tree" / "src")
    assert "kernel 7.2" in record.environment["host"]
    assert (record.rig, record.outcome) == ("kernel", ERROR)


def test_a_machine_that_cannot_run_the_rig_is_told_with_77_and_nothing_was_played(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    words = [sys.executable, "-m", "sabot", "hil", "run", "--target", "kernel", "--json", str(record)]
    bare = {"PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    done = subprocess.run(words, cwd=TREE, env=bare, capture_output=True, text=True, check=False, timeout=120)

    assert done.returncode == 77, done.stderr
    assert "E-HIL-007 kernel: this machine cannot run the rig, and nothing was played (" in done.stderr
    assert f"{len(KEPT)} of {len(LIBRARY.scenarios)} scenarios" in done.stdout
    assert not record.exists()


def test_more_tables_at_a_time_than_the_machine_has_are_refused() -> None:
    words = [sys.executable, "-m", "sabot", "hil", "run", "--target", "kernel", "--jobs", "2"]
    done = subprocess.run(words, cwd=TREE, capture_output=True, text=True, check=False, timeout=120)

    assert done.returncode == 2, done.stdout
    assert "E-CLI-003 --jobs: '2' is not 1: more tables are not there" in done.stderr


@pytest.mark.skipif(not os.environ.get("SABOT_KERNEL_RIG"), reason="SABOT_KERNEL_RIG=1 boots a machine")
def test_a_round_is_played_in_the_machine_and_its_record_is_here(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    words = [sys.executable, "-m", "sabot", "hil", "run", "--target", "kernel", "--json", str(record)]
    chosen = ["pa679a.11 a round, manual_shoe", "pa679a.3(c) cards are due for change after 5 hours, hand"]
    wanted = [word for name in chosen for word in ("--scenario", name)]
    done = subprocess.run(
        [*words, *wanted], cwd=TREE, capture_output=True, text=True, check=False, timeout=LIMIT_S
    )
    if done.returncode == 77:
        pytest.skip(done.stderr.strip())

    assert done.returncode == 0, done.stdout
    content = json.loads(record.read_text(encoding="utf-8"))
    outcomes = {each["name"]: each["outcome"] for each in content["scenarios"]}
    assert outcomes == dict(zip(chosen, (PASS, SKIP), strict=True))
    assert re.fullmatch("[0-9a-f]{64}", content["environment"]["digest"])
    assert content["environment"]["kernel"] in content["environment"]["host"]
