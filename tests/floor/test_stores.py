"""The stores, each by the same tests: whole or not at all, exactly once, one leader, only added to, brought forward."""

import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from sabot.floor import core, messages, orders
from sabot.floor.entry import Last, follows, head_text
from sabot.floor.errors import FloorError
from sabot.floor.money import DOLLAR, UNITS
from sabot.floor.open_store import is_postgres, open_store
from sabot.floor.orders import Signature
from sabot.floor.postgres_store import PostgresStore
from sabot.floor.schema import STEPS
from sabot.floor.sqlite_store import SqliteStore
from sabot.floor.store import Batch, FloorDay, Loaded, Moved, Store, StoreSeen
from sabot.floor.verify import verify
from sabot.floor.wire import HEAD, hex_of, is_signed

from .keeping import SOON_S, Kept, told
from .making import JOURNAL, Teller, key


def sql(where: str, text: str) -> list[Any]:
    """Ask the engine itself."""
    if is_postgres(where):
        with psycopg.connect(where, autocommit=True) as db:
            cursor = db.execute(text.encode())
            return cursor.fetchall() if cursor.description else []
    with sqlite3.connect(where) as lite:
        return lite.execute(text).fetchall()


def wait_for(what: Callable[[], bool]) -> None:
    until = time.monotonic() + SOON_S
    while not what():
        assert time.monotonic() < until
        time.sleep(0.01)


def led(store: Store, known: Last | None = None) -> Loaded:
    """Lead, as soon as the server has noticed that the one before is gone."""
    found: list[Loaded] = []

    def is_led() -> bool:
        loaded = store.lead(known or Last())
        found.extend([loaded] if loaded else [])
        return bool(found)

    wait_for(is_led)
    return found[0]


# ---------------------------------------------------------------- what is kept


def test_prog_6_what_was_committed_is_there_after_a_start(kept: Kept) -> None:
    one, two = kept.tellers
    kept.tell(one.bets(1, 1, 2), two.bets(1, 3), one.hit(1, 2))
    before = kept.reader.load()

    kept = kept.again()

    assert kept.reader.load() == before
    assert before.balances["pit.mega"] == 10_000 * DOLLAR
    assert before.balances["pit.mega.open"] == 1_000_030 * UNITS
    assert sum(before.balances.values()) == 0
    assert kept.take(two.bets(2, 4)).verdict == "applied"
    assert kept.units("pit.mega") == 10_000 * DOLLAR + 10 * UNITS
    kept.end()


def test_prog_12_entries_come_back_as_they_were_chained(kept: Kept) -> None:
    one, _ = kept.tellers
    kept.take(one.bets(1, 1, 2))

    entries = list(kept.reader.entries())

    link = bytes(32)
    for entry in entries:
        assert follows(link, entry)
        link = entry.link
    assert Last(len(entries), link) == kept.last
    assert [each.number for each in kept.reader.entries(2, 3)] == [2, 3]
    assert {entry.kind for entry in entries} == {"founded", "table", "configuration", "start", "contribution"}


def test_prog_12_each_commit_ends_with_a_signed_head(kept: Kept) -> None:
    kept.tell(*(kept.tellers[0].bets(number, 1) for number in range(1, 4)))
    links = {entry.number: entry.link for entry in kept.reader.entries()}

    heads = list(kept.reader.heads())

    assert heads[-1][0] == max(links)
    for number, signature in heads:
        assert is_signed(hex_of(key("floor")), HEAD, head_text(number, links[number]), signature)


def test_prog_10_sums_are_kept_by_day_table_and_wager(kept: Kept) -> None:
    one, two = kept.tellers
    kept.tell(one.bets(1, 1, 2), two.bets(1, 3))
    kept.clock.at = "2026-11-21T05:59:59Z"
    kept.tell(one.void(1, 2))
    kept.clock.at = "2026-11-21T06:00:00Z"
    kept.tell(one.bets(2, 5))

    assert kept.reader.handled() == {
        FloorDay("2026-11-20", "T1", "pit", "prog5"): (1, 100),
        FloorDay("2026-11-20", "T2", "pit", "prog5"): (1, 100),
        FloorDay("2026-11-21", "T1", "pit", "prog5"): (1, 100),
    }
    assert kept.reader.handled("2026-11-21") == {FloorDay("2026-11-21", "T1", "pit", "prog5"): (1, 100)}
    moved = kept.reader.moved("2026-11-20")
    assert moved[Moved("2026-11-20", "pit.mega", "contribution")] == 30 * UNITS
    assert moved[Moved("2026-11-20", "pit.mega", "reversal")] == -10 * UNITS
    assert sum(kept.reader.moved().values()) == 0


