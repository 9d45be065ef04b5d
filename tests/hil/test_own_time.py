"""A table's own time stands still while the machine lets its program or its devices wait, and no longer."""

import json
import os
import pty
import selectors
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sabot.hil.conformance.certify import LOOK_S, Stillness
from sabot.hil.simulators.gpio.chip import Looks
from sabot.hil.table import own_time
from sabot.hil.table.own_time import DEAD_S, STEP_S, STUCK_S, Follower, TimeKeeper, TimePage
from sabot.hil.table.world import ROUND_S

BEGAN_S = 1000.0
# So long no worker of the kernel runs, nor anybody else; what the kernel leaves to others is more.
TAKEN_S = 0.1


class Machine:
    """The machine's clock, which goes on by itself."""

    def __init__(self) -> None:
        self.now_s = BEGAN_S

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    clock = Machine()
    monkeypatch.setattr(own_time, "_machine_s", clock)
    return clock


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    file = own_time.of(tmp_path)
    own_time.make(file)
    yield file
    file.unlink()


def turns(machine: Machine, keeper: TimeKeeper, seconds: float, follower: Follower | None = None) -> None:
    """Devices, and the program where it is named, turn every ten milliseconds."""
    for _ in range(round(seconds / 0.01)):
        machine.now_s += 0.01
        keeper.turn()
        if follower is not None:
            follower.turn()


def since(page: TimePage | TimeKeeper | Follower) -> float:
    return round(page.now() - BEGAN_S, 6)


def test_where_everybody_has_time_it_is_the_machines(machine: Machine, file: Path) -> None:
    assert since(TimePage(file)) == 0.0
    machine.now_s += 1.0
    assert since(TimePage(file)) == 1.0  # nobody keeps it yet
    keeper, follower = TimeKeeper(file), Follower(file)
    turns(machine, keeper, 5.0, follower)

    assert since(keeper) == since(follower) == since(TimePage(file)) == pytest.approx(6.0)


def test_devices_that_wait_for_the_processor_miss_no_deadline(machine: Machine, file: Path) -> None:
    keeper, follower = TimeKeeper(file), Follower(file)
    turns(machine, keeper, 1.0, follower)
    machine.now_s += 30.0

    assert 1.0 < since(follower) <= 1.0 + STEP_S
    turns(machine, keeper, 1.0, follower)
    assert since(follower) == pytest.approx(2.0 + STEP_S, abs=STEP_S)


def test_a_program_that_waits_for_the_processor_misses_none_either(machine: Machine, file: Path) -> None:
    keeper, follower = TimeKeeper(file), Follower(file)
    turns(machine, keeper, 1.0, follower)
    turns(machine, keeper, 30.0)

    assert 1.0 < since(keeper) <= 1.0 + STEP_S
    turns(machine, keeper, 1.0, follower)
    assert since(keeper) == pytest.approx(2.0 + STEP_S, abs=STEP_S)


def test_a_table_that_was_put_away_has_not_grown_older(machine: Machine, file: Path) -> None:
    keeper, follower = TimeKeeper(file), Follower(file)
    turns(machine, keeper, 1.0, follower)
    kept = file.read_bytes()
    machine.now_s += 3600.0
    file.write_bytes(kept)

    assert since(TimeKeeper(file)) < 1.1
    machine.now_s += 3600.0
    assert since(follower) > 3600.0 - STUCK_S  # nobody keeps it any more


def test_time_never_goes_back(machine: Machine, file: Path) -> None:
    keeper, follower, seen = TimeKeeper(file), Follower(file), [BEGAN_S]
    for number in range(500):
        machine.now_s += 0.001 * (number * number % 97)
        if number % 3:
            keeper.turn()
        if number % 5:
            follower.turn()
        seen.append(follower.now())

    assert seen == sorted(seen)


def test_nobody_waits_for_a_program_that_is_gone_or_hangs(machine: Machine, file: Path) -> None:
    keeper, follower = TimeKeeper(file), Follower(file)
    turns(machine, keeper, 1.0, follower)
    turns(machine, keeper, STUCK_S / 2)
    assert since(keeper) < 1.1  # it is there, and has not turned: it waits for its turn
    turns(machine, keeper, STUCK_S)
    assert since(keeper) > STUCK_S / 3

    turns(machine, keeper, 1.0, follower)
    at = since(keeper)
    follower.leave()
    turns(machine, keeper, DEAD_S + 1.0)
    assert since(keeper) >= at + 1.0


def test_a_program_that_was_killed_is_known_by_its_hold_on_the_file(machine: Machine, file: Path) -> None:
    keeper = TimeKeeper(file)
    script = "import sys; from pathlib import Path; from sabot.hil.table.own_time import TURNED, Follower; "
    script += "f = Follower(Path(sys.argv[1])); f._page.cells[TURNED] = float(sys.argv[2]); print(1, flush=True); sys.stdin.read()"
    command = [sys.executable, "-Ic", script, str(file), str(BEGAN_S)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout
        program.stdout.readline()
        turns(machine, keeper, 5.0)
        assert since(keeper) < 1.0
        program.kill()
    turns(machine, keeper, 5.0)

    assert since(keeper) > 4.0


def test_every_clock_of_a_program_is_the_tables_and_later_where_it_is_said(tmp_path: Path) -> None:
    script = (
        "import datetime as dt, json, sys, time; from pathlib import Path\n"
        "from sabot.hil.table import own_time\nfrom sabot.hil.table.own_time import shift\n"
        "file = own_time.of(Path(sys.argv[1])); own_time.make(file); keeper = own_time.TimeKeeper(file)\n"
        "own_time.follow(file); shift(7200.0); time.sleep(0.1); now = keeper.now()\n"
        "wall = dt.datetime.now(dt.UTC).timestamp()\n"
        "print(json.dumps([time.monotonic() - now, time.monotonic_ns() / 1e9 - now, wall - time.time(),"
        " time.time_ns() / 1e9 - time.time()]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-Ic", script, str(tmp_path)], capture_output=True, text=True, check=True
    )

    # The devices have stood still since the page was made: so did every clock.
    assert json.loads(done.stdout) == pytest.approx([7200.0, 7200.0, 0.0, 0.0], abs=1e-3)


