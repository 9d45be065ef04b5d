"""A whole device: the works and the link, driven by bytes and a time from outside."""

import os
import sys
from collections.abc import Callable, Mapping

from sabot.hil.simulators.sabot_link.link import DeviceLink, Who
from sabot.hil.simulators.sabot_link.machine import RANKS, SUITS, Lies, Machine, card, pack

Action = tuple[str, Callable[[str], None]]
FASTEST = 1000


class SabotLinkDevice:
    """A shuffler, a packet shoe, or both, on a line."""

    def __init__(
        self,
        who: Who | None = None,
        machine: Machine | None = None,
        draw: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.who = who or Who()
        self.machine = machine or Machine()
        self.machine.capabilities = self.who.capabilities
        self.link = DeviceLink(self.who, self.machine, draw)
        self.machine.link = self.link
        self.now = 0.0
        self.is_on = True

    def receive(self, data: bytes, now: float) -> bytes:
        """Bytes from the host; the bytes of the answer."""
        self.now = now
        if not self.is_on:
            return b""
        self.machine.run(now)
        return self.link.receive(data, now)

    def tick(self, now: float) -> bytes:
        """Time passed; whatever the device has to say."""
        self.now = now
        if not self.is_on:
            return b""
        self.machine.run(now)
        return self.link.tick(now)

    @property
    def deadline(self) -> float | None:
        """When ``tick`` has something to do."""
        times = [self.link.deadline, self.machine.agenda[0][0] if self.machine.agenda else None]
        return min((at for at in times if at is not None), default=None) if self.is_on else None

    # ---------------------------------------------------------------- the script

    def reboot(self) -> bytes:
        """Power goes in the middle of a frame and comes back; what was on the wire is half a frame."""
        half = self.link.sent_log[-1] if self.link.sent_log else b""
        self.machine.lose_power(self.now)
        self.link.restart(self.now)
        return half[: len(half) // 2]

    def replay(self) -> None:
        """Put everything that was sent lately on the line once more."""
        for wire in self.link.sent_log:
            self.link.inject(wire)

    def actions(self) -> Mapping[str, Action]:
        """What a person can let the device do: name, help, function of the rest of the line."""
        machine = self.machine
        return {
            "load": ("load [red|blue] [CARD…]: lay a deck, or these cards, into the intake", self._load),
            "stack": ("stack CARD…: these lie on top of the deck inside, in this order", self._stack),
            "shuffle": ("shuffle: press the key at the device", lambda _: machine.start_cycle(self.now)),
            "jam": ("jam [PLACE [CAUSE]]: something is stuck now (1 intake … 5 eject)", self._jam),
            "jam-at": ("jam-at N: jam before card N of the next intake", self._set("jam_at")),
            "jam-stack": ("jam-stack 1: the next stack jams on its way out", self._set("jams_stack")),
            "short": ("short N: the next stack lacks N cards", self._set("short_by")),
            "speed": ("speed N: from the next step on it works N times as fast as a real one", self._speed),
            "door": ("door N open|close: a lid or door moves (3 service)", self._door),
            "mode": ("mode play|sort|verify|service: turn the key", self._mode),
            "empty": ("empty [LEFT]: take the cards out, LEFT stay inside", self._empty),
            "fault": ("fault N: latch a fault", lambda text: machine.latch(self.now, int(text))),
            "remain": ("remain 0|1: whether the cause of a fault stays", self._set("cause_remains")),
            "reboot": ("reboot: power fails in the middle of a frame", self._reboot),
            "silent": ("silent on|off: say nothing more", self._silent),
            "spoil": ("spoil drop|twice|half|noise|flip …: what happens to the next frames", self._spoil),
            "replay": ("replay: send the last frames once more", lambda _: self.replay()),
            "forge": ("forge on|off: wrong session codes", self._forge),
            "lie": ("lie count|reads|size N, lie digest, lie order, lie off: firmware that lies", self._lie),
            "state": ("state: print how the device is", self._show),
        }

    def _show(self, _text: str) -> None:
        facts = {**self.machine.state(self.now), "session": self.link.is_open, "kept": len(self.link.kept)}
        sys.stdout.write(" ".join(f"{name}={value}" for name, value in facts.items()) + "\n")

    def _load(self, text: str) -> None:
        words = text.split()
        color = 2 if words[:1] == ["blue"] else 1
        named = [word for word in words if word not in ("red", "blue")]
        self.machine.intake = [card(word, color) for word in named] or pack(color)

    def _stack(self, text: str) -> None:
        self.machine.stack([(RANKS.index(name[0]), SUITS.index(name[1])) for name in text.split()])

    def _jam(self, text: str) -> None:
        given = [int(word) for word in text.split()]
        place, cause = (given + [4, 5][len(given) :])[:2]
        self.machine.jam(self.now, place, cause)

    def _set(self, name: str) -> Callable[[str], None]:
        return lambda text: setattr(self.machine, name, int(text or 0))

    def _speed(self, text: str) -> None:
        wanted = float(text)
        if not 0 < wanted <= FASTEST:
            message = f"{text!r} is no speed above 0 and up to {FASTEST}"
            raise ValueError(message)
        self.machine.speed = wanted

    def _door(self, text: str) -> None:
        number, _, how = text.partition(" ")
        self.machine.move_door(self.now, int(number), is_open=how.strip() != "close")

    def _mode(self, text: str) -> None:
        self.machine.change_mode(self.now, ("play", "sort", "verify", "service").index(text.strip()) + 1)

    def _empty(self, text: str) -> None:
        self.machine.empty(self.now, int(text or 0))

    def _reboot(self, _text: str) -> None:
        self.link.inject(self.reboot())

    def _silent(self, text: str) -> None:
        self.is_on = text.strip() == "off"

    def _spoil(self, text: str) -> None:
        self.link.spoil.extend(text.split())

    def _forge(self, text: str) -> None:
        self.link.forges_mac = text.strip() != "off"

    def _lie(self, text: str) -> None:
        what, _, number = text.partition(" ")
        lies = self.machine.lies
        if what == "off":
            self.machine.lies = Lies()
        elif what in ("count", "reads"):
            setattr(lies, what, int(number or 1))
        elif what == "size":
            lies.stack_size = int(number or 1)
        else:
            lies.digest, lies.leaks_order = (
                lies.digest or what == "digest",
                lies.leaks_order or what == "order",
            )
