"""A process beside a rig: the devices of a table, a floor, a network serial port.

Each says one line when it is ready and ends when its standard input does, so that none outlives whoever
wanted it, however that ended.
"""

import subprocess
import sys
from typing import IO

from sabot.hil.scenarios.errors import ScenarioError

LONGEST_S = 60.0


class HelperProcess:
    """A module at work in a process of its own; ``told`` is the line that it said when it was ready."""

    def __init__(self, module: str, *words: object, log: IO[bytes] | None = None, flags: str = "-m") -> None:
        self._process = subprocess.Popen(  # noqa: S603 (our own interpreter, a module of the rig's)
            [sys.executable, flags, module, *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        assert self._process.stdout is not None  # asked for above
        self.told = self._process.stdout.readline()
        if not self.told:
            code = self._process.wait(LONGEST_S)
            raise ScenarioError("E-HIL-006", module, why=f"it did not start: it ended with {code}")

    def close(self) -> None:
        """Let it end; kill it if it does not."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None  # asked for above
            pipe.close()
        try:
            self._process.wait(LONGEST_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
