"""`sabot journal`, `meters`, `report`, `evidence`, `restore` and `clear-memory`, as a person calls them."""

import asyncio
import csv
import io
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from calling import Answer, sabot
from journal.shifts import CHAPTERS, Shift, play
from journal.tampering import AT, change
from journal.test_second_medium import a_session, made
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.credentials.people import People, Person
from sabot.firmware.credentials.pins import Cost
from sabot.firmware.journal import mirror_file, store
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.open_journal import open_journal
from sabot.statemachine.vocabulary.events import Role

PINS = {"11": "82537", "22": "91846"}
AFTER = ("entry WHERE number", "head WHERE entry", "round WHERE entry", "snapshot WHERE entry")
TWO = "".join(f"{number} {pin}\n" for number, pin in PINS.items())


def enrol(rooms: Rooms) -> None:
    people = People(rooms.people, lambda: 0.0, Cost(1024, 8, 1))
    for number, role in (("11", Role.FLOOR), ("22", Role.AUDITOR)):
        asyncio.run(people.enrol(Person(number, f"p{number}", role), PINS[number]))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Shift:
    shift = play(tmp_path_factory.mktemp("kept"), "pa641a")
    enrol(shift.rooms)
    return shift


@pytest.fixture
def rooms(kept: Shift, tmp_path: Path) -> Rooms:
    shutil.copytree(kept.rooms.root, tmp_path / "state")
    return Rooms(tmp_path / "state")


def ask(rooms: Rooms, *words: str, stdin: str = "") -> Answer:
    return sabot(*words, "--state", str(rooms.root), stdin=stdin)


# ---------------------------------------------------------------- journal


def test_verify_says_what_it_covered(rooms: Rooms, kept: Shift) -> None:
    people, programs = ask(rooms, "journal", "verify"), ask(rooms, "journal", "verify", "--json")

    assert (people.code, programs.code) == (0, 0)
    assert people.out.startswith("THE JOURNAL IS WHOLE")
    found = json.loads(programs.out)
    assert found["good"] is True
    assert found["board"] == kept.board.public_key.hex()
    assert found["entries"] == found["last"] > 100


def test_verify_names_the_first_broken_link_and_ends_with_one(rooms: Rooms) -> None:
    change(rooms.journal, f"UPDATE entry SET utc = '2020' WHERE number >= {AT}")

    people, programs = ask(rooms, "journal", "verify"), ask(rooms, "journal", "verify", "--json")

    assert (people.code, programs.code) == (1, 1)
    assert f"entry {AT} " in people.out
    assert json.loads(programs.out)["code"] == "E-JRNL-004"


def test_entries_cut_from_the_end_are_a_break(rooms: Rooms, kept: Shift) -> None:
    """What is left is whole in itself; the mark beside it knows better, and without it that is said."""
    with closing(store.open_for_reading(kept.rooms.journal)) as db:
        last = store.last_of(db)[0]
        head = store.numbers(db, "head", 1, last - 1)[-1]
    change(rooms.journal, *(f"DELETE FROM {each} > {head}" for each in AFTER))

    people, programs = ask(rooms, "journal", "verify"), ask(rooms, "journal", "verify", "--json")
    assert (people.code, programs.code) == (1, 1)
    assert people.out.startswith("BROKEN")
    assert json.loads(programs.out)["code"] == "E-JRNL-009"

    rooms.journal.with_suffix(".mark").unlink()
    found = ask(rooms, "journal", "verify")
    assert found.code == 0
    assert "mark           none: nothing beside it says how far it reached" in found.out
    assert "not seen here  entries cut from the end together with the mark" in found.out


def test_an_export_is_verified_by_its_key_alone(rooms: Rooms, kept: Shift, tmp_path: Path) -> None:
    path, key = tmp_path / "out.jsonl", kept.board.public_key.hex()
    assert ask(rooms, "journal", "export", str(path)).code == 0

    assert sabot("journal", "verify", "--file", str(path), "--key", key).code == 0
    assert sabot("journal", "verify", "--file", str(path), "--key", "00" * 32).code == 1
    again = ask(rooms, "journal", "export", str(path))
    assert (again.code, "exists already" in again.err) == (2, True)


