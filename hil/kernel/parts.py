"""The parts of the rig: what each runs, which checks must say something, and how long it may take.

Each part is a machine of its own or several, and touches nothing of the others, so that as many run at once
as there are processors. A check that is named here and says nothing has failed.
"""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sabot.hil.kernel import cuts, kills
from sabot.hil.kernel.machine import MachineConsoleError, MachineHost, VirtualMachine, WantedMachine, boot
from sabot.hil.kernel.results import BlindError, PartResult, RigPart, with_silent

# Each chapter by one of its ways of dealing, every way and every device among them.
ROUNDS = (
    ("pa641a", "auto_shoe"),
    ("md4cp", "manual_shoe"),
    ("pa679a", "manual_shoe"),
    ("pa682a", "hand"),
    ("pa683a", "auto_shoe_reshuffle"),
)
DEVICES = (
    *("serial-both-ways", "serial-alone", "serial-unplug", "serial-deaf"),
    *("pads-hot-plug", "pads-both-ways", "pads-stall", "pads-stall-for-good", "pads-unplug", "pads-cut"),
    *("pads-second-program", "pads-replug-often"),
    *("lines-keys", "lines-bounce", "lines-outputs", "lines-second-owner", "lines-killed", "lines-chip-gone"),
)
FAULTS = (
    *(f"fault-unplug-{name}" for name in ("display", "shoe", "shuffler", "sign", "pads")),
    *("fault-cut-pads", "fault-stall-pads", "fault-bounce-lock", "fault-door", "fault-lock-wire"),
    *("fault-shoe-in-a-round", "fault-chip-gone", "fault-killed"),
)
SERVICE = (
    *("service-starts", "service-user", "service-round", "service-stopped-dead", "service-killed"),
    *("service-stumbles", "service-chip-gone", "service-stops", "service-wrong-file"),
    "frozen-machine-reset",
)
# A machine may be ten times slower than the one on which this takes a minute.
LIMIT_S = 1200.0
CUTS, CONTROL_CUTS, KILLS, LONG_KILLS, LONG_CUTS = 300, 60, 20, 50, 5000
SEED = 641
# The drivers on their devices, and one table whose devices are all the rig's own parts.
SHORT = ("devices", "round pa641a")
WATCHDOG = (*("-device", "i6300esb", "-action", "reboot=reset", "-action", "watchdog=reset"),)
PETTED = "systemd.watchdog_sec=5"
_INSIDE = "sabot.hil.kernel.inside"
Work = Callable[[MachineHost, Path], Sequence[PartResult]]


class PartRow(NamedTuple):
    """One part: its name, the checks it must have, and its work."""

    name: str
    checks: Sequence[str]
    work: Work


def _machine(module: str, *arguments: str) -> Work:
    """Return the work of a machine that makes its checks and goes off."""

    def work(host: MachineHost, _folder: Path) -> Sequence[PartResult]:
        with boot(host, WantedMachine(f"{_INSIDE}.{module}", arguments)) as machine:
            return machine.results(LIMIT_S)

    return work


def _service(host: MachineHost, _folder: Path) -> Sequence[PartResult]:
    """Run a machine with systemd and a hardware watchdog, which resets it at the end."""
    wanted = WantedMachine(
        # What becomes of a frozen machine is told by its next boot.
        f"{_INSIDE}.service",
        way="systemd",
        hardware=WATCHDOG,
        kernel_words=PETTED,
        stays_after_reset=True,
    )
    with boot(host, wanted) as machine:
        return machine.results(LIMIT_S)


def _kills(count: int) -> Work:
    def work(host: MachineHost, folder: Path) -> Sequence[PartResult]:
        prepared, results = kills.prepare(host, folder)
        if not all(each.is_good for each in results) or not results:
            return results
        return [*results, *(kills.cut(host, prepared, folder, number) for number in range(count))]

    return work


