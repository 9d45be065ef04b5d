"""Bet pads at work: what the table wants goes out as orders, what the pad tells comes in as events.

The link counts as up once the pad has proved itself and told its whole state under everything locked; what
the table wants goes out only then. A lock goes out the moment its effect comes. A link that was lost is back
when the state has been read, and only after that is anything told of a wager.
"""

import asyncio
from collections.abc import Callable, Mapping

from sabot.drivers.device import DeviceStatus, DriverKind, Host
from sabot.drivers.options import Value
from sabot.drivers.pads.desired import EVERY_SPOT, DesiredState
from sabot.drivers.pads.link import AGAIN_S, PadLink, PadListener
from sabot.drivers.pads.messages import SEATS, IdentityMessage, Lamp, PadOrder, PadState
from sabot.drivers.pads.options import SCHEMA, choose, speaks_of
from sabot.drivers.pads.reports import Reports
from sabot.drivers.pads.session import PadTold
from sabot.statemachine.vocabulary.effects import Effect, OpenSpots
from sabot.statemachine.vocabulary.events import DeviceFaulted, DeviceRetested, LinkLost, LinkRestored

_ALL_FAULTS = ("", "all")


class PadsDriver:
    """The pads of one table."""

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        self.name = name
        self._host = host
        self._chosen = choose(name, options)
        self._wishes = DesiredState(self._chosen.spots, self._chosen.expect_s)
        self._reports = Reports(self._chosen, self._wishes, name)
        ears = PadListener(self._began, self._told, self._lost, self._refused, self._wanted)
        self._link = PadLink(name, self._chosen, host, ears)
        self._is_up = self._is_lost = False
        self._refused_for = self._retested = ""

    # ---------------------------------------------------------------- what the program calls

    async def start(self) -> None:
        """Look for the pad."""
        self._link.start()

    def perform(self, effect: Effect) -> None:
        """Change the order and send it."""
        if not self._wishes.take(effect, self._host.now()):
            return
        # A stake that stayed from the round before is a wager again: the table is told what lies there.
        if isinstance(effect, OpenSpots):
            self._reports.open(self._chosen.spots.mask(effect.spots))
        self._link.order()

    def retest(self, fault: str) -> None:
        """Answer with the next report; without a link the cause is still there, and is said at once."""
        if self._is_up:
            self._retested = fault or "all"
            # Every order is answered by a report, so this asks for one.
            self._link.order()
        else:
            self._link.look_anew()
            self._post(DeviceRetested, fault=fault, good=False, detail=f"not there: {self._link.why}")

    def status(self) -> DeviceStatus:
        """Return the status of the pad."""
        link, identity = self._link, self._link.identity
        state = self._reports.words(authenticated=identity.authenticated)
        statistics = link.codec.statistics
        return DeviceStatus(
            self.name, "sabot-pads", link.where, self._is_up, link.why, identity, statistics, state
        )

    async def test(self, say: Callable[[str], None]) -> bool:
        """Light every seat's lamp in turn, say what lies on the spots; return whether nothing is doubted."""
        if not self._is_up:
            say(f"{self.name} is not there: {self._link.why}")
            return False
        for seat in range(1, SEATS + 1):
            say(f"the lamp of seat {seat} is on")
            self._wishes.walk = tuple(Lamp.ON if each == seat else Lamp.OFF for each in range(1, SEATS + 1))
            self._link.order()
            await asyncio.sleep(AGAIN_S)
        self._wishes.walk = None
        self._link.order()
        for line in self._reports.lines():
            say(line)
        return self.status().is_up and not self._reports.doubted

    async def stop(self) -> None:
        """Lock everything, let the last order go out, and let go of the pad."""
        self._wishes.open = 0
        self._link.order()
        await self._link.stop()
        self._is_up = False

    # ---------------------------------------------------------------- what the link tells

    def _began(self, who: IdentityMessage) -> None:
        self._is_up = False
        self._reports.begin(who)

    def _wanted(self, now: float) -> PadOrder:
        """Return the order to send; nothing is opened before the pad has told its state."""
        order = self._wishes.order(self._reports.selflocks, now)
        # What the pad locked by itself, or a restart forgot, must be told before a chip may count.
        return order if self._is_up else order._replace(locked=EVERY_SPOT)

    def _lost(self, why: str) -> None:
        self._is_up = False
        # A pad that was refused has its fault already.
        if not self._is_lost and not self._refused_for:
            self._is_lost = True
            self._post(LinkLost, reason=why)

    def _refused(self, why: str) -> None:
        """Report a pad that does not belong here, once, until it is the right one."""
        self._is_up = False
        if self._refused_for != why:
            self._refused_for = why
            self._post(DeviceFaulted, fault="device", detail=why)

    def _told(self, told: PadTold, at: float, ordered: PadOrder, kept_locked: int) -> None:
        self._reports.take(told, at, ordered, kept_locked)
        # It heard nothing for a second and locked its spots unordered: to the table that is a lost link,
        # though our side of it never went down.
        if self._reports.locked_itself:
            self._is_lost = True
            self._post(LinkLost, reason=self._reports.locked_itself)
        self._come_up(told.state)
        self._post_events()
        # After the news of this report: the table hears what lies there before it hears that all is well.
        self._answer_retest()
        if self._reports.wants_order:
            self._reports.wants_order = False
            self._link.order()

    def _come_up(self, state: PadState) -> None:
        """Count the link as up, now that the state was read: the table's wishes may go out."""
        self._reports.wants_order |= not self._is_up
        self._is_up = True
        if self._refused_for:
            self._refused_for = ""
            self._post(DeviceRetested, fault="device", good=True)
        if self._is_lost:
            self._is_lost = False
            self._post(LinkRestored)
        self._reports.selflocks = state.selflocks

    def _answer_retest(self) -> None:
        if self._retested:
            fault, self._retested = self._retested, ""
            left = self._reports.retest(self._host.now())
            self._post_events()
            tested = "" if fault in _ALL_FAULTS else fault
            self._post(DeviceRetested, fault=tested, good=not left, detail=left)

    def _post_events(self) -> None:
        for event in self._reports.events():
            self._host.post(event)

    def _post(
        self, kind: type[LinkLost | LinkRestored | DeviceFaulted | DeviceRetested], **facts: object
    ) -> None:
        about = {"at": self._host.now(), "source": self.name, "device": self.name}
        self._host.post(kind(**about, **facts))  # type: ignore[arg-type]


TITLE = "bet pads and seat lamps over USB (Sabot pads)"
KIND = DriverKind("sabot-pads", TITLE, "usb", SCHEMA, PadsDriver, speaks_of)
