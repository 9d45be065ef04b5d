"""``sabot hil run``: play scenarios on a rig, one line for each, and write reports worth filing."""

import argparse
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from sabot.desk.commands.hil_list import choose, rig_module
from sabot.firmware.common_arguments import law_of
from sabot.firmware.errors import CommandError

SUMMARY = "play scenarios on a rig and report what held and what fell short"
EPILOG = """\
Each scenario has a table of its own: the program as a process, devices beside it, people who play by the
display alone. It touches bytes, lines, lamps and texts only. NOT FOR PLAY.

examples:
  sabot hil run                                          all of them on simulated devices, some at a time
  sabot hil run --scenario '679a.13*' --scenario jam     those whose name, or file, has one of these in it
  sabot hil run --html report.html                       one file, with a timeline picture of each scenario
  sabot hil run --json record.json --junit junit.xml     the whole record; the form that CI systems read
  sabot hil run --target kernel                          on another rig of hil/rigs, or the .toml file of one
  sabot hil run --files ./ours                           scenarios of your own
  sabot hil run found.toml                               those of a file, such as one from the practice table

exit codes: 0 all that was played held, 1 something fell short or nothing could be played, 2 bad input,
77 this machine cannot run the rig, with the reason.
What a rig lacks is skipped with the reason, and a skip is never a pass.
"""
REPORTS = {"json": "report_json", "junit": "report_junit", "html": "report_html"}
DONE, NO, CANNOT_RUN = 0, 1, 77


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    choose(parser)
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="a file of scenarios of your own instead of Sabot's",
    )
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="tables at a time (default: the rig's)"
    )
    for name, what in (("junit", "JUnit XML"), ("html", "a page for people"), ("json", "the whole record")):
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"write {what}")


def run(args: argparse.Namespace) -> int:
    """Play the chosen scenarios, write the reports, and sum up."""
    args.files = args.file or args.files
    if args.jobs < 0:
        raise _not_jobs(args.jobs, "a number of tables")
    reports = {name: path for name in REPORTS if (path := getattr(args, name)) is not None}
    for path in reports.values():
        _verify_writable(path)
    # To be ended is to be stopped: the tables that play are put away, as at Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        record = _play(args)
    except rig_module("errors").CannotPlayError as error:
        print(f"sabot hil: {error}", file=sys.stderr)
        return CANNOT_RUN
    for name, path in reports.items():
        import_module(f"sabot.hil.scenarios.{REPORTS[name]}").write(record, path)
    print(rig_module("record").summary(record))
    return DONE if record.outcome == rig_module("record").PASS else NO


def _not_jobs(jobs: int, wanted: str) -> CommandError:
    return CommandError("E-CLI-003", "--jobs", text=str(jobs), wanted=wanted, command="hil run")


def _verify_writable(path: Path) -> None:
    """Raise CommandError for a report in no folder, before minutes are spent on it."""
    if not path.parent.is_dir():
        raise CommandError("E-CLI-005", str(path), why=f"there is no folder {path.parent}")


def _play(args: argparse.Namespace) -> Any:  # noqa: ANN401 - the record is the rig's
    rig_module("vocabulary").play_by(law_of(args).folder)
    form, runner, rigs = rig_module("scenario_file"), rig_module("runner"), rig_module("rig")
    target = args.target or "sim"
    library, rig = form.read_library(args.files or form.FOLDER), rigs.read_rig(target)
    chosen = _chosen(args, library, rig)
    # A rig that plays by itself, elsewhere, takes the whole order; on the others
    # the runner here moves tables.
    if player := rigs.player_of(rig):
        if args.jobs > rig.jobs:
            raise _not_jobs(args.jobs, f"{rig.jobs}: more tables are not there")
        return player(rigs.RigOrder(target, args.files, chosen), rig, _teller())
    strategy = rigs.strategy_of(rig, library)
    try:
        return runner.run(chosen, rig, strategy, args.jobs or rig.jobs, _teller())
    finally:
        strategy.close()


def _chosen(args: argparse.Namespace, library: Any, rig: Any) -> list[Any]:  # noqa: ANN401 - the rig's
    """Return the scenarios that were asked for, else the rig's default selection.

    Print a line if the selection is not all of them.
    """
    runner, scenarios = rig_module("runner"), library.scenarios
    if args.scenario or args.files:
        return list(runner.chosen(scenarios, args.scenario))
    kept = list(runner.selected(scenarios, rig))
    if len(kept) < len(scenarios):
        which = f"{len(kept)} of {len(scenarios)} scenarios, those that the file of {rig.name} keeps"
        print(f"{which}; --scenario '*' plays all", flush=True)
    return kept


def _teller() -> Callable[[Any, int, int, float], None]:
    """Return what prints a line for each scenario and, where a person watches, a bar under it."""
    is_watched = sys.stderr.isatty()

    def tell(played: Any, done: int, count: int, left_s: float) -> None:  # noqa: ANN401 - the record's
        if is_watched:
            sys.stderr.write("\r\033[K")
        why = "".join(f"\n      {line}" for line in played.why.splitlines())
        print(f"{played.outcome:<5} {played.seconds:5.1f} s  {played.name}{why}", flush=True)
        if is_watched and done < count:
            bar = "#" * (30 * done // count)
            sys.stderr.write(f"[{bar:<30}] {done} of {count}, about {left_s:.0f} s left")
            sys.stderr.flush()

    return tell