def _cuts(count: int) -> Work:
    """Return the work of the campaign in which nothing may be lost at any point."""

    def work(host: MachineHost, folder: Path) -> Sequence[PartResult]:
        found, results, took_s = _campaign(host, folder, "FULL", count)
        bad = [each for each in found if each.lost or each.broken]
        words = f"{len(found)} cuts, {len(bad)} with a loss; a cut could take {_most(found)} writes at most"
        if bad:
            words += f"; the first: {bad[0]}"
        return [*results, PartResult("cuts-full", not bad and len(found) >= count, took_s, words)]

    return work


def _control(host: MachineHost, folder: Path) -> Sequence[PartResult]:
    """Check that a journal that does not wait for the medium is seen to lose."""
    found, results, took_s = _campaign(host, folder, "NORMAL", CONTROL_CUTS)
    losing = [each for each in found if each.lost]
    if not losing:
        raise BlindError("synchronous=NORMAL lost nothing: this rig would not see a loss")
    words = f"{len(losing)} of {len(found)} cuts lose, as they must: {losing[0].lost[0]}"
    return [*results, PartResult("cuts-control", True, took_s, words)]


def _campaign(
    host: MachineHost, folder: Path, synchronous: str, count: int
) -> tuple[list[cuts.Cut], list[PartResult], float]:
    shift, results = cuts.record(host, folder, synchronous)
    began = time.monotonic()
    found = list(cuts.campaign(shift, cuts.Tables(host.tree), folder, count, SEED))
    return found, results, time.monotonic() - began


def _most(found: Sequence[cuts.Cut]) -> int:
    return max((each.floating for each in found), default=0)


def rows(*, is_long: bool) -> Sequence[PartRow]:
    """Return the whole rig; the longest part first, so that none is left over at the end."""
    count, points = (LONG_KILLS, LONG_CUTS) if is_long else (KILLS, CUTS)
    return (
        PartRow("kills", ("kills-prepare", *(f"kill-{number}" for number in range(count))), _kills(count)),
        PartRow("service", SERVICE, _service),
        PartRow("faults", FAULTS, _machine("faults")),
        PartRow("cuts", ("shift-FULL", "cuts-full"), _cuts(points)),
        PartRow("devices", DEVICES, _machine("devices")),
        *(
            PartRow(f"round {chapter}", (f"round-{chapter}-{method}",), _machine("rounds", chapter, method))
            for chapter, method in ROUNDS
        ),
        PartRow("control", ("shift-NORMAL", "cuts-control"), _control),
    )


def short() -> Sequence[PartRow]:
    """Return the parts that each push can afford."""
    return tuple(row for row in rows(is_long=False) if row.name in SHORT)


@contextmanager
def _folder(root: Path, name: str) -> Iterator[Path]:
    folder = root / name.replace(" ", "-")
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_part(row: PartRow, host: MachineHost, root: Path) -> RigPart:
    """Run one part, and return what came of it, also if it broke."""
    began = time.monotonic()
    results: Sequence[PartResult] = ()
    trouble = ""
    with _folder(root, row.name) as folder:
        try:
            results = row.work(host, folder)
        except (BlindError, MachineConsoleError) as error:
            trouble = f"{type(error).__name__}: {error}"
    return RigPart(row.name, time.monotonic() - began, with_silent(results, row.checks), trouble)


def run_parts(
    chosen: Sequence[PartRow], host: MachineHost, root: Path, jobs: int, tell: Callable[[RigPart], None]
) -> list[RigPart]:
    """Run the parts, that many at a time; raise CannotRunError if a machine does not come up at all."""
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run_part, row, host, root) for row in chosen]
        try:
            for future in as_completed(futures):
                tell(future.result())
        except BaseException:
            for each in futures:
                each.cancel()
            # The other threads wait for their machines, and end when those are gone.
            for machine in tuple(VirtualMachine.alive):
                machine.cut()
            raise
    return [future.result() for future in futures]


def chosen_of(wanted: Sequence[str], among: Sequence[PartRow]) -> Sequence[PartRow]:
    """Return the parts of these names, or all; raise ValueError with the names that there are."""
    names = list(dict.fromkeys(row.name.split()[0] for row in among))
    for name in wanted:
        if name not in names:
            raise ValueError(f"there is no part {name!r}; there are {' '.join(names)}")
    return [row for row in among if not wanted or row.name.split()[0] in wanted]
