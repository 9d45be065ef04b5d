"""What a medium does to a journal: full, read-only, damaged, cut, gone. Each has its code, none is overlooked."""

import asyncio
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import mark, store, verify
from sabot.firmware.journal.entry import Draft, Stamp
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.lock import WriterLock, is_written
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.open_journal import doubted, open_journal

from .shifts import Kept, Shift, play

STAMP = Stamp("boot-1", "1.000000", "2026-01-02T03:04:05.678Z", trusted=True)
PAGE = 4096


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Shift:
    """A shift, and in ``cut`` its files as a cut of power would have left them."""

    def copy(rooms: Rooms) -> None:
        shutil.copytree(rooms.root, rooms.root / "cut", ignore=shutil.ignore_patterns("cut"))

    return play(tmp_path_factory.mktemp("kept"), "pa641a", while_open=copy)


@pytest.fixture
def at_rest(kept: Shift, tmp_path: Path) -> Rooms:
    shutil.copytree(kept.rooms.root, tmp_path / "state", ignore=shutil.ignore_patterns("cut"))
    return Rooms(tmp_path / "state")


@pytest.fixture
def cut(kept: Shift, tmp_path: Path) -> Rooms:
    shutil.copytree(kept.rooms.root / "cut", tmp_path / "state")
    return Rooms(tmp_path / "state")


def opened(rooms: Rooms, shift: Shift) -> object:
    return open_journal(rooms, shift.recording.setup, shift.board).table.snapshot()


def proved(rooms: Rooms, shift: Shift) -> bytes:
    with closing(store.open_for_reading(rooms.journal)) as db:
        return verify.verify_journal(db, shift.board.public_key, lambda _more: None).link


class FailingSettings(sqlite3.Connection):
    """A medium that can be read once more, and then not set to anything."""

    def execute(self, order: str, *values: object) -> sqlite3.Cursor:
        if order.startswith("PRAGMA"):
            message = "disk I/O error"
            raise sqlite3.OperationalError(message)
        return super().execute(order, *values)  # type: ignore[arg-type]


def test_a_medium_that_fails_as_the_writer_opens_it_is_said(
    at_rest: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *where, **how: connect(*where, factory=FailingSettings, **how)
    )

    with pytest.raises(JournalError) as refused:
        store.open_for_writing(at_rest.journal)
    assert refused.value.kind.code == "E-JRNL-002"


def test_what_a_cut_of_power_leaves_opens_to_the_same_state(kept: Shift, cut: Rooms) -> None:
    assert store.logs_of(cut.journal)[0].stat().st_size > PAGE

    assert opened(cut, kept) == kept.table.snapshot()


def test_a_damaged_name_in_the_schema_is_a_damaged_file(at_rest: Rooms) -> None:
    """SQLite names the broken table in its message, and these bytes are no text."""
    content = at_rest.journal.read_bytes()
    name = content.index(b"tableround") + len(b"table")
    at_rest.journal.write_bytes(content[:name] + b"\x8a\xff" + content[name + 2 :])

    with pytest.raises(JournalError) as refused:
        store.open_for_reading(at_rest.journal)
    assert refused.value.kind.code == "E-JRNL-002"


# ---------------------------------------------------------------- a medium that takes nothing


async def entries_through(path: Path, obstacle: str, removal: str) -> tuple[Kept, list[int]]:
    """Entries against an obstacle, and again without it: what was told, and what had been told by then."""
    told = Kept()
    writer = Writer(path, asyncio.get_running_loop(), told)
    writer._db.execute(obstacle)
    writer.start()
    for _ in range(200):
        writer.append(lambda number, _before: Draft("event", STAMP, f'{{"n":{number},"x":"{"x" * 500}"}}'))
    async with asyncio.timeout(20):
        while not told.stuck_for:  # noqa: ASYNC110 (a thread tells)
            await asyncio.sleep(0.01)
    before = list(told.reached)
    writer._db.execute(removal)
    async with asyncio.timeout(20):
        while writer.waiting or not told.unstuck_times:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert await asyncio.to_thread(writer.close)
    return told, before