def test_no_loop_turns_past_bytes_that_the_kernel_has_still_to_carry() -> None:
    """A worker of the kernel carries them. It gets no processor here: this process goes before all others."""
    turning, control = own_time._turning(lambda: None)(), selectors.EpollSelector()
    device, program = pty.openpty()
    tty.setraw(program)
    for each in (turning, control):
        each.register(program, selectors.EVENT_READ)
    with processors_taken():
        os.write(device, b"CARD")
        has_arrived, is_there = bool(control.select(0.0)), bool(turning.select(0.0))
    for each in (turning, control):
        each.close()
    os.close(device)
    os.close(program)

    assert not has_arrived, "the control: nothing was to be carried yet"
    assert is_there


@contextmanager
def processors_taken() -> Iterator[None]:
    """Two ranks above everything else: this process, and below it a moment's work for every processor."""
    ordinary = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(2))
    except PermissionError:
        pytest.skip("only root may go before all others")
    busy = [_take(processor) for processor in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        os.sched_setscheduler(0, *ordinary)
        for each in busy:
            os.waitpid(each, 0)


def _take(processor: int) -> int:
    """Start a process that works there for a while, and return when it does."""
    heard, said = os.pipe()
    if not (child := os.fork()):
        os.sched_setaffinity(0, {processor})
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        end = time.monotonic() + TAKEN_S
        os.write(said, b".")
        while time.monotonic() < end:
            pass
        os._exit(0)
    os.read(heard, 1)
    os.close(heard)
    os.close(said)
    return child


def test_a_program_ends_with_the_rig_that_started_it() -> None:
    program = "import time; from sabot.hil.table.own_time import end_with_parent; end_with_parent(); "
    program += "print('up', flush=True); time.sleep(600)"
    rig = f"import subprocess, sys; subprocess.run([sys.executable, '-Ic', {program!r}], check=True)"
    with subprocess.Popen([sys.executable, "-Ic", rig], stdout=subprocess.PIPE) as started:
        assert started.stdout
        assert started.stdout.readline() == b"up\n"
        started.kill()

        assert started.stdout.read() == b"", "the pipe ends when nobody holds it any more"


# ---------------------------------------------------------------- what a finger waits for

ORDER = (4, 5, 6, 7)


def looks_of(*reads: int, turned: float = 0.0) -> list[int]:
    looks = Looks()
    looks.know_order(ORDER)
    for at, pin in enumerate(reads, 1):
        looks.note(float(at), pin)
    looks.turned(turned)
    return [looks.count[pin] for pin in ORDER]


@pytest.mark.parametrize(
    ("reads", "found"),
    [
        ((*ORDER, *ORDER), [0, 0, 0, 0]),
        ((5, 5), [0, 2, 0, 0]),
        ((6, *ORDER, 6), [0, 0, 2, 0]),
        ((4, *ORDER, 4, 5), [2, 1, 0, 0]),
        ((4, 5), [1, 1, 0, 0]),
    ],
)
def test_a_round_over_all_lines_is_no_look_at_one_however_slow_it_is(
    reads: tuple[int, ...], found: list[int]
) -> None:
    assert looks_of(*reads, turned=100.0) == found


def test_what_may_be_the_beginning_of_a_round_is_none_before_the_program_has_turned() -> None:
    assert looks_of(7, 4, turned=2.0) == [0, 0, 0, 1]
    assert looks_of(7, 4, turned=2.1) == [1, 0, 0, 1]


def test_a_round_that_a_busy_machine_interrupts_is_no_look_where_nobody_tells_of_turns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    turned, looks = own_time.turns_of(own_time.of(tmp_path), ROUND_S), Looks()
    looks.know_order(ORDER)
    for at, pin in enumerate(ORDER):
        monkeypatch.setattr(time, "monotonic", lambda at=at: BEGAN_S + at * 0.02)
        looks.turned(turned())
        looks.note(time.monotonic(), pin)

    assert not any(looks.count)


# ---------------------------------------------------------------- a kit without time


def test_a_kit_knows_how_long_the_machine_let_it_stand_still() -> None:
    times = iter([0.0, LOOK_S, 1.0, 1.0 + LOOK_S + 0.3, 2.0, 2.0 + LOOK_S])
    stillness = Stillness.__new__(Stillness)
    stillness.__dict__.update(_now=lambda: next(times), _sleep=lambda _s: None, _longest_s=0.0)
    for _ in range(3):
        stillness.look()

    assert stillness.longest_s() == pytest.approx(0.3)
    assert stillness.longest_s() == 0.0
