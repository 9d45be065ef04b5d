"""Somebody guesses PINs at the running program, at the dealer's keys and over the console at once."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from sabot.hil.table.console import RigConsole
from sabot.hil.table.crew import DIGITS, FLOOR
from sabot.statemachine.vocabulary.events import KeyPressed, RoleUnlocked
from tests.chaos.stage import Stage
from tests.chaos.truth import Truth, truth_of, verify_stopped

# Ten digits that nothing else in a log or journal has by chance.
GUESSES = ("7391846205", "8204715396", "6150928437")
NUMBERS = [f"{number}" for number in range(50, 80)]
WRONG, WAITS = "NUMBER OR PIN WRONG", "WAIT, THEN TRY AGAIN"
# Where wrong PINs of these consoles are counted.
DOOR = f"user-{os.getuid()}"
# After so many the next attempt waits 16 s, also after a restart.
TRIED = 6
FREE_OVERALL = 6
# Each further attempt waits twice as long as the one before: a test of minutes sees few of them.
MOST_TRIED = FREE_OVERALL + 8


def keys_pressed(truth: Truth) -> int:
    return sum(isinstance(each.event, KeyPressed) for each in truth.told)


def guess_at_the_keys(stage: Stage, guess: str) -> str:
    """A whole entry; what the display says of it."""
    hands = stage.crew.hands
    hands.wait_display("PERSON+PIN", patience_s=30.0)
    hands.press(*(DIGITS[digit] for digit in FLOOR.number + guess))
    hands.press("OK")
    hands.wait_display("NOT ACCEPTED", patience_s=30.0)
    return hands.lines[1]


def wrong(stage: Stage) -> None:
    """A wrong PIN at a console, as soon as one may be tried: the keys are another door."""
    desk = RigConsole(stage.root / "console.sock")
    while "E-KEEP-006" not in desk.unlock(FLOOR.number, GUESSES[0]).why:
        time.sleep(0.5)
    desk.close()


def test_a_pin_is_not_found_at_the_keys_nor_over_the_console_nor_by_a_restart(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa679a", "hand") as stage:
        stage.crew.hands.wait_display("SIGN ON")
        before = keys_pressed(truth_of(stage.root))
        stage.crew.hands.do("lines", "hold key_switch")
        said: list[str] = []
        while said.count(WRONG) < TRIED:
            said.append(guess_at_the_keys(stage, GUESSES[len(said) % len(GUESSES)]))
        assert guess_at_the_keys(stage, GUESSES[0]) == WAITS
        assert set(said) <= {WRONG, WAITS}
        stage.crew.turn_back()
        assert keys_pressed(truth_of(stage.root)) == before, "digits of a PIN reached the table"

        for _ in range(TRIED):
            wrong(stage)
        stage.kill()
        counted = json.loads((stage.root / "attempts.json").read_text())
        assert counted[f"table {FLOOR.number}"] == counted[f"{DOOR} {FLOOR.number}"] == TRIED
        stage.start()
        desk = RigConsole(stage.root / "console.sock")
        assert desk.unlock(*FLOOR).end == "refused", "a restart gave attempts back"
        desk.close()

    truth = verify_stopped(stage.root)
    assert not [each for each in truth.told if isinstance(each.event, RoleUnlocked)]
    assert_nowhere(stage, GUESSES)


def test_guessing_over_all_numbers_is_slow_and_on_record(tmp_path: Path) -> None:
    with Stage(tmp_path / "state", "pa679a", "hand") as stage:
        desk = RigConsole(stage.root / "console.sock")
        answers = [desk.unlock(number, GUESSES[0]) for number in NUMBERS]
        assert {answer.end for answer in answers} == {"refused"}
        desk.close()
        tried = json.loads((stage.root / "attempts.json").read_text())
        assert FREE_OVERALL <= tried[f"{DOOR} *"] <= MOST_TRIED
        stage.crew.hands.wait_display("SIGN ON")
    truth = verify_stopped(stage.root)
    refused = [json.loads(entry.body) for entry in truth.entries if entry.kind == "command"]
    assert len([body for body in refused if body["result"] == "refused"]) == len(NUMBERS)
    assert_nowhere(stage, GUESSES)


def assert_nowhere(stage: Stage, secrets: tuple[str, ...]) -> None:
    """What was typed is in no file that the program wrote."""
    files = [stage.log, *(path for path in stage.root.iterdir() if path.is_file())]
    for path in files:
        content = path.read_bytes()
        assert not [secret for secret in secrets if secret.encode() in content], path.name
