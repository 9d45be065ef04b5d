"""A table file read as the program reads it: with its parts, its law and its submission, verified as one."""

from pathlib import Path

from sabot.config.loader import ChapterLaw
from sabot.config.table_file import TableFile, load_table_file
from sabot.firmware.integrity.drivers import load
from sabot.firmware.run.table_check import verify_submission, verify_table
from sabot.firmware.run.table_setup import setup_of
from sabot.statemachine.state.setup import Setup


def read(path: Path, *, is_whole: bool = False, law: ChapterLaw | None = None) -> tuple[TableFile, Setup]:
    """A table file and its set-up, verified together; the whole of it where there is time."""
    file = load_table_file(path, lambda driver, place: load(driver, place).schema, law)
    verify_submission(file, file.law.chapter(file.submission.chapter), is_whole=is_whole)
    setup = setup_of(file)
    verify_table(file, setup)
    return file, setup