def test_prog_12_movements_can_be_asked_for_in_sql(kept: Kept) -> None:
    kept.take(kept.tellers[0].bets(1, 6))

    rows = sql(
        kept.where, "SELECT table_name, source, target, units, cause, seat FROM movement WHERE seat > 0"
    )

    assert ("T1", "players", "pit.mega", 10 * UNITS, "contribution", 6) in [tuple(row) for row in rows]
    assert sql(kept.where, "SELECT sum(units) FROM movement WHERE cause = 'contribution'")[0][0] == 21 * UNITS


# ---------------------------------------------------------------- what is said to tables


def test_prog_6_a_table_hears_what_it_has_not_heard_until_it_says_so(kept: Kept) -> None:
    one, _ = kept.tellers
    answers = kept.tell(one.bets(1, 1, 2), one.hit(1, 1), one.hit(1, 1), one.say(messages.HEARTBEAT))

    assert [each["kind"] for each in told(answers[-1])] == ["granted", "refused", "acknowledged"]
    assert told(answers[-1])[-1]["applied"] == 3
    one.heard = 1
    assert [each["kind"] for each in told(kept.take(one.say(messages.HEARTBEAT)))] == [
        "refused",
        "acknowledged",
    ]
    one.heard = 2
    assert [each["kind"] for each in told(kept.take(one.say(messages.HEARTBEAT)))] == ["acknowledged"]
    assert kept.reader.sent() == []
    kept = kept.again()
    assert [each["kind"] for each in told(kept.take(one.say(messages.HEARTBEAT)))] == ["acknowledged"]
    kept.end()


def test_prog_6_a_heartbeat_that_changes_nothing_is_no_commit(kept: Kept) -> None:
    one, _ = kept.tellers
    kept.take(one.bets(1, 1))
    before = kept.committer.commits

    for _ in range(3):
        kept.take(one.say(messages.HEARTBEAT))

    assert kept.committer.commits == before


def test_prog_6_the_same_number_again_after_a_start_is_known(kept: Kept) -> None:
    one, _ = kept.tellers
    raw = one.bets(1, 1)
    kept.take(raw)
    kept = kept.again()
    before = kept.reader.load()

    answer = kept.take(raw)

    assert answer.verdict == "again"
    assert told(answer)[-1]["applied"] == 1
    one.number = 0
    assert kept.take(one.bets(1, 2)).verdict == "forgot"
    assert kept.reader.load() == before
    kept.end()


def test_prog_6_what_is_wrong_is_counted_and_changes_nothing(kept: Kept) -> None:
    one, _ = kept.tellers
    kept.take(one.bets(1, 1))
    before = kept.reader.load()
    wrong = [
        Teller("T1", 4).bets(9, 1),
        Teller("T1", 1, key_of="T2").bets(2, 1),
        b"noise",
        Teller("T9").bets(1, 1),
    ]

    kept.tell(*wrong)
    kept.clock.at = "2026-11-20T07:00:00Z"
    answers = kept.tell(*wrong)

    assert [each.payloads for each in answers[1:]] == [()] * 3
    assert told(answers[0])[-1]["applied"] == 1
    both = (2, "2026-11-20T06:00:00Z", "2026-11-20T07:00:00Z")
    assert kept.reader.seen() == {
        StoreSeen("", "malformed"): both, StoreSeen("T1", "forged"): both, StoreSeen("T1", "missing"): both,
        StoreSeen("T9", "unknown"): both,
    }  # fmt: skip
    assert kept.reader.load() == before


# ---------------------------------------------------------------- one leader


def test_prog_6_one_process_at_a_time_holds_the_ledger(kept: Kept) -> None:
    one, _ = kept.tellers
    other = kept.beside()
    raw = one.bets(1, 1)

    with pytest.raises(FloorError, match="E-FLOOR-012"):
        other.committer.take(raw).result(SOON_S)
    assert not other.committer.is_leading
    kept.end()
    wait_for(lambda: other.committer.is_leading)

    assert other.take(raw).verdict == "applied"
    other.end()


