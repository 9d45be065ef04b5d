"""An emulated board ends with the trial that switched it on, however that one ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sabot.image.emulator import QEMU

TRIAL = """\
import sys, time
from pathlib import Path
from sabot.image.emulator import Emulator
with Emulator((), Path("monitor"), Path("log")) as board:
    board.wait("switched on")
    print("here", flush=True)
    time.sleep(600)
"""
# Whether it goes with its parent is the kernel's doing, whatever the program is.
STAND_IN = "#!/bin/sh\necho $$ > number\necho switched on\nexec sleep 600\n"
PATIENCE_S = 30.0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_no_emulator_outlives_a_trial_that_was_ended(tmp_path: Path, how: signal.Signals) -> None:
    (tmp_path / QEMU).write_text(STAND_IN, encoding="ascii")
    (tmp_path / QEMU).chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    trial = subprocess.Popen(
        [sys.executable, "-Ic", TRIAL], cwd=tmp_path, env={"PATH": path}, stdout=subprocess.PIPE
    )
    with trial:
        assert trial.stdout is not None
        assert trial.stdout.readline() == b"here\n"
        number = int((tmp_path / "number").read_text(encoding="ascii"))
        assert _is_alive(number)
        trial.send_signal(how)
        trial.wait()
    end = time.monotonic() + PATIENCE_S
    while _is_alive(number):
        if time.monotonic() > end:
            os.kill(number, signal.SIGKILL)
            pytest.fail("the emulator runs on")
        time.sleep(0.01)


def _is_alive(number: int) -> bool:
    """Return whether a process runs; one that nobody has waited for yet does not."""
    try:
        said = Path(f"/proc/{number}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return said.rpartition(")")[2].split()[0] != "Z"
