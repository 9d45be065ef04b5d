"""Jobs and commands in fresh processes: what is measured shares nothing with what measures it.

A job is a small script in ``jobs`` that prints one JSON value. It runs in the interpreter it is given (a
peer has one of its own) with the job's folder as its import path, and with nothing written into it from
here but its arguments.
"""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent
JOBS = HERE / "jobs"
OUT = HERE / "out"
MOST_S = 1800.0


def run_job(name: str, *args: object, python: str = sys.executable) -> Any:  # noqa: ANN401
    """What a job prints, as JSON."""
    return json.loads(run_text([python, str(JOBS / f"{name}.py"), *(str(arg) for arg in args)]))


def run_text(order: list[str]) -> str:
    """What a command prints; none may take for ever."""
    try:
        done = subprocess.run(order, check=False, capture_output=True, text=True, timeout=MOST_S)
    except subprocess.TimeoutExpired:
        raise JobError(Path(order[1]).stem, f"not done after {MOST_S:.0f} s") from None
    if done.returncode:
        raise JobError(Path(order[1]).stem, done.stderr)
    return done.stdout


class JobError(Exception):
    """A job that failed, with the last words it wrote."""

    def __init__(self, name: str, stderr: str) -> None:
        last = (stderr.strip().splitlines() or ["no message"])[-1]
        super().__init__(f"{name}: {last}")


class Took(NamedTuple):
    """How long a command took by the clock on the wall, and for how long it had the processor."""

    wall_s: float
    processor_s: float


def run_timed(order: list[str], out: Path | None = None, folder: Path | None = None) -> Took:
    """Run a command to its end, in a folder where it matters; what it prints goes to a file, or nowhere."""
    with (out or Path(os.devnull)).open("wb") as sink:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(order, check=True, stdout=sink, cwd=folder)
        wall_s, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Took(wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def sabot_command() -> list[str]:
    """The installed command beside this interpreter."""
    script = Path(sys.executable).parent / "sabot"
    return [str(script)] if script.exists() else [sys.executable, "-m", "sabot"]


def out_file(name: str, text: str) -> Path:
    """A file for jobs to read, in a folder that git ignores."""
    OUT.mkdir(exist_ok=True)
    path = OUT / name
    path.write_text(text, encoding="utf-8")
    return path
