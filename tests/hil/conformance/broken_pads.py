"""Pads that are wrong in one thing each, by overriding a simulator that is right."""

import zlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from sabot.hil.simulators import pads_wire as wire
from sabot.hil.simulators.pads import SILENCE_S, Build, Pad
from sabot.hil.simulators.pads_felt import CHANGED, COVERED, EMPTY, LATE, LIFTED, FeltSpot
from sabot.hil.simulators.pads_session import PadSession

from .virtual import Clock

EVERY = (1 << 64) - 1


def bent(frame: bytes) -> bytes:
    return frame[:-1] + bytes([frame[-1] ^ 0x40])


class WrongCrc(Pad):
    def read(self) -> bytes | None:
        data = super().read()
        return bent(data) if data else None


class BadCopies(Pad):
    """Each IDENTITY goes out damaged first, each PROOF whole."""

    def _greet(self, hello: dict[str, Any]) -> None:
        super()._greet(hello)
        self._answers.insert(0, bent(self._answers[-1]))


class NoResync(Pad):
    """A header that was damage swallows the good frame behind it."""

    def write(self, data: bytes) -> None:
        with self.condition:
            self.look_at_clock()
            self._swallow += data
            while frame := self._next():
                for each in wire.PadsWireEar().hear(frame):
                    self._take(each)

    def _start(self) -> None:
        super()._start()
        self._swallow = b""

    def _next(self) -> bytes:
        start = self._swallow.find(b"SP\x01")
        size = (
            wire.PadsWireEar._size(self._swallow[start:])
            if start >= 0 and len(self._swallow) >= start + 8
            else 0
        )
        if size == 0 and len(self._swallow) >= start + 8 > 7:
            self._swallow = self._swallow[start + 1 :]
            return self._next()
        if size == 0 or len(self._swallow) < start + size:
            self._swallow = self._swallow[-700:]
            return b""
        frame = self._swallow[start : start + size]
        self._swallow = self._swallow[start + size :]
        return frame


class LateLock(Pad):
    """The STATE that acknowledges a lock still says open; the next one says locked."""

    def _obey(self, session: PadSession, order: dict[str, Any]) -> None:
        self._before = self.locked
        super()._obey(session, order)

    def report(self) -> None:
        now, self.locked = self.locked, self.locked & getattr(self, "_before", EVERY)
        super().report()
        self.locked = now
        self._before = EVERY


class OpenToNewHosts(Pad):
    """HELLO leaves the locks as they were."""

    def _begin(self, hello: dict[str, Any]) -> PadSession:
        locked = self.locked
        session = super()._begin(hello)
        self._set_locks(locked)
        return session


class Forgiving(FeltSpot):
    """A refused chip counts once its spot opens."""

    def open(self) -> None:
        super().open()
        self.cover = COVERED if self.cover == LATE else self.cover


class ForgetsLifted(FeltSpot):
    def lay(self, cents: int, at: float, *, is_free: bool) -> bool:
        is_seen = super().lay(cents, at, is_free=is_free)
        self.cover = EMPTY if self.cover == LIFTED else self.cover
        return is_seen


class TakesMore(FeltSpot):
    def lay(self, cents: int, at: float, *, is_free: bool) -> bool:
        is_seen = super().lay(cents, at, is_free=is_free)
        self.cover = COVERED if self.cover == CHANGED else self.cover
        return is_seen


class VouchesForAll(FeltSpot):
    """What lies there after a start has always been there."""

    def restart(self) -> None:
        super().restart()
        self.cover = COVERED if self.cover == LATE else self.cover


class SeesInTime(FeltSpot):
    """What was there when it went blind is taken for there in time."""

    def see(self, at: float, *, is_open: bool) -> None:  # noqa: ARG002
        super().see(at, is_open=True)


class DarkSeats(Pad):
    """The lamps of the seats are ordered in vain."""

    def _obey(self, session: PadSession, order: dict[str, Any]) -> None:
        super()._obey(session, order | {"seats": [0] * 8})


class NeverAlone(Pad):
    """A host that is gone is not missed."""

    def _look_at_clock(self) -> None:
        self._ordered_at = self.now()
        super()._look_at_clock()


class WokenEasily(Pad):
    """Who has not seen its last self-lock may open all the same."""

    def _obey(self, session: PadSession, order: dict[str, Any]) -> None:
        is_one_behind = (order["seen"] + 1) % 65536 == self.selflocks
        super()._obey(session, order | ({"seen": self.selflocks} if is_one_behind else {}))


class NeverAsks(Pad):
    """``seen`` means nothing to it, but while it is locked by itself."""

    def _obey(self, session: PadSession, order: dict[str, Any]) -> None:
        super()._obey(session, order if self.flags & 1 else order | {"seen": self.selflocks})


