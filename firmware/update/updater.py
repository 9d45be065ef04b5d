"""An update from the bundle to the running program, or back to the one before.

Theory of operation. Everything that can be known before anything changes is found out first: the signature,
every member, the version, the board, and that the table is closed. The new release is then built beside the
old one, at its final path, and tried. Only now is the program stopped, and its journal must end with a signed
head. From here on each step has its way back: the journal's old file, the link, the units. Whatever fails,
the old release runs again, and the diary says why.
"""

import json
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from sabot.firmware.integrity.check import AGAIN
from sabot.firmware.integrity.signature import read_public_key
from sabot.firmware.update import units
from sabot.firmware.update.ask_release import ask, owner_of, try_out, verify_closed
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.install_log import InstallLog
from sabot.firmware.update.layout import InstallationLayout
from sabot.firmware.update.take_release import clear_leftovers, clear_old, one_at_a_time, take_in, unpacked
from sabot.firmware.update.unit_service import UnitService
from sabot.firmware.update.version import is_older, is_same
from sabot.rules.errors import SabotError
from sabot.rules.frozen import frozen

Agree = Callable[[], str]


@frozen
class UpdateRequest:
    """A wish for an update: a bundle, whether the same version may come again, who agrees to an older one."""

    file: Path
    again: bool
    agree: Agree | None
    because: str = ""


class Updater:
    """One update of one installation."""

    def __init__(
        self,
        layout: InstallationLayout,
        table: Path | None,
        state: Path | None,
        service: UnitService,
        diary: InstallLog,
    ) -> None:
        self._layout, self._table, self._service, self._diary = layout, table, service, diary
        self._owner = owner_of(state) if state else None

    def run(self, wish: UpdateRequest) -> str:
        """Update; return the version that runs now. A refusal is in the diary too."""
        with one_at_a_time(self._layout):
            clear_leftovers(self._layout)
            try:
                return self._run(wish)
            except SabotError as error:
                self._diary.note("refused", bundle=wish.file.name, code=error.kind.code, why=error.what)
                raise

    def _run(self, wish: UpdateRequest) -> str:
        old = self._layout.running()
        if old is None:
            raise UpdateError("E-UPDATE-008", str(self._layout.current), why="no release is installed")
        key = read_public_key(self._layout.release_key)
        with unpacked(self._layout, wish.file, key) as bundle:
            self._diary.note("signature good", bundle=wish.file.name, version=bundle.manifest.version)
            self._verify_version(bundle.manifest.version, wish, old.name.partition(AGAIN)[0])
            if self._table is not None:
                verify_closed(old, self._owner, self._table, is_stopped=False)
            new = take_in(self._layout, bundle)
        self._diary.note("installed beside", release=new.name)
        with ExitStack() as undo:
            undo.callback(shutil.rmtree, new, ignore_errors=True)  # a release that was refused is none
            # Without the table file: its journal still is in the format of the old release.
            self._try(new, None)
            self._exchange(old, new)
            undo.pop_all()
        self._diary.note("runs", version=bundle.manifest.version, before=old.name)
        self._diary.note("cleared", releases=clear_old(self._layout))
        return bundle.manifest.version

    # ------------------------------------------------------------ before anything changes

    def _verify_version(self, found: str, wish: UpdateRequest, current: str) -> None:
        place = str(wish.file)
        if is_same(found, current, place) and not wish.again:
            raise UpdateError("E-UPDATE-005", place, found=found)
        if is_older(found, current, place):
            if wish.agree is None:
                raise UpdateError("E-UPDATE-004", place, found=found, current=current)
            self._diary.note("older version agreed", version=found, by=wish.agree(), because=wish.because)

    def _try(self, new: Path, table: Path | None) -> None:
        trouble = try_out(new, self._owner, table)
        if trouble:
            self._diary.note("self-test failed", release=new.name, why=trouble)
            raise UpdateError("E-UPDATE-009", new.name, why=trouble, log=self._layout.log)

    # ------------------------------------------------------------ the exchange, with its way back

    def _exchange(self, old: Path, new: Path) -> None:
        """Exchange the releases while the program is down; whatever fails is undone in the opposite order."""
        with ExitStack() as undo:
            # Before the stop: one that fails half way must start the old release too.
            undo.callback(self._start_old)
            self._service.stop()
            if self._table is not None:
                verify_closed(old, self._owner, self._table, is_stopped=True)
                self._migrate(old, new, undo)
            # With the journal in its own format now.
            self._try(new, self._table)
            self._switch(old, new, undo)
            trouble = self._service.start()
            if trouble:
                raise UpdateError("E-UPDATE-009", new.name, why=trouble, log=self._layout.log)
            undo.pop_all()

    def _migrate(self, old: Path, new: Path, undo: ExitStack) -> None:
        """Let the new release write the journal in its own format, where that is another one."""
        table = str(self._table)
        asked = ask(new, self._owner, "update", "--migrate", table)
        if asked.code:
            raise UpdateError("E-UPDATE-009", new.name, why=asked.last_words, log=self._layout.log)
        former = json.loads(asked.out)["former"]
        if former is not None:
            undo.callback(self._journal_back, old, former)
            self._diary.note("journal migrated", former=former)

    def _journal_back(self, old: Path, former: int) -> None:
        asked = ask(old, self._owner, "update", "--fall-back", str(former), str(self._table))
        self._diary.note("journal put back", former=former, good=asked.code == 0)
        if asked.code:
            raise UpdateError("E-UPDATE-013", old.name, why=asked.last_words)

    def _switch(self, old: Path, new: Path, undo: ExitStack) -> None:
        # Before the first of its steps: any of them may fail.
        former = self._layout.previous.readlink() if self._layout.previous.is_symlink() else None
        undo.callback(self._switch_back, old, new, former)
        self._layout.switch(new)
        units.install(self._layout, new, old)
        self._service.reload()
        self._diary.note("switched", release=new.name)

    def _switch_back(self, old: Path, new: Path, former: Path | None) -> None:
        self._service.stop()
        # No switch like another: the release that failed is removed, so it must not be the previous one.
        self._layout.switch_back(old, former)
        units.install(self._layout, old, new)
        self._service.reload()
        self._diary.note("switched back", release=old.name)

    def _start_old(self) -> None:
        trouble = self._service.start()
        self._diary.note("old release started", trouble=trouble)
