"""The kit's talk over Sabot Link within a session: it acknowledges, pings, and keeps all that comes.

Everything the device sends in a session is kept; a check asks for what must come and the host waits for it.
"""

# Theory of operation. Frames of this session go to three places: `inbox` has what is new and not yet asked
# for, `repeats` what came again or was not acknowledged, `entries` everything that was told and ordered in
# the whole run, for `story` to read at its end; `told` keeps the events by boot and number over all sessions.
# A check turns `is_acking` or `is_pinging` off to be a worse host than the page wants. Frames of other
# sessions are passed over, and a frame whose MAC is wrong is kept as `forged` and believed by nobody.

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sabot.hil.conformance.hands import CheckHands
from sabot.hil.conformance.kit import Kit, KitLine, Setting, WrongError
from sabot.hil.conformance.sabot_link.frame_reader import GREETINGS, Came, LinkFrameReader, code_of
from sabot.hil.simulators.sabot_link.wire import WireHeard, frame_of, head_of

# The page's times ("timing"): acknowledgement, answer, greeting, ping, and silence that ends a session. Then
# the kit's own: how long nothing may come, and how soon a live session answers.
ACK_S, ANSWER_S, GREETING_S, PING_S, SILENCE_S = 0.05, 2.0, 0.3, 0.25, 2.0
QUIET_S, ALIVE_S = 0.3, 0.5
STACK_S, CYCLE_S, USABLE = 10.0, 240.0, 90
SESSION = "SESSION"
SAID = ("SHUFFLE", "DISPENSE", "EJECT_STUB")
Entry = WireHeard


class LinkTold(NamedTuple):
    """One event, as it came."""

    boot: int
    number: int
    name: str
    payload: bytes
    session: int

    @property
    def at_ms(self) -> int:
        """Return when it happened, by the device's clock."""
        return int.from_bytes(self.payload[4:8], "big")


Is = Callable[[WireHeard], object]


def _any(_message: WireHeard) -> bool:
    return True


