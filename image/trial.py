"""Trials of an image on an emulated board: what it must take, what it must refuse, from a card as it ships.

    python -m sabot.image.trial IMAGE [--key release.key] [names of trials]

A trial says what the board said and how long it took; one that is not passed ends with its last words.
"""

import argparse
import hashlib
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import FrameType

from sabot.hil.table.crew import TECHNICIAN
from sabot.hil.table.hands import NotSeenError
from sabot.image import card, slot_file
from sabot.image.bundles import TrialBundles
from sabot.image.cuts import NEWER, CutTrials
from sabot.image.emulator import CLOCK, CardImage, board_tree
from sabot.image.errors import ImageError
from sabot.image.fault_trials import FaultTrials
from sabot.image.format_trial import FormatTrial
from sabot.image.people import SerialConsole
from sabot.image.rig_trials import RigTrials
from sabot.image.rounds import RoundTrials
from sabot.image.run import run, verify_here
from sabot.image.stage import FIRST, GOOD, JUDGED, SHOE, UPDATE_S, TrialDay

NEEDED = (
    "qemu-system-aarch64", "setpriv", "mcopy", "fdtput", "debugfs", "dumpe2fs", "e2fsck", "veritysetup",
    "mkfs.vfat", "rauc", "zstd", "mmdebstrap", "mkimage", "mksquashfs", "unsquashfs",
)  # fmt: skip
# The rest of a line, which has come whole: its beginning may stand there first.
REST = r"[^\n]*(?=\n)"
REFUSED, STOPPED = f"REFUSED: {REST}", f"STOPPED: {REST}"
CUTS = 10
# The quick ones first: these are refused before anything of the root runs.
TRIALS = (
    "changed_slot_file",
    "changed_root",
    "another_board",
    "changed_program",
    "power_cuts",
    "first_boot",
    "pi",
    "round",
    "pi_round",
    "times",
    "faults",
    "pi_faults",
    "rig",
    "rig_scenarios",
    "update",
    "update_dead",
    "update_mute",
    "update_format",
    "cuts_in_play",
    "cuts_in_update",
)
TRIES, LARGER = 2, 2
# systemd says when everything that it was to start is up; the program's unit is up when the table is READY.
TELLING = "systemd.log_target=console systemd.log_level=info"
# All of the system but what comes with the target of our units.
WITHOUT_US = "systemd.unit=basic.target"


