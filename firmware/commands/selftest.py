"""``sabot selftest``: what would keep a table closed, without opening it."""

import argparse
from pathlib import Path

from sabot.firmware.commands.check import read
from sabot.firmware.run.self_report import Stand, as_json, report
from sabot.firmware.run.selftest import Finding

EPILOG = """\
examples:
  sabot selftest /etc/sabot/table.toml      the self-test of a start: program, board, journal
  sabot selftest --json table.toml          as JSON; the update asks in this way

Nothing is changed and no device is asked; it may run beside the program. Exit codes: 0 the table would open,
1 it would stay closed, 2 the table file is wrong.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", type=Path, help="the table file")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Make the self-test."""
    file, setup = read(args.file)
    findings, stand = report(file, setup)
    if args.json:
        print(as_json(findings, stand, args.file))
    else:
        for each in findings:
            print(f"{each.name:<12} {_words(each)}")
        print(f"{'table':<12} {_stand_words(stand)}")
    return 1 if any(each.fault and each.keeps_closed for each in findings) else 0


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
