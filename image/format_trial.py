"""The journal in an update whose release has another format, and when the slot before comes back."""

import hashlib
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sabot.firmware.journal import store
from sabot.firmware.update.migration import format_of
from sabot.image import slot_file
from sabot.image.after_cut import JOURNAL, state_of, verify_journal
from sabot.image.emulator import CLOCK, CardImage
from sabot.image.errors import ImageError
from sabot.image.next_format import NEXT
from sabot.image.outside_table import OutsideTable
from sabot.image.people import SerialConsole
from sabot.image.stage import FIRST, JUDGED, SHOE, Stage

VERSION, TRIES, MOST_STARTS = "9.1", 2, 5
MIGRATED = f"the journal had format {store.FORMAT}; that file is kept whole"
BACK = f"the journal of a newer release is set aside, format {store.FORMAT} is put back"
GIVEN_UP = "REFUSED: the file of slot B is not signed by the release key"
# What lies beside the journal, by the names of firmware/update/migration.py.
ASIDE, UNUSED = f"journal.format-{store.FORMAT}.db", f"journal.unused-{NEXT}.db"


class KeptJournal(NamedTuple):
    """A journal as it lies on a card: the digest of its file, its last entry and that one's link."""

    digest: str
    entry: int
    link: str


class FormatTrial(Stage):
    """The trial of a migration; its clock counts instructions, so that no start is late on a busy machine."""

    def update_format(self) -> str:
        """Update to a release of another journal format, spoil it, and see the file before back in place."""
        found = self.card()
        with self.table(found, FIRST, SHOE) as table:
            self._until_judged(found, table, "slot A")
            before = self._journal(found, "journal.db")
            self._lay_next(found)
            judged = self._until_judged(
                found, table, f"slot B, version {VERSION}: good: the table is ready", MIGRATED
            )
            self._verify_migrated(found, before)
            _spoil_slot(found)
            starts = self._come_back(found, table)
        self._verify_back(found, before)
        return (
            f"{judged}; the file before unchanged beside it; slot B refused at {starts} starts; "
            f"then slot A with its {before.entry} entries, proved"
        )

    def _until_judged(self, found: CardImage, table: OutsideTable, wanted: str, first: str = "") -> str:
        """Start a card until its slot is judged as wanted, cut the power, and return the judgement."""
        with self.at(found, table, clock=CLOCK) as board:
            if first:
                board.wait(first)
            judged = board.wait(JUDGED)
        if wanted not in judged:
            raise ImageError(judged)
        return judged

    def _lay_next(self, found: CardImage) -> None:
        """Write the other slot and make it the next, as RAUC does; that it does is the trial of updates."""
        for name, file in self.bundles(found).next_format(VERSION).items():
            found.lay(f"{name}-b", file)
        found.set_variables({**found.variables(), "BOOT_ORDER": "B A", "BOOT_B_LEFT": f"{TRIES}"})

    def _verify_migrated(self, found: CardImage, before: KeptJournal) -> None:
        """Raise ImageError unless the new slot's journal has the new format and has grown beside the old."""
        journal = self._left(found, "journal.db")
        if format_of(journal) != NEXT or self._journal(found, ASIDE) != before:
            raise ImageError(
                f"format {format_of(journal)}, beside it {self._journal(found, ASIDE)} for {before}"
            )
        with closing(sqlite3.connect(journal)) as db:
            (last,) = db.execute("SELECT max(number) FROM entry").fetchone()
        if last <= before.entry:
            raise ImageError(f"nothing was written in format {NEXT}: {last} entries, {before.entry} before")

    def _come_back(self, found: CardImage, table: OutsideTable) -> int:
        """Start until the slot before has the board again; return how often the other was refused."""
        for refused in range(MOST_STARTS):
            with self.at(found, table, clock=CLOCK) as board:
                if board.wait(GIVEN_UP, BACK) == GIVEN_UP:
                    board.ended()
                    continue
                judged = board.wait(JUDGED)
                # A root that was good before is judged at once; the table is there when its console is.
                SerialConsole(board).ready()
            if "slot A" not in judged:
                raise ImageError(judged)
            return refused
        raise ImageError("the slot before never came back")

    def _verify_back(self, found: CardImage, before: KeptJournal) -> None:
        """Raise ImageError unless the journal is the one before, grown and proved, and the newer one kept."""
        journal = self._left(found, "journal.db")
        verify_journal(journal)
        with closing(store.open_for_reading(journal)) as db:
            there, (last, _) = store.entry(db, before.entry), store.last_of(db)
        if there is None or there.link.hex() != before.link:
            raise ImageError(f"entry {before.entry} is not what it was")
        if last <= before.entry:
            raise ImageError(f"nothing was written behind entry {before.entry}")
        if format_of(journal.with_name(UNUSED)) != NEXT:
            raise ImageError("the newer journal is not kept")

    def _journal(self, found: CardImage, name: str) -> KeptJournal:
        """Return a journal of a card; its digest is that of the file as it lies there."""
        path = self._left(found, name)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        with closing(store.open_for_reading(path)) as db:
            entry, link = store.last_of(db)
        return KeptJournal(digest, entry, link.hex())

    def _left(self, found: CardImage, name: str) -> Path:
        """Take the state out of a card, and return the file of this name in it."""
        folder = Path(tempfile.mkdtemp(dir=self.work))
        state = state_of(found.image, folder) / JOURNAL
        shutil.rmtree(folder / "state", ignore_errors=True)
        return state.with_name(name)


def _spoil_slot(found: CardImage) -> None:
    """Change slot B's file: its signature is not the release key's any more."""
    file = found.take("boot-b", slot_file.NAME)
    file.write_bytes(file.read_bytes().replace(b"version=9", b"version=8"))
    found.put("boot-b", slot_file.NAME, file)
