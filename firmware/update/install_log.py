"""The diary of an installation, step by step: a line of JSON each, on the medium before the next step.

It lies beside the releases and outlives each of them, so that a board says which programs it ever ran, who
wanted it so and what was refused. The journal is the table's; an update happens while it is closed, and the
next start entry names the version that wrote it.
"""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

RIGHTS = 0o644


class InstallLog:
    """The log of one installation, and whoever listens."""

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self._path = path
        self._say = say

    def note(self, step: str, **facts: object) -> None:
        """Note one step, and say it."""
        row = {"utc": datetime.now(UTC).isoformat(timespec="seconds"), "step": step, **facts}
        data = json.dumps(row, default=str).encode() + b"\n"
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, RIGHTS)
        try:
            os.write(fd, data)
            # On the medium before the next step: after a cut the last line says how far it came.
            os.fsync(fd)
        finally:
            os.close(fd)
        self._say(" ".join([step, *(f"{name}={value}" for name, value in facts.items())]))
