"""``sabot hil list``: the scenarios of the rig, one a line; or the language that they are written in."""

import argparse
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from sabot.firmware.common_arguments import add_law
from sabot.firmware.errors import CommandError

SUMMARY = "the scenarios of the floor, one a line"
EPILOG = """\
A line is name, file and start, parted by tabs; with --target also what that rig lacks for it.

examples:
  sabot hil list                         every scenario
  sabot hil list --scenario 679a.13      those whose name, or file, has this in it; * is any letters
  sabot hil list --target bench          with what each would be skipped for there
  sabot hil list --json | jq .name       for programs: an object a line, with its steps
  sabot hil list --verbs                 the language: each verb, an example, what it does
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    choose(parser)
    parser.add_argument("--json", action="store_true", help="an object a line")
    parser.add_argument("--verbs", action="store_true", help="the verbs of the language instead")


def choose(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose scenarios and a rig."""
    parser.add_argument(
        "--scenario",
        action="append",
        default=[],
        metavar="PATTERN",
        help="what a name or a file has in it; may be given again",
    )
    parser.add_argument(
        "--target", default="", metavar="RIG", help="a rig of hil/rigs (sim, ...) or the .toml file of one"
    )
    parser.add_argument(
        "--files", type=Path, metavar="FOLDER", help="scenarios of a folder of your own instead of Sabot's"
    )
    add_law(parser)


def rig_module(name: str) -> ModuleType:
    """Return a module of the rig, which the bundle for the floor leaves out."""
    try:
        return import_module(f"sabot.hil.scenarios.{name}")
    except ModuleNotFoundError as error:
        raise CommandError("E-CLI-010", "hil", why=error) from error


def run(args: argparse.Namespace) -> int:
    """List the scenarios, or the verbs of their language."""
    lines = _verbs() if args.verbs else _scenarios(args)
    for line in lines:
        print(line)
    return 0


def _scenarios(args: argparse.Namespace) -> Iterator[str]:
    form, runner = rig_module("scenario_file"), rig_module("runner")
    has = rig_module("rig").read_rig(args.target).features if args.target else None
    library = form.read_library(args.files or form.FOLDER)
    for each in runner.chosen(library.scenarios, args.scenario):
        lacks = sorted(each.needs - has) if has is not None else []
        if args.json:
            yield json.dumps(_plain(each) | {"lacks": lacks})
        else:
            skipped = [f"skipped: no {', no '.join(lacks)}"] if lacks else []
            yield "\t".join([each.name, each.file, each.start, *skipped])


def _plain(scenario: "object") -> dict[str, object]:
    """Return a scenario for a program."""
    fields: dict[str, object] = scenario._asdict()  # type: ignore[attr-defined]
    steps: tuple[object, ...] = fields["steps"]  # type: ignore[assignment]
    needs: frozenset[str] = fields["needs"]  # type: ignore[assignment]
    return fields | {"steps": [str(step) for step in steps], "needs": sorted(needs)}


def _verbs() -> Iterator[str]:
    for name, verb in rig_module("verbs").VERBS.items():
        yield f"{name:<19} {verb.usage}"
        needs = f" (needs {verb.needs})" if verb.needs else ""
        yield f"{'':<19}   {verb.about}{needs}"
