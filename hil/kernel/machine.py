"""The virtual machine: what it is made of, its console, and how it is switched on, off, or off in the middle.

A machine is one process whose standard output is the console. Whoever waits for a line gives a limit, and a
machine that did not come so far as to run a program is started again: about one boot in a hundred ends in
the kernel when a processor is emulated, and says nothing of what is tested. Once a program ran, nothing is
tried a second time.
"""

import queue
import re
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import ClassVar, NamedTuple, Self

from sabot.hil.kernel.results import CannotRunError, PartResult, results_of

USERLAND = re.compile(r"RIG [\d.]+ userland")
BOOT_S, PROBE_S, ATTEMPTS = 240.0, 6.0, 3
# Emulated, its clock counts instructions, so that no check hangs on what else this machine does.
COUNTED = ("-accel", "tcg,thread=single", "-icount", "shift=0,sleep=on")
EMULATED = (*COUNTED, "-cpu", "max")
NATIVE = ("-accel", "kvm", "-cpu", "host")
START = Path("hil/kernel/guest/start.sh")


class MachineKind(NamedTuple):
    """A kind of machine in QEMU's words: how it is started, its console, what its kernel is told."""

    start: Sequence[str]
    console: str
    kernel_words: str


PC = MachineKind(("qemu-system-x86_64", "-machine", "q35"), "ttyS0", "mitigations=off nokaslr")


class MachineHost(NamedTuple):
    """The parts of this machine of which the virtual one is made; ``root`` is all that it is shown."""

    kernel: Path
    initramfs: Path
    tree: Path
    venv: Path
    base: Path
    accelerator: Sequence[str] = EMULATED
    kind: MachineKind = PC
    root: Path = Path("/")

    def seen_inside(self, path: Path) -> Path:
        """Return where the machine finds a file of its root."""
        return Path("/") / path.relative_to(self.root)


@dataclass(frozen=True, slots=True)
class WantedMachine:
    """One machine: the module it runs, and what is plugged into it."""

    module: str
    arguments: Sequence[str] = ()
    way: str = "plain"
    hardware: Sequence[str] = ()
    kernel_words: str = ""
    memory_mb: int = 1024
    stays_after_reset: bool = False


class MachineConsoleError(Exception):
    """A line that was waited for did not come; the words end with the last lines that did."""


class VirtualMachine:
    """One virtual machine at work."""

    alive: ClassVar[set["VirtualMachine"]] = set()

    def __init__(self, host: MachineHost, wanted: WantedMachine) -> None:
        self.lines: list[str] = []
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(  # noqa: S603 (our own words)
            command(host, wanted), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.alive.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()

    def _read(self) -> None:
        assert self._process.stdout is not None  # asked for above
        for raw in self._process.stdout:
            self._queue.put(raw.decode("utf-8", errors="replace").strip())
        self._queue.put(None)

    def follow(self, limit_s: float) -> Iterator[str]:
        """Yield the console's lines until the machine is off; raise MachineConsoleError when time is over."""
        end = time.monotonic() + limit_s
        while True:
            try:
                line = self._queue.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                raise MachineConsoleError(f"nothing more in {limit_s:.0f} s; {self.tail()}") from None
            if line is None:
                return
            self.lines.append(line)
            yield line

    def wait_for(self, pattern: re.Pattern[str], limit_s: float) -> re.Match[str]:
        """Wait for the next line like this, and return the match."""
        for line in self.follow(limit_s):
            if found := pattern.search(line):
                return found
        raise MachineConsoleError(f"the machine went off before {pattern.pattern!r}; {self.tail()}")

    def results(self, limit_s: float) -> list[PartResult]:
        """Return every check until the machine is off; raise MachineConsoleError if it made none."""
        found = results_of(self.follow(limit_s))
        if not found:
            raise MachineConsoleError(f"it went off and had checked nothing; {self.tail()}")
        return found

    def tail(self, count: int = 12) -> str:
        """Return the last lines, for whoever must see why."""
        return "last: " + " | ".join(self.lines[-count:])

    def cut(self) -> None:
        """Take its power away: nothing is flushed, nothing is told."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self.alive.discard(self)

    def rest(self) -> Iterator[str]:
        """Yield what had come out of the console before the power was cut."""
        while (line := self._queue.get()) is not None:
            self.lines.append(line)
            yield line


def command(host: MachineHost, wanted: WantedMachine) -> list[str]:
    """Return the words that switch a machine on."""
    places = map(host.seen_inside, (host.tree / START, host.tree, host.venv, host.base))
    run = ",".join(["/bin/sh", *map(str, places), wanted.way, wanted.module, *wanted.arguments])
    share = f"local,path={host.root},mount_tag=hostroot,security_model=none,readonly=on,multidevs=remap"
    kind = host.kind
    words = f"console={kind.console} quiet loglevel=4 panic=-1 {kind.kernel_words} rig.run={run}"
    return [
        # One processor: emulated ones share a thread (`COUNTED`), and more machines run at once.
        *(*kind.start, *host.accelerator, "-smp", "1"),
        *("-m", str(wanted.memory_mb), "-nodefaults", "-no-user-config", "-display", "none"),
        *("-serial", "stdio", "-kernel", str(host.kernel), "-initrd", str(host.initramfs)),
        *("-virtfs", share, "-append", f"{words} {wanted.kernel_words}".strip()),
        *(() if wanted.stays_after_reset else ("-no-reboot",)),
        *wanted.hardware,
    ]


def boot(host: MachineHost, wanted: WantedMachine) -> VirtualMachine:
    """Return a machine that runs its program; try again with one that never got that far."""
    why = ""
    for _ in range(ATTEMPTS):
        machine = VirtualMachine(host, wanted)
        try:
            machine.wait_for(USERLAND, BOOT_S)
        except MachineConsoleError as error:
            why = str(error)
            machine.cut()
        except BaseException:
            machine.cut()
            raise
        else:
            return machine
    raise CannotRunError(f"{ATTEMPTS} machines in a row did not come to run a program; {why}")


def can_accelerate(host: MachineHost) -> bool:
    """Return whether a machine runs on the processor itself: only booting one shows it."""
    if not Path("/dev/kvm").exists():
        return False
    machine = VirtualMachine(host._replace(accelerator=NATIVE), WantedMachine("this"))
    try:
        machine.wait_for(USERLAND, PROBE_S)
    except MachineConsoleError:
        return False
    else:
        return True
    finally:
        machine.cut()
