"""All that the host says to one device and hears of it, over as many sessions as it takes; no port, no clock.

A session ends with its link; the talk goes on. It greets anew after a pause, reads the state and what the
device kept before it calls the link restored. What the device is for is the business of those who build on
this: a machine for cards (``card_machine``), an electronic wagering system.
"""

# Theory of operation. The talk holds at most one ``Session`` and makes another when that one is over
# (``_next_try``). Bytes and times go in (``receive``, ``tick``), bytes and events come out (``take_wires``,
# ``take_events``), and ``deadline`` says when to call again; so all of it is tested without a wire. Each kind
# of news that a session brings has its row in ``_NEWS``.
#
# A session that is open is not yet a link that is up. STATE comes first and promises ``kept`` events; these
# are told to the table in their order (``_await_kept``), then ``_settle`` brings both sides in line, which
# ends in ``_restored``. ``_expected`` has a time for everything that was promised; a session that ends takes
# with it what only a device on the line can keep (``dies_with_link``).

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

from sabot.drivers.device import Identity
from sabot.drivers.options import Value
from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.books import LinkBooks
from sabot.drivers.sabot_link.codec import SabotLinkCodec
from sabot.drivers.sabot_link.session import LEAVING, News, Session, SessionOutcome, SessionTerms
from sabot.statemachine.vocabulary.events import Event, LinkLost, LinkRestored

PAUSE_S, REFUSED_PAUSE_S = 1.0, 5.0
ALL_FAULTS = 0
# One report that was kept after the other: what was promised and does not come ends the session.
KEPT, KEPT_S = "kept", 2.0
PINS = ("maker", "model", "serial", "firmware")


