"""A chip of lines that the kernel itself simulates, with the calls of the simulators' own chip.

What drives a line from outside is its pull, and what a meter would show is its value. When a program reads
a line the kernel can say so, and that is how a finger knows that its key was seen: no hold is a guess.
"""

import os
import re
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

CONFIG = Path("/sys/kernel/config/gpio-sim")
PLATFORM = Path("/sys/devices/platform")
TRACING = Path("/sys/kernel/tracing")
_EVENT = "events/gpio/gpio_value/enable"
LINES = 54
# Within a round one line is read this soon after the other, on a busy machine too.
ROUND_GAP_S = 0.1
LABEL = "pinctrl-bcm2711"
_VALUE = re.compile(rb"-(\d+) +\[.* ([0-9.]+): gpio_value: (\d+) (get|set) (\d)")
# The kernel reads a line itself when it has an edge, in a thread of this name: that is nobody's look.
_OF_THE_KERNEL = "irq/"
_PULLS = (b"pull-down", b"pull-up")


class KernelChip:
    """One chip of gpio-sim; ``number`` is that of its /dev/gpiochip."""

    def __init__(self, name: str = "sabot") -> None:
        self._folder = CONFIG / name
        self._bank = self._folder / "bank0"
        self._bank.mkdir(parents=True)
        (self._bank / "num_lines").write_text(str(LINES), encoding="ascii")
        (self._bank / "label").write_text(LABEL, encoding="ascii")
        self._driven: dict[int, int] = {}
        self._pulls: dict[int, int] = {}
        self._values: dict[int, int] = {}
        self._is_live = False
        self.history: list[tuple[float, int, int]] = []
        self.looks = TracedLooks()
        self.come_back()
        self._trace = Trace(self.base, self.looks, self.history)

    @property
    def base(self) -> int:
        """Return the base that the kernel's own books add to the number of a line."""
        chips = Path("/sys/class/gpio").glob("gpiochip*/label")
        (label,) = (each for each in chips if _word(each) == LABEL)
        return int(_word(label.parent / "base"))

    # ---------------------------------------------------------------- what the world does

    def drive(self, pin: int, level: int) -> None:
        """Move a switch, from outside; one moved while the chip is gone counts when it is back."""
        self._driven[pin] = level
        if not self._is_live:
            return
        if pin not in self._pulls:
            self._pulls[pin] = os.open(self._lines / f"sim_gpio{pin}" / "pull", os.O_WRONLY)
        os.pwrite(self._pulls[pin], _PULLS[level], 0)

    def level(self, pin: int) -> int:
        """Return the level that a meter would show; 0 on a chip that is gone."""
        if not self._is_live:
            return 0
        if pin not in self._values:
            self._values[pin] = os.open(self._lines / f"sim_gpio{pin}" / "value", os.O_RDONLY)
        return int(os.pread(self._values[pin], 4, 0))

    def vanish(self) -> None:
        """Take the chip away under whoever holds it."""
        self._is_live = False
        # Closed first: the files go away with the chip.
        for descriptor in (*self._pulls.values(), *self._values.values()):
            os.close(descriptor)
        self._pulls.clear()
        self._values.clear()
        (self._folder / "live").write_text("0", encoding="ascii")

    def come_back(self) -> None:
        """Bring the chip back, its switches as they were left."""
        (self._folder / "live").write_text("1", encoding="ascii")
        self.number = int(_word(self._bank / "chip_name").removeprefix("gpiochip"))
        self._lines = PLATFORM / _word(self._folder / "dev_name") / f"gpiochip{self.number}"
        self._is_live = True
        for pin, level in self._driven.items():
            self.drive(pin, level)

    def close(self) -> None:
        """Take the chip away for good."""
        self._trace.close()
        self.vanish()
        self._bank.rmdir()
        self._folder.rmdir()


class TracedLooks:
    """Tells the reads that were looks at one line from those of a round over all lines.

    A read belongs to a round when it stands between its two neighbours there. So a read behind its neighbour
    is doubtful until the next one comes.
    """

    def __init__(self) -> None:
        self.count, self.at = [0] * LINES, [0.0] * LINES
        self._next: dict[int, int] = {}
        self._last, self._last_at = -1, 0.0
        self._doubtful: tuple[float, int] | None = None

    def know_order(self, pins: Sequence[int]) -> None:
        """Learn the order in which the program goes over its lines, and begins again."""
        self._next = dict(pairwise([*pins, pins[0]]))

    def note(self, at: float, pin: int) -> None:
        """Take note that a line was read."""
        doubtful, self._doubtful = self._doubtful, None
        if doubtful is not None and self._next.get(doubtful[1]) != pin:
            self._add(*doubtful)
        if self._next.get(self._last) == pin and at - self._last_at < ROUND_GAP_S:
            self._doubtful = (at, pin)
        else:
            self._add(at, pin)
        self._last, self._last_at = pin, at

    def _add(self, at: float, pin: int) -> None:
        self.count[pin] += 1
        self.at[pin] = at


class Trace:
    """The kernel's trace of its lines: each read, and each output that was set."""

    def __init__(self, base: int, looks: TracedLooks, history: list[tuple[float, int, int]]) -> None:
        self._base, self._looks, self._history = base, looks, history
        if not (TRACING / "trace_pipe").exists():
            raise OSError(f"the kernel tells nothing of its lines: {TRACING} is not mounted")
        # Python's monotonic seconds.
        _tell("trace_clock", "mono")
        _tell(_EVENT, "1")
        self._pipe = (TRACING / "trace_pipe").open("rb", buffering=0)
        self._kernels: dict[int, bool] = {}
        self._is_over = threading.Event()
        threading.Thread(target=self._follow, name="gpio-trace", daemon=True).start()

    def _follow(self) -> None:
        rest = b""
        while not self._is_over.is_set():
            *lines, rest = (rest + self._pipe.read(65_536)).split(b"\n")
            for found in map(_VALUE.search, lines):
                if found and not self._is_kernels(int(found[1])):
                    self._note(float(found[2]), int(found[3]) - self._base, found[4], int(found[5]))

    def _is_kernels(self, process: int) -> bool:
        if process not in self._kernels:
            try:
                name = _word(Path(f"/proc/{process}/comm"))
            except OSError:
                name = ""
            self._kernels[process] = name.startswith(_OF_THE_KERNEL)
        return self._kernels[process]

    def _note(self, at: float, pin: int, how: bytes, level: int) -> None:
        if not 0 <= pin < LINES:
            return
        if how == b"get":
            self._looks.note(at, pin)
        else:
            self._history.append((at, pin, level))

    def close(self) -> None:
        """Hear no more."""
        self._is_over.set()
        _tell(_EVENT, "0")


def _word(path: Path) -> str:
    return path.read_text(encoding="ascii").strip()


def _tell(name: str, word: str) -> None:
    (TRACING / name).write_text(word, encoding="ascii")
