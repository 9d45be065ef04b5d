"""A table on kernel devices with the real program beside it, for whoever plays there; inside the machine.

The table file is the simulated table's, but that nothing in it names a simulator: lines are those of
RPi.GPIO, pads are what libusb finds, serial ports are udev's stable names. All lies in one folder, and
whoever knows the control socket and the console's socket of a simulated table knows these.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO

from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.simulated import enrol
from sabot.hil import slip_input
from sabot.hil.board.table_files import board_table
from sabot.hil.kernel.devices.gadget import by_id
from sabot.hil.kernel.world import CHIP_FILE
from sabot.hil.table.helper_process import HelperProcess

# A Pi 4B's: without one the library runs nowhere else.
REVISION = "c03114"
START_S, STOP_S = 120.0, 60.0
WAIT_S = 0.05
# How long a person waits to see what was expected: a machine may be shared, and emulated.
PATIENCE_S = 30.0


def write_table(root: Path, chapter: str, method: str, seed: int = 1) -> Path:
    """Write the files of a table: its devices, its submission, the table file."""
    root.mkdir(parents=True, exist_ok=True)
    files = board_table(root, chapter, method, by_id, seed=seed)
    write_whole(root / "world.json", json.dumps(files.plan, indent=1).encode())
    write_whole(root / "submission.toml", files.submission.encode())
    write_whole(root / "table.toml", (files.table + slip_input.SECTION).encode())
    return root / "table.toml"


@contextmanager
def devices(root: Path) -> Iterator[None]:
    """Keep the devices of the table at work, and known to its board."""
    with closing(HelperProcess("sabot.hil.kernel.world", root)) as world:
        enrol(root, json.loads(world.told)["keys"])
        yield


def surroundings(root: Path) -> Mapping[str, str]:
    """Return the environment that the GPIO library needs outside a Pi."""
    chip = (root / CHIP_FILE).read_text(encoding="ascii")
    return {"RPI_LGPIO_REVISION": REVISION, "RPI_LGPIO_CHIP": chip}


class Running:
    """The program of the table, started and stopped as a service manager does."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.log = root / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait for its console."""
        (self.root / "console.sock").unlink(missing_ok=True)
        with self.log.open("ab") as log:
            self._process = _program(self.root, log)
        end = time.monotonic() + START_S
        while not (self.root / "console.sock").exists():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the program did not start: {self.said()}")
            time.sleep(WAIT_S)

    @property
    def is_on(self) -> bool:
        """Return whether it runs."""
        return self._process is not None and self._process.poll() is None

    def ended(self, limit_s: float = START_S) -> int:
        """Return the exit code, once it ended by itself."""
        assert self._process is not None
        return self._process.wait(limit_s)

    def stop(self) -> int:
        """Ask it to end, and return the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(STOP_S)

    def stumble(self) -> None:
        """Let it slip; it must end itself, with the code on which it is started again."""
        assert self._process is not None
        self._process.send_signal(slip_input.SIGNAL)
        code = self._process.wait(STOP_S)
        if code != slip_input.SLIPPED:
            raise RuntimeError(f"a slip ended with {code}: {self.said()}")

    def kill(self) -> None:
        """End it without a word."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait(STOP_S)

    def said(self, count: int = 1500) -> str:
        """Return the end of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-count:]


def _program(root: Path, log: IO[bytes]) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-I", "-m", "sabot", "run", str(root / "table.toml")]
    environment = {**os.environ, **surroundings(root)}
    return subprocess.Popen(words, stdout=log, stderr=log, env=environment, cwd=root)  # noqa: S603


@contextmanager
def running(root: Path) -> Iterator[Running]:
    """Run the devices and the program of a table whose files are there; say what went wrong with its log."""
    with devices(root):
        program = Running(root)
        program.start()
        try:
            yield program
        except Exception as error:
            raise AssertionError(f"{error}; log: {program.said()}") from error
        finally:
            program.kill()


@contextmanager
def table(root: Path, chapter: str, method: str) -> Iterator[Running]:
    """Run a new table with its devices and its program."""
    write_table(root, chapter, method)
    with running(root) as program:
        yield program
