"""A journal on its way to another format and back, on real files; the format after today's is made up here."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sabot.firmware.journal import store
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.update import environment
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.migration import fall_back, format_of, migrate

NEXT = store.FORMAT + 1


def to_next(old: Path, new: Path) -> None:
    """What a release with another format would bring: the old file is read, a new one is written."""
    with (
        closing(sqlite3.connect(f"file:{old}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(new)) as target,
    ):
        source.backup(target)
        target.execute("UPDATE meta SET value = ? WHERE name = 'format'", (str(NEXT),))
        target.commit()


def broken(_old: Path, new: Path) -> None:
    new.write_bytes(b"half of a jour")
    message = "the medium is full"
    raise OSError(message)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    store.create(path)
    path.with_suffix(".mark").write_text("the mark", encoding="ascii")
    return path


def opens(path: Path) -> None:
    store.open_for_reading(path).close()


def test_a_journal_of_this_format_is_left_alone(journal: Path) -> None:
    before = journal.read_bytes()

    assert migrate(journal) is None
    assert journal.read_bytes() == before


def test_a_table_without_a_journal_has_nothing_to_migrate(tmp_path: Path) -> None:
    assert migrate(tmp_path / "journal.db") is None


def test_a_migration_writes_a_new_file_and_keeps_the_old_one_whole(journal: Path) -> None:
    before = journal.read_bytes()

    assert migrate(journal, NEXT, {store.FORMAT: to_next}) == store.FORMAT

    assert format_of(journal) == NEXT
    aside = journal.with_name(f"journal.format-{store.FORMAT}.db")
    assert aside.read_bytes() == before
    assert aside.with_suffix(".mark").read_text(encoding="ascii") == "the mark"
    assert journal.with_suffix(".mark").read_text(encoding="ascii") == "the mark"


def test_an_older_program_never_opens_a_newer_journal(journal: Path) -> None:
    migrate(journal, NEXT, {store.FORMAT: to_next})

    with pytest.raises(JournalError, match="E-JRNL-003"):
        opens(journal)


def test_falling_back_puts_the_old_journal_in_place_and_the_newer_one_aside(journal: Path) -> None:
    before = journal.read_bytes()
    migrate(journal, NEXT, {store.FORMAT: to_next})
    journal.with_suffix(".mark").write_text("a newer mark", encoding="ascii")

    fall_back(journal, store.FORMAT)

    assert journal.read_bytes() == before
    assert journal.with_suffix(".mark").read_text(encoding="ascii") == "the mark"
    opens(journal)
    assert format_of(journal.with_name(f"journal.unused-{NEXT}.db")) == NEXT


def test_a_migration_that_fails_half_way_leaves_the_journal_as_it_was(journal: Path) -> None:
    before = journal.read_bytes()

    with pytest.raises(OSError, match="medium is full"):
        migrate(journal, NEXT, {store.FORMAT: broken})

    assert journal.read_bytes() == before
    opens(journal)
    assert migrate(journal, NEXT, {store.FORMAT: to_next}) == store.FORMAT


@pytest.mark.parametrize("known", [NEXT + 1, NEXT])
def test_without_a_way_between_formats_nothing_is_touched(journal: Path, known: int) -> None:
    before = journal.read_bytes()

    with pytest.raises(UpdateError, match="E-UPDATE-014"):
        migrate(journal, known, {NEXT: to_next})

    assert journal.read_bytes() == before


def test_a_journal_of_a_newer_program_is_not_migrated_back(journal: Path) -> None:
    with pytest.raises(UpdateError, match="E-UPDATE-014"):
        migrate(journal, store.FORMAT - 1, {store.FORMAT: to_next})


def test_what_is_no_journal_has_no_format(journal: Path) -> None:
    journal.write_bytes(b"no journal at all, but long enough to be looked at by whoever opens it as one")

    with pytest.raises(JournalError):
        migrate(journal)


def test_falling_back_without_an_old_journal_is_refused(journal: Path) -> None:
    with pytest.raises(UpdateError, match="E-UPDATE-013"):
        fall_back(journal, 7)

    opens(journal)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("print('out'); sys.exit('first\\nlast words')", "last words"),
        ("print('one\\nonly this'); sys.exit(3)", "only this"),
        ("sys.exit(3)", ""),
    ],
)
def test_a_step_that_fails_is_told_by_its_last_words(words: str, said: str) -> None:
    with pytest.raises(UpdateError, match="E-UPDATE-008") as caught:
        environment._run([sys.executable, "-c", f"import sys; {words}"])

    assert caught.value.facts["why"] == said


def test_a_step_that_cannot_be_taken_says_why(tmp_path: Path) -> None:
    environment._run([sys.executable, "-c", ""])
    with pytest.raises(UpdateError, match="No such file"):
        environment._run([str(tmp_path / "none")])
