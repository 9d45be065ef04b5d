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

from sabot.firmware.credentials.board import SIMULATED, Rooms, load
from sabot.firmware.journal import store
from sabot.firmware.journal.content import event_of
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
