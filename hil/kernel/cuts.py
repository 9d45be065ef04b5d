"""Cuts of power at hundreds of points of a recorded shift: what was acknowledged must be there afterwards.

One machine writes the shifts on a disk whose writes are logged; everything else happens here. For each
point the disk is put together as a cut would have left it, its file system is repaired as a start would,
and the journals are opened and verified by the very code that a start uses. The same with a journal that
does not wait for the medium must lose: a campaign that finds nothing there would find nothing anywhere.
"""

import random
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sabot.desk.recording import Recording, read_recording
from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import store, verify
from sabot.firmware.run.open_journal import open_journal
from sabot.hil.kernel.blocklog import Disk, Write, read_log
from sabot.hil.kernel.machine import MachineHost, WantedMachine, boot
from sabot.hil.kernel.promise import CHAPTERS, DISK_MB, FILE_SYSTEM_MB, promised, recording_at, up_to
from sabot.hil.kernel.results import PartResult
from sabot.rules.errors import SabotError
from sabot.statemachine.table import Table

SHIFT_S = 600.0
LOG_GB = 4
# e2fsck's exit code for errors that it has corrected; above it something is left.
REPAIRED = 1
MODULE = "sabot.hil.kernel.inside.shift"


class Cut(NamedTuple):
    """The remains of a cut: how many writes it could take, and what is wrong."""

    place: int
    floating: int
    lost: tuple[str, ...]
    broken: tuple[str, ...]


class Shift(NamedTuple):
    """A recorded run: the disk before it, and every write."""

    base: Path
    log: list[Write]


def record(host: MachineHost, folder: Path, synchronous: str) -> tuple[Shift, list[PartResult]]:
    """Let a machine play the shifts, and return what it wrote."""
    folder.mkdir(parents=True, exist_ok=True)
    image, base, log = folder / "disk", folder / "base", folder / "log"
    make_disk(image)
    shutil.copyfile(image, base)
    log.unlink(missing_ok=True)
    _size(log, LOG_GB << 30)
    tree = str(host.seen_inside(host.tree))
    wanted = WantedMachine(MODULE, (tree, synchronous), hardware=_logged(image, log))
    with boot(host, wanted) as machine:
        results = machine.results(SHIFT_S)
    with log.open("rb") as stream:
        shift = Shift(base, read_log(stream))
    log.unlink()
    return shift, results


def make_disk(image: Path, size_mb: int = DISK_MB, file_system_mb: int = FILE_SYSTEM_MB) -> None:
    """Make a disk with a file system on its first part."""
    image.unlink(missing_ok=True)
    _size(image, size_mb << 20)
    # Written whole now: tables that the kernel fills later would be writes of the shift.
    words = ["-q", "-F", "-b", "4096", "-J", "size=4", "-E", "lazy_itable_init=0"]
    subprocess.run(  # noqa: S603 (our own words)
        ["/sbin/mkfs.ext4", *words, str(image), f"{file_system_mb}M"], check=True
    )


def _size(path: Path, size: int) -> None:
    with path.open("ab") as stream:
        stream.truncate(size)


def _logged(image: Path, log: Path) -> tuple[str, ...]:
    # What is flushed stands in the log; that this machine's own disk has it too would only cost time.
    quick = "cache.no-flush=on"
    files = (
        f"file.driver=file,file.filename={image},file.{quick},log.driver=file,log.filename={log},log.{quick}"
    )
    return (
        *("-blockdev", f"driver=blklogwrites,node-name=d0,log-sector-size=512,{files}"),
        *("-device", "virtio-blk-pci,drive=d0"),
    )


# ---------------------------------------------------------------- the campaign


class Tables:
    """The recorded shifts as a table without accidents goes through them."""

    def __init__(self, tree: Path) -> None:
        self.recordings: list[Recording] = [
            read_recording(str(recording_at(tree, chapter))) for chapter in CHAPTERS
        ]
        self._after: list[list[dict[str, object]]] = [list(_states(each)) for each in self.recordings]

    def after(self, table: int, events: int) -> dict[str, object]:
        """Return the state after that many events."""
        return self._after[table][events]


def _states(recording: Recording) -> Iterator[dict[str, object]]:
    table = Table(recording.setup)
    yield table.snapshot()
    for each in recording.events:
        table.handle(each.event)
        yield table.snapshot()


def campaign(shift: Shift, tables: Tables, folder: Path, count: int, seed: int) -> Iterator[Cut]:
    """Yield that many cuts, spread by chance over the log from its first promise on."""
    promises = promised(shift.log)
    chance = random.Random(seed)  # noqa: S311 (the same seed makes the same cuts)
    # Taking the file system away in good order, after the last promise, is no business of the journal.
    points = range(promises[0][0] + 1, promises[-1][0] + 2)
    places = sorted(chance.sample(points, min(count, len(points))))
    disk = Disk(shift.base, shift.log)
    for place in places:
        disk.go_to(place)
        copy = folder / "cut"
        subprocess.run(["cp", "--sparse=always", str(shift.base), str(copy)], check=True)  # noqa: S603, S607
        disk.cut(copy, lambda: chance.random() < 0.5)  # noqa: PLR2004 (a drive keeps any half)
        left = folder / "left"
        lost, broken = judge(copy, left, tables, up_to(promises, place))
        yield Cut(place, disk.floating, lost, broken)


def judge(
    image: Path, left: Path, tables: Tables, promises: Mapping[int, int]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the promises that an image has lost, and what cannot be opened."""
    try:
        take_out(image, left)
    except AssertionError as error:
        return (), (str(error),)
    lost, broken = [], []
    for table, entry in promises.items():
        try:
            last = recovered(Rooms(left / CHAPTERS[table]), tables, table)
        except (SabotError, AssertionError) as error:
            broken.append(f"{CHAPTERS[table]}: {error}")
        else:
            if last < entry:
                lost.append(f"{CHAPTERS[table]}: {entry - last} of {entry} entries")
    return tuple(lost), tuple(broken)


def take_out(image: Path, left: Path) -> None:
    """Take the files out of an image, its file system repaired as a start would."""
    shutil.rmtree(left, ignore_errors=True)
    left.mkdir()
    checked = subprocess.run(["/sbin/e2fsck", "-fy", str(image)], capture_output=True, check=False)  # noqa: S603
    if checked.returncode > REPAIRED:
        raise AssertionError(f"the file system is beyond repair: {checked.stdout[-300:]!r}")
    subprocess.run(  # noqa: S603 (our own words)
        ["/sbin/debugfs", "-R", f"rdump / {left}", str(image)], capture_output=True, check=True
    )


def recovered(rooms: Rooms, tables: Tables, table: int) -> int:
    """Open a journal as a start does, verify it, and return its last entry."""
    recording = tables.recordings[table]
    board = boards.load(rooms, boards.SIMULATED)
    found = open_journal(rooms, recording.setup, board)
    with closing(store.open_for_reading(rooms.journal)) as db:
        verify.verify_journal(db, board.public_key, lambda _more: None)
        last = store.last_of(db)[0]
        events = sum(each.kind == "event" for each in store.entries(db))
    # The same number of events must make the same table, whatever the cut took.
    assert found.table.snapshot() == tables.after(table, events), "the table is another than it was"
    return last
