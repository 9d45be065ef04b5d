"""People and their PINs: enrolled, proved, limited, kept over a restart. All of it is our own policy."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sabot.firmware.credentials import pins
from sabot.firmware.credentials.attempts import (
    LOCKED_AT,
    MOST_DOORS,
    OVERALL,
    OVERALL_LOCK_AT,
    Attempts,
    wait_s,
)
from sabot.firmware.credentials.devices import EnrolledDevices, read_key
from sabot.firmware.credentials.errors import KeepError
from sabot.firmware.credentials.people import People, Person
from sabot.firmware.credentials.pins import Cost
from sabot.statemachine.vocabulary.events import Role

CHEAP = Cost(n=2**4, r=8, p=1)
ANN, PIN = Person("17", "Ann", Role.FLOOR), "90210"


class Watch:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def people(root: Path, now: Watch | None = None) -> People:
    return People(root / "people.json", now or Watch(), CHEAP)


def enrolled(root: Path, now: Watch | None = None) -> People:
    found = people(root, now)
    asyncio.run(found.enrol(ANN, PIN))
    return found


def code_of(work: Coroutine[Any, Any, object]) -> str:
    with pytest.raises(KeepError) as caught:
        asyncio.run(work)
    return caught.value.kind.code


def test_policy_whoever_guessed_ten_times_is_locked_out_and_nobody_else(tmp_path: Path) -> None:
    attempts = Attempts(tmp_path / "attempts.json", Watch())
    for number in range(1, 11):
        assert not attempts.is_locked_out("17")
        attempts.count("17", "user-0")
        assert attempts.is_locked_out("17") is (number == 10)
    assert not attempts.is_locked_out("42")
    assert not attempts.is_locked_out("7")


def test_policy_a_fresh_board_has_nobody(tmp_path: Path) -> None:
    fresh = people(tmp_path)
    assert fresh.everybody() == []
    assert [role for role in Role if fresh.may_be_first(role)] == [Role.FLOOR, Role.TECHNICIAN]
    assert code_of(fresh.check("17", PIN)) == "E-KEEP-006"


def test_policy_a_person_is_known_again_after_a_restart(tmp_path: Path) -> None:
    enrolled(tmp_path)
    again = people(tmp_path)
    assert asyncio.run(again.check("17", PIN)) == ANN
    assert not again.may_be_first(Role.FLOOR)
    assert code_of(again.check("17", "90211")) == "E-KEEP-006"


def test_policy_the_file_is_private_and_has_no_pin(tmp_path: Path) -> None:
    enrolled(tmp_path)
    file = tmp_path / "people.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert PIN not in file.read_text()


def test_policy_the_same_pin_of_two_people_is_kept_differently() -> None:
    one, two = pins.keep(PIN, CHEAP), pins.keep(PIN, CHEAP)
    assert one.digest != two.digest
    assert pins.is_right(PIN, one)
    assert pins.is_right(PIN, two)
    assert PIN not in repr(one)


def test_policy_an_unknown_person_takes_as_long_as_any_at_whatever_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrolled(tmp_path)
    dear = People(tmp_path / "people.json", Watch(), Cost(n=2**5, r=8, p=1))
    asyncio.run(dear.enrol(Person("18", "Bob", Role.TECHNICIAN), "73519"))
    paid: list[list[Cost]] = []
    digest = pins._digest

    def counted(pin: str, salt: bytes, cost: Cost) -> bytes:
        paid[-1].append(cost)
        return digest(pin, salt, cost)

    monkeypatch.setattr(pins, "_digest", counted)
    for number, pin in (("17", PIN), ("18", "73519"), ("17", "00001"), ("99", "00001")):
        paid.append([])
        with suppress(KeepError):
            asyncio.run(dear.check(number, pin))
    assert len(paid[0]) == 2
    assert all(each == paid[0] for each in paid)


def test_policy_wrong_pins_at_one_door_lock_nobody_out_at_another(tmp_path: Path) -> None:
    """Whoever reaches the socket as some user cannot take the table from its people."""
    watch = Watch()
    found = enrolled(tmp_path, watch)
    for _ in range(OVERALL_LOCK_AT + 1):
        for number in ("17", "18"):
            with suppress(KeepError):
                asyncio.run(found.check(number, "00001", "user-1000"))
        watch.at += 1_000
    assert code_of(found.check("17", PIN, "user-1000")) == "E-KEEP-008"
    assert asyncio.run(found.check("17", PIN)) == ANN
    assert asyncio.run(found.check("17", PIN, "user-990")) == ANN
    assert found.is_locked_out("17")
    again = people(tmp_path, watch)
    assert code_of(again.check("17", PIN, "user-1000")) == "E-KEEP-008"
    asyncio.run(again.readmit("17"))
    assert asyncio.run(again.check("17", PIN, "user-1000")) == ANN


def test_policy_many_users_are_not_as_many_allowances(tmp_path: Path) -> None:
    found = enrolled(tmp_path)
    for user in range(2 * MOST_DOORS):
        with suppress(KeepError):
            asyncio.run(found.check("17", "00001", f"user-{user}"))
    doors = {key.partition(" ")[0] for key in found._attempts._failures}
    assert len(doors) == MOST_DOORS + 1


def test_policy_a_pin_costs_a_thief_memory_and_time() -> None:
    cost = Cost()
    assert 128 * cost.r * cost.n == 8 * 1024 * 1024
    assert pins.is_right(PIN, pins.keep(PIN))


@pytest.mark.parametrize(
    ("pin", "why"),
    [
        ("1234", "is not 5 to 10 digits"),
        ("12345678901", "is not 5 to 10 digits"),
        ("9021a", "is not 5 to 10 digits"),
        ("٣٤٥٦٧", "is not 5 to 10 digits"),
        ("77777", "is one digit over and over"),
        ("34567", "counts up or down"),
        ("76543", "counts up or down"),
        ("89012", "counts up or down"),
        ("17171", "is the person's number over and over"),
    ],
)
def test_policy_a_pin_that_is_guessed_first_is_none(pin: str, why: str) -> None:
    with pytest.raises(KeepError, match=why):
        pins.verify_good(pin, "17")


@pytest.mark.parametrize(
    ("person", "code"),
    [
        (Person("17", "Zoe", Role.DEALER), "E-KEEP-004"),
        (Person("7", "Zoe", Role.DEALER), "E-KEEP-004"),
        (Person("7b", "Zoe", Role.DEALER), "E-KEEP-004"),
        (Person("٤٢", "Zoe", Role.DEALER), "E-KEEP-004"),
        (Person("18", "", Role.DEALER), "E-KEEP-011"),
        (Person("18", "Z" * 17, Role.DEALER), "E-KEEP-011"),
        (Person("18", "Zo\x1b", Role.DEALER), "E-KEEP-011"),
    ],
)
def test_policy_numbers_and_names_fit_and_are_free(tmp_path: Path, person: Person, code: str) -> None:
    assert code_of(enrolled(tmp_path).enrol(person, "86420")) == code


def test_policy_the_last_of_those_who_enrol_others_stays(tmp_path: Path) -> None:
    found = enrolled(tmp_path)
    assert code_of(found.forget("17")) == "E-KEEP-010"
    assert code_of(found.forget("99")) == "E-KEEP-009"
    asyncio.run(found.enrol(Person("18", "Zoe", Role.FLOOR), "86420"))
    asyncio.run(found.forget("17"))
    assert [person.number for person in people(tmp_path).everybody()] == ["18"]


# ---------------------------------------------------------------- attempts


def test_policy_the_wait_doubles_and_has_an_end() -> None:
    assert [wait_s("17", count) for count in (0, 2, 3, 4, 9)] == [0, 0, 2, 4, 128]
    assert [wait_s(OVERALL, count) for count in (5, 6, 20, OVERALL_LOCK_AT)] == [0, 2, 300, 900]


def test_policy_the_limits_are_those_of_the_page() -> None:
    """docs/console.md: three of one person, six of anybody, thirty, ten, eight users, five minutes."""
    assert next(count for count in range(20) if wait_s("17", count)) == 3
    assert next(count for count in range(20) if wait_s(OVERALL, count)) == 6
    assert (wait_s("17", 99), wait_s(OVERALL, 29), wait_s(OVERALL, 30)) == (300.0, 300.0, 900.0)
    assert (LOCKED_AT, OVERALL_LOCK_AT, MOST_DOORS) == (10, 30, 8)


def test_policy_the_tenth_wrong_pin_in_a_row_locks_out_and_the_ninth_does_not(tmp_path: Path) -> None:
    now = Watch()
    found = enrolled(tmp_path, now)
    for count in range(9):
        assert code_of(found.check("17", f"{count:05}")) == "E-KEEP-006"
        now.at += 1000
    assert not found.is_locked_out("17")
    assert code_of(found.check("17", "00009")) == "E-KEEP-006"
    now.at += 1000
    assert found.is_locked_out("17")
    assert code_of(found.check("17", PIN)) == "E-KEEP-008"


def test_policy_wrong_attempts_wait_and_a_right_one_forgives(tmp_path: Path) -> None:
    now = Watch()
    found = enrolled(tmp_path, now)
    for _ in range(3):
        assert code_of(found.check("17", "00000")) == "E-KEEP-006"
    assert code_of(found.check("17", PIN)) == "E-KEEP-007"
    now.at += 2.0
    assert asyncio.run(found.check("17", PIN)) == ANN
    assert code_of(found.check("17", "00000")) == "E-KEEP-006"


def test_policy_a_restart_gives_no_attempt_back(tmp_path: Path) -> None:
    enrolled(tmp_path)
    for count in range(LOCKED_AT):
        now = Watch()
        found = people(tmp_path, now)
        now.at += 1000
        assert code_of(found.check("17", f"{count:05}")) == "E-KEEP-006"
    found = people(tmp_path)
    assert found.is_locked_out("17")
    assert code_of(found.check("17", PIN)) == "E-KEEP-008"
    asyncio.run(found.readmit("17"))
    assert asyncio.run(people(tmp_path).check("17", PIN)) == ANN


def test_policy_an_attempt_is_counted_on_the_medium_before_it_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = enrolled(tmp_path)

    def cut_of_power(*_words: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(pins, "is_right", cut_of_power)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(found.check("17", PIN))
    assert json.loads((tmp_path / "attempts.json").read_text()) == {"table 17": 1, "table *": 1}


def test_policy_guesses_at_once_are_tried_one_after_the_other(tmp_path: Path) -> None:
    found = enrolled(tmp_path)

    async def many() -> list[object]:
        return await asyncio.gather(
            *(found.check("17", f"{each:05}") for each in range(20)), return_exceptions=True
        )

    codes = [error.kind.code for error in asyncio.run(many()) if isinstance(error, KeepError)]
    assert codes == ["E-KEEP-006"] * 3 + ["E-KEEP-007"] * 17


def test_policy_damaged_counts_are_many_wrong_attempts(tmp_path: Path) -> None:
    enrolled(tmp_path)
    (tmp_path / "attempts.json").write_text("{")
    assert code_of(people(tmp_path).check("17", PIN)) == "E-KEEP-007"


def test_policy_a_medium_that_takes_nothing_locks_nobody_out(tmp_path: Path) -> None:
    found = enrolled(tmp_path)
    (tmp_path / ".attempts.json.new").mkdir()
    assert code_of(found.check("17", "00000")) == "E-KEEP-006"
    assert asyncio.run(found.check("17", PIN)) == ANN


@pytest.mark.parametrize("content", ["{", "[]", '{"people": [{"number": "17"}]}', '{"people": 1}'])
def test_policy_a_damaged_list_of_people_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "people.json").write_text(content)
    with pytest.raises(KeepError) as caught:
        people(tmp_path)
    assert caught.value.kind.code == "E-KEEP-002"


# ---------------------------------------------------------------- devices


def test_policy_an_enrolled_device_is_known_until_it_is_forgotten(tmp_path: Path) -> None:
    path, key = tmp_path / "devices.json", bytes(range(32))
    asyncio.run(EnrolledDevices(path).enrol("shoe", key))
    again = EnrolledDevices(path)
    assert again.key_of("shoe") == key
    assert again.key_of("pads") is None
    assert len(again.fingerprints()["shoe"]) == 16
    asyncio.run(again.forget("shoe"))
    assert EnrolledDevices(path).key_of("shoe") is None
    assert code_of(again.forget("shoe")) == "E-KEEP-009"


@pytest.mark.parametrize("text", ["", "ab", "zz" * 32, "ab" * 33])
def test_policy_a_key_that_was_not_copied_whole_is_none(text: str) -> None:
    with pytest.raises(KeepError) as caught:
        read_key(text)
    assert caught.value.kind.code == "E-KEEP-011"


@pytest.mark.parametrize("content", ["{", "[]", '{"devices": {"shoe": "ab"}}', '{"devices": {"shoe": 1}}'])
def test_policy_a_damaged_list_of_devices_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "devices.json").write_text(content)
    with pytest.raises(KeepError):
        EnrolledDevices(tmp_path / "devices.json")


def test_policy_one_key_is_one_device(tmp_path: Path) -> None:
    path, key = tmp_path / "devices.json", bytes(range(32))
    devices = EnrolledDevices(path)
    asyncio.run(devices.enrol("shoe", key))
    asyncio.run(devices.enrol("shoe", key))
    assert code_of(devices.enrol("pads", key)) == "E-KEEP-012"
    assert EnrolledDevices(path).fingerprints().keys() == {"shoe"}
    asyncio.run(devices.forget("shoe"))
    asyncio.run(devices.enrol("pads", key))
    assert devices.key_of("pads") == key


def test_policy_two_consoles_do_not_enrol_one_key_under_two_names(tmp_path: Path) -> None:
    path, key = tmp_path / "devices.json", bytes(range(32))
    devices = EnrolledDevices(path)

    async def both() -> tuple[BaseException | None, BaseException | None]:
        return await asyncio.gather(
            devices.enrol("shoe", key), devices.enrol("pads", key), return_exceptions=True
        )

    first, second = asyncio.run(both())
    assert first is None
    assert isinstance(second, KeepError)
    assert second.kind.code == "E-KEEP-012"
    assert EnrolledDevices(path).fingerprints().keys() == {"shoe"}


def test_policy_a_key_under_two_names_is_that_of_the_first(tmp_path: Path) -> None:
    names = {"shuffler": bytes(range(32)).hex(), "shoe": bytes(range(32)).hex(), "pads": "ab" * 32}
    (tmp_path / "devices.json").write_text(json.dumps({"format": 1, "devices": names}))
    devices = EnrolledDevices(tmp_path / "devices.json")
    assert devices.key_of("shoe") == bytes(range(32))
    assert devices.key_of("shuffler") is None
    assert devices.key_of("pads") is not None
