"""A small world of tables and floors in a time of its own: all real but the network, the clock and the power.

The floor is a real store, committer and service, the tables have the real end with its medium; whatever lies
between them is made here, and goes wrong by the seed: packets are lost, doubled, late and overtake each other,
lines are cut for a while, disks stand still in the middle of a commit, clocks are apart by hours and jump, and
every process is killed at any point, in the middle of a commit too. A floor that was killed may come back with
another in its place.

Time passes only where this moves it, so a minute is a few milliseconds, and a seed plays the same again.
"""

import heapq
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from sabot.floor import broker, service
from sabot.floor.committer import Committer
from sabot.floor.money import UNITS
from sabot.floor.open_store import open_store
from sabot.floor.service import Service
from sabot.floor.store import Batch, Store
from sabot.floor.wire import hex_of
from sabot.uplink.durable_end import KeptEnd
from sabot.uplink.table_end import Say
from tests.uplink import rounds
from tests.uplink.rounds import LinkedMeter

from .linear import CONTRIBUTED, GRANTED, LEVELS, TOOK_BACK, Deed, History
from .making import key

LINK = LinkedMeter("pit", frozenset({"prog5"}))
ROWS = ("royal_flush", "straight_flush", "four_of_a_kind")  # mega, major, minor
DAWN = datetime(2026, 11, 20, 6, tzinfo=UTC)
TICK_S, TURN_S = 0.25, 0.2
MOST_DELAY_S, MOST_STALL_S = 3.0, 6.0
MOST_UNTIL_DEATH_S = 0.01  # of the machine's own: about as long as a commit takes with a standby


class Killed(BaseException):
    """The process that did this is no more."""


@dataclass
class Chances:
    """How bad it is, all of them by the second or by the packet."""

    lost: float = 0.05
    doubled: float = 0.05
    late: float = 0.2
    cut: float = 0.02
    kill_table: float = 0.02
    kill_floor: float = 0.02
    die_in_commit: float = 0.01
    stall: float = 0.02
    clock_jumps: float = 0.02