class ImageTrial(CutTrials, FaultTrials, FormatTrial, RigTrials, RoundTrials):
    """The trials of one image, by their names; each returns in words what was seen, or raises ImageError."""

    def first_boot(self) -> str:
        """Boot for the first time, on a larger card: the state has the rest of it; there is no table file."""
        found = self.card()
        os.truncate(found.image, LARGER * card.SIZE)
        with self.start(found) as board:
            board.wait("first boot: the state partition is made")
            board.wait(GOOD)
            verified = board.seconds()
            board.wait("no radio is there")
            said = board.wait(JUDGED)
        place = card.part("state").start
        sizes = {card.read_tables(found.image.read_bytes())[-1].size, _size_of_ext4(found, place)}
        if sizes != {LARGER * card.SIZE - place}:
            raise ImageError(f"the state has {sizes} bytes, not the rest of the card")
        return f"{said}; root and state verified after {verified:.0f} s of the wall"

    def changed_root(self) -> str:
        """Change a byte in the root's tree of hashes: dm-verity is not opened, and the board starts anew."""
        found = self.card()
        slot = slot_file.from_bytes(found.take("boot-a", slot_file.NAME).read_bytes())
        # Behind the first block of the tree, which dm-verity has for itself.
        found.change("root-a", slot.hash_offset + 4096 + 100)
        return self._refused(found, f"REFUSED: the root of slot A{REST}", "block [0-9]+ is corrupted")

    def changed_program(self) -> str:
        """Change a byte of the root's content: found when it is read, and the board starts anew."""
        found = self.card()
        # Right behind the superblock of squashfs, which has 96 bytes.
        found.change("root-a", 120)
        with self.start(found) as board:
            said = board.wait(REFUSED, "is corrupted", f"Kernel panic{REST}", patience_s=600)
            board.ended()
        return said

    def changed_slot_file(self) -> str:
        """Change a byte in the slot file: its signature is not the release key's."""
        found = self.card()
        file = found.take("boot-a", slot_file.NAME)
        file.write_bytes(file.read_bytes().replace(b"version=0", b"version=9"))
        found.put("boot-a", slot_file.NAME, file)
        return self._refused(found, "REFUSED: the file of slot A is not signed by the release key")

    def another_board(self) -> str:
        """Start a card whose state is another board's: nothing starts and nothing is changed."""
        found = self.card()
        with self.start(found, board_tree(self.work / "one.dtb", "10000000aaaaaaaa")) as board:
            board.wait(GOOD)
        before = _digest(found, "state")
        with self.start(found, board_tree(self.work / "two.dtb", "10000000bbbbbbbb")) as board:
            said = board.wait(STOPPED)
        if "state of another board" not in said or _digest(found, "state") != before:
            raise ImageError(f"the other board's state was not left alone: {said}")
        return said

    def power_cuts(self) -> str:
        """Cut the power in the first boots at ten moments: the next start goes on, the root is unchanged."""
        found = self.card()
        for count in range(CUTS):
            with self.start(found) as board:
                board.wait("sabot: ")
                # Another moment each time, from the first word of the initramfs on.
                time.sleep(0.5 * count)
        with self.start(found) as board:
            board.wait(GOOD)
        slot = slot_file.from_bytes(found.take("boot-a", slot_file.NAME).read_bytes())
        if _digest(found, "root-a") != _digest(CardImage(self.image, self.work), "root-a"):
            raise ImageError("the root was changed")
        return f"{CUTS} cuts, then good; the root {slot.root_hash[:16]} is unchanged"

    def times(self) -> str:
        """Time power to READY, a thousand million instructions for a second, beside the system without us."""
        found, told = self.card(), []
        with self.table(found, FIRST, SHOE) as table:
            for name, words in (("first start", ""), ("next start", ""), ("without Sabot", WITHOUT_US)):
                with self.at(found, table, words=f"{words} {TELLING}", clock=CLOCK) as board:
                    early = board.wait(f"{GOOD} after [0-9.]+ s").rpartition("after ")[2]
                    said = board.wait(r"Startup finished in [^\n]* = [^\n]*\n").strip()
                    told.append(f"{name}: root and state {early}, {said}")
        return "; ".join(told)

    def update(self) -> str:
        """Order updates: two are refused before anything is written, a good one is installed and judged."""
        with self.first_day() as day:
            found, table = day.card, day.table
            bundles = self.bundles(found)
            told = [
                self._refuses(day, bundles.stick(each))
                for each in (bundles.foreign("9.0"), bundles.good("0.0.1"))
            ]
            self.install(day, bundles.stick(bundles.good(NEWER)))
        if found.variables()["BOOT_ORDER"] != "B A":
            raise ImageError(f"the other slot is not the next: {found.variables()}")
        with self.at(found, table) as board:
            judged = board.wait(JUDGED)
            if f"slot B, version {NEWER}: good: the table is ready" not in judged:
                raise ImageError(judged)
            console = SerialConsole(board)
            console.ready()
            console.unlock(TECHNICIAN)
            people = console.say("people")
        return f"refused: {'; '.join(told)}; then {judged}; people kept: {len(people.splitlines())}"

    def update_dead(self) -> str:
        """Install a release that does not boot: it is left after two tries, by itself."""
        return self._comes_back(
            lambda bundles: bundles.dead(NEWER), "REFUSED: the root of slot B cannot be mounted"
        )

    def update_mute(self) -> str:
        """Install a release whose table does not become ready: it is left after two tries, by itself."""
        return self._comes_back(
            lambda bundles: bundles.mute(NEWER), f"slot B, version {NEWER}: NOT GOOD{REST}"
        )

    def _comes_back(self, make: Callable[[TrialBundles], Path], words: str) -> str:
        with self.first_day() as day:
            found, table = day.card, day.table
            bundles = self.bundles(found)
            self.install(day, bundles.stick(make(bundles)))
        said = []
        for _ in range(TRIES):
            with self.at(found, table) as board:
                said.append(board.wait(words, JUDGED))
                board.ended()
        if any(re.fullmatch(JUDGED, each) for each in said):
            raise ImageError(f"a bad slot was taken for good: {said}")
        with self.at(found, table) as board:
            judged = board.wait(JUDGED)
        if "slot A" not in judged:
            raise ImageError(f"the board is not back in the slot before: {judged}")
        return f"{said[0]}; {TRIES} tries; then {judged}"

    def _refuses(self, day: TrialDay, stick: Path) -> str:
        """Put a stick in, order an update that the board must refuse, and return with which error it does."""
        self.order_update(day, stick)
        said = day.board.wait("E-UPDATE-[0-9]{3}", "installed in the other slot", patience_s=UPDATE_S)
        if not said.startswith("E-UPDATE"):
            raise ImageError("it was not refused")
        return said

    def _refused(self, found: CardImage, *words: str) -> str:
        with self.start(found) as board:
            said = board.wait(*words, GOOD)
            if said == GOOD:
                raise ImageError("it was not refused")
            board.ended()
        return said


