"""Keys, switches and outputs at work.

An edge is only a reason to look: the library's thread notes the time, the loop reads the level, and
debounce decides. All inputs are read again once a second, so that an edge that was never reported is
still seen, and a chip that went away is noticed. The lock-out button counts with its first touch.
"""

# Theory of operation. Everything runs in the loop; the library's thread does nothing but post the time of an
# edge (``poster``). ``_edge`` and ``_look`` lead to the same ``_read``, which reads the level, lets
# ``Inputs`` debounce it, and sets a timer for the look that debouncing asks for. Outputs are state, not
# commands: effects change ``Outputs``, and ``_drive`` sets whatever differs from ``_levels``, before
# ``perform`` returns, so that a lock is out before the next event is looked at. Any error of the library is
# ``_vanished``: outputs are made safe as far as they still obey, the table is told that its lines are lost,
# and the host is asked for a new process, for a chip that has gone cannot be had back in this one. A chip
# that was never there is different: it is tried again with a back-off.

import asyncio
import atexit
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol, runtime_checkable

import structlog

from sabot.drivers.beat_grid import next_beat
from sabot.drivers.convention import Statistics
from sabot.drivers.device import DeviceStatus, DriverKind, Host, Identity
from sabot.drivers.lines.debounce import BounceRule
from sabot.drivers.lines.errors import LinesGoneError
from sabot.drivers.lines.gpio import Pins, poster
from sabot.drivers.lines.inputs import Inputs, LineListener
from sabot.drivers.lines.outputs import Outputs
from sabot.drivers.lines.plan import DOOR, KEYS, SCHEMA, WiredLine, make_plan, speaks_of
from sabot.drivers.options import Value, defaults
from sabot.drivers.threads import LoopDoor
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import (
    DeviceFaulted,
    DeviceRetested,
    Event,
    KeyPressed,
    LinkLost,
    LinkRestored,
)

LOOK_S = 1.0
BACK_OFF_S = (0.5, 1.0, 2.0, 5.0)
# The technician's test: so long for all keys to be pressed, and each output on for so long.
_WALK_S, _STEP_S = 30.0, 0.2


@runtime_checkable
class LineHost(Protocol):
    """Optional services of a host for lines that mean more than an event of the table.

    The key switch is half of a role (the PIN is the other half, and the program's), a cover is half of an
    order. The level at the start is told as well.
    """

    def line_changed(self, name: str, *, is_active: bool) -> None:
        """Take the level at which an input that is no key has settled."""


@runtime_checkable
class RestartHost(Protocol):
    """A host that can be told that only a new process gets rid of a chip that vanished."""

    def must_restart(self, why: str) -> None:
        """Have a new process take over: this one can never have its lines back."""