def test_an_export_to_standard_output_is_the_same_lines(rooms: Rooms, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    ask(rooms, "journal", "export", str(path))

    streamed = ask(rooms, "journal", "export", "-")

    assert streamed.out.splitlines()[1:-1] == path.read_text().splitlines()[1:-1]


def test_tail_and_show_are_for_people_and_for_programs(rooms: Rooms) -> None:
    tail = ask(rooms, "journal", "tail", "-n", "4", "--json")
    page, value = ask(rooms, "journal", "show", "1"), ask(rooms, "journal", "show", "1", "--json")

    assert [json.loads(line)["number"] for line in tail.out.splitlines()] == sorted(
        json.loads(line)["number"] for line in tail.out.splitlines()
    )
    assert len(tail.out.splitlines()) == 4
    assert page.out.startswith("NOT FOR PLAY: a simulated table\n")
    assert "ROUND 1" in page.out
    assert json.loads(value.out)["simulated"]
    assert json.loads(value.out)["record"]["number"] == 1
    missing = ask(rooms, "journal", "show", "99")
    assert (missing.code, "E-JRNL-008" in missing.err) == (2, True)


def test_tail_follows_until_it_is_stopped(rooms: Rooms) -> None:
    order = [
        sys.executable,
        "-Im",
        "sabot",
        "journal",
        "tail",
        "-n",
        "1",
        "--follow",
        "--state",
        str(rooms.root),
    ]
    with subprocess.Popen(order, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.terminate()
        assert process.wait(20) != 0
    assert re.match(r" +\d+  ", first)


def test_two_people_unseal_and_one_cannot(rooms: Rooms) -> None:
    order = ("journal", "unseal", "1", "--cause", "dispute", "--json")

    alone = ask(rooms, *order, stdin=f"11 {PINS['11']}\n11 {PINS['11']}\n")
    wrong = ask(rooms, *order, stdin="11 00000\n22 00000\n")
    both = ask(rooms, *order, stdin=TWO)

    assert (alone.code, "E-JRNL-013" in alone.err, alone.out) == (2, True, "")
    assert (wrong.code, "E-KEEP-006" in wrong.err, wrong.out) == (2, True, "")
    assert both.code == 0
    assert all(json.loads(line)["event"] for line in both.out.splitlines())
    assert not any(pin in both.out + both.err for pin in PINS.values())
    last = json.loads(ask(rooms, "journal", "tail", "-n", "1", "--json").out)
    assert last["kind"] == "unsealed"


def test_what_writes_is_refused_while_the_program_runs(rooms: Rooms) -> None:
    async def while_running() -> list[Answer]:
        from journal.shifts import Kept  # noqa: PLC0415

        writer = Writer(rooms.journal, asyncio.get_running_loop(), Kept())
        writer.start()
        orders = (("unseal", "1", "--cause", "why"), ("retain", str(rooms.root), "--cause", "why"))
        found = [await asyncio.to_thread(ask, rooms, "journal", *order, stdin=TWO) for order in orders]
        assert await asyncio.to_thread(writer.close)
        return found

    for answer in asyncio.run(while_running()):
        assert (answer.code, "E-JRNL-010" in answer.err) == (2, True)


def test_retain_says_where_it_went_or_that_nothing_did(rooms: Rooms, tmp_path: Path) -> None:
    done = ask(rooms, "journal", "retain", str(tmp_path), "--days", "7", "--cause", "yearly", stdin=TWO)

    assert (done.code, "nothing was removed" in done.out) == (0, True)


# ---------------------------------------------------------------- meters, report


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_meters_are_explained_to_the_last_hundredth(tmp_path: Path, chapter: str) -> None:
    shift = play(tmp_path, chapter)

    people, programs, table = (ask(shift.rooms, "meters", *more) for more in ((), ("--json",), ("--csv",)))

    assert (people.code, programs.code, table.code) == (0, 0, 0)
    found = json.loads(programs.out)
    assert found["meters_cents"] == shift.table.rooms.shares.meters()
    assert {name: units for name, units in found["balances_units"].items() if units} == {
        name: units for name, units in shift.table.state.books.ledger.balances.items() if units
    }
    rows = [row for row in csv.reader(io.StringIO(table.out)) if row[1] not in ("balance", "cause")]
    assert sum(int(row[2]) for row in rows) == 0


def test_the_day_adds_up(rooms: Rooms) -> None:
    found = json.loads(ask(rooms, "report", "day", "--json").out)

    assert found["counts"]["rounds"] == 3
    ends = {name: sum(causes.values()) for name, causes in found["moves"].items()}
    assert sum(ends.values()) == 0
    empty = json.loads(ask(rooms, "report", "day", "--date", "2001-01-01", "--json").out)
    assert (empty["counts"], empty["moves"], empty["opened"]) == ({}, {}, {})


# ---------------------------------------------------------------- evidence


def test_a_pack_holds_and_has_what_a_stranger_needs(rooms: Rooms, kept: Shift, tmp_path: Path) -> None:
    path, key = tmp_path / "round.zip", kept.board.public_key.hex()
    made_ = ask(rooms, "evidence", "--round", "1", "-o", str(path))
    assert made_.code == 0, made_.err

    assert sabot("evidence", "verify", str(path), "--key", key).code == 0
    assert sabot("evidence", "verify", str(path), "--key", "00" * 32).code == 1
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "pack")
    alone = [sys.executable, "-S", "-I", "check_journal.py", "journal.jsonl", "--key", key]
    done = subprocess.run(alone, cwd=tmp_path / "pack", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "WHOLE")
    page = (tmp_path / "pack" / "page.html").read_text()
    assert "Round 1" in page
    assert "NOT FOR PLAY" in page
    assert re.search(r"<b>seat \d</b>", page)
    assert "<b>start</b>: version " in page
    assert key in page
    assert not re.search(r"(src|href)=|@import|url\(", page)


@pytest.mark.parametrize(
    "name", ["journal.jsonl", "record.json", "page.html", "program.txt", "manifest.json", "more"]
)
def test_a_pack_in_which_anything_was_changed_does_not_hold(rooms: Rooms, tmp_path: Path, name: str) -> None:
    path, altered = tmp_path / "round.zip", tmp_path / "altered.zip"
    ask(rooms, "evidence", "--round", "1", "-o", str(path))
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(altered, "w") as other:
        for each in {*archive.namelist(), name}:
            content = archive.read(each) if each in archive.namelist() else b""
            other.writestr(each, content + b" " if each == name else content)

    done = sabot("evidence", "verify", str(altered))

    assert (done.code, done.out.split(":")[0]) == (1, "DOES NOT HOLD")


def test_a_pack_never_has_a_card_that_stayed_hidden(rooms: Rooms, kept: Shift, tmp_path: Path) -> None:
    path = tmp_path / "round.zip"
    ask(rooms, "evidence", "--round", "1", "-o", str(path))

    with zipfile.ZipFile(path) as archive:
        lines = [json.loads(line) for line in archive.read("journal.jsonl").splitlines()]
    events = [json.loads(line["body"])["event"] for line in lines if line.get("kind") == "event"]

    drawn = [each for each in events if each["event"] == "CardDrawn"]
    assert drawn
    assert all(each["card"] is None for each in drawn)
    assert all("sealed" not in line for line in lines if "link" in line)
    assert kept.table.state.books.rounds == 3


# ---------------------------------------------------------------- restore, clear


def test_a_fresh_board_gets_its_meters_back_to_the_cent(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    lost = asyncio.run(a_session(rooms, board, folder, (0, 200)))
    export = tmp_path / "lost.jsonl"
    assert ask(rooms, "journal", "export", str(export)).code == 0
    fresh = Rooms(tmp_path / "fresh")
    new = boards.prepare(fresh, boards.SIMULATED)
    enrol(fresh)
    fresh.journal.write_bytes(b"what a dying medium left")

    done = ask(
        fresh, "restore", "--from", str(folder), "--export", str(export), "--cause", "board burnt", stdin=TWO
    )

    assert done.code == 0, done.err
    assert f"the export that ends at entry {lost.writer.last} is of the same journal" in done.out
    found = open_journal(fresh, lost.runner.table.law.setup, new)
    assert found.table.rooms.shares.meters() == lost.runner.table.rooms.shares.meters()
    assert {name: units for name, units in found.table.state.books.ledger.balances.items() if units} == {
        name: units for name, units in lost.runner.table.state.books.ledger.balances.items() if units
    }
    assert found.table.state.books.rounds == lost.runner.table.state.books.rounds
    assert [path.read_bytes() for path in fresh.root.glob("damaged-*-journal.db")] == [
        b"what a dying medium left"
    ]
    assert list(folder.glob(f"restored-*-{mirror_file.COPY}"))
    again = asyncio.run(a_session(fresh, new, folder))
    assert again.holds == []
    assert ask(fresh, "meters").code == 0
    assert ask(fresh, "journal", "verify").code == 0


def test_an_export_of_another_table_restores_nothing(tmp_path: Path, rooms: Rooms) -> None:
    own, board, folder = made(tmp_path / "own")
    asyncio.run(a_session(own, board, folder, (0, 200)))
    export = tmp_path / "other.jsonl"
    ask(rooms, "journal", "export", str(export))
    fresh = Rooms(tmp_path / "fresh")
    boards.prepare(fresh, boards.SIMULATED)
    enrol(fresh)

    done = ask(fresh, "restore", "--from", str(folder), "--export", str(export), "--cause", "why", stdin=TWO)

    assert (done.code, "another board" in done.err) == (2, True)
    assert not fresh.journal.exists()
    assert (folder / mirror_file.COPY).exists()


def test_a_journal_that_is_whole_is_not_restored(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 200)))
    enrol(rooms)

    done = ask(rooms, "restore", "--from", str(folder), "--cause", "why", stdin=TWO)

    assert (done.code, "E-MIRROR-006" in done.err) == (2, True)