class NoBeat(Pad):
    """Without an ORDER it has nothing to say until it locks itself."""

    def _look_at_clock(self) -> None:
        if self.now() - self._ordered_at < SILENCE_S:
            self._reported_at = self.now()
        super()._look_at_clock()


class Slow(Pad):
    """Each STATE comes 60 ms late."""

    def read(self) -> bytes | None:
        if self._report is not None and not self._answers and self.now() - self._reported_at < 0.06:
            return None
        return super().read()


class WrongSerial(Pad):
    @property
    def strings(self) -> tuple[str, str, str]:
        return "Sabot", "Simulated pad", "ANOTHER"


class Repeats(PadSession):
    """An ORDER may come as often as it likes."""

    def is_fit(self, order: dict[str, Any]) -> bool:
        taken, self.taken = self.taken, min(self.taken, order["sequence"] - 1)
        is_fit = super().is_fit(order)
        self.taken = taken
        return is_fit


class BelievesThePlain(PadSession):
    def is_fit(self, order: dict[str, Any]) -> bool:
        return super().is_fit(order) or not order["mac"]


class ForgedProof(PadSession):
    def __init__(self, *facts: Any) -> None:
        super().__init__(*facts)
        if self.proof:
            self.proof = wire.put_together(wire.PROOF, bytes(64), session=self.number)


class ForgedStates(Pad):
    """A STATE of somebody without the key, between the others."""

    def report(self) -> None:
        super().report()
        if self.session is not None and self.session.key_out and self.session.made % 7 == 3:
            self._answers.append(self.session.forged(wire.state_payload(self._told())))


class KeepsItsSession(Pad):
    """A start changes nothing that it remembers."""

    def restart(self) -> None:
        self.look_at_clock()


class DeafToTheDealer(Pad):
    """An expected movement is told, and not allowed."""

    def chips(self, number: int, cents: int) -> None:
        with self.condition:
            expected, self.expected = self.expected, 0
            super().chips(number, cents)
            self.expected = expected
            self.report()


class OtherClass(Pad):
    usb: ClassVar = {"interface": (0xFF, 0x53, 0x02)}


class FreshIdentity(Pad):
    """Each HELLO is a new one to it."""

    def _greet(self, hello: dict[str, Any]) -> None:
        self.session = None
        super()._greet(hello)


class OneVersion(Pad):
    """It speaks version 1, whatever the host speaks."""

    def _begin(self, hello: dict[str, Any]) -> PadSession:
        return super()._begin(hello | {"lowest": 1})


class TellsAtOnce(Pad):
    """A STATE before any ORDER."""

    def _begin(self, hello: dict[str, Any]) -> PadSession:
        session = super()._begin(hello)
        session.made += 1
        self._answers.append(session.state(wire.state_payload(self._told()), 0))
        return session


class AlwaysProved(PadSession):
    """Without proof it obeys nobody, wanted or not."""

    def is_fit(self, order: dict[str, Any]) -> bool:
        return bool(self.key_in) and super().is_fit(order)


class AnySession(Pad):
    """A frame of whatever session is a frame."""

    def _take(self, frame: dict[str, Any]) -> None:
        if self.session is not None and frame["kind"] == wire.ORDER:
            frame["session"] = self.session.number
        super()._take(frame)


class OnePiece(Pad):
    """What does not come whole does not come."""

    def write(self, data: bytes) -> None:
        self._ear = wire.PadsWireEar()
        super().write(data)


class Lenient(Pad):
    """A frame that comes whole is made to fit before it is read."""

    def write(self, data: bytes) -> None:
        is_whole = (
            data[:3] == b"SP\x01"
            and data[4] <= 1
            and wire.PadsWireEar._size(data[:5] + b"\0" + data[6:]) == len(data)
        )
        super().write(self.fitting(data) if is_whole else data)

    def fitting(self, data: bytes) -> bytes:
        return data[:-4] + zlib.crc32(data[:-4]).to_bytes(4, "big")


class AnyZero(Lenient):
    def fitting(self, data: bytes) -> bytes:
        return super().fitting(data[:5] + b"\0" + data[6:]) if data[5] else data


class AnyLength(Lenient):
    """What stands behind an ORDER does not disturb it."""

    longer = (b"", b"")

    def fitting(self, data: bytes) -> bytes:
        if data[3] != wire.ORDER or data[7] != 35:
            return data
        short = data[:7] + bytes([34]) + data[8:58] + data[59:-4]
        self.longer = (data[:59], data[59:-4])
        return short + zlib.crc32(short).to_bytes(4, "big")

    def _take(self, frame: dict[str, Any]) -> None:
        signed, mac = self.longer
        if signed:
            frame |= {"signed": signed, "mac": mac}
            self.longer = (b"", b"")
        super()._take(frame)


