"""Trials of an image on an emulated board: what it must take, what it must refuse, from a card as it ships.

    python -m sabot.image.trial IMAGE [--key release.key] [names of trials]

A trial says what the board said and how long it took; one that is not passed ends with its last words.
"""

import argparse
import hashlib
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sabot.hil.kernel.inside.rounds import play_round
from sabot.hil.table.crew import TECHNICIAN
from sabot.hil.table.hands import NotSeenError
from sabot.image import card, gpio_sim, slot_file
from sabot.image.build import kernel_of
from sabot.image.bundles import TrialBundles
from sabot.image.emulator import CardImage, Emulator, OutsideWorld, board_tree
from sabot.image.errors import ImageError
from sabot.image.fetch import native_machine
from sabot.image.outside import WORDS, OutsideTable, beside
from sabot.image.people import WHY, BoardCrew, SerialConsole
from sabot.image.recipe import EPOCH
from sabot.image.root import board_file
from sabot.image.run import verify_here
from sabot.image.tree import Tree

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
    "round",
    "update",
    "update_dead",
    "update_mute",
)
FIRST, NEWER, TRIES, UPDATE_S = "pa679a", "9.1", 2, 2400.0
# Each chapter with a way of dealing; between them they have every serial device.
METHODS = {
    "pa679a": "manual_shoe", "pa641a": "hand", "md4cp": "manual_shoe", "pa682a": "auto_shoe",
    "pa683a": "auto_shoe_reshuffle",
}  # fmt: skip


