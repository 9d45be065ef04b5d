"""Sabot Link devices that are wrong in one thing each, by overriding a simulator that is right."""

import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from sabot.hil.simulators.sabot_link import Machine, SabotLinkDevice, Who
from sabot.hil.simulators.sabot_link.link import DeviceLink
from sabot.hil.simulators.sabot_link.machine import Lies
from sabot.hil.simulators.sabot_link.wire import (
    Fields,
    Receiver,
    WireHeard,
    crc32,
    frame_of,
    head_of,
    heard,
    unstuff,
)

from .virtual import Clock

LATE_S, DAMAGED = 0.08, 0x40


def bent(wire: bytes) -> bytes:
    """One bit of the last byte before the closing 00, and never a 00."""
    return wire[:-2] + bytes([wire[-2] ^ DAMAGED or 1]) + b"\0"


class WrongCrc(DeviceLink):
    def _send_body(self, body: bytes) -> None:
        self._out.append(bent(frame_of(body)))


class BadCopies(DeviceLink):
    """Each PONG goes out damaged first."""

    def _send_body(self, body: bytes) -> None:
        if body[1] == 0x08:
            self._out.append(bent(frame_of(body)))
        super()._send_body(body)


class DeafAfterTooMuch(DeviceLink):
    """Two hundred and fifty-six bytes without an end, and it hears nothing more until its next start."""

    def receive(self, data: bytes, now: float) -> bytes:
        deaf = getattr(self, "deaf", False) and b"\0\x01" not in data[:2]
        self.deaf = (deaf or b"\x11" * 256 in data) and not self._is_hello(data)
        return super().receive(b"" if self.deaf else data, now)

    def _is_hello(self, data: bytes) -> bool:
        return len(data) > 90 and data.startswith(b"\0")


class NoSecondTime(DeviceLink):
    """What was lost is lost."""

    def tick(self, now: float) -> bytes:
        if self.current and self.current.tries:
            self.current.due = now + 3600.0
        return super().tick(now)


class GivesUpEarly(DeviceLink):
    def _push(self, now: float) -> None:
        if self.current and self.current.tries >= 5 and now >= self.current.due:
            self._close()
        super()._push(now)


class SameNumbers(DeviceLink):
    """An event of a door gets no number of its own."""

    def report(self, name: str, now: float, **values: int | bytes) -> None:
        self.events -= name == "DOOR"
        super().report(name, now, **values)


class LosesNumbers(DeviceLink):
    def report(self, name: str, now: float, **values: int | bytes) -> None:
        self.events += name == "MODE"
        super().report(name, now, **values)


class ForgetsEvents(DeviceLink):
    """Nobody listens, so nothing is told."""

    def report(self, name: str, now: float, **values: int | bytes) -> None:
        if self.is_open:
            super().report(name, now, **values)


class ForgedProof(DeviceLink):
    """It has the public key of another device, and not its secret."""

    def _prepare(self, hello: WireHeard) -> None:
        super()._prepare(hello)
        self.proof = os.urandom(64)


class NoProof(DeviceLink):
    def _prepare(self, hello: WireHeard) -> None:
        super()._prepare(hello)
        self.proof = b""


class BelievesThePlain(DeviceLink):
    """A frame without a MAC is good enough."""

    def _is_believed(self, message: WireHeard) -> bool:
        return not message.mac or super()._is_believed(message)


class TakesRecordings(DeviceLink):
    """An order of the session before is obeyed."""

    def _forget(self, session: int) -> None:
        self.before = (getattr(self, "session", 0), getattr(self, "key_in", b""))
        super()._forget(session)

    def _hear(self, message: WireHeard, now: float) -> None:
        number, key = self.before
        if (
            number
            and message.session == number
            and message.name == "FREE"
            and message.mac == self._mac(key, message.signed)
        ):
            message.session = self.session
            message.sequence = self.taken + 1
            self._in_session(message, now)
        else:
            super()._hear(message, now)


