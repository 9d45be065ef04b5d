"""The newest entries, and those that come."""

import sqlite3
import time
from collections.abc import Iterator

from sabot.firmware.journal import store
from sabot.firmware.journal.entry import Entry

LOOK_S = 0.2


def follow(db: sqlite3.Connection, newest: int, *, is_endless: bool) -> Iterator[Entry]:
    """The newest so many; and then, where it is endless, each that follows."""
    last, _ = store.last_of(db)
    number = max(store.first_of(db), last - newest + 1)
    while True:
        for entry in store.entries(db, number):
            yield entry
            number = entry.number + 1
        if not is_endless:
            return
        time.sleep(LOOK_S)
