"""Power taken from a machine in the middle of a round: what people had seen must be in the journal.

Each cut is a machine of its own, on a copy of a disk with a table that has its wagers open, killed at a
moment of chance after the first round was begun. Then the file system is repaired and the journal opened by
the code of a start, here. Such a kill loses what the machine had not given its disk yet, and never what a
disk keeps to itself: that is what the cut points of the logged writes are for.
"""

import random
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import store, verify
from sabot.firmware.run.open_journal import open_journal
from sabot.firmware.run.table_check import read
from sabot.hil.kernel.cuts import make_disk, take_out
from sabot.hil.kernel.machine import MachineHost, VirtualMachine, WantedMachine, boot
from sabot.hil.kernel.results import PartResult
from sabot.rules.errors import SabotError

MODULE = "sabot.hil.kernel.inside.kills"
PREPARE_S, PLAYING_S = 900.0, 600.0
# More than the self-test wants to find free.
DISK_MB = 256
SHORTEST_S, LONGEST_S = 0.5, 6.0
PLAYING = re.compile("^PLAYING")
_SEEN = re.compile(r"^(ROUND|ENTRY) (\d+)(?: ([0-9a-f]{64}))?$")


class SeenAtKill(NamedTuple):
    """The things people had seen when the power went."""

    rounds: int
    entry: int
    link: str


def prepare(host: MachineHost, folder: Path) -> tuple[Path, list[PartResult]]:
    """Make a disk with a table whose wagers are open."""
    folder.mkdir(parents=True, exist_ok=True)
    disk = folder / "prepared"
    make_disk(disk, DISK_MB, DISK_MB)
    with boot(host, WantedMachine(MODULE, ("prepare",), hardware=_plain(disk))) as machine:
        return disk, machine.results(PREPARE_S)


def _plain(disk: Path) -> tuple[str, ...]:
    # A machine that is killed takes nothing with it that it gave its disk: this machine keeps that anyway.
    return (
        *("-drive", f"if=none,id=d0,file={disk},format=raw,cache=unsafe"),
        *("-device", "virtio-blk-pci,drive=d0"),
    )


def cut(host: MachineHost, prepared: Path, folder: Path, number: int) -> PartResult:
    """Let one machine play on, kill it, and judge whether what was seen is there."""
    began = time.monotonic()
    disk, left = folder / f"disk-{number}", folder / f"left-{number}"
    shutil.copyfile(prepared, disk)
    machine = boot(host, WantedMachine(MODULE, ("play",), hardware=_plain(disk)))
    lines = list(_until_killed(machine, random.Random(number)))  # noqa: S311 (the same number, the same wait)
    seen = seen_in(lines)
    try:
        words, is_good = held(disk, left, seen)
    except (SabotError, AssertionError) as error:
        words, is_good = str(error), False
    for path in (disk, left):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return PartResult(f"kill-{number}", is_good, time.monotonic() - began, words)


def _until_killed(machine: VirtualMachine, chance: random.Random) -> Iterator[str]:
    """Let it play for a while, take its power away, and yield all it said that counts."""
    try:
        machine.wait_for(PLAYING, PLAYING_S)
        end = time.monotonic() + chance.uniform(SHORTEST_S, LONGEST_S)
        for line in machine.follow(PLAYING_S):
            yield line
            if time.monotonic() > end:
                break
    finally:
        machine.cut()
    yield from machine.rest()


def seen_in(lines: list[str]) -> SeenAtKill:
    """Return the last of each that was said whole."""
    rounds, entry, link = 0, 0, ""
    # The very last line may have been cut: an entry without its whole link does not count.
    for found in filter(None, map(_SEEN.match, lines)):
        if found[1] == "ROUND":
            rounds = int(found[2])
        elif found[3]:
            entry, link = int(found[2]), found[3]
    return SeenAtKill(rounds, entry, link)


def held(disk: Path, left: Path, seen: SeenAtKill) -> tuple[str, bool]:
    """Open what is left as a start does, and look for what was seen."""
    take_out(disk, left)
    rooms = Rooms(left / "t")
    _file, setup = read(left / "t" / "table.toml")
    board = boards.load(rooms, boards.SIMULATED)
    found = open_journal(rooms, setup, board)
    with closing(store.open_for_reading(rooms.journal)) as db:
        verify.verify_journal(db, board.public_key, lambda _more: None)
        last = store.last_of(db)[0]
        there = store.entry(db, seen.entry)
    is_there = there is not None and there.link.hex() == seen.link
    rounds = found.table.state.books.rounds - 1  # one was played before
    words = f"entry {seen.entry} and {seen.rounds} rounds seen, {last} and {rounds} there"
    return words, bool(seen.entry) and is_there and rounds >= seen.rounds
