"""Answer a mistake on the command line with one message that says what would have been right.

The library's own messages say what was wrong and print the usage of the whole program. Here each becomes an
error with code, place, cause, cure and the nearest word, and the usage is that of the sub-command.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from sabot.firmware.errors import CommandError
from sabot.rules.errors import SabotError, nearest

BAD_INPUT = 2
# What a reader of arguments wants, by the name that the library puts into its message.
WANTED = {
    "fromisoformat": "a date such as 2026-01-31",
    "int": "a whole number",
    "float": "a number",
    "seconds": "a time in seconds, more than 0",
    "Fraction": "a number",
}
# The library hands on nothing but a finished sentence: these take its own English words apart.
_CHOICE = re.compile(r"argument (.+?): invalid choice: '?(.*?)'? \(choose from (.*)\)", re.DOTALL)
_VALUE = re.compile(r"argument (.+?): invalid (\w+) value: '(.*)'", re.DOTALL)
_REQUIRED = re.compile(r"the following arguments are required: (.*)", re.DOTALL)
_ONE_OF = re.compile(r"one of the arguments (.*) is required", re.DOTALL)
_ARGUMENT = re.compile(r"argument (.+?): (.*)", re.DOTALL)


class CommandParser(argparse.ArgumentParser):
    """A parser whose complaints are our errors, for the program and for each of its sub-commands."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as the library
        """Refuse what is left over here: this parser knows which words it would have taken."""
        known, extra = super().parse_known_args(args, namespace)
        if extra:
            self._refuse(
                CommandError(
                    "E-CLI-017", self.prog, text=extra[0], near=self._near(extra[0]), command=self.prog
                )
            )
        return known, extra

    def error(self, message: str) -> NoReturn:
        """Word the library's message as an error of ours, and exit."""
        self._refuse(next(filter(None, (row(self, message) for row in ROWS)), self._other(message)))

    def _other(self, message: str) -> SabotError:
        return CommandError("E-CLI-018", self.prog, why=message, command=self.prog)

    def _refuse(self, error: SabotError) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(BAD_INPUT, f"{self.prog}: {error}\n")

    def _near(self, text: str) -> str:
        options = [name for action in self._actions for name in action.option_strings]
        return near(text.partition("=")[0], options) or f" (there are {', '.join(options)})"

    def example(self) -> str:
        """Return a whole call, from the examples of the command."""
        # The examples stand in columns, so two spaces end the call and begin what it is for.
        head = self.prog.removeprefix("sabot ")
        lines = (line.strip() for line in (self.epilog or "").splitlines())
        found = next((line for line in lines if line.startswith(self.prog) and line != self.prog), "")
        return re.split(r"\s{2,}", found)[0] or f"sabot {head} --help"


def add_each(
    to: "argparse._SubParsersAction[Any]", whole: str, parts: Iterable[tuple[str, str]]
) -> Iterable[tuple[str, argparse.ArgumentParser]]:
    """Add a command below a command for each name and summary, with its own lines of the whole's examples."""
    for name, words in parts:
        part = to.add_parser(
            name,
            help=words,
            description=words[0].upper() + words[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        part.epilog = examples_of(whole, part.prog)
        yield name, part


def examples_of(whole: str, prog: str) -> str:
    """Return those examples of a command that call this command below it."""
    found = [line for line in whole.splitlines() if f"{line.strip()} ".startswith(f"{prog} ")]
    return "\n".join(["examples:", *found]) + "\n" if found else ""


def near(text: str, known: Iterable[str]) -> str:
    """Return words that name the nearest of those known, or nothing where none is near."""
    # The dashes of an option are no likeness: every two short ones would be half alike.
    bare = {word.lstrip("-"): word for word in known}
    found = bare.get(nearest(text.lstrip("-"), bare, 0.5), "")
    return f" (did you mean {found}?)" if found else ""


def _choice(parser: CommandParser, message: str) -> SabotError | None:
    if (found := _CHOICE.fullmatch(message)) is None:
        return None
    what, text, listed = found.groups()
    known = [word.strip(" '") for word in listed.split(",")]
    facts = {"what": what, "text": text, "near": near(text, known), "known": ", ".join(known)}
    return CommandError("E-CLI-015", parser.prog, **facts)


def _value(parser: CommandParser, message: str) -> SabotError | None:
    if (found := _VALUE.fullmatch(message)) is None:
        return None
    what, kind, text = found.groups()
    wanted = WANTED.get(kind, "what is wanted here")
    command = parser.prog.removeprefix("sabot ")
    return CommandError("E-CLI-003", what, text=text, wanted=wanted, command=command)


def _required(parser: CommandParser, message: str) -> SabotError | None:
    found = _REQUIRED.fullmatch(message) or _ONE_OF.fullmatch(message)
    if found is None:
        return None
    choices = {
        action.metavar or action.dest: f"{action.metavar or action.dest} (one of {', '.join(action.choices)})"
        for action in parser._actions  # noqa: SLF001 - the library has no other way to ask
        if action.choices and not action.option_strings
    }
    missing = [choices.get(word, word) for word in found[1].split(" " if _ONE_OF.match(message) else ", ")]
    facts = {"missing": ", ".join(missing), "example": parser.example(), "command": parser.prog}
    return CommandError("E-CLI-016", parser.prog, **facts)


def _argument(parser: CommandParser, message: str) -> SabotError | None:
    found = _ARGUMENT.fullmatch(message)
    facts = {"why": found[2], "command": parser.prog} if found else {}
    return CommandError("E-CLI-018", found[1], **facts) if found else None


# The first that fits counts, and ``_argument`` fits every message about an argument: it comes last.
ROWS: Sequence[Callable[[CommandParser, str], SabotError | None]] = (_choice, _value, _required, _argument)
