"""`sabot check`: a table file as a floor manager signs it, or what is wrong with it."""

import argparse
import json
from pathlib import Path

from sabot.config.loader import load_chapter
from sabot.config.table_file import TableFile, load_table_file
from sabot.firmware.commands.check_text import digests_of, page
from sabot.firmware.integrity.drivers import load
from sabot.firmware.run.facts import facts_of
from sabot.firmware.run.table_check import verify_submission, verify_table
from sabot.firmware.run.table_notes import notes_of
from sabot.firmware.run.table_setup import setup_of
from sabot.statemachine.setup import Setup

EPILOG = """\
examples:
  sabot check /etc/sabot/table.toml         the table in words, with a line for a signature
  sabot check --json table.toml             the same as JSON

Nothing is opened and nothing is changed: devices are not asked. Exit code 2 and one message where the file,
its Rules Submission, an option of a driver or the law does not allow the table. config/tables has an example
for each chapter and each way to deal; docs/table-file.md explains every key.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", type=Path, help="the table file (docs/table-file.md)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def read(path: Path, *, is_whole: bool = False) -> tuple[TableFile, Setup]:
    """A table file and its set-up, verified together; the whole of it where there is time."""
    file = load_table_file(path, lambda driver, place: load(driver, place).schema)
    verify_submission(file, load_chapter(file.submission.chapter), is_whole=is_whole)
    setup = setup_of(file)
    verify_table(file, setup)
    return file, setup


def run(args: argparse.Namespace) -> int:
    """Check a table file."""
    file, setup = read(args.file, is_whole=True)
    print(json.dumps(_as_json(file, setup), indent=2) if args.json else page(file, setup))
    return 0


def _as_json(file: TableFile, setup: Setup) -> dict[str, object]:
    return {
        **dict(facts_of(file, setup)),
        "devices": {each.name: {"driver": each.driver, **each.options} for each in file.devices},
        "notes": notes_of(file, setup),
        "sha256": digests_of(file),
    }
