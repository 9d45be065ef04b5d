"""The key switch and the PIN on the dealer's keys. All of it is our own policy."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from sabot.firmware.credentials.errors import ERRORS, KeepError
from sabot.firmware.credentials.people import Person
from sabot.firmware.run import table_unlock
from sabot.firmware.run.supervisor import Supervisor
from sabot.firmware.run.table_unlock import Candidate, PinEntry, TableUnlock
from sabot.statemachine.labels import WIDTH
from sabot.statemachine.vocabulary.events import (
    DIGITS,
    CardDrawn,
    DealerSignedOn,
    Event,
    Key,
    KeyPressed,
    Role,
    RoleLocked,
    RoleUnlocked,
)

KEY_OF = {digit: key for key, digit in DIGITS.items()}
PEOPLE = {
    ("17", "90210"): Person("17", "Ann", Role.FLOOR),
    ("33", "27182"): Person("33", "Dan", Role.DEALER),
}


class Table:
    """Who knows the people, shows lines and takes events, all at one table."""

    def __init__(self) -> None:
        self.posted: list[Event] = []
        self.lines: list[tuple[str, str]] = []
        self.asked = 0
        self.locked, self.told = asyncio.Event(), asyncio.Event()
        self.lacks_dealer = False
        self.desk = TableUnlock(
            self, self.post, self, lambda: 7.0, Supervisor(self).spawn, lambda: self.lacks_dealer
        )

    def slipped(self, error: BaseException, over: str) -> None:
        raise AssertionError(over) from error

    def device_broke(self, device: str, error: BaseException) -> None:
        self.slipped(error, device)

    def post(self, event: Event) -> None:
        self.posted.append(event)
        if isinstance(event, RoleLocked):
            self.locked.set()

    async def check(self, number: str, pin: str) -> Person:
        self.asked += 1
        await asyncio.sleep(0)
        if (number, pin) not in PEOPLE:
            raise KeepError(ERRORS["E-KEEP-006"], "PIN")
        return PEOPLE[number, pin]

    def show(self, first: str, second: str) -> None:
        self.lines.append((first, second))

    def show_table(self) -> None:
        self.lines.append(("TABLE", ""))
        self.told.set()

    def press(self, *keys: Key) -> list[bool]:
        """Keys; whether each was ours."""
        return [self.desk.take(KeyPressed(at=1.0, key=key)) for key in keys]

    def type(self, digits: str) -> list[bool]:
        return self.press(*(KEY_OF[digit] for digit in digits))


def at_the_table(work: Callable[[Table], Awaitable[None]]) -> Table:
    async def live() -> Table:
        table = Table()
        await work(table)
        table.desk.stop()
        return table

    return asyncio.run(live())


async def soon() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


# ---------------------------------------------------------------- the entry


def test_policy_every_key_but_lock_ok_and_back_is_a_digit() -> None:
    assert sorted(DIGITS.values()) == list("0123456789")
    assert set(Key) - set(DIGITS) == {Key.LOCK, Key.OK, Key.BACK}


def test_policy_the_display_shows_stars_and_nothing_else() -> None:
    entry = PinEntry()
    for count in range(20):
        first, second = entry.lines
        assert first == f"PERSON+PIN: {'*' * min(count, 8)}"
        assert len(first) <= WIDTH
        assert len(second) <= WIDTH
        entry.press(Key.THREE)


def test_policy_back_deletes_and_ok_enters() -> None:
    entry = PinEntry()
    assert entry.press(Key.OK) is None
    for key in (Key.ONE, Key.MINUS, Key.PLUS, Key.BACK, Key.MENU, Key.FLOOR):
        assert entry.press(key) is None
    assert entry.press(Key.OK) == Candidate("17", "90")
    assert entry.is_empty


def test_policy_nothing_of_an_entry_is_ever_printed() -> None:
    entry = PinEntry()
    entry.press(Key.ONE)
    assert "1" not in repr(entry)
    assert "90210" not in repr(Candidate("17", "90210"))


# ---------------------------------------------------------------- the key switch


def test_policy_a_turned_key_and_a_pin_unlock_a_role() -> None:
    async def work(table: Table) -> None:
        table.desk.key_switch(is_turned=True)
        assert all(table.type("1790210"))
        assert table.press(Key.OK) == [True]
        await soon()
        assert not table.desk.is_entering
        assert table.press(Key.FLOOR) == [False]
        table.desk.key_switch(is_turned=False)

    table = at_the_table(work)
    unlocked, locked = table.posted
    assert isinstance(unlocked, RoleUnlocked)
    assert (unlocked.role, unlocked.person) == (Role.FLOOR, "17 Ann")
    assert isinstance(locked, RoleLocked)
    assert locked.role is Role.FLOOR
    assert table.lines[-1] == ("TABLE", "")
    assert not [line for line in table.lines if any(letter.isdigit() for letter in "".join(line))]


def test_policy_the_lock_goes_to_the_table_and_so_does_all_that_is_no_key() -> None:
    async def work(table: Table) -> None:
        table.desk.key_switch(is_turned=True)
        assert table.press(Key.LOCK) == [False]
        assert not table.desk.take(CardDrawn(at=1.0, card=None))
        assert table.desk.is_entering

    at_the_table(work)


def test_policy_keys_are_the_tables_while_no_key_is_turned() -> None:
    async def work(table: Table) -> None:
        assert not any(table.press(*Key))

    assert at_the_table(work).posted == []


def test_policy_a_dealer_signs_on_with_ok_where_the_table_asks_for_one_and_nobody_else_does() -> None:
    async def work(table: Table) -> None:
        assert table.press(Key.OK) == [False]
        table.lacks_dealer = True
        assert table.press(Key.MENU) == [False]
        for number in ("3327182", "1790210"):
            assert table.press(Key.OK) == [True]
            assert all(table.type(number))
            assert table.press(Key.OK) == [True]
            await soon()
            assert not table.desk.is_entering

    (signed_on,) = at_the_table(work).posted
    assert isinstance(signed_on, DealerSignedOn)


def test_policy_every_reason_fits_the_display() -> None:
    assert all(len(words) <= WIDTH and code in ERRORS for code, words in table_unlock.REASONS.items())


def test_policy_a_wrong_pin_is_told_and_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_unlock, "SHOWN_S", 0.0)

    async def work(table: Table) -> None:
        table.desk.key_switch(is_turned=True)
        table.type("1711111")
        table.press(Key.OK)
        assert table.type("3") == [True]  # nothing typed meanwhile reaches the table
        await soon()
        assert table.desk.is_entering

    table = at_the_table(work)
    assert ("NOT ACCEPTED", "NUMBER OR PIN WRONG") in table.lines
    assert table.posted == []


def test_policy_a_wrong_pin_that_nobody_waits_for_is_no_slip_of_the_program() -> None:
    slips: list[dict[str, Any]] = []

    async def work(table: Table) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, facts: slips.append(facts))
        table.desk.key_switch(is_turned=True)
        table.type("1790219")
        table.press(Key.OK)
        await asyncio.sleep(0)  # the check has begun
        table.desk.key_switch(is_turned=False)
        await soon()
        gc.collect()

    table = at_the_table(work)
    assert table.asked == 1
    assert slips == []


def test_policy_a_key_that_is_turned_back_during_the_check_unlocks_nothing() -> None:
    async def work(table: Table) -> None:
        table.desk.key_switch(is_turned=True)
        table.type("1790210")
        table.press(Key.OK)
        await asyncio.sleep(0)
        table.desk.key_switch(is_turned=False)
        await soon()

    table = at_the_table(work)
    assert table.asked == 1
    assert table.posted == []


def test_policy_a_dealer_signs_on_without_a_key() -> None:
    async def work(table: Table) -> None:
        table.desk.begin()
        table.type("3327182")
        table.press(Key.OK)
        await soon()
        table.desk.begin()
        table.type("1790210")
        table.press(Key.OK)
        await soon()

    (event,) = at_the_table(work).posted
    assert isinstance(event, DealerSignedOn)
    assert event.person == "33 Dan"


def test_policy_back_on_an_empty_entry_leaves_it() -> None:
    async def work(table: Table) -> None:
        table.desk.begin()
        assert table.press(Key.ONE, Key.BACK, Key.BACK) == [True] * 3
        assert not table.desk.is_entering

    assert at_the_table(work).lines[-1] == ("TABLE", "")


def test_policy_what_is_not_used_is_locked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_unlock, "UNLOCKED_S", 0.05)

    async def work(table: Table) -> None:
        table.desk.key_switch(is_turned=True)
        table.type("1790210")
        table.press(Key.OK)
        await asyncio.wait_for(table.locked.wait(), 20)

    assert len(at_the_table(work).posted) == 2


def test_policy_an_entry_that_is_left_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_unlock, "ENTRY_S", 0.05)

    async def work(table: Table) -> None:
        table.desk.key_switch(is_turned=True)
        table.type("179")
        table.told.clear()
        await asyncio.wait_for(table.told.wait(), 20)
        assert not table.desk.is_entering

    assert at_the_table(work).posted == []
