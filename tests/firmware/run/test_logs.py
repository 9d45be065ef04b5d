"""Whole rounds, then everything that the program logged is searched: no PIN, and no card at all."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import structlog

from sabot.firmware.credentials.board import SIMULATED, Rooms, load
from sabot.firmware.journal import store
from sabot.firmware.journal.content import event_of
from sabot.firmware.run.service_manager import LEVELS, configure
from sabot.firmware.simulated import PEOPLE
from sabot.hil.table.console import RigConsole
from sabot.hil.table.crew import Crew
from sabot.hil.table.hands import NotSeenError
from sabot.rules.cards import NAMES
from sabot.statemachine.vocabulary import codec

TABLES = [("pa641a", "auto_shoe"), ("md4cp", "manual_shoe")]
PINS = tuple(pin for *_, pin in PEOPLE)
WRONG_PIN = "86420"
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
PATIENCE_S = 60.0
TIMES = frozenset({"timestamp"})


@pytest.fixture
def configured_anew() -> Iterator[None]:
    before = structlog.get_config()
    yield
    configure()
    structlog.configure(**before)


@pytest.mark.parametrize(("chapter", "method"), TABLES, ids=[chapter for chapter, _ in TABLES])
def test_no_pin_and_no_card_is_ever_logged(tmp_path: Path, chapter: str, method: str) -> None:
    root = tmp_path / "state"
    command = [sys.executable, "-m", "sabot", "run", "--sim", chapter, "--method", method]
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(
            [*command, "--state", str(root), "--log-level", "debug"], stdout=log, stderr=log
        )
        try:
            crew = at_table(root)
            with suppress(
                NotSeenError
            ):  # a busy machine may lose a device; what was logged until then counts
                play_a_round(crew)
            ask_at_the_console(root)
            crew.close()
        finally:
            running.send_signal(signal.SIGTERM)
            assert running.wait(60) == 0

    text = (tmp_path / "log").read_text()
    said = list(leaves([json.loads(line) for line in text.splitlines() if line.startswith("{")]))
    assert len(said) > 50
    assert all(word not in said for word in (*PINS, WRONG_PIN))
    assert not [word for word in said if re.search(rf"(?<!\d)({'|'.join((*PINS, WRONG_PIN))})(?!\d)", word)]
    assert not [word for word in said if CARD.search(word)]
    # There was something to be said: the journal has cards of these rounds, behind their seals.
    assert len(sealed_cards(root)) > 5


@pytest.mark.parametrize(("before", "after"), [("error", "info"), ("info", "error")])
def test_the_level_set_at_the_console_holds_for_the_program_that_runs(
    tmp_path: Path, before: str, after: str
) -> None:
    root = tmp_path / "state"
    command = [sys.executable, "-m", "sabot", "run", "--sim", "pa641a", "--state", str(root)]
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen([*command, "--log-level", before], stdout=log, stderr=log)
        try:
            at_table(root).close()
            desk = RigConsole(root / "console.sock")
            assert desk.unlock("31", "14142").end == "done"
            assert desk.say(f"log level {after}").end == "done"
            desk.close()
        finally:
            running.send_signal(signal.SIGTERM)
            assert running.wait(60) == 0

    text = (tmp_path / "log").read_text()
    assert ('"in service"' in text) == (before == "info")
    assert ('"stopped"' in text) == (after == "info")


@pytest.mark.usefixtures("configured_anew")
def test_a_logger_that_was_bound_before_hears_of_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    configure("error")
    bound = structlog.get_logger().bind(device="shoe")
    for level in ("error", "info", "debug", "warning"):
        configure(level)
        for method in LEVELS:
            getattr(bound, method)(f"{method} at {level}")
        bound.critical(f"critical at {level}")

    said = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    loudness = [*LEVELS, "critical"]
    assert said == [
        f"{method} at {level}"
        for level in ("error", "info", "debug", "warning")
        for method in loudness[loudness.index(level) :]
    ]


def at_table(root: Path) -> Crew:
    end = time.monotonic() + PATIENCE_S
    while not (root / "console.sock").exists():
        assert time.monotonic() < end, (root.parent / "log").read_text()
        time.sleep(0.02)
    return Crew(root)


def play_a_round(crew: Crew) -> None:
    crew.follow_to("BETS OPEN")
    crew.bet(0, 2500)
    crew.hands.wait_display("1 SEATS", patience_s=60)
    crew.hands.press("LOCK")
    crew.follow_to("CARDS TO RACK")
    crew.follow_to("BETS OPEN")


def ask_at_the_console(root: Path) -> None:
    """What a technician asks, a PIN that is wrong, and one that was typed too early."""
    desk = RigConsole(root / "console.sock")
    assert desk.say("unlock 31", pin=WRONG_PIN).end == "refused"
    assert desk.say(f"unlock 31 {WRONG_PIN}").end == "refused"
    assert desk.unlock("31", "14142").end == "done"
    for line in ("status", "devices", "events 100", "decks", "stats", "log level debug"):
        assert desk.say(line).end == "done"
    desk.close()


def leaves(value: object) -> Iterator[str]:
    """Every word of a log, but the times of day, whose digits might be anything."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from () if name in TIMES else (name, *leaves(each))
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each)
    else:
        yield str(value)


def sealed_cards(root: Path) -> set[str]:
    """The cards that the journal keeps sealed."""
    seal = load(Rooms(root), SIMULATED).seal
    with closing(store.open_for_reading(root / "journal.db")) as db:
        events = [event_of(each, seal) for each in store.entries(db) if each.kind == "event" and each.sealed]
    words = set(leaves([codec.event_json(event, with_secrets=True) for event in events]))
    return words & set(NAMES)
