"""The device's side of a session: greeting, proof, MAC, one reliable frame at a time, kept events.

It never speaks first. An event is kept until the host has acknowledged it, over sessions and dead links; in
a new session the state is told first, then what was kept. It can be told to misbehave, frame by frame.
"""

import hashlib
import hmac
import os
from collections import deque
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from sabot.hil.simulators.sabot_link.wire import Fields, Receiver, WireHeard, frame_of, head_of

# Of the page: when a frame is sent again and how often, silence that ends a session, events that are kept and
# those that a cycle may need, wrong codes that end a session, answers that may wait.
RETRY_S, SENDINGS, SILENCE_S, KEPT_MOST, SPARE, FORGED_MOST, ANSWERS_MOST = 0.15, 10, 2.0, 256, 64, 3, 8
BY_A_STRANGER = 2
FIRST = ("STATE", "STANDING")
NOT_SUPPORTED, NONSENSE = 7, 8


class LinkWorks(Protocol):
    """The machine behind the link, as the link uses it."""

    wants_identities: bool
    wants_whole: bool

    @property
    def commands(self) -> Container[str]:
        """Return the commands that it knows."""

    @property
    def questions(self) -> Mapping[str, tuple[str, Callable[[float], Fields]]]:
        """Return the questions answered by more than RESULT: the name of the answer, and its fields."""

    def command(self, name: str, values: Fields, now: float) -> int:
        """Carry out a command, and return the code of its RESULT."""

    def no_host(self) -> None:
        """Hold the cards: nobody is heard."""


@dataclass
class Who:
    """The identity that the device tells."""

    kind: int = 3
    capabilities: int = 0x3FF
    maker: str = "Sabot"
    model: str = "Simulated Mixer"
    serial: str = "SIM-0001"
    firmware: str = "1.0.0"
    secret: bytes = field(default=bytes([0x33]) * 32, repr=False)


@dataclass
class Sent:
    """The reliable frame that waits for its acknowledgement."""

    sequence: int
    name: str
    values: Fields
    due: float
    tries: int = 0


