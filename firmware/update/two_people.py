"""Two people who agree: each with a PIN, of different roles, with a cause in words."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sabot.firmware.credentials.board import Rooms
from sabot.firmware.credentials.errors import KeepError
from sabot.firmware.credentials.people import People
from sabot.firmware.journal.authority import PEOPLE, two
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.update.ask_release import owner_of
from sabot.firmware.update.errors import UpdateError

# Wrong PINs of whoever updates are counted apart: they lock nobody out at the table.
DOOR = "update"


def agree(state: Path, numbers: Sequence[str], cause: str, pin_of: Callable[[str], str]) -> str:
    """The two people in words; UpdateError where they are not two who may."""
    if len(set(numbers)) != PEOPLE or not cause.strip():
        raise UpdateError("E-UPDATE-010", "--roles", why="two numbers and a cause are wanted")
    with _as_owner(state):
        people = People(Rooms(state).people, time.monotonic)
        try:
            found = two([asyncio.run(people.check(each, pin_of(each), DOOR)) for each in numbers], cause)
        except (KeepError, JournalError) as error:
            raise UpdateError("E-UPDATE-010", "--roles", why=error.what) from error
    return " and ".join(f"{person} ({person.role.value})" for person in found.people)


@contextmanager
def _as_owner(state: Path) -> Iterator[None]:
    """Keep the files that are written there (counts of wrong PINs) readable for the program."""
    owner = owner_of(state)
    if owner is None:
        yield
        return
    os.setegid(owner.group)
    os.seteuid(owner.user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
