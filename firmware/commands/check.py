"""`sabot check`: a table file as a floor manager signs it, or what is wrong with it."""

import argparse
import json
from pathlib import Path

from sabot.config.table_file import TableFile, load_table_file
from sabot.drivers.registry import load
from sabot.firmware.run.facts import facts_of
from sabot.firmware.run.table_setup import setup_of
from sabot.statemachine.setup import Setup

EPILOG = """\
examples:
  sabot check /etc/sabot/table.toml         the table in words, with a line for a signature
  sabot check --json table.toml             the same as JSON

Nothing is opened and nothing is changed: devices are not asked. Exit code 2 and one message where the file,
its Rules Submission, an option of a driver or the law does not allow the table.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", type=Path, help="the table file (docs/table-file.md)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def read(path: Path) -> tuple[TableFile, Setup]:
    """A table file and its set-up, verified together."""
    file = load_table_file(path, lambda driver: load(driver).schema)
    return file, setup_of(file)


def run(args: argparse.Namespace) -> int:
    """Check a table file."""
    file, setup = read(args.file)
    facts = facts_of(file, setup)
    if args.json:
        devices = {each.name: {"driver": each.driver, **each.options} for each in file.devices}
        print(json.dumps({**dict(facts), "devices": devices}, indent=2))
        return 0
    rows = [
        *facts,
        *((f"device {each.name}", _device_words(each.driver, each.options)) for each in file.devices),
    ]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")
    print(
        "\nThis table may be opened with these settings:\n\n  name ______________________  date ____________"
    )
    return 0


def _device_words(driver: str, options: object) -> str:
    assert isinstance(options, dict)
    said = ", ".join(f"{name}={value}" for name, value in options.items() if value not in ("", False))
    return f"{driver}: {said}"