class DeviceLink:
    """One device on one line."""

    def __init__(self, who: Who, works: LinkWorks, draw: Callable[[int], bytes] = os.urandom) -> None:
        self.who, self.works, self.draw = who, works, draw
        self.spoil: deque[str] = deque()
        self.sent_log: deque[bytes] = deque(maxlen=64)
        self.forges_mac = False
        self.restart()

    def restart(self, now: float = 0.0) -> None:
        """Begin as after power: another boot, no session, nothing kept, time from the beginning."""
        self.began = now
        self.boot = int.from_bytes(self.draw(4), "big") | 1
        self.kept: deque[tuple[str, Fields]] = deque()
        self.events = 0
        self.receiver = Receiver()
        self.ended = b""
        self._forget(0)

    def _forget(self, session: int) -> None:
        self.session, self.is_open = session, False
        self.identity = b""
        self.hello = self.proof = b""
        self.key_in = self.key_out = b""
        self.wants_proof = False
        self.taken = self.last = self.token = self.forged = 0
        self.current: Sent | None = None
        self.answers: deque[tuple[str, Fields]] = deque()
        self.told_state = False
        self.heard_at = float("-inf")
        self._out: list[bytes] = []

    # ---------------------------------------------------------------- what the device calls

    def receive(self, data: bytes, now: float) -> bytes:
        """Take bytes, and return the bytes of the answer."""
        for message in self.receiver.feed(data):
            self._hear(message, now)
        self._push(now)
        return self.take_out()

    def tick(self, now: float) -> bytes:
        """Send again what is due; hold when nobody is there."""
        if self.is_open and now >= self.heard_at + SILENCE_S:
            self._close()
        self._push(now)
        return self.take_out()

    def report(self, name: str, now: float, **values: int | bytes) -> None:
        """Keep an event until the host has it."""
        if len(self.kept) >= KEPT_MOST:
            return
        self.events += 1
        self.kept.append(
            (name, {"event": self.events, "time": int((now - self.began) * 1000) % 2**32, **values})
        )

    @property
    def is_nearly_full(self) -> bool:
        """Return whether fewer events have room than one cycle has."""
        return len(self.kept) > KEPT_MOST - SPARE

    @property
    def deadline(self) -> float | None:
        """Return when ``tick`` has something to do; None if nothing is due."""
        if not self.is_open:
            return None
        times = [self.heard_at + SILENCE_S]
        return min([*times, self.current.due] if self.current else times)

    def take_out(self) -> bytes:
        """Return the bytes that go out now, and forget them."""
        out, self._out = b"".join(self._out), []
        return out

    def inject(self, data: bytes) -> None:
        """Put bytes on the line that no honest device would send."""
        self._out.append(data)

    # ---------------------------------------------------------------- hearing

    def _hear(self, message: WireHeard, now: float) -> None:
        if message.name == "HELLO" and not message.is_nonsense and message.session:
            self._hello(message)
        elif message.session != self.session or not self.session:
            return
        elif message.name == "PROVE" and self.proof:
            self._send_body(head_of("PROOF", self.session, 0, 0, {"signature": self.proof}, maced=False))
        elif self._is_believed(message):
            self._in_session(message, now)

    def _is_believed(self, message: WireHeard) -> bool:
        """Return whether it is of this session's host; the third that is not ends the session."""
        if not self.wants_proof:
            return not message.mac
        if self.key_in and hmac.compare_digest(self._mac(self.key_in, message.signed), message.mac):
            return True
        self.forged += 1
        if self.forged >= FORGED_MOST:
            self._say("PARTING", {"reason": BY_A_STRANGER})
            self._close()
        return False

    def _in_session(self, message: WireHeard, now: float) -> None:
        if self.current and message.ack == self.current.sequence:
            self._acknowledged()
        if message.is_nonsense and not message.sequence:
            return
        if message.name == "PING" and message["token"] > self.token:
            self.token, self.heard_at = message["token"], now
            self._say("PONG", {"token": self.token})
        elif message.name == "PARTING":
            self._close()
        elif message.sequence:
            self._reliable(message, now)

    def _acknowledged(self) -> None:
        if self.kept and self.current and self.kept[0][1] is self.current.values:
            self.kept.popleft()
        self.current = None

    def _reliable(self, message: WireHeard, now: float) -> None:
        is_new = message.sequence == self.taken + 1
        is_first_wrong = is_new and not self.taken and message.name != "QUERY"
        is_too_much = is_new and len(self.answers) >= ANSWERS_MOST
        if message.sequence > self.taken + 1 or is_first_wrong or is_too_much:
            return
        self.is_open = True
        self.taken = message.sequence if is_new else self.taken
        self._say("ACK", {})
        if is_new:
            self.heard_at = now
            self._command(message, now)

    def _command(self, message: WireHeard, now: float) -> None:
        if message.name in self.works.questions:
            name, answer = self.works.questions[message.name]
            kept = {"kept": len(self.kept)} if name in FIRST else {}
            self.answers.append((name, {"command": message.sequence, **kept, **answer(now)}))
            return
        if message.name not in self.works.commands:
            code = NOT_SUPPORTED
        else:
            code = NONSENSE if message.is_nonsense else self.works.command(message.name, message, now)
        self.answers.append(("RESULT", {"command": message.sequence, "code": code}))

    def _close(self) -> None:
        # A PARTING may still wait to go out.
        out, self.ended = self._out, self.hello
        self._forget(0)
        self._out = out
        self.works.no_host()

    # ---------------------------------------------------------------- the greeting

    def _hello(self, message: WireHeard) -> None:
        """Answer the same HELLO with the same IDENTITY; let a new one end whatever was."""
        # A recording of the session that has just ended.
        if message.signed == self.ended:
            return
        if message.signed != self.hello:
            self.works.no_host()
            self.ended = b""
            self._forget(message.session)
            self.hello = message.signed
            self._prepare(message)
        self._send_body(self.identity)

    def _prepare(self, hello: WireHeard) -> None:
        if hello["boot"] == self.boot:
            while self.kept and self.kept[0][1]["event"] <= hello["event"]:
                self.kept.popleft()
        own = X25519PrivateKey.from_private_bytes(self.draw(32))
        signer = Ed25519PrivateKey.from_private_bytes(self.who.secret)
        knows = hello["lowest"] <= 1 <= hello["highest"]
        told = {
            **{
                name: getattr(self.who, name) for name in ("kind", "capabilities", "maker", "model", "serial")
            },
            "version": int(knows),
            "boot": self.boot,
            "nonce": self.draw(32),
            "firmware": self.who.firmware,
            "key": own.public_key().public_bytes_raw(),
            "public": signer.public_key().public_bytes_raw(),
        }
        identity = head_of("IDENTITY", self.session, 0, 0, told, maced=False)
        self.identity = identity
        self.wants_proof = bool(hello["wants"] & 1)
        self.works.wants_identities = bool(hello["wants"] & 2)
        self.works.wants_whole = bool(hello["wants"] & 4)
        if self.wants_proof:
            self._agree(own, hello["key"], signer, hello.signed + identity)

    def _agree(
        self, own: X25519PrivateKey, theirs: bytes, signer: Ed25519PrivateKey, greeting: bytes
    ) -> None:
        """Sign the greeting and derive the keys of the session."""
        transcript = hashlib.sha256(b"sabot-link/1 transcript" + greeting).digest()
        self.proof = signer.sign(b"sabot-link/1 proof" + transcript)
        secret = own.exchange(X25519PublicKey.from_public_bytes(theirs))
        keys = HKDF(SHA256(), 64, transcript, b"sabot-link/1 session").derive(secret)
        self.key_in, self.key_out = keys[:32], keys[32:]

    # ---------------------------------------------------------------- speaking

    def _push(self, now: float) -> None:
        """Send the reliable message whose turn it is, or send it again."""
        if not self.is_open:
            return
        if self.current is None:
            waiting = self._next_message()
            if waiting is None:
                return
            self.last += 1
            self.current = Sent(self.last, *waiting, now)
        if now < self.current.due:
            return
        self.current.tries += 1
        if self.current.tries > SENDINGS:
            self._close()
            return
        self.current.due = now + RETRY_S
        self._say(self.current.name, self.current.values, self.current.sequence)

    def _next_message(self) -> tuple[str, Fields] | None:
        """Return the message whose turn it is: answers first, the state before any event."""
        if self.answers:
            answer = self.answers.popleft()
            self.told_state = self.told_state or answer[0] in FIRST
            return answer
        return self.kept[0] if self.kept and self.told_state else None

    def _say(self, name: str, values: Fields, sequence: int = 0) -> None:
        maced = bool(self.key_out)
        head = head_of(name, self.session, sequence, self.taken, values, maced=maced)
        self._send_body(head + (self._mac(self.key_out, head) if maced else b""))

    def _mac(self, key: bytes, head: bytes) -> bytes:
        code = hmac.new(key, head, hashlib.sha256).digest()[:16]
        return bytes(16) if self.forges_mac and key == self.key_out else code

    def _send_body(self, body: bytes) -> None:
        """Send one frame, spoiled where the script says so."""
        wire = frame_of(body)
        self.sent_log.append(wire)
        how = self.spoil.popleft() if self.spoil else ""
        spoiled = {
            "drop": b"",
            "twice": wire + wire,
            "half": wire[: len(wire) // 2],
            "noise": bytes(range(1, 90)) + b"\0" + wire,
            "flip": wire[:4] + bytes([wire[4] ^ 0x10 or 1]) + wire[5:],
        }
        self._out.append(spoiled.get(how, wire))
