"""The command line: finds the command, lets it run, and turns every error into one message.

A command's module is imported only when that command runs, so that ``sabot --version`` costs an interpreter
and nothing more. Exit codes are the same everywhere: 0 done, 1 the answer is "no" (a check that fails, a
difference found), 2 bad input with one message on stderr and nothing half done.
"""

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from sabot import __version__
from sabot.rules.errors import SabotError

if TYPE_CHECKING:
    import argparse

DONE, NO, BAD_INPUT = 0, 1, 2

COMMANDS = {
    "settle": "settle rounds from JSON: every wager, to the cent, with its paragraph",
    "deal": "the order in which a hand is dealt, card by card",
    "par": "the exact odds of every paytable, beside what the Board states",
    "chapter": "a chapter as a person reads it; check a Rules Submission against it",
    "sign": "the payout sign that must be posted at the table",
    "replay": "recorded events through the table again: its rounds, or what is different",
    "diagram": "the life of a table as a picture, drawn from its rows",
    "run": "the program of the table: its devices, its journal, its console",
    "check": "a table file in words that a floor manager can sign, or its errors",
    "console": "ask the running program, and order what a role may: a prompt or one command",
    "journal": "what was recorded: verify, export, tail, show a round, unseal, retain",
    "meters": "what every meter shows, and every cent of it explained from the journal",
    "report": "a gaming day out of the journal",
    "evidence": "one round or one fault as a signed pack that a stranger can check; check a pack",
    "restore": "a fresh board takes over the meters of a lost one from its second medium; two people",
    "clear-memory": "begin anew after everything was exported and the final meters printed; two people",
    "floor": "linked meters over many tables: what they show, hits, a gaming day, the proof of the ledger",
    "wiring": "what hangs on each pin of the board and where each cable goes: text, or a drawing",
    "device": "talk to a device without a table: list, identify, monitor, test, send",
    "sim": "a simulated device for a technician to try a console or a driver on; NOT FOR PLAY",
    "hil": "the rig: scenarios of the floor on simulated or real devices; prove a device against its page",
    "safe-outputs": "drive every output to its safe level: the second line of the service",
    "enrol": "make the state directory of a table, with the board's own new keys",
    "verify": "which program runs here: what was covered, its digest, the answer to a challenge",
    "selftest": "what would keep a table closed, without opening it",
    "update": "a signed release for this board, or the reason why not",
    "demo": "a short shift of each chapter, played in the terminal",
    "practice": "a simulated table in a browser, to sit down at and deal; NOT FOR PLAY",
}

EPILOG = """\
examples:
  sabot settle round.json                 one round, as a table
  sabot settle --json < rounds.jsonl      many rounds, one JSON outcome a line
  sabot deal pa641a auto_shoe --seats 1,3,5 --wager six_card
  sabot par pa682a aces_bonus             hold of every letter, both readings
  sabot chapter pa683a                    the chapter, readable
  sabot COMMAND --help                    what a command does and takes

exit codes: 0 done, 1 the answer is no, 2 bad input (one message, nothing changed)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``sabot`` with these arguments (those of the process, if none are given)."""
    words = list(sys.argv[1:] if argv is None else argv)
    match words:
        case ["run", file] if not file.startswith("-"):
            # The service says one word: for that argparse and what it imports would stay in its memory, 1 MB.
            run = import_module("sabot.firmware.commands.run")
            return finished("run", lambda: run.run_file(file))
    parser = parser_of(words[0] if words else "")
    args = parser.parse_args(words)
    if args.command is None:
        parser.print_help()
        return DONE
    return finished(args.command, lambda: args.run(args))


def finished(name: str, run: Callable[[], int]) -> int:
    """Run a command to its end; its exit code, errors said."""
    try:
        code = run()
        sys.stdout.flush()
    except SabotError as error:
        print(f"sabot {name}: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader went away (`| head`): not an error, and no traceback at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print(f"sabot {name}: stopped; nothing was changed", file=sys.stderr)
        return 130
    return code


def parser_of(chosen: str) -> "argparse.ArgumentParser":
    """Return the parser of the whole, in which the chosen command alone has its arguments."""
    import argparse  # noqa: PLC0415 - the service does without

    from sabot.firmware.command_line import CommandParser  # noqa: PLC0415

    parser = CommandParser(
        prog="sabot",
        description="Sabot, the controller under a live card table.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"sabot {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in [chosen] if chosen in COMMANDS else COMMANDS:  # a parser of its own for each takes 10 ms
        summary = COMMANDS[name]
        command = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == chosen:
            module = import_module(f"sabot.firmware.commands.{name.replace('-', '_')}")
            command.epilog = module.EPILOG
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser
