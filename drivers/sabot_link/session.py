"""The host's side of one Sabot Link session, without a port and without a clock.

Frames and times go in; frames to send and news come out. A session that is over stays over: whoever wants
another makes a new one, with a new number and new keys. What cannot be believed changes nothing: it is
counted and thrown away.
"""

# Theory of operation. Four frames make a session: HELLO and IDENTITY say who speaks, PROVE and PROOF show
# that the device holds the key that two people enrolled. Both sides have then hashed the same two frames,
# just as they went over the wire, and made one key each way from them; every later frame carries a MAC over
# all of it. So a frame that was recorded, bent or sent back fits no session. The first command is QUERY:
# nothing is believed before the device has said how it is and how many reports it kept. One numbered frame at
# a time is on its way (``reliable``): sent again after 150 ms, ten times in all, and then the session is
# over. A session that is over stays over. Only PONG with the latest token and a numbered frame in its turn
# are signs of life: nothing that can be a repetition is one.

from collections.abc import Callable
from dataclasses import field
from enum import Enum
from typing import NamedTuple

from sabot.drivers import enrolment
from sabot.drivers.beat_grid import next_beat
from sabot.drivers.convention import Statistics
from sabot.drivers.sabot_link.codec import VERSION, Frame, head, seal
from sabot.drivers.sabot_link.frame import END
from sabot.drivers.sabot_link.messages import (
    ANSWERS,
    Ack,
    Hello,
    IdentityTold,
    Malformed,
    Message,
    Parting,
    Ping,
    Pong,
    Proof,
    Prove,
    Query,
)
from sabot.drivers.sabot_link.reliable import SENDINGS, FrameTaken, Reliable
from sabot.rules.frozen import mutable

PROOF = enrolment.EnrolledProof("sabot-link/1")
GREETING_DEADLINE_S = 0.3
SILENCE_S = 2.0
ANSWER_S = 2.0
# A MAC that is wrong behind a right CRC did not come from line noise; the third ends the session.
FORGED_MOST = 3
WANTS_PROOF, WANTS_IDENTITIES, WANTS_WHOLE = 1, 2, 4
LEAVING, LINK_FAULT, WRONG_DEVICE = 1, 2, 3


class SessionStage(Enum):
    """The stage of a session."""

    GREETING = "greeting"
    PROVING = "proving"
    OPEN = "open"
    OVER = "over"


class SessionTerms(NamedTuple):
    """The host's terms for a session, and what it knows from the one before."""

    authenticated: bool = True
    identities: bool = True
    enrolled: bytes | None = None
    check: Callable[[IdentityTold], str] = lambda _told: ""
    boot: int = 0
    event: int = 0
    whole: bool = False


class News(NamedTuple):
    """Something that the session has to say; ``words`` says why where something ended."""

    kind: str
    words: str = ""
    message: Message | None = None
    command: Message | None = None


@mutable
class SessionAsked:
    """A command that waits for its answer."""

    message: Message
    deadline: float


@mutable
class SessionOutcome:
    """The outcome of a step: bytes to send, and news."""

    wires: list[bytes] = field(default_factory=list)
    news: list[News] = field(default_factory=list)


def hello_to_a_stranger(draw: Callable[[int], bytes]) -> bytes:
    """Return the greeting alone, to hear who is there: no session follows, and what was kept stays kept."""
    # Boot and event 0: a device throws away what another host has had, and this one has had nothing.
    hello = Hello(VERSION, VERSION, WANTS_PROOF, 0, 0, draw(32), enrolment.public_of(draw(32)))
    number = int.from_bytes(draw(4), "big") or 1
    # A zero first: whatever noise the port brought is ended by it.
    return END + seal(Frame(hello, number), None)


