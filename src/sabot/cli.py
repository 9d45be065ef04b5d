"""The command line: finds the command, lets it run, and turns every error into one message.

The commands of the board are one room, those of a desk another that a bundle may leave out; this module alone
knows both. A command's module is imported only when that command runs, so that ``sabot --version`` costs an
interpreter and nothing more, and ``sabot run`` nothing of the desk. Exit codes are the same everywhere: 0
done, 1 the answer is "no" (a check that fails, a difference found), 2 bad input with one message on stderr
and nothing half done.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

from sabot import __version__
from sabot.rules.errors import SabotError

if TYPE_CHECKING:
    import argparse

DONE, NO, BAD_INPUT = 0, 1, 2

# The board's first: its commands are found without looking at the desk.
ROOMS = ("sabot.firmware", "sabot.desk")

EPILOG = """\
examples:
{examples}
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
    """Run a command to its end and return its exit code, with its error said."""
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

    room = next((room for room in rooms() if chosen in room.COMMANDS), None)
    parser = CommandParser(
        prog="sabot",
        description="Sabot, the controller under a live card table.",
        epilog=EPILOG.format(examples="\n".join(each.EXAMPLES for each in ([room] if room else rooms()))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"sabot {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    # A parser of its own for each takes 10 ms: there is one, but where the list of all is asked for.
    for name, summary in ({chosen: room.COMMANDS[chosen]} if room else all_commands()).items():
        command = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if room:
            module = import_module(f"{room.__name__}.{name.replace('-', '_')}")
            command.epilog = module.EPILOG
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def rooms() -> Iterator[ModuleType]:
    """Give the commands of each room that is here, and import a room only when it is asked for."""
    return (import_module(f"{room}.commands") for room in ROOMS if find_spec(room) is not None)


def all_commands() -> dict[str, str]:
    """Return every command with what it does."""
    return {name: summary for room in rooms() for name, summary in room.COMMANDS.items()}
