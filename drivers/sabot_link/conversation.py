"""All that the host says to one device and hears of it, over as many sessions as it takes; no port, no clock.

A session ends with its link; the conversation goes on. It greets anew after a pause, reads the state and what
the device kept before it calls the link restored, brings the gate to where the table wants it, and watches
that what was accepted also comes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.drivers.device import Identity
from sabot.drivers.options import Value
from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.codec import SabotLinkCodec
from sabot.drivers.sabot_link.reporter import Reporter
from sabot.drivers.sabot_link.session import LEAVING, News, Outcome, Session, Terms
from sabot.drivers.sabot_link.words import COLORS
from sabot.statemachine.events import Event, LinkLost, LinkRestored

PAUSE_S, REFUSED_PAUSE_S = 1.0, 5.0
START_S, RETEST_S = 10.0, 30.0
# Busy, a door open, not enough cards: a dealer is loading, and the order is given again until it is taken.
BUSY, LATCHED, NOT_LOADED, LOOK_S = 1, 6, frozenset({1, 4, 5}), 1.0
ALL_FAULTS = 0
PACK = range(1, 53)
PINS = ("maker", "model", "serial", "firmware")
WHAT = {
    "start": "a shuffle was accepted and did not begin",
    "cycle": "a cycle began and did not end",
    "stack": "a stack was accepted and did not come",
    "retest": "a test was accepted and had no result",
}


class Conversation:
    """One device as the host knows it."""

    def __init__(
        self,
        name: str,
        options: Mapping[str, Value],
        enrolled: Callable[[], bytes | None],
        draw: Callable[[int], bytes],
    ) -> None:
        self.options, self.enrolled, self.draw = options, enrolled, draw
        colors = {deck: _color(options, deck) for deck in "AB"}
        self.reporter = Reporter(name, int(options["confidence"]), colors)
        self.codec = SabotLinkCodec()
        self.session: Session | None = None
        self.identity = Identity()
        self.offered = b""
        self.is_up = self.is_port_suspect = False
        self.why = "not connected yet"
        self.state: m.State | None = None
        self._told_lost, self._is_free_wanted = False, True
        self._complaint = ""
        self._kept_left = 0
        self._next_try: float | None = None
        self._expected: dict[str, float] = {}
        self._orders = self._void = 0
        self._waiting: tuple[m.DispenseStack, float] | None = None
        self._is_repeated = False
        self._wires: list[bytes] = []
        self._events: list[Event] = []

    # ---------------------------------------------------------------- the line

    def opened(self, now: float) -> None:
        """The port is open: greet the device."""
        reporter = self.reporter
        terms = Terms(
            bool(self.options["authenticated"]),
            bool(self.options["identities"]),
            self.enrolled(),
            self._verify_pins,
            reporter.boot,
            reporter.last_event,
        )
        self.session = Session(terms, self.draw, self.codec.statistics)
        self._next_try, self.is_port_suspect = None, False
        self._wires.append(b"\0")
        self._do(self.session.tick(now), now)

    def closed(self, why: str, now: float) -> None:
        """The port is gone."""
        self.session, self._next_try = None, None
        self._lost(why, now)

    def receive(self, data: bytes, now: float) -> None:
        """Bytes came."""
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
            if self._expected.pop(what, None) is not None:
                self._events += self._overdue(what, now)

    @property
    def deadline(self) -> float | None:
        """When ``tick`` has something to do."""
        session = self.session.deadline if self.session else None
        times = [at for at in (session, self._next_try, *self._expected.values()) if at is not None]
        return min(times, default=None)

    def take_wires(self) -> bytes:
        """What is to be written now."""
        data, self._wires = b"".join(self._wires), []
        return data

    def take_events(self) -> list[Event]:
        """What is to be posted now."""
        events, self._events = self._events, []
        return events

    # ---------------------------------------------------------------- what the table wants

    def halt(self, now: float) -> None:
        """Let no more cards out: before anything else that waits, and orders that wait are void."""
        self._is_free_wanted, self._void = False, self._orders
        self._expected.pop("stack", None)
        self._wait_no_more()
        if self.session is not None and self.is_up:
            self.session.reliable.withdraw(m.DispenseStack)
            self.session.reliable.withdraw(m.FreeCards)
            self._send(m.HoldCards(), now, is_urgent=True)

    def free(self, now: float) -> None:
        """Cards may come out again."""
        self._is_free_wanted = True
        if self.is_up:
            self._send(m.FreeCards(), now)

    def dispense(self, cards: int, now: float) -> None:
        """Order one stack; an order that nobody hears is a fault, not a wish."""
        self._orders += 1
        self._order(m.DispenseStack(self._orders, cards), cards in PACK, now)

    def shuffle(self, deck: str, now: float) -> None:
        """Let it shuffle a deck."""
        self.reporter.deck, self._is_repeated = deck, False
        self._expected.pop("loaded", None)
        code = ord(deck) if len(deck) == 1 else 0
        self._order(m.Shuffle(code), code in m.DECKS[1:], now)

    def _order(self, order: m.Message, makes_sense: bool, now: float) -> None:  # noqa: FBT001
        """Order something, or say at once that it will not be done."""
        if self.is_up and makes_sense:
            self._send(order, now)
        else:
            why = "the order makes no sense" if self.is_up else "it is not connected"
            self._events += self._refused(order, why, now)

    def retest(self, fault: str, now: float) -> None:
        """Let it test the cause of a fault again; what is not there fails."""
        self.reporter.asked_of = fault
        if self.is_up:
            self._send(m.Retest(ALL_FAULTS), now)
            return
        self._events += self._refused(m.Retest(ALL_FAULTS), "", now)
        if self._next_try is not None:
            self._next_try = now

    def clear(self, now: float) -> None:
        """A person released the fault."""
        if self.is_up and self.reporter.fault:
            self._send(m.ClearLatch(ALL_FAULTS), now)

    def query(self, now: float) -> None:
        """Ask how it is."""
        if self.is_up:
            self._send(m.Query(), now)

    def leave(self, now: float) -> None:
        """Hold the cards and part."""
        if self.session is not None:
            self._do(self.session.end(LEAVING), now)
        self.session, self._next_try, self.is_up = None, None, False
        self._wait_no_more()
        self._expected.clear()

    # ---------------------------------------------------------------- news

    def _send(self, message: m.Message, now: float, *, is_urgent: bool = False) -> None:
        assert self.session is not None
        self._do(self.session.send(message, now, is_urgent=is_urgent), now)

    def _do(self, outcome: Outcome, now: float) -> None:
        self._wires += outcome.wires
        for news in outcome.news:
            _NEWS[news.kind](self, news, now)

    def introduced(self, news: News, _now: float) -> None:
        """It said who it is, and it is the one that is wanted."""
        assert isinstance(news.message, m.IdentityTold)
        self.identity = self._identity(news.message, is_proved=False)

    def arrived(self, news: News, now: float) -> None:
        """It reported something; the kept reports are counted until it is up."""
        assert news.message is not None
        self._note(news.message, now)
        self._events += self.reporter.on(news.message, now)
        if not self.is_up and isinstance(news.message, m.Happened) and self._kept_left:
            self._kept_left -= 1
            self._settle(now)

    def malformed(self, news: News, now: float) -> None:
        """It spoke against the page."""
        assert news.message is not None
        self._events += self.reporter.malformed(news.message, now)

    def answered(self, news: News, now: float) -> None:
        """An answer: the state, or whether a command is taken on."""
        if isinstance(news.message, m.State):
            self._heard_state(news.message, now)
            return
        assert isinstance(news.message, m.Result)
        assert news.command is not None
        verdict = news.message.verdict
        if isinstance(news.command, m.Shuffle) and verdict in NOT_LOADED:
            self._expected["loaded"] = now + LOOK_S
        elif isinstance(news.command, m.Shuffle) and verdict == LATCHED and self._is_repeated:
            self._ended_by_a_fault(now)
        elif isinstance(news.command, m.DispenseStack) and verdict == BUSY:
            self._wait(news.command, now)
        elif verdict:
            self._events += self._refused(news.command, words.VERDICTS[verdict], now)
        else:
            self._expect(news.command, now)

    def unanswered(self, news: News, now: float) -> None:
        """No answer to a command; without a state there is no link."""
        assert news.command is not None
        if isinstance(news.command, m.Query):
            self._again("it does not tell its state", now, PAUSE_S)
        else:
            self._events += self._refused(news.command, "no answer", now)

    def lost(self, news: News, now: float) -> None:
        """The session is over; where nothing answered at all the port itself is suspect."""
        self.is_port_suspect = self.session is not None and self.session.told is None
        self._again(news.words, now, PAUSE_S)

    def refused(self, news: News, now: float) -> None:
        """It is not the device that is wanted, or does not prove it: a fault until it is enrolled."""
        assert self.session is not None
        assert self.session.told is not None
        self.offered = self.session.told.public
        self.identity = self._identity(self.session.told, is_proved=False)
        if news.words != self._complaint:
            self._complaint = news.words
            self._events.append(self.reporter.fault_found("device", news.words, now))
        self._again(news.words, now, REFUSED_PAUSE_S)

    # ---------------------------------------------------------------- up and down

    def _heard_state(self, state: m.State, now: float) -> None:
        """The state comes first in a session; then what it kept."""
        self.state = state
        if self.is_up:
            self._events += self.reporter.on_state(state, now)
            return
        assert self.session is not None
        assert self.session.told is not None
        self.reporter.connected(self.session.told)
        self.identity = self._identity(self.session.told, is_proved=bool(self.options["authenticated"]))
        self._kept_left = state.kept
        self._settle(now)

    def _settle(self, now: float) -> None:
        """All that was kept has come: the device is up, its state read anew."""
        if self._kept_left or self.state is None:
            return
        self._events += self.reporter.on_state(self.state, now)
        self._events += self.reporter.after_kept(self.state, now)
        self.is_up, self.why, self.offered = True, "", b""
        if self._complaint:
            self._complaint = ""
            self._events.append(self.reporter.tested("device", now, good=True))
        if self._told_lost:
            self._told_lost = False
            self._events.append(LinkRestored(at=now, source=self.reporter.name, device=self.reporter.name))
        self._send(m.FreeCards() if self._is_free_wanted else m.HoldCards(), now)

    def _again(self, why: str, now: float, pause_s: float) -> None:
        """This session is over; greet anew after a pause."""
        self.session = None
        self._lost(why, now)
        self._next_try = now + pause_s

    def _lost(self, why: str, now: float) -> None:
        self.is_up, self.why, self.state = False, why, None
        for what in ("start", "stack", "retest", "loaded", "told"):
            self._expected.pop(what, None)
        self._wait_no_more()
        if not self._told_lost:
            self._told_lost = True
            name = self.reporter.name
            self._events.append(LinkLost(at=now, source=name, device=name, reason=why))

    def _verify_pins(self, told: m.IdentityTold) -> str:
        """Whether it is the device that the table file pins."""
        for pin in PINS:
            wanted, found = str(self.options[pin]), getattr(told, pin)
            if wanted and wanted != found:
                return f"another device: its {pin} is {found}, {wanted} is wanted"
        return ""

    @staticmethod
    def _identity(told: m.IdentityTold, *, is_proved: bool) -> Identity:
        return Identity(
            words.KINDS[told.kind],
            told.maker,
            told.model,
            told.serial,
            told.firmware,
            words.capabilities(told.capabilities),
            is_proved,
        )

    # ---------------------------------------------------------------- orders that have to wait

    def _ended_by_a_fault(self, now: float) -> None:
        """A shuffle was ordered again when a jam came: the jam is the fault, and no stop beside it."""
        if not words.is_device_fault(self.reporter.fault):
            self._expected["told"] = now + LOOK_S

    def _wait(self, order: m.DispenseStack, now: float) -> None:
        """Busy is no fault yet: the same order again, but for one that a halt has made void.

        Only an order that was answered busy is repeated: it was not taken on, so no stack comes twice.
        """
        if order.order <= self._void:
            return
        if self._waiting is None:
            self._waiting = order, now + float(self.options["busy_s"])
            self._events.append(self.reporter.delayed(now))
        waiting, until = self._waiting
        if order != waiting:
            self._events += self._refused(order, "it is busy with another order", now)
        elif now >= until:
            self._events += self._refused(order, f"busy, asked for {self.options['busy_s']:g} s", now)
        else:
            self._expected["free"] = now + LOOK_S

    def _wait_no_more(self) -> None:
        self._waiting = None
        self._expected.pop("free", None)

    # ---------------------------------------------------------------- what was promised

    def _expect(self, command: m.Message, now: float) -> None:
        """What was accepted must come."""
        if isinstance(command, m.DispenseStack):
            self._wait_no_more()
            if command.order <= self._void:
                return
        after = {
            m.Shuffle: ("start", START_S),
            m.DispenseStack: ("stack", float(self.options["stack_s"])),
            m.Retest: ("retest", RETEST_S),
        }
        row = after.get(type(command))
        if row:
            self._expected[row[0]] = now + row[1]

    def _note(self, message: m.Message, now: float) -> None:
        """What came need not be waited for."""
        met = _MEETS.get(type(message), ())
        for what in met:
            self._expected.pop(what, None)
        if isinstance(message, m.CycleStarted):
            self._expected["cycle"] = now + float(self.options["cycle_s"])
            if words.deck_name(message.deck) in ("", self.reporter.deck):
                # The order is carried out: who asks again would have the next deck shuffled under this name.
                self._expected.pop("loaded", None)
        if isinstance(message, m.CycleCompleted) and self.reporter.deck == self.reporter.shuffled:
            self._expected.pop("loaded", None)  # it was ordered again while it was carried out
        if isinstance(message, _ENDS) and "free" in self._expected:
            self._expected["free"] = now
        if isinstance(message, m.FaultMoved) and message.latched and words.is_device_fault(message.fault):
            self._expected.pop("loaded", None)
            self._expected.pop("told", None)

    def _overdue(self, what: str, now: float) -> list[Event]:
        if what == "retest":
            return [self.reporter.tested(self.reporter.asked_of, now, good=False)]
        if what == "loaded":
            self._is_repeated = True
            self._send(m.Shuffle(ord(self.reporter.deck[0])), now)
            return []
        if what == "free":
            assert self._waiting is not None  # the two go together
            self._send(self._waiting[0], now)
            return []
        if what == "told":
            return self._refused(m.Shuffle(ord(self.reporter.deck[0])), words.VERDICTS[LATCHED], now)
        if what == "start":
            return self._refused(m.Shuffle(ord(self.reporter.deck[0])), WHAT[what], now)
        return self.reporter.overdue(WHAT[what], now)

    def _refused(self, command: m.Message, why: str, now: float) -> list[Event]:
        """A command that is not carried out, as the table has to know it."""
        reporter = self.reporter
        if isinstance(command, m.Shuffle):
            return [reporter.stop_found(f"it does not shuffle: {why}", now)]
        if isinstance(command, m.Retest):
            return [reporter.tested(reporter.asked_of, now, good=False)]
        if isinstance(command, m.DispenseStack):
            self._wait_no_more()
        what = {m.DispenseStack: "dispense", m.HoldCards: "hold", m.FreeCards: "let cards out"}
        return [reporter.fault_found("device", f"it does not {what.get(type(command), 'obey')}: {why}", now)]


_NEWS: dict[str, Callable[[Conversation, News, float], None]] = {
    "introduced": Conversation.introduced,
    "arrived": Conversation.arrived,
    "malformed": Conversation.malformed,
    "answered": Conversation.answered,
    "unanswered": Conversation.unanswered,
    "lost": Conversation.lost,
    "refused": Conversation.refused,
    "unenrolled": Conversation.refused,
    "forged": Conversation.refused,
}
_MEETS: dict[type[Any], tuple[str, ...]] = {
    m.CycleStarted: ("start",),
    m.CycleCompleted: ("cycle",),
    m.CycleStopped: ("cycle", "start"),
    m.StackOut: ("stack",),
    m.Jam: ("stack", "start", "cycle", "loaded", "told"),
    m.Retested: ("retest",),
}


_ENDS = (m.CycleCompleted, m.CycleStopped)


def _color(options: Mapping[str, Value], deck: str) -> str:
    """The color that the table file names for a deck, empty where it names none."""
    color = str(options[f"color_{deck.lower()}"])
    return "" if color == COLORS[0] else color
