"""`sabot check`: a table file as a floor manager signs it, or what is wrong with it."""

import argparse
import json
from pathlib import Path

from sabot.config.includes import as_toml, read_merged
from sabot.config.table_file import TableFile
from sabot.firmware.commands.check_text import page
from sabot.firmware.common_arguments import add_law, asked_law
from sabot.firmware.run.table_check import read
from sabot.firmware.run.table_notes import facts_of, notes_of
from sabot.statemachine.state.setup import Setup

EPILOG = """\
examples:
  sabot check /etc/sabot/table.toml         the table in words, with a line for a signature
  sabot check --json table.toml             the same as JSON
  sabot check --merged table.toml           the file with all that it includes, as one

Nothing is opened and nothing is changed: devices are not asked. Exit code 2 and one message where the file,
its Rules Submission, an option of a driver or the law does not allow the table. config/tables has an example
for each chapter and each way to deal; docs/table-file.md explains every key.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", type=Path, help="the table file (docs/table-file.md)")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--merged", action="store_true", help="the file with all that it includes, as one")
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Print the table as a page to sign, or raise what is wrong with its file."""
    if args.merged:
        print(as_toml(read_merged(args.file).data), end="")
        return 0
    file, setup = read(args.file, is_whole=True, law=asked_law(args))
    print(json.dumps(_as_json(file, setup), indent=2) if args.json else page(file, setup))
    return 0


def _as_json(file: TableFile, setup: Setup) -> dict[str, object]:
    return {
        **dict(facts_of(file, setup)),
        "devices": {each.name: {"driver": each.driver, **each.options} for each in file.devices},
        "notes": notes_of(file, setup),
        "sha256": dict(file.digests),
    }
