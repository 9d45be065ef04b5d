"""``sabot hil``: the rig. Each action is a module of its own, imported when its name is said."""

import argparse
from importlib import import_module

ACTIONS = {"list": "hil_list", "run": "hil_run", "conform": "hil_conform"}
EPILOG = """\
examples:
  sabot hil list                                             the scenarios of the floor, one a line
  sabot hil run --scenario 679a.13 --html report.html        those of a paragraph, on simulated devices
  sabot hil conform /dev/ttyUSB0 --as sabot-link --person    a device through its convention
  sabot hil ACTION --help                                    what an action does and takes
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, room in ACTIONS.items():
        # All three, for their arguments; the rig itself is imported by the one that runs, and may be missing.
        module = import_module(f"sabot.desk.commands.{room}")
        action = actions.add_parser(
            name,
            help=module.SUMMARY,
            description=module.SUMMARY[0].upper() + module.SUMMARY[1:] + ".",
            epilog=module.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(action)
        action.set_defaults(act=module.run)


def run(args: argparse.Namespace) -> int:
    """Run the chosen action."""
    code: int = args.act(args)
    return code