class LinesDriver:
    """The lines of one board."""

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        self.name = name
        given = defaults(SCHEMA) | dict(options)
        self._host = host
        self._plan = make_plan(given, name)
        self._pins = Pins(str(given["module"]), self._plan)
        self._outputs = Outputs(frozenset(str(given["lock_wagers"]).split()))
        rule, ears = BounceRule(float(given["settle_ms"]) / 1000), LineListener(self._pressed, self._switched)
        self._inputs = Inputs(self._pins, self._plan.inputs, rule, float(given["stuck_s"]), ears)
        self._walk: set[str] | None = None
        self._levels: dict[str, bool] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._statistics = Statistics()
        self._is_up = self._is_lost = False
        self._why, self._attempts = "not started", 0
        self._log = structlog.get_logger().bind(device=name)
        self._loop: asyncio.AbstractEventLoop
        self._door: LoopDoor

    # ---------------------------------------------------------------- what the program calls

    async def start(self) -> None:
        """Make the outputs safe and read the inputs; lines that are not there are looked for."""
        self._loop = asyncio.get_running_loop()
        self._door = LoopDoor(self._loop)
        self._attempt()

    def perform(self, effect: Effect) -> None:
        """Energise or release what an effect concerns, before this returns."""
        if self._outputs.take(effect) and self._is_up:
            self._drive()

    def retest(self, fault: str) -> None:
        """Read everything again and post whether the cause is gone."""
        self._look()
        wrong = self._inputs.wrong(self._host.now())
        found = {
            "device": "the door is open (close it)" if self._inputs.is_active(DOOR) else "",
            "contradiction": "; ".join(wrong),
            "lost_link": "",
        }
        left = found[fault] if fault in found else "; ".join(filter(None, found.values()))
        left = left if self._is_up else f"the lines are not there: {self._why}"
        self._post(DeviceRetested(**self._about(), fault=fault, good=not left, detail=left))

    def status(self) -> DeviceStatus:
        """Return the status, with every line and its level."""
        state: dict[str, Value] = {line.name: self._inputs.is_active(line.name) for line in self._plan.inputs}
        state |= self._levels
        return DeviceStatus(
            self.name, "lines", "gpio", self._is_up, self._why, Identity("lines"), self._statistics, state
        )

    async def test(self, say: Callable[[str], None]) -> bool:
        """Energise each output for a moment, have a person press each key, and return whether all came."""
        if not self._is_up:
            say(f"{self.name} is not there: {self._why}")
            return False
        for line in self._plan.outputs:
            say(f"{line.name} is energised")
            # Forgotten, so that ``_drive`` sets every output anew after the test.
            self._levels = {}
            self._set(line, active=True)
            await asyncio.sleep(_STEP_S)
            self._drive()
        return await self._walk_keys(say)

    async def stop(self) -> None:
        """Make every output safe and give every pin back."""
        self._let_go()
        self._is_up, self._why = False, "stopped"

    # ---------------------------------------------------------------- opening and losing

    def _attempt(self) -> None:
        try:
            self._pins.open(poster(self._door, self._host.now, self._edge))
            self._inputs.begin(self._host.now())
        except LinesGoneError as gone:
            self._give_back()
            self._lost(str(gone))
            wait = BACK_OFF_S[min(self._attempts, len(BACK_OFF_S) - 1)]
            self._attempts += 1
            self._later("attempt", wait, self._attempt)
            return
        self._statistics.opened += 1
        # Whatever ends the interpreter short of a kill, no output stays energised.
        atexit.register(self._pins.make_safe)
        self._is_up, self._why, self._attempts, self._levels = True, "", 0, {}
        self._drive()
        self._look()
        if self._is_lost and self._is_up:
            self._is_lost = False
            self._post(LinkRestored(**self._about()))

    def _let_go(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        if self._is_up:
            self._pins.make_safe()
            self._levels = dict.fromkeys(self._levels, False)
        self._give_back()
        atexit.unregister(self._pins.make_safe)

    def _give_back(self) -> None:
        """Let go of the chip; one that vanished may not even take that."""
        try:
            self._pins.close()
        except LinesGoneError as gone:
            self._log.warning("lines not given back", why=str(gone))

    def _lost(self, why: str) -> None:
        self._why = why
        if not self._is_lost:
            self._is_lost = True
            self._post(LinkLost(**self._about(), reason=why))

    def _vanished(self, gone: LinesGoneError) -> None:
        """Give up the lines of this process: the chip vanished."""
        self._let_go()
        self._is_up = False
        self._lost(str(gone))
        if isinstance(self._host, RestartHost):
            # lgpio's own thread spins then and writes to stderr
            # without end; only the end of the process stops it.
            self._host.must_restart(str(gone))

    # ---------------------------------------------------------------- inputs

    def _edge(self, line: WiredLine, at: float) -> None:
        """Read the level now, whatever the edge was: something moved."""
        self._statistics.frames_in += 1
        self._read(line, at)

    def _look(self) -> None:
        """Read all inputs, and judge the keys."""
        if not self._is_up:
            return
        now = self._host.now()
        for line in self._plan.inputs:
            self._read(line, now)
        if self._is_up:
            for words in self._inputs.newly_wrong(now):
                self._fault("contradiction", words)
            # Edges closer than 5 ms may come as one, or not at all: what was missed is seen here.
            self._later("look", next_beat(now, LOOK_S) - now, self._look)

    def _read(self, line: WiredLine, at: float) -> None:
        if not self._is_up:
            return
        try:
            again = self._inputs.read(line, at)
        except LinesGoneError as gone:
            self._vanished(gone)
            return
        if again is not None:
            self._later(line.name, max(0.0, again - self._host.now()), partial(self._edge_again, line))

    def _edge_again(self, line: WiredLine) -> None:
        self._read(line, self._host.now())

    def _switched(self, name: str, active: bool) -> None:  # noqa: FBT001 - a level
        # ``door`` is closed at rest, so active is open, and so is a cut wire.
        if active and name == DOOR:
            self._fault("device", "the service door is open")
        if isinstance(self._host, LineHost):
            self._host.line_changed(name, is_active=active)

    def _pressed(self, name: str, at: float) -> None:
        # During the technician's test a key is counted, and is no word to the table.
        if self._walk is not None:
            self._walk.add(name)
        else:
            self._host.post(KeyPressed(at=at, source=self.name, key=KEYS[name]))

    def _fault(self, fault: str, detail: str) -> None:
        self._post(DeviceFaulted(**self._about(), fault=fault, detail=detail))

    # ---------------------------------------------------------------- outputs

    def _drive(self) -> None:
        levels = self._outputs.levels()
        for line in self._plan.outputs:
            level = levels[line.name]
            if self._is_up and self._levels.get(line.name) != level:
                self._set(line, active=level)
                self._levels[line.name] = level

    def _set(self, line: WiredLine, *, active: bool) -> None:
        try:
            self._pins.drive(line, active=active)
        except LinesGoneError as gone:
            self._vanished(gone)

    async def _walk_keys(self, say: Callable[[str], None]) -> bool:
        wanted = {line.name for line in self._plan.inputs if line.name in KEYS}
        self._walk, told = set(), set[str]()
        say(f"press each of the {len(wanted)} keys")
        end = self._loop.time() + _WALK_S
        while told != wanted and self._loop.time() < end and self._is_up:
            for name in sorted(self._walk - told):
                say(f"{KEYS[name]} works")
                told.add(name)
            await asyncio.sleep(LOOK_S / 40)
        self._walk = None
        for name in sorted(wanted - told):
            say(f"{KEYS[name]} was not pressed")
        return told == wanted

    # ---------------------------------------------------------------- small things

    def _later(self, what: str, wait_s: float, call: Callable[[], None]) -> None:
        if (before := self._timers.get(what)) is not None:
            before.cancel()
        self._timers[what] = self._loop.call_later(wait_s, call)

    def _post(self, event: Event) -> None:
        self._host.post(event)

    def _about(self) -> dict[str, Any]:
        return {"at": self._host.now(), "source": self.name, "device": self.name}


TITLE = "keys, switches, tower light and lock output on GPIO lines"
KIND = DriverKind("lines", TITLE, "gpio", SCHEMA, LinesDriver, speaks_of)
