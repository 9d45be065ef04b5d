"""The device's end: a card's report goes out, and the clock runs until the first byte of the answer is there.

The program is another process: it reads the port, decodes, posts the event, and answers. Reports are paced
as a busy shoe's are at most, since a line that is never idle measures the queue and not the way.
"""

import json
import os
import pty
import select
import subprocess
import sys
import time
import tty
from pathlib import Path
from statistics import quantiles

PACE_S = 0.005
WARM = 100
GREETING_S, PATIENCE_S, SETTLED_S = 0.05, 20.0, 1.0
ACK, COMMAND = b"\x06", 0x02


def report(number: int) -> bytes:
    """A card drawn, with the next sequence byte."""
    body = bytes((number % 256,)) + b"D\x01" + bytes((0x10 * (number % 4 + 1) + number % 13 + 1,)) + b"\x03"
    check = 0
    for byte in body:
        check ^= byte
    return b"\x05" + body + b"%02X" % check


def greet(master: int) -> None:
    """Answer what the driver asks until it asks no more."""
    end = time.monotonic() + PATIENCE_S
    settled = end
    while time.monotonic() < min(end, settled):
        if _is_ready(master, GREETING_S) and os.read(master, 256)[0] == COMMAND:
            os.write(master, ACK)
            settled = time.monotonic() + SETTLED_S


def measure(master: int, first: int, count: int) -> list[float]:
    """Microseconds from the report to the first byte of its answer."""
    times = []
    for number in range(first, first + count):
        data = report(number)
        start = time.perf_counter()
        os.write(master, data)
        if not _is_ready(master, PATIENCE_S):
            raise SystemExit("the program did not answer")
        os.read(master, 256)
        times.append((time.perf_counter() - start) * 1e6)
        time.sleep(PACE_S)
    return times


def _is_ready(master: int, seconds: float) -> bool:
    return bool(select.select([master], [], [], seconds)[0])


def main() -> None:
    """Print the percentiles."""
    count = int(sys.argv[1])
    master, slave = pty.openpty()
    tty.setraw(slave)
    program = Path(__file__).with_name("wire_program.py")
    order = [sys.executable, str(program), os.ttyname(slave), *sys.argv[2:]]
    worker = subprocess.Popen(order, stdout=subprocess.DEVNULL)
    try:
        greet(master)
        measure(master, 0, WARM)
        cuts = quantiles(measure(master, WARM, count), n=100)
    finally:
        worker.kill()
        worker.wait()
    print(json.dumps({"p50": cuts[49], "p99": cuts[98]}))


if __name__ == "__main__":
    main()
