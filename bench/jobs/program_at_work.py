"""Starts the whole program beside a simulated table, again and again, and looks at it from outside."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sabot.firmware.simulated import simulated_table
from sabot.hil.table.desk import Desk

PATIENCE_S, SETTLED_S = 60.0, 2.0
KB, NS = 1024, 1e9
UNIT, SET = Path(__file__).parents[2] / "systemd" / "sabot.service", "Environment="
LEAST_PERCENT = 0.005


class Ready(NamedTuple):
    """A program that said that it is ready."""

    pid: int
    wall_s: float
    processor_s: float


def of_the_unit() -> dict[str, str]:
    """What the service sets for the program: people run it as the unit does."""
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    words = [word for line in lines if line.startswith(SET) for word in line.removeprefix(SET).split()]
    return {name: value for name, _, value in (word.partition("=") for word in words)}


@contextmanager
def program(python: str, table_file: Path) -> Iterator[Ready]:
    """The program, from exec to READY=1, until the block ends."""
    place = table_file.with_name("notify.sock")
    place.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, Path(os.devnull).open("wb") as nowhere:
        manager.bind(str(place))
        manager.settimeout(PATIENCE_S)
        order = [python, "-c", "import sys; from sabot.cli import main; sys.exit(main())", "run"]
        environment = {**os.environ, **of_the_unit(), "NOTIFY_SOCKET": str(place)}
        start = time.perf_counter()
        with subprocess.Popen([*order, str(table_file)], env=environment, stdout=nowhere) as running:
            said = manager.recv(4096)
            ready = Ready(running.pid, time.perf_counter() - start, sum(times(running.pid).values()))
            if b"READY=1" not in said or b"out of service" in said:
                raise SystemExit(said.decode())
            try:
                yield ready
            finally:  # whatever broke in between, it is not waited for without end
                running.send_signal(signal.SIGTERM)


def times(pid: int) -> dict[str, float]:
    """Seconds on the processor, by thread of a process."""
    found: dict[str, float] = defaultdict(float)
    for task in Path(f"/proc/{pid}/task").iterdir():
        name = "loop" if task.name == str(pid) else (task / "comm").read_text().strip() + " " + task.name
        found[name] += int((task / "schedstat").read_text().split()[0]) / NS
    return found


def resident_mb(pid: int) -> float:
    """VmRSS of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / KB


def devices_up(root: Path) -> int:
    """How many devices there are; every one of them has to be up."""
    desk = Desk(root / "console.sock")
    try:
        devices = desk.say("devices").data
    finally:
        desk.close()
    if down := [each["device"] for each in devices if not each["up"]]:
        raise SystemExit(f"not up: {', '.join(down)}")
    return len(devices)


def shares(pid: int, seconds: float) -> dict[str, float]:
    """The percentage of a processor that each thread takes for a while."""
    before, start = times(pid), time.perf_counter()
    time.sleep(seconds)
    took_s = time.perf_counter() - start
    return {name: (now - before.get(name, 0.0)) / took_s * 100 for name, now in times(pid).items()}


def bare_ms(python: str) -> float:
    """Milliseconds from exec to the end of an interpreter that does nothing."""
    start = time.perf_counter()
    subprocess.run([python, "-c", "pass"], check=True)
    return (time.perf_counter() - start) * 1000


def measure(python: str, table_file: Path, starts: int, idles: int, idle_s: float) -> Mapping[str, object]:
    """Every start, and the last of them idle."""
    found: dict[str, list[float]] = defaultdict(list)
    threads: dict[str, list[float]] = defaultdict(list)
    devices = 0
    with program(python, table_file):
        time.sleep(SETTLED_S)  # byte code is written, the journal is made
    for left in reversed(range(starts)):
        found["bare_ms"].append(bare_ms(python))
        with program(python, table_file) as ready:
            found["ready_ms"].append(ready.wall_s * 1000)
            found["processor_ms"].append(ready.processor_s * 1000)
            time.sleep(SETTLED_S)
            found["resident_mb"].append(resident_mb(ready.pid))
            for _ in range(0 if left else idles):
                by_thread = shares(ready.pid, idle_s)
                found["idle_percent"].append(sum(by_thread.values()))
                for name, share in by_thread.items():
                    threads[name].append(share)
            devices = devices_up(table_file.parent)
    busy = {name: each for name, each in threads.items() if max(each) >= LEAST_PERCENT}
    return {"devices": devices, "threads": busy, **found}


def main() -> None:
    """Print what was seen."""
    python, chapter, method = sys.argv[1:4]
    with (
        tempfile.TemporaryDirectory() as folder,
        simulated_table(Path(folder) / "state", chapter, method) as table_file,
    ):
        found = measure(python, table_file, int(sys.argv[4]), int(sys.argv[5]), float(sys.argv[6]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
