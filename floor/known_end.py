"""The end of the ledger that a service knows, in a file of its own: a store that is older is not led.

It is written some times a second and never waited for, so it may lack the newest entries; a backup
lacks more.
"""

import json
from pathlib import Path

from sabot.floor.entry import Last
from sabot.floor.errors import FloorError


def read_known(file: Path | None, key: str) -> Last:
    """Return the end that is known of the floor with this key; of another, or of none, nothing.

    A file without a byte is what a cut of power may leave, and says as little as none.
    """
    if file is None or not file.exists():
        return Last()
    try:
        text = file.read_text(encoding="utf-8")
        if not text:
            return Last()
        found = json.loads(text)
        known = Last(int(found["entry"]), bytes.fromhex(found["link"]))
        # A floor that was founded anew has another key, and knows nothing of the old ledger.
        return known if found["key"] == key else Last()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FloorError("E-FLOOR-010", str(file), why=error) from error


def write_known(file: Path, key: str, last: Last) -> None:
    """Replace the end that is known."""
    new = file.with_name(f".{file.name}.new")
    try:
        new.write_text(
            json.dumps({"key": key, "entry": last.number, "link": last.link.hex()}), encoding="utf-8"
        )
        new.replace(file)
    except OSError as error:
        raise FloorError("E-FLOOR-010", str(file), why=error.strerror or error) from error
