"""``sabot wiring``: how a table is wired, from its table file: pins, circuits and cables."""

import argparse
from pathlib import Path

from sabot.desk.sign.render import replace_file
from sabot.desk.wiring.picture import picture
from sabot.desk.wiring.sheet import as_json, sheet_of, text
from sabot.firmware.common_arguments import add_law, asked_law
from sabot.firmware.errors import CommandError
from sabot.firmware.run.table_check import read

EPILOG = """\
The pins are those that the driver works by, so drawing and program never differ. Lines that the table file
does not name are on their usual pins (docs/wiring.md); -1 is not wired.

examples:
  sabot wiring /etc/sabot/table.toml                  each pin of the header, each cable
  sabot wiring /etc/sabot/table.toml -o wiring.svg    the drawing, for the inside of the cabinet's door
  sabot wiring --json table.toml                      for other programs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", type=Path, help="the table file")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the drawing, as SVG, to this file")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Print the wiring, or write its drawing."""
    file, _setup = read(args.file, law=asked_law(args))
    sheet = sheet_of(file.name, file.devices, is_simulated=file.is_simulated)
    if args.output is None:
        print(as_json(sheet) if args.json else text(sheet))
        return 0
    try:
        replace_file(Path(args.output), picture(sheet).encode())
    except OSError as error:
        raise CommandError("E-CLI-005", args.output, why=error.strerror or str(error)) from error
    print(f"{args.output}: the wiring of {sheet.table}, {len(sheet.lines)} lines, {len(sheet.cables)} cables")
    return 0
