"""``sabot update`` on a board that starts from an image: the same conditions, and RAUC does the work.

RAUC writes the other slot from a bundle whose signature it checks itself, takes the slot's tries away while
it writes and gives them back at the end, so that a cut leaves the slot that runs. What RAUC does not know is
asked here before: the table is closed, two people of different roles agree, the version is not older.
"""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from sabot.firmware.slots.slot import Slot
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.install_log import InstallLog
from sabot.firmware.update.version import is_older, is_same

PATIENCE_S = 1800
ENDING = ".raucb"
DIARY = Path("/var/lib/sabot-slot/updates.jsonl")


class Rauc(Protocol):
    """The requests to RAUC."""

    def version(self, bundle: Path) -> str:
        """Return the version of a bundle whose signature is good."""

    def install(self, bundle: Path) -> None:
        """Write it into the other slot, and let the board start from there."""


class HandOver:
    """One update by slots."""

    def __init__(self, slot: Slot, rauc: Rauc, diary: InstallLog, verify_closed: Callable[[], None]) -> None:
        self._slot, self._rauc, self._diary, self._verify_closed = slot, rauc, diary, verify_closed

    def run(self, bundle: Path, agree: Callable[[], str], because: str, *, again: bool = False) -> str:
        """Install a bundle; return the version that starts next. A refusal is in the diary too."""
        try:
            # The signature first: nothing that the bundle says is believed before.
            found = self._rauc.version(bundle)
            self._diary.note("signature good", bundle=bundle.name, version=found)
            # Before two people are asked: nobody agrees to what is refused.
            self._verify_version(found, str(bundle), again=again)
            self._verify_closed()
            self._diary.note("agreed", by=agree(), because=because)
            self._rauc.install(bundle)
        except UpdateError as error:
            self._diary.note("refused", bundle=bundle.name, code=error.kind.code, why=error.what)
            raise
        self._diary.note("installed in the other slot", version=found, before=self._slot.version)
        return found

    def _verify_version(self, found: str, place: str, *, again: bool) -> None:
        """Raise for an older version, always: the slot before is the way back, and no bundle is."""
        current = self._slot.version
        if is_older(found, current, place):
            raise UpdateError("E-UPDATE-017", place, found=found, current=current)
        if is_same(found, current, place) and not again:
            raise UpdateError("E-UPDATE-005", place, found=found)


class RealRauc:
    """RAUC as it is on the board."""

    def version(self, bundle: Path) -> str:
        """Return the version of the signed manifest."""
        said = _rauc("E-UPDATE-002", bundle, "info", "--output-format=json", str(bundle))
        try:
            return str(json.loads(said)["version"])
        except (ValueError, KeyError, TypeError) as error:
            raise UpdateError("E-UPDATE-001", str(bundle), why=error) from error

    def install(self, bundle: Path) -> None:
        """Install it; RAUC checks the signature once more, over what it reads."""
        _rauc("E-UPDATE-008", bundle, "install", str(bundle))


def _rauc(code: str, bundle: Path, *words: str) -> str:
    command: Sequence[str] = ("/usr/bin/rauc", *words)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpdateError("E-UPDATE-008", str(bundle), why=error) from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "RAUC said nothing").rpartition("\n")[2]
        raise UpdateError(code, str(bundle), why=last)
    return done.stdout
