"""Everything that a page can sit down at: the table of now, whoever plays at it, and where lessons begin.

A page stays where it is when it moves to another table: it is told the whole of that one. Where a lesson
begins is made once in an evening, by people who open the table, and kept in a folder; the next one begins
from a copy.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from sabot.config import PRINTED, ChapterLaw
from sabot.desk.diagram.picture import picture
from sabot.hil.scenarios.scenario_file import BETS_OPEN, FRESH, read_steps
from sabot.hil.scenarios.sim import FIRST_STEPS
from sabot.hil.table.hands import NotSeenError
from sabot.practice.autoplay import AutoPlay, LeftError
from sabot.practice.classroom import Classroom
from sabot.practice.lesson import shelf
from sabot.practice.table_session import Listener, Part, TableSession

# How often people try to open a table before somebody is told that it cannot be done.
TRIES = 3
# The path of a socket has at most a hundred letters: nothing deeper than this.
PLACE = "/tmp"  # noqa: S108 - the folder in it is this user's alone


class InThread:
    """People who play in a thread of their own, as fast as they can, until nobody wants them."""

    pace_s = 0.0

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.is_over = False

    def rest(self, _seconds: float) -> None:
        """Go on at once; raise LeftError when nobody wants these people any more."""
        if self.is_over:
            raise LeftError


class PracticeHouse:
    """The tables of one evening, one at a time."""

    def __init__(
        self, root: Path, chapter: str, method: str, *, seed: int, speed: float, law: ChapterLaw
    ) -> None:
        self._root, self._seed, self._speed, self._law = root, seed, speed, law
        self._folder = Path(tempfile.mkdtemp(prefix="house-", dir=PLACE))
        self._count = 0
        # Where lessons begin, by chapter and method.
        self._starts: dict[tuple[str, str], Path] = {}
        self._listeners: set[Listener] = set()
        self._unlisten: Callable[[], object] = lambda: None
        self.doing = ""
        self.sitting = self._make(root, chapter, method)

    def _make(self, root: Path, chapter: str, method: str, put_away: Path | None = None) -> TableSession:
        law = self._law if chapter in self._law.ids else PRINTED
        return TableSession(
            root, chapter, method, seed=self._seed, speed=self._speed, law=law, put_away=put_away
        )

    # ------------------------------------------------------------ tables

    async def begin(self) -> None:
        """Sit down at the first table."""
        await self._begin(self.sitting)

    async def _begin(self, sitting: TableSession) -> None:
        self.sitting = sitting
        sitting.watch = AutoPlay(sitting)
        await sitting.begin()
        self._unlisten = sitting.listen(self.tell)

    async def end(self) -> None:
        """Put everything away."""
        await self._leave()
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    async def _leave(self) -> None:
        self._unlisten()
        if self.sitting.watch is not None:
            await self.sitting.watch.end()
        await self.sitting.end()

    async def sit_at(self, chapter: str, method: str, start: str) -> None:
        """Sit down at a new table, where a scenario begins."""
        if start == FRESH:
            await self._move(chapter, method)
            return
        if (chapter, method) in self._starts:
            await self._move(chapter, method, self._starts[chapter, method])
        else:
            await self._make_start(chapter, method)
        if start != BETS_OPEN:
            found = shelf().starts[start.partition(":")[2]]
            await self.sitting.switch_off("stop")
            await self.sitting.board.pass_hours(found.hours)

    async def _move(self, chapter: str, method: str, put_away: Path | None = None) -> None:
        await self._leave()
        self._count += 1
        await self._begin(self._make(self._folder / f"t{self._count}", chapter, method, put_away))

    async def _make_start(self, chapter: str, method: str) -> None:
        """Let people open a new table, and keep a copy of it as it is then."""
        self._say("people open the table; that takes a moment")
        for left in reversed(range(TRIES)):
            await self._move(chapter, method)
            pace = InThread()
            try:
                await _in_thread(pace, _open, pace, self.sitting)
                break
            except (NotSeenError, OSError):  # a very busy machine can starve a device
                if not left:
                    self._say("")
                    raise
        kept = self._folder / f"start{self._count}"
        await self.sitting.put_away(kept)
        self._starts[chapter, method] = kept
        self._say("")

    def _say(self, doing: str) -> None:
        self.doing = doing
        self.tell({"doing": doing})

    # ------------------------------------------------------------ pages

    async def life(self) -> str:
        """Return the diagram of the states of the table of now, as `sabot diagram` draws it."""
        law = self.sitting.law
        known = [law.chapter(name) for name in law.ids]
        return await asyncio.to_thread(picture, known, law.chapter(self.sitting.chapter))

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener everything, whatever the table; return a function that ends it."""
        self._listeners.add(listener)
        for part in (self.sitting.whole(), {"doing": self.doing}, *self.sitting.follow.newest):
            listener(part)
        return lambda: self._listeners.discard(listener)

    def tell(self, part: Part) -> None:
        """Tell every page this part."""
        for listener in list(self._listeners):
            listener(part)


async def _in_thread(pace: InThread, work: Callable[..., None], *words: object) -> None:
    """Let people work in a thread; send them home when whoever waits for them is cancelled."""
    try:
        await asyncio.to_thread(work, *words)
    except asyncio.CancelledError:
        # A thread cannot be cancelled: it notices this at its next rest.
        pace.is_over = True
        raise


def _open(pace: InThread, sitting: TableSession) -> None:
    """Play the table from closed to bets open, with every deck shuffled."""
    room = Classroom(pace, sitting)
    try:
        for step in read_steps(FIRST_STEPS, "starts: bets-open", sitting.chapter, sitting.method):
            room.take(step)
    finally:
        room.close()
