"""The slot that runs, as the initramfs left it, and what is remembered of slots.

A slot is known by the hash of its root: the same release in the other slot is the same. A board remembers
which roots have proved good here, so that a slot which once did is never given up for a table file that is
wrong.
"""

import json
from pathlib import Path

from sabot.firmware.credentials.atomic_files import write_whole
from sabot.rules.frozen import frozen

RUNNING = Path("/run/sabot-slot")
REMEMBERED = Path("/var/lib/sabot-slot/slots.json")
MOST_REMEMBERED = 8


@frozen
class Slot:
    """The slot that runs: its letter, its version and the hash of its root."""

    letter: str
    version: str
    root_hash: str


def running(folder: Path = RUNNING) -> Slot | None:
    """Return the slot that runs, None on a board that was not started from an image."""
    try:
        rows = dict(
            row.split("=", 1) for row in (folder / "slot.conf").read_text(encoding="ascii").splitlines()
        )
        return Slot((folder / "slot").read_text(encoding="ascii").strip(), rows["version"], rows["root_hash"])
    except (OSError, ValueError, KeyError):
        return None


class SlotMemory:
    """The roots that have proved good on this board, the latest last."""

    def __init__(self, path: Path = REMEMBERED) -> None:
        self._path = path

    def good(self) -> list[str]:
        """Return their hashes; none where nothing that can be read is remembered."""
        try:
            found = json.loads(self._path.read_bytes())["good"]
            return [each for each in found if isinstance(each, str)]
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def add(self, root_hash: str) -> None:
        """Remember that a root has proved good."""
        known = [each for each in self.good() if each != root_hash]
        rows = [*known, root_hash][-MOST_REMEMBERED:]
        write_whole(self._path, json.dumps({"good": rows}).encode())
