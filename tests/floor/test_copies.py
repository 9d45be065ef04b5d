"""A plain copy of a store: what it proves, how it is known to be older than its tables, how it is brought forward."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from sabot.cli import main
from sabot.floor import messages
from sabot.floor import service as services
from sabot.floor.entry import Last
from sabot.floor.errors import FloorError
from sabot.floor.open_store import is_postgres, names_store, open_store
from sabot.floor.pit import facts
from sabot.floor.program import read_known, write_known
from sabot.floor.restoring import FloorCopy, restore
from sabot.floor.verify import verify
from sabot.floor.wire import hex_of

from .keeping import SOON_S, Kept, save_key, told
from .making import key
from .servers import programs
from .test_floor_command import as_json
from .test_pit import told as state_of
from .test_service import Serving, serve
from .test_stores import sql

NONE = [0, "0" * 64]


def copied(where: str, folder: Path) -> str:
    """A copy as the engine's own tools make one: the backup of SQLite, pg_dump into a database of its own."""
    if not is_postgres(where):
        target = folder / "copy.db"
        with closing(sqlite3.connect(where)) as db, closing(sqlite3.connect(target)) as copy:
            db.backup(copy)
        return str(target)
    dump = subprocess.run(
        [programs() / "pg_dump", "-d", where, "-n", schema_of(where)], capture_output=True, check=True
    )
    name = f"copy_of_{schema_of(where)}"
    with psycopg.connect(where, autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}".encode())
    target_name = where.replace("dbname=postgres", f"dbname={name}")
    assert target_name != where
    subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", target_name], input=dump.stdout, check=True)
    return target_name


def schema_of(where: str) -> str:
    with psycopg.connect(where) as db:
        found = db.execute("SELECT current_schema()").fetchone()
    assert found
    return str(found[0])


@pytest.fixture
def copy(kept: Kept, tmp_path: Path) -> str:
    """A copy, after which the floor has acknowledged more: T1 was told of it, T2 had said nothing."""
    one, _ = kept.tellers
    kept.tell(one.bets(1, 1, 2), one.hit(1, 1))
    found = copied(kept.where, tmp_path)
    kept.tell(one.bets(2, 1), one.say(messages.HEARTBEAT))
    return found


def said_by(table: str, part: int, head: Last | None) -> bytes:
    """The state of a table that knows an end of the ledger."""
    ledger = [head.number, head.link.hex()] if head else NONE
    return state_of(table, part, signer=table, ledger=ledger)


def settled(serving: Serving) -> None:
    """Everything that was asked is answered, and the service has looked at it."""
    for _ in range(2):
        serving.kept.committer.ask(lambda _state, _last: None).result(SOON_S)
        serving.service.tick()
    serving.kept.committer.ask(lambda _state, _last: None).result(SOON_S)


def serving_at(where: str) -> Serving:
    """A service that leads a store, and knows who is enrolled."""
    kept = Kept.begin(where)
    kept.committer.ask(facts).result(SOON_S)
    serving = serve(kept)
    serving.service.pit.know(kept.committer.ask(facts).result(SOON_S))
    return serving


def led(where: str, test: Callable[[Serving], None]) -> None:
    serving = serving_at(where)
    try:
        test(serving)
    finally:
        serving.kept.end()


# ---------------------------------------------------------------- the copy


def test_prog_6_a_plain_copy_is_a_whole_store_of_its_moment(kept: Kept, copy: str) -> None:
    with closing(open_store(copy, reading=True)) as store:
        last = verify(store, hex_of(key("floor"))).desk.last
        assert list(store.entries()) == list(kept.reader.entries(1, last.number))

    assert last.number == kept.last.number - 1
    with pytest.raises((sqlite3.Error, psycopg.Error), match="only added to"):
        sql(copy, "DELETE FROM entry")  # what guards the ledger came with it


