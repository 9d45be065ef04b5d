"""One practice table, from its devices to what its pages are told.

Theory of operation. Three processes: the simulated devices, the real program, and this one, which holds the
cards as things (``cards``) and serves the page. What a page does goes to the devices as a hand would do it;
what a page shows comes from the devices, from the cards as they lie, and, beside the table, from the
program's own console. Nothing goes from here into the program but through a device or a console.

A page is told the whole of each part that changed. What changes is small, so nothing is patched together.
"""

import asyncio
import json
import random
import shutil
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sabot.config import PRINTED, ChapterLaw
from sabot.firmware.simulated import simulated_table
from sabot.hil.table import own_time
from sabot.practice.board import PracticeBoard
from sabot.practice.cards import COLORS, Cards
from sabot.practice.console import JsonLines
from sabot.practice.event_follower import Follow
from sabot.practice.layout import layout
from sabot.practice.machine import MachineWatch
from sabot.practice.round_scenario import StoryTold, story
from sabot.statemachine.state.setup import MACHINE

if TYPE_CHECKING:
    from sabot.hil.table.hands import Row

DEVICES = "sabot.practice"
# What a simulated machine says of the cards that it gave, which lie face down.
FACES = "gave"
# What was kept of a table that was put away, and the files that are no part of it.
KEPT, LEFT = "kept.json", ("program.log",)
Part = dict[str, Any]
Listener = Callable[[Part], None]


class Teacher(Protocol):
    """The player of a lesson beside the learner at the page."""

    def seen(self) -> dict[str, object]:
        """Return what pages show of it."""


class Watcher(Protocol):
    """Players that play by themselves."""

    def choose(self, roles: Sequence[str], pace_s: float, *, is_paused: bool) -> None:
        """Let these roles be played at this pace."""

    def seen(self) -> dict[str, object]:
        """Return what pages show of it."""

    async def end(self) -> None:
        """Stop everybody who plays."""


