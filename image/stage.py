"""What a trial stands on: a card as it ships, an emulated board, a table and its devices, its people.

The first day of a board is the same for every trial that needs a table: people and devices are enrolled at
the serial console, and every device has been heard.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from sabot.image import gpio_sim
from sabot.image.build import kernel_of
from sabot.image.bundles import TrialBundles
from sabot.image.emulator import SHARED_CLOCK, CardImage, Emulator, OutsideWorld, generic
from sabot.image.errors import ImageError
from sabot.image.fetch import native_machine
from sabot.image.modules import Modules
from sabot.image.outside_table import PI, VIRT, OutsideTable, Plugs, beside
from sabot.image.people import BoardCrew, SerialConsole
from sabot.image.raspberry import pi
from sabot.image.recipe import EPOCH
from sabot.image.root import board_file
from sabot.image.run import run_raw
from sabot.image.tree import Tree

GOOD = r"root and state are good"
JUDGED = (
    r"slot [AB], version [^\n]*(?:nothing to hold it against|has answered its self-test|proved good before)"
)
# An update took 374 s on a busy machine (docs/image.md): this gives up on one that hangs, not on a slow one.
FIRST, SHOE, UPDATE_S = "pa679a", "manual_shoe", 2400.0
# Each chapter with a way of dealing; between them they have every serial device.
METHODS = {
    "pa679a": "manual_shoe", "pa641a": "hand", "md4cp": "manual_shoe", "pa682a": "auto_shoe",
    "pa683a": "auto_shoe_reshuffle",
}  # fmt: skip


class TrialDay(NamedTuple):
    """A board at work: its card, the table around it, its people."""

    card: CardImage
    table: OutsideTable
    board: Emulator
    crew: BoardCrew


class Stage:
    """One image, and where its trials work."""

    def __init__(self, image: Path, key: Path | None, work: Path, packages: Path, log: Path | None) -> None:
        self.image, self.key, self.work, self._packages = image, key, work, packages
        self._log = log or work / "console.log"

    @contextmanager
    def first_day(
        self,
        chapter: str = FIRST,
        record: Path | None = None,
        more: tuple[str, ...] = (),
        plugs: Plugs = VIRT,
    ) -> Iterator[TrialDay]:
        """Play a board's first day until people and devices are enrolled; its shoe is a manual one."""
        found = self.card()
        with (
            self.table(found, chapter, SHOE, plugs) as table,
            self.at(found, table, record, more=more) as board,
        ):
            board.wait(JUDGED)
            console = SerialConsole(board)
            console.ready()
            with closing(BoardCrew(table.root, console)) as crew:
                crew.enrol_everybody(table.keys)
                crew.release_devices()
                yield TrialDay(found, table, board, crew)

    def install(self, day: TrialDay, stick: Path) -> None:
        """Put a stick in and order the update; the board writes its other slot and starts anew."""
        self.order_update(day, stick)
        day.board.wait("installed in the other slot", patience_s=UPDATE_S)
        day.board.ended()

    def order_update(self, day: TrialDay, stick: Path) -> None:
        """Put a stick in, and let two people agree to it in service mode."""
        day.board.put_in(stick)
        day.board.wait("an update lies ready")
        day.crew.order_update()

    def bundles(self, found: CardImage) -> TrialBundles:
        """Return a maker of updates out of this card's release."""
        return TrialBundles(
            found, board_file("start.sh"), self.release_key(), Path(tempfile.mkdtemp(dir=self.work))
        )

    def release_key(self) -> Path:
        """Return the file of the release key."""
        if self.key is None:
            raise ImageError("name the release key: --key FILE")
        return self.key

    def card(self) -> CardImage:
        """Return a new card, as it ships."""
        return CardImage(self.image, Path(tempfile.mkdtemp(dir=self.work)))

    @contextmanager
    def table(
        self, found: CardImage, chapter: str, method: str, plugs: Plugs = VIRT
    ) -> Iterator[OutsideTable]:
        """Lay a table's files on the card; its devices are pulled out afterwards."""
        table = OutsideTable(chapter, method, Path(tempfile.mkdtemp(dir=self.work)), plugs)
        table.lay_on(found)
        try:
            yield table
        finally:
            table.pull_out()

    @contextmanager
    def at(
        self,
        found: CardImage,
        table: OutsideTable,
        record: Path | None = None,
        words: str = "",
        clock: tuple[str, ...] = SHARED_CLOCK,
        more: tuple[str, ...] = (),
    ) -> Iterator[Emulator]:
        """Start a card with that table's devices in its plugs; ``record`` takes what it writes."""
        plugs = table.plugs
        world = OutsideWorld(
            (*table.hardware(), *more), table.devices(), f"{plugs.words} {words}", self._beside(plugs), clock
        )
        with self._machine(found, plugs, world, record) as board:
            # After the start: the plugs are sockets that QEMU makes.
            table.plug_in()
            try:
                yield board
            finally:
                table.pull_out()

    def _machine(self, found: CardImage, plugs: Plugs, world: OutsideWorld, record: Path | None) -> Emulator:
        """Start the machine that has these plugs, with the card in it; a Pi makes no record."""
        if plugs is PI:
            return pi(found, self._log, world)
        return generic(found, self._log, world=world, record=record)

    def _beside(self, plugs: Plugs) -> bytes:
        boot = Tree.from_tar(self._packages / "boot.tar")
        kernel = kernel_of(boot)
        module = gpio_sim.make(self._packages, kernel, native_machine(), EPOCH)
        tree = beside(Modules(boot, f"usr/lib/modules/{kernel}"), module, plugs)
        return run_raw("zstd", "-q", "-T1", "-c", data=tree.to_cpio(1))

    def start(self, found: CardImage, board: Path | None = None) -> Emulator:
        """Start a card with nothing in its plugs."""
        return generic(found, self._log, board)