class ForgedCodes(DeviceLink):
    """Each ACK is told once more, under a code that is none."""

    def _say(self, name: str, values: Fields, sequence: int = 0) -> None:
        super()._say(name, values, sequence)
        if name == "ACK" and self.key_out:
            head = head_of(name, self.session, 0, self.taken, values, maced=True)
            self._out.append(frame_of(head + bytes(16)))


class TakesTwice(DeviceLink):
    """A repeated command is a new one to it."""

    def _reliable(self, message: WireHeard, now: float) -> None:
        is_repeated = 0 < message.sequence <= self.taken
        super()._reliable(message, now)
        if is_repeated:
            self._command(message, now)


class TakesAhead(DeviceLink):
    def _reliable(self, message: WireHeard, now: float) -> None:
        self.taken = max(self.taken, message.sequence - 1)
        super()._reliable(message, now)


class AnyLength(DeviceLink):
    """What stands behind a command does not disturb it."""

    def _command(self, message: WireHeard, now: float) -> None:
        message.is_nonsense = False
        super()._command(message, now)


class NeverAlone(DeviceLink):
    """A host that is gone is not missed."""

    def tick(self, now: float) -> bytes:
        self.heard_at = now
        return super().tick(now)


class SameSession(DeviceLink):
    """A start changes nothing that it remembers."""

    def restart(self, now: float = 0.0) -> None:
        if not hasattr(self, "boot"):
            super().restart(now)


class KeepsItsTime(Machine):
    """A start does not set its clock back."""

    def state(self, now: float) -> dict[str, int]:
        return {**super().state(now), "time": int(now * 1000)}


class FreshIdentity(DeviceLink):
    """Each HELLO is a new one to it."""

    def _hello(self, message: WireHeard) -> None:
        self.hello = b""
        super()._hello(message)


class OneVersion(DeviceLink):
    """It speaks version 1, whatever the host speaks."""

    def _prepare(self, hello: WireHeard) -> None:
        hello["lowest"] = 1
        super()._prepare(hello)


class AlwaysProved(DeviceLink):
    """Without proof it obeys nobody, wanted or not."""

    def _is_believed(self, message: WireHeard) -> bool:
        return self.wants_proof and super()._is_believed(message)


class AnyCrc(Receiver):
    """Four bytes at the end, whichever."""

    def _frame(self, data: bytes) -> WireHeard | None:
        plain = unstuff(data)
        return heard(plain[:-4]) if plain and len(plain) >= 20 else None


class Lenient(Receiver):
    """A header is made to fit before it is read."""

    def _frame(self, data: bytes) -> WireHeard | None:
        plain = unstuff(data)
        if super()._frame(data) or not plain or len(plain) < 20:
            return super()._frame(data)
        body = plain[:-4]
        if crc32(body) != int.from_bytes(plain[-4:], "big"):
            return None
        message = heard(self.fitting(body))
        if message is not None and not self.is_resigned:
            message.signed = body[: 16 + body[3]]
        return message

    is_resigned = False

    def fitting(self, body: bytes) -> bytes:
        return body[:2] + bytes([body[2] & 3]) + body[3:]


class AnyLengthField(Lenient):
    is_resigned = True

    def fitting(self, body: bytes) -> bytes:
        size = len(body) - 16 - (16 if body[2] & 2 else 0)
        return body[:3] + bytes([max(size, 0)]) + body[4:]


class OnePiece(DeviceLink):
    """What does not come whole does not come."""

    def receive(self, data: bytes, now: float) -> bytes:
        self.receiver = Receiver()
        return super().receive(data, now)


class AnySession(DeviceLink):
    """Only a PING must name its session."""

    def _hear(self, message: WireHeard, now: float) -> None:
        message.session = self.session if message.name == "FREE" else message.session
        super()._hear(message, now)


class NonsenseForUnknown(DeviceLink):
    def _command(self, message: WireHeard, now: float) -> None:
        message.name = "HOLD" if message.name.startswith("0x") else message.name
        super()._command(message, now)


