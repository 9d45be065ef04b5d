"""A store out of an export: the very ledger again, and a backup brought forward to where the export ends."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from sabot.cli import main
from sabot.floor.errors import FloorError
from sabot.floor.export import FloorExport, export
from sabot.floor.open_store import open_store
from sabot.floor.restoring import restore
from sabot.floor.verify import verify

from .keeping import Kept, save_key, told
from .making import key
from .test_verify import evening


def test_prog_12_a_store_out_of_an_export_is_the_same_ledger(kept: Kept, tmp_path: Path, where: str) -> None:
    evening(kept)
    export(kept.reader, tmp_path / "floor.jsonl")
    new = str(tmp_path / "again.db")

    before, after = restore(new, FloorExport(tmp_path / "floor.jsonl"), key("floor"))

    assert (before.number, after) == (0, kept.last)
    store = open_store(new)
    assert list(store.entries()) == list(kept.reader.entries())
    assert list(store.heads()) == list(kept.reader.heads())
    assert (store.load().facts, store.handled(), store.moved()) == (
        kept.reader.load().facts, kept.reader.handled(), kept.reader.moved(),
    )  # fmt: skip
    verify(store)
    store.close()
    del where


def test_prog_12_a_table_goes_on_at_a_restored_floor_where_it_was(kept: Kept, tmp_path: Path) -> None:
    one, two = kept.tellers
    kept.tell(one.bets(1, 1, 2), one.hit(1, 1))
    one.heard = 1
    kept.tell(one.say("heartbeat"), two.bets(1, 5))
    export(kept.reader, tmp_path / "floor.jsonl")
    new = str(tmp_path / "again.db")
    restore(new, FloorExport(tmp_path / "floor.jsonl"), key("floor"))

    again = Kept.begin(new)
    heard = told(again.take(one.bets(2, 3)))

    assert [each["kind"] for each in heard] == ["acknowledged"]
    assert (heard[-1]["applied"], heard[-1]["heard"]) == (3, 1)
    again.end()


def test_prog_12_a_backup_is_brought_forward(tmp_path: Path) -> None:
    where, backup = str(tmp_path / "floor.db"), str(tmp_path / "backup.db")
    with Kept.linked(where, "T1", "T2") as kept:
        one, _ = kept.tellers
        kept.tell(one.bets(1, 1, 2), one.hit(1, 1))
        with sqlite3.connect(where) as db, sqlite3.connect(backup) as copy:
            db.backup(copy)
        behind = kept.last
        kept.tell(one.bets(2, 1, 2), one.hit(2, 1), one.bets(3, 1))
        export(kept.reader, tmp_path / "floor.jsonl")
        last = kept.last
    save_key(tmp_path / "floor.key", key("floor"))

    code = main(
        [
            "floor",
            "restore",
            str(tmp_path / "floor.jsonl"),
            "--store",
            backup,
            "--key",
            str(tmp_path / "floor.key"),
        ]
    )

    assert code == 0
    store = open_store(backup)
    assert behind.number < store.load().last.number == last.number
    verify(store)
    store.close()
    assert restore(backup, FloorExport(tmp_path / "floor.jsonl"), key("floor")) == (last, last)


def test_prog_12_an_export_that_is_older_or_of_another_ledger_changes_nothing(tmp_path: Path) -> None:
    where, other = str(tmp_path / "floor.db"), str(tmp_path / "other.db")
    with Kept.linked(where, "T1") as kept:
        kept.tell(*[each.bets(1, 1) for each in kept.tellers])
        export(kept.reader, tmp_path / "old.jsonl")
        kept.tell(*[each.bets(2, 1) for each in kept.tellers])
        last = kept.last
    with Kept.linked(other, "T1") as kept:
        kept.tell(*[each.bets(1, 2) for each in kept.tellers])
        kept.tell(*[each.bets(2, 2) for each in kept.tellers])
        kept.tell(*[each.bets(3, 2) for each in kept.tellers])
        export(kept.reader, tmp_path / "other.jsonl")
    shutil.copy(where, tmp_path / "kept.db")

    with pytest.raises(FloorError, match=f"the store has entry {last.number}"):
        restore(where, FloorExport(tmp_path / "old.jsonl"), key("floor"))
    with pytest.raises(FloorError, match="is another than that of what it is restored from"):
        restore(where, FloorExport(tmp_path / "other.jsonl"), key("floor"))
    with pytest.raises(FloorError, match="key is another"):
        restore(str(tmp_path / "new.db"), FloorExport(tmp_path / "old.jsonl"), key("T1"))

    store = open_store(where)
    assert store.load().last == last
    verify(store)
    store.close()


def test_prog_12_a_store_that_somebody_leads_is_left_alone(kept: Kept, tmp_path: Path) -> None:
    export(kept.reader, tmp_path / "floor.jsonl")

    with pytest.raises(FloorError, match="E-FLOOR-012"):
        restore(kept.where, FloorExport(tmp_path / "floor.jsonl"), key("floor"))


def test_prog_12_into_a_new_schema_of_postgresql(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with Kept.linked(str(tmp_path / "floor.db"), "T1", "T2") as kept:
        evening(kept)
        export(kept.reader, tmp_path / "floor.jsonl")
        last = kept.last
    new = request.getfixturevalue("server").schema("restored")

    assert restore(new, FloorExport(tmp_path / "floor.jsonl"), key("floor"))[1] == last
    store = open_store(new)
    verify(store)
    store.close()
