"""The program of a simulated table, unlinked and linked to a floor that answers: private memory, in MB.

Both begin with an empty journal, with the allocator as the unit sets it.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sabot.firmware.simulated import simulated_table
from sabot.hil import floor_process

SETTLED_S = 25.0
UNIT = Path(__file__).resolve().parents[2] / "systemd/sabot.service"


def allocator() -> dict[str, str]:
    """Return the settings of the allocator that the unit has."""
    line = next(each for each in UNIT.read_text().splitlines() if each.startswith("Environment=MALLOC_"))
    return dict(each.split("=", 1) for each in line.removeprefix("Environment=").split())


def private_mb(table: Path, root: Path, *, has_floor: bool) -> float:
    """Run it until it has settled; what it then has for itself."""
    words = [sys.executable, "-Im", "sabot", "run", str(table)]
    settings = os.environ | allocator()
    with subprocess.Popen(
        words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=settings
    ) as program:
        floor = None
        if has_floor:
            hall = [sys.executable, "-Im", "sabot.hil.floor_process", str(root)]
            floor = subprocess.Popen(hall, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        time.sleep(SETTLED_S)
        lines = Path(f"/proc/{program.pid}/smaps_rollup").read_text().splitlines()[1:]
        rows = {line.split()[0].rstrip(":"): int(line.split()[1]) for line in lines}
        program.terminate()
        if floor is not None and floor.stdin:
            floor.stdin.close()
            floor.wait(60)
    return (rows["Private_Clean"] + rows["Private_Dirty"]) / 1024


def main() -> None:
    """Both, three times."""
    found: dict[str, list[float]] = {"unlinked": [], "linked": []}
    for _ in range(3):
        with (
            tempfile.TemporaryDirectory(prefix="lm-", dir="/tmp") as folder,
            simulated_table(Path(folder), "pa641a", "manual_shoe") as table,
        ):
            floor_process.forget(Path(folder))
            found["unlinked"].append(round(private_mb(table, Path(folder), has_floor=False), 2))
            floor_process.prepare(Path(folder))
            found["linked"].append(round(private_mb(table, Path(folder), has_floor=True), 2))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
