"""Cables in each other's ports: found out as soon as a device on a serial line does not answer.

A wrong question mostly brings silence, so the driver alone can only say that its device is not heard. As long
as one is missed, what comes at the ports of those that are not heard is read in the other conventions of the
table too; and a port at which a driver asked in vain is asked for the other devices that are missed, at their
own line settings. A device that never answers (a display) cannot be missed: its port is asked last, and once,
for what was found nowhere else. A port whose own device answers is never touched.
"""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import structlog

from sabot.drivers.device import DriverKind, Keyring
from sabot.drivers.errors import LinkError
from sabot.drivers.options import Value
from sabot.drivers.wrong_ports import PlaceSeen, judge
from sabot.firmware.journal.content import Handled
from sabot.firmware.run.driver_guard import GuardedDriver
from sabot.firmware.run.driver_host import Ear
from sabot.statemachine.vocabulary.events import DeviceRetested, Event, LinkLost, LinkRestored

if TYPE_CHECKING:
    from sabot.drivers.convention import Codec, Recognition

# Between two rounds over the ports while a device is missed; nothing runs while none is.
LOOK_S = 0.25
# So long others may still be in their first questions before a mute device's port is asked for them.
FIRST_QUESTIONS_S = 6.0
PAUSE_S, LONGEST_PAUSE_S = 4.0, 60.0
SOURCE = "ports"


class PortSurroundings(Protocol):
    """The part of the program that is needed here."""

    def now(self) -> float:
        """Return monotonic seconds."""

    def post(self, event: Event) -> None:
        """Put an event into the inbox."""

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> "asyncio.Task[Any]":
        """Begin a task of the program."""


class PortPlace:
    """One serial port of the table, under the name of the device that belongs there."""

    def __init__(self, driver: GuardedDriver, kind: DriverKind, options: Mapping[str, Value]) -> None:
        self.driver, self.name, self.kind = driver, driver.name, kind.name
        self.port = str(options.get("port", ""))
        self.known: Recognition | None = kind.recognition(options)
        self.ears: dict[str, tuple[Recognition, Codec[Any]]] = {}
        # The kind of a device that was heard here; whom it was asked for in vain; when it is asked again.
        self.answers_as = ""
        self.asked: set[str] = set()
        self.due = 0.0
        self._pause_s = PAUSE_S

    @property
    def is_mute(self) -> bool:
        """Return whether its device never answers."""
        return self.driver.line is not None and self.driver.line.is_mute

    @property
    def is_heard(self) -> bool:
        """Return whether its own device answers."""
        return self.driver.line is not None and self.driver.line.is_up and not self.is_mute

    @property
    def is_missed(self) -> bool:
        """Return whether its device would answer, and is not heard."""
        return self.known is not None and not self.is_mute and not self.is_heard

    @property
    def is_unanswered(self) -> bool:
        """Return whether its driver asked in vain."""
        return self.driver.line is not None and self.driver.line.is_unanswered

    def overhear(self, data: bytes) -> None:
        """Take bytes that came at this port: another device may be known by them."""
        for kind, (known, codec) in self.ears.items():
            if [message for message in codec.receive(data) if known.is_voice(message)]:
                self.answers_as = kind

    def asked_at(self, now: float, others: Sequence["PortPlace"]) -> None:
        """Note that it was asked for these; where nobody answers it is asked again, ever more rarely."""
        self.asked |= {each.name for each in others}
        self.due = now + self._pause_s
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def forget(self) -> None:
        """Forget all that was found out about this port."""
        self.answers_as, self.due, self._pause_s = "", 0.0, PAUSE_S
        self.asked.clear()

    def seen(self, others: Sequence["PortPlace"], keyring: Keyring) -> PlaceSeen:
        """Return all that is known of it now."""
        proves = "" if self.is_heard else self._proves(others, keyring)
        return PlaceSeen(
            self.name, self.kind, self.port, self.is_heard, self.is_mute, self.answers_as, proves
        )

    def _proves(self, others: Sequence["PortPlace"], keyring: Keyring) -> str:
        """Return the other device of the same kind whose enrolled key was shown here, or nothing."""
        offered = str(self.driver.status().state.get("offered_key", ""))
        for other in others if offered else ():
            key = keyring.key_of(other.name) if other.kind == self.kind and other is not self else None
            if key is not None and key.hex() == offered:
                return other.name
        return ""