class ImageTrial:
    """One image, and where its trials work."""

    def __init__(self, image: Path, key: Path | None, work: Path, packages: Path, log: Path | None) -> None:
        self._image, self._key, self._work, self._packages = image, key, work, packages
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

    def round(self, chapter: str = "pa679a") -> str:
        """A first day with devices outside: READY, enrolment at the serial console, a whole round."""
        found = self._card()
        with self._table(found, chapter) as table, self._at(found, table) as board:
            fingerprint = board.wait(r"fingerprint [0-9a-f]{16}").removeprefix("fingerprint ")
            judged = board.wait(JUDGED)
            ready_s = board.seconds()
            if "the table is ready" not in judged:
                raise ImageError(f"the slot was not judged by its table: {judged}")
            console = SerialConsole(board)
            console.ready()
            with closing(BoardCrew(table.root, console)) as crew:
                crew.hands.wait_display("THIS BOARD'S KEY", fingerprint)
                crew.enrol_everybody(table.keys)
                crew.release_devices()
                crew.follow_to("BETS OPEN")
                play_round(crew)
                crew.hands.do("lines", "memory")
                used = crew.hands.see("lines")["used_kb"]
                rounds = _row(console.say("status"), "rounds")
        told = f"{chapter}, rounds {rounds}; the whole system takes {used // 1024} MB"
        return f"{told}; judged after {ready_s:.0f} s of the wall"

    def update(self) -> str:
        """Two bundles are refused before anything is written; a good one is installed and judged."""
        with self._first_day() as (found, table, board, crew):
            bundles = self._bundles(found)
            told = [
                self._refuses(board, crew, bundles.stick(each))
                for each in (bundles.foreign("9.0"), bundles.good("0.0.1"))
            ]
            self._install(board, crew, bundles.stick(bundles.good(NEWER)))
        if found.variables()["BOOT_ORDER"] != "B A":
            raise ImageError(f"the other slot is not the next: {found.variables()}")
        with self._at(found, table) as board:
            judged = board.wait(JUDGED)
            if f"slot B, version {NEWER}: good: the table is ready" not in judged:
                raise ImageError(judged)
            console = SerialConsole(board)
            console.ready()
            console.unlock(TECHNICIAN)
            people = console.say("people")
        return f"refused: {'; '.join(told)}; then {judged}; people kept: {len(people.splitlines())}"

    def update_dead(self) -> str:
        """A release that does not boot is left after two tries, by itself."""
        return self._comes_back(
            lambda bundles: bundles.dead(NEWER), "REFUSED: the root of slot B cannot be mounted"
        )

    def update_mute(self) -> str:
        """A release whose table does not become ready is left after two tries, by itself."""
        return self._comes_back(
            lambda bundles: bundles.mute(NEWER), f"slot B, version {NEWER}: NOT GOOD[^\n]*"
        )

    def _comes_back(self, make: Callable[[TrialBundles], Path], words: str) -> str:
        with self._first_day() as (found, table, board, crew):
            bundles = self._bundles(found)
            self._install(board, crew, bundles.stick(make(bundles)))
        said = []
        for _ in range(TRIES):
            with self._at(found, table) as board:
                said.append(board.wait(words, JUDGED))
                board.ended()
        if any(re.fullmatch(JUDGED, each) for each in said):
            raise ImageError(f"a bad slot was taken for good: {said}")
        with self._at(found, table) as board:
            judged = board.wait(JUDGED)
        if "slot A" not in judged:
            raise ImageError(f"the board is not back in the slot before: {judged}")
        return f"{said[0]}; {TRIES} tries; then {judged}"

    @contextmanager
    def _first_day(self) -> "Iterator[tuple[CardImage, OutsideTable, Emulator, BoardCrew]]":
        """A board whose people and devices are enrolled, its table closed."""
        found = self._card()
        with self._table(found, FIRST) as table, self._at(found, table) as board:
            board.wait(JUDGED)
            console = SerialConsole(board)
            console.ready()
            with closing(BoardCrew(table.root, console)) as crew:
                crew.enrol_everybody(table.keys)
                crew.release_devices()
                console.unlock(TECHNICIAN)
                console.order("service on", {"Why": WHY})
                yield found, table, board, crew

    def _install(self, board: Emulator, crew: BoardCrew, stick: Path) -> None:
        """Put a stick in and order the update; the board writes its other slot and starts anew."""
        board.put_in(stick)
        board.wait("an update lies ready")
        crew.order_update()
        board.wait("installed in the other slot", patience_s=UPDATE_S)
        board.ended()

    def _refuses(self, board: Emulator, crew: BoardCrew, stick: Path) -> str:
        """Put a stick in and order an update that the board must refuse."""
        board.put_in(stick)
        board.wait("an update lies ready")
        crew.order_update()
        said = board.wait("E-UPDATE-[0-9]{3}", "installed in the other slot", patience_s=UPDATE_S)
        if not said.startswith("E-UPDATE"):
            raise ImageError("it was not refused")
        return said

    def _bundles(self, found: CardImage) -> TrialBundles:
        if self._key is None:
            raise ImageError("name the release key: --key FILE")
        return TrialBundles(found, board_file("start.sh"), self._key, Path(tempfile.mkdtemp(dir=self._work)))

    def _refused(self, found: CardImage, *words: str) -> str:
        with self._start(found) as board:
            said = board.wait(*words, GOOD)
            if said == GOOD:
                raise ImageError("it was not refused")
            board.ended()
        return said

    def _card(self) -> CardImage:
        return CardImage(self._image, Path(tempfile.mkdtemp(dir=self._work)))

    @contextmanager
    def _table(self, found: CardImage, chapter: str) -> Iterator[OutsideTable]:
        """A table whose files lie on the card; its devices go when it is done with."""
        table = OutsideTable(chapter, METHODS[chapter], Path(tempfile.mkdtemp(dir=self._work)))
        table.lay_on(found)
        try:
            yield table
        finally:
            table.pull_out()

    @contextmanager
    def _at(self, found: CardImage, table: OutsideTable) -> Iterator[Emulator]:
        """A start of a card with that table's devices in its plugs."""
        world = OutsideWorld(table.hardware(), WORDS, self._beside())
        with Emulator(found, self._log, world=world) as board:
            table.plug_in()
            try:
                yield board
            finally:
                table.pull_out()

    def _beside(self) -> bytes:
        boot = Tree.from_tar(self._packages / "boot.tar")
        module = gpio_sim.make(self._packages, kernel_of(boot), native_machine(), EPOCH)
        return beside(boot, module)

    def _start(self, found: CardImage, board: Path | None = None) -> Emulator:
        return Emulator(found, self._log, board)


def _digest(found: CardImage, part: str) -> str:
    """Return the digest of a partition; that of the state reaches to the end of the card."""
    with found.image.open("rb") as file:
        file.seek(card.part(part).start)
        return hashlib.sha256(file.read(card.part(part).size if part != "state" else -1)).hexdigest()


def _row(said: str, name: str) -> str:
    """Return what stands behind a word at the beginning of a line."""
    return next((row.removeprefix(name).strip() for row in said.splitlines() if row.startswith(name)), "")


def main() -> int:
    """Make the trials that are named, or all; 1 where one is not passed."""
    parser = argparse.ArgumentParser(
        prog="python -m sabot.image.trial", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("image", type=Path)
    parser.add_argument("names", nargs="*", metavar="TRIAL", help=", ".join(TRIALS))
    parser.add_argument("--key", type=Path, help="the release key, for the trials of updates")
    parser.add_argument(
        "--work", type=Path, default=Path("build/image"), help="the folder in which the image was built"
    )
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
    with tempfile.TemporaryDirectory() as folder:
        trial = ImageTrial(args.image, args.key, Path(folder), args.work.absolute(), args.log)
        return max(
            [_made(trial, name) for name in args.names or TRIALS if args.key or not name.startswith("update")]
        )


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