class AnyToken(DeviceLink):
    """An old PING is a sign of life as well."""

    def _in_session(self, message: WireHeard, now: float) -> None:
        self.token = message["token"] - 1 if message.name == "PING" else self.token
        super()._in_session(message, now)


class NeverParts(DeviceLink):
    def _in_session(self, message: WireHeard, now: float) -> None:
        if message.name != "PARTING":
            super()._in_session(message, now)


class TellsAgain(DeviceLink):
    """What the host says it has is of no interest."""

    def _prepare(self, hello: WireHeard) -> None:
        hello["boot"] = 0
        super()._prepare(hello)


class Certain(DeviceLink):
    """More than a hundred percent sure."""

    def report(self, name: str, now: float, **values: int | bytes) -> None:
        super().report(name, now, **(values | {"confidence": 101} if name == "CARD_READ" else values))


class Latecomer(SabotLinkDevice):
    """Answers to commands come too late."""

    def __init__(self) -> None:
        super().__init__(Who(), Machine(speed=20.0))
        self.late: list[tuple[float, bytes]] = []

    def receive(self, data: bytes, now: float) -> bytes:
        taken = self.link.taken
        out = super().receive(data, now)
        if self.link.taken == taken or not out:
            return out
        self.late.append((now + LATE_S, out))
        return b""

    def tick(self, now: float) -> bytes:
        due = [out for at, out in self.late if at <= now]
        self.late = [each for each in self.late if each[0] > now]
        return b"".join(due) + super().tick(now)

    @property
    def deadline(self) -> float | None:
        times = [at for at, _ in self.late]
        usual = super().deadline
        return min([*times, *([] if usual is None else [usual])], default=None)


class Chatterer(SabotLinkDevice):
    """It tells that it is there before anybody asks."""

    said_at = 0.0

    def tick(self, now: float) -> bytes:
        self.said_at = now
        return super().tick(now) + (
            b"" if self.link.session else frame_of(head_of("ACK", 9, 0, 0, {}, maced=False))
        )

    @property
    def deadline(self) -> float | None:
        usual = super().deadline
        return min(usual or self.said_at + 0.1, self.said_at + 0.1)


class KeepsItsCardsFree(Machine):
    """A host that comes or goes is no reason to hold."""

    def no_host(self) -> None:
        return None

    def _do_hold(self, _values: dict[str, int], _now: float) -> None:
        self.held = True


class NeverHolds(Machine):
    """HOLD is accepted, and the gate stays open."""

    def _do_hold(self, _values: dict[str, int], _now: float) -> None:
        return None


