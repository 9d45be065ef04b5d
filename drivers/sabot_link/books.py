"""The books of a device over its sessions, whatever it is: which events of it were had, and its fault.

A number that was had is no news. A gap means that reports are missing, and the same number with other
contents that the device contradicts itself: both hold the table.
"""

from collections.abc import Iterable
from dataclasses import field

from sabot.drivers.sabot_link import messages as m
from sabot.rules.frozen import mutable
from sabot.statemachine.vocabulary.events import DeviceFaulted, DeviceRetested, Event

# So many events are remembered: more than a device may keep.
REMEMBERED = 512


@mutable(kw_only=True)
class LinkBooks:
    """The books of one device."""

    name: str
    capabilities: int = 0
    boot: int = 0
    last_event: int = 0
    fault: int = 0
    asked_of: str = ""
    had: dict[int, int] = field(default_factory=dict)
    session_from: int = 0
    is_from_first: bool = False
    at: float = 0.0

    def connected(self, told: m.IdentityTold) -> None:
        """Begin a session: another boot has begun its numbers anew, at 1 where one before it is known."""
        if told.boot != self.boot:
            # The first boot that is heard may have told its first events to another host. After a restart
            # that was heard the numbers begin at 1, so a first event that is lost is missed.
            self.is_from_first = self.boot != 0
            self.boot, self.last_event = told.boot, 0
            self.had.clear()
        # What the device sends again from here on may be what it kept:
        # an acknowledgement was lost with the session.
        self.capabilities, self.session_from = told.capabilities, self.last_event

    def is_new(self, message: m.Message) -> bool:
        """Return whether this was not had before.

        A repeated event is no event, and meets nothing that is waited for.
        """
        return not isinstance(message, m.Happened) or message.event > self.last_event

    def _repeated(self, message: m.Happened) -> list[Event]:
        """Return nothing for an event that another session had, else that the device contradicts itself."""
        # A number of this very session cannot come twice: the link has no duplicates.
        if message.event <= self.session_from and self.had.get(message.event) == hash(message):
            return []
        self.unsure()
        return [self._fault("contradiction", f"its event {message.event} comes a second time, as another")]

    def on(self, message: m.Message, at: float) -> list[Event]:
        """Return the events of one message, and before them what is missing or contradicted."""
        self.at = at
        found: list[Event] = []
        if isinstance(message, m.Happened):
            if not self.is_new(message):
                return self._repeated(message)
            missing = message.event - self.last_event - 1
            if missing and (self.last_event or self.is_from_first):
                self.unsure()
                found.append(self._fault("contradiction", f"{missing} report(s) of it are missing"))
            self.last_event = message.event
            # The hash, not the message: reads of cards are not kept in memory.
            self.had[message.event] = hash(message)
            self.had.pop(message.event - REMEMBERED, None)
        return [*found, *self.told(message)]

    def unsure(self) -> None:
        """Forget what is known from reports alone: one is missing, or was not believed."""

    def told(self, _message: m.Message) -> Iterable[Event]:
        """Return the events of a message that is news; each kind of device has its own."""
        return ()

    def malformed(self, message: m.Message, at: float) -> list[Event]:
        """Return the fault of a device that says what the page does not know."""
        self.at = at
        return [self._fault("device", f"it speaks against its own convention ({message!r})")]

    def fault_found(self, kind: str, detail: str, at: float) -> Event:
        """Return a fault that the driver found."""
        self.at = at
        return self._fault(kind, detail)

    def tested_good(self, fault: str, at: float) -> Event:
        """Return that a fault which the driver found is gone."""
        self.at = at
        return self._tested(self.name, fault, "")

    def untested(self, left: str, at: float) -> Event:
        """Return that the test that was asked for was not made, with the reason."""
        self.at = at
        return self._tested(self.name, self.asked_of or "all", left)

    def _fault(self, kind: str, detail: str, device: str = "") -> Event:
        return DeviceFaulted(
            at=self.at, source=self.name, device=device or self.name, fault=kind, detail=detail
        )

    def _tested(self, device: str, fault: str, left: str) -> Event:
        about = {"source": self.name, "device": device, "fault": fault, "detail": left}
        return DeviceRetested(at=self.at, good=not left, **about)
