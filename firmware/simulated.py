"""`sabot run --sim`: the same program against devices of bytes, in a process of their own.

A table file is written for the simulated devices and read like any other; their keys are enrolled in a
directory that says it is simulated. Nothing in the program knows that its devices are not real, but that the
table file says so.

The order matters. The plan of the devices is written first and their process started; its first line has the
public keys that they made, and comes when their ports are there. The keys are enrolled, and only then is the
table file handed out. The devices outlast the program, for it must still find them to leave them safe; they
end when their standard input does.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sabot.config.loader import PRINTED, ChapterLaw
from sabot.config.submission import Submission, example_name, example_submission
from sabot.drivers.lines.plan import make_plan
from sabot.firmware.command_line import near
from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.credentials.board import SIMULATED, Rooms, prepare
from sabot.firmware.credentials.people import People, Person
from sabot.firmware.credentials.pins import Cost
from sabot.firmware.errors import CommandError
from sabot.firmware.journal.lock import is_written
from sabot.firmware.program import Program
from sabot.firmware.run.errors import RunError
from sabot.firmware.run.table_check import read
from sabot.firmware.run.table_setup import meters_of, offers_of
from sabot.rules.chapter import RESHUFFLES, Chapter
from sabot.statemachine.law import ACCOUNT
from sabot.statemachine.state.setup import MACHINE
from sabot.statemachine.vocabulary.events import Role

# A pad has no more (docs/sabot-pads.md).
MOST_SPOTS = 64
# The simulated machine shuffles and dispenses so many times as fast as a real one.
SPEED = 20.0
DEVICES = "sabot.hil.table"
# Where the simulated GPIO module, which this room does not import, looks for its chip.
CHIP_VARIABLE = "SABOT_GPIO_SOCKET"
# Where the chapters of a folder lie, beside the table file that is written.
LAW = "law"


def run_simulated(chapter: str, method: str | None, state: Path | None, law: ChapterLaw = PRINTED) -> int:
    """Run a simulated table until SIGTERM."""
    if chapter not in law.ids:
        wanted = f"a chapter{near(chapter, law.ids)}: {' '.join(law.ids)}"
        raise CommandError("E-CLI-003", "--sim", text=chapter, wanted=wanted, command="run")
    with tempfile.TemporaryDirectory(prefix="sabot-") as made:
        root = (state or Path(made)).resolve()
        with simulated_table(root, chapter, method, law=law) as table_file:
            file, _setup = read(table_file)
            print(f"NOT FOR PLAY: a simulated table at {root}", file=sys.stderr)
            return asyncio.run(Program(file).run())


@contextmanager
def simulated_table(
    root: Path,
    chapter: str,
    method: str | None = None,
    *,
    seed: int = 1,
    speed: float = SPEED,
    devices: str = DEVICES,
    law: ChapterLaw = PRINTED,
    found: dict[str, Any] | None = None,
) -> Iterator[Path]:
    """Start a simulated table's devices and yield its table file; they end with the block.

    ``found`` is what lies in each device already, as it was kept when the table was put away. Raise E-RUN-008
    where a program works on this state: new devices would take the ports away from its own.
    """
    if is_written(Rooms(root).journal):
        raise RunError("E-RUN-008", str(root))
    root.mkdir(parents=True, exist_ok=True)
    played, submission = law.chapter(chapter), example_submission(law, chapter)
    dealt = method or submission.method
    if dealt not in played.plans:
        wanted = f"a way to deal{near(dealt, played.plans)}: {' '.join(played.plans)}"
        raise CommandError("E-CLI-003", "--method", text=dealt, wanted=wanted, command="run")
    plan = world_plan(played, submission, dealt, seed=seed, speed=speed) | {"found": found}
    write_whole(root / "world.json", json.dumps(plan, indent=1).encode())
    write_whole(root / "submission.toml", submission_text(law, chapter, dealt).encode())
    _copy_law(root / LAW, law)
    write_whole(root / "table.toml", table_text(root, played, submission, dealt).encode())
    world = _start(root, devices)
    try:
        enrol(root, json.loads(world.stdout.readline())["keys"])  # type: ignore[union-attr]
        with _lines_at(root / "gpio.sock"):
            yield root / "table.toml"
    finally:
        # The end of its input is its order to end (hil/table/control_socket.py).
        world.stdin.close()  # type: ignore[union-attr]
        world.wait(timeout=10)


@contextmanager
def _lines_at(socket: Path) -> Iterator[None]:
    """Let the simulated GPIO module find its chip behind this socket, as long as the block runs."""
    before = os.environ.get(CHIP_VARIABLE)
    os.environ[CHIP_VARIABLE] = str(socket)
    try:
        yield
    finally:
        if before is None:
            del os.environ[CHIP_VARIABLE]
        else:
            os.environ[CHIP_VARIABLE] = before


def _start(root: Path, devices: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 (our own interpreter and module)
        [sys.executable, "-m", devices, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Ctrl-C is for the program alone: its devices are there until it has left them safe.
        start_new_session=True,
    )


# Who is there at a simulated table: number, name, role and PIN. A board on the floor knows nobody at first.
PEOPLE = (
    ("11", "Dealer", Role.DEALER, "31415"),
    ("12", "Relief", Role.DEALER, "31416"),
    ("21", "Floor", Role.FLOOR, "27182"),
    ("22", "Second floor", Role.FLOOR, "27183"),
    ("31", "Technician", Role.TECHNICIAN, "14142"),
    ("41", "Auditor", Role.AUDITOR, "17320"),
)
# These PINs stand in docs/program.md: nobody has to be kept from guessing them.
CHEAP = Cost(n=1024, r=8, p=1)


def enrol(root: Path, keys: dict[str, str]) -> None:
    """Make the simulated devices and people known to their simulated board."""
    rooms = Rooms(root)
    prepare(rooms, SIMULATED)
    write_whole(rooms.devices, json.dumps({"format": 1, "devices": keys}).encode(), 0o600)
    if not rooms.people.exists():
        asyncio.run(_enrol_people(People(rooms.people, time.monotonic, CHEAP)))


async def _enrol_people(people: People) -> None:
    for number, name, role, pin in PEOPLE:
        await people.enrol(Person(number, name, role), pin)


# ---------------------------------------------------------------- the files


def _copy_law(to: Path, law: ChapterLaw) -> None:
    """Lay the chapters of a folder beside the table file, where it names them."""
    for name, content in law.files.items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(to / name, content)


def submission_text(law: ChapterLaw, chapter: str, method: str) -> str:
    """Return the example submission of a chapter, dealt this way and shuffled by a device."""
    lines = law.text(example_name(law, chapter)).splitlines()
    dealt = f'method = "{method}"\nshuffler = true'
    kept = (line for line in lines if not line.startswith("shuffler ="))
    return "\n".join(dealt if line.startswith("method =") else line for line in kept) + "\n"


def spots(law: Chapter, submission: Submission) -> list[str]:
    """Return the spots of one seat in the order of the pad: what is offered, then the second wagers."""
    first = [name for name in submission.wagers if law.wagers[name].device != ACCOUNT]
    return [*first, *law.contest.wagers[1:]]


def stations(law: Chapter, submission: Submission) -> list[str]:
    """Return the wagers on game accounts that are offered, in the order of the stations."""
    return [name for name in submission.wagers if law.wagers[name].device == ACCOUNT]


def world_plan(
    law: Chapter,
    submission: Submission,
    method: str,
    *,
    seed: int,
    speed: float,
    has_stations: bool = True,
) -> dict[str, Any]:
    """Return the plan from which the process of the simulated table makes its devices."""
    pins = make_plan({}, "lines")
    count = len(spots(law, submission)) * submission.seats
    link = {"kind": "sabot-link", "chosen": {"speed": speed, "is_loaded": False}}
    devices: dict[str, Any] = {
        "lines": {
            "kind": "lines",
            "at": "gpio.sock",
            "pins": {line.name: line.pin for line in (*pins.inputs, *pins.outputs)},
            "closed_at_rest": [line.name for line in pins.inputs if line.is_active_high],
            "outputs": [line.name for line in pins.outputs],
        },
        "pads": {"kind": "sabot-pads", "at": "pads.sock", "chosen": {"spots": min(count, MOST_SPOTS)}},
        "display": {"kind": "escpos", "at": "display"},
        "shoe" if method in MACHINE else "shuffler": link | {"at": "shuffler"},
    }
    if method == "manual_shoe":
        # As the program before left it: nobody draws until this one has told it that it is free.
        devices["shoe"] = {"kind": "angel-eye", "at": "shoe", "chosen": {"baud": 0, "starts_locked": True}}
    if has_stations and stations(law, submission):
        chosen = {"stations": submission.seats}
        devices["accounts"] = {"kind": "sabot-accounts", "at": "accounts", "chosen": chosen}
    if _signs(law, submission):
        devices["sign"] = {"kind": "alpha", "at": "sign"}
    return {"seed": seed, "devices": devices, "spots": spots(law, submission)}


def _signs(law: Chapter, submission: Submission) -> list[tuple[str, str]]:
    """Return the meters that a sign shows, level by level."""
    terms = meters_of(law, submission, offers_of(law, submission))
    return [(meter, level) for meter, levels in terms.items() for level in levels]


KNOWN = {"manual_shoe": "each_card", "hand": "none", "auto_shoe": "stack", RESHUFFLES: "stack"}


def _head(root: Path, law: Chapter, method: str) -> list[str]:
    """Return the lines that stand before the devices."""
    shuffler = "reshuffler" if method == RESHUFFLES else "counting"
    return [
        f'table = "{law.id} simulated"',
        "simulated = true",
        'submission = "submission.toml"',
        *([f'law = "{LAW}"'] if (root / LAW).is_dir() else []),
        "[cards]",
        f'knowledge = "{KNOWN[method]}"',
        f'shuffler = "{shuffler}"',
        f"one_machine = {str(method in MACHINE).lower()}",
        "[storage]",
        f'state = "{root}"',
    ]


def table_text(
    root: Path, law: Chapter, submission: Submission, method: str, *, has_stations: bool = True
) -> str:
    """Return the text of the table file, as a technician would have written it."""
    is_machine = method in MACHINE
    names = spots(law, submission)
    meters = ",".join(f"{meter}.{level}=SIM {meter} {level}" for meter, level in _signs(law, submission))
    parts = [
        *_head(root, law, method),
        "[device.lines]",
        'driver = "lines"',
        'module = "sabot.hil.simulators.gpio"',
        f'lock_wagers = "{law.contest.opening}"',
        'pull = "off"',
        "[device.pads]",
        'driver = "sabot-pads"',
        f'spots = "{" ".join(names)}"',
        f"seats = {submission.seats}",
        f'backend = "sabot.hil.simulators.usb_backend:over_socket:{root}/pads.sock"',
        "[device.display]",
        'driver = "escpos"',
        f'port = "{root}/display"',
        f"[device.{'shoe' if is_machine else 'shuffler'}]",
        'driver = "sabot-link"',
        f'port = "{root}/shuffler"',
        f'duty = "{"both" if is_machine else "shuffle"}"',
    ]
    if method == "manual_shoe":
        parts += ["[device.shoe]", 'driver = "angel-eye"', f'port = "{root}/shoe"', 'shoe_game = "none"']
    if has_stations and stations(law, submission):
        parts += ["[device.accounts]", 'driver = "sabot-accounts"', f'port = "{root}/accounts"']
        parts += [f'wagers = "{" ".join(stations(law, submission))}"', f"seats = {submission.seats}"]
        parts += [f'beside = "{law.contest.opening}"']
    if meters:
        parts += ["[device.sign]", 'driver = "alpha"', f'port = "{root}/sign"', f'meters = "{meters}"']
    return "\n".join(parts) + "\n"