def test_nobody_restores_alone(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 200)))
    rooms.journal.write_bytes(b"damaged")
    enrol(rooms)

    done = ask(rooms, "restore", "--from", str(folder), "--cause", "why", stdin=f"11 {PINS['11']}\n" * 2)

    assert (done.code, "E-JRNL-013" in done.err) == (2, True)
    assert rooms.journal.read_bytes() == b"damaged"


def test_a_memory_is_cleared_after_all_was_exported_and_printed(
    rooms: Rooms, kept: Shift, tmp_path: Path
) -> None:
    export = tmp_path / "final.jsonl"

    done = ask(rooms, "clear-memory", "--export", str(export), "--cause", "moves away", stdin=TWO)

    assert done.code == 0, done.err
    assert "FINAL METERS" in done.out
    assert sabot("journal", "verify", "--file", str(export)).code == 0
    assert len(list(rooms.root.glob("cleared-*-journal.db"))) == 1
    with closing(store.open_for_reading(rooms.journal)) as db:
        first = store.entry(db, 1)
        assert store.last_of(db)[0] == 2
    assert first is not None
    body = json.loads(first.body)
    assert (first.kind, body["cause"], len(body["by"])) == ("cleared", "moves away", 2)
    assert {name: units for name, units in body["final"].items() if units} == {
        name: units for name, units in kept.table.state.books.ledger.balances.items() if units
    }
    table = open_journal(rooms, kept.recording.setup, kept.board).table
    assert table.state.books.rounds == 0


