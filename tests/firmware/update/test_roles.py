import asyncio
import time
from pathlib import Path

import pytest

from sabot.firmware.credentials.board import Rooms
from sabot.firmware.credentials.people import People, Person
from sabot.firmware.credentials.pins import Cost
from sabot.firmware.update.ask_release import agree
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.version import is_older, is_same, parse
from sabot.statemachine.vocabulary.events import Role

PINS = {"11": "31415", "12": "27182", "42": "16180", "70": "14142"}
ROLES = {"11": Role.FLOOR, "12": Role.FLOOR, "42": Role.TECHNICIAN, "70": Role.DEALER}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    people = People(Rooms(tmp_path).people, time.monotonic, Cost(2, 1, 1))
    for number, pin in PINS.items():
        asyncio.run(people.enrol(Person(number, f"P{number}", ROLES[number]), pin))
    return tmp_path


def test_two_people_of_different_roles_agree(state: Path) -> None:
    said = agree(state, ["11", "42"], "the new one cannot read our shoe", PINS.__getitem__)

    assert said == "11 P11 (floor) and 42 P42 (technician)"


@pytest.mark.parametrize(
    ("numbers", "cause", "said"),
    [
        (["11", "12"], "a cause", "people of different roles"),
        (["11", "11"], "a cause", "two numbers and a cause are wanted"),
        (["11"], "a cause", "two numbers and a cause are wanted"),
        (["11", "42"], "  ", "two numbers and a cause are wanted"),
        (["11", "70"], "a cause", "people of different roles"),
        (["11", "99"], "a cause", "number or PIN is wrong"),
    ],
)
def test_one_person_or_two_of_a_kind_do_not_agree(
    state: Path, numbers: list[str], cause: str, said: str
) -> None:
    with pytest.raises(UpdateError, match="E-UPDATE-010") as caught:
        agree(state, numbers, cause, lambda number: PINS.get(number, "55555"))

    assert said in str(caught.value)


def test_a_wrong_pin_counts_as_at_a_console_at_a_door_of_its_own(state: Path) -> None:
    with pytest.raises(UpdateError, match="number or PIN is wrong"):
        agree(state, ["11", "42"], "a cause", lambda _number: "99998")

    assert '"update 11": 1' in (state / "attempts.json").read_text(encoding="utf-8")


def test_versions_compare_by_number() -> None:
    assert is_older("1.9.0", "1.10.0", "x")
    assert not is_older("1.10.0", "1.9.9", "x")
    assert is_same("1.2", "1.2.0", "x")
    assert not is_older("1.2", "1.2.0", "x")
    assert is_same("0", "0.0", "x")


@pytest.mark.parametrize("version", ["", "1.x", "1..2", "v1", "1.0-rc1", "٣.1"])
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(UpdateError, match="E-UPDATE-001"):
        parse(version, "x")
