"""The chain, its heads and its seals: what was altered is found, and where."""

import hashlib
import json
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.firmware.credentials.board import Seal
from sabot.firmware.journal import recover, store
from sabot.firmware.journal.content import opened
from sabot.firmware.journal.entry import GENESIS, Draft, Stamp, chained, follows
from sabot.firmware.journal.errors import JournalError
from sabot.rules.cards import NAMES
from sabot.statemachine.vocabulary.events import CardDrawn

from .shifts import CHAPTERS, Shift, play
from .tampering import AT, COLUMNS, change

STAMP = Stamp("boot-1", "12.500000", "2026-01-02T03:04:05.678Z", trusted=True)


def recovered(shift: Shift, key: bytes | None = None) -> recover.Recovered:
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        return recover.recover(db, shift.recording.setup, shift.board.seal, key or shift.board.public_key)


def test_a_link_is_what_the_page_says_it_is() -> None:
    entry = chained(1, GENESIS, Draft("event", STAMP, '{"a":1}', b"sealed"))

    text = '1\nevent\nboot-1\n12.500000\n2026-01-02T03:04:05.678Z\ntrusted\n{"a":1}\n'
    text += hashlib.sha256(b"sealed").hexdigest()
    assert entry.link == hashlib.sha256(("0" * 64 + "\n" + text).encode()).digest()
    assert follows(GENESIS, entry)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_shift_comes_back_as_it_was(tmp_path: Path, chapter: str) -> None:
    shift = play(tmp_path, chapter)

    found = recovered(shift)

    assert found.table.snapshot() == shift.table.snapshot()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_shift_comes_back_without_its_snapshots(tmp_path: Path, chapter: str) -> None:
    shift = play(tmp_path, chapter)
    change(shift.rooms.journal, "DELETE FROM snapshot")

    found = recovered(shift)

    assert found.replayed == len(shift.recording.events)
    assert found.table.snapshot() == shift.table.snapshot()


@pytest.mark.parametrize("column", COLUMNS)
def test_an_altered_entry_is_found_where_it_stands(tmp_path: Path, column: str) -> None:
    shift = play(tmp_path, "pa679a", last=40)
    change(shift.rooms.journal, "DELETE FROM snapshot")
    change(shift.rooms.journal, f"UPDATE entry SET {column} = {COLUMNS[column]} WHERE number = {AT}")

    with pytest.raises(JournalError, match=r"E-JRNL-004 journal: entry 17 "):
        recovered(shift)


def test_an_entry_taken_out_is_missed(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa679a", last=30)  # before the first round ends: no snapshot lies after it
    change(shift.rooms.journal, f"DELETE FROM entry WHERE number = {AT}")

    with pytest.raises(JournalError, match=r"entry 18 .*17 is missing"):
        recovered(shift)


def test_a_head_of_another_board_is_no_head(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa679a")
    change(shift.rooms.journal, "DELETE FROM snapshot")
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw()

    with pytest.raises(JournalError, match="E-JRNL-005"):
        recovered(shift, other)


def test_a_snapshot_moved_to_another_entry_does_not_open(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa679a")
    change(
        shift.rooms.journal,
        "UPDATE snapshot SET entry = entry - 1, link = (SELECT link FROM entry WHERE number = snapshot.entry - 1)",
    )

    with pytest.raises(JournalError, match="E-JRNL-006"):
        recovered(shift)


def test_a_seal_opens_only_in_its_place() -> None:
    seal = Seal(bytes(32))
    closed = seal.close(b"content", "entry 1")

    assert seal.open(closed, "entry 1") == b"content"
    for place, content in (("entry 2", closed), ("entry 1", closed[:-1]), ("entry 1", b"")):
        with pytest.raises(JournalError, match="E-JRNL-006"):
            opened(seal, content, place)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_files_hold_no_card_that_nobody_may_see(tmp_path: Path, chapter: str) -> None:
    """Each drawn card's event is searched by its own words: masked in the open part, sealed beside it."""
    shift = play(tmp_path, chapter)
    drawn = [each.event for each in shift.recording.events if isinstance(each.event, CardDrawn)]

    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        found = [entry for entry in store.entries(db) if '"event":"CardDrawn"' in entry.body]
    for entry, event in zip(found, drawn, strict=True):
        assert json.loads(entry.body)["event"]["card"] is None
        assert event.card is None or entry.sealed
        # With its quotes: two bytes alone stand in some sealed entry by chance.
        assert event.card is None or f'"{NAMES[event.card.card]}"'.encode() not in entry.sealed


def test_a_journal_of_another_format_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store.create(path)
    change(path, "UPDATE meta SET value = '99' WHERE name = 'format'")

    with pytest.raises(JournalError, match="E-JRNL-003"):
        store.open_for_reading(path)


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "E-JRNL-002"), (b"no database at all" * 100, "E-JRNL-002")]
)
def test_a_file_that_is_no_journal_is_said_to_be_none(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(content)

    with pytest.raises(JournalError, match=code):
        store.open_for_writing(path)

    assert path.read_bytes() == content


def test_a_journal_is_never_made_over_another(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"something")

    with pytest.raises(JournalError, match="E-JRNL-001"):
        store.create(path)

    assert path.read_bytes() == b"something"


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("UPDATE snapshot SET link = zeroblob(32)", "its snapshot has another link"),
        (
            "DELETE FROM entry WHERE number = (SELECT max(entry) FROM snapshot)",
            "its snapshot has another link",
        ),
        ("DELETE FROM snapshot", ""),
    ],
)
def test_a_start_goes_on_from_a_snapshot_of_this_very_chain(tmp_path: Path, order: str, said: str) -> None:
    shift = play(tmp_path, "pa679a", last=60)
    change(shift.rooms.journal, order)

    if not said:
        recovered(shift)
        return
    with pytest.raises(JournalError, match=said):
        recovered(shift)
