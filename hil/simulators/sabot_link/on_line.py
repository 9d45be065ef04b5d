"""A simulated device of Sabot Link on its line, whatever works stand behind the link."""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from itertools import count
from typing import Generic, Protocol, TypeVar

from sabot.hil.simulators.sabot_link.link import DeviceLink, Who

Action = tuple[str, Callable[[str], None]]


class EventStore(Protocol):
    """The link as the works use it."""

    @property
    def is_nearly_full(self) -> bool:
        """Return whether there is little room for more events."""

    def report(self, name: str, now: float, **values: int | bytes) -> None:
        """Keep an event for the host."""


class Works(ABC):
    """The works behind the link: what they do later, and what they report of it."""

    speed: float = 1.0
    full_fault = 12  # both pages give a full store this number

    def begin(self) -> None:
        """Have nothing to do yet, and no link."""
        self.link: EventStore | None = None
        self.fault, self.tested = 0, False
        self.agenda: list[tuple[float, int, Callable[[float], None]]] = []
        self._turn = count()

    def after(self, delay_s: float, do: Callable[[float], None], now: float) -> None:
        """Do something later."""
        # The turn decides between two deeds of one moment: functions cannot be compared.
        heapq.heappush(self.agenda, (now + delay_s / self.speed, next(self._turn), do))

    def run(self, now: float) -> None:
        """Do what is due."""
        while self.agenda and self.agenda[0][0] <= now:
            at, _, do = heapq.heappop(self.agenda)
            do(at)

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        """Report an event; a store that is nearly full is a fault of its own."""
        if self.link is not None:
            self.link.report(name, now, **values)
            if self.link.is_nearly_full and not self.fault:
                self.latch(now, self.full_fault)

    def latch(self, now: float, fault: int) -> None:
        """Latch a fault, and say so."""
        self.fault, self.tested = fault, False
        self.say("FAULT", now, fault=fault, latched=1)

    @abstractmethod
    def lose_power(self, now: float) -> None:
        """Lose power for a moment."""


W = TypeVar("W", bound=Works)


class OnLine(Generic[W]):
    """A device driven by bytes and a time from outside."""

    def __init__(self, who: Who, works: W, link: DeviceLink) -> None:
        self.who, self.works, self.link = who, works, link
        self.now = 0.0
        self.is_on = True

    def receive(self, data: bytes, now: float) -> bytes:
        """Take bytes of the host, and return the bytes of the answer."""
        self.now = now
        if not self.is_on:
            return b""
        self.works.run(now)
        return self.link.receive(data, now)

    def tick(self, now: float) -> bytes:
        """Let time pass, and return whatever the device has to say."""
        self.now = now
        if not self.is_on:
            return b""
        self.works.run(now)
        return self.link.tick(now)

    @property
    def deadline(self) -> float | None:
        """Return when ``tick`` has something to do; None if nothing is due."""
        times = [self.link.deadline, self.works.agenda[0][0] if self.works.agenda else None]
        return min((at for at in times if at is not None), default=None) if self.is_on else None

    def reboot(self) -> bytes:
        """Lose power in the middle of a frame and start; return the half frame that was on the wire."""
        half = self.link.sent_log[-1] if self.link.sent_log else b""
        self.works.lose_power(self.now)
        self.link.restart(self.now)
        return half[: len(half) // 2]

    def replay(self) -> None:
        """Put everything that was sent lately on the line once more."""
        for wire in self.link.sent_log:
            self.link.inject(wire)

    def line_actions(self) -> Mapping[str, Action]:
        """Return the actions on its power and its line: name, help, function of the rest of the line."""
        return {
            "reboot": ("reboot: power fails in the middle of a frame", self._reboot),
            "silent": ("silent on|off: say nothing more", self._silent),
            "spoil": ("spoil drop|twice|half|noise|flip …: what happens to the next frames", self._spoil),
            "replay": ("replay: send the last frames once more", lambda _: self.replay()),
            "forge": ("forge on|off: wrong session codes", self._forge),
        }

    def _reboot(self, _text: str) -> None:
        self.link.inject(self.reboot())

    def _silent(self, text: str) -> None:
        self.is_on = text.strip() == "off"

    def _spoil(self, text: str) -> None:
        self.link.spoil.extend(text.split())

    def _forge(self, text: str) -> None:
        self.link.forges_mac = text.strip() != "off"
