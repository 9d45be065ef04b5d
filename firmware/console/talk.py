"""A conversation: commands of a person or a pipe, answers as text, pages, screens or JSON.

A terminal is sent nothing that moves its cursor, and plain ASCII where it knows no more.
"""

import json
import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress

from sabot.firmware.console import terminal
from sabot.firmware.console.client import Client, Said
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.prompt import ConsolePrompt

# Each sign, and behind it what stands for it in ASCII.
_SIGNS = (
    "\N{EN DASH}- —- \N{MINUS SIGN}- ─- ═= │| ┌+ ┐+ └+ ┘+ ├+ ┤+ ┬+ ┴+ ┼+ \N{MULTIPLICATION SIGN}x ·. ◂< ▸> "
    '\N{RIGHT SINGLE QUOTATION MARK}\' “" ”" ¢c ♠s ♥h ♦d ♣c'
)
_PLAIN = str.maketrans({sign[0]: sign[1:] for sign in _SIGNS.split()} | {"…": "...", "§": "s."})


def shown(text: str, *, is_ascii: bool) -> str:
    """Return a line as the terminal can show it."""
    # Nothing that comes over the socket steers the terminal, whatever a name or a reason has in it.
    safe = "".join(letter if letter.isprintable() else "?" for letter in text)
    return safe.translate(_PLAIN).encode("ascii", "replace").decode() if is_ascii else safe


DONE, NO, BAD_INPUT = 0, 1, 2
BADLY_PUT = frozenset({"E-CONS-001", "E-CONS-002", "E-CONS-015"})
LEAVING = frozenset({"quit", "exit"})


class ConsoleTalk:
    """The conversation of a person or a pipe with the program."""

    def __init__(self, client: Client, prompt: ConsolePrompt, *, as_json: bool, is_ascii: bool) -> None:
        self._client, self._prompt = client, prompt
        self._as_json, self._is_ascii = as_json, is_ascii
        self._who = "locked"
        self._is_quiet = False

    # ------------------------------------------------------------ many commands

    def hold(self, why: str) -> int:
        """Carry out commands until the end; return the worst exit code, where no person has read them."""
        worst = DONE
        while (line := self._next()) is not None:
            try:
                words = shlex.split(line)
            except ValueError as error:
                print(f"not understood: {error}", file=sys.stderr)
                worst = BAD_INPUT
                continue
            if words and words[0] in LEAVING:
                break
            if words:
                worst = max(worst, self.carry_out(words, why))
        return DONE if self._prompt.is_live else worst

    def _next(self) -> str | None:
        while True:
            try:
                return self._prompt.command(self._shown(f"{self._who}> "))
            except KeyboardInterrupt:
                print()

    def greet(self) -> None:
        """Print which table it is."""
        hello = self._client.hello
        notice = f", {hello['notice']}" if hello["notice"] else ""
        print(
            self._shown(f"{hello['table']}{notice}. `help` lists the commands, TAB completes, `quit` leaves.")
        )

    # ------------------------------------------------------------ one command

    def carry_out(self, words: Sequence[str], why: str = "", *, is_quiet: bool = False) -> int:
        """Carry out a command with all that is asked for on the way; return its exit code."""
        self._is_quiet = is_quiet
        fields: dict[str, object] = {"do": list(words), "why": why}
        while True:
            with suppress(KeyboardInterrupt):
                end = self._once(fields)
                if "ask" not in end:
                    return self._ended(end)
                fields[end["ask"]] = self._prompt.answer(end["ask"], self._shown(end["words"]))
                continue
            print()
            return NO

    def _ended(self, end: Said) -> int:
        self._who = end.get("who", self._who)
        if end["end"] != "refused":
            return DONE
        if self._as_json:
            print(json.dumps({"refused": end["code"], "why": end["why"]}))
        print(self._shown(end["why"]), file=sys.stderr)
        return BAD_INPUT if end["code"] in BADLY_PUT else NO

    def _once(self, fields: dict[str, object]) -> Said:
        """Print everything that the program says until the end or a question, and return that."""
        pager = terminal.Pager() if self._prompt.is_live and sys.stdout.isatty() else None
        screen, goes_on = terminal.TerminalScreen(), True
        with ExitStack() as stack:
            for said in self._client.ask(**fields):
                if said.keys() & {"end", "ask"}:
                    return said
                if not goes_on:
                    continue  # lines that were on their way before the stop arrived
                try:
                    if "frame" in said:
                        goes_on = self._frame(said, screen, stack, is_live=pager is not None)
                    else:
                        goes_on = self._line(said, pager)
                except KeyboardInterrupt:
                    goes_on = False
                if not goes_on:
                    self._client.stop()
        raise ConsoleError("E-CONS-014", "console", why="no end came")

    def _line(self, said: Said, pager: terminal.Pager | None) -> bool:
        if self._is_quiet:
            return True
        # A file goes byte for byte into a pipe, so that its signature holds; a terminal gets it made plain.
        if "line" in said and not sys.stdout.isatty():
            print(said["line"], flush=True)
            return True
        if self._as_json and "line" not in said:
            if said.get("data"):
                print(json.dumps(said["data"]), flush=True)
            return True
        line = self._shown(said["line"] if "line" in said else said["text"])
        if pager is not None:
            return pager.print(line)
        print(line, flush=True)
        return True

    def _frame(self, said: Said, screen: terminal.TerminalScreen, stack: ExitStack, *, is_live: bool) -> bool:
        """Show a whole screen; return whether to go on, which any key ends."""
        if self._as_json:
            print(json.dumps(said["data"]), flush=True)
        elif not is_live:
            print("\n".join(map(self._shown, said["frame"])), end="\n\n", flush=True)
        else:
            if not screen.is_open:
                stack.enter_context(terminal.keys())
            screen.draw([self._shown(line) for line in said["frame"]])
            if terminal.has_key():
                terminal.key()
                return False
        return True

    def _shown(self, text: str) -> str:
        return shown(text, is_ascii=self._is_ascii)
