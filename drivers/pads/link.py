"""The link to one pad: found, greeted, proved, and from then on an order with every beat.

Every beat says the whole order again, so a lost one is repaired within a quarter of a second; an order that
was not acknowledged goes out once more after a tenth. A pad that tells nothing or takes nothing for a second
is gone, and is looked for anew with a back-off. Who stands above hears of it through ``PadListener``.
"""

# Theory of operation. A ``UsbPort`` is one attempt; when it ends, a timer makes the next. While it is open
# one session runs over it. Three timers keep the session: ``greet`` repeats HELLO or PROVE, ``beat`` says the
# whole order at least every 250 ms (the pad locks itself after a second without one), and ``again`` says it
# once more after 100 ms unless it was acknowledged. An order is never repeated as it was: it gets a new
# number and is made anew from what is wanted by then, so a lock that came meanwhile goes out with it.
#
# ``_ordered`` remembers each order until a later state acknowledges it. Two questions are answered from it:
# which order a state speaks of, and which spots every order since the state before had kept locked, for the
# pad may have obeyed any of them for a while (``consistency``).

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from sabot.drivers.beat_grid import next_beat
from sabot.drivers.device import Host, Identity, not_as_pinned, swapped
from sabot.drivers.pads.codec import PadCodec
from sabot.drivers.pads.desired import EVERY_SPOT
from sabot.drivers.pads.messages import IdentityMessage, PadOrder
from sabot.drivers.pads.options import Chosen
from sabot.drivers.pads.session import PadLinkSession, PadPhase, PadTerms, PadTold
from sabot.drivers.pads.usb import PortListener, UsbPort

# From the page's table of times.
SILENCE_S = 1.0
AGAIN_S = 0.1
GREETING_S, GREETINGS = 0.2, 5
BACK_OFF_S = (0.25, 0.5, 1.0, 2.0, 5.0)
_DONE = float("inf")
# What is known of an order that nobody remembers: it forbids nothing.
UNKNOWN = PadOrder(0, EVERY_SPOT, EVERY_SPOT)


class PadListener(NamedTuple):
    """Callbacks of the link: a session began, a state came, the end.

    A state comes with its time, the order that it acknowledges, and the spots that each order since the one
    before had locked without expecting a hand there.
    """

    began: Callable[[IdentityMessage], None]
    told: Callable[[PadTold, float, PadOrder, int], None]
    lost: Callable[[str], None]
    refused: Callable[[str], None]
    wanted: Callable[[float], PadOrder]


