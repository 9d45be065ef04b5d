"""Scenarios at real tables, called as a person calls them: those that hold, fall short, and are skipped."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from calling import Answer, sabot
from sabot.hil.scenarios.rig import read_rig
from sabot.hil.scenarios.scenario_file import FRESH, Library
from sabot.hil.scenarios.sim import SimStrategy
from sabot.hil.table import own_time
from sabot.hil.table.own_time import TimePage

PATIENCE_S, TRIES = 500.0, 2
TABLE = 'paragraph = "679a.11"\nchapter = "pa679a"\nmethod = "hand"\n'
STORIES = {
    "holds": "see display: BETS OPEN / DECK A INTO\nsee line: lock_open = 1\nnever display: HELD",
    "another display": "see display: HELD within 0.2 s\nkey: OK",
    "another line": "see line: lock_open = 0 within 0.2 s",
    "another lamp": "see pads: lit seat 1 ante within 0.2 s",
    "another journal": "see journal: VoidRound within 0.2 s",
    "another console": "console: faults\nsee console: shoe",
    "a display that was": "see display: BETS OPEN\nnever display: BETS OPEN",
    "a line that was": "see line: lock_open = 1\nnever line: lock_open = 1",
    "an entry that was": "key: LOCK\nsee journal: KeyPressed\nnever journal: KeyPressed",
    "nothing to measure": "measure: key to lock within 0.2 s",
    "not in the list": "menu: COUNT THE STUB\nsee display: BETS OPEN",
    "a refused device": "pads: chips 99 1\nsee display: BETS OPEN",
    "too long a way": "follow to: NOWHERE within 0.3 s",
}
# A round, a cable that comes out, a power cut, a slip of the program, and hours that pass, each at a table of its own.
LIBRARY = (
    "pa679a.11 a round, hand",
    "cable comes out between two cards",
    "power cut in a round, auto_shoe",
    "stumbles in a round, hand",
    "pa679a.3(c) cards are due for change after 5 hours, hand",
)
RIG = """
title = "simulated devices without a power switch"
strategy = "sabot.hil.scenarios.sim:SimStrategy"
features = ["console", "diary", "display", "lines", "pads"]
[limits_ms]
"chip to lamp" = 0.001
"""


def scenarios(stories: dict[str, str]) -> str:
    return "\n".join(
        f'[[scenario]]\nname = "{name}"\n{TABLE}steps = """\n{steps}\n"""\n'
        for name, steps in stories.items()
    )


def play(folder: Path, *words: str) -> tuple[Answer, dict[str, Any]]:
    """Play a folder; what was said, and what of each scenario came into the record."""
    record = folder / "record.json"
    answer = sabot("hil", "run", "--files", str(folder), "--json", str(record), *words, patience_s=PATIENCE_S)
    assert record.exists(), answer
    content = json.loads(record.read_text(encoding="utf-8"))
    return answer, {each["name"]: each for each in content["scenarios"]}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Answer, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("stories")
    (folder / "a.toml").write_text(scenarios(STORIES), encoding="utf-8")
    return play(folder)


def test_the_scenario_that_holds_holds_and_the_others_make_the_exit_code_one(
    played: tuple[Answer, dict[str, Any]],
) -> None:
    answer, stories = played
    assert answer.code == 1, answer.err
    assert [name for name, each in stories.items() if each["outcome"] == "PASS"] == ["holds"]
    assert len(answer.out.splitlines()) >= len(STORIES) + 1
    assert "1 held" in answer.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "expected", "came"),
    [
        ("another display", "see display: HELD within 0.2 s", "BETS OPEN / DECK A INTO"),
        ("another line", "see line: lock_open = 0 within 0.2 s", "came: lock_open = 1"),
        ("another lamp", "see pads: lit seat 1 ante within 0.2 s", "lit 0x0"),
        ("another journal", "see journal: VoidRound within 0.2 s", "the journal ends with"),
        ("another console", "see console: shoe", "nothing holds the table"),
        ("a display that was", "never display: BETS OPEN", "the display showed 'BETS OPEN"),
        ("a line that was", "never line: lock_open = 1", "lock_open was 1"),
        ("an entry that was", "never journal: KeyPressed", "event KeyPressed"),
        ("nothing to measure", "measure: key to lock within 0.2 s", "one of its two ends was not seen"),
        ("not in the list", "menu: COUNT THE STUB", "is not in the list"),
        ("too long a way", "follow to: NOWHERE within 0.3 s", "BETS OPEN"),
    ],
)
def test_what_falls_short_says_what_was_expected_and_what_came(
    played: tuple[Answer, dict[str, Any]], name: str, expected: str, came: str
) -> None:
    story = played[1][name]
    assert story["outcome"] == "FAIL"
    assert expected in story["why"].splitlines()[0]
    assert came in story["why"]
    assert expected in played[0].out


def test_what_the_rig_cannot_do_is_no_fault_of_the_program(played: tuple[Answer, dict[str, Any]]) -> None:
    story = played[1]["a refused device"]
    assert story["outcome"] == "ERROR"
    assert "pads: chips was not done" in story["why"]


def test_steps_after_the_one_that_fell_short_are_not_taken(played: tuple[Answer, dict[str, Any]]) -> None:
    phases = played[1]["another display"]["phases"]
    assert [each["outcome"] for each in phases] == ["FAIL", "SKIP"]
    assert phases[1]["start_s"] is None


def test_the_record_says_what_ran_and_what_it_wrote(played: tuple[Answer, dict[str, Any]]) -> None:
    story = played[1]["holds"]
    assert '"in service"' in story["attachments"]["program.log"]
    assert any(row[1:4] == ["lines", "lock_open", 1] for row in story["diary"])
    assert [each["outcome"] for each in story["phases"]] == ["PASS", "PASS", "PASS"]


def test_a_skip_has_a_reason_and_is_no_pass_and_a_limit_can_be_missed(tmp_path: Path) -> None:
    stories = {
        "cut": "power: cut\nsee line: lock_open = 0",
        "slow": "chips: seat 1 ante 2500\nmeasure: chip to lamp",
    }
    (tmp_path / "a.toml").write_text(scenarios(stories), encoding="utf-8")
    rig = tmp_path / "rigs" / "poor.toml"
    rig.parent.mkdir()
    rig.write_text(RIG, encoding="utf-8")
    listed = sabot("hil", "list", "--files", str(tmp_path / "a"), "--target", str(rig))
    assert listed.code == 0  # a folder that has no scenarios lists none
    (tmp_path / "b").mkdir()
    (tmp_path / "a.toml").rename(tmp_path / "b" / "a.toml")
    listed = sabot("hil", "list", "--files", str(tmp_path / "b"), "--target", str(rig))
    assert "skipped: no power" in listed.out

    answer, played = play(tmp_path / "b", "--target", str(rig))
    assert played["cut"]["outcome"] == "SKIP"
    assert played["cut"]["why"] == "the rig poor has no power"
    assert "at most 0.001 ms are allowed" in played["slow"]["why"]
    assert played["slow"]["phases"][1]["measurements"]["chip to lamp"]["outcome"] == "FAIL"
    assert answer.code == 1

    only, _ = play(tmp_path / "b", "--target", str(rig), "--scenario", "cut")
    assert only.code == 1
    assert only.out.splitlines()[-1].startswith("SKIP")


def test_scenarios_of_the_library_hold(tmp_path: Path) -> None:
    pages = [tmp_path / name for name in ("r.html", "r.xml")]
    words = ["hil", "run", "--jobs", str(len(LIBRARY)), "--html", str(pages[0]), "--junit", str(pages[1])]
    for pattern in LIBRARY:
        words += ["--scenario", pattern]
    answer = sabot(*words, patience_s=PATIENCE_S)
    for _ in range(TRIES):
        # A pad that hears nothing for a second locks itself: so it does where the machine starves its program.
        if "DEVICE SILENT" in answer.out:
            answer = sabot(*words, patience_s=PATIENCE_S)
    assert answer.code == 0, answer.out + answer.err
    assert pages[0].read_text(encoding="utf-8").count("<svg") == len(LIBRARY)
    assert 'failures="0" errors="0" skipped="0"' in pages[1].read_text(encoding="utf-8")


def test_what_is_asked_wrongly_is_one_message_and_exit_code_two(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("[[scenario]]\nname = 1\n", encoding="utf-8")
    for words, told in (
        (("run", "--scenario", "no such"), "E-HIL-005"),
        (("run", "--jobs", "-1"), "'-1' is not a number of tables"),
        (("run", "--target", "smi"), "'smi' is no rig; the nearest is 'sim'"),
        (("run", "--json", str(tmp_path / "no" / "r.json")), "E-CLI-005"),
        (("list", "--files", str(tmp_path)), "it names no paragraph"),
    ):
        answer = sabot("hil", *words)
        assert (answer.code, answer.out) == (2, "")
        assert told in answer.err
        assert len(answer.err.splitlines()) == 1


def test_the_list_is_one_line_a_scenario_also_for_programs() -> None:
    lines = sabot("hil", "list", "--scenario", "floor/rounds").out.splitlines()
    objects = [
        json.loads(line)
        for line in sabot("hil", "list", "--scenario", "floor/rounds", "--json").out.splitlines()
    ]
    assert [line.split("\t")[0] for line in lines] == [each["name"] for each in objects]
    assert objects[0]["steps"][0] == "chips: seat 1 ante 2500"


def test_every_clock_of_a_program_that_is_switched_on_later_is_ahead() -> None:
    program = (
        "import time, datetime as dt\n"
        "from sabot.hil.table.own_time import shift\n"
        "was = time.time(), time.monotonic(), time.time_ns(), time.monotonic_ns(), dt.datetime.now(dt.UTC)\n"
        "shift(7200.0)\n"
        "now = time.time(), time.monotonic(), time.time_ns(), time.monotonic_ns(), dt.datetime.now(dt.UTC)\n"
        "ahead = [now[0] - was[0], now[1] - was[1], (now[2] - was[2]) / 1e9, (now[3] - was[3]) / 1e9,"
        " (now[4] - was[4]).total_seconds()]\n"
        "print(all(7200.0 <= each < 7260.0 for each in ahead))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    assert done.stdout == "True\n"


def test_a_start_lives_in_its_own_time_from_the_beginning() -> None:
    strategy = SimStrategy(read_rig("sim"), Library([], {}))
    try:
        scenario = strategy._start(FRESH, "pa679a", "hand")
        assert TimePage(own_time.of(scenario)).picture()[0] > 0, "nobody kept it"
    finally:
        strategy.close()
