"""``sabot console``: a client of the running program, for a serial terminal, a remote shell, a pipe."""

import argparse
import locale
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from sabot.firmware.console.client import Client
from sabot.firmware.console.prompt import ConsolePrompt, Piped, Typed
from sabot.firmware.console.talk import DONE, ConsoleTalk

SOCKET = "/run/sabot/console.sock"
# What Python sets by itself where the locale is C (PEP 538): nobody has said it of this terminal.
MADE_BY_PYTHON = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
EPILOG = """\
Without a command it asks for one after the other; `help` lists them. Read-only until a person unlocks it with
number and PIN. A PIN is never an argument: it is asked for, unseen. In a pipe each line is a command, and an
answer that is asked for is the next line.

examples:
  sabot console                          the prompt
  sabot console status                   one command
  sabot console --as 42 --why "lamp" retest shoe
  sabot console --json events 100        an object a line
  sabot console export stream --as 07 --why audit > journal.jsonl

exit codes: 0 done, 1 refused (the reason is on stderr), 2 bad input or no program
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="a command of the console, and its words")
    place = os.environ.get("SABOT_CONSOLE", SOCKET)
    parser.add_argument("--socket", type=Path, default=Path(place), help=f"the program's socket ({place})")
    parser.add_argument("--json", action="store_true", help="answers as JSON, an object a line")
    parser.add_argument(
        "--ascii", action="store_true", help="plain ASCII only, as where the locale has no UTF-8"
    )
    parser.add_argument("--as", dest="number", default="", help="unlock as this person first")
    parser.add_argument("--why", default="", help="the reason, for commands that want one")


def run(args: argparse.Namespace) -> int:
    """Talk to the program."""
    client = Client(args.socket)

    def complete(words: Sequence[str]) -> Sequence[str]:
        (answer,) = client.ask(complete=list(words))
        found: Sequence[str] = answer.get("words", ())
        return found

    prompt: ConsolePrompt = Typed(complete) if sys.stdin.isatty() else Piped()
    talk = ConsoleTalk(client, prompt, as_json=args.json, is_ascii=args.ascii or not _knows_utf8())
    try:
        return _talk(talk, args, is_live=prompt.is_live)
    finally:
        client.close()


def _talk(talk: ConsoleTalk, args: argparse.Namespace, *, is_live: bool) -> int:
    if args.number:
        code = talk.carry_out(["unlock", args.number], is_quiet=True)
        if code != DONE:
            return code
    if args.words:
        return talk.carry_out(args.words, args.why)
    if is_live and not args.json:
        talk.greet()
    return talk.hold(args.why)


def _knows_utf8() -> bool:
    """Return whether UTF-8 may be sent; to a terminal only where somebody has set such a locale."""
    encoding = sys.stdout.encoding or locale.getpreferredencoding(do_setlocale=False)
    return _is_utf8(encoding) and (not sys.stdout.isatty() or _locale_is_utf8())


def _locale_is_utf8() -> bool:
    """Return whether the terminal's locale is UTF-8.

    Where none is set, as on a serial port, Python itself makes one with UTF-8, whatever the terminal.
    """
    ctype = os.environ.get("LC_CTYPE", "")
    said = "" if ctype in MADE_BY_PYTHON else ctype
    return _is_utf8(os.environ.get("LC_ALL") or said or os.environ.get("LANG", ""))


def _is_utf8(name: str) -> bool:
    return name.lower().replace("-", "").partition("@")[0].endswith("utf8")
