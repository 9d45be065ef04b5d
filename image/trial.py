"""Trials of an image on an emulated board: what it must take, what it must refuse, from a card as it ships.

    python -m sabot.image.trial IMAGE [--update FILE.raucb] [names of trials]

A trial says what the board said and how long it took; one that is not passed ends with its last words.
"""

import argparse
import hashlib
import sys
import tempfile
import time
from pathlib import Path

from sabot.image import card, slot_file
from sabot.image.emulator import CardImage, Emulator, board_tree
from sabot.image.errors import ImageError
from sabot.image.run import run, verify_here

NEEDED = ("qemu-system-aarch64", "mcopy", "fdtput", "debugfs")
GOOD, REFUSED, STOPPED = r"root and state are good", r"REFUSED: [^\n]*", r"STOPPED: [^\n]*"
JUDGED = (
    r"slot [AB], version [^\n]*(?:nothing to hold it against|has answered its self-test|proved good before)"
)


CUTS = 10
# The quick ones first: these are refused before anything of the root runs.
TRIALS = (
    "changed_slot_file",
    "changed_root",
    "another_board",
    "changed_program",
    "power_cuts",
    "first_boot",
    "update",
)


class ImageTrial:
    """One image, and where its trials work."""

    def __init__(self, image: Path, update: Path | None, work: Path, log: Path | None = None) -> None:
        self._image, self._update, self._work = image, update, work
        self._log = log or work / "console.log"

    def first_boot(self) -> str:
        """The first boot makes the state, gives it the rest of the card, and finds no table file."""
        found = self._card()
        with self._start(found) as board:
            board.wait("first boot: the state partition is made")
            board.wait(GOOD)
            verified = board.seconds()
            board.wait("no radio is there")
            said = board.wait(JUDGED)
        size = card.read_tables(found.image.read_bytes())[-1].size
        if size != card.SIZE - card.part("state").start:
            raise ImageError(f"the state has {size:,} bytes, not the rest of the card")
        return f"{said}; root and state verified after {verified:.0f} s of the wall"

    def changed_root(self) -> str:
        """A changed byte in the root's tree of hashes: dm-verity is not opened, and the board starts anew."""
        found = self._card()
        slot = slot_file.from_bytes(found.take("boot-a", slot_file.NAME).read_bytes())
        found.change("root-a", slot.hash_offset + 4096 + 100)
        return self._refused(found, "REFUSED: the root of slot A[^\n]*", "block [0-9]+ is corrupted")

    def changed_program(self) -> str:
        """A changed byte in the first program that runs: found when it is read, and the board starts anew."""
        found = self._card()
        found.change("root-a", 120)
        with self._start(found) as board:
            said = board.wait(REFUSED, "is corrupted", "Kernel panic[^\n]*", patience_s=600)
            board.ended()
        return said

    def changed_slot_file(self) -> str:
        """A changed byte in the slot file: its signature is not the release key's."""
        found = self._card()
        file = found.take("boot-a", slot_file.NAME)
        file.write_bytes(file.read_bytes().replace(b"version=0", b"version=9"))
        found.put("boot-a", slot_file.NAME, file)
        return self._refused(found, "REFUSED: the file of slot A is not signed by the release key")

    def another_board(self) -> str:
        """A card whose state is another board's: nothing starts and nothing is changed."""
        found = self._card()
        with self._start(found, board_tree(self._work / "one.dtb", "10000000aaaaaaaa")) as board:
            board.wait(GOOD)
        before = _digest(found, "state")
        with self._start(found, board_tree(self._work / "two.dtb", "10000000bbbbbbbb")) as board:
            said = board.wait(STOPPED)
        if "state of another board" not in said or _digest(found, "state") != before:
            raise ImageError(f"the other board's state was not left alone: {said}")
        return said

    def power_cuts(self) -> str:
        """Power cut in the first boot at ten moments: the next start goes on, the root is unchanged."""
        found = self._card()
        for count in range(CUTS):
            with self._start(found) as board:
                board.wait("sabot: ")
                time.sleep(0.5 * count)
        with self._start(found) as board:
            board.wait(GOOD)
        slot = slot_file.from_bytes(found.take("boot-a", slot_file.NAME).read_bytes())
        if _digest(found, "root-a") != _digest(CardImage(self._image, self._work), "root-a"):
            raise ImageError("the root was changed")
        return f"{CUTS} cuts, then good; the root {slot.root_hash[:16]} is unchanged"

    def update(self) -> str:
        """A good bundle lies ready: RAUC writes the other slot, which starts and is judged."""
        if self._update is None:
            raise ImageError("name a bundle: --update FILE.raucb")
        found = self._card()
        with self._start(found) as board:
            board.wait(JUDGED)
        _lay_into_state(found, self._update, self._work)
        with self._start(found) as board:
            board.wait("installed in the other slot", patience_s=2400)
            board.ended()
        with self._start(found) as board:
            if board.slot != "B":
                raise ImageError(f"slot {board.slot} was started: {found.variables()}")
            return board.wait(JUDGED)

    def _refused(self, found: CardImage, *words: str) -> str:
        with self._start(found) as board:
            said = board.wait(*words, GOOD)
            if said == GOOD:
                raise ImageError("it was not refused")
            board.ended()
        return said

    def _card(self) -> CardImage:
        return CardImage(self._image, Path(tempfile.mkdtemp(dir=self._work)))

    def _start(self, found: CardImage, board: Path | None = None) -> Emulator:
        return Emulator(found, self._log, board)


