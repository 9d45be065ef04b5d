"""One practice table, from its devices to what its pages are told.

Theory of operation. Three processes: the simulated devices, the real program, and this one, which holds the
cards as things (``cards``) and serves the page. What a page does goes to the devices as a hand would do it;
what a page shows comes from the devices, from the cards as they lie, and, beside the table, from the
program's own console. Nothing goes from here into the program but through a device or a console.

A page is told the whole of each part that changed. What changes is small, so nothing is patched together.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Protocol

from sabot.config import PRINTED, Law
from sabot.firmware.simulated import simulated_table
from sabot.hil.table import own_time
from sabot.practice.board import Board
from sabot.practice.cards import COLORS, Cards
from sabot.practice.desk import Follow
from sabot.practice.layout import layout
from sabot.practice.lines import JsonLines
from sabot.practice.machine import MachineWatch
from sabot.statemachine.setup import MACHINE

DEVICES = "sabot.practice"
Part = dict[str, Any]
Listener = Callable[[Part], None]


class Watcher(Protocol):
    """Whoever plays by itself."""

    def choose(self, roles: Sequence[str], pace_s: float, *, is_paused: bool) -> None:
        """Let these roles be played, so fast."""

    def seen(self) -> dict[str, object]:
        """Return what pages show of it."""


class Sitting:
    """The table, everything that lies on it, and everybody who looks at it."""

    def __init__(
        self, root: Path, chapter: str, method: str, *, seed: int, speed: float, law: Law = PRINTED
    ) -> None:
        self.law = law
        self.root, self.chapter, self.method = root, chapter, method
        self.seed, self._speed = seed, speed
        # Whoever plays by itself at this table, if anybody does.
        self.watch: Watcher | None = None
        self._stack = ExitStack()
        self._tasks: list[asyncio.Task[None]] = []
        self._left: set[asyncio.Task[object]] = set()
        self._listeners: set[Listener] = set()
        self.turn = asyncio.Lock()
        self.layout: Mapping[str, Any] = {}
        self.shows: Part = {}
        self.pulled: set[str] = set()
        self.board = Board(root, self.tell_power)
        self.follow = Follow(self.board, self._told)

    async def begin(self) -> None:
        """Bring the devices up, switch the program on, and look at both."""
        self.root.mkdir(parents=True, exist_ok=True)
        own_time.make(own_time.of(self.root))
        made = simulated_table(
            self.root,
            self.chapter,
            self.method,
            seed=self.seed,
            speed=self._speed,
            devices=DEVICES,
            law=self.law,
        )
        await asyncio.to_thread(self._stack.enter_context, made)
        self.layout = layout(self.root, self.chapter, self.method, self.law)
        chance = random.Random(self.seed)  # noqa: S311 - cards of a practice table
        self.cards = Cards(COLORS[: int(self.layout["decks"])], chance)
        self.hands, self.contacts = await self._connect(), await self._connect()
        self.machine = MachineWatch(self.cards, deals=self.is_machine)
        if self.is_machine:
            await self.hands.ask(device=self.shuffler, do="lift never")
        eyes = await self._connect()
        await self._look(eyes, -1)
        await self.board.on()
        self._tasks = [asyncio.create_task(self._keep_looking(eyes)), asyncio.create_task(self.follow.keep())]

    async def end(self) -> None:
        """Put everything away."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self.board.off("stop")
        await asyncio.to_thread(self._stack.close)

    async def _connect(self) -> JsonLines:
        return await JsonLines.to(self.root / "control.sock")

    # ------------------------------------------------------------ what is there

    @property
    def is_machine(self) -> bool:
        """Whether a machine shuffles and deals."""
        return self.method in MACHINE

    @property
    def shuffler(self) -> str:
        """Return the name of the device that shuffles."""
        return "shoe" if self.is_machine else "shuffler"

    @property
    def cables(self) -> list[str]:
        """Return the devices that hang on a cable."""
        return [name for name in self.shows if name != "lines"]

    # ------------------------------------------------------------ what is done

    def leave(self, asking: Coroutine[Any, Any, object]) -> None:
        """Let something be done in its own time."""
        task: asyncio.Task[object] = asyncio.create_task(_quietly(asking))
        self._left.add(task)
        task.add_done_callback(self._left.discard)

    async def switch_off(self, how: str) -> None:
        """Take the controller's power; ports and lines forget what the program had set."""
        await self.board.off(how)
        await self.hands.ask(gone=True)

    # ------------------------------------------------------------ what pages are told

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell somebody of everything; the answer ends it."""
        self._listeners.add(listener)
        for part in (self.whole(), *self.follow.newest):
            listener(part)
        return lambda: self._listeners.discard(listener)

    def whole(self) -> Part:
        """Return everything that can be seen now."""
        return {
            "layout": self.layout,
            "shows": self.shows,
            "cards": self.cards.seen(),
            "power": self._power(),
            "watch": self.watch.seen() if self.watch else {},
        }

    def tell(self, **part: object) -> None:
        """Tell every page."""
        for listener in list(self._listeners):
            listener(part)

    def tell_cards(self) -> None:
        """The cards lie otherwise."""
        self.tell(cards=self.cards.seen())

    def tell_power(self) -> None:
        """The program or a cable came or went."""
        self.tell(power=self._power())

    def _power(self) -> Part:
        return {
            "on": self.board.is_on,
            "starts": self.board.starts,
            "later_s": self.board.offset_s,
            "cables": {name: name not in self.pulled for name in self.cables},
        }

    def _told(self, told: Part) -> None:
        self.tell(told=told)

    # ------------------------------------------------------------ looking

    async def _keep_looking(self, eyes: JsonLines) -> None:
        rows = -1
        while True:
            rows = await self._look(eyes, rows)

    async def _look(self, eyes: JsonLines, rows: int) -> int:
        """Wait until a device shows something else, and tell of it."""
        found = await eyes.ask(after=rows)
        before, self.shows = self.shows, {**found["shows"], "pads": _by_spot(found["shows"]["pads"])}
        if changed := {name: shown for name, shown in self.shows.items() if before.get(name) != shown}:
            self.tell(shows=changed)
        if self.machine.look(self.shows[self.shuffler]):
            self.tell_cards()
        return int(found["rows"])


def _by_spot(pads: Part) -> Part:
    """Return what pads show with a digit a spot: a page has no whole numbers of 64 bits."""
    count = len(pads["cents"])
    bits = {f"{name}_bits": f"{pads[name]:064b}"[::-1][:count] for name in ("locked", "lit")}
    return {name: value for name, value in pads.items() if name not in ("locked", "lit")} | bits


async def _quietly(asking: Coroutine[Any, Any, object]) -> object:
    """Wait for something whose refusal nobody waits for."""
    with suppress(OSError, ValueError):
        return await asking
    return None
