"""What a commit writes: small pages in a new journal, the pages of before in an old one, a bounded log in both."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from sabot.firmware.journal import store, verify
from sabot.firmware.journal.appending import direct
from sabot.firmware.journal.entry import Draft, Stamp
from sabot.firmware.run.open_journal import open_journal

from .shifts import Shift, play

BEFORE = 4096
HALF = 60
STAMP = Stamp("boot-1", "1.000000", "2026-01-02T03:04:05.678Z", trusted=True)


def page_bytes(shift: Shift) -> int:
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        found: int = db.execute("PRAGMA page_size").fetchone()[0]
    return found


async def written_on(journal: Path) -> int:
    async with direct(journal) as appender:
        return await appender.keep(lambda _number, _before: Draft("note", STAMP, "{}"))


def test_a_new_journal_has_small_pages(tmp_path: Path) -> None:
    assert page_bytes(play(tmp_path, "pa641a", last=HALF)) == store.PAGE_BYTES == 1024


def test_a_journal_with_the_pages_of_before_opens_and_is_written_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(store, "PAGE_BYTES", BEFORE)
        shift = play(tmp_path, "pa641a")
    recovered = open_journal(shift.rooms, shift.recording.setup, shift.board).table

    last = asyncio.run(written_on(shift.rooms.journal))

    assert page_bytes(shift) == BEFORE
    assert recovered.snapshot() == shift.table.snapshot()
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        assert store.last_of(db)[0] == last
        assert verify.verify_journal(db, shift.board.public_key, lambda _more: None).link


@pytest.mark.parametrize("pages", [store.PAGE_BYTES, BEFORE])
def test_the_log_is_folded_in_after_as_many_bytes_whatever_the_page(
    pages: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "PAGE_BYTES", pages)
    path = tmp_path / "journal.db"
    store.create(path)

    with closing(store.open_for_writing(path)) as db:
        assert db.execute("PRAGMA wal_autocheckpoint").fetchone()[0] * pages == store.LOG_BYTES