def test_prog_6_who_does_not_lead_commits_nothing(kept: Kept) -> None:
    other = open_store(kept.where)

    with pytest.raises(FloorError, match="E-FLOOR-012"):
        other.commit(Batch("2026-11-20T06:00:00Z", seen={StoreSeen("T1", "forged"): 1}))
    assert other.lead(Last()) is None
    assert kept.reader.seen() == {}
    other.close()


def test_prog_6_who_was_replaced_without_noticing_commits_nothing(kept: Kept) -> None:
    """The lock is let go behind its back, as where a server forgets a connection that the client believes in."""
    other = open_store(kept.where)
    if isinstance(kept.store, SqliteStore):
        assert kept.store._leader is not None
        kept.store._leader.rollback()
    else:
        assert isinstance(kept.store, PostgresStore)
        kept.store._db.execute("SELECT pg_advisory_unlock_all()")
    led(other)
    newest = list(kept.reader.entries())[-1]
    other.commit(
        Batch(newest.at, [newest._replace(number=newest.number + 1, table="T9", message=1)], b"x" * 64)
    )

    with pytest.raises(FloorError, match="E-FLOOR-012"):
        kept.committer.take(kept.tellers[0].bets(1, 1)).result(SOON_S)
    assert kept.units("pit.mega") == 10_000 * DOLLAR
    other.close()


def test_prog_6_a_store_without_what_was_acknowledged_is_not_led(kept: Kept) -> None:
    newest = kept.last
    kept.end()
    store = open_store(kept.where)

    for known in (Last(newest.number + 1, bytes(32)), Last(newest.number, bytes(32))):
        with pytest.raises(FloorError, match=rf"E-FLOOR-014.*entry {known.number} is missing or another"):
            led(store, known)
    assert led(store, newest).last == newest
    store.close()


def test_prog_12_a_batch_is_whole_or_not_at_all(kept: Kept) -> None:
    """An entry whose number is taken, beside everything else that the batch would write."""
    kept.end()
    store = open_store(kept.where)
    loaded = led(store)
    newest = list(store.entries())[-1]
    facts: Mapping[tuple[str, str], Any] = {("table", "T7"): {"key": "x"}, ("table", "T1"): None}

    with pytest.raises(FloorError):
        store.commit(
            Batch(
                newest.at,
                [newest],
                b"x" * 64,
                {"pit.mega": 1},
                facts,
                handled={FloorDay("a", "b", "c", "d"): (1, 1)},
            )
        )
    store.close()
    store = open_store(kept.where)
    assert store.load() == loaded
    assert store.handled() == {}
    store.close()


# ---------------------------------------------------------------- the engine itself


@pytest.mark.parametrize(
    "text",
    [
        "UPDATE entry SET outcome = '{}'",
        "DELETE FROM entry",
        "DELETE FROM head",
        "UPDATE head SET entry = 99",
    ],
)
def test_prog_12_the_engine_refuses_to_change_the_ledger(kept: Kept, text: str) -> None:
    with pytest.raises((sqlite3.Error, psycopg.Error), match="only added to"):
        sql(kept.where, text)


def test_prog_6_the_engine_refuses_a_number_of_a_table_twice(kept: Kept) -> None:
    kept.take(kept.tellers[0].bets(1, 1))
    again = (
        "INSERT INTO entry SELECT number + 100, at, kind, table_name, message, content, signatures, outcome, link"
        " FROM entry WHERE message = 1"
    )

    with pytest.raises((sqlite3.IntegrityError, psycopg.errors.UniqueViolation)):
        sql(kept.where, again)


@pytest.mark.parametrize("name", ["pit?.db", "pit#1.db", "pit%20.db", "the pit.db"])
def test_prog_6_a_store_is_the_file_of_its_name_and_no_other(tmp_path: Path, name: str) -> None:
    with Kept.linked(str(tmp_path / name), "T1") as kept:
        kept.take(kept.tellers[0].bets(1, 1))
        last = kept.last

    assert {each.name for each in tmp_path.iterdir()} <= {
        name,
        f"{name}.leader",
        f"{name}-wal",
        f"{name}-shm",
    }
    with closing(open_store(str(tmp_path / name), reading=True)) as store:
        assert store.load().last == last