class PadLink:
    """One pad, from the first look to ``stop``."""

    def __init__(self, name: str, chosen: Chosen, host: Host, ears: PadListener) -> None:
        self._name, self._chosen, self._host, self._ears = name, chosen, host, ears
        self.codec = PadCodec()
        self.session: PadLinkSession | None = None
        self.why = "not started"
        self.attempts = 0
        self.timers: dict[str, asyncio.TimerHandle] = {}
        self._port: UsbPort | None = None
        self._is_open = self._is_stopping = False
        self._known = Identity()
        self._greetings = 0
        self._ordered: dict[int, tuple[float, PadOrder]] = {}
        self._heard_at = 0.0
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Event

    def start(self) -> None:
        """Look for the pad."""
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._is_stopping = False
        self._attempt()

    async def stop(self) -> None:
        """Let the last order go out, and wait for the threads to end."""
        self._is_stopping = True
        self._down("stopped")
        if self._port is not None:
            await self._over.wait()

    @property
    def where(self) -> str:
        """The bus and address of the pad."""
        return self._port.where if self._port else "usb"

    @property
    def identity(self) -> Identity:
        """Return the pad's identity as far as it was told."""
        return self.session.identity if self.session else Identity("pads")

    def look_anew(self) -> None:
        """Look at once, as a person asked, and take on another pad than before where none is enrolled."""
        self._known = Identity()
        if "attempt" in self.timers:
            self._later("attempt", 0.0, self._attempt)

    # ---------------------------------------------------------------- the port

    def _attempt(self) -> None:
        self.timers.pop("attempt", None)
        owner = PortListener(self._opened, self._received, self._ended)
        self._over.clear()
        self._port = UsbPort(self._chosen.wanted, self._loop, self._host.now, owner)
        self._port.start()

    def _opened(self) -> None:
        if self._is_stopping:
            return
        self._is_open = True
        self.codec.statistics.opened += 1
        enrolled = self._host.keyring.key_of(self._name) if self._chosen.authenticated else None
        count = max(self._chosen.spots.by_number) + 1
        terms = PadTerms(self._chosen.authenticated, enrolled, self._why_not, count)
        self.session = PadLinkSession(terms, secrets.token_bytes, self.codec.statistics)
        self.codec.forget()
        self._greetings = 0
        self._greet()

    def _why_not(self, told: Identity) -> str:
        """Return why this pad is not the table file's, or not the one that was here before; else empty."""
        if why := not_as_pinned(told, self._chosen.pins):
            return why
        # A key proves more than names do: an authenticated pad need not have the names of the one before.
        return "" if self._chosen.authenticated else swapped(self._known, told)

    def _ended(self, why: str) -> None:
        """Say that the port has ended, and look for the pad again after a while, unless stopping."""
        if not self._is_stopping:
            self._ears.lost(why)
        self._down(why or self.why)
        self._port = None
        self._over.set()
        if not self._is_stopping:
            wait = BACK_OFF_S[min(self.attempts, len(BACK_OFF_S) - 1)]
            self.attempts += 1
            self._later("attempt", wait, self._attempt)

    def _down(self, why: str) -> None:
        """Give up the link; a port that is still open ends, and says so by ``_ended``."""
        for timer in self.timers.values():
            timer.cancel()
        self.timers.clear()
        self._is_open, self.why = False, why
        if self._port is not None:
            self._port.close()

    def _give_up(self, why: str) -> None:
        self._ears.lost(why)
        self._down(why)

    # ---------------------------------------------------------------- greeting

    def _greet(self) -> None:
        session = self.session
        if session is None or session.phase not in (PadPhase.GREETING, PadPhase.PROVING):
            return
        if self._greetings == GREETINGS:
            self._give_up(f"no answer, asked {GREETINGS} times")
            return
        self.codec.statistics.retries += bool(self._greetings)
        self._greetings += 1
        self._send(session.greeting())
        self._later("greet", GREETING_S, self._greet)

    def _moved(self, session: PadLinkSession) -> None:
        """Do what follows from a step of the session: prove, order, or refuse."""
        if session.phase is PadPhase.REFUSED:
            # Another pad than the right one: it is looked for again at the longest interval.
            self.attempts = len(BACK_OFF_S)
            self._ears.refused(session.refusal)
            self._down(session.refusal)
        elif session.phase is PadPhase.PROVING:
            self._greetings = 0
            self._greet()
        elif session.who is not None:
            # Compared by its names alone.
            self._known = replace(session.identity, authenticated=False)
            self._ears.began(session.who)
            self._heard_at = self._host.now()
            self._ordered.clear()
            self.order()

    # ---------------------------------------------------------------- states in, orders out

    def _received(self, at: float, data: bytes) -> None:
        self._host.overhear(self._name, "in", data)
        for frame in self.codec.receive(data):
            session = self.session
            # A frame before this one, in the same read, may have ended the session.
            if session is None or not self._is_open:
                return
            phase = session.phase
            told = session.take(frame)
            if session.phase is not phase:
                self._moved(session)
            if told is not None:
                self._told(told, at)

    def _told(self, told: PadTold, at: float) -> None:
        self._heard_at, self.attempts, self.why = at, 0, ""
        ordered = self._ordered.get(told.ack, (at, UNKNOWN))[1]
        kept_locked = EVERY_SPOT
        for number in [each for each in self._ordered if each <= told.ack]:
            order = self._ordered.pop(number)[1]
            # Every order since the last state, not the last one alone: the
            # pad may have obeyed any of them for a while.
            kept_locked &= order.locked & ~order.expected
        # Kept: the next state may acknowledge the same order again.
        self._ordered[told.ack] = (_DONE, ordered)
        if self.session is not None and told.ack == self.session.ordered:
            self._cancel("again")
        self._ears.told(told, at, ordered, kept_locked)
        # States are missing before this one. An order is answered at once, so the gap is not left for a beat.
        if not told.is_unbroken:
            self.order()

    def order(self) -> None:
        """Send what is wanted, now; without a session there is nobody to hear it."""
        session = self.session
        if session is None or session.phase is not PadPhase.UP or not self._is_open:
            return
        now = self._host.now()
        order = self._ears.wanted(now)
        self._send(session.order(order))
        self._ordered[session.ordered] = (now, order)
        self._later("beat", next_beat(now) - now, self._beat)
        self._later("again", AGAIN_S, self._again)

    def _beat(self) -> None:
        """Say the order once more, if the pad is still there."""
        now = self._host.now()
        # A pad that reports and acknowledges nothing hears nothing: its lock mask is not ours any more.
        oldest = min((at for at, _ in self._ordered.values()), default=now)
        if now - self._heard_at > SILENCE_S:
            self._give_up("no report for a second")
        elif now - oldest > SILENCE_S:
            self._give_up("it acknowledges no order")
        else:
            # After the other devices' questions of this beat: the thread that writes it would wake only to
            # wait for the interpreter, and sleep again.
            self._loop.call_soon(self.order)

    def _again(self) -> None:
        """Say the order once more where it is not acknowledged yet."""
        session = self.session
        if session is not None and self._ordered.get(session.ordered, (_DONE,))[0] != _DONE:
            self.codec.statistics.retries += 1
            self._beat()

    def _send(self, data: bytes) -> None:
        if self._port is not None:
            self._host.overhear(self._name, "out", data)
            self._port.send(data)

    def _cancel(self, what: str) -> None:
        if (before := self.timers.pop(what, None)) is not None:
            before.cancel()

    def _later(self, what: str, wait_s: float, call: Callable[[], None]) -> None:
        self._cancel(what)
        self.timers[what] = self._loop.call_later(wait_s, call)
