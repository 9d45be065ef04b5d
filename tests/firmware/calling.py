"""Calling ``sabot`` as a person does: a process, arguments, standard input, an exit code and two streams."""

import subprocess
import sys
from typing import NamedTuple


class Answer(NamedTuple):
    """What a call of ``sabot`` said."""

    code: int
    out: str
    err: str


def sabot(*words: str, stdin: str = "", patience_s: float = 120) -> Answer:
    """Run ``sabot`` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-Im", "sabot", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=patience_s,
    )
    return Answer(done.returncode, done.stdout, done.stderr)