def test_prog_6_a_store_is_made_once_and_found_by_its_name(where: str) -> None:
    with pytest.raises(FloorError, match="E-FLOOR-010"):
        open_store(where)
    open_store(where, new=True).close()
    with pytest.raises(FloorError, match="E-FLOOR-017"):
        open_store(where, new=True)
    open_store(where).close()


def opened_with(where: str, steps: Any, *, reading: bool = False) -> Store:
    if is_postgres(where):
        return PostgresStore(where, steps=steps, reading=reading)
    return SqliteStore(Path(where), steps=steps, reading=reading)


def test_prog_12_who_reads_changes_nothing(kept: Kept) -> None:
    reader = open_store(kept.where, reading=True)

    assert reader.load() == kept.reader.load()
    assert reader.lead(Last()) is None
    with pytest.raises(FloorError, match="E-FLOOR-012"):
        reader.commit(Batch("2026-11-20T06:00:00Z"))
    reader.close()


def test_prog_6_an_older_store_is_brought_forward_with_its_data(kept: Kept) -> None:
    kept.take(kept.tellers[0].bets(1, 1))
    before = kept.reader.load()
    kept.end()
    step = (
        "ALTER TABLE seen ADD COLUMN note TEXT NOT NULL DEFAULT 'none'; CREATE INDEX by_kind ON entry (kind)"
    )
    steps = (*STEPS, {"sqlite": step, "postgres": step})

    ours, later_one = len(STEPS), len(steps)
    older = f"E-FLOOR-011 .* the store has schema {ours}, this program knows {later_one}"
    with pytest.raises(FloorError, match=older):
        opened_with(kept.where, steps, reading=True)
    opened_with(kept.where, steps).close()
    later = opened_with(kept.where, steps)

    assert later.load() == before
    later.close()
    sql(kept.where, "INSERT INTO seen VALUES ('T1', 'forged', 1, 'a', 'b', 'why')")
    newer = f"E-FLOOR-011 .* the store has schema {later_one}, this program knows {ours}"
    with pytest.raises(FloorError, match=newer):
        open_store(kept.where)


def test_prog_6_a_step_that_fails_leaves_the_older_store(kept: Kept) -> None:
    before = kept.reader.load()
    kept.end()
    bad = "CREATE TABLE half (number INTEGER); CREATE TABLE entry (number INTEGER)"

    with pytest.raises(FloorError, match="E-FLOOR-010"):
        opened_with(kept.where, (*STEPS, {"sqlite": bad, "postgres": bad}))

    store = open_store(kept.where)
    assert store.load() == before
    store.close()
    with pytest.raises((sqlite3.Error, psycopg.Error)):
        sql(kept.where, "SELECT * FROM half")


# ---------------------------------------------------------------- the committer


def test_prog_6_what_arrives_together_is_committed_together(kept: Kept) -> None:
    one, two = kept.tellers
    raws = [teller.bets(number, 1, 2, 3) for number in range(1, 101) for teller in (one, two)]
    before = kept.committer.commits

    answers = kept.tell(*raws)

    assert {each.verdict for each in answers} == {"applied"}
    assert kept.units("pit.mega") == 10_000 * DOLLAR + 600 * 10 * UNITS
    assert kept.committer.commits - before < 100
    assert told(answers[-1])[-1]["applied"] == 100


def test_prog_12_an_answer_comes_after_its_commit(kept: Kept) -> None:
    for number in range(1, 20):
        answer = kept.take(kept.tellers[0].bets(number, 1))
        acknowledged = told(answer)[-1]
        found = next(kept.reader.entries(acknowledged["entry"], acknowledged["entry"]))
        assert (found.link.hex(), found.message) == (acknowledged["head"], number)


def test_prog_12_a_bad_order_spoils_nothing_beside_it(kept: Kept) -> None:
    one, two = kept.tellers
    first = kept.committer.take(one.bets(1, 1))
    bad = kept.ordered(orders.START, link="pit")
    nonsense = kept.committer.order(b"{}", [Signature("11", "")])
    second = kept.committer.take(two.bets(1, 1))

    assert first.result(SOON_S).verdict == second.result(SOON_S).verdict == "applied"  # type: ignore[union-attr]
    with pytest.raises(FloorError, match="E-FLOOR-003"):
        bad.result(SOON_S)
    with pytest.raises(FloorError, match="E-FLOOR-005"):
        nonsense.result(SOON_S)


