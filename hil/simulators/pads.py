"""A table's bet pads, as a device: spots and chips, a lock, a host to obey, and every way to misbehave.

Written from ``docs/sabot-pads.md`` alone. Time is what ``now`` says, and what silence does is worked out
whenever somebody looks: so a second without a host can be tested without waiting for it.
"""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from sabot.hil.simulators import pads_wire as wire
from sabot.hil.simulators.pads_felt import COVERED, LATE, FeltSpot
from sabot.hil.simulators.pads_session import Build, PadSession

__all__ = ["Build", "Pad"]

SILENCE_S, HEARTBEAT_S = 1.0, 0.25
_EVERY_SPOT = (1 << 64) - 1
Action = tuple[str, Callable[[str], None]]
LIGHTEST, MOST = 254, 2**32 - 1


class Pad:
    """The pad. Any thread may call; ``wait`` blocks until there is something to read."""

    def __init__(self, build: Build | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self.build = build or Build()
        self.now = now
        self.condition = threading.Condition(threading.RLock())
        self.spots = [FeltSpot(has_values=self.build.has_values) for _ in range(self.build.spots)]
        self.garble: deque[str] = deque()
        self.liar: set[str] = set()
        self.orders: deque[dict[str, Any]] = deque(maxlen=1000)
        self._start()

    def _start(self) -> None:
        self.began, self.boot = self.now(), secrets.randbits(32) or 1
        self.session: PadSession | None = None
        self.locked, self.expected, self.lit, self.seats = _EVERY_SPOT, 0, 0, [0] * 8
        self.selflocks = self.flags = 0
        self._answers: deque[bytes] = deque()
        self._report: bytes | None = None
        self._ear = wire.PadsWireEar()
        self._ordered_at = self._reported_at = self.now()

    @property
    def strings(self) -> tuple[str, str, str]:
        """Return the strings of the USB descriptors."""
        return self.build.maker, self.build.model, self.build.serial

    # ---------------------------------------------------------------- the wire

    def write(self, data: bytes) -> None:
        """Take bytes of the host."""
        with self.condition:
            self.look_at_clock()
            for frame in self._ear.hear(data):
                self._take(frame)
            self.condition.notify_all()

    def read(self) -> bytes | None:
        """Return the next transfer; None if there is none."""
        with self.condition:
            self.look_at_clock()
            if self._answers:
                return self._answers.popleft()
            report, self._report = self._report, None
            return report

    def wait(self, timeout_s: float, is_gone: Callable[[], bool]) -> bytes | None:
        """Return the next transfer within that long; None if none came or the device went away."""
        until = time.monotonic() + timeout_s
        with self.condition:
            while not is_gone():
                if (data := self.read()) is not None:
                    return data
                left = until - time.monotonic()
                if left <= 0:
                    return None
                self.condition.wait(min(left, HEARTBEAT_S / 5))
        return None

    def look_at_clock(self) -> None:
        """Do what time alone has done since somebody looked."""
        with self.condition:
            self._look_at_clock()

    def _look_at_clock(self) -> None:
        # Locked by itself already: it counts a silence once, and goes on telling of it.
        if not self.flags & 1 and self.now() - self._ordered_at >= SILENCE_S and self.session_began:
            self.locked, self.expected, self.lit, self.seats = _EVERY_SPOT, 0, 0, [0] * 8
            self.selflocks = (self.selflocks + 1) % 65536
            self.flags |= 1
            self.report()
        elif self.now() - self._reported_at >= HEARTBEAT_S:
            self.report()

    @property
    def session_began(self) -> bool:
        """Return whether a host has given orders in this session."""
        return self.session is not None and self.session.taken > 0

    # ---------------------------------------------------------------- what the host says

    def _take(self, frame: dict[str, Any]) -> None:
        if frame["kind"] == wire.HELLO:
            self._greet(frame)
        elif self.session is not None and frame["session"] == self.session.number:
            if frame["kind"] == wire.PROVE and self.session.proof:
                self._answers.append(self.session.proof)
            elif frame["kind"] == wire.ORDER and self.session.is_fit(frame):
                self._obey(self.session, frame)

    def _greet(self, hello: dict[str, Any]) -> None:
        known = self.session
        if known is None or (known.number, known.nonce) != (hello["session"], hello["nonce"]):
            known = self._begin(hello)
        self._answers.append(known.identity)

    def _begin(self, hello: dict[str, Any]) -> PadSession:
        """Begin a new session: everything locked, every lamp out."""
        self.session = PadSession(self.build, self.boot, hello, self._time_ms)
        self._set_locks(_EVERY_SPOT)
        self.expected, self.lit, self.seats, self._report = 0, 0, [0] * 8, None
        self.flags &= ~1
        self._ordered_at = self.now()
        return self.session

    @property
    def _time_ms(self) -> int:
        return round((self.now() - self.began) * 1000)

    def _obey(self, session: PadSession, order: dict[str, Any]) -> None:
        session.taken = order["sequence"]
        self._ordered_at = self.now()
        self.orders.append(order)
        # A host that has not seen the last self-lock may lock, and opens nothing.
        self._set_locks(order["locked"] if order["seen"] == self.selflocks else _EVERY_SPOT)
        if order["seen"] == self.selflocks:
            self.flags &= ~1
        self.expected, self.seats = order["expected"], order["seats"]
        self.lit = order["lit"]
        self.report()

    def _set_locks(self, locked: int) -> None:
        # It opens what is opened and ignores every new lock.
        if "lock" in self.liar:
            locked &= self.locked
        opened, self.locked = self.locked & ~locked, locked
        for number, spot in enumerate(self.spots):
            if opened & 1 << number:
                spot.open()

    # ---------------------------------------------------------------- what the pad says

    def report(self) -> None:
        """Make the next STATE; one that nobody has read is replaced."""
        session = self.session
        if session is None or not session.taken:
            return
        session.made += 1
        self._reported_at = self.now()
        payload = wire.state_payload(self._told())
        self._report = self._garbled(session.state(payload, self._time_ms), payload, session)
        self.condition.notify_all()

    def _told(self) -> dict[str, Any]:
        masks = {"locked": self.locked, "expected": self.expected, "lit": self._burning()}
        rest = {"seats": self.seats, "selflocks": self.selflocks, "flags": self.flags}
        return masks | rest | {"spots": [spot.record(self.now()) for spot in self.spots]}

    def _burning(self) -> int:
        counts = sum(1 << number for number, spot in enumerate(self.spots) if spot.cover == COVERED)
        return self.lit & (_EVERY_SPOT if "lamp" in self.liar else counts)

    def _garbled(self, frame: bytes, payload: bytes, session: PadSession) -> bytes | None:
        """Return a report as the next mishap leaves it; None if it is lost."""
        mishap, _, words = self.garble.popleft().partition(" ") if self.garble else ("", "", "")
        if mishap == "mute":
            self.garble.appendleft("mute")
            return None
        if mishap == "drop":
            return None
        if mishap == "crc":
            return frame[:-1] + bytes((frame[-1] ^ 0x40,))
        if mishap == "mac" and session.key_out:
            return session.forged(payload)
        if mishap == "noise":
            return bytes.fromhex(words) + frame
        return frame

    # ---------------------------------------------------------------- the felt

    def chips(self, number: int, cents: int) -> None:
        """Lay that much on a spot (0: nothing)."""
        with self.condition:
            self.look_at_clock()
            bit = 1 << number
            is_free = not self.locked & bit or bool(self.expected & bit)
            if self.spots[number].lay(cents, self.now(), is_free=is_free):
                self.report()

    def blind(self, number: int) -> None:
        """Blind the sensor of a spot."""
        with self.condition:
            self.spots[number].blind(self.now())
            self.report()

    def see(self, number: int) -> None:
        """Let the sensor of a spot see again."""
        with self.condition:
            self.spots[number].see(self.now(), is_open=not self.locked & 1 << number)
            self.report()

    def light(self, number: int, level: int) -> None:
        """Set the ambient light at a spot."""
        with self.condition:
            self.spots[number].light = level
            self.report()

    def lie(self, number: int) -> None:
        """Count a refused chip, as an honest pad never would; raise ValueError if none lies there."""
        with self.condition:
            if self.spots[number].cover != LATE:
                message = f"no refused chip lies on spot {number}"
                raise ValueError(message)
            self.spots[number].cover = COVERED
            self.report()

    def restart(self) -> None:
        """Lose power for a moment; the chips lie where they lay."""
        with self.condition:
            self._start()
            for spot in self.spots:
                spot.restart()

    def jump(self, count: int) -> None:
        """Leave that many sequence numbers out."""
        with self.condition:
            if self.session is not None:
                self.session.made += count

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on the pad by name."""
        return actions_of(self)


def actions_of(pad: Pad) -> Mapping[str, Action]:
    """Return each action: its words, and what does it."""
    garble = pad.garble
    return {
        "chips": (
            "chips SPOT CENTS: so much lies there (0 lifts)",
            lambda words: pad.chips(*numbers(words, 2)),
        ),
        "blind": ("blind SPOT: the sensor cannot tell", lambda words: pad.blind(*numbers(words, 1))),
        "see": ("see SPOT: it can again", lambda words: pad.see(*numbers(words, 1))),
        "light": (
            "light SPOT LEVEL: ambient light, 0 to 254",
            lambda words: pad.light(*numbers(words, 2, LIGHTEST)),
        ),
        "lie": ("lie SPOT: count a refused chip", lambda words: pad.lie(*numbers(words, 1))),
        "liar": (
            "liar lock|lamp: ignore the lock, or light what is refused",
            lambda words: pad.liar.add(_lie(words)),
        ),
        "honest": ("honest: no more lies of that kind", lambda _: pad.liar.clear()),
        "crc": ("crc: the next report is damaged", lambda _: garble.append("crc")),
        "mac": ("mac: the next report is forged", lambda _: garble.append("mac")),
        "drop": ("drop: the next report is lost", lambda _: garble.append("drop")),
        "noise": (
            "noise HEX: bytes before the next report",
            lambda words: garble.append(f"noise {bytes.fromhex(words).hex()}"),
        ),
        "mute": ("mute: no more reports", lambda _: garble.append("mute")),
        "speak": ("speak: reports again", lambda _: garble.clear()),
        "jump": ("jump COUNT: leave numbers out", lambda words: pad.jump(*numbers(words, 1))),
        "restart": ("restart: lose power for a moment", lambda _: pad.restart()),
    }


def _lie(words: str) -> str:
    if words.strip() not in ("lock", "lamp"):
        message = "lock or lamp"
        raise ValueError(message)
    return words.strip()


def numbers(words: str, count: int, most: int = MOST) -> list[int]:
    """Return that many numbers from 0 to ``most``; raise ValueError that says what was wanted."""
    found = [int(word) for word in words.split()]
    if len(found) != count:
        message = f"{count} number(s) wanted"
        raise ValueError(message)
    if not all(0 <= number <= most for number in found):
        message = f"numbers from 0 to {most} wanted"
        raise ValueError(message)
    return found