class OtherNumbers(Machine):
    """Tells something else than was."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **(values | self.told.get(name, {})))

    told: ClassVar[Mapping[str, dict[str, int]]] = {}


class TestsAnother(OtherNumbers):
    def _tested(self, fault: int, now: float) -> None:
        super()._tested(fault or 4, now)


class AnotherDeck(OtherNumbers):
    told: ClassVar[Mapping[str, dict[str, int]]] = {"CYCLE_COMPLETED": {"deck": 66}}


class LosesCards(OtherNumbers):
    told: ClassVar[Mapping[str, dict[str, int]]] = {"EMPTIED": {"cards_in": 99}}


class AnotherCause(OtherNumbers):
    """A door is a jam to it."""

    def stop_cycle(self, now: float, cause: int) -> None:
        super().stop_cycle(now, 1 if cause == 2 else cause)


class SeesNoFace(Machine):
    """It claims to see cards face up, and shuffles on."""

    def stop_cycle(self, now: float, cause: int) -> None:
        if cause == 5:
            self.after(0.1, self._next_card, now)
        else:
            super().stop_cycle(now, cause)


class HeldForBusy(Machine):
    def _refusal(self, name: str, values: dict[str, int]) -> int:
        code = super()._refusal(name, values)
        return 2 if code == 1 else code


class DealsWhileItShuffles(Machine):
    """An order for a stack is accepted within a cycle."""

    def _refusal(self, name: str, values: dict[str, int]) -> int:
        code = super()._refusal(name, values)
        return 0 if name == "DISPENSE" and code == 1 and self.cycle == 1 else code

    def _do_dispense(self, values: dict[str, int], now: float) -> None:
        if self.cycle != 1:
            super()._do_dispense(values, now)


class DealsTwice(Machine):
    """The same order once more is another stack."""

    def _do_dispense(self, values: dict[str, int], now: float) -> None:
        super()._do_dispense(values, now)
        self.last_order = 0


class AnyCount(Machine):
    """No cards are one card."""

    def _refusal(self, name: str, values: dict[str, int]) -> int:
        if name == "DISPENSE":
            values["cards"] = max(1, values["cards"])
        return super()._refusal(name, values)


class TellsAll(Machine):
    """The cards of a stack, wanted or not."""

    def _stack_out(self, wanted: dict[str, int], now: float) -> None:
        self.wants_identities = True
        super()._stack_out(wanted, now)


class DoorsShut(Machine):
    def state(self, now: float) -> dict[str, int]:
        return super().state(now) | {"doors": 0}


class ClearsUntested(Machine):
    def _refusal(self, name: str, values: dict[str, int]) -> int:
        return 0 if name == "CLEAR_FAULT" else super()._refusal(name, values)


class ShufflesInService(Machine):
    def _refusal(self, name: str, values: dict[str, int]) -> int:
        mode, self.mode = self.mode, 1
        try:
            return super()._refusal(name, values)
        finally:
            self.mode = mode


class ForgetsTheCycle(Machine):
    def lose_power(self, now: float) -> None:
        super().lose_power(now)
        self.cycle = 0


class CountsTheStub(Machine):
    """The stub is told one card short."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        if name == "EJECTED":
            values["count"] = int(values["count"]) - 1
        super().say(name, now, **values)


def with_link(link: type[DeviceLink], who: Who | None = None) -> Callable[[Clock], SabotLinkDevice]:
    """A device with another link."""

    def make(_clock: Clock) -> SabotLinkDevice:
        device = SabotLinkDevice(who or Who(), Machine(speed=20.0))
        device.link = link(device.who, device.machine)
        device.machine.link = device.link
        return device

    return make


def hearing(receiver: type[Receiver]) -> Callable[[Clock], SabotLinkDevice]:
    """A device with another ear."""

    class Other(DeviceLink):
        def restart(self, now: float = 0.0) -> None:
            super().restart(now)
            self.receiver = receiver()

    return with_link(Other)


def with_machine(machine: type[Machine], **lies: Any) -> Callable[[Clock], SabotLinkDevice]:
    """A device with other works."""
    return lambda _clock: SabotLinkDevice(Who(), machine(speed=20.0, lies=Lies(**lies)))


def saying(**fields: Any) -> Callable[[Clock], SabotLinkDevice]:
    """A device that says it is something else."""
    return lambda _clock: SabotLinkDevice(Who(**fields), Machine(speed=20.0))