def test_prog_12_a_slip_of_the_program_spoils_nothing_but_its_own_message(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that makes the desk stumble half way, in the middle of a window."""
    reverse = core.HANDLERS[messages.REVERSAL]

    def stumble(work: Any) -> None:
        work.books.move("players", "pit.mega", 12345, "contribution")
        raise ZeroDivisionError

    monkeypatch.setitem(core.HANDLERS, messages.REVERSAL, stumble)
    one, two = kept.tellers
    futures = [
        kept.committer.take(raw) for raw in (one.bets(1, 1), one.void(1, 1), two.bets(1, 1), two.bets(2, 1))
    ]

    with pytest.raises(ZeroDivisionError):
        futures[1].result(SOON_S)
    assert [futures[n].result(SOON_S).verdict for n in (0, 2, 3)] == ["applied"] * 3  # type: ignore[union-attr]
    assert kept.units("pit.mega") == 10_000 * DOLLAR + 30 * UNITS
    monkeypatch.setitem(core.HANDLERS, messages.REVERSAL, reverse)
    one.number = 1
    assert kept.take(one.void(1, 1)).verdict == "applied"
    assert kept.units("pit.mega") == 10_000 * DOLLAR + 20 * UNITS


def test_prog_12_many_threads_are_answered(kept: Kept) -> None:
    verdicts: list[str] = []

    def speak(teller: Teller) -> None:
        verdicts.extend(kept.take(teller.bets(number, 1)).verdict for number in range(1, 51))

    threads = [threading.Thread(target=speak, args=(teller,)) for teller in kept.tellers]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert verdicts == ["applied"] * 100
    assert kept.units("pit.mega") == 10_000 * DOLLAR + 100 * 10 * UNITS
    assert JOURNAL in next(iter(kept.reader.entries(kept.last.number))).content


def test_prog_6_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(FloorError, match=r"E-FLOOR-010 PostgreSQL: the store cannot be used"):
        open_store("postgresql://127.0.0.1:1/nowhere?connect_timeout=2")


def test_prog_6_a_part_that_is_none_is_not_led(kept: Kept) -> None:
    kept.end()
    sql(kept.where, "UPDATE fact SET body = '{\"colour\": 1}' WHERE part = 'table'")
    kept = kept.beside()

    wait_for(lambda: kept.committer.trouble is not None)

    assert kept.committer.trouble is not None
    assert kept.committer.trouble.kind.code == "E-FLOOR-015"
    with pytest.raises(FloorError, match="E-FLOOR-015"):
        kept.committer.take(kept.tellers[0].bets(1, 1)).result(SOON_S)
    kept.end()


def test_prog_6_nobody_waits_for_a_committer_that_has_ended(kept: Kept) -> None:
    kept.committer.stop()

    with pytest.raises(FloorError, match="E-FLOOR-012"):
        kept.committer.take(kept.tellers[0].bets(1, 1)).result(SOON_S)


def test_prog_12_a_full_medium_takes_nothing_and_loses_nothing(tmp_path: Path) -> None:
    with Kept.linked(str(tmp_path / "floor.db"), "T1") as kept:
        (one,) = kept.tellers
        assert isinstance(kept.store, SqliteStore)
        kept.take(one.bets(1, 1, 2))
        pages = kept.store._db.execute("PRAGMA page_count").fetchone()[0]
        kept.store._db.execute(f"PRAGMA max_page_count = {pages}")
        round_, raw = 2, one.bets(2, 1, 2)
        while _is_taken(kept, raw):  # as long as there is room on pages that were begun
            round_ += 1
            raw = one.bets(round_, 1, 2)
        full = kept.last

        assert not _is_taken(kept, raw)
        kept.store._db.execute("PRAGMA max_page_count = 1000000")
        assert told(kept.insist(raw))[-1]["applied"] == one.number
        assert kept.last.number == full.number + 1
        assert verify(kept.reader).verified.signed_until == kept.last.number


def _is_taken(kept: Kept, raw: bytes) -> bool:
    try:
        kept.take(raw)
    except FloorError as error:
        if error.kind.code not in ("E-FLOOR-010", "E-FLOOR-012"):
            raise
        return False
    return True
