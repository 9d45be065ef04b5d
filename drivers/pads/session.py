"""One session with a pad, seen from the host, without a wire and without a clock.

Greeting, proof, then orders and states. A session that was refused stays refused: another one begins
with another number and other keys. What does not fit (another session, an old sequence, a wrong MAC) is
thrown away and counted, and never answered.
"""

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from sabot.drivers import enrolment
from sabot.drivers.convention import Statistics
from sabot.drivers.device import Identity
from sabot.drivers.pads.codec import VERSION, frame_of, sealed, signed_bytes
from sabot.drivers.pads.messages import (
    IdentityMessage,
    Message,
    PadFrame,
    PadHello,
    PadOrder,
    PadProof,
    PadProve,
    PadState,
)

_AUTHENTICATE = 1
# A wrong MAC behind a right CRC is no noise of the line; the third ends the session.
_MOST_FORGED = 3
_PROOF = enrolment.EnrolledProof("sabot-pads/1")


class PadPhase(Enum):
    """The progress of a session."""

    GREETING = "greeting"
    PROVING = "proving"
    UP = "up"
    REFUSED = "refused"


class PadTerms(NamedTuple):
    """The host's demands on a pad; ``why_not`` says why it is another than the table file means."""

    authenticated: bool
    enrolled: bytes | None = None
    why_not: Callable[[Identity], str] = lambda _identity: ""
    spots: int = 0


class PadTold(NamedTuple):
    """A state that counts, and whether any was missed before it."""

    state: PadState
    sequence: int
    ack: int
    time_ms: int
    is_unbroken: bool


class PadLinkSession:
    """From HELLO to the last state."""

    def __init__(self, terms: PadTerms, draw: Callable[[int], bytes], statistics: Statistics) -> None:
        self.phase = PadPhase.GREETING
        self.refusal = ""
        self.identity = Identity()
        self.who: IdentityMessage | None = None
        self._terms, self._statistics = terms, statistics
        self._private = draw(enrolment.KEY_BYTES)
        # 0 is no session.
        self._number = int.from_bytes(draw(4), "big") or 1
        wants = _AUTHENTICATE if terms.authenticated else 0
        self._hello = PadHello(VERSION, VERSION, wants, draw(32), enrolment.public_of(self._private))
        self._said = b""
        self._keys: enrolment.SessionKeys | None = None
        self._ordered = self._heard = self._acknowledged = self._forged = 0

    # ---------------------------------------------------------------- what goes out

    def greeting(self) -> bytes:
        """Return the greeting that awaits an answer while the session is not up: HELLO or PROVE."""
        return self._sent(PadProve() if self.phase is PadPhase.PROVING else self._hello)

    def order(self, order: PadOrder) -> bytes:
        """Return the bytes of an order, with the next number."""
        self._ordered += 1
        return self._sent(order, self._ordered)

    @property
    def ordered(self) -> int:
        """The number of the last order."""
        return self._ordered

    def _sent(self, message: Message, sequence: int = 0) -> bytes:
        # A greeting has no MAC: the keys follow from it.
        keys = self._keys if isinstance(message, PadOrder) else None
        signed = signed_bytes(frame_of(message, self._number, sequence), with_mac=keys is not None)
        self._statistics.frames_out += 1
        return sealed(signed, enrolment.mac(keys.to_device, signed) if keys else b"")

    # ---------------------------------------------------------------- what comes in

    def take(self, frame: PadFrame) -> PadTold | None:
        """Take a frame of the pad; return the state in it, if it counts."""
        message = frame.message
        if frame.session != self._number:
            self._statistics.late_answers += 1
        elif isinstance(message, IdentityMessage) and self.phase is PadPhase.GREETING:
            self._greeted(message, frame.signed)
        elif isinstance(message, PadProof) and self.phase is PadPhase.PROVING:
            self._proved(message)
        elif isinstance(message, PadState) and self.phase is PadPhase.UP:
            return self._told(message, frame)
        return None

    def _greeted(self, who: IdentityMessage, signed: bytes) -> None:
        self.who = who
        capabilities = tuple(each.name.lower() for each in who.capabilities if each.name)
        names = (who.maker, who.model, who.serial, who.firmware)
        self.identity = Identity("pads", *names, capabilities=capabilities)
        # Before any proof: what is not wanted here need not prove itself.
        if why := self._why_not(who):
            self._refuse(why)
        elif self._terms.authenticated:
            hello = signed_bytes(frame_of(self._hello, self._number), with_mac=False)
            self._said = _PROOF.transcript_of(hello, signed)
            self.phase = PadPhase.PROVING
        else:
            self.phase = PadPhase.UP

    def _why_not(self, who: IdentityMessage) -> str:
        """Return why this is not the pad that belongs here, empty when it is."""
        if who.version != VERSION:
            return f"it speaks no version that we do (version {VERSION})"
        if who.spots < self._terms.spots:
            return f"it has {who.spots} spots, and {self._terms.spots} are named"
        if why := self._terms.why_not(self.identity):
            return why
        if self._terms.authenticated and who.public != self._terms.enrolled:
            known = "another pad is" if self._terms.enrolled else "no pad is"
            return f"{known} enrolled here; this one is {enrolment.fingerprint(who.public)}"
        return ""

    def _proved(self, message: PadProof) -> None:
        who = self.who
        assert who is not None  # no proof is asked for before a greeting
        keys = _PROOF.agree(self._private, who.key, self._said)
        if keys is None or not _PROOF.is_proved(who.public, message.signature, self._said):
            self._refuse("its proof is wrong: it has not the key that it shows")
            return
        self._keys = keys
        self.identity = replace(self.identity, authenticated=True)
        self.phase = PadPhase.UP

    def _refuse(self, why: str) -> None:
        self.phase, self.refusal = PadPhase.REFUSED, why

    def _told(self, state: PadState, frame: PadFrame) -> PadTold | None:
        if self._keys and not enrolment.is_of(self._keys.to_host, frame.signed, frame.mac):
            self._statistics.refused += 1
            self._forged += 1
            if self._forged >= _MOST_FORGED:
                self._refuse("reports came whose MAC is wrong: somebody else is on the line")
            return None
        # An acknowledgement of an order that was never given proves a frame to be of no use.
        if frame.sequence <= self._heard or frame.ack > self._ordered:
            self._statistics.duplicates += 1
            return None
        # A gap between states with the same order hides no opening and no locking.
        is_unbroken = frame.sequence == self._heard + 1 or frame.ack == self._acknowledged
        self._heard, self._acknowledged = frame.sequence, frame.ack
        return PadTold(state, frame.sequence, frame.ack, frame.time_ms, is_unbroken)
