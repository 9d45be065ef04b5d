"""The walk along the lines of a board: each key pressed, each lamp looked at, each pin found by what it does.

Inputs are found by watching all pins while one contact moves. Outputs cannot be found so: one is energised
for a moment, never without a yes, and a person says what was seen. The lock relay comes first, so that
afterwards no other pin can be it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from sabot.drivers.lines.errors import LineError
from sabot.drivers.lines.plan import KEYS, LOCK, LOCK_AT_REST, LOCK_OPEN, NOT_WIRED
from sabot.drivers.lines.probe import Probe
from sabot.firmware.devices.wire_person import Gone, WiringPerson
from sabot.firmware.devices.wiring import IN_STEPS, OUT_STEPS, STEPS, Wiring, WiringStep
from sabot.rules.frozen import mutable

# A contact bounces: it counts where several looks in a row agree.
LOOK_S, STEADY, SHOWN_S, HINT_S = 0.01, 3, 1.0, 30.0
BACK, SKIP, STOP = "b", "s", "q"
YES, NO, OTHER_WAY = ("y", "yes"), ("n", "no", ""), "i"
WAYS = "s: it is not wired, b: back, q: stop; what is known is kept"
MAY_BE_LOCK = "it may be the lock relay: while it is energised wagers can be placed"


class GoneBack(Exception):  # noqa: N818 - a person's wish
    """The person wants the line before once more."""


@mutable
class Walk:
    """A walk along the lines of a board, with its person and the wiring that is known so far."""

    probe: Probe
    person: WiringPerson
    wiring: Wiring
    proposed: dict[str, int]
    keep: Callable[[], None]
    shown_s: float = SHOWN_S

    async def whole(self) -> None:
        """Ask for every line that is not known yet."""
        if self.wiring.next_of(IN_STEPS):
            await self._begin()
            await self._steps(IN_STEPS, self._find_input)
        if self.wiring.next_of(OUT_STEPS):
            self._tell("now switch the supply of the relays and lamps on; Enter when it is on")
            await self._typed()
            await self._steps(OUT_STEPS, self._find_output)

    async def _begin(self) -> None:
        pins = " ".join(map(str, self.probe.watched))
        self._tell(f"watched with a pull-up: pins {pins}", pins=list(self.probe.watched))
        if self.probe.held:
            held = " ".join(map(str, self.probe.held))
            self._tell(f"another program holds {held}: they are left alone", held=list(self.probe.held))
        low = " ".join(map(str, sorted(set(self.proposed.values()))))
        self._tell(f"kept low as outputs, and not watched: {low}")
        self._tell(
            "switch the supply of the relays OFF, close the door, turn the key switch back, touch no key"
        )
        self._tell("Enter when that is so (q: stop)")
        await self._typed()

    async def _steps(
        self, steps: tuple[WiringStep, ...], find: Callable[[WiringStep], Awaitable[None]]
    ) -> None:
        while (step := self.wiring.next_of(steps)) is not None:
            try:
                await find(step)
            except GoneBack:
                self.wiring.back(steps)
            except LineError as error:
                self._tell(str(error), error=error.kind.code)
            # After each answer: a walk that is cut off goes on from here.
            self.keep()

    # ---------------------------------------------------------------- inputs

    async def _find_input(self, step: WiringStep) -> None:
        self._ask(step, f"{step.words} ({WAYS})")
        # Taken anew for each line: a switch that was not laid back spoils one answer and no more.
        rest = self.probe.levels()
        moved = await self._moved(step, rest)
        if moved is None:
            self.wiring.skip(step.line)
            if step.line == LOCK:
                self.wiring.skip(LOCK_AT_REST)
            self._tell(f"  {step.line}: not wired", line=step.line, pin=NOT_WIRED)
            return
        # The one that is high at rest first: of LOCK's two contacts it is the one that is open at rest.
        both = sorted(moved, key=lambda pin: -rest[pin])
        if step.line == LOCK and [rest[pin] for pin in both] == [1, 0]:
            self._found(step.line, both[0])
            self._found(LOCK_AT_REST, both[1])
        elif len(both) > 1:
            words = (
                f"pins {' and '.join(map(str, sorted(both)))} moved together: one key alone, or wires touch"
            )
            self._tell(words, line=step.line, moved=both)
        else:
            self._found(step.line, both[0], is_inverted=rest[both[0]] == step.is_closed_at_rest)
            if step.line == LOCK:
                self.wiring.skip(LOCK_AT_REST)

    async def _moved(self, step: WiringStep, rest: dict[int, int]) -> set[int] | None:
        """Return the pins that left their rest and came back, None where none is wired."""
        moved, away, back, until = set[int](), dict.fromkeys(rest, 0), 0, time.monotonic() + HINT_S
        # Until all of them are back: two contacts that moved together may be two wires that touch.
        while not (moved and back >= STEADY):
            if (typed := self.person.typed()) is not None and self._is_skipped(typed):
                return None
            if time.monotonic() > until and not moved:
                self._tell("nothing has moved: look at the wire and its ground, or s", line=step.line)
                until += HINT_S
            now = self.probe.levels()
            for pin, level in now.items():
                away[pin] = away[pin] + 1 if level != rest[pin] else 0
                if away[pin] == STEADY:
                    moved.add(pin)
            back = back + 1 if now == rest else 0
            await asyncio.sleep(LOOK_S)
        return moved

    def _is_skipped(self, typed: str) -> bool:
        if typed == BACK:
            raise GoneBack
        if typed == STOP:
            raise Gone
        if typed not in (SKIP, ""):
            self._tell(f"{typed!r} means nothing here ({WAYS})")
        return typed == SKIP

    # ---------------------------------------------------------------- outputs

    async def _find_output(self, step: WiringStep) -> None:
        usual = self.proposed.get(step.line, NOT_WIRED)
        free = usual != NOT_WIRED and not self.wiring.owner_of(usual)
        offer = f"Enter: pin {usual}, or " if free else ""
        words = f"{step.line}: which pin? ({offer}its number; {WAYS})"
        self._ask(step, words)
        typed = await self._typed()
        if self._is_skipped(typed if typed in (BACK, SKIP) else ""):
            self.wiring.skip(step.line)
            return
        if typed == "" and free:
            await self._try(step, usual)
        elif typed.isdecimal():
            await self._try(step, int(typed))
        elif typed:
            self._tell(f"{typed!r} is no pin: its BCM number, as in docs/wiring.md")

    async def _try(self, step: WiringStep, pin: int) -> None:
        trial = Wiring(dict(self.wiring.pins))
        trial.give(step.line, pin)  # refuses what cannot be before anything is energised
        if not await self._may_energise(step, pin):
            return
        with self._energised(pin):
            self._tell(f"pin {pin} is energised", line=step.line, pin=pin, energised=True)
            await asyncio.sleep(self.shown_s)
        self._tell(f"{step.words}? y, n, or i: the other way round", line=step.line)
        seen = await self._typed()
        if seen == OTHER_WAY and step.line == LOCK_OPEN:
            words = (
                "a relay that pulls while its pin rests opens wagers at a dead controller: wire it otherwise"
            )
            self._tell(f"{words} (docs/wiring.md)", line=step.line)
        elif seen in (*YES, OTHER_WAY):
            self._found(step.line, pin, is_inverted=seen == OTHER_WAY)

    async def _may_energise(self, step: WiringStep, pin: int) -> bool:
        """Ask before anything is energised, and say so where it may be the lock."""
        is_lock_known = self.wiring.pins.get(LOCK_OPEN, NOT_WIRED) != NOT_WIRED
        warning = "" if is_lock_known else f"; {MAY_BE_LOCK}"
        self._tell(f"energise pin {pin} for {self.shown_s:g} s{warning}. y or n?", line=step.line, pin=pin)
        return await self._typed() in YES

    @contextmanager
    def _energised(self, pin: int) -> Iterator[None]:
        """Energise a pin as long as the block runs; however that ends, the pin is low again."""
        try:
            self.probe.drive(pin, 1)
            yield
        finally:
            self.probe.drive(pin, 0)

    # ---------------------------------------------------------------- words

    def _found(self, line: str, pin: int, *, is_inverted: bool = False) -> None:
        self.wiring.give(line, pin, is_inverted=is_inverted)
        other = ", wired the other way round" if is_inverted else ""
        self._tell(f"  {KEYS.get(line, line)} is pin {pin}{other}", line=line, pin=pin, inverted=is_inverted)

    def _ask(self, step: WiringStep, words: str) -> None:
        done = sum(each.line in self.wiring.pins for each in STEPS)
        self._tell(f"{done + 1}/{len(STEPS)}  {words}", line=step.line, done=done, of=len(STEPS))

    def _tell(self, words: str, **facts: object) -> None:
        self.person.tell(words, **facts)

    async def _typed(self) -> str:
        while (typed := self.person.typed()) is None:  # noqa: ASYNC110 - standard input has no event
            await asyncio.sleep(LOOK_S)
        if typed == STOP:
            raise Gone
        return typed
