"""`journal verify` and exports: whole is said to be whole, and every tampering is named at its entry."""

import asyncio
import json
import shutil
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.desk.evidence.pack import CHECKER, about_round
from sabot.firmware.errors import CommandError
from sabot.firmware.journal import export, store, verify
from sabot.firmware.journal.appending import direct
from sabot.firmware.journal.checkpoints import head
from sabot.firmware.journal.entry import Stamp
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.export import ExportPart, ExportWritten
from sabot.firmware.journal.export_reader import ImportedExport, _entry_of
from sabot.firmware.journal.verify import Verifier
from sabot.firmware.run.slips import lifted_entry, slip_entry, slip_of

from .shifts import CHAPTERS, SEALED, Shift, play
from .tampering import AT, ROWS, Row, change, export_lines, numbers, rewrite, write_lines


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Shift:
    return play(tmp_path_factory.mktemp("kept"), "pa679a")


@pytest.fixture
def journal(kept: Shift, tmp_path: Path) -> Path:
    return Path(shutil.copy(kept.rooms.journal, tmp_path / "journal.db"))


def proved(journal: Path, key: bytes) -> Verifier:
    with closing(store.open_for_reading(journal)) as db:
        return verify.verify_journal(db, key, lambda _more: None)


def exported(journal: Path, shift: Shift, *, with_sealed: bool = False) -> ExportWritten:
    with closing(store.open_for_reading(journal)) as db:
        part = export.whole(db, with_sealed=with_sealed)
        return export.export(db, journal.with_suffix(".jsonl"), part, shift.board)


def test_a_whole_journal_is_proved_to_its_end(kept: Shift, journal: Path) -> None:
    found = proved(journal, kept.board.public_key)

    with closing(store.open_for_reading(journal)) as db:
        last, link = store.last_of(db)
    assert (found.first, found.number, found.link) == (1, last, link)
    assert found.heads == len(numbers(journal, "head")) > 1
    assert found.signed == numbers(journal, "head")[-1] - 1
    assert found.rounds == kept.table.state.books.rounds > 1


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_tampering_is_named_at_its_entry(kept: Shift, journal: Path, row: Row) -> None:
    change(journal, *row.orders)

    with pytest.raises(JournalError, match=rf"E-JRNL-004 journal: entry {row.entry} "):
        proved(journal, kept.board.public_key)


def test_a_journal_written_anew_fails_at_its_next_head(kept: Shift, journal: Path) -> None:
    rewrite(journal, AT)
    next_head = next(number for number in numbers(journal, "head") if number > AT)

    with pytest.raises(JournalError, match=rf"E-JRNL-005 .* entry {next_head} "):
        proved(journal, kept.board.public_key)


def test_heads_of_another_key_are_no_heads(kept: Shift, journal: Path) -> None:
    class Stranger:
        _key = Ed25519PrivateKey.generate()
        public_key = _key.public_key().public_bytes_raw()

        def sign(self, content: bytes) -> bytes:
            return self._key.sign(content)

    rewrite(journal, AT, Stranger())

    with pytest.raises(JournalError, match=r"E-JRNL-005 .*another key"):
        proved(journal, kept.board.public_key)


def test_a_round_whose_head_was_turned_into_something_else_is_found(kept: Shift, journal: Path) -> None:
    first = numbers(journal, "head")[0]
    change(
        journal,
        f"UPDATE entry SET kind = 'command' WHERE number = {first}",
        f"DELETE FROM head WHERE entry = {first}",
    )
    rewrite(journal, AT, kept.board)

    with pytest.raises(JournalError, match=rf"E-JRNL-005 .* entry {first} .*round 1 was never signed"):
        proved(journal, kept.board.public_key)


def cut_behind_a_record(journal: Path) -> None:
    """Leave what a cut of power leaves when the head of the first round was not written yet."""
    with closing(store.open_for_reading(journal)) as db:
        _, at = next(iter(store.rounds(db)))
    tables = {"entry": "number", "head": "entry", "round": "entry", "snapshot": "entry"}
    change(journal, *(f"DELETE FROM {table} WHERE {column} > {at}" for table, column in tables.items()))