OBSTACLES = {
    "full": ("PRAGMA max_page_count=16", "PRAGMA max_page_count=100000", "full"),
    "read-only": ("PRAGMA query_only=ON", "PRAGMA query_only=OFF", "readonly"),
}


@pytest.mark.parametrize("name", OBSTACLES)
def test_a_medium_that_takes_nothing_holds_entries_back_and_loses_none(tmp_path: Path, name: str) -> None:
    obstacle, removal, word = OBSTACLES[name]
    path = tmp_path / "journal.db"
    store.create(path)

    told, before = asyncio.run(entries_through(path, obstacle, removal))

    assert word in told.stuck_for[0]
    assert before == []
    assert told.reached[-1] == 200
    with closing(store.open_for_reading(path)) as db:
        assert [each.number for each in store.entries(db)] == list(range(1, 201))


async def written_after(path: Path, happens: Callable[[], object]) -> Kept:
    told = Kept()
    writer = Writer(path, asyncio.get_running_loop(), told)
    writer.start()
    writer.append(lambda _number, _before: Draft("event", STAMP, "{}"))
    async with asyncio.timeout(20):
        while writer.waiting:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)
    happens()
    writer.append(lambda _number, _before: Draft("event", STAMP, "{}"))
    async with asyncio.timeout(20):
        while not told.stuck_for:  # noqa: ASYNC110 (a thread tells)
            await asyncio.sleep(0.01)
    assert not await asyncio.to_thread(writer.close)
    return told


