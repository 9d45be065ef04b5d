"""`sabot run --sim`: the same program against devices of bytes, in a process of their own.

A table file is written for the simulated devices and read like any other; their keys are enrolled in a
directory that says it is simulated. Nothing in the program knows that its devices are not real, but that the
table file says so.
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
from importlib.resources import files
from pathlib import Path
from typing import Any

from sabot.config.loader import CHAPTER_IDS, load_chapter
from sabot.config.reader import read_toml
from sabot.config.submission import Submission, read_submission
from sabot.drivers.lines.plan import make_plan
from sabot.firmware.commands.check import read
from sabot.firmware.errors import CommandError
from sabot.firmware.keep.board import SIMULATED, Rooms, prepare
from sabot.firmware.keep.files import write_whole
from sabot.firmware.keep.people import People, Person
from sabot.firmware.keep.pins import Cost
from sabot.firmware.run.program import Program
from sabot.firmware.run.table_setup import meters_of, offers_of
from sabot.rules.chapter import Chapter
from sabot.statemachine.chips import ACCOUNT
from sabot.statemachine.events import Role

MOST_SPOTS = 64
SPEED = 20.0
DEVICES = "sabot.hil.table"
# Where the simulated GPIO module, which this room does not import, looks for its chip.
CHIP_VARIABLE = "SABOT_GPIO_SOCKET"
MACHINE = ("auto_shoe", "auto_shoe_reshuffle")


def run_simulated(chapter: str, method: str | None, state: Path | None) -> int:
    """Run a simulated table until SIGTERM."""
    if chapter not in CHAPTER_IDS:
        wanted = f"a chapter: {' '.join(CHAPTER_IDS)}"
        raise CommandError("E-CLI-003", "--sim", text=chapter, wanted=wanted, command="run")
    with tempfile.TemporaryDirectory(prefix="sabot-") as made:
        root = (state or Path(made)).resolve()
        with simulated_table(root, chapter, method) as table_file:
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
) -> Iterator[Path]:
    """A simulated table's devices at work, and its table file; they end with the block."""
    root.mkdir(parents=True, exist_ok=True)
    law, submission = _submission(chapter)
    dealt = method or submission.method
    if dealt not in law.plans:
        wanted = f"a way to deal: {' '.join(law.plans)}"
        raise CommandError("E-CLI-003", "--method", text=dealt, wanted=wanted, command="run")
    plan = world_plan(law, submission, dealt, seed=seed, speed=speed)
    write_whole(root / "world.json", json.dumps(plan, indent=1).encode())
    write_whole(root / "submission.toml", _submission_text(chapter, dealt).encode())
    write_whole(root / "table.toml", table_text(root, law, submission, dealt).encode())
    world = _start(root, devices)
    try:
        enrol(root, json.loads(world.stdout.readline())["keys"])  # type: ignore[union-attr]
        with _lines_at(root / "gpio.sock"):
            yield root / "table.toml"
    finally:
        world.stdin.close()  # type: ignore[union-attr]
        world.wait(timeout=10)


@contextmanager
def _lines_at(socket: Path) -> Iterator[None]:
    """The simulated GPIO module finds its chip behind this socket, as long as the table is there."""
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
CHEAP = Cost(n=1024, r=8, p=1)


def enrol(root: Path, keys: dict[str, str]) -> None:
    """The simulated devices and people are known to their simulated board."""
    rooms = Rooms(root)
    prepare(rooms, SIMULATED)
    write_whole(rooms.devices, json.dumps({"format": 1, "devices": keys}).encode(), 0o600)
    if not rooms.people.exists():
        asyncio.run(_enrol_people(People(rooms.people, time.monotonic, CHEAP)))


async def _enrol_people(people: People) -> None:
    for number, name, role, pin in PEOPLE:
        await people.enrol(Person(number, name, role), pin)


# ---------------------------------------------------------------- the files


def _submission(chapter: str) -> tuple[Chapter, Submission]:
    path = Path(str(files("sabot.config") / "submissions" / f"{chapter}.toml"))
    return load_chapter(chapter), read_submission(path.name, read_toml(path))


def _submission_text(chapter: str, method: str) -> str:
    """The example submission of a chapter, dealt another way and shuffled by a device."""
    path = Path(str(files("sabot.config") / "submissions" / f"{chapter}.toml"))
    lines = path.read_text(encoding="utf-8").splitlines()
    dealt = f'method = "{method}"\nshuffler = true'
    kept = (line for line in lines if not line.startswith("shuffler ="))
    return "\n".join(dealt if line.startswith("method =") else line for line in kept) + "\n"


def spots(law: Chapter, submission: Submission) -> list[str]:
    """The spots of one seat, in the order of the pad: what is offered, and the second wagers."""
    first = [name for name in submission.wagers if law.wagers[name].device != ACCOUNT]
    return [*first, *law.contest.wagers[1:]]


def world_plan(
    law: Chapter, submission: Submission, method: str, *, seed: int, speed: float
) -> dict[str, Any]:
    """The devices that the process of the simulated table makes."""
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
        devices["shoe"] = {"kind": "angel-eye", "at": "shoe", "chosen": {"baud": 0}}
    if _signs(law, submission):
        devices["sign"] = {"kind": "alpha", "at": "sign"}
    return {"seed": seed, "devices": devices}


def _signs(law: Chapter, submission: Submission) -> list[tuple[str, str]]:
    """The meters that a sign shows."""
    terms = meters_of(law, submission, offers_of(law, submission))
    return [(meter, level) for meter, levels in terms.items() for level in levels]


KNOWN = {"manual_shoe": "each_card", "hand": "none", "auto_shoe": "stack", "auto_shoe_reshuffle": "stack"}


def table_text(root: Path, law: Chapter, submission: Submission, method: str) -> str:
    """The table file, as a technician would have written it."""
    is_machine = method in MACHINE
    shuffler = "reshuffler" if method == "auto_shoe_reshuffle" else "counting"
    names = spots(law, submission)
    meters = ",".join(f"{meter}.{level}=SIM {meter} {level}" for meter, level in _signs(law, submission))
    parts = [
        f'table = "{law.id} simulated"',
        "simulated = true",
        'submission = "submission.toml"',
        "[cards]",
        f'knowledge = "{KNOWN[method]}"',
        f'shuffler = "{shuffler}"',
        f"one_machine = {str(is_machine).lower()}",
        "[storage]",
        f'state = "{root}"',
        "[device.lines]",
        'driver = "lines"',
        'module = "sabot.hil.simulators.gpio"',
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
    if meters:
        parts += ["[device.sign]", 'driver = "alpha"', f'port = "{root}/sign"', f'meters = "{meters}"']
    return "\n".join(parts) + "\n"
