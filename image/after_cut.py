"""A card after a cut of power, judged without starting it: which slot would run, is the state whole.

U-Boot's choice, the initramfs's refusals and its repair of the state are repeated here by the same steps; the
state is then read as it lies, and its journal proved.
"""

import shutil
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sabot.firmware.journal import store
from sabot.image import card
from sabot.image.emulator import CardImage
from sabot.image.errors import ImageError
from sabot.image.inspection import ImageInspection
from sabot.image.run import run, run_raw

JOURNAL = "lib/sabot/journal.db"
# More than two slots have tries.
MOST_STARTS = 9


class AfterCut(NamedTuple):
    """A board that is switched on again: its slot, the starts until that one, its rounds and version."""

    slot: str
    version: str
    starts: int
    entries: int
    rounds: int


class CutJudge:
    """Judges cards; ``key`` is the release key's public half, ``work`` a folder for what is taken out."""

    def __init__(self, key: Ed25519PublicKey, work: Path) -> None:
        self._key, self._work = key, work

    def judge(self, image: Path) -> AfterCut:
        """Return what a board does with this card; raise ImageError where it would stand still."""
        starts, slot, version = self._starts(image)
        entries, rounds = self._state(image)
        return AfterCut(slot, version, starts, entries, rounds)

    def _starts(self, image: Path) -> tuple[int, str, str]:
        """Choose as U-Boot and refuse as the initramfs does; return at which start which slot is whole."""
        found = CardImage(image, self._fresh("chosen"))
        objections = {}
        for count in range(1, MOST_STARTS + 1):
            slot = found.choose()
            if slot not in objections:
                objections[slot] = self._objection(image, slot)
            version, why = objections[slot]
            if not why:
                return count, slot, version
        raise ImageError(f"no slot starts: {objections}")

    def _objection(self, image: Path, slot: str) -> tuple[str, str]:
        look = ImageInspection(image, self._key, self._fresh(f"slot-{slot}"))
        try:
            look.root(slot.lower())
            return look.slot(slot.lower()).version, ""
        except ImageError as error:
            return "", str(error)

    def _state(self, image: Path) -> tuple[int, int]:
        journal = state_of(image, self._work) / JOURNAL
        if not journal.exists():
            return 0, 0
        verify_journal(journal)
        with closing(store.open_for_reading(journal)) as db:
            return store.last_of(db)[0], len(store.rounds(db))

    def _fresh(self, name: str) -> Path:
        return _emptied(self._work / name)


def state_of(image: Path, work: Path) -> Path:
    """Return what a card's state partition holds, repaired as the initramfs does; the card stays as it is."""
    folder, state = _emptied(work / "var"), work / "state"
    with image.open("rb") as stream, state.open("wb") as to:
        stream.seek(card.part("state").start)
        shutil.copyfileobj(stream, to)
    # 1 and 2 say that something was mended. Then once more without mending: there must be nothing left.
    run("e2fsck", "-p", state, codes=(0, 1, 2))
    run("e2fsck", "-fn", state)
    run("debugfs", "-R", f"rdump / {folder}", state)
    return folder


def verify_journal(journal: Path) -> None:
    """Raise ImageError where a journal is not proved by the keys beside it."""
    run_raw(sys.executable, "-Im", "sabot", "journal", "verify", "--state", journal.parent)


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
