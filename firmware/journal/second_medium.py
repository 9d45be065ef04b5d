"""The second medium beside a running table: compared at the start, kept up while it runs.

What is copied is added up from what was durable, never from what the table is about to do. A copy that
contradicts the journal is left as it is until that is in the journal; then it is set aside, never written
over.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import field
from pathlib import Path
from typing import Protocol

from sabot.firmware.credentials.atomic_files import set_aside, write_whole
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import mirror_file, store
from sabot.firmware.journal.books import balances_of
from sabot.firmware.journal.checkpoints import Signer
from sabot.firmware.journal.content import Handled
from sabot.firmware.journal.mirror import Mirror, MirrorPicture
from sabot.rules.errors import SabotError
from sabot.rules.frozen import mutable
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import RecordRound, ReportDay
from sabot.statemachine.vocabulary.events import DeviceFaulted, DeviceRetested, Event, Role

DEVICE = "second medium"
# After these the runner signs a head, and the copy waits for it.
CLOSING = (RecordRound, ReportDay)
# Beyond any entry.
LAST = 2**62


class Post(Protocol):
    """The inbox of events."""

    def __call__(self, event: Event) -> None:
        """Take an event."""


@mutable
class SecondMedium:
    """Keeps the copy of one table; a subscriber of its runner."""

    rooms: Rooms
    folder: Path
    board: Signer
    name: str
    table: Table
    post: Post
    now: Callable[[], float]
    _mirror: Mirror = field(init=False)
    _balances: dict[str, int] = field(init=False)
    _contradiction: Event | None = None
    _seen: dict[int, tuple[int, Mapping[str, object] | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._mirror = Mirror(self.rooms, self.folder, self.board, self._bad, self._good)
        self._balances = dict(self.table.state.books.ledger.balances)

    def begin(self, head: int) -> None:
        """Compare, and begin to copy from this signed head on; called after the table has resumed.

        A medium without a copy, or with an older one, is another than the board saw last, or was put back.
        """
        self._mirror.start()
        reason = self._difference()
        if reason is None:
            # Of the entry that the head signs; the mirror waits for the head, so that both come together.
            self._mirror.show(self._picture(head - 1, awaits_head=True))
            return
        self._contradiction = DeviceFaulted(
            at=self.now(), source=DEVICE, device=DEVICE, fault="contradiction", detail=reason
        )
        self.post(self._contradiction)

    def _difference(self) -> str | None:
        try:
            copy = mirror_file.read_copy(self.folder)
            # A blank medium, or one with less than the board saw last, was exchanged or put back.
            if copy is None or copy.entries < self._seen_until():
                return self._missed(copy)
            with closing(store.open_for_reading(self.rooms.journal)) as db:
                return mirror_file.compare(copy, db, self.board.public_key, self._balances)
        except SabotError as error:
            return str(error)

    def _seen_until(self) -> int:
        """Return how far the copy had reached when the board saw it last, 0 where it never saw one."""
        try:
            return int(json.loads(self.rooms.second.read_bytes())["entries"])
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, KeyError, TypeError):  # somebody was at it: any copy is too old
            return LAST

    def _missed(self, copy: mirror_file.Copy | None) -> str | None:
        """Return why a medium is not the one that the board knows; a first one is as good as any."""
        seen = self._seen_until()
        if not (seen and self.folder.is_dir()):  # one that is not there at all is a fault of its own
            return None
        known = "the note of what it had cannot be read" if seen == LAST else f"it had entry {seen}"
        return f"{known}, and has {'no copy' if copy is None else f'a copy of entry {copy.entries}'} now"

    def _note(self, entries: int) -> None:
        """Remember how far the copy reached; a first medium that takes nothing holds the table anyway."""
        with suppress(OSError):
            write_whole(self.rooms.second, json.dumps({"entries": entries}).encode())

    def look(self, number: int, handled: Handled) -> None:
        """Note, when an event is handled, what the copy of its entry will show of the table."""
        if self._is_copied(handled):
            # Taken now, shown later: by the time that the entry is on the medium the table has gone on.
            self._seen[number] = self.table.state.books.rounds, open_round(self.table)

    def _is_copied(self, handled: Handled) -> bool:
        return bool(handled.moves) or _is_over(handled) or handled.event.source == DEVICE

    def tell(self, number: int, handled: Handled) -> None:
        """Count what an event moved, once it is durable, and copy where that is due."""
        for account, units in balances_of(handled.moves or {}).items():
            self._balances[account] = self._balances.get(account, 0) + units
        if self._contradiction is not None:
            # A copy that contradicts is left as it is until the journal has it: only then is it set aside.
            if handled.event is not self._contradiction:
                return
            self._contradiction = None
            self._set_aside()
        if self._is_copied(handled):
            self._mirror.show(self._picture(number, awaits_head=_is_over(handled)))

    def end(self, head: int) -> bool:
        """Write the last copy as the journal is closed with this head; False where that took too long."""
        if self._contradiction is None:
            self._mirror.show(self._picture(head - 1, awaits_head=True))
        is_written = self._mirror.close()
        if self._mirror.written:
            self._note(self._mirror.written)
        return is_written

    def _picture(self, number: int, *, awaits_head: bool) -> MirrorPicture:
        if number in self._seen:
            rounds, round_ = self._seen.pop(number)
        else:
            rounds, round_ = self.table.state.books.rounds, open_round(self.table)
        return MirrorPicture(number, self.name, dict(self._balances), rounds, round_, awaits_head)

    def _set_aside(self) -> None:
        try:
            set_aside(self.folder, (mirror_file.COPY, mirror_file.HEADS))
        except OSError as error:
            self._bad(str(error))
            return
        # What contradicted is out of the way, and kept: that is its test, and the floor has the last word.
        self._retested("contradiction")

    # ------------------------------------------------------------ its own faults

    def _bad(self, why: str) -> None:
        self.post(DeviceFaulted(at=self.now(), source=DEVICE, device=DEVICE, fault="device", detail=why))

    def _good(self) -> None:
        self._note(self._mirror.written)
        self._retested("device" if self._contradiction is not None else "all")

    def _retested(self, fault: str) -> None:
        self.post(DeviceRetested(at=self.now(), source=DEVICE, device=DEVICE, fault=fault, good=True))


def _is_over(handled: Handled) -> bool:
    return any(isinstance(effect, CLOSING) for effect in handled.effects)


def open_round(table: Table) -> Mapping[str, object] | None:
    """Return what the floor must know to finish a round by hand; no card that is not public."""
    if table.state.play.round is None:
        return None
    seen = table.rooms.views.view(Role.DEALER)
    names = ("phase", "round", "dealer", "deck", "bets", "raises", "folded", "asking", "counts", "public")
    return {name: seen[name] for name in names if name in seen}
