"""Asking a release about a table, as a process of its own and as the user that runs the table.

The old release says whether the table is closed, the new one whether it can live with this board. A release
is never imported into the updater: two versions in one process would be neither.
"""

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sabot.firmware.credentials.board import Rooms
from sabot.firmware.credentials.errors import KeepError
from sabot.firmware.credentials.people import People
from sabot.firmware.journal.authority import PEOPLE, two
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.layout import python_of

PATIENCE_S = 300
CLOSED = "closed"


class StateOwner(NamedTuple):
    """The owner of the table's state."""

    user: int
    group: int


class ReleaseAnswer(NamedTuple):
    """The answer of a release."""

    code: int
    out: str
    last_words: str


def owner_of(state: Path) -> StateOwner | None:
    """Return the user to ask as; only root can be somebody else."""
    if os.geteuid() != 0 or not state.exists():
        return None
    found = state.stat()
    return StateOwner(found.st_uid, found.st_gid)


def ask(release: Path, owner: StateOwner | None, *words: str) -> ReleaseAnswer:
    """Run a command of a release; return its answer."""
    # And without root's groups: it is to open what the program of the table can open, and no more.
    who = {"user": owner.user, "group": owner.group, "extra_groups": ()} if owner else {}
    # Nothing of the caller's environment reaches a release.
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(python_of(release)), "-I", "-m", "sabot", *words]
    try:
        done = subprocess.run(  # type: ignore[call-overload]  # noqa: S603 (our own interpreter)
            command, capture_output=True, text=True, check=False, cwd="/",
            env=environment, timeout=PATIENCE_S, **who,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return ReleaseAnswer(-1, "", str(error))
    return ReleaseAnswer(done.returncode, done.stdout, done.stderr.strip().rpartition("\n")[2])


def verify_closed(release: Path, owner: StateOwner | None, table: Path, *, is_stopped: bool) -> None:
    """Raise where the table is not closed or, once the program has stopped, not properly closed."""
    stand = _stand(ask(release, owner, "selftest", "--json", str(table)), table)
    if stand["phase"] != CLOSED:
        raise UpdateError("E-UPDATE-006", str(table), phase=str(stand["phase"]).replace("_", " "))
    if is_stopped and stand["is_running"]:
        raise UpdateError("E-UPDATE-015", str(table))
    # Nothing may lie behind the last signed head when another program takes over.
    if is_stopped and not stand["is_closing"]:
        why = "there are entries after its last signed head"
        raise UpdateError("E-UPDATE-007", str(table), why=why)


def _stand(asked: ReleaseAnswer, table: Path) -> Mapping[str, object]:
    """Return the state of the journal; an installation that is damaged must still say so much."""
    try:
        found = json.loads(asked.out)
        stand = found["journal"]
        trouble = next((row["fault"] for row in found["checks"] if row["check"] == "journal"), "")
    except (ValueError, KeyError, TypeError) as error:
        raise UpdateError("E-UPDATE-007", str(table), why=asked.last_words or error) from error
    if not isinstance(stand, dict):
        raise UpdateError("E-UPDATE-007", str(table), why=trouble)
    return stand


def try_out(release: Path, owner: StateOwner | None, table: Path | None) -> str:
    """Return the objections of a release's self-test, nothing where it is good."""
    asked = ask(release, owner, "verify", "--json")
    if asked.code:
        return f"sabot verify: {_troubles(asked)}"
    if table is None:
        return ""
    for words in (("check", str(table)), ("selftest", "--json", str(table))):
        asked = ask(release, owner, *words)
        if asked.code:
            return f"sabot {words[0]}: {_troubles(asked)}"
    return ""


def _troubles(asked: ReleaseAnswer) -> str:
    """Return the complaints of a release in one line."""
    try:
        found = json.loads(asked.out)
        told = found.get("troubles", [])
        told += [row["fault"] for row in found.get("checks", []) if row["fault"] and row["keeps_closed"]]
    except (ValueError, AttributeError, TypeError, KeyError):
        told = []
    return "; ".join(told) or asked.last_words or f"exit code {asked.code}"


# ------------------------------------------------------------ two people who agree

# Wrong PINs of whoever updates are counted apart: they lock nobody out at the table.
DOOR = "update"


def agree(state: Path, numbers: Sequence[str], cause: str, pin_of: Callable[[str], str]) -> str:
    """Return the two people in words; raise where they are not two who may."""
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
    """Be the owner of the state while the block runs: the program must be able to read what is written."""
    owner = owner_of(state)
    if owner is None:
        yield
        return
    # The group first: whoever is no longer root cannot change it any more.
    os.setegid(owner.group)
    os.seteuid(owner.user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
