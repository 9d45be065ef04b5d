"""Jobs in fresh processes: what is measured shares nothing with what measures it.

A job is a small script in ``jobs`` that prints one JSON value. It runs in the interpreter it is given (a
peer has one of its own) with the job's folder as its import path, and with nothing written into it from
here but its arguments.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
JOBS = HERE / "jobs"
OUT = HERE / "out"


def run_job(name: str, *args: object, python: str = sys.executable) -> Any:  # noqa: ANN401
    """What a job prints, as JSON."""
    order = [python, str(JOBS / f"{name}.py"), *(str(arg) for arg in args)]
    done = subprocess.run(order, check=False, capture_output=True, text=True)
    if done.returncode:
        raise JobError(name, done.stderr)
    return json.loads(done.stdout)


class JobError(Exception):
    """A job that failed, with the last words it wrote."""

    def __init__(self, name: str, stderr: str) -> None:
        last = (stderr.strip().splitlines() or ["no message"])[-1]
        super().__init__(f"{name}: {last}")


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
