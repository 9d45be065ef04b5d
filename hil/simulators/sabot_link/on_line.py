"""What every simulated device of Sabot Link is on its line, whatever works stand behind the link."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from sabot.hil.simulators.sabot_link.link import DeviceLink, Who

Action = tuple[str, Callable[[str], None]]


class Works(Protocol):
    """The works behind the link, as far as the line goes."""

    agenda: list[Any]

    def run(self, now: float) -> None:
        """Do what is due."""

    def lose_power(self, now: float) -> None:
        """The power is gone for a moment."""


W = TypeVar("W", bound=Works)


class OnLine(Generic[W]):
    """A device driven by bytes and a time from outside."""

    def __init__(self, who: Who, works: W, link: DeviceLink) -> None:
        self.who, self.works, self.link = who, works, link
        self.now = 0.0
        self.is_on = True

    def receive(self, data: bytes, now: float) -> bytes:
        """Bytes from the host; the bytes of the answer."""
        self.now = now
        if not self.is_on:
            return b""
        self.works.run(now)
        return self.link.receive(data, now)

    def tick(self, now: float) -> bytes:
        """Time passed; whatever the device has to say."""
        self.now = now
        if not self.is_on:
            return b""
        self.works.run(now)
        return self.link.tick(now)

    @property
    def deadline(self) -> float | None:
        """When ``tick`` has something to do."""
        times = [self.link.deadline, self.works.agenda[0][0] if self.works.agenda else None]
        return min((at for at in times if at is not None), default=None) if self.is_on else None

    def reboot(self) -> bytes:
        """Power goes in the middle of a frame and comes back; what was on the wire is half a frame."""
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
