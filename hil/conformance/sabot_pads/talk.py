"""The kit's talk with pads within a session: it keeps the heartbeat and reads every STATE.

What it wants of the pads is kept whole, as an ORDER holds it; a check changes it and waits for the STATE that
acknowledges the change.
"""

from typing import Any

from sabot.hil.conformance.hands import CheckHands
from sabot.hil.conformance.kit import Kit, KitLine, Setting, WrongError
from sabot.hil.conformance.sabot_pads.frame_reader import STATE, PadFrameReader, PadsCame, ToldSpot, code_of
from sabot.hil.simulators.pads_wire import ORDER, put_together

# Answer to a greeting, our beat, answer to an ORDER, silence that locks; then the kit's own: how long nothing
# may come, and how long it waits.
GREETING_S, BEAT_S, ANSWER_S, SILENCE_S, QUIET_S, PATIENCE_S = 0.2, 0.2, 0.02, 1.0, 0.3, 1.0
PAGE = b"sabot-pads/1"
EVERY = (1 << 64) - 1
NOTHING: dict[str, Any] = {"locked": EVERY, "expected": 0, "lit": 0, "seats": [0] * 8}


class PadTalk(Kit):
    """A host on one set of pads."""

    def __init__(self, line: KitLine, hands: CheckHands, setting: Setting) -> None:
        super().__init__(line, hands, setting)
        self.ear = PadFrameReader()
        self.identity: dict[str, Any] = {}
        self.forged: list[str] = []
        self.odd: list[str] = []
        self.order_times: list[float] = []
        self._forget()

    def _forget(self) -> None:
        self.number = self.sent = 0
        self.key_out = self.key_in = b""
        self.wants = dict(NOTHING)
        self.states: list[PadsCame] = []
        self.answers: list[PadsCame] = []
        self.is_beating = False
        self._beat_at = self.line.now()

    def begin(self) -> None:
        """Forget the last session: each check opens one of its own."""
        self._forget()

    # ---------------------------------------------------------------- hearing

    def pump(self, until: float) -> None:
        """Read once; keep the heartbeat."""
        next_beat = self._beat_at + BEAT_S
        data = self.read(min(until, next_beat) if self.is_beating else until)
        for came in self.ear.hear(data, self.line.now()):
            self._take(came)
        if self.is_beating and self.line.now() >= next_beat:
            self.order()

    def _take(self, came: PadsCame) -> None:
        if came.session != self.number:
            return
        if came.kind != STATE:
            self.answers.append(came)
        elif came.mac != (code_of(self.key_in, came.signed) if self.key_in else b""):
            self.forged.append("STATE with a wrong MAC")
        else:
            self._judge(came)
            self.states.append(came)

    def _judge(self, came: PadsCame) -> None:
        """Judge a STATE by the page, whatever was ordered."""
        told, last = came.fields, self.states[-1] if self.states else None
        covered = sum(1 << number for number, spot in enumerate(told["spots"]) if spot.state == 1)
        rows = (
            (told["count"] != self.identity.get("spots"), f"{told['count']} spots, not as in IDENTITY"),
            (told["lit"] & ~covered, "a lamp burns on a spot that is not covered"),
            (any(spot.state > 5 for spot in told["spots"]), "a spot's state above 5"),  # noqa: PLR2004
            (max(told["seats"]) > 3, "a seat's lamp above 3"),  # noqa: PLR2004
            (any(spot.state == 0 and spot.cents for spot in told["spots"]), "a value where nothing lies"),
            (
                last and came.sequence <= last.sequence,
                f"sequence {came.sequence} was not greater than before",
            ),
            (last and (came.time - last.time) % 2**32 >= 2**31, "time went back"),
        )
        self.odd += [f"STATE {came.sequence}: {words}" for is_so, words in rows if is_so]

    # ---------------------------------------------------------------- saying

    def frame(self, kind: int, payload: bytes, sequence: int = 0) -> bytes:
        """Return a frame as this session wants it."""
        key = self.key_out if kind == ORDER else b""
        return put_together(kind, payload, session=self.number, sequence=sequence, key=key)

    def order_payload(self, **changed: Any) -> bytes:  # noqa: ANN401 - fields of the wire
        """Return the payload of an ORDER."""
        wants = {**self.wants, "seen": self.selflocks, **changed}
        masks = b"".join(wants[name].to_bytes(8, "big") for name in ("locked", "expected", "lit"))
        return bytes(masks + bytes(wants["seats"]) + wants["seen"].to_bytes(2, "big"))

    def order(self, **seen: int) -> int:
        """Send an ORDER, and return its sequence."""
        self.sent += 1
        self._beat_at = self.send(self.frame(ORDER, self.order_payload(**seen), self.sent))
        return self.sent

    def want(self, **changed: Any) -> dict[str, Any]:  # noqa: ANN401
        """Order something else, and return the STATE that acknowledges it."""
        self.wants |= changed
        return self.acknowledged(self.order())

    def acknowledged(self, sequence: int) -> dict[str, Any]:
        """Return the first STATE that acknowledges this ORDER."""
        at = self._beat_at
        came = self.until(lambda: self._with_ack(sequence), PATIENCE_S)
        if came is None:
            how = " under a right MAC" if self.forged else ""
            raise WrongError(f"an ORDER got no STATE{how} within {PATIENCE_S:g} s")
        self.order_times.append(came.at - at)
        fields: dict[str, Any] = came.fields
        return fields

    def _with_ack(self, sequence: int) -> PadsCame | None:
        return next((each for each in self.states if each.ack >= sequence), None)

    # ---------------------------------------------------------------- what was told

    @property
    def told(self) -> dict[str, Any]:
        """Return the latest STATE."""
        return self.states[-1].fields if self.states else {"selflocks": 0, "spots": []}

    @property
    def selflocks(self) -> int:
        """Return how often the pads have locked themselves, by the latest STATE."""
        return int(self.told["selflocks"])

    def spot(self, number: int) -> ToldSpot:
        """Return a spot as the latest STATE tells it."""
        found = self.told["spots"][number]
        assert isinstance(found, ToldSpot)
        return found

    def becomes(self, number: int, state: int, words: str, within_s: float = PATIENCE_S) -> ToldSpot:
        """Wait until a spot is told in this state, and return it."""
        if not self.until(lambda: self.spot(number).state == state, within_s):
            raise WrongError(f"{words}: spot {number} is told as {self.spot(number).state}, not {state}")
        return self.spot(number)

    def stays(self, number: int, state: int, words: str) -> None:
        """Raise WrongError if a spot becomes anything else."""
        self.wait(QUIET_S)
        told = self.spot(number).state
        self.demand(told == state, f"{words}: spot {number} is told as {told}, not {state}")