class Worthless(FeltSpot):
    """The value of a wager that counts is not known, where values are claimed."""

    def record(self, now: float) -> tuple[int, int, int, int, int]:
        cover, changes, light, age, cents = super().record(now)
        return cover, changes, light, age, 0xFFFFFFFF if cover == COVERED else cents


class Haunted(FeltSpot):
    """A value where nothing lies."""

    def record(self, now: float) -> tuple[int, int, int, int, int]:
        cover, changes, light, age, cents = super().record(now)
        return cover, changes, light, age, 5 if cover == EMPTY else cents


def with_pad(pad: type[Pad]) -> Callable[[Clock], Pad]:
    """Other pads."""
    return lambda clock: pad(Build(spots=4), now=lambda: clock.now_s)


def with_spots(spot: type[FeltSpot]) -> Callable[[Clock], Pad]:
    """The same pads over other sensors."""

    def make(clock: Clock) -> Pad:
        pad = Pad(Build(spots=4), now=lambda: clock.now_s)
        pad.spots = [spot(has_values=True) for _ in pad.spots]
        return pad

    return make


def with_session(session: type[PadSession]) -> Callable[[Clock], Pad]:
    """The same pads with other words to their host."""

    class Other(Pad):
        def _begin(self, hello: dict[str, Any]) -> PadSession:
            super()._begin(hello)
            self.session = session(self.build, self.boot, hello, self._time_ms)
            return self.session

    return with_pad(Other)


DEVICES: Mapping[str, tuple[Callable[[Clock], Any], str]] = {
    "a wrong CRC on every frame": (with_pad(WrongCrc), "pads.identity"),
    "a damaged frame beside each IDENTITY": (with_pad(BadCopies), "pads.frames"),
    "another serial number than in the descriptor": (with_pad(WrongSerial), "pads.identity"),
    "an interface of another class": (with_pad(OtherClass), "pads.descriptors"),
    "another IDENTITY to the same HELLO": (with_pad(FreshIdentity), "pads.same-hello"),
    "a version that the host does not speak": (with_pad(OneVersion), "pads.version"),
    "the key of another unit": (
        lambda clock: Pad(Build(spots=4, signing_key=bytes([9]) * 32), now=lambda: clock.now_s),
        "pads.enrolled",
    ),
    "a STATE before any ORDER": (with_pad(TellsAtOnce), "pads.session"),
    "obeys nobody without a proof": (with_session(AlwaysProved), "pads.plain"),
    "a wrong CRC taken": (with_pad(Lenient), "pads.crc"),
    "a wrong length taken": (with_pad(AnyLength), "pads.length"),
    "a wrong header taken": (with_pad(AnyZero), "pads.header"),
    "an ORDER of another session taken": (with_pad(AnySession), "pads.other-session"),
    "frames in pieces lost": (with_pad(OnePiece), "pads.pieces"),
    "a wager without its value": (with_spots(Worthless), "pads.covered"),
    "a value where nothing lies": (with_spots(Haunted), "pads.states"),
    "a forged proof": (with_session(ForgedProof), "pads.proof"),
    "obeys an ORDER without a code": (with_session(BelievesThePlain), "pads.forged"),
    "obeys an ORDER for the second time": (with_session(Repeats), "pads.replay"),
    "a STATE of a stranger between its own": (with_pad(ForgedStates), "pads.codes"),
    "a late answer": (with_pad(Slow), "pads.answer"),
    "a late lock": (with_pad(LateLock), "pads.lock"),
    "opens for a host that has seen nothing": (with_pad(NeverAsks), "pads.seen"),
    "no heartbeat": (with_pad(NoBeat), "pads.beat"),
    "no lock of its own in silence": (with_pad(NeverAlone), "pads.silence"),
    "opens for a host that slept": (with_pad(WokenEasily), "pads.release"),
    "ignores the lamps": (with_pad(DarkSeats), "pads.lamps"),
    "no resync inside a bad frame": (with_pad(NoResync), "pads.noise"),
    "a refused chip counted later": (with_spots(Forgiving), "pads.late"),
    "a wager taken back late forgotten": (with_spots(ForgetsLifted), "pads.lifted"),
    "a wager added to late accepted": (with_spots(TakesMore), "pads.changed"),
    "the dealer's hand refused": (with_pad(DeafToTheDealer), "pads.expected"),
    "what was hidden taken for in time": (with_spots(SeesInTime), "pads.blind"),
    "open for a new host": (with_pad(OpenToNewHosts), "pads.new-host"),
    "a start that keeps the session": (with_pad(KeepsItsSession), "pads.start"),
    "chips vouched for after a start": (with_spots(VouchesForAll), "pads.start"),
}