@dataclass
class World:
    """Time, the network, and everything that is in it."""

    seed: int
    store: str
    folder: Path
    tables: int = 3
    rounds: int = 5
    floors: int = 2
    chances: Chances = field(default_factory=Chances)
    power_cut: Callable[["World"], None] | None = None
    dies_in: dict[int, Callable[[], None]] = field(default_factory=dict)  # what dies in which commit
    most_s: float = 1200.0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.now, self._turn = 0.0, 0
        self._commits = 0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self.cut_until: dict[str, float] = {}
        self.is_calm = False
        self.values: dict[str, bytes] = {}
        self.seats = [TableSeat(self, f"T{number + 1}") for number in range(self.tables)]
        self.halls = [FloorSeat(self, number) for number in range(self.floors)]

    # ------------------------------------------------------------ time

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        """Do something in a while."""
        self._turn += 1
        heapq.heappush(self._due, (self.now + seconds, self._turn, what))

    def happens(self, chance: float) -> bool:
        """Whether something goes wrong now; nothing does once it is calm."""
        return not self.is_calm and self.chance.random() < chance

    @contextmanager
    def commit(self) -> Iterator[None]:
        """A commit, in which a server may die: it is made, or it is not, or nobody knows."""
        self._commits += 1
        dies = self.dies_in.get(self._commits)
        if dies is None:
            yield
            return
        after_s = self.chance.random() * MOST_UNTIL_DEATH_S
        with ThreadPoolExecutor(1) as beside:
            death = beside.submit(_after, after_s, dies)
            try:
                yield
            finally:
                death.result()

    def play(self) -> History:
        """Let everybody play, then let them finish in peace; what they saw."""
        with _time_of(self):
            places: list[FloorSeat | TableSeat] = [*self.halls, *self.seats]
            for each in places:
                each.start()
                self.later(self.chance.random() * TURN_S, each.turn)
            self._until(lambda: all(each.has_played for each in self.seats), self.most_s)
            self.is_calm, self.cut_until = True, {}
            self._until(lambda: all(each.is_finished for each in self.seats), self.most_s / 10)
            for hall in self.halls:
                hall.put_away()
        history = History({each.name: each.deeds() for each in self.seats}, self._end())
        for seat in self.seats:
            seat.put_away()
        return history

    def _until(self, is_so: Callable[[], bool], most_s: float) -> None:
        end = self.now + most_s
        while self._due and self.now < end and not is_so():
            self.now, _, what = heapq.heappop(self._due)
            what()

    def _end(self) -> tuple[int, ...]:
        store = open_store(self.store, reading=True)
        balances = store.load().balances
        store.close()
        return tuple(balances[f"pit.{level}"] // UNITS for level in LEVELS)

    # ------------------------------------------------------------ the network

    def carry(self, table: str, what: Callable[[bytes], None], payload: bytes) -> None:
        """Carry a packet of a table's line, or lose it, or carry it twice, sooner or later."""
        if self.cut_until.get(table, 0.0) > self.now or self.happens(self.chances.lost):
            return
        for _ in range(2 if self.happens(self.chances.doubled) else 1):
            delay = 0.002 + self.chance.random() * 0.01
            if self.happens(self.chances.late):
                delay += self.chance.random() * MOST_DELAY_S
            self.later(delay, lambda: what(payload))

    def up(self, table: str, payload: bytes) -> None:
        """A packet for the floor: whoever leads hears it."""
        for each in self.halls:
            self.carry(table, each.hear, payload)

    def said(self, topic: str, payload: bytes) -> None:
        """A packet of the floor."""
        for each in self.seats:
            if topic in (broker.down(each.name), broker.value("pit")):
                self.carry(each.name, each.hear, payload)


def _after(seconds: float, what: Callable[[], None]) -> None:
    sleep(seconds)
    what()


@contextmanager
def _time_of(world: World) -> Iterator[None]:
    """The service's seconds are this world's."""
    with patch.object(service, "time", SimpleNamespace(monotonic=lambda: world.now)):
        yield


class Clock:
    """A clock that is wrong by hours, and jumps; it never says the same twice."""

    def __init__(self, world: World) -> None:
        self._world, self._last = world, ""
        self.apart = timedelta(hours=world.chance.uniform(-12, 12))

    def __call__(self) -> str:
        if self._world.happens(self._world.chances.clock_jumps):
            self.apart = timedelta(hours=self._world.chance.uniform(-12, 12))
        at = DAWN + timedelta(days=2, seconds=self._world.now) + self.apart
        text = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if text == self._last:
            at += timedelta(milliseconds=1)
            self.apart += timedelta(milliseconds=1)
            text = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._last = text
        return text


# ---------------------------------------------------------------- a floor


class Mortal:
    """A store whose process may die in a commit, before or after it counts, or whose disk stands still."""

    def __init__(self, store: Store, hall: "FloorSeat") -> None:
        self._store, self._hall = store, hall

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, batch: Batch) -> None:
        """Commit, or die at it."""
        world = self._hall.world
        dies = world.happens(world.chances.die_in_commit)
        if dies and world.chance.random() < 0.5:
            raise Killed
        with world.commit():
            self._store.commit(batch)
        if dies:
            raise Killed
        if world.happens(world.chances.stall):
            self._hall.stalled_until = world.now + world.chance.random() * MOST_STALL_S