DEVICES: Mapping[str, tuple[Callable[[Clock], Any], str]] = {
    "speaks before it is spoken to": (lambda _: Chatterer(Who(), Machine(speed=20.0)), "link.silent"),
    "a wrong CRC on every frame": (with_link(WrongCrc), "link.identity"),
    "a damaged frame beside each PONG": (with_link(BadCopies), "link.frames"),
    "a kind that nobody knows": (saying(kind=9), "link.identity"),
    "a serial number in no ASCII": (saying(serial="S\u00e4\u00e4"), "link.identity"),
    "the key of another unit": (saying(secret=bytes([0x34]) * 32), "link.enrolled"),
    "a forged proof": (with_link(ForgedProof), "link.proof"),
    "no proof at all": (with_link(NoProof), "link.proof"),
    "obeys frames without a code": (with_link(BelievesThePlain), "link.forged"),
    "obeys what was recorded": (with_link(TakesRecordings), "link.replay"),
    "codes that are none": (with_link(ForgedCodes), "link.codes"),
    "another IDENTITY to the same HELLO": (with_link(FreshIdentity), "link.same-hello"),
    "a version that the host does not speak": (with_link(OneVersion), "link.version"),
    "obeys nobody without a proof": (with_link(AlwaysProved), "link.plain"),
    "a wrong CRC taken": (hearing(AnyCrc), "link.crc"),
    "a wrong length taken": (hearing(AnyLengthField), "link.length"),
    "an unknown flag taken": (hearing(Lenient), "link.header"),
    "a frame of another session taken": (with_link(AnySession), "link.other-session"),
    "frames in pieces lost": (with_link(OnePiece), "link.pieces"),
    "an unknown command accepted": (with_link(NonsenseForUnknown), "link.unknown"),
    "a stack of no cards": (with_machine(AnyCount), "link.values"),
    "an old PING answered": (with_link(AnyToken), "link.ping"),
    "PARTING ignored": (with_link(NeverParts), "link.parting"),
    "what the host has told again": (with_link(TellsAgain), "link.had"),
    "another fault tested": (with_machine(TestsAnother), "link.retest"),
    "another deck completed": (with_machine(AnotherDeck), "link.shuffle"),
    "held where it is busy": (with_machine(HeldForBusy), "link.busy"),
    "a stack promised while it shuffles": (with_machine(DealsWhileItShuffles), "link.busy"),
    "an order carried out twice": (with_machine(DealsTwice), "link.stack"),
    "cards told to who wants none": (with_machine(TellsAll), "link.hides"),
    "a door told as a jam": (with_machine(AnotherCause), "link.stops"),
    "a card face up shuffled in": (with_machine(SeesNoFace), "link.face-up"),
    "an open door not shown": (with_machine(DoorsShut), "link.door"),
    "cards that were never in it": (with_machine(LosesCards), "link.emptied"),
    "a confidence of 101": (with_link(Certain), "link.listed"),
    "cards free in a new session": (with_machine(KeepsItsCardsFree), "link.state"),
    "no resync after too many bytes": (with_link(DeafAfterTooMuch), "link.noise"),
    "a command of a wrong length obeyed": (with_link(AnyLength), "link.payload"),
    "late acknowledgements": (lambda _: Latecomer(), "link.ack"),
    "a repeated command obeyed twice": (with_link(TakesTwice), "link.duplicate"),
    "a command ahead of its turn obeyed": (with_link(TakesAhead), "link.ahead"),
    "no retransmission": (with_link(NoSecondTime), "link.again"),
    "five sendings, and no more": (with_link(GivesUpEarly), "link.gives-up"),
    "a session that outlives its host": (with_link(NeverAlone), "link.silence"),
    "events lost with the link": (with_link(ForgetsEvents), "link.kept"),
    "two events of one number": (with_link(SameNumbers), "link.events"),
    "a number left out": (with_link(LosesNumbers), "link.events"),
    "HOLD accepted and not done": (with_machine(NeverHolds), "link.gate"),
    "a card counted too few": (with_machine(Machine, count=-1), "link.count"),
    "a digest of other cards": (with_machine(Machine, digest=True), "link.digest"),
    "the order of the shuffled deck told": (with_machine(Machine, leaks_order=True), "link.order"),
    "a stack of another size": (with_machine(Machine, stack_size=1), "link.stack"),
    "a stub counted short": (with_machine(CountsTheStub), "link.stub"),
    "cards moved in service mode": (with_machine(ShufflesInService), "link.mode"),
    "a fault cleared untested": (with_machine(ClearsUntested), "link.latch"),
    "a start that keeps the session": (with_link(SameSession), "link.start"),
    "a clock that a start does not set back": (with_machine(KeepsItsTime), "link.start"),
    "a broken cycle not told": (with_machine(ForgetsTheCycle), "link.broken"),
}
