"""Calling ``sabot`` as a person does: a process, arguments, standard input, an exit code and two streams.

Each call is a process of its own, forked from one that has loaded the program: loading it again took half of
the time of these tests. ``started`` starts it from nothing.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple

from sabot.cli import rooms

LOADED = [
    "sabot.cli",
    *(f"{room.__name__}.{each.name}" for room in rooms() for each in iter_modules(room.__path__)),
]

TO_WRITE = os.O_WRONLY | os.O_CREAT


class Answer(NamedTuple):
    """What a call of ``sabot`` said."""

    code: int
    out: str
    err: str


def sabot(*words: str, stdin: str = "", patience_s: float = 120) -> Answer:
    """Run ``sabot`` in a process of its own."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(LOADED)
    with tempfile.TemporaryDirectory() as folder:
        streams = Streams(*(Path(folder, name) for name in ("in", "out", "err")))
        streams.stdin.write_text(stdin)
        called = server.Process(target=_call, args=(words, streams, Path.cwd(), dict(os.environ)))
        called.start()
        called.join(patience_s)
        if called.exitcode is None:
            called.kill()
            called.join()
            raise TimeoutError(f"sabot {' '.join(words)} ran for more than {patience_s:g} s")
        return Answer(called.exitcode, streams.stdout.read_text(), streams.stderr.read_text())


def started(*words: str) -> Answer:
    """Start ``sabot`` from nothing."""
    order = [sys.executable, "-Im", "sabot", *words]
    done = subprocess.run(order, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return Answer(done.returncode, done.stdout, done.stderr)


class Streams(NamedTuple):
    """The files that stand for the three streams of a call."""

    stdin: Path
    stdout: Path
    stderr: Path


def _call(words: tuple[str, ...], streams: Streams, folder: Path, environment: Mapping[str, str]) -> None:
    """Take the streams, the folder and the environment of the caller, and be ``sabot``."""
    from sabot.cli import main  # noqa: PLC0415

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, (path, flags) in enumerate(zip(streams, (os.O_RDONLY, TO_WRITE, TO_WRITE), strict=True)):
        os.dup2(os.open(path, flags), number)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace")
    sys.argv = ["sabot", *words]
    sys.exit(main())


def without_the_rig(*words: str) -> Answer:
    """Run ``sabot`` from nothing where the bundle left ``hil`` out."""
    script = (
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith('sabot.hil'):\n"
        "            raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
        "from sabot.cli import main\n"
        f"sys.exit(main({list(words)!r}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-Ic", script], capture_output=True, text=True, check=False, timeout=60
    )
    return Answer(done.returncode, done.stdout, done.stderr)