def test_an_open_table_is_not_cleared(tmp_path: Path) -> None:
    shift = play(tmp_path / "state", "pa641a", last=60)
    enrol(shift.rooms)

    done = ask(shift.rooms, "clear-memory", "--export", str(tmp_path / "x"), "--cause", "why", stdin=TWO)

    assert (done.code, "E-JRNL-015" in done.err) == (2, True)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "words", [("journal", "verify"), ("meters",), ("report", "day"), ("journal", "tail")]
)
def test_a_damaged_journal_is_one_message(rooms: Rooms, words: tuple[str, ...]) -> None:
    whole = rooms.journal.read_bytes()
    rooms.journal.write_bytes(whole[: len(whole) // 2])

    done = ask(rooms, *words)

    assert done.code in (1, 2)
    assert "Traceback" not in done.err
    assert "E-JRNL-00" in done.out + done.err
    with pytest.raises((JournalError, sqlite3.Error)), closing(store.open_for_reading(rooms.journal)) as db:
        list(store.entries(db))


@pytest.mark.parametrize(
    ("order", "least"),
    [
        (("tail", "-n", "-5"), 1),
        (("tail", "-n", "0"), 1),
        (("export", "x.jsonl", "--first", "0"), 1),
        (("show", "0"), 1),
        (("retain", "x", "--cause", "why", "--days", "-3"), 7),
        (("retain", "x", "--cause", "why", "--days", "6"), 7),
    ],
)
def test_a_number_that_means_nothing_is_refused(rooms: Rooms, order: tuple[str, ...], least: int) -> None:
    answer = ask(rooms, "journal", *order)

    assert (answer.code, answer.out) == (2, "")
    assert f"not a whole number from {least}" in answer.err


@pytest.mark.parametrize(
    "body", ['{"event": ', "[]", "{}", '{"event": {"event": "KeyPressed"}, "effects": 7}']
)
@pytest.mark.parametrize("words", [("journal", "tail", "-n", "9999"), ("meters",), ("report", "day")])
def test_an_entry_that_makes_no_sense_is_one_message(rooms: Rooms, words: tuple[str, ...], body: str) -> None:
    """These commands do not prove the chain first: what stands there may be anything."""
    change(rooms.journal, f"UPDATE entry SET body = '{body}' WHERE number = {AT}")

    done = ask(rooms, *words)

    assert "Traceback" not in done.err
    assert done.code or body.endswith("}")  # what is not needed need not be understood
    assert bool(done.code) == ("E-JRNL-0" in done.out + done.err)
