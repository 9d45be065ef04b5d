"""The small files beside a journal and on its second medium, each by itself: mark, lock, heads, copy, names."""

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from sabot.firmware.console import export as consoles
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.atomic_files import _free, set_aside
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.credentials.devices import EnrolledDevices
from sabot.firmware.credentials.people import People, Person
from sabot.firmware.credentials.pins import Cost
from sabot.firmware.journal import export, lock, mark, mirror_file, renew, store
from sabot.firmware.journal.appending import _Trouble, direct
from sabot.firmware.journal.entry import Draft, Stamp
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.mirror_file import Copy, MirrorError
from sabot.firmware.update.layout import link
from sabot.rules.errors import SabotError
from sabot.statemachine.vocabulary.events import Role

from .shifts import Shift, play


@pytest.fixture(scope="module")
def shift(tmp_path_factory: pytest.TempPathFactory) -> Shift:
    return play(tmp_path_factory.mktemp("shift"), "pa641a", last=200)


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything that is flushed to the medium from now on, by name; it is flushed all the same."""
    names: list[str] = []
    flush = os.fsync

    def fsync(fd: int) -> None:
        names.append(Path(f"/proc/self/fd/{fd}").readlink().name)
        flush(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    return names


@pytest.fixture
def db(shift: Shift) -> Iterator[sqlite3.Connection]:
    with closing(store.open_for_reading(shift.rooms.journal)) as found:
        yield found


# ---------------------------------------------------------------- what is flushed before it counts


def test_what_a_cut_of_power_must_not_take_is_flushed_with_its_name(
    tmp_path: Path, shift: Shift, db: sqlite3.Connection, flushed: list[str]
) -> None:
    heads = tmp_path / "heads"
    at = tmp_path.name

    def tells(work: Callable[[], object]) -> list[str]:
        flushed.clear()
        work()
        return list(flushed)

    for each in ("a", "b"):
        (tmp_path / each).touch()
    assert tells(lambda: link(tmp_path / "current", Path("releases/1"))) == [at]
    assert tells(lambda: mirror_file.append_lines(heads, db, shift.board.public_key)) == ["heads", at]
    assert tells(lambda: mirror_file.append_lines(heads, db, shift.board.public_key)) == []
    assert tells(lambda: set_aside(tmp_path, ("a", "b"))) == [at]
    assert tells(lambda: set_aside(tmp_path, ("a", "b"))) == []
    said = tells(lambda: export.write(tmp_path / "x", [b"1\n"]))
    assert said[-1] == at
    assert said[0].startswith(".x.")
    store.create(tmp_path / "j.db")
    assert tells(lambda: mark.Mark(tmp_path / "j.db").close()) == ["j.mark", at]
    assert tells(lambda: mark.Mark(tmp_path / "j.db").close()) == []


def test_a_journal_begun_anew_has_its_name_for_good(tmp_path: Path, flushed: list[str]) -> None:
    rooms = Rooms(tmp_path / "state")
    board = boards.prepare(rooms, boards.SIMULATED)
    store.create(rooms.journal)
    flushed.clear()

    asyncio.run(
        renew.renew(
            rooms,
            board,
            Draft("start", Stamp("b", "1.0", "2026-01-01T00:00:00.000Z", trusted=True), "{}"),
            "old",
        )
    )

    assert flushed[-1] == "state"
    assert flushed.count("state") == 4, "the new journal, its mark, what was set aside, the names"


# ---------------------------------------------------------------- mark and lock


def test_a_new_mark_is_a_whole_line_that_others_may_not_write(tmp_path: Path) -> None:
    store.create(tmp_path / "j.db")
    before = os.umask(0)
    try:
        made = mark.Mark(tmp_path / "j.db")
        held = lock.WriterLock(tmp_path / "j.db")
    finally:
        os.umask(before)

    assert mark.read(tmp_path / "j.db") == (0, bytes(mark.LINK_BYTES))
    for name in ("j.mark", "j.lock"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o640
    made.close()
    held.release()


def test_whoever_comes_second_is_told_who_writes(tmp_path: Path) -> None:
    held = lock.WriterLock(tmp_path / "j.db")

    with pytest.raises(JournalError) as caught:
        lock.WriterLock(tmp_path / "j.db")

    assert caught.value.facts["pid"] == str(os.getpid())
    held.release()
    lock.WriterLock(tmp_path / "j.db").release()


def test_a_medium_that_refuses_is_quoted_in_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"

    def refused(work: Callable[[], object]) -> str:
        with pytest.raises(SabotError) as caught:
            work()
        return str(caught.value.facts["why"])

    keyring = EnrolledDevices(gone / "devices.json")
    people = People(gone / "people.json", lambda: 0.0, Cost(2, 1, 1))
    ann = Person("17", "Ann", Role.FLOOR)
    for work in (
        lambda: lock.WriterLock(gone / "j.db"),
        lambda: store.create(gone / "j.db"),
        lambda: export.write(gone / "x", [b"1\n"]),
        lambda: asyncio.run(keyring.enrol("shoe", bytes(32))),
        lambda: asyncio.run(people.enrol(ann, "90210")),
        lambda: consoles.begin(gone, gone / "j.db", export.ExportPart(1, 1)),
    ):
        said = refused(work)
        assert "Errno" not in said
        assert said

    def wordless(*_: object) -> int:
        raise OSError("the stick was pulled")

    with monkeypatch.context() as pulled:
        pulled.setattr(os, "link", wordless)
        assert refused(lambda: export.write(tmp_path / "x", [b"1\n"])) == "the stick was pulled"
    monkeypatch.setattr(os, "open", wordless)
    assert refused(lambda: lock.WriterLock(gone / "j.db")) == "the stick was pulled"


def test_a_command_that_writes_alone_forgets_a_trouble_that_is_over() -> None:
    trouble = _Trouble()
    trouble.stuck("full")
    assert trouble.reason == "full"

    trouble.unstuck()

    assert not trouble.reason


def test_a_command_that_writes_alone_reads_the_journal_first(tmp_path: Path) -> None:
    async def write() -> None:
        async with direct(tmp_path / "none.db"):
            raise AssertionError

    with pytest.raises(JournalError):
        asyncio.run(write())


# ---------------------------------------------------------------- names, and the newest entries


def test_a_name_that_is_taken_is_never_taken_again(tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        path = _free(tmp_path, "old-1", "journal.db")
        path.touch()
        names.append(path.name)

    assert names == ["old-1-journal.db", "old-1-2-journal.db", "old-1-3-journal.db"]


def test_the_newest_entries_end_where_nobody_waits_for_more(shift: Shift) -> None:
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        last, _ = store.last_of(db)
        assert [each.number for each in store.follow(db, 3, is_endless=False)] == [last - 2, last - 1, last]
        assert len(list(store.follow(db, 10**6, is_endless=False))) == last
        endless = store.follow(db, 1, is_endless=True)
        assert next(endless).number == last


# ---------------------------------------------------------------- heads


@pytest.mark.parametrize(
    ("content", "last", "ends"),
    [
        (b"", 0, b""),
        (b'{"head":7}\n', 7, b"\n"),
        (b'{"head":7}\n{"head":12}\n', 12, b"\n"),
        (b'{"head":7}\n{"he', 7, b'{"he\n'),
        (b'{"head":7}\nnonsense\n', 7, b"\n"),
        (b"nonsense\n", 0, b"\n"),
        (b'{"head":7}\n' * 1000 + b'{"head":9}\n', 9, b"\n"),
    ],
)
def test_the_last_head_of_a_file_is_found_and_half_a_line_is_ended(
    tmp_path: Path, content: bytes, last: int, ends: bytes
) -> None:
    path = tmp_path / "heads"
    assert mirror_file._last_line(path) == 0
    path.write_bytes(content)

    assert mirror_file._last_line(path) == last
    assert path.read_bytes().endswith(ends)
    assert len(path.read_bytes()) - len(content) in (0, 1)


def test_a_head_that_retention_removed_is_passed_over(shift: Shift, tmp_path: Path) -> None:
    """Retention removes until a head, so the head itself is the last that is gone."""
    copy = tmp_path / "journal.db"
    with closing(store.open_for_reading(shift.rooms.journal)) as db, closing(sqlite3.connect(copy)) as to:
        db.backup(to)
        heads = store.numbers(db, "head", 1, 2**62)
    path, key = tmp_path / "heads", shift.board.public_key
    with closing(store.open_for_writing(copy)) as db:
        assert mirror_file.append_lines(path, db, key) == len(heads)
        assert store.remove_until(db, heads[-2], 10**6)
        assert store.first_of(db) == heads[-2] + 1
        assert store.remove_until(db, heads[-2], 10**6) == 0
        assert mirror_file.verify_heads(path, db, key) == len(heads)


# ---------------------------------------------------------------- the copy


def a_copy(shift: Shift, db: sqlite3.Connection, entries: int) -> Copy:
    entry = store.entry(db, entries)
    found = entry.link if entry is not None else bytes(32)
    balances = shift.table.state.books.ledger.balances
    return Copy(shift.board.public_key, "T", entries, found, dict(balances), 0, "", {})


def test_a_copy_is_of_this_journal_and_of_no_more_of_it(shift: Shift, db: sqlite3.Connection) -> None:
    last, _ = store.last_of(db)
    for entries in (0, 1, last):
        mirror_file.verify_copy(a_copy(shift, db, entries), db, "here")
    for copy in (a_copy(shift, db, last + 1), replace(a_copy(shift, db, last), link=bytes(32))):
        with pytest.raises(MirrorError, match="E-MIRROR-004"):
            mirror_file.verify_copy(copy, db, "here")


def test_a_copy_is_compared_by_what_was_true_at_its_entry(shift: Shift, db: sqlite3.Connection) -> None:
    last, _ = store.last_of(db)
    key, balances = shift.board.public_key, shift.table.state.books.ledger.balances
    account = next(iter(balances))
    other = {**balances, account: balances[account] + 1}

    def said(copy: Copy) -> str | None:
        return mirror_file.compare(copy, db, key, other)

    assert said(a_copy(shift, db, last - 1)) is None, "it was right then, whatever moved since"
    assert account in (said(a_copy(shift, db, last)) or "")
    assert f"the journal ends at {last}" in (said(a_copy(shift, db, last + 1)) or "")
    assert "different entries" in (said(replace(a_copy(shift, db, 1), link=bytes(32))) or "")
    assert "another board" in (said(replace(a_copy(shift, db, 1), key=bytes(32))) or "")
    assert mirror_file.compare(a_copy(shift, db, last), db, key, balances) is None
