"""People who play by themselves, so that somebody can watch, or play the one role that is left.

They are the crew of ``players`` in a thread of its own. Each step is somebody's: the floor's where the
display calls the floor, the players' where it waits for chips, the dealer's otherwise. A step whose role
nobody has taken is left to the person at the page, and so is what they do not know how to go on from.
"""

import asyncio
import random
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from sabot.hil.table.hands import NotSeenError
from sabot.practice.page_actions import do
from sabot.practice.players import PracticePlayers
from sabot.practice.table_session import TableSession

PLAYERS, DEALER, FLOOR = ROLES = ("players", "dealer", "floor")
# The slowest pace; how often the display is looked at; how often a seat takes a side wager that it need not;
# how many times the least ante a seat lays at most.
MOST_PACE_S, LOOK_S, OPTIONAL, MOST_TIMES = 10.0, 0.05, 0.3, 4
OPEN = "BETS OPEN"


class LeftError(Exception):
    """Nobody wants to watch any more."""


class Pace(Protocol):
    """The pace of people who play by themselves, and the loop it is for."""

    pace_s: float
    loop: asyncio.AbstractEventLoop

    def rest(self, seconds: float) -> None:
        """Wait that long; raise LeftError when nobody wants to watch any more."""


def role_of(lines: tuple[str, str]) -> str:
    """Return whose step it is, by the words of the display."""
    return FLOOR if any(line.startswith("FLOOR:") for line in lines) else DEALER


class AtTable(PracticePlayers):
    """The crew at a practice table of this process."""

    def __init__(self, watch: Pace, sitting: TableSession) -> None:
        super().__init__(sitting.root)
        self._watch, self._sitting = watch, sitting
        self.hands.rest = self._rest

    def _rest(self, seconds: float) -> None:
        """Wait for news on the display, never for long, so that a pause and the end are noticed."""
        self._watch.rest(0.0)
        self.hands.listen(min(seconds, LOOK_S))

    def act(self, name: str, **words: object) -> None:
        """Do a deed as the page would, at the chosen pace."""
        self._watch.rest(self._watch.pace_s / 4)
        self.hands.mark()
        # Tables belong to the loop: a deed runs there, and this thread waits for its answer.
        doing = do(self._sitting, {"do": name, **words})
        if why := asyncio.run_coroutine_threadsafe(doing, self._watch.loop).result():
            raise NotSeenError(why)

    def felt(self) -> Mapping[str, Any]:
        """Return the cards as a person sees them."""
        return self._sitting.cards.seen()

    @property
    def sizes(self) -> Mapping[str, int]:
        """Return how many cards lie at each place in the end."""
        sizes: Mapping[str, int] = self._sitting.layout["places"]
        return sizes


class AutoPlay:
    """The players that play by themselves, their pace, and whether they rest."""

    def __init__(self, sitting: TableSession) -> None:
        self._sitting = sitting
        self._chance = random.Random(sitting.seed)  # noqa: S311 - chips of a practice table
        self.loop = asyncio.get_running_loop()
        self.roles: frozenset[str] = frozenset()
        self.pace_s, self.is_paused, self.stuck = 0.5, False, ""
        self._is_over = False
        self._thread: threading.Thread | None = None

    def choose(self, roles: Sequence[str], pace_s: float, *, is_paused: bool) -> None:
        """Let these roles be played at this pace; raise ValueError for a role that does not exist."""
        if unknown := set(roles) - set(ROLES):
            raise ValueError(f"nobody plays {', '.join(sorted(unknown))}; there are {', '.join(ROLES)}")
        self.roles, self.is_paused = frozenset(roles), is_paused
        self.pace_s = min(MOST_PACE_S, max(0.0, pace_s))
        if self.roles and self._thread is None:
            self._thread = threading.Thread(target=self._play, name="players")
            self._thread.start()
        self.tell()

    def tell(self) -> None:
        """Tell the pages which roles are played, how fast, and what the players are stuck at."""
        self._sitting.tell(watch=self.seen())

    def seen(self) -> dict[str, object]:
        """Return what pages show of the players."""
        return {
            "roles": sorted(self.roles),
            "pace_s": self.pace_s,
            "paused": self.is_paused,
            "stuck": self.stuck,
        }

    async def end(self) -> None:
        """Send everybody home, and wait for their thread."""
        self._is_over = True
        if self._thread is not None:
            # Not joined here: the thread may be waiting for a deed that this very loop has to do.
            await asyncio.to_thread(self._thread.join)

    def rest(self, seconds: float) -> None:
        """Wait that long, then for as long as the players are paused; raise LeftError at the end."""
        time.sleep(seconds)
        while self.is_paused and not self._is_over:
            time.sleep(LOOK_S)
        if self._is_over:
            raise LeftError

    # ------------------------------------------------------------ in the thread

    def _play(self) -> None:
        crew = AtTable(self, self._sitting)
        try:
            while True:
                self._step(crew)
                self.rest(max(LOOK_S, self.pace_s))
        except LeftError:
            return
        finally:
            crew.close()

    def _step(self, crew: AtTable) -> None:
        """Take the step that the display wants, where somebody plays that role."""
        lines = crew.hands.lines
        try:
            if lines[0] == OPEN:
                self._bet(crew)
            elif self._sitting.board.is_on and role_of(lines) in self.roles:
                crew.step()
            self._say("")
        except NotSeenError as error:
            self._say(str(error).partition(";")[0])

    def _bet(self, crew: AtTable) -> None:
        """Lay the players' chips, then press LOCK for the dealer, each where that role is played."""
        # A new round: nothing of the last one is still out of the machine.
        crew.out = 0
        if DEALER in self.roles:
            crew.ready()
        if not crew.seats() and PLAYERS in self.roles:
            self._lay_chips(crew)
        elif crew.seats() and DEALER in self.roles:
            crew.press("LOCK")

    def _lay_chips(self, crew: AtTable) -> None:
        layout = self._sitting.layout
        ante, *others = (spot for spot in layout["spots"] if not spot["follows"])
        for seat in sorted(self._chance.sample(range(1, layout["seats"] + 1), self._chance.randint(1, 3))):
            crew.lay(seat, ante["wager"], ante["least"] * self._chance.randint(1, MOST_TIMES))
            for spot in others:
                if spot["least"] and self._chance.random() < OPTIONAL:
                    crew.lay(seat, spot["wager"], spot["least"])

    def _say(self, stuck: str) -> None:
        if stuck != self.stuck:
            self.stuck = stuck
            self.loop.call_soon_threadsafe(self.tell)