class TableSession:
    """The table, everything that lies on it, and everybody who looks at it."""

    def __init__(
        self,
        root: Path,
        chapter: str,
        method: str,
        *,
        seed: int,
        speed: float,
        law: ChapterLaw = PRINTED,
        put_away: Path | None = None,
    ) -> None:
        self.law = law
        # The folder of a table that was put away, where this one goes on from it.
        self._put_away = put_away
        self.root, self.chapter, self.method = root, chapter, method
        self.seed, self._speed = seed, speed
        # Whoever plays by itself at this table, if anybody does.
        self.watch: Watcher | None = None
        self.teacher: Teacher | None = None
        self._stack = ExitStack()
        self._tasks: list[asyncio.Task[None]] = []
        self._left: set[asyncio.Task[object]] = set()
        self._listeners: set[Listener] = set()
        self.turn = asyncio.Lock()
        self.layout: Mapping[str, Any] = {}
        self.shows: Part = {}
        self.pulled: set[str] = set()
        # Hands that a lesson has for a place, where people alone read the cards.
        self.wishes: dict[str, list[str]] = {}
        # Cards that somebody at the page has for a place, in a deck that is stacked.
        self.gifts: dict[str, list[str]] = {}
        self._wires: asyncio.Task[None] | None = None
        self._wires_wanted = False
        self.board = PracticeBoard(root, self.tell_power)
        self.follow = Follow(self.board, self._told)

    async def begin(self) -> None:
        """Start the devices, switch the program on, and look at both."""
        kept = self._put_back()
        made = simulated_table(
            self.root,
            self.chapter,
            self.method,
            seed=self.seed,
            speed=self._speed,
            devices=DEVICES,
            law=self.law,
            found=kept.get("found"),
        )
        await asyncio.to_thread(self._stack.enter_context, made)
        self.layout = layout(self.root, self.chapter, self.method, self.law)
        chance = random.Random(self.seed)  # noqa: S311 - cards of a practice table
        self.cards = Cards(COLORS[: int(self.layout["decks"])], chance)
        # Two connections, for an answer may take its time: a contact is answered when the program has read
        # it, and meanwhile chips and cards go on.
        self.hands, self.contacts = await self._connect(), await self._connect()
        self.machine = MachineWatch(self.cards, deals=self.is_machine)
        if kept:
            # Before the first look: it compares what the machine shows with what lay there.
            self.cards.lay_back(kept["cards"])
            self.machine.lay_back(kept["machine"])
            self.board.offset_s = kept["offset_s"]
        if self.is_machine:
            await self.hands.ask(device=self.shuffler, do="lift never")
        eyes = await self._connect()
        await self._look(eyes, -1)
        await self.board.on()
        self._tasks = [asyncio.create_task(self._keep_looking(eyes)), asyncio.create_task(self.follow.keep())]

    async def end(self) -> None:
        """Put everything away: the watchers first, then the program, and the devices last."""
        for task in (*self._tasks, *([self._wires] if self._wires else [])):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self.board.off("stop")
        await asyncio.to_thread(self._stack.close)

    # ------------------------------------------------------------ put away, and back

    def _put_back(self) -> Part:
        """Lay out a table that was put away, and return what was kept; an empty mapping for a new one."""
        self.root.mkdir(parents=True, exist_ok=True)
        if self._put_away is None:
            own_time.make(own_time.of(self.root))
            return {}
        for path in self._put_away.iterdir():
            if path.is_dir():
                shutil.copytree(path, self.root / path.name, dirs_exist_ok=True)
            else:
                shutil.copy2(path, self.root / path.name)
        kept: Part = json.loads((self.root / KEPT).read_text("utf-8"))
        return kept

    async def put_away(self, folder: Path) -> None:
        """Keep a copy of the table in a folder, as it is between two rounds, and switch it on again."""
        # Devices are asked while the program still runs: once it is gone they forget what it had set.
        found = (await self.hands.ask(keep=True))["kept"]
        await self.switch_off("stop")
        kept = {
            "found": found,
            "cards": self.cards.kept(),
            "machine": self.machine.kept(),
            "offset_s": self.board.offset_s,
        }
        await asyncio.to_thread(self._copy_to, folder, kept)
        await self.board.on()

    def _copy_to(self, folder: Path, kept: Part) -> None:
        folder.mkdir(parents=True)
        for path in self.root.iterdir():
            if path.is_dir():
                shutil.copytree(path, folder / path.name)
            elif path.is_file() and not path.is_symlink() and path.name not in LEFT:
                shutil.copy2(path, folder / path.name)
        (folder / KEPT).write_text(json.dumps(kept), "utf-8")

    async def _connect(self) -> JsonLines:
        return await JsonLines.to(self.root / "control.sock")

    # ------------------------------------------------------------ what is there

    @property
    def is_machine(self) -> bool:
        """Return whether a machine shuffles and deals at this table."""
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
        """Let something be done in its own time, without waiting for its answer."""
        task: asyncio.Task[object] = asyncio.create_task(_quietly(asking))
        # A loop holds its tasks weakly: without this one could be collected half way.
        self._left.add(task)
        task.add_done_callback(self._left.discard)

    async def switch_off(self, how: str) -> None:
        """Take the controller's power; ports and lines forget what the program had set."""
        await self.board.off(how)
        await self.hands.ask(gone=True)

    async def note(self, what: str, words: str) -> None:
        """Write a deed into the diary that was done to no device."""
        await self.hands.ask(note=what, words=words)

    async def story(self, *, whole: bool) -> str:
        """Return what was played, as a scenario for the rig."""
        rows: list[Row] = []
        while more := (await self.hands.ask(rows=len(rows)))["diary"]:
            rows += more
        spots = [spot["wager"] for spot in self.layout["spots"]]
        told = StoryTold(self.chapter, self.method, spots, self.is_machine)
        return story(told, rows, f"{self.chapter} played at the practice table, {self.method}", whole=whole)

    # ------------------------------------------------------------ what pages are told

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener everything; return a function that ends it."""
        self._listeners.add(listener)
        for part in (self.whole(), *self.follow.newest):
            listener(part)
        return lambda: self._listeners.discard(listener)

    def whole(self) -> Part:
        """Return everything that can be seen now."""
        return {
            "layout": self.layout,
            "shows": {name: visible(shown) for name, shown in self.shows.items()},
            "cards": self.cards.seen(),
            "power": self._power(),
            "watch": self.watch.seen() if self.watch else {},
            "lesson": self.teacher.seen() if self.teacher else {},
        }

    def tell(self, **part: object) -> None:
        """Tell every page this part."""
        for listener in list(self._listeners):
            listener(part)

    async def wish(self, place: str, names: Sequence[str]) -> None:
        """Make the cards at a place these, as soon as cards lie there, for a lesson."""
        async with self.turn:
            self.wishes[place] = list(names)
            self.tell_cards()

    def _grant_wishes(self) -> None:
        for place, names in self.wishes.items():
            for nth in range(min(len(names), len(self.cards.places.get(place, ())))):
                self.cards.make(place, nth, names[nth])

    def tell_cards(self) -> None:
        """Tell the pages how the cards lie now."""
        self._grant_wishes()
        self.tell(cards=self.cards.seen())

    def tell_power(self) -> None:
        """Tell the pages that the program or a cable came or went."""
        self.tell(power=self._power())

    def _power(self) -> Part:
        return {
            "on": self.board.is_on,
            "folder": str(self.root),
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

    async def look_at_wires(self, *, is_wanted: bool) -> None:
        """Show what goes over the wires, until nobody wants to know."""
        self._wires_wanted = is_wanted
        if is_wanted and self._wires is None:
            self._wires = asyncio.create_task(self._keep_looking_at_wires())

    async def _keep_looking_at_wires(self) -> None:
        ears = await self._connect()
        try:
            count = -1
            while self._wires_wanted:
                found = await ears.ask(wire=count)
                count = found["count"]
                if found["wire"]:
                    self.tell(wire=found["wire"])
        finally:
            self._wires = None
            ears.close()

    async def _look(self, eyes: JsonLines, rows: int) -> int:
        """Wait until a device shows something else, and tell the pages of it."""
        found = await eyes.ask(after=rows)
        before, self.shows = self.shows, {**found["shows"], "pads": _by_spot(found["shows"]["pads"])}
        if changed := {name: shown for name, shown in self.shows.items() if before.get(name) != shown}:
            self.tell(shows={name: visible(shown) for name, shown in changed.items()})
        if self.machine.look(self.shows[self.shuffler]):
            self.tell_cards()
        return int(found["rows"])


def visible(shown: Part) -> Part:
    """Return what a person sees of a device, without the faces of the cards that a machine gave."""
    return {name: value for name, value in shown.items() if name != FACES}


def _by_spot(pads: Part) -> Part:
    """Return what pads show with a digit a spot: 64 bits are more than a page's numbers hold."""
    count = len(pads["cents"])
    bits = {f"{name}_bits": f"{pads[name]:064b}"[::-1][:count] for name in ("locked", "lit")}
    return {name: value for name, value in pads.items() if name not in ("locked", "lit")} | bits


async def _quietly(asking: Coroutine[Any, Any, object]) -> object:
    """Wait for something whose refusal is nobody's concern."""
    with suppress(OSError, ValueError):
        return await asking
    return None
