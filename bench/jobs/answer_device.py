"""The devices' end: a card's report goes out on the shoe's line, the answer comes in on the display's.

The clock runs from the last byte of the report handed to the line to the first byte that the display gets.
Between the two lie the driver, the table, the journal's commit and the display's driver.
"""

import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
import tty
from pathlib import Path
from statistics import quantiles

from sabot.hil.simulators.angel_eye import AngelEyeShoe

PATIENCE_S, QUIET_S, MOST = 20.0, 0.002, 4096


class Lines:
    """Both lines and the program's words."""

    def __init__(self, root: Path, rounds: int) -> None:
        (self.shoe_line, shoe), (self.display_line, display) = pty.openpty(), pty.openpty()
        for slave in (shoe, display):
            tty.setraw(slave)
        self.shoe = AngelEyeShoe()
        self.shoe.attached(lambda data: void(os.write(self.shoe_line, data)))
        order = [sys.executable, str(Path(__file__).with_name("answer_program.py")), str(root)]
        order += [os.ttyname(shoe), os.ttyname(display), str(rounds)]
        self.program = subprocess.Popen(order, stdout=subprocess.PIPE, bufsize=0)
        assert self.program.stdout is not None
        self.words = self.program.stdout.fileno()
        self._said = b""

    def step(self, seconds: float) -> float:
        """Let the shoe answer whatever comes; when the display got something, else 0."""
        ready = select.select([self.shoe_line, self.display_line, self.words], [], [], seconds)[0]
        at = time.perf_counter()
        if self.display_line in ready:
            os.read(self.display_line, MOST)
        if self.shoe_line in ready:
            self.shoe.received(os.read(self.shoe_line, MOST))
        if self.words in ready:
            said = os.read(self.words, MOST)
            if not said:
                raise EOFError
            self._said += said
        return at if self.display_line in ready else 0.0

    @property
    def has_word(self) -> bool:
        """Whether the program has said a line."""
        return b"\n" in self._said

    def next_word(self) -> dict[str, object]:
        """The next line that the program says."""
        while not self.has_word:
            self.step(PATIENCE_S)
        line, _, self._said = self._said.partition(b"\n")
        found: dict[str, object] = json.loads(line)
        return found

    def quiet(self) -> None:
        """Until nothing is under way: the shoe is free and the display rests."""
        end = time.perf_counter() + PATIENCE_S
        while self.step(QUIET_S) or self.shoe.is_locked:
            if time.perf_counter() > end:
                raise SystemExit("the shoe was not freed")


def void(_: object) -> None:
    """What was written is of no interest."""


def measure(lines: Lines) -> list[tuple[float, float]]:
    """Microseconds from each card to the display, and of its commit."""
    found: list[tuple[float, float]] = []
    while True:
        try:
            card = str(lines.next_word()["card"])
            lines.quiet()
            start = time.perf_counter()
            lines.shoe.draw(card)
            seen, word = 0.0, None
            while not seen and time.perf_counter() - start < PATIENCE_S:
                seen = lines.step(PATIENCE_S)
                if not seen and lines.has_word:
                    break
            word = lines.next_word()
        except EOFError:
            return found
        if seen and word["shown"]:
            found.append(((seen - start) * 1e6, float(str(word["commit_us"]))))


def percentiles(times: list[float]) -> dict[str, float]:
    """The middle one and 99 of 100."""
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": cuts[49], "p99": cuts[98]}


def main() -> None:
    """Print the percentiles."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Lines(Path(folder) / "state", int(sys.argv[1]))
        try:
            found = measure(lines)
        finally:
            lines.program.kill()
            lines.program.wait()
    ways = {
        "whole": [whole for whole, _ in found],
        "commit": [commit for _, commit in found],
        "beyond": [whole - commit for whole, commit in found],
    }
    print(json.dumps({"cards": len(found), **{name: percentiles(each) for name, each in ways.items()}}))


if __name__ == "__main__":
    main()