class Talk(ABC):
    """One device as the host knows it."""

    kinds: ClassVar[frozenset[int]] = frozenset()
    # What waits for a device that is gone waits no more.
    dies_with_link: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        books: LinkBooks,
        options: Mapping[str, Value],
        enrolled: Callable[[], bytes | None],
        draw: Callable[[int], bytes],
    ) -> None:
        self.books, self.options, self.enrolled, self.draw = books, options, enrolled, draw
        self.codec = SabotLinkCodec()
        self.session: Session | None = None
        self.identity = Identity()
        self.offered = b""
        self.is_up = self.is_port_suspect = False
        self.why = "not connected yet"
        self.answers = 0
        self._told_lost = False
        self._complaint = ""
        self._kept_left = 0
        self._next_try: float | None = None
        self._expected: dict[str, float] = {}
        self._wires: list[bytes] = []
        self._events: list[Event] = []

    # ---------------------------------------------------------------- the line

    def opened(self, now: float) -> None:
        """Greet the device, now that the port is open."""
        self.session = Session(self._terms(), self.draw, self.codec.statistics)
        self._next_try, self.is_port_suspect = None, False
        # Ends whatever noise the port brought before the first frame.
        self._wires.append(b"\0")
        self._do(self.session.tick(now), now)

    def _terms(self) -> SessionTerms:
        books = self.books
        is_proved = bool(self.options["authenticated"])
        return SessionTerms(is_proved, False, self.enrolled(), self._verify, books.boot, books.last_event)

    def closed(self, why: str, now: float) -> None:
        """End the session: the port is gone."""
        self.session, self._next_try = None, None
        self._lost(why, now)

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes that came."""
        for frame in self.codec.receive(data):
            if self.session is not None:
                self._do(self.session.handle(frame, now), now)

    def tick(self, now: float) -> None:
        """Do what is due."""
        if self._next_try is not None and now >= self._next_try:
            self.opened(now)
        elif self.session is not None:
            self._do(self.session.tick(now), now)
        for what in [each for each, at in self._expected.items() if now >= at]:
            if self._expected.pop(what, None) is None:
                continue
            if what == KEPT:
                self._again(f"{self._kept_left} of the reports that it kept did not come", now, PAUSE_S)
            else:
                self._events += self._overdue(what, now)

    @property
    def deadline(self) -> float | None:
        """Return when ``tick`` has something to do."""
        session = self.session.deadline if self.session else None
        times = [at for at in (session, self._next_try, *self._expected.values()) if at is not None]
        return min(times, default=None)

    def take_wires(self) -> bytes:
        """Take out the bytes that are to be written now."""
        data, self._wires = b"".join(self._wires), []
        return data

    def take_events(self) -> list[Event]:
        """Take out the events that are to be posted now."""
        events, self._events = self._events, []
        return events

    # ---------------------------------------------------------------- what people want

    def retest(self, fault: str, now: float) -> None:
        """Let the device test the cause of a fault again; one that is not there fails the test."""
        self.books.asked_of = fault
        if self.is_up:
            self._send(m.Retest(ALL_FAULTS), now)
            return
        self._events.append(self.books.untested(f"not connected: {self.why}", now))
        if self._next_try is not None:
            self._next_try = now

    def clear(self, now: float) -> None:
        """Clear what is latched, for a person released the fault."""
        if self.is_up and self.books.fault:
            self._send(m.ClearLatch(ALL_FAULTS), now)

    def query(self, now: float) -> None:
        """Ask for its state."""
        if self.is_up:
            self._send(m.Query(), now)

    def leave(self, now: float) -> None:
        """End the session, and begin no other."""
        if self.session is not None:
            self._do(self.session.end(LEAVING), now)
        self.session, self._next_try, self.is_up = None, None, False
        self._forget_orders()
        self._expected.clear()

    # ---------------------------------------------------------------- news

    def _send(self, message: m.Message, now: float, *, is_urgent: bool = False) -> None:
        assert self.session is not None
        self._do(self.session.send(message, now, is_urgent=is_urgent), now)

    def _do(self, outcome: SessionOutcome, now: float) -> None:
        self._wires += outcome.wires
        for news in outcome.news:
            _NEWS[news.kind](self, news, now)

    def introduced(self, news: News, _now: float) -> None:
        """Keep who it says it is; it is the one that is wanted."""
        assert isinstance(news.message, m.IdentityTold)
        self.identity = self._identity(news.message, is_proved=False)

    def arrived(self, news: News, now: float) -> None:
        """Take something that it reported; the kept reports are counted until it is up."""
        assert news.message is not None
        # A repeated event meets nothing that is waited for.
        if self.books.is_new(news.message):
            self._note(news.message, now)
        self._events += self.books.on(news.message, now)
        # Up only behind the last report that was kept: the table hears of it in order.
        if not self.is_up and isinstance(news.message, m.Happened) and self._kept_left:
            self._await_kept(self._kept_left - 1, now)
            self._settle(now)

    def _await_kept(self, left: int, now: float) -> None:
        """Expect so many of the reports that it kept, the next one soon."""
        self._kept_left = left
        self._expected.pop(KEPT, None)
        if left:
            self._expected[KEPT] = now + KEPT_S

    def malformed(self, news: News, now: float) -> None:
        """Report a message that is against the page."""
        assert news.message is not None
        self._events += self.books.malformed(news.message, now)

    @abstractmethod
    def answered(self, news: News, now: float) -> None:
        """Take an answer: the state, or whether a command is taken on."""

    def described(self, news: News, now: float) -> None:
        """Take an answer, counting the states that were told for whoever waits for one."""
        self.answers += isinstance(news.command, m.Query)
        self.answered(news, now)

    def unanswered(self, news: News, now: float) -> None:
        """Report a command without an answer; without a state there is no link."""
        assert news.command is not None
        if isinstance(news.command, m.Query):
            self._again("it does not tell its state", now, PAUSE_S)
        else:
            self._events += self._refused(news.command, "no answer", now)

    def lost(self, news: News, now: float) -> None:
        """Greet anew after a pause; where nothing answered at all the port itself is suspect."""
        self.is_port_suspect = self.session is not None and self.session.told is None
        self._again(news.words, now, PAUSE_S)

    def refused(self, news: News, now: float) -> None:
        """Report a device that is not the one wanted, or does not prove it: a fault until it is enrolled."""
        assert self.session is not None
        assert self.session.told is not None
        self.offered = self.session.told.public
        self.identity = self._identity(self.session.told, is_proved=False)
        # Once: the same wrong device is asked again every few seconds.
        if news.words != self._complaint:
            self._complaint = news.words
            self._events.append(self.books.fault_found("device", news.words, now))
        self._again(news.words, now, REFUSED_PAUSE_S)

    # ---------------------------------------------------------------- up and down

    def _introduce(self, kept: int, now: float) -> None:
        """Take over the identity that goes with a state, and expect the reports that follow."""
        assert self.session is not None
        assert self.session.told is not None
        self.books.connected(self.session.told)
        self.identity = self._identity(self.session.told, is_proved=bool(self.options["authenticated"]))
        self._await_kept(kept, now)

    @abstractmethod
    def _settle(self, now: float) -> None:
        """Bring the device to what the table wants, once all that it kept has come."""

    def _restored(self, now: float) -> None:
        """Count the device as up, and tell what that ends: a fault of its identity, a lost link."""
        self.is_up, self.why, self.offered = True, "", b""
        if self._complaint:
            self._complaint = ""
            self._events.append(self.books.tested_good("device", now))
        if self._told_lost:
            self._told_lost = False
            self._events.append(LinkRestored(at=now, source=self.books.name, device=self.books.name))

    def _again(self, why: str, now: float, pause_s: float) -> None:
        """End this session, and greet anew after a pause."""
        self.session = None
        self._lost(why, now)
        self._next_try = now + pause_s

    def _lost(self, why: str, now: float) -> None:
        self.is_up, self.why = False, why
        for what in (KEPT, *self.dies_with_link):
            self._expected.pop(what, None)
        self._forget_orders()
        if not self._told_lost:
            self._told_lost = True
            name = self.books.name
            self._events.append(LinkLost(at=now, source=name, device=name, reason=why))

    def _verify(self, told: m.IdentityTold) -> str:
        """Return why it is not of a kind wanted here, or not the one that the table file pins; else empty."""
        if told.kind not in self.kinds:
            return f"another device: it is a {words.KINDS[told.kind]}"
        for pin in PINS:
            wanted, found = str(self.options[pin]), getattr(told, pin)
            if wanted and wanted != found:
                return f"another device: its {pin} is {found}, {wanted} is wanted"
        return ""

    def _identity(self, told: m.IdentityTold, *, is_proved: bool) -> Identity:
        kind, can = words.KINDS[told.kind], self._capabilities(told.capabilities)
        return Identity(kind, told.maker, told.model, told.serial, told.firmware, can, is_proved)

    # ---------------------------------------------------------------- what each kind has of its own

    @abstractmethod
    def _capabilities(self, bits: int) -> tuple[str, ...]:
        """Return in words the capabilities that it claims."""

    def _forget_orders(self) -> None:  # noqa: B027 - not every kind orders anything again
        """Forget what waited to be ordered again: the session is over."""

    @abstractmethod
    def _note(self, message: m.Message, now: float) -> None:
        """Stop waiting for what has come."""

    @abstractmethod
    def _overdue(self, what: str, now: float) -> list[Event]:
        """Return what follows from a promise that was not kept."""

    @abstractmethod
    def _refused(self, command: m.Message, why: str, now: float) -> list[Event]:
        """Return what the table has to know of a command that is not carried out."""


_NEWS: dict[str, Callable[[Talk, News, float], None]] = {
    "introduced": lambda talk, news, now: talk.introduced(news, now),
    "arrived": lambda talk, news, now: talk.arrived(news, now),
    "malformed": lambda talk, news, now: talk.malformed(news, now),
    "answered": lambda talk, news, now: talk.described(news, now),
    "unanswered": lambda talk, news, now: talk.unanswered(news, now),
    "lost": lambda talk, news, now: talk.lost(news, now),
    "refused": lambda talk, news, now: talk.refused(news, now),
    "unenrolled": lambda talk, news, now: talk.refused(news, now),
    "forged": lambda talk, news, now: talk.refused(news, now),
}