class LinkTalk(Kit):
    """A host on one line."""

    def __init__(self, line: KitLine, hands: CheckHands, setting: Setting) -> None:
        super().__init__(line, hands, setting)
        self.ear = LinkFrameReader()
        self.identity = WireHeard()
        self.told: list[LinkTold] = []
        self.entries: list[Entry] = []
        self.forged: list[str] = []
        self.ack_times: list[float] = []
        options = setting.options
        # The page leaves these to the table file of whoever buys the device.
        self.stack_s = float(options.get("stack_s", STACK_S))
        self.cycle_s = float(options.get("cycle_s", CYCLE_S))
        self.usable = int(options.get("confidence", USABLE))
        self.cycle: Any = None
        self.counts_rightly = False
        self._forget()

    def _forget(self) -> None:
        self.number = self.sent = self.taken = self.token = 0
        self.key_out = self.key_in = b""
        self.inbox: list[Came] = []
        self.repeats: list[Came] = []
        self.is_acking = self.is_pinging = True
        self.is_open = False
        self._pinged_at = self._heard_at = self.line.now()

    def begin(self) -> None:
        """Forget the last session: each check opens one of its own."""
        self._forget()

    # ---------------------------------------------------------------- hearing

    def pump(self, until: float) -> None:
        """Read once; acknowledge and ping as a host must."""
        next_ping = self._pinged_at + PING_S
        is_due = self.is_open and self.is_pinging
        data = self.read(min(until, next_ping) if is_due else until)
        for came in self.ear.hear(data, self.line.now()):
            self._take(came)
        self._must_live()
        if is_due and self.line.now() >= next_ping:
            self.ping()

    def _must_live(self) -> None:
        """Raise WrongError for a session that died, unless the check is about its death."""
        is_meant = self.is_open and self.is_pinging and self.is_acking and not self.is_asking
        silent_s = self.line.now() - self._heard_at
        if is_meant and silent_s > (SILENCE_S + ALIVE_S) * self.setting.slack:
            self.is_open = False
            raise WrongError(f"the session died: nothing was heard for {silent_s:.1f} s")

    def _take(self, came: Came) -> None:
        message = came.message
        if message.session != self.number:
            return
        self._heard_at = came.at
        if message.name not in GREETINGS and not self._is_believed(message):
            self.forged.append(f"{message.name} with a wrong MAC")
            return
        if message.sequence:
            self._take_reliable(came)
        else:
            self.inbox.append(came)

    def _is_believed(self, message: WireHeard) -> bool:
        return message.mac == (code_of(self.key_in, message.signed) if self.key_in else b"")

    def _take_reliable(self, came: Came) -> None:
        message = came.message
        # A host that does not acknowledge has not got the message either: it stays among the repeats.
        if message.sequence == self.taken + 1 and self.is_acking:
            self.taken += 1
            self.inbox.append(came)
            self.note_event(came)
            if "event" not in message:
                self.entries.append(message)
        else:
            self.repeats.append(came)
        if self.is_acking:
            self.say("ACK")

    def note_event(self, came: Came) -> None:
        """Keep an event among what the host has been told."""
        if "event" in came.message:
            boot = self.identity["boot"]
            number, session = came.message["event"], came.message.session
            self.told.append(LinkTold(boot, number, came.message.name, came.payload, session))
            self.entries.append(came.message)

    def note(self, name: str, values: Mapping[str, object], sequence: int = 0) -> None:
        """Keep something that the host did, among what it was told."""
        entry = Entry(values)
        entry.name, entry.sequence = name, sequence
        self.entries.append(entry)

    # ---------------------------------------------------------------- saying

    def body(self, name: str, sequence: int = 0, **values: object) -> bytes:
        """Return a body as this session wants it."""
        head = head_of(name, self.number, sequence, self.taken, values, maced=bool(self.key_out))
        return self.with_code(head)

    def with_code(self, head: bytes) -> bytes:
        """Return a head with its MAC, if this session has one."""
        return head + (code_of(self.key_out, head) if self.key_out else b"")

    def say(self, name: str, sequence: int = 0, **values: object) -> float:
        """Send one frame, and return when that was."""
        return self.send(frame_of(self.body(name, sequence, **values)))

    def ping(self) -> None:
        """Give a sign of life."""
        self.token += 1
        self._pinged_at = self.say("PING", token=self.token)

    # ---------------------------------------------------------------- waiting

    def find(self, name: str, is_it: Is = _any) -> Came | None:
        """Return a frame that has come, and take it out of the inbox; None if there is none."""
        for came in self.inbox:
            if came.message.name == name and is_it(came.message):
                self.inbox.remove(came)
                return came
        return None

    def expect(self, name: str, within_s: float, is_it: Is = _any) -> Came:
        """Wait for a frame, and return it; raise WrongError if it does not come."""
        came = self.until(lambda: self.find(name, is_it), within_s)
        if came is None:
            raise WrongError(f"no {name} within {within_s:g} s")
        assert isinstance(came, Came)
        return came

    def is_alive(self) -> bool:
        """Return whether the session answers a PING."""
        self.ping()
        token = self.token
        return bool(self.until(lambda: self.find("PONG", lambda m: m["token"] >= token), ALIVE_S))

    def silence_after(self, raw: bytes, words: str) -> None:
        """Send bytes that must be thrown away without a word."""
        self.is_pinging = False
        # What was asked before is answered by then; its answer must not be taken for one to these bytes.
        self.wait(QUIET_S / 2)
        self.inbox.clear()
        self.send(raw)
        self.wait(QUIET_S)
        self.is_pinging = True
        self.demand(not self.inbox, f"{words}: answered with {self._named()}")

    def _named(self) -> str:
        return ", ".join(came.message.name for came in self.inbox)