def _digest(found: CardImage, part: str) -> str:
    """Return the digest of a partition; that of the state reaches to the end of the card."""
    with found.image.open("rb") as file:
        file.seek(card.part(part).start)
        return hashlib.sha256(file.read(card.part(part).size if part != "state" else -1)).hexdigest()


def _size_of_ext4(found: CardImage, place: int) -> int:
    """Return the size of the file system that begins there."""
    said = run("dumpe2fs", "-h", f"{found.image}?offset={place}")
    blocks, size = (re.search(rf"{each}: +(\d+)", said) for each in ("Block count", "Block size"))
    if blocks is None or size is None:
        raise ImageError("there is no ext4 in the state partition")
    return int(blocks[1]) * int(size[1])


def main() -> int:
    """Make the trials that are named, or all; return 1 where one is not passed, 2 where none can be made."""
    parser = argparse.ArgumentParser(
        prog="python -m sabot.image.trial", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("image", type=Path)
    parser.add_argument("names", nargs="*", metavar="TRIAL", help=", ".join(TRIALS))
    parser.add_argument("--key", type=Path, help="the release key, for the trials of updates")
    parser.add_argument(
        "--work", type=Path, default=Path("build/image"), help="the folder in which the image was built"
    )
    parser.add_argument("--keep", type=Path, help="keep the cards of the trials in this folder")
    parser.add_argument("--log", type=Path, help="keep what the consoles said in this file")
    args = parser.parse_args()
    unknown = [name for name in args.names if name.partition(":")[0] not in TRIALS]
    if unknown:
        parser.error(f"there is no trial {unknown[0]}; there are {', '.join(TRIALS)}")
    try:
        verify_here(NEEDED)
    except ImageError as error:
        print(f"trial: {error}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, _stop)
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    with nullcontext(args.keep) if args.keep else tempfile.TemporaryDirectory() as folder:
        trial = ImageTrial(args.image, args.key, Path(folder), args.work.absolute(), args.log)
        wanted = args.names or [
            name for name in TRIALS if args.key or not name.startswith(("update", "cuts_"))
        ]
        return max([_made(trial, name) for name in wanted])


def _stop(number: int, _frame: FrameType | None) -> None:
    """Leave by an exception, so that machines and cards go with the blocks that own them."""
    sys.exit(128 + number)


def _made(trial: ImageTrial, name: str) -> int:
    began = time.monotonic()
    try:
        what, _, chapter = name.partition(":")
        said, code = getattr(trial, what)(*([chapter] if chapter else [])), 0
    except (ImageError, NotSeenError) as error:
        said, code = f"NOT PASSED: {error}", 1
    print(f"{name:<18} {time.monotonic() - began:6.0f} s  {said}", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
