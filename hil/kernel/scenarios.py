"""Play scenarios of the floor inside the machine, from here: `sabot hil run --target kernel`.

One machine is switched on and given an order. What it has played is read as it ends, so that progress and
reports are those of every other rig. A scenario that the machine did not come to is an error, never a pass.
"""

import json
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from sabot.hil.kernel import order as orders
from sabot.hil.kernel.machine import (
    NATIVE,
    MachineConsoleError,
    MachineHost,
    VirtualMachine,
    WantedMachine,
    boot,
)
from sabot.hil.kernel.prepare import cache_folder, prepare
from sabot.hil.kernel.results import CannotRunError
from sabot.hil.scenarios import report_json
from sabot.hil.scenarios.environment import processor, program
from sabot.hil.scenarios.errors import CannotPlayError
from sabot.hil.scenarios.record import ERROR, PlayedScenario, ScenarioRun
from sabot.hil.scenarios.rig import Rig, RigOrder, Tell
from sabot.hil.scenarios.scenario_file import Scenario

MODULE = "sabot.hil.kernel.inside.scenarios"
# A scenario under emulation on a machine that does ten things at once; the first has the boot before it.
SCENARIO_S = 1200.0
TAIL = 40


def play(order: RigOrder, rig: Rig, tell: Tell) -> ScenarioRun:
    """Play an order in a machine with this one's files; raise CannotPlayError if this one cannot run it."""
    return play_in(lambda folder: prepare(cache_folder(), folder), order, rig, tell)


def play_in(make: Callable[[Path], MachineHost], order: RigOrder, rig: Rig, tell: Tell) -> ScenarioRun:
    """Play an order in the machine whose parts are made in a folder of this run."""
    record = ScenarioRun(rig.name, rig.title, sorted(rig.features), {}, _now())
    began = time.monotonic()
    with _folder() as folder:
        try:
            host = make(folder)
            _say(
                f"{_about(host)}; all ready after {time.monotonic() - began:.0f} s, a machine is switched on"
            )
            _in_machine(host, folder, order, record, tell)
        except CannotRunError as error:
            raise CannotPlayError(rig.name, error) from error
    record.ended, record.seconds = _now(), time.monotonic() - began
    return record


def _in_machine(host: MachineHost, folder: Path, order: RigOrder, record: ScenarioRun, tell: Tell) -> None:
    """Run the scenarios in the machine; whatever becomes of it, record every one of the order."""
    given = folder / "order"
    given.mkdir()
    orders.write(order, given)
    began = time.monotonic()
    with boot(host, wanted(given)) as machine:
        took_s = time.monotonic() - began
        _say(f"the machine is up after {took_s:.0f} s; seconds of scenarios are those of its own clock")
        ended = dict(_ended(machine, given, order, tell))
        tail = machine.tail(TAIL)
    for each in order.scenarios:
        if each.name not in ended:
            ended[each.name] = _not_played(each, tail)
            tell(ended[each.name], len(ended), len(order.scenarios), 0.0)
    record.scenarios = [ended[each.name] for each in order.scenarios]
    record.environment = program(host.tree / "src") | _environment(given) | {"host": _about(host)}


def _ended(
    machine: VirtualMachine, given: Path, order: RigOrder, tell: Tell
) -> Iterator[tuple[str, PlayedScenario]]:
    """Yield each scenario as it ends, until the machine goes off or says nothing for too long."""
    began, count = time.monotonic(), len(order.scenarios)
    with suppress(MachineConsoleError):
        for done, played in enumerate(told(machine.follow(SCENARIO_S * (count + 1)), given), 1):
            spent_s = time.monotonic() - began
            tell(played, done, count, spent_s / done * (count - done))
            yield played.name, played


def wanted(given: Path) -> WantedMachine:
    """Return the machine to boot, with the order's folder as a share to write in."""
    share = f"local,path={given},mount_tag={orders.SHARE},security_model=none"
    return WantedMachine(MODULE, hardware=("-virtfs", share))


def told(console: Iterator[str], given: Path) -> Iterator[PlayedScenario]:
    """Yield each scenario when the console says that it is over."""
    for line in console:
        if found := orders.PLAYED.search(line):
            yield report_json.read(orders.played_at(given, int(found[1])))


def _not_played(scenario: Scenario, tail: str) -> PlayedScenario:
    """Return the record of a scenario that the machine did not come to."""
    played = PlayedScenario.of(scenario, _now())
    played.outcome, played.why = ERROR, "the machine went off, or was silent, before this was played"
    played.attachments["console"] = tail
    return played


def _environment(given: Path) -> dict[str, str]:
    """Return the machine's description of itself, if it got to write one."""
    path = given / orders.ENVIRONMENT
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _about(host: MachineHost) -> str:
    way = "on the processor" if host.accelerator == NATIVE else "emulated"
    return f"{processor()}, kernel {host.kernel.parent.name}, {way}"


@contextmanager
def _folder() -> Iterator[Path]:
    """Provide a folder for this run, removed also if the run is ended from outside."""
    before = signal.signal(signal.SIGTERM, _stop)
    folder = Path(tempfile.mkdtemp(prefix="sabot-kernel-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        signal.signal(signal.SIGTERM, before)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End as an exit, so that machines end with the blocks that own them."""
    raise SystemExit(1)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()
