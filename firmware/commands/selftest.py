"""``sabot selftest``: what would keep a table closed, without opening it; what to look at on a board."""

import argparse
import json
from pathlib import Path

from sabot.firmware.common_arguments import add_law, asked_law
from sabot.firmware.examine import Finding
from sabot.firmware.run import self_report
from sabot.firmware.run.board_checklist import BoardTick, board_list, has_wrong
from sabot.firmware.run.self_report import Stand, report
from sabot.firmware.run.table_check import read

EPILOG = """\
examples:
  sabot selftest /etc/sabot/table.toml      the self-test of a start: program, board, journal
  sabot selftest --json table.toml          as JSON; the update asks in this way
  sabot selftest --board table.toml         the list to tick on a new board (docs/board.md)

Nothing is changed and no device is asked; it may run beside the program. Exit codes: 0 the table would open,
1 it would stay closed, 2 the table file is wrong.
With --board: 0 nothing that can be seen from here is wrong, 1 something is.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", type=Path, help="the table file")
    parser.add_argument("--board", action="store_true", help="what only the real board can show, to tick")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_law(parser)


def run(args: argparse.Namespace) -> int:
    """Make the self-test."""
    file, setup = read(args.file, law=asked_law(args))
    if args.board:
        return _tell_board(board_list(file), as_json=args.json)
    findings, stand = report(file, setup)
    if args.json:
        print(self_report.as_json(findings, stand, args.file))
    else:
        for each in findings:
            print(f"{each.name:<12} {_words(each)}")
        print(f"{'table':<12} {_stand_words(stand)}")
    return 1 if any(each.fault and each.keeps_closed for each in findings) else 0


def _tell_board(ticks: list[BoardTick], *, as_json: bool) -> int:
    if as_json:
        print(json.dumps([each._asdict() for each in ticks], indent=2))
    else:
        for each in ticks:
            print(f"[ ] {each.name:<9} {each.stands:<6} {each.words}\n{'':<21}{each.command}")
    return 1 if has_wrong(ticks) else 0


def _words(finding: Finding) -> str:
    if finding.fault is None:
        return "good"
    return f"{'' if finding.keeps_closed else 'warning: '}{finding.fault}"


def _stand_words(stand: Stand | None) -> str:
    if stand is None:
        return "unknown"
    ends = "closed with a signed head" if stand.is_closing else "goes on after its last signed head"
    now = ", written now" if stand.is_running else ""
    return f"{stand.phase.replace('_', ' ')}; journal of {stand.entries} entries, {ends}{now}"