def test_prog_12_what_a_table_was_told_of_after_the_copy_stops_the_floor(
    kept: Kept, copy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "AHEAD_S", 0.0)
    newest = kept.last

    def behind(serving: Serving) -> None:
        _, two = kept.tellers
        serving.service.hear("sabot/1/state/T1", said_by("T1", 1, newest))
        settled(serving)
        serving.service.hear("sabot/1/up/T2", two.bets(1, 5))
        (answer,) = told(serving.kept.take(two.say(messages.HEARTBEAT)))

        assert answer["applied"] == 0
        assert serving.words[-1].startswith("stands still: E-FLOOR-014")
        assert f"T1 was told of entry {newest.number}" in serving.words[-1]
        assert [each["running"] for each in serving.wire.until("value")][-1] is False
        assert serving.service.pit.shown(0.0)["ahead"] == ["T1"]
        assert serving.kept.last.number == newest.number - 1

    led(copy, behind)


def test_prog_10_tables_show_which_was_told_of_more(
    kept: Kept, copy: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(services, "AHEAD_S", 0.0)
    newest = kept.last

    def behind(serving: Serving) -> None:
        serving.service.hear("sabot/1/state/T1", said_by("T1", 1, newest))
        settled(serving)

    led(copy, behind)

    one, two = as_json(capsys, "tables", "--store", copy)
    assert one["wrong"]["ahead"]["times"] >= 1
    assert two["wrong"] == {}


def test_prog_12_an_end_that_the_ledger_has_stops_nothing(kept: Kept) -> None:
    one, two = kept.tellers
    kept.tell(one.bets(1, 1))
    before = kept.last
    kept.tell(one.bets(2, 1))
    serving = serve(kept)
    serving.service.pit.know(kept.committer.ask(facts).result(SOON_S))

    for part, head in enumerate((None, before, kept.last), 1):
        serving.service.hear("sabot/1/state/T1", said_by("T1", part, head))
    serving.service.hear("sabot/1/state/T2", said_by("T2", 1, None))
    settled(serving)

    assert kept.take(two.bets(1, 3)).verdict == "applied"
    assert serving.words == ["leads"]


def test_prog_12_an_entry_with_another_link_is_another_ledger(kept: Kept) -> None:
    one, two = kept.tellers
    kept.tell(one.bets(1, 1))
    serving = serve(kept)
    serving.service.pit.know(kept.committer.ask(facts).result(SOON_S))

    serving.service.hear("sabot/1/state/T1", said_by("T1", 1, Last(kept.last.number - 1, b"x" * 32)))
    settled(serving)
    assert kept.take(two.bets(1, 3)).verdict == "waits"
    serving.service.hear("sabot/1/state/T1", said_by("T1", 2, kept.last))
    settled(serving)

    two.number = 0  # what waited is said again, by the same number
    assert kept.take(two.bets(1, 3)).verdict == "applied"
    assert serving.words[-2].startswith("stands still: E-FLOOR-014")
    assert serving.words[-1] == "leads"


def test_prog_6_nobody_who_is_not_enrolled_stops_the_floor(kept: Kept) -> None:
    one, _ = kept.tellers
    serving = serve(kept)
    serving.service.pit.know(kept.committer.ask(facts).result(SOON_S))
    far = [9_999, "ab" * 32]

    serving.service.hear("sabot/1/state/T1", state_of("T1", 1, signer="T2", ledger=far))
    serving.service.hear("sabot/1/state/T9", state_of("T9", 1, signer="T9", ledger=far))
    settled(serving)
    assert kept.take(one.bets(1, 1)).verdict == "applied"

    serving.service.hear("sabot/1/state/T2", state_of("T2", 1, signer="T2", ledger=far))
    settled(serving)
    assert kept.take(one.bets(2, 1)).verdict == "waits"
    kept.order("table_retired", table="T2")  # two people say that it is no table any more
    serving.service.pit.know(kept.committer.ask(facts).result(SOON_S))
    settled(serving)
    one.number -= 1
    assert kept.take(one.bets(2, 1)).verdict == "applied"


# ---------------------------------------------------------------- brought forward


def test_prog_12_a_copy_is_brought_forward_by_a_newer_copy_and_the_floor_goes_on(
    kept: Kept, copy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    newest, floor_key = kept.last, tmp_path / "floor.key"
    save_key(floor_key, key("floor"))

    assert main(["floor", "restore", kept.where, "--store", copy, "--key", str(floor_key)]) == 0
    assert f"from entry {newest.number - 1} to {newest.number}" in capsys.readouterr().out

    def goes_on(serving: Serving) -> None:
        _, two = kept.tellers
        serving.service.hear("sabot/1/state/T1", said_by("T1", 1, newest))
        settled(serving)
        assert serving.kept.take(two.bets(1, 5)).verdict == "applied"
        assert serving.words == ["leads"]

    led(copy, goes_on)
    with closing(open_store(copy, reading=True)) as store:
        verify(store)


def test_prog_12_a_new_store_out_of_a_copy_of_the_other_engine(
    copy: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    floor_key = tmp_path / "floor.key"
    save_key(floor_key, key("floor"))
    server: Any = request.getfixturevalue("server")
    other = str(tmp_path / "new.db") if is_postgres(copy) else server.schema(f"from_{tmp_path.name[-1]}")

    assert main(["floor", "restore", copy, "--store", other, "--key", str(floor_key)]) == 0

    with closing(open_store(copy, reading=True)) as source, closing(open_store(other, reading=True)) as store:
        assert verify(store).desk.last == source.load().last
        assert list(store.heads()) == list(source.heads())


def test_prog_12_a_copy_that_was_altered_brings_nothing_forward(tmp_path: Path) -> None:
    where, floor_key = str(tmp_path / "floor.db"), tmp_path / "floor.key"
    save_key(floor_key, key("floor"))
    with Kept.linked(where, "T1", "T2") as kept:
        kept.tell(kept.tellers[0].bets(1, 1))
        other = copied(where, tmp_path)
    with sqlite3.connect(other) as db:
        db.execute("DROP TRIGGER entry_no_update")
        db.execute("UPDATE entry SET outcome = replace(outcome, '100000', '100001') WHERE number = 6")
    db.close()

    with closing(open_store(other, reading=True)) as source, pytest.raises(FloorError, match="entry 6"):
        restore(str(tmp_path / "new.db"), FloorCopy(source), key("floor"))


def test_config_a_store_is_told_from_an_export(tmp_path: Path) -> None:
    with Kept.linked(str(tmp_path / "floor.db"), "T1"):
        pass
    (tmp_path / "floor.jsonl").write_text('{"sabot_floor":1}\n')

    assert names_store(str(tmp_path / "floor.db"))
    assert names_store("postgresql://127.0.0.1/floor")
    assert not names_store(str(tmp_path / "floor.jsonl"))
    assert not names_store(str(tmp_path / "none"))


# ---------------------------------------------------------------- what the service itself knows


def test_prog_12_a_service_does_not_lead_a_store_that_is_older_than_it_knows(
    kept: Kept, copy: str, tmp_path: Path
) -> None:
    file, public = tmp_path / "known", hex_of(key("floor"))
    write_known(file, public, kept.last)
    known = read_known(file, public)

    with closing(open_store(copy)) as store, pytest.raises(FloorError, match="E-FLOOR-014"):
        store.lead(known)
    assert known == kept.last
    assert read_known(file, hex_of(key("other"))) == Last()
    assert read_known(tmp_path / "none", public) == Last()
    (tmp_path / "cut").touch()
    assert read_known(tmp_path / "cut", public) == Last()
    file.write_text("{}")
    with pytest.raises(FloorError, match="E-FLOOR-010"):
        read_known(file, public)
