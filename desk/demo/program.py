"""The program of the device as the demo runs it: `sabot run --sim` in a process of its own.

It has a journal, a console's socket and simulated devices in another process, as a person would have
who types the command. It is ended by SIGTERM, and its log stays where it is where anything went wrong.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, STDOUT, Popen

from sabot.firmware.errors import CommandError

# Whoever ends is known to have ended; this is for one that neither works nor ends.
# Seconds: until it works, until it ends, between two looks.
PATIENCE_S, STOP_S, LOOK_S = 600.0, 120.0, 0.01
# What a killed program leaves behind, and what is waited for when it comes back.
SOCKETS = ("console.sock", "control.sock")
LAST_OF_THE_DEVICES = "pads.sock"
# Program and devices live in a time of their table's own: on a busy machine nobody is late. This room does
# not import it.
IN_OWN_TIME = "sabot.hil.table.own_time"


class RunningDemo:
    """The program of one table, its state and its log in a folder."""

    def __init__(self, folder: Path, chapter: str, method: str, law: Path | None = None) -> None:
        self.state, self.log = folder / chapter, folder / f"{chapter}.log"
        self._chapter, self._method = chapter, method
        self._law = ["--law", str(law)] if law else []
        self._process: Popen[bytes] | None = None

    @property
    def console(self) -> Path:
        """Return where consoles connect."""
        return self.state / SOCKETS[0]

    @property
    def process(self) -> "Popen[bytes]":
        """Return the process, which must have been started."""
        assert self._process is not None  # asked only between start and stop
        return self._process

    def start(self) -> None:
        """Start the program, and wait until a console can connect."""
        words = ["run", "--sim", self._chapter, "--method", self._method, "--state", str(self.state)]
        words += self._law
        with self.log.open("ab") as log:
            self._process = Popen(  # noqa: S603 (our own interpreter and module)
                [sys.executable, "-m", IN_OWN_TIME, str(self.state), "0", *words],
                stdin=DEVNULL,
                stdout=log,
                stderr=STDOUT,
                start_new_session=True,
            )
        self._wait(self.console, is_there=True, what="the program did not open its console")

    def _wait(self, path: Path, *, is_there: bool, what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while path.exists() is not is_there:
            if is_there and self.process.poll() is not None:
                raise self.failed(self.how_it_ended)
            if time.monotonic() > end:
                raise self.failed(what)
            time.sleep(LOOK_S)

    def stop(self) -> None:
        """Ask the program to end, and wait until it has."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.cut()

    def cut(self) -> None:
        """Cut the power: kill the program between two instructions, and its devices with it."""
        self.process.kill()
        self.process.wait()
        # The devices end by themselves when the program is gone. The next start waits for these files to
        # appear, so none may be left of the last one.
        self._wait(self.state / LAST_OF_THE_DEVICES, is_there=False, what="the devices outlived the program")
        for name in SOCKETS:
            (self.state / name).unlink(missing_ok=True)

    @property
    def how_it_ended(self) -> str:
        """Return in words how the program ended."""
        code = self.process.poll()
        if code is None:
            return "the program closed its console"
        return (
            f"the program was ended by signal {-code}" if code < 0 else f"the program ended with code {code}"
        )

    def verify_end(self) -> None:
        """Raise CommandError unless the program ended as it was asked to."""
        if self.process.returncode:
            raise self.failed(self.how_it_ended)

    def failed(self, why: str) -> CommandError:
        """Return the error that the demo cannot go on, with where to look."""
        return CommandError("E-CLI-011", "demo", why=why, log=self.log, state=self.state)


FAILED = "E-CLI-011"
_LOOK = """\

NOT FOR PLAY: what a shift's program kept is in {kept}/CHAPTER, its log in {kept}/CHAPTER.log:
  sabot journal verify --state {state}
  sabot journal tail --state {state}
  sabot journal show 1 --state {state}
  sabot meters --state {state}"""


@contextmanager
def folder(kept: Path | None) -> Iterator[Path]:
    """Provide the folder for as long as the demo plays; keep it if it was asked for, or something failed."""
    found = _new(kept) if kept else Path(tempfile.mkdtemp(prefix="sabot-demo-"))
    is_needed = kept is not None
    try:
        yield found
    except CommandError as error:
        is_needed |= error.kind.code == FAILED
        raise
    finally:
        if not is_needed:
            shutil.rmtree(found, ignore_errors=True)


def _new(kept: Path) -> Path:
    try:
        kept.mkdir(parents=True)
    except OSError as error:
        raise CommandError("E-CLI-005", str(kept), why=error.strerror or str(error)) from error
    return kept.resolve()


def how_to_look(kept: Path, chapter: str) -> str:
    """Return the commands that show what a shift left."""
    return _LOOK.format(kept=kept, state=kept / chapter)
