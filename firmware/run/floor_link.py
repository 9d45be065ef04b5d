"""The floor of linked meters, as the table's program has it: events in, amounts on the signs, nothing waits.

What the table tells the floor is in its journal. So all that this does is to say which entry is on the
medium; a thread beside the loop keeps it, says it and hears the floor (``sabot.uplink.link_thread``). What
comes with a number becomes an event of the table. Amounts do not: the floor's ledger has them, a sign shows
them as they come, and a table that is told thirty of them a minute would journal nothing else.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, closing, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from sabot.drivers import hashing
from sabot.firmware.integrity.installation import here
from sabot.firmware.integrity.manifest import MANIFEST
from sabot.firmware.journal import store
from sabot.firmware.journal.content import EVENT, Handled
from sabot.firmware.run.table_day import PlayedDay
from sabot.firmware.run.table_state import state_of
from sabot.floor import messages
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.effects import AnnounceHit, Effect, SetMeter
from sabot.uplink import journal_messages
from sabot.uplink.durable_end import KeptEnd
from sabot.uplink.link_thread import LinkThread

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from sabot.config.table_file import DaySettings, FloorTerms
    from sabot.drivers.device import DeviceStatus
    from sabot.firmware.credentials.board import Board, Rooms
    from sabot.firmware.run.clock import Clock
    from sabot.firmware.run.runner import Runner
    from sabot.uplink.table_end import Message, Say, Sign

QUERY = "SELECT number, body, link FROM entry WHERE number > ? AND number <= ? AND kind = ? ORDER BY number"
# A hit of another table stands on the signs for so long; the table's state is told so often.
ANNOUNCED_S, REPORT_S = 30.0, 1.0
SOURCE = "floor link"
Broke = Callable[[BaseException], None]


class JournalEntries:
    """The journal as the link's thread reads it: opened for each look, for looks are seldom."""

    def __init__(self, path: Path, day: DaySettings) -> None:
        self._path, self._day = path, PlayedDay(self._opened, day)

    def _opened(self) -> AbstractContextManager[sqlite3.Connection]:
        return closing(store.open_for_reading(self._path))

    def last(self) -> int:
        """Return the number of the newest entry on the medium."""
        with self._opened() as db:
            found: int = db.execute("SELECT coalesce(max(number), 0) FROM entry").fetchone()[0]
        return found

    def says(self, above: int, upto: int) -> list[tuple[int, list[Say]]]:
        """Return the entries that make messages, in their order."""
        with self._opened() as db:
            return [
                (number, journal_messages.says(json.loads(body)["effects"], bytes(link).hex()))
                for number, body, link in db.execute(QUERY, (above, upto, EVENT))
                if journal_messages.may_say(body)
            ]

    def day(self, upto: int) -> dict[str, object]:
        """Return the counts of the gaming day up to an entry."""
        return self._day.upto(upto)


def _digest_of_program() -> str:
    """Return the digest of the manifest that this program was released with, empty in development."""
    release = here().release
    return hashing.sha256((release / MANIFEST).read_bytes()).hex() if release is not None else ""


