"""What was played by hand, written down as a scenario: deeds in their order, and what stood there before each."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sabot.hil.scenarios.scenario_file import read_library
from sabot.practice.round_scenario import StoryTold, story

BY_HAND = StoryTold("pa641a", "hand", ["ante", "aces_up"], is_machine=False)
SHOE = BY_HAND._replace(method="manual_shoe")
MACHINE = BY_HAND._replace(method="auto_shoe", is_machine=True)
OPEN = ("BETS OPEN", "0 SEATS")


def rows(*what: Any) -> list[list[Any]]:
    """A diary: a pair is a picture, words are ``device: deed``, three parts are what a device showed."""
    found: list[list[Any]] = []
    for number, each in enumerate(what):
        if isinstance(each, str):
            device, _, deed = each.partition(": ")
            found.append([number, device, "", deed, "did"])
        elif len(each) == 2:
            found += [[number, "display", f"lines.{line}", each[line], "showed"] for line in (0, 1)]
        else:
            found.append([number, *each, "showed"])
    return found


def steps(told: StoryTold, *what: Any, whole: bool = False) -> list[str]:
    text = story(told, rows(*what), "pa641a played", whole=whole)
    return text.split('"""\n')[1].splitlines() if '"""\n' in text else []


def key(name: str) -> Iterable[str]:
    return (f"lines: hold key_{name}", f"lines: let key_{name}")


def test_a_key_stands_behind_the_picture_that_it_answered() -> None:
    found = steps(BY_HAND, OPEN, "pads: chips 1 2500", ("BETS OPEN", "1 SEATS"), *key("lock"), ("DEAL", "OK"))
    assert found == [
        "see display: BETS OPEN / 0 SEATS",
        "chips late: seat 1 aces_up 2500",
        "see display: BETS OPEN / 1 SEATS",
        "key: LOCK",
        "see display: DEAL / OK",
    ]


def test_two_keys_at_once_stay_two_at_once() -> None:
    found = steps(
        BY_HAND,
        OPEN,
        "lines: hold key_ok",
        "lines: hold key_back",
        "lines: let key_back",
        "lines: let key_ok",
    )
    assert found[1:5] == [
        "lines: hold key_ok",
        "lines: hold key_back",
        "lines: let key_ok",
        "lines: let key_back",
    ]


def test_it_begins_where_bets_were_opened_for_the_round_that_was_locked_last() -> None:
    day = (OPEN, *key("lock"), ("FIRST", ""), OPEN, *key("lock"), ("SECOND", ""), OPEN)
    assert "see display: FIRST" not in steps(BY_HAND, *day)
    assert steps(BY_HAND, *day)[-1] == "see display: BETS OPEN / 0 SEATS"
    assert steps(BY_HAND, *day, whole=True).count("key: LOCK") == 2


def test_cards_come_out_as_they_came_out() -> None:
    drawn = steps(SHOE, OPEN, *key("lock"), "shoe: draw As", "shoe: draw Kh", "shoe: faceup")
    assert drawn[0] == "cards: As Kh"
    assert drawn[-4:-1] == ["draw: 1", "draw: 1", "shoe: faceup"]
    given = steps(MACHINE, OPEN, *key("lock"), ("shoe", "gave.0", "10s Kh"), "shoe: stack 9c", "shoe: lift")
    assert given[:2] == ["shoe: lift never", "cards: Ts Kh"]
    assert "shoe: lift" in given
    assert not any("stack" in step for step in given)


def test_cables_power_people_and_the_console() -> None:
    found = steps(
        BY_HAND,
        OPEN,
        *("shuffler: unplug", "shuffler: plug", "power: cut", "power: on", "pads: chips 0 0"),
        *("lines: hold key_switch", "lines: press key_one", "lines: let key_switch"),
        *("console: unlock 21", "console: register lot L1 red", "console: lock", "console: faults"),
    )
    assert found[1:-1] == [
        "pull cable: shuffler",
        "plug in: shuffler",
        "power: cut",
        "power: on",
        "lift: seat 1 ante",
        "lines: hold key_switch",
        "key: ONE",
        "lines: let key_switch",
        "console floor: register lot L1 red",
        "console: faults",
    ]


@pytest.mark.parametrize("whole", [False, True])
def test_the_rig_reads_it(tmp_path: Path, whole: bool) -> None:
    file = tmp_path / "found.toml"
    file.write_text(story(BY_HAND, rows(OPEN, *key("ok")), 'a "name"', whole=whole), encoding="utf-8")
    (found,) = read_library(file).scenarios
    assert (found.name, found.start) == ("a 'name'", "fresh" if whole else "bets-open")
