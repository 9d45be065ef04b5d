"""The steps of a board before its table starts: settings from the card, the journal in this release's format.

Whatever fails here leaves what was there: the table starts with the settings it had, or not at all, and the
console says why. Run as root by ``sabot-settings.service``; people's commands are others.
"""

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import store
from sabot.firmware.run.table_check import read as read_table
from sabot.firmware.slots import settings
from sabot.firmware.slots.slot import running
from sabot.firmware.update.ask_release import ReleaseAnswer, StateOwner, ask, verify_closed
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.layout import InstallationLayout
from sabot.firmware.update.migration import format_of
from sabot.rules.errors import SabotError

CARD, SETTINGS = Path("/media/settings"), Path("/etc/sabot")
PROGRAM_USER = "sabot"


class Entrance:
    """The steps before a table starts, and whoever listens."""

    def __init__(self, release: Path, owner: StateOwner | None, say: Callable[[str], None]) -> None:
        self._release, self._owner, self._say = release, owner, say

    def take_settings(self, card: Path, folder: Path) -> bool:
        """Take the card's settings where they differ from those of the board; return whether they did."""
        if not (card / settings.TABLE).exists():
            self._say("no table file on the settings partition: nothing is taken from it")
            return False
        files = settings.read(card)
        if files == settings.now(folder):
            return False
        # Checked where the card's files lie alone, and before anything of the board's own is touched.
        self._verify_good(files)
        table = folder / settings.TABLE
        if table.exists() and self._has_journal(table):
            verify_closed(self._release, self._owner, table, is_stopped=False)
        settings.lay(files, folder)
        # After they are laid: a cut in between leaves files too many, none too few.
        settings.clear(folder, files)
        self._say(f"settings taken from the card: {', '.join(sorted(files))}")
        return True

    def _verify_good(self, files: dict[str, bytes]) -> None:
        """Raise where the table file does not pass `sabot check` in a folder of its own."""
        with tempfile.TemporaryDirectory() as folder:
            # The check runs as the user of the program, and the folder is root's alone as it is made.
            Path(folder).chmod(0o755)
            settings.lay(files, Path(folder))
            asked = self._ask("check", str(Path(folder, settings.TABLE)))
        if asked.code:
            raise UpdateError("E-UPDATE-016", str(CARD), why=asked.last_words)

    def prepare(self, table: Path) -> None:
        """Make the state of a table with the board's own keys; one that is there stays."""
        asked = self._ask("enrol", "board", str(table))
        if asked.code:
            raise UpdateError("E-UPDATE-019", str(table), why=asked.last_words)
        self._say(asked.out.strip())

    def settle_journal(self, table: Path) -> None:
        """Bring the journal to the format of this release; after an update that was given up, back to it.

        The user of the program does it, who is to write there afterwards: root's files would be closed to it.
        """
        journal = _journal_of(table)
        found = format_of(journal) if journal.exists() else store.FORMAT
        # An update that was given up has left a journal that this release cannot read.
        if found > store.FORMAT:
            self._say(f"the journal of a newer release is set aside, format {store.FORMAT} is put back")
            self._order("--fall-back", str(store.FORMAT), str(table))
        elif found < store.FORMAT:
            self._order("--migrate", str(table))
            self._say(f"the journal had format {found}; that file is kept whole beside the new one")

    def _order(self, *words: str) -> None:
        asked = self._ask("update", *words)
        if asked.code:
            raise UpdateError("E-UPDATE-018", words[-1], why=asked.last_words)

    def _has_journal(self, table: Path) -> bool:
        return _journal_of(table).exists()

    def _ask(self, *words: str) -> ReleaseAnswer:
        return ask(self._release, self._owner, *words)


def _journal_of(table: Path) -> Path:
    return Rooms(read_table(table)[0].storage.state).journal


def owner_by_name(name: str = PROGRAM_USER) -> StateOwner | None:
    """Return the user whom the state is to belong to, before it is there."""
    import pwd  # noqa: PLC0415 - a board's own

    with contextlib.suppress(KeyError):
        found = pwd.getpwnam(name)
        return StateOwner(found.pw_uid, found.pw_gid)
    return None


def main() -> int:
    """Take the steps in their order; each that fails is said, and the next is taken."""
    slot, release = running(), InstallationLayout().running()
    if slot is None or release is None:
        print("sabot: this board was not started from an image")
        return 1
    owner = owner_by_name()
    entrance = Entrance(release, owner, lambda words: print(f"sabot: {words}", flush=True))
    table = SETTINGS / settings.TABLE
    code = _step(lambda: entrance.take_settings(CARD, SETTINGS))
    if not table.exists():
        print("sabot: OUT OF SERVICE: there is no table file yet (docs/image.md, the first boot)", flush=True)
        return code
    _own_state(table, owner)
    # In this order: a journal belongs to a state that was prepared.
    return max(code, _step(lambda: entrance.prepare(table)), _step(lambda: entrance.settle_journal(table)))


def _own_state(table: Path, owner: StateOwner | None) -> None:
    """Make the folder of the state, as the unit of the program would."""
    with contextlib.suppress(SabotError, OSError):
        state = read_table(table)[0].storage.state
        state.mkdir(mode=0o750, parents=True, exist_ok=True)
        if owner is not None:
            shutil.chown(state, owner.user, owner.group)


def _step(step: Callable[[], object]) -> int:
    try:
        step()
    except (SabotError, OSError) as error:
        print(f"sabot: {error}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
