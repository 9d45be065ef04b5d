"""The prompt: line editing, history and completion by readline, words typed unseen, or lines of a pipe.

Readline was chosen over an editor of our own: it is in the standard library, knows every terminal that the
system knows (a serial VT100 with TERM=vt100 too), and more people tried it at more terminals than ever would
try ours. The history is kept in memory only, and what is typed unseen never comes near it.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from sabot.firmware.console import terminal
from sabot.firmware.console.errors import ConsoleError

try:
    import readline

    HAS_READLINE = True
except ImportError:  # a Python built without it: plain lines, no completion
    HAS_READLINE = False

UNSEEN = frozenset({"pin", "second_pin", "new_pin"})
TWICE = frozenset({"new_pin"})
HISTORY = 200
Complete = Callable[[Sequence[str]], Sequence[str]]


class ConsolePrompt(Protocol):
    """The source of commands and answers."""

    is_live: bool

    def command(self, words: str) -> str | None:
        """Return the next line, None at the end."""

    def answer(self, field: str, words: str) -> str:
        """Return the answer to a question of the program."""


class Typed:
    """A person at a terminal."""

    is_live = True

    def __init__(self, complete: Complete) -> None:
        self._complete = complete
        self._found: Sequence[str] = ()
        if HAS_READLINE:
            # Readline would switch it on and off with sequences that a VT100 shows as letters.
            readline.parse_and_bind("set enable-bracketed-paste off")
            readline.parse_and_bind("tab: complete")
            readline.set_completer_delims(" ")
            readline.set_completer(self._completion)
            readline.set_history_length(HISTORY)
            # ``command`` alone adds to it: an answer is no command, and may be a PIN.
            readline.set_auto_history(False)

    def command(self, words: str) -> str | None:
        """Return the next line, which enters the history."""
        try:
            line = input(words)
        except EOFError:
            print()
            return None
        if HAS_READLINE and line.strip():
            readline.add_history(line)
        return line

    def answer(self, field: str, words: str) -> str:
        """Ask for an answer: a PIN unseen, a new one twice."""
        if field not in UNSEEN:
            return terminal.asked(words)
        typed = terminal.unseen(words)
        while field in TWICE and terminal.unseen("once more") != typed:
            print("these were not the same", file=sys.stderr)
            typed = terminal.unseen(words)
        return typed

    def _completion(self, _text: str, state: int) -> str | None:
        if state == 0:
            line = readline.get_line_buffer()[: readline.get_endidx()]
            self._found = [f"{word} " for word in self._complete(line.split(" "))]
        return self._found[state] if state < len(self._found) else None


class Piped:
    """Lines of a pipe; an answer is the next line."""

    is_live = False

    def command(self, words: str) -> str | None:  # noqa: ARG002 (a pipe is not prompted)
        """Return the next line of the pipe."""
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None

    def answer(self, field: str, words: str) -> str:
        """Return the next line of the pipe as the answer."""
        line = sys.stdin.readline()
        if not line:
            raise ConsoleError("E-CONS-015", "console", what=words or field)
        return line.strip()