class FloorLink:
    """The loop's part of the link; the thread calls ``Hears`` and is answered in the loop."""

    def __init__(
        self,
        name: str,
        terms: FloorTerms,
        day: DaySettings,
        board: Board,
        rooms: Rooms,
        runner: Runner,
        clock: Clock,
        broke: Broke,
        devices: Callable[[], Iterable[DeviceStatus]],
    ) -> None:
        self._name, self._runner, self._clock, self._broke = name, runner, clock, broke
        self._devices, self._program = devices, _digest_of_program()
        self._loop = asyncio.get_running_loop()
        # A link of the floor may feed several meters of this table: a sign for each shows its amounts.
        self._meters: dict[str, list[str]] = {}
        for meter, link in terms.meters.items():
            self._meters.setdefault(link, []).append(meter)
        memory = partial(KeptEnd, rooms.link, name, board, terms.key)
        entries, entered = JournalEntries(rooms.journal, day), runner.table.state.books.linked.heard
        self.thread = LinkThread(memory, tuple(self._meters), terms.socket, entries, self, entered)
        self._newest = 0
        self._shown: dict[tuple[str, str], int] = {}
        self._hits: dict[str, list[Any]] = {}
        self._announced: dict[str, asyncio.TimerHandle] = {}
        self._next_report: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Follow what is on the medium from now on, and tell the floor."""
        self._runner.subscribers.append(self._on_medium)
        self.thread.start()
        self._report()

    def _report(self) -> None:
        """Report the state of the table, each second."""
        if not self._runner.is_ahead:  # what is not on the medium yet is nobody's to know
            state = state_of(self._runner.table, self._devices(), self._program, self._amounts())
            self.thread.report(state, self._newest)
        self._next_report = self._loop.call_later(REPORT_S, self._report)

    def stop(self) -> None:
        """Say and hear nothing more."""
        for timer in (*self._announced.values(), self._next_report):
            if timer is not None:
                timer.cancel()
        self.thread.end()

    def _on_medium(self, number: int, handled: Handled) -> None:
        self._newest = number
        if any(type(effect).__name__ in journal_messages.MESSAGES for effect in handled.effects):
            # Only the number: the thread reads the entry itself, so
            # it can tell nothing that is not on the medium.
            self.thread.durable(number)

    # ------------------------------------------------------------ called by the thread

    def floor_said(self, message: Message, about: Message) -> None:
        """Take a numbered message of the floor."""
        self._call(self._post, event_of(message, about, self._clock.now()))

    def link_is(self, link: str, config: int, why: str) -> None:
        """Take the state that a link has from now on."""
        changed = ev.MeterLinkChanged(at=self._clock.now(), source=SOURCE, link=link, config=config, why=why)
        self._call(self._post, changed)

    def sign_is(self, link: str, sign: Sign) -> None:
        """Take the amounts that the signs of a link show."""
        self._call(self._show, link, sign)

    def link_broke(self, error: BaseException) -> None:
        """Take the exception that nobody expected: it is a slip of the program like any other."""
        self._call(self._broke, error)

    def _call(self, what: Callable[..., None], *words: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: the program has ended
            self._loop.call_soon_threadsafe(what, *words)

    # ------------------------------------------------------------ in the loop

    def _post(self, event: ev.Event) -> None:
        self._runner.post(event)

    def _show(self, link: str, sign: Sign) -> None:
        for meter in self._meters[link]:
            for level, cents in sign.cents.items():
                self._shown[meter, level] = cents
                self._runner.show(SetMeter(meter=meter, level=level, cents=cents))
            self._announce(meter, sign.hit)

    def _amounts(self) -> list[tuple[str, str, int]]:
        """Return the amounts on the signs of linked meters."""
        return [(meter, level, cents) for (meter, level), cents in self._shown.items()]

    def _announce(self, meter: str, hits: list[Any]) -> None:
        """Show a hit of another table for a while: its own table has it by its own lamp and sign."""
        known, self._hits[meter] = self._hits.get(meter), hits
        # A hit that was there at the start was announced before; nobody wins anew by a restart.
        if known is None or known == hits or not hits:
            return
        _, table, seats, cents, _ = hits[0]
        if table != self._name:
            self._tell(meter, AnnounceHit(meter=meter, table=table, seats=tuple(seats), cents=cents))

    def _tell(self, meter: str, effect: Effect) -> None:
        self._runner.show(effect)
        if meter in self._announced:
            self._announced[meter].cancel()
        over = AnnounceHit(meter=meter, table="")
        self._announced[meter] = self._loop.call_later(ANNOUNCED_S, self._runner.show, over)


def event_of(message: Message, about: Message, at: float) -> ev.Event:
    """Return the event that a numbered message of the floor is."""
    return EVENTS[message["kind"]](message, about, {"at": at, "source": SOURCE, "number": message["number"]})


def _granted(message: Message, _about: Message, base: dict[str, Any]) -> ev.Event:
    names = ("link", "level", "round", "wager", "row", "cents", "each", "by_hand")
    named = {name: message[name] for name in names}
    return ev.HitGranted(**base, **named, grant=message["entry"], seats=tuple(message["seats"]))


def _refused(message: Message, about: Message, base: dict[str, Any]) -> ev.Event:
    return ev.MeterLinkRefused(
        **base,
        message=about.get("kind", ""),
        link=about.get("link", ""),
        round=about.get("round", 0),
        wager=about.get("wager", ""),
        seats=tuple(about.get("seats", ())),
        why=message["why"],
    )


def _taken_back(message: Message, _about: Message, base: dict[str, Any]) -> ev.Event:
    return ev.GrantTakenBack(**base, grant=message["grant"], cause=message["cause"])


EVENTS: Mapping[str, Callable[[Message, Message, dict[str, Any]], ev.Event]] = {
    messages.GRANTED: _granted,
    messages.REFUSED: _refused,
    messages.TAKEN_BACK: _taken_back,
}
