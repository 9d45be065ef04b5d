"""``sabot update``: a signed release for this board, or the reason why not.

Theory of operation. A board has one of two layouts. Where releases lie beside each other, ``Updater`` builds
the new one there and changes a link. Where the board starts from an image, RAUC writes the other slot, and
all that is done here is what RAUC does not know (``HandOver``). Three arguments are nobody's to type:
``--migrate`` and ``--fall-back`` are what one release asks of another about the journal, ``--agreed`` is said
by the unit that the console's note starts, and takes the word of the two people from that note.
"""

import argparse
import getpass
import json
import sys
from pathlib import Path

from sabot.firmware.credentials import update_agreement
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.errors import CommandError
from sabot.firmware.integrity.installation import here
from sabot.firmware.run.table_check import read
from sabot.firmware.slots.rauc_update import DIARY, HandOver, RealRauc
from sabot.firmware.slots.slot import Slot
from sabot.firmware.slots.slot import running as running_slot
from sabot.firmware.update.ask_release import agree, owner_of, verify_closed
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.install_log import InstallLog
from sabot.firmware.update.layout import PREFIX, InstallationLayout
from sabot.firmware.update.migration import fall_back, migrate
from sabot.firmware.update.unit_service import Systemd, UnitService, Unmanaged
from sabot.firmware.update.updater import Updater, UpdateRequest

TABLE = "table.toml"
EPILOG = """\
examples:
  sabot update sabot-1.3.0.bundle           check, install beside, try, exchange; as root, table closed
  sabot update old.bundle --roles 11,42 --because "1.3.0 cannot read our shoe"
                                            an older version: two people of different roles, each with a PIN
  sabot update same.bundle --again          repair a damaged installation with the version it has

A bundle is refused when it is not signed by the pinned key, cut short, altered, older or for another board.
The release before stays; when the new one fails its self-test it runs again. What was done and what was
refused is in updates.jsonl beside the releases. Exit codes: 0 the new release runs, 2 it does not, and why.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("bundle", nargs="?", type=Path, help="the bundle")
    parser.add_argument("--table", type=Path, help="the table file (that of the settings)")
    parser.add_argument("--again", action="store_true", help="the version that runs, once more")
    parser.add_argument("--roles", default="", metavar="NN,NN", help="who agrees to an older version")
    parser.add_argument("--because", default="", metavar="CAUSE", help="why they do")
    parser.add_argument("--no-service", action="store_true", help="Sabot is not run by systemd here")
    # What releases say to each other during an update.
    parser.add_argument("--agreed", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--migrate", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--fall-back", nargs=2, metavar=("FORMER", "TABLE"), help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Update this installation, or do what another release asks in the course of an update."""
    if args.migrate is not None:
        print(json.dumps({"former": migrate(_journal(args.migrate))}))
        return 0
    if args.fall_back is not None:
        fall_back(_journal(Path(args.fall_back[1])), int(args.fall_back[0]))
        return 0
    if args.bundle is None:
        facts = {"missing": "the bundle", "example": "sabot update sabot-1.2.0.bundle"}
        raise CommandError("E-CLI-016", "update", **facts, command="sabot update")
    layout = layout_here()
    table = _table(layout, args.table)
    state = read(table)[0].storage.state if table else None
    slot = running_slot()
    if slot is not None:
        return _hand_over(args, slot, layout, table, state)
    service: UnitService = Unmanaged() if args.no_service else Systemd()
    diary = InstallLog(layout.log, lambda words: print(words, flush=True))

    def agreed() -> str:
        if state is None:
            raise UpdateError("E-UPDATE-010", "--roles", why="there is no table whose people could agree")
        return agree(state, args.roles.split(","), args.because, _ask_pin)

    wish = UpdateRequest(args.bundle, args.again, agreed if args.roles else None, args.because)
    version = Updater(layout, table, state, service, diary).run(wish)
    print(f"Sabot {version} runs.")
    return 0


def _hand_over(
    args: argparse.Namespace, slot: Slot, layout: InstallationLayout, table: Path | None, state: Path | None
) -> int:
    """Update a board that starts from an image: RAUC writes the other slot."""
    release = layout.running()

    def verify() -> None:
        if table is not None and release is not None and state is not None and Rooms(state).journal.exists():
            verify_closed(release, owner_of(state), table, is_stopped=False)

    def agreed() -> str:
        if args.agreed and state is not None:
            return _noted(state, args.bundle)
        if state is None or not Rooms(state).people.exists():
            return "nobody: no people are enrolled on this board yet"
        return agree(state, args.roles.split(","), args.because, _ask_pin)

    diary = InstallLog(DIARY, lambda words: print(words, flush=True))
    version = HandOver(slot, RealRauc(), diary, verify).run(
        args.bundle, agreed, args.because, again=args.again
    )
    print(f"Sabot {version} is in the other slot and runs from the next start: systemctl reboot")
    return 0


def _noted(state: Path, bundle: Path) -> str:
    """Return who agreed to this bundle at the console."""
    try:
        return update_agreement.read(state, bundle)
    except ValueError as error:
        raise UpdateError("E-UPDATE-010", str(bundle), why=error) from error


def layout_here() -> InstallationLayout:
    """Return the layout of the installation that this program belongs to."""
    where = here()
    if where.release is None:
        return InstallationLayout()
    prefix = where.release.parent.parent
    return (
        InstallationLayout(prefix=prefix, system=where.settings.parent)
        if prefix != PREFIX
        else InstallationLayout()
    )


def _table(layout: InstallationLayout, named: Path | None) -> Path | None:
    """Return the table file; a board that has none yet has no table to close."""
    usual = layout.settings / TABLE
    return named or (usual if usual.exists() else None)


def _journal(table: Path) -> Path:
    return Rooms(read(table)[0].storage.state).journal


def _ask_pin(number: str) -> str:
    """Ask for a PIN, unseen on a terminal, else as a line of standard input."""
    if sys.stdin.isatty():
        return getpass.getpass(f"PIN of {number}: ")
    return sys.stdin.readline().strip()
