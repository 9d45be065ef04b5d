"""The environment that a record names: the machine, and the program with its digest."""

import os
import platform
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

GENTLY = "5"


def environment() -> dict[str, str]:
    """Return a description of this machine, and of the program that is installed on it."""
    return program() | machine()


def program(source: Path | None = None) -> dict[str, str]:
    """Return the installed program, or that of a source folder, with its digest."""
    isolated = "-m" if source else "-Im"
    there = {**os.environ, "PYTHONPATH": str(source)} if source else None

    def said(*words: str) -> str:
        command = [*_gently(), sys.executable, isolated, "sabot", *words]
        return subprocess.run(  # noqa: S603 - our own interpreter and module
            command, capture_output=True, text=True, check=False, cwd=source, env=there
        ).stdout

    digest = [line.split()[-1] for line in said("verify").splitlines() if line.startswith("program ")]
    return {"program": said("--version").strip(), "digest": digest[0] if digest else ""}


def machine() -> dict[str, str]:
    """Return a description of this machine."""
    return {
        "machine": f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "system": platform.platform(),
        "load": " ".join(f"{load:.1f}" for load in os.getloadavg()),
    }


def _gently() -> list[str]:
    """Return the words that run a reader of every file at low priority."""
    # The digest is taken beside the first tables, which have to keep their time.
    nice = shutil.which("nice")
    return [nice, "-n", GENTLY] if nice else []


def processor() -> str:
    """Return the processor's name, as it gives it itself."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()