def test_a_file_deleted_under_the_writer_takes_no_more_entries(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store.create(path)

    told = asyncio.run(written_after(path, path.unlink))

    assert told.reached == [1]


def test_a_file_put_in_its_place_takes_no_entries_either(tmp_path: Path) -> None:
    path, other = tmp_path / "journal.db", tmp_path / "other.db"
    store.create(path)
    store.create(other)

    told = asyncio.run(written_after(path, lambda: other.replace(path)))

    assert told.reached == [1]
    assert "another file" in told.stuck_for[0]


def test_nobody_writes_beside_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store.create(path)

    async def second() -> None:
        writer = Writer(path, asyncio.get_running_loop(), Kept())
        writer.start()
        with pytest.raises(JournalError, match=rf"E-JRNL-010 .*process {os.getpid()}\)"):
            Writer(path, asyncio.get_running_loop(), Kept())
        assert await asyncio.to_thread(writer.close)
        again = Writer(path, asyncio.get_running_loop(), Kept())
        again.start()
        assert await asyncio.to_thread(again.close)

    asyncio.run(second())


# ---------------------------------------------------------------- a file that is not what it was


WAYS: dict[str, Callable[[random.Random], bytes]] = {
    "noise": lambda dice: dice.randbytes(PAGE),
    "zeros": lambda _dice: bytes(PAGE),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_page_is_said_to_be_damaged_or_did_not_matter(
    kept: Shift, at_rest: Rooms, way: str
) -> None:
    """Every page of the file in turn; whatever opens is the very same state, and whatever is proved whole is."""
    dice, whole = random.Random(641), at_rest.journal.read_bytes()
    state, link = kept.table.snapshot(), proved(at_rest, kept)
    found = {"E-JRNL-002": 0, "unharmed": 0}
    for place in range(0, len(whole), PAGE):
        at_rest.journal.write_bytes(whole[:place] + WAYS[way](dice) + whole[place + PAGE :])
        for check, expected in ((opened, state), (proved, link)):
            try:
                assert check(at_rest, kept) == expected
                found["unharmed"] += 1
            except JournalError as error:
                found[error.kind.code] = found.get(error.kind.code, 0) + 1
    assert found["E-JRNL-002"] > len(whole) // PAGE // 2
    assert found.keys() <= {"E-JRNL-002", "E-JRNL-003", "E-JRNL-004", "E-JRNL-006", "unharmed"}


def test_a_flipped_bit_never_goes_unnoticed(kept: Shift, at_rest: Rooms) -> None:
    dice, whole = random.Random(683), at_rest.journal.read_bytes()
    link = proved(at_rest, kept)
    noticed = 0
    for _ in range(150):
        place = dice.randrange(len(whole))
        altered = whole[:place] + bytes([whole[place] ^ 1 << dice.randrange(8)]) + whole[place + 1 :]
        at_rest.journal.write_bytes(altered)
        try:
            assert proved(at_rest, kept) == link
        except JournalError:
            noticed += 1
    assert noticed > 50


def test_a_cut_file_is_said_to_be_damaged(kept: Shift, at_rest: Rooms) -> None:
    whole = at_rest.journal.read_bytes()
    for size in (0, 100, PAGE, PAGE * 3, len(whole) // 2, len(whole) - PAGE):
        at_rest.journal.write_bytes(whole[:size])
        with pytest.raises(JournalError, match=r"E-JRNL-00[29] "):
            opened(at_rest, kept)
        assert at_rest.journal.read_bytes() == whole[:size]


def test_a_damaged_log_never_loses_entries_silently(kept: Shift, cut: Rooms, tmp_path: Path) -> None:
    """SQLite takes a log up to its first bad frame and says nothing; the mark does."""
    state = kept.table.snapshot()
    log, _ = store.logs_of(cut.journal)
    whole, dice = log.read_bytes(), random.Random(682)
    found = []
    for turn in range(40):
        rooms = Rooms(tmp_path / f"turn{turn}")
        shutil.copytree(cut.root, rooms.root)
        place = dice.randrange(32, len(whole))
        store.logs_of(rooms.journal)[0].write_bytes(
            whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :]
        )
        store.logs_of(rooms.journal)[1].unlink(missing_ok=True)
        try:
            assert opened(rooms, kept) == state
        except JournalError as error:
            found.append(error.kind.code)
    assert set(found) == {"E-JRNL-009"}
    assert len(found) > 20


def without_log(rooms: Rooms) -> None:
    for each in store.logs_of(rooms.journal):
        each.unlink(missing_ok=True)


def without_file(rooms: Rooms) -> None:
    rooms.journal.unlink()


def emptied(rooms: Rooms) -> None:
    without_log(rooms)
    rooms.journal.unlink()
    store.create(rooms.journal)


@pytest.mark.parametrize("deed", [without_log, without_file, emptied], ids=lambda deed: deed.__name__)
def test_what_was_deleted_is_missed(kept: Shift, cut: Rooms, deed: Callable[[Rooms], None]) -> None:
    deed(cut)

    with pytest.raises(JournalError, match=r"E-JRNL-00[29] "):
        opened(cut, kept)


def test_a_log_without_its_journal_is_never_played_into_a_new_one(kept: Shift, cut: Rooms) -> None:
    cut.journal.unlink()
    mark.path_of(cut.journal).unlink()

    with pytest.raises(JournalError, match=r"E-JRNL-002 .*journal.db-wal is there"):
        opened(cut, kept)
    assert not cut.journal.exists()


def test_an_old_copy_put_back_is_found(kept: Shift, tmp_path: Path) -> None:
    early = play(tmp_path / "early", "pa641a", last=30)
    shutil.copy(mark.path_of(kept.rooms.journal), mark.path_of(early.rooms.journal))

    with pytest.raises(JournalError, match=r"E-JRNL-009 .*ends earlier"):
        open_journal(early.rooms, early.recording.setup, early.board)


def test_another_entry_at_the_mark_is_found(kept: Shift, at_rest: Rooms) -> None:
    with closing(store.open_for_reading(at_rest.journal)) as db:
        last = store.last_of(db)[0]
    mark.path_of(at_rest.journal).write_text(f"{last:020} {'ab' * 32}\n", encoding="ascii")

    with pytest.raises(JournalError, match=r"E-JRNL-009 .*another entry"):
        opened(at_rest, kept)


def test_a_journal_that_was_taken_away_with_its_mark_is_missed_by_the_board_that_began_it(
    kept: Shift, at_rest: Rooms
) -> None:
    opened(at_rest, kept)
    for each in (at_rest.journal, *store.logs_of(at_rest.journal), mark.path_of(at_rest.journal)):
        each.unlink(missing_ok=True)

    with pytest.raises(JournalError, match=r"E-JRNL-009 .*the board has begun one"):
        opened(at_rest, kept)
    assert not at_rest.journal.exists()


def test_a_journal_without_its_mark_holds_the_table_until_the_floor_has_looked(
    kept: Shift, at_rest: Rooms
) -> None:
    mark.path_of(at_rest.journal).unlink()
    found = open_journal(at_rest, kept.recording.setup, kept.board)
    for event in doubted(found, Clock()):
        found.table.handle(event)

    (held,) = [each for each in found.table.state.trouble.holds if each.device == "journal"]
    assert (held.kind, held.may_be_lifted) == ("contradiction", True)
    assert "the mark beside the journal is gone" in held.why


def test_a_program_out_of_service_over_its_journal_keeps_the_lock_it_began_with(at_rest: Rooms) -> None:
    """Else a second program would find the journal free, and take ports and lines away from the first."""
    held = WriterLock(at_rest.journal)
    at_rest.journal.write_bytes(b"no journal")

    with pytest.raises(JournalError):
        Writer(at_rest.journal, asyncio.new_event_loop(), Kept(), held)
    assert is_written(at_rest.journal)
    held.release()
    assert not is_written(at_rest.journal)


def test_a_journal_beside_its_mark_is_not_doubted(kept: Shift, at_rest: Rooms) -> None:
    assert doubted(open_journal(at_rest, kept.recording.setup, kept.board), Clock()) == []


def test_a_new_mark_has_its_whole_line_from_the_first_on(tmp_path: Path) -> None:
    """A cut of power may not leave a journal that has entries beside a mark that says nothing."""
    store.create(tmp_path / "journal.db")
    made = mark.Mark(tmp_path / "journal.db")
    assert mark.read(tmp_path / "journal.db") == (0, bytes(32))
    made.close()


@pytest.mark.parametrize("content", [b"", b"half a li", b"\xff" * 86, b"1 zz\n"])
def test_a_mark_that_makes_no_sense_says_nothing(kept: Shift, at_rest: Rooms, content: bytes) -> None:
    mark.path_of(at_rest.journal).write_bytes(content)

    assert opened(at_rest, kept) == kept.table.snapshot()


def test_a_cut_while_a_journal_was_made_leaves_none_and_the_next_start_makes_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    beside = tmp_path / ".journal.db.new"
    beside.write_bytes(b"half a file")
    store.logs_of(beside)[0].write_bytes(b"and half a log")

    store.create(path)

    with closing(store.open_for_reading(path)) as db:
        assert store.last_of(db)[0] == 0
    assert not beside.exists()


def test_a_missing_directory_is_not_called_damage(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="E-JRNL-001"):
        store.create(tmp_path / "nowhere" / "journal.db")
    with pytest.raises(JournalError, match="E-JRNL-001"):
        store.open_for_reading(tmp_path / "journal.db")
    assert sqlite3.sqlite_version_info >= (3, 37)


async def broken_by(path: Path, times: int) -> tuple[list[BaseException], int]:
    """Entries, and one that slips among them; what broke, and how far the medium came."""
    broke: list[BaseException] = []

    class Hearing(Kept):
        def broke(self, error: BaseException) -> None:
            broke.append(error)

    slips = [KeyError("slipped")] * times

    def slip(_number: int, _before: bytes) -> Draft:
        if slips:
            raise slips.pop()
        return Draft("event", STAMP, "{}")

    writer = Writer(path, asyncio.get_running_loop(), Hearing())
    for make in (*[lambda _number, _before: Draft("event", STAMP, "{}")] * 3, slip):
        writer.append(make)
    writer.start()
    async with asyncio.timeout(20):
        while not broke:  # noqa: ASYNC110 (a thread tells)
            await asyncio.sleep(0.01)
    await asyncio.to_thread(writer.close)
    return broke, writer.written


@pytest.mark.parametrize(("times", "reached"), [(2, 3), (1, 4)])
def test_a_slip_over_one_entry_is_told_and_those_before_it_are_written(
    tmp_path: Path, times: int, reached: int
) -> None:
    path = tmp_path / "journal.db"
    store.create(path)

    broke, written = asyncio.run(broken_by(path, times))

    assert [type(each) for each in broke] == [KeyError]
    assert written == reached
    with closing(store.open_for_reading(path)) as db:
        assert [each.number for each in store.entries(db)] == list(range(1, reached + 1))
