"""A medium that is really full: nothing is taken, it is said, nothing is lost, and it goes on when there is room."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from sabot.floor import messages
from sabot.floor.committer import UNWRITTEN
from sabot.floor.errors import FloorError
from sabot.floor.verify import verify

from .keeping import Kept, told
from .making import Teller
from .servers import Server, programs

LEFT = 64 << 10
ROUNDS = 2_000
FULL, IN_DOUBT = "E-FLOOR-010", "E-FLOOR-013"


@contextmanager
def small_medium(megabytes: int) -> Iterator[Path]:
    """A medium of its own, in memory; skipped where nobody may make one."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    folder = Path(tempfile.mkdtemp(prefix="sm", dir="/tmp"))
    words = [mount or "mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if os.geteuid() or mount is None or subprocess.run(words, check=False, capture_output=True).returncode:
        folder.rmdir()
        pytest.skip("no small medium can be made here: it takes root, and a kernel that lets it mount tmpfs")
    try:
        yield folder
    finally:
        subprocess.run([umount or "umount", "-l", str(folder)], check=True)
        folder.rmdir()


def fill(folder: Path) -> Path:
    """Fill the medium, but for a little, with a file that is no part of the store."""
    file = folder / "ballast"
    room = os.statvfs(folder)
    with file.open("wb") as ballast:
        os.posix_fallocate(ballast.fileno(), 0, room.f_bavail * room.f_frsize - LEFT)
    return file


def why_not(kept: Kept, raw: bytes) -> str:
    """Return the code of the error with which a payload is not taken, nothing where it is."""
    try:
        kept.take(raw)
    except FloorError as error:
        return error.kind.code
    return ""


def until_full(kept: Kept, one: Teller) -> bytes:
    """Play until nothing more is taken; the message that was not."""
    for round_ in range(2, ROUNDS):
        raw = one.bets(round_, 1, 2)
        if code := why_not(kept, raw):
            assert code == FULL
            return raw
    raise AssertionError("the medium never was full")


def is_said(kept: Kept, one: Teller, raw: bytes) -> None:
    """Nothing is taken, however often it is said, and whoever asks is told why."""
    before = kept.last
    for _ in range(3):
        assert why_not(kept, raw) == FULL
        why_not(kept, one.say(messages.HEARTBEAT))  # it may find the little room that is left
    assert kept.committer.unwritten is not None
    assert "full" in kept.committer.unwritten.what or "No space left" in kept.committer.unwritten.what
    assert kept.last == before


def goes_on(kept: Kept, one: Teller, raw: bytes) -> None:
    """Whatever was said is taken once, in its turn, and the whole ledger proves."""
    before = kept.last
    assert told(kept.insist(raw))[-1]["applied"] == one.number
    assert kept.last.number == before.number + 1
    assert kept.committer.unwritten is None
    assert told(kept.take(raw))[-1]["applied"] == one.number, "once more is known"
    assert kept.last.number == before.number + 1
    assert verify(kept.reader).verified.signed_until == kept.last.number


def test_prog_12_sqlite_on_a_full_medium() -> None:
    with small_medium(4) as medium, Kept.linked(str(medium / "floor.db"), "T1") as kept:
        (one,) = kept.tellers
        kept.take(one.bets(1, 1, 2))
        ballast = fill(medium)
        raw = until_full(kept, one)

        is_said(kept, one, raw)
        ballast.unlink()
        goes_on(kept, one, raw)
        times, _, _ = kept.reader.seen()[UNWRITTEN]
        assert times >= 1


@contextmanager
def postgres_on(medium: Path) -> Iterator[tuple[Server, Kept]]:
    programs()
    with Server.fresh(root=medium) as server, Kept.linked(server.schema("floor"), "T1") as kept:
        yield server, kept


def test_prog_12_postgresql_on_a_full_medium() -> None:
    with small_medium(160) as medium, postgres_on(medium) as (_, kept):
        (one,) = kept.tellers
        kept.take(one.bets(1, 1, 2))
        ballast = fill(medium)
        raw = until_full(kept, one)

        is_said(kept, one, raw)
        ballast.unlink()
        goes_on(kept, one, raw)
        times, _, _ = kept.reader.seen()[UNWRITTEN]
        assert times >= 1


def test_prog_12_postgresql_that_has_no_room_for_its_log_goes_down_and_comes_back() -> None:
    """Where its write-ahead log finds no room the server ends itself, and does not start before there is some."""
    with small_medium(160) as medium, postgres_on(medium) as (server, kept):
        (one,) = kept.tellers
        kept.take(one.bets(1, 1, 2))
        ballast = fill(medium)
        raw = until_full(kept, one)
        _end_by_its_log(server)

        assert why_not(kept, raw) in (FULL, IN_DOUBT)
        assert why_not(kept, one.say(messages.HEARTBEAT)) in (FULL, IN_DOUBT)
        assert server.process is not None
        server.process.wait(60)
        ballast.unlink()
        server.start()
        with suppress(FloorError):
            kept.last  # noqa: B018 - the connection of before is gone, and a reader finds it out by asking
        goes_on(kept, one, raw)


def _end_by_its_log(server: Server) -> None:
    """Have the log written on, and new segments begun, until the server is gone."""
    for _ in range(20):
        try:
            server.sql("select pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()")
        except psycopg.OperationalError:
            return
    raise AssertionError("the log always found room")
