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
from sabot.hil.table.console import RigConsole

PATIENCE_S, SETTLED_S, AT_REST_S = 60.0, 2.0, 8.0
SIMULATED_LINES, STILL_LINES = "sabot.hil.simulators.gpio", "still_gpio"
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
        order = [python, "-m", "sabot", "run"]  # as the unit does
        path = os.pathsep.join(filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH"))))
        own = {"NOTIFY_SOCKET": str(place), "PYTHONPATH": path}
        environment = {**os.environ, **of_the_unit(), **own}
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
    desk = RigConsole(root / "console.sock")
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


def wakes(pid: int) -> int:
    """How often any thread of a process went to sleep so far: each time something woke it."""
    statuses = (task / "status" for task in Path(f"/proc/{pid}/task").iterdir())
    lines = (line for status in statuses for line in status.read_text(encoding="ascii").splitlines())
    return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


def bare_ms(python: str) -> float:
    """Milliseconds from exec to the end of an interpreter that does nothing."""
    start = time.perf_counter()
    subprocess.run([python, "-c", "pass"], check=True)
    return (time.perf_counter() - start) * 1000


def at_rest(python: str, table_file: Path, idles: int, idle_s: float) -> Mapping[str, object]:
    """What a program takes while nothing happens, its lines in its own process as a board's are."""
    found: dict[str, list[float]] = defaultdict(list)
    threads: dict[str, list[float]] = defaultdict(list)
    text = table_file.read_text(encoding="utf-8")
    assert SIMULATED_LINES in text, "the table file names no simulated lines"
    still = table_file.with_name("at_rest.toml")
    still.write_text(text.replace(SIMULATED_LINES, STILL_LINES), encoding="utf-8")
    with program(python, still) as ready:
        time.sleep(AT_REST_S)  # signs are written, first questions answered
        for _ in range(idles):
            before, start = wakes(ready.pid), time.perf_counter()
            by_thread = shares(ready.pid, idle_s)
            found["wakes_a_second"].append((wakes(ready.pid) - before) / (time.perf_counter() - start))
            found["idle_percent"].append(sum(by_thread.values()))
            for name, share in by_thread.items():
                threads[name].append(share)
        devices_up(table_file.parent)
    return {"threads": {name: each for name, each in threads.items() if max(each) >= LEAST_PERCENT}, **found}


def measure(python: str, table_file: Path, starts: int, idles: int, idle_s: float) -> Mapping[str, object]:
    """Every start, and then one that is left alone."""
    found: dict[str, list[float]] = defaultdict(list)
    devices = 0
    with program(python, table_file):
        time.sleep(SETTLED_S)  # byte code is written, the journal is made
    for _ in range(starts):
        found["bare_ms"].append(bare_ms(python))
        with program(python, table_file) as ready:
            found["ready_ms"].append(ready.wall_s * 1000)
            found["processor_ms"].append(ready.processor_s * 1000)
            time.sleep(SETTLED_S)
            found["resident_mb"].append(resident_mb(ready.pid))
            devices = devices_up(table_file.parent)
    return {"devices": devices, **found, **at_rest(python, table_file, idles, idle_s)}


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