class FloorSeat:
    """A service of the floor, or the place where one was."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.number = world, number
        self.clock = Clock(world)
        self.stalled_until = 0.0
        self.committer: Committer | None = None
        self._store: Store | None = None
        self._outbox: list[tuple[str, bytes]] = []
        self._listens = False

    def start(self) -> None:
        """Start a process; one that runs already is left alone."""
        if self._store is not None:
            return
        self._store = open_store(self.world.store)
        self.committer = Committer(Mortal(self._store, self), key("floor"), self.clock)
        self.service = Service(self.committer, key("floor"), self.clock, lambda _words: None)
        self.service.use(self)
        self.stalled_until = 0.0

    def put_away(self) -> None:
        """The process is gone, with everything that was not on the medium."""
        if self._store is not None:
            self._store.close()
        self.committer = self._store = None
        self._outbox.clear()
        self._listens = False

    def _die(self) -> None:
        """This process is killed; where the power is cut, every floor is, for they are on one machine."""
        world = self.world
        gone = (
            [self]
            if world.power_cut is None
            else [each for each in world.halls if each.committer is not None]
        )
        for each in gone:
            each.put_away()
            world.later(0.1 + world.chance.random() * 3, each.start)
        if world.power_cut is not None:
            world.power_cut(world)

    # ------------------------------------------------------------ the wire, as the service has it

    def say(self, topic: str, payload: bytes, *, kept: bool = False) -> None:
        """Say; on a stalled machine it goes out when that works again."""
        del kept
        self._outbox.append((topic, payload))

    def listen(self, topics: frozenset[str]) -> None:
        """Listen, where this one leads."""
        self._listens = broker.UP_FROM_ALL in topics

    def hear(self, payload: bytes) -> None:
        """Take a packet."""
        if self.committer is None or not self._listens:
            return
        self.service.hear("sabot/1/up/T", payload)
        if self.stalled_until <= self.world.now:
            self._work()

    # ------------------------------------------------------------ by the clock

    def turn(self) -> None:
        """A tick of the service."""
        world = self.world
        world.later(TICK_S, self.turn)
        if self.committer is None:
            return
        if world.happens(world.chances.kill_floor * TICK_S):
            self._die()
            return
        if self.stalled_until <= world.now:
            self._flush()
            self.service.tick()
            self._work()

    def _work(self) -> None:
        """What the committer's thread does, a window at a time."""
        committer = self.committer
        assert committer is not None
        try:
            if not committer.is_leading and not committer._lead():
                committer._refuse_all()
                return
            while committer.waiting and committer.is_leading:
                committer._work_once()
                if self.stalled_until > self.world.now:
                    return
        except Killed:
            self._die()
            return
        self._flush()

    def _flush(self) -> None:
        said, self._outbox = self._outbox, []
        for topic, payload in said:
            self.world.said(topic, payload)


# ---------------------------------------------------------------- a table


@dataclass
class Line:
    """A line of a table's journal: on the medium, and when."""

    what: str
    at: float
    values: dict[str, Any]

    def says(self) -> list[Say]:
        """What it makes for the floor."""
        digest = sha256(json.dumps([self.what, self.values]).encode()).hexdigest()
        accepted = {seat: {"prog5": 100} for seat in self.values.get("seats", ())}
        round_ = self.values.get("round", 0)
        match self.what:
            case "lock":
                return rounds.at_lock(LINK, round_, 1, accepted, digest)
            case "void":
                return rounds.taken_back(LINK, round_, "641a.13(a)", accepted, digest)
            case "hit":
                row = ROWS[self.values["level"]]
                return [rounds.at_turn(LINK, round_, "prog5", row, [self.values["seat"]], digest)]
            case "granted" if self.values["grant"]:
                return [rounds.validated(self.values["grant"], "12 Ben", digest)]
        return []


