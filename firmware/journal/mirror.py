"""The copy on the second medium: meters, open round, end of the journal, who and what is enrolled.

It is written whole and signed by the board at every signed head and whenever a meter moves, by a thread of
its own: a second medium that is slow or gone is an event, and never delays the table. Beside it the signed
heads are added line by line to a file that is never written over, so that even a journal rewritten with the
board's own key is found out. PINs are not copied, not even their digests: the second medium is easily carried
away.
"""

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import field
from pathlib import Path
from typing import Any

from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import store
from sabot.firmware.journal.checkpoints import Signer
from sabot.firmware.journal.mirror_file import HEADS, append_lines, write_copy
from sabot.rules.errors import SabotError
from sabot.rules.frozen import frozen, mutable

RETRY_S = 5.0
HEAD_PATIENCE_S = 1.0
LOOK_S = 0.01


@frozen
class MirrorPicture:
    """The picture that is copied, as of one entry."""

    entry: int
    table: str
    balances: Mapping[str, int]
    rounds: int
    open_round: Mapping[str, object] | None = None
    awaits_head: bool = False


@mutable
class Mirror:
    """The thread that keeps the copy; ``bad`` and ``good`` are called on the loop."""

    rooms: Rooms
    folder: Path
    board: Signer
    bad: Callable[[str], None]
    good: Callable[[], None]
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    written: int = 0
    _newest: MirrorPicture | None = None
    _is_bad: bool = False
    _ends: bool = False
    _bell: threading.Event = field(default_factory=threading.Event)
    _hand: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to keep the copy."""
        # A thread of its own: a stick that hangs must not delay a commit.
        self._thread = threading.Thread(target=self._run, name="second medium", daemon=True)
        self._thread.start()

    def show(self, picture: MirrorPicture) -> None:
        """Hand over a picture; only the newest one is copied."""
        with self._hand:
            self._newest = picture
        self._bell.set()

    def close(self, timeout_s: float = 2.0) -> bool:
        """Write what is left and end; return False where the second medium does not take it in time."""
        self._ends = True
        self._bell.set()
        if self._thread is not None:
            self._thread.join(timeout_s)
        return self._newest is None

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        is_going = True
        while is_going:
            # Tried again only where something is left: a written copy needs no look until the next picture.
            self._bell.wait(RETRY_S if self._newest else None)
            self._bell.clear()
            # Before the last look, not after it: what was handed over before the end is still written.
            is_going = not self._ends
            if self._newest is not None:
                self._keep(self._newest)

    def _keep(self, picture: MirrorPicture) -> None:
        try:
            is_written = self._write(picture)
        except (OSError, SabotError, sqlite3.Error) as error:
            self._became(is_bad=True, why=str(error))
            return
        if not is_written:
            return
        with self._hand:
            # A newer one may have been shown while this one was written.
            if self._newest is picture:
                self._newest = None
        self.written = picture.entry
        self._became(is_bad=False)

    def _write(self, picture: MirrorPicture) -> bool:
        with closing(store.open_for_reading(self.rooms.journal)) as db:
            self._await_head(db, picture)
            entry = store.entry(db, picture.entry)
            if entry is None:  # not on the first medium yet: the next look finds it
                return False
            link = entry.link.hex()
            # The heads before the copy: cut off between them there is a head too many, never one too few.
            append_lines(self.folder / HEADS, db, self.board.public_key)
        write_copy(self.folder, self.board, _content(picture, link, self.board, self.rooms))
        return True

    def _await_head(self, db: sqlite3.Connection, picture: MirrorPicture) -> None:
        """Wait a moment for a round's head, which is made right after its record, in the next entry."""
        waited_s = 0.0
        while picture.awaits_head and not self._ends and waited_s < HEAD_PATIENCE_S:
            if store.last_of(db)[0] > picture.entry:
                return
            threading.Event().wait(LOOK_S)
            waited_s += LOOK_S

    def _became(self, *, is_bad: bool, why: str = "") -> None:
        # An event where it changes, not each time it is tried: a stick that is out would fill the journal.
        if is_bad == self._is_bad:
            return
        self._is_bad = is_bad
        with suppress(RuntimeError):  # the loop has ended: nobody listens any more
            if is_bad:
                self.loop.call_soon_threadsafe(self.bad, why)
            else:
                self.loop.call_soon_threadsafe(self.good)


def _content(picture: MirrorPicture, link: str, board: Signer, rooms: Rooms) -> dict[str, object]:
    return {
        "board": board.public_key.hex(),
        "table": picture.table,
        "journal": {"entries": picture.entry, "link": link},
        "balances": dict(picture.balances),
        "rounds": picture.rounds,
        "open_round": picture.open_round,
        # Number, name and role: no PIN, nor a digest of one, for the medium is easily carried away.
        "people": [
            {name: each[name] for name in ("number", "name", "role")}
            for each in _list(rooms.people, "people")
        ],
        "devices": _object(rooms.devices, "devices"),
    }


def _list(path: Path, name: str) -> list[dict[str, str]]:
    found = _kept(path).get(name, [])
    return found if isinstance(found, list) else []


def _object(path: Path, name: str) -> dict[str, str]:
    found = _kept(path).get(name, {})
    return found if isinstance(found, dict) else {}


def _kept(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):  # nobody is enrolled yet, or its own reader says that it is damaged
        return {}
    return found if isinstance(found, dict) else {}