class PortWatch:
    """Looks at all serial ports as long as a device is missed."""

    def __init__(self, around: PortSurroundings, keyring: Keyring, ears: list[Ear]) -> None:
        self.places: list[PortPlace] = []
        self._around, self._keyring, self._ears = around, keyring, ears
        self._wake = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self._log = structlog.get_logger().bind(source=SOURCE)

    def start(self, places: Sequence[PortPlace]) -> None:
        """Begin; with fewer than two devices on lines nothing can be swapped."""
        self.places = list(places)
        for place in self.places:
            place.ears = {
                each.kind: (each.known, each.known.codec())
                for each in self.places
                if each.known is not None and each.kind != place.kind
            }
        if len(self.places) > 1:
            self._task = self._around.spawn(self._live(), "the watch over the ports")
            self._wake.set()

    async def stop(self) -> None:
        """Look no more; every port is with its driver again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def heed(self, _number: int, handled: Handled) -> None:
        """Look anew where a line died, as another device may come back, and everywhere at a retest."""
        match handled.event:
            case LinkLost(source=source, device=device) if source != SOURCE:
                self._forget(place for place in self.places if place.is_mute and place.name == device)
            case DeviceRetested(good=False):
                self._forget(self.places)

    def _forget(self, places: Iterable[PortPlace]) -> None:
        for place in places:
            place.forget()
        self._wake.set()

    # ---------------------------------------------------------------- as long as one is missed

    async def _live(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            began = self._around.now()
            # Only as long as one is missed: each byte is read by a codec for each convention.
            self._ears.append(self._overheard)
            try:
                while self._missed():
                    await self._look(began)
                    await asyncio.sleep(LOOK_S)
            finally:
                self._ears.remove(self._overheard)
            for place in self.places:
                place.forget()
            await self._conclude()

    def _missed(self) -> list[PortPlace]:
        return [place for place in self.places if place.is_missed]

    def _overheard(self, device: str, direction: str, data: bytes) -> None:
        for place in self.places:
            if place.name == device and direction == "in" and not place.is_heard:
                place.overhear(data)

    async def _look(self, began: float) -> None:
        """Make one round over the ports, those that ought to answer first, and say what follows from it."""
        for place in sorted(self.places, key=lambda each: each.is_mute):
            missed = {each.kind for each in self._missed()}
            # Over, where the device that was heard here is heard at its own port by now.
            if place.is_heard or place.answers_as not in missed:
                place.answers_as = ""
            if others := self._questions(place, began):
                await self._ask(place, others)
        await self._conclude()

    def _questions(self, place: PortPlace, began: float) -> list[PortPlace]:
        """Return the devices that this port is to be asked for now."""
        found = {each.answers_as for each in self.places if each is not place}
        missed = [each for each in self._missed() if each.kind not in {place.kind, *found}]
        if place.is_unanswered:
            return missed if self._around.now() >= place.due else []
        if not place.is_mute or place.answers_as or not self._is_time_for_the_mute(began):
            return []
        return [each for each in missed if each.is_unanswered and each.name not in place.asked]

    def _is_time_for_the_mute(self, began: float) -> bool:
        """Return whether others were looked for long enough elsewhere: a mute device may be in its place."""
        is_over = self._around.now() - began >= FIRST_QUESTIONS_S
        return is_over or all(each.is_unanswered for each in self._missed())

    async def _ask(self, place: PortPlace, others: Sequence[PortPlace]) -> None:
        from sabot.drivers.stranger import is_there  # noqa: PLC0415 - mostly nobody asks

        async def use() -> None:
            place.answers_as = ""
            # The kind whose voice was overheard here first: a question in a wrong convention is noise to it.
            for other in sorted(others, key=lambda each: each.kind != before):
                if other.known is not None and await is_there(place.port, other.known):
                    place.answers_as = other.kind
                    return

        before = place.answers_as
        place.asked_at(self._around.now(), others)
        await place.driver.lend(use)

    # ---------------------------------------------------------------- what follows

    async def _conclude(self) -> None:
        """Say what is new of each device."""
        judged = judge([place.seen(self.places, self._keyring) for place in self.places])
        for place in self.places:
            error = judged.get(place.name)
            words = _words(error) if error is not None else ""
            if words != place.driver.misplaced:
                place.driver.misplaced = words
                self._log.warning("misplaced" if words else "no more misplaced", device=place.name, why=words)
                await self._tell(place, words)

    async def _tell(self, place: PortPlace, words: str) -> None:
        """Tell the table, to which it is the reason for the silence."""
        about = {"at": self._around.now(), "source": SOURCE, "device": place.name}
        if words or not (place.is_heard or place.is_mute):
            reason = words or place.driver.status().why
            self._around.post(LinkLost(**about, reason=reason))  # type: ignore[arg-type]
        elif place.is_mute:
            # The other device's driver has written on it, so it is made ready anew.
            await place.driver.lend(_nothing)
            if place.driver.status().is_up:
                self._around.post(LinkRestored(**about))  # type: ignore[arg-type]


async def _nothing() -> None:
    """Use a port for nothing at all."""


def _words(error: LinkError) -> str:
    return f"{error.kind.code} {error.what}. {error.kind.cure.format(**error.facts)}"