class Session:
    """One session, from HELLO to its end; each step returns the bytes to send and the news."""

    def __init__(self, terms: SessionTerms, draw: Callable[[int], bytes], statistics: Statistics) -> None:
        self.terms = terms
        self.stage = SessionStage.GREETING
        self.told: IdentityTold | None = None
        self.statistics = statistics
        self.reliable = Reliable()
        # 0 is no session; a HELLO that has it is thrown away.
        self.number = int.from_bytes(draw(4), "big") or 1
        self._own_key = draw(32)
        wants = WANTS_PROOF * terms.authenticated + WANTS_IDENTITIES * terms.identities
        wants += WANTS_WHOLE * terms.whole
        nonce, public = draw(32), enrolment.public_of(self._own_key)
        self._hello = Hello(VERSION, VERSION, wants, terms.boot, terms.event, nonce, public)
        self._keys: enrolment.SessionKeys | None = None
        self._transcript = b""
        self._asked: dict[int, SessionAsked] = {}
        self._sendings = self._forged = self._token = 0
        self._due = self._heard = float("-inf")
        self._out = SessionOutcome()

    # ---------------------------------------------------------------- what the owner calls

    def tick(self, now: float) -> SessionOutcome:
        """Do what is due; the first call says HELLO."""
        if self.stage in (SessionStage.GREETING, SessionStage.PROVING):
            self._greet(now)
        elif self.stage is SessionStage.OPEN:
            self._keep_up(now)
        return self._take_out()

    def handle(self, frame: Frame, now: float) -> SessionOutcome:
        """Take a frame."""
        # Frames of a session before, or of another host, change nothing.
        if frame.session != self.number or self.stage is SessionStage.OVER:
            self.statistics.refused += 1
        elif self.stage is SessionStage.OPEN:
            self._heard_open(frame, now)
        else:
            self._heard_greeting(frame, now)
        return self._take_out()

    def send(self, message: Message, now: float, *, is_urgent: bool = False) -> SessionOutcome:
        """Say something reliably, as soon as it is its turn."""
        self.reliable.submit(message, is_urgent=is_urgent)
        self._push(now)
        return self._take_out()

    def end(self, reason: int) -> SessionOutcome:
        """End the session from our side."""
        if self.stage is SessionStage.OPEN:
            self._say(Parting(reason))
        self.stage = SessionStage.OVER
        return self._take_out()

    @property
    def deadline(self) -> float | None:
        """Return when ``tick`` has something to do."""
        if self.stage is SessionStage.OVER:
            return None
        times = [self._due, self._heard + SILENCE_S] if self.stage is SessionStage.OPEN else [self._due]
        times += [asked.deadline for asked in self._asked.values()]
        return min([*times, *([self.reliable.deadline] if self.reliable.deadline is not None else [])])

    # ---------------------------------------------------------------- the greeting

    def _greet(self, now: float) -> None:
        """Ask, and ask again where no answer came, ten times in all."""
        if now < self._due:
            return
        if self._sendings >= SENDINGS:
            self._over("lost", f"no answer to {self.stage.value}, asked {SENDINGS} times")
            return
        self.statistics.retries += self._sendings > 0
        self._sendings += 1
        self._due = now + GREETING_DEADLINE_S
        self._say(self._hello if self.stage is SessionStage.GREETING else Prove())

    def _heard_greeting(self, frame: Frame, now: float) -> None:
        answer = frame.message
        if self.stage is SessionStage.GREETING and isinstance(answer, IdentityTold):
            self._introduced(answer, frame.signed, now)
        elif self.stage is SessionStage.PROVING and isinstance(answer, Proof):
            self._proved(answer, now)
        else:
            self.statistics.late_answers += 1

    def _introduced(self, told: IdentityTold, signed: bytes, now: float) -> None:
        """Take the device's identity; end the session unless it is the one wanted, of a shared version."""
        self.told = told
        # Before any proof: a device that is not wanted here need not prove itself.
        wrong = "it speaks no version that this program speaks" if told.version != VERSION else ""
        wrong = wrong or self.terms.check(told)
        if wrong:
            self._over("refused", wrong)
            return
        self._out.news.append(News("introduced", message=told))
        if not self.terms.authenticated:
            self._open(now)
            return
        hello = head(Frame(self._hello, self.number), is_signed=False)
        self._transcript = PROOF.transcript_of(hello, signed)
        self.stage, self._sendings, self._due = SessionStage.PROVING, 0, now
        self._greet(now)

    def _proved(self, answer: Proof, now: float) -> None:
        """Open the session if the proof is good and the key is the one two people enrolled; else end it."""
        assert self.told is not None
        keys = PROOF.agree(self._own_key, self.told.key, self._transcript)
        offered = self.told.public
        is_proved = PROOF.is_proved(offered, answer.signature, self._transcript)
        if keys is None or not is_proved:
            self._over("refused", "its proof is wrong: it does not hold the key that it shows")
        # Only now: the fingerprint that two people compare is of a key that the device was seen to hold.
        elif self.terms.enrolled is None:
            self._over("unenrolled", f"it is not enrolled; its key is {enrolment.fingerprint(offered)}")
        elif self.terms.enrolled != offered:
            self._over(
                "unenrolled", f"another device is enrolled; its key is {enrolment.fingerprint(offered)}"
            )
        else:
            self._keys = keys
            self._open(now)

    def _open(self, now: float) -> None:
        """Open the session, and ask for the state first of all."""
        self.stage, self._heard, self._due = SessionStage.OPEN, now, now
        self.reliable.submit(Query())
        self._keep_up(now)

    # ---------------------------------------------------------------- an open session

    def _heard_open(self, frame: Frame, now: float) -> None:
        # Answers to a greeting that was said twice.
        if isinstance(frame.message, (IdentityTold, Proof)):
            self.statistics.late_answers += 1
            return
        if not self._is_believed(frame):
            return
        # After the MAC: a forged frame must not acknowledge an order that nobody heard.
        self.reliable.acknowledge(frame.ack)
        if frame.is_reliable:
            self._heard_reliable(frame, now)
        # The latest token alone: an older PONG may be a recording.
        elif isinstance(frame.message, Pong) and frame.message.token == self._token:
            self._heard = now
        elif isinstance(frame.message, Parting):
            self._over("lost", "the device ended the session")
        self._push(now)

    def _is_believed(self, frame: Frame) -> bool:
        """Return whether a frame carries the MAC that this session wants (or none, where it wants none)."""
        if self._keys is None:
            is_good = not frame.mac
        else:
            is_good = enrolment.is_of(self._keys.to_host, frame.signed, frame.mac)
        if is_good:
            return True
        self.statistics.refused += 1
        self._forged += 1
        if self._forged >= FORGED_MOST:
            self._over("forged", "frames that do not come from this device")
        return False

    def _heard_reliable(self, frame: Frame, now: float) -> None:
        """Acknowledge what comes in its turn, or comes again; take it once."""
        taken = self.reliable.take(frame.sequence)
        self.statistics.duplicates += taken is FrameTaken.DUPLICATE
        # A duplicate is acknowledged again: its first acknowledgement was lost.
        if taken is not FrameTaken.AHEAD:
            self._say(Ack())
        if taken is FrameTaken.NEW:
            self._heard = now
            self._arrived(frame.message)

    def _arrived(self, message: Message) -> None:
        """Make news of a message: an answer goes with its command, everything else as it is."""
        if isinstance(message, ANSWERS):
            asked = self._asked.pop(message.command, None)
            if asked is None:
                self.statistics.late_answers += 1
                return
            self._out.news.append(News("answered", message=message, command=asked.message))
        else:
            kind = "malformed" if isinstance(message, Malformed) else "arrived"
            self._out.news.append(News(kind, message=message))

    def _keep_up(self, now: float) -> None:
        """Do what is due: the heartbeat, the end after silence, answers that are late, frames that wait."""
        if now >= self._heard + SILENCE_S:
            self._over("lost", f"silent for {SILENCE_S:g} s")
            return
        if now >= self._due:
            self._token += 1
            self._due = next_beat(now)
            self._say(Ping(self._token))
        for sequence in [each for each, asked in self._asked.items() if now >= asked.deadline]:
            self._out.news.append(News("unanswered", command=self._asked.pop(sequence).message))
        self._push(now)

    def _push(self, now: float) -> None:
        """Send the reliable frame whose turn it is, or send it again."""
        if self.stage is not SessionStage.OPEN:
            return
        out = self.reliable.next_due(now)
        if out is None:
            return
        if self.reliable.is_exhausted:
            self._over("lost", f"a frame was not acknowledged, sent {SENDINGS} times")
            return
        # The time for the answer runs from the first sending, whatever the line needs.
        if out.sendings == 1:
            self._asked[out.sequence] = SessionAsked(out.message, now + ANSWER_S)
        self.statistics.retries += out.sendings > 1
        self._say(out.message, out.sequence)

    # ---------------------------------------------------------------- out

    def _say(self, message: Message, sequence: int = 0) -> None:
        ack = self.reliable.taken if self.stage is SessionStage.OPEN else 0
        # A frame that is sent again may carry a newer ack: so it is sealed anew each time.
        frame = Frame(message, self.number, sequence, ack)
        self._out.wires.append(seal(frame, self._sign if self._keys else None))
        self.statistics.frames_out += 1

    def _sign(self, signed: bytes) -> bytes:
        assert self._keys is not None
        return enrolment.mac(self._keys.to_device, signed)

    def _over(self, kind: str, words: str) -> None:
        if self.stage is SessionStage.OPEN:
            self._say(Parting(LINK_FAULT))
        self.stage = SessionStage.OVER
        self._out.news.append(News(kind, words))

    def _take_out(self) -> SessionOutcome:
        done, self._out = self._out, SessionOutcome()
        return done