def test_slips_that_were_lifted_may_stand_between_a_record_and_its_head(kept: Shift, journal: Path) -> None:
    cut_behind_a_record(journal)
    now = Stamp("boot-2", "1.000000", "2026-02-02T03:04:05.678Z", trusted=True)
    slip = slip_entry(slip_of(MemoryError(), "the head of a round", now))
    lifted = lifted_entry({"by": "42 Bo (technician)", "why": "memory replaced"}, now)

    async def start_anew() -> None:
        async with direct(journal) as appender:
            await appender.keep(lambda _number, _before: slip)
            await appender.keep(lambda _number, _before: lifted)
            await appender.keep(partial(head, kept.board, now))

    asyncio.run(start_anew())

    found = proved(journal, kept.board.public_key)
    assert (found.rounds, found.signed) == (1, found.number - 1)
    checked = [sys.executable, str(CHECKER), str(exported(journal, kept).file)]
    assert subprocess.run(checked, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("table", ["head", "round"])
def test_a_list_that_leaves_something_out_is_found(kept: Shift, journal: Path, table: str) -> None:
    change(journal, f"DELETE FROM {table} WHERE entry = (SELECT min(entry) FROM {table})")

    with pytest.raises(JournalError, match=rf"E-JRNL-004 .*the list of {table}s"):
        proved(journal, kept.board.public_key)


def test_a_snapshot_of_another_journal_is_found_before_the_start_that_refuses_it(
    kept: Shift, journal: Path
) -> None:
    change(journal, "UPDATE snapshot SET link = zeroblob(32)")

    with pytest.raises(JournalError, match=r"E-JRNL-004 .*its snapshot has another link"):
        proved(journal, kept.board.public_key)


def swap_rounds(journal: Path) -> tuple[int, int]:
    """Two rounds change their numbers in the list; no entry is touched."""
    with closing(store.open_for_reading(journal)) as db:
        (first, at), (second, there), *_ = store.rounds(db)
    change(
        journal,
        f"UPDATE round SET number = {second} WHERE entry = {at}",
        f"UPDATE round SET number = {first} WHERE entry = {there}",
    )
    return first, at


def test_a_list_in_which_two_rounds_changed_places_is_found(kept: Shift, journal: Path) -> None:
    _, at = swap_rounds(journal)

    with pytest.raises(JournalError, match=rf"E-JRNL-004 .*entry {at} .*the list of rounds"):
        proved(journal, kept.board.public_key)


def test_no_evidence_is_made_of_another_round_than_was_asked_for(journal: Path) -> None:
    first, _ = swap_rounds(journal)

    with (
        closing(store.open_for_reading(journal)) as db,
        pytest.raises(JournalError, match=rf"E-JRNL-004 .*the list of rounds has round {first} there"),
    ):
        about_round(db, first)


# ---------------------------------------------------------------- exports


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("with_sealed", [False, True])
def test_an_export_reads_back_as_what_was_exported(tmp_path: Path, chapter: str, with_sealed: bool) -> None:
    shift = play(tmp_path, chapter)
    written = exported(shift.rooms.journal, shift, with_sealed=with_sealed)

    reader = ImportedExport(written.file, shift.board.public_key)
    found = list(reader.entries())

    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        own = list(store.entries(db))
    assert [(each.number, each.body, each.link, each.digest_of_seal) for each in found] == [
        (each.number, each.body, each.link, each.digest_of_seal) for each in own
    ]
    assert [each.sealed for each in found] == [each.sealed if with_sealed else b"" for each in own]
    assert any(each.sealed for each in own) == (chapter in SEALED)


FIELDS = {
    "kind": "command",
    "boot": "x",
    "at": "0",
    "utc": "2020",
    "trusted": True,
    "body": "{}",
    "seal": "00",
    "link": "00" * 32,
    "number": 99,
}


@pytest.mark.parametrize("field", FIELDS)
def test_an_altered_line_of_an_export_is_named(kept: Shift, journal: Path, field: str) -> None:
    written = exported(journal, kept)
    lines = export_lines(written.file)
    assert lines[AT]["number"] == AT
    lines[AT][field] = FIELDS[field]
    write_lines(written.file, lines)

    with pytest.raises(JournalError, match=rf"E-JRNL-004 .*entry ({AT}|99) "):
        ImportedExport(written.file).verify(lambda _more: None)


def test_a_line_taken_out_of_an_export_is_missed(kept: Shift, journal: Path) -> None:
    written = exported(journal, kept)
    lines = export_lines(written.file)
    write_lines(written.file, lines[:AT] + lines[AT + 1 :])

    with pytest.raises(JournalError, match=rf"entry {AT + 1} .*{AT} is missing"):
        ImportedExport(written.file).verify(lambda _more: None)


def test_an_export_that_was_cut_has_no_closing_line(kept: Shift, journal: Path) -> None:
    written = exported(journal, kept)
    write_lines(written.file, export_lines(written.file)[:-1])

    with pytest.raises(JournalError, match=r"E-JRNL-011 .*closing line is missing"):
        ImportedExport(written.file).verify(lambda _more: None)


def test_an_export_cut_before_its_end_is_not_what_was_closed(kept: Shift, journal: Path) -> None:
    written = exported(journal, kept)
    lines = export_lines(written.file)
    write_lines(written.file, [*lines[:-2], lines[-1]])

    with pytest.raises(JournalError, match=r"E-JRNL-011 .*the closing line speaks of entry"):
        ImportedExport(written.file).verify(lambda _more: None)


@pytest.mark.parametrize(
    ("line", "name"), [(0, "board"), (0, "before"), (AT, "link"), (-1, "key"), (-1, "link")]
)
def test_what_is_signed_as_text_has_one_spelling(kept: Shift, journal: Path, line: int, name: str) -> None:
    """Capitals are the same number, but other text than the one that was signed; the checker refuses them too."""
    written = exported(journal, kept)
    lines = export_lines(written.file)
    part: dict[str, Any] = lines[line]["closing"] if line == -1 else lines[line]  # type: ignore[assignment]
    part[name] = f" {part[name]}" if part[name].isdigit() else part[name].upper()
    write_lines(written.file, lines)

    with pytest.raises(
        JournalError, match=r"E-JRNL-011 .*(missing or wrong|not what it should be|not whole)"
    ):
        ImportedExport(written.file).verify(lambda _more: None)


@pytest.mark.parametrize("name", ["program", "made"])
def test_a_word_of_the_header_is_covered_by_the_closing_line(kept: Shift, journal: Path, name: str) -> None:
    written = exported(journal, kept)
    lines = export_lines(written.file)
    lines[0][name] = "something else"
    write_lines(written.file, lines)

    with pytest.raises(JournalError, match=r"E-JRNL-011 .*digest of the lines"):
        ImportedExport(written.file).verify(lambda _more: None)


def test_a_signature_that_was_altered_is_found(kept: Shift, journal: Path) -> None:
    written = exported(journal, kept)
    lines = export_lines(written.file)
    closing_line = json.loads(json.dumps(lines[-1]["closing"]))
    closing_line["signature"] = "00" * 64
    lines[-1] = {"closing": closing_line}
    write_lines(written.file, lines)

    with pytest.raises(JournalError, match=r"E-JRNL-011 .*not signed by the board"):
        ImportedExport(written.file).verify(lambda _more: None)


def test_a_seal_that_was_altered_in_an_export_is_named(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa641a", last=70)
    written = exported(shift.rooms.journal, shift, with_sealed=True)
    lines = export_lines(written.file)
    place = next(place for place, line in enumerate(lines) if "link" in line and "sealed" in line)
    lines[place]["sealed"] = "00"
    write_lines(written.file, lines)

    with pytest.raises(JournalError, match=rf"E-JRNL-004 .*entry {place} .*its seal was changed"):
        ImportedExport(written.file).verify(lambda _more: None)


def test_an_export_is_never_written_over(kept: Shift, journal: Path) -> None:
    written = exported(journal, kept)
    before = written.file.read_bytes()

    with pytest.raises(CommandError, match="exists already"):
        exported(journal, kept)

    assert written.file.read_bytes() == before
    assert [path.name for path in journal.parent.glob(".*.new")] == []


def test_a_slice_is_proved_by_itself(kept: Shift, journal: Path) -> None:
    target = journal.with_name("slice.jsonl")
    with closing(store.open_for_reading(journal)) as db:
        export.export(db, target, ExportPart(10, 40), kept.board)

    found = ImportedExport(target, kept.board.public_key).verify(lambda _more: None)

    assert (found.first, found.number) == (10, 40)


@pytest.mark.parametrize(
    ("name", "value"), [("number", True), ("number", "1"), ("trusted", 1), ("trusted", "true"), ("body", 1)]
)
def test_a_field_of_another_kind_is_no_field(kept: Shift, journal: Path, name: str, value: object) -> None:
    line = export_lines(exported(journal, kept).file)[1]
    assert _entry_of(line).number == 1

    with pytest.raises(TypeError):
        _entry_of({**line, name: value})