def _digest(found: CardImage, part: str) -> str:
    """Return the digest of a partition; that of the state reaches to the end of the card."""
    with found.image.open("rb") as file:
        file.seek(card.part(part).start)
        return hashlib.sha256(file.read(card.part(part).size if part != "state" else -1)).hexdigest()


def _lay_into_state(found: CardImage, source: Path, work: Path) -> None:
    """Lay a bundle where an update lies ready; the file system is mended first, as after any cut."""
    state = work / "state.img"
    place = card.part("state").start
    with found.image.open("rb") as file:
        file.seek(place)
        state.write_bytes(file.read())
    run("e2fsck", "-f", "-p", state, codes=(0, 1))
    run("debugfs", "-w", "-R", "mkdir /lib/sabot-update", state)
    run("debugfs", "-w", "-R", f"write {source} /lib/sabot-update/incoming.bundle", state)
    with found.image.open("r+b") as file:
        file.seek(place)
        file.write(state.read_bytes())


def main() -> int:
    """Make the trials that are named, or all; 1 where one is not passed."""
    parser = argparse.ArgumentParser(
        prog="python -m sabot.image.trial", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("image", type=Path)
    parser.add_argument("names", nargs="*", metavar="TRIAL", help=", ".join(TRIALS))
    parser.add_argument(
        "--update", type=Path, help="a bundle with a newer version, for the trial of that name"
    )
    parser.add_argument("--log", type=Path, help="keep what the consoles said in this file")
    args = parser.parse_args()
    unknown = [name for name in args.names if name not in TRIALS]
    if unknown:
        parser.error(f"there is no trial {unknown[0]}; there are {', '.join(TRIALS)}")
    try:
        verify_here(NEEDED)
    except ImageError as error:
        print(f"trial: {error}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        trial = ImageTrial(args.image, args.update, Path(folder), args.log)
        return max([_made(trial, name) for name in args.names or TRIALS if args.update or name != "update"])


def _made(trial: ImageTrial, name: str) -> int:
    began = time.monotonic()
    try:
        said, code = getattr(trial, name)(), 0
    except ImageError as error:
        said, code = f"NOT PASSED: {error}", 1
    print(f"{name:<18} {time.monotonic() - began:6.0f} s  {said}", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