class TableSeat:
    """A table: its journal and its end's medium outlive every kill."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.clock = Clock(world)
        self.journal: list[Line] = []
        self._counts: Counter[str] = Counter()
        self.acknowledged: list[tuple[int, float]] = []  # up to which number, and when it was seen
        self.kept: KeptEnd | None = None

    # ------------------------------------------------------------ alive

    def start(self) -> None:
        """Start a process: what the end heard and the journal lacks is entered, then the journal is fed."""
        file = self.world.folder / f"{self.world.seed}-{self.name}.db"
        self.kept = KeptEnd(file, self.name, key(self.name), hex_of(key("floor")))
        self.kept._db.execute("PRAGMA synchronous = OFF")  # the process is killed here, never the machine
        entered = max((each.values["number"] for each in self.journal if each.what == "granted"), default=0)
        for raw in self.kept.kept(entered):
            self._enter(json.loads(raw[64:]))
        self._feed()

    def put_away(self) -> None:
        """The process is gone."""
        if self.kept is not None:
            self.kept.close()
        self.kept = None

    def _die(self) -> None:
        self.put_away()
        self.world.later(0.1 + self.world.chance.random() * 3, self.start)

    def turn(self) -> None:
        """Play, then say what is due."""
        world = self.world
        world.later(TURN_S * (0.5 + world.chance.random()), self.turn)
        if self.kept is None:
            return
        if world.happens(world.chances.cut * TURN_S * 5):
            world.cut_until[self.name] = world.now + world.chance.random() * 8
        if world.happens(world.chances.kill_table * TURN_S * 5):
            self._die()
            return
        with suppress(Killed):
            self._play()
            self._feed()
        if self.kept is None:
            return
        for raw in self.kept.end.due(world.now, self.clock()):
            world.up(self.name, raw)

    def hear(self, payload: bytes) -> None:
        """Hear the floor."""
        if self.kept is None:
            return
        before = self.kept.end.memory.applied
        message = self.kept.hear(payload, self.world.now)
        if self.kept.end.memory.applied > before:
            self.acknowledged.append((self.kept.end.memory.applied, self.world.now))
        if message is not None and "number" in message:
            if self.world.happens(self.world.chances.kill_table * 5):
                self._die()  # the end has it, the journal does not
                return
            self._enter(message)

    def _enter(self, message: dict[str, Any]) -> None:
        grant = message["entry"] if message["kind"] == "granted" else 0
        values = {name: message[name] for name in ("number", "claim")} | {
            "grant": grant, "cents": message.get("cents", 0)
        }  # fmt: skip
        self._add("granted", **values)

    def _add(self, what: str, **values: Any) -> None:
        self.journal.append(Line(what, self.world.now, values))
        self._counts[what] += 1
        if what != "granted" and self.world.happens(self.world.chances.kill_table):
            self._die()  # it is in the journal, and nobody was told
            raise Killed

    def _feed(self) -> None:
        kept = self.kept
        if kept is None or not kept.end.memory.begun:
            return
        for number, line in enumerate(self.journal[kept.fed :], kept.fed + 1):
            kept.feed(number, line.says(), self.world.now, self.clock)

    # ------------------------------------------------------------ playing

    @property
    def _waits(self) -> bool:
        return self._counts["hit"] > self._counts["granted"]

    @property
    def has_played(self) -> bool:
        """Whether all its rounds are over."""
        return self._counts["lock"] >= self.world.rounds and not self._waits

    @property
    def is_finished(self) -> bool:
        """Whether everything that it said is acknowledged."""
        kept = self.kept
        return (
            kept is not None
            and self.has_played
            and kept.fed == len(self.journal)
            and not kept.end.memory.waiting
        )

    def _play(self) -> None:
        """A round where the link is open; sometimes a void, sometimes a hit, whatever the link does meanwhile."""
        kept, chance = self.kept, self.world.chance
        assert kept is not None
        if self._waits or self.has_played or kept.end.why_closed("pit", self.world.now):
            return
        if chance.random() < 0.4:
            return
        round_ = self._counts["lock"] + 1
        seats = sorted(chance.sample(range(1, 8), chance.randint(1, 7)))
        self._add("lock", round=round_, seats=seats)
        what = chance.random()
        if what < 0.2:
            self._add("void", round=round_, seats=seats)
        elif what < 0.5:
            self._add("hit", round=round_, seat=seats[0], level=chance.randrange(3))

    # ------------------------------------------------------------ its history

    def deeds(self) -> list[Deed]:
        """What it did, as it saw it."""
        found, number = [], 0
        grants = {
            each.values["claim"]: each
            for each in self.journal
            if each.what == "granted" and each.values["grant"]
        }
        for line in self.journal:
            if not line.says():
                continue
            number += 1
            heard = next((at for upto, at in self.acknowledged if upto >= number), float("inf"))
            wagers = len(line.values.get("seats", ()))
            if line.what in ("lock", "void"):
                what = CONTRIBUTED if line.what == "lock" else TOOK_BACK
                found.append(Deed(what, line.at, heard, wagers))
            elif line.what == "hit" and number in grants:
                grant = grants[number]
                facts = {"entry": grant.values["grant"], "cents": grant.values["cents"]}
                found.append(Deed(GRANTED, line.at, grant.at, level=line.values["level"], **facts))
        return found


# ---------------------------------------------------------------- the power


class Snapshots:
    """A medium that forgets at a power cut whatever was not flushed: what `synchronous_commit = off` is."""

    def __init__(self, chance: random.Random) -> None:
        self._chance, self._copy = chance, b""

    def __call__(self, world: World) -> None:
        """Put back what was there when it was last flushed; now and then it is flushed."""
        file = Path(world.store)
        with closing(sqlite3.connect(file)) as db:
            now = db.serialize()
        if self._copy and self._chance.random() < 0.7 and now != self._copy:
            for each in (f"{file}-wal", f"{file}-shm"):
                Path(each).unlink(missing_ok=True)
            file.write_bytes(self._copy)
            return
        self._copy = now
