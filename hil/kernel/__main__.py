"""Run the kernel's rig, whole or in part: ``python -m sabot.hil.kernel``.

Exit codes: 0 everything held, 1 something did not (or the rig was blind), 2 a wrong word, 77 this machine
cannot run it, with the reason.
"""

import argparse
import os
import platform
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from sabot.hil.kernel.machine import NATIVE, MachineHost
from sabot.hil.kernel.parts import PartRow, chosen_of, rows, run_parts, short
from sabot.hil.kernel.prepare import cache_folder, prepare
from sabot.hil.kernel.results import (
    CANNOT_RUN,
    CannotRunError,
    RigPart,
    as_json,
    as_table,
    held,
    is_good,
    write,
)

MOST_JOBS = 2
WRONG_WORD = 2
RULE = "=" * 78


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="make kernel-rig", description="The program on devices of a real kernel."
    )
    made.add_argument("parts", nargs="*", metavar="PART", help="only these: kills service faults cuts ...")
    made.add_argument("--short", action="store_true", help="the drivers on their devices, and one round")
    made.add_argument("--long", action="store_true", help="50 kills, 5000 cuts")
    made.add_argument("--jobs", type=int, help="machines at a time (one a processor, two at most)")
    made.add_argument("--cache", type=Path, default=cache_folder(), help="where kernel and Python are kept")
    made.add_argument("--json", type=Path, help="where the results go, for a machine")
    return made


def main(words: Sequence[str] | None = None) -> int:
    """Run the rig, and return the exit code."""
    given = parser().parse_args(words)
    try:
        chosen = chosen_of(given.parts, short() if given.short else rows(is_long=given.long))
    except ValueError as error:
        _say(str(error))
        return WRONG_WORD
    signal.signal(signal.SIGTERM, _stop)
    folder = Path(tempfile.mkdtemp(prefix="sabot-kernel-"))
    try:
        return _run(given, chosen, folder)
    except CannotRunError as error:
        _say(f"{RULE}\nTHE KERNEL RIG DID NOT RUN, and nothing that it proves is proved:\n{error}\n{RULE}")
        return CANNOT_RUN
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End as an exit, so that machines end with the blocks that own them."""
    raise SystemExit(1)


def _run(given: argparse.Namespace, chosen: Sequence[PartRow], folder: Path) -> int:
    began = time.monotonic()
    host = prepare(given.cache, folder)
    jobs = given.jobs or min(MOST_JOBS, os.cpu_count() or 1)
    about = _about(host, jobs)
    _say(", ".join([*about.values(), f"ready after {time.monotonic() - began:.0f} s"]))
    parts = run_parts(chosen, host, folder, jobs, _tell)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    about |= {
        "wall_s": f"{time.monotonic() - began:.0f}",
        "processor_s": f"{used.ru_utime + used.ru_stime:.0f}",
    }
    if given.json:
        write(given.json, as_json(parts, about))
    _say(f"{held(parts)}, in {about['wall_s']} s ({about['processor_s']} s of processor)")
    return 0 if is_good(parts) else 1


def _tell(part: RigPart) -> None:
    _say(as_table([part]))


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def _about(host: MachineHost, jobs: int) -> dict[str, str]:
    way = "on the processor" if host.accelerator == NATIVE else "emulated"
    return {
        "kernel": f"kernel {host.kernel.parent.name}",
        "way": way,
        "jobs": f"{jobs} machine{'s' if jobs > 1 else ''} at a time",
        "machine": f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    sys.exit(main())
