"""One command line of the program, in this process: what it printed, and whether it ended as commands do."""

import io
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from sabot.cli import main

DONE, FOUND, REFUSED = 0, 1, 2


class BrokenCommandError(AssertionError):
    """A command ended in a way that is not documented."""


def run(words: Sequence[str]) -> tuple[int, str]:
    """The exit code and what was printed; a refusal must bring its code and be one line."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    if code == REFUSED and ": E-" not in err.getvalue() + out.getvalue():
        raise BrokenCommandError(f"{words[0]} refused without a code: {err.getvalue()[:300]!r}")
    if code not in (DONE, FOUND, REFUSED):
        raise BrokenCommandError(f"{words[0]} ended with {code}")
    return code, out.getvalue()
