"""A battery of histories, each from a seed, over either store; two controls that the checker must find.

    python -m tests.floor.battery --histories 10000 --state bench/out/histories.json      (make histories)
    python -m tests.floor.battery --store postgres --histories 300
    python -m tests.floor.battery --store standby --histories 300     primaries die in a commit, standbys are promoted
    python -m tests.floor.battery --control no-key        a floor that counts a message as often as it comes
    python -m tests.floor.battery --control no-flush      a store that forgets at a power cut what it said it had

It is resumed where it was stopped; a seed that was bad is printed with what the checker says, and plays the same again
(`--first SEED --histories 1`), but where primaries die: there the machine has its say. The controls end well where at least
one history in ten is found.
"""

import argparse
import json
import logging
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sabot.floor import wire
from sabot.floor.core import FloorCore, Verdict
from sabot.floor.errors import FloorError
from sabot.floor.money import UNITS
from sabot.floor.open_store import open_store
from sabot.floor.state import TableState
from sabot.floor.verify import verify
from sabot.rules.errors import SabotError

from .keeping import Kept
from .linear import check
from .servers import Pair, Server
from .world import Chances, Snapshots, World

SQLITE, POSTGRES, STANDBY = "sqlite", "postgres", "standby"
STORES = (SQLITE, POSTGRES, STANDBY)
NO_KEY, NO_FLUSH = "no-key", "no-flush"
CONTROLS = (NO_KEY, NO_FLUSH)
AT_LEAST = 0.1
PATIENT = "connect_timeout=60"  # on a machine that does much else a server is slow, and not gone
MOST_COMMITS = 20  # a primary dies in one of these: nearly every history makes as many


@dataclass
class Ground:
    """Where worlds are made: a floor that was founded once, copied for each."""

    folder: Path
    server: Server | Pair | None = None
    control: str = ""

    def store(self, seed: int, tables: int) -> str:
        """A founded floor of its own."""
        names = [f"T{number + 1}" for number in range(tables)]
        if self.server is not None:
            where = f"{self.server.schema(f'world{seed}')} {PATIENT}"
            with Kept.linked(where, *names):
                pass
            return where
        first = self.folder / f"first-of-{tables}.db"
        if not first.exists():
            with Kept.linked(str(first), *names):
                pass
        return str(shutil.copy(first, self.folder / f"{seed}.db"))

    def history(self, seed: int) -> tuple[list[str], int]:
        """Play a seed; what the checker says of it, and how many deeds it was."""
        chance = random.Random(f"world {seed}")
        tables = chance.randint(2, 5)
        where = self.store(seed, tables)
        cut = Snapshots(chance) if self.control == NO_FLUSH else None
        world = World(
            seed, where, self.folder, tables, chance.randint(3, 8), chances=_chances(chance), power_cut=cut
        )
        if isinstance(self.server, Pair):
            world.dies_in = {chance.randint(1, MOST_COMMITS): self.server.fail_over}
        if cut:
            world.most_s = 60.0  # tables that see what was lost do not play on: nobody waits for them
        try:
            history = world.play()
            found = check(history)
            if not self.control:
                found += _ledger(where)
        finally:
            for each in self.folder.glob(f"{seed}[.-]*"):
                each.unlink()
            if self.server is not None:
                self.server.drop(f"world{seed}")
        return found, history.deeds


def _chances(chance: random.Random) -> Chances:
    """A world that is bad in its own way: each thing rarely, often, or never."""
    usual = Chances()
    return Chances(**{name: getattr(usual, name) * chance.choice((0, 0.5, 1, 3)) for name in vars(usual)})


def _ledger(where: str) -> list[str]:
    """The ledger proves itself besides."""
    store = open_store(where, reading=True)
    try:
        verify(store)
    except FloorError as error:
        return [str(error)]
    finally:
        store.close()
    return []


# ---------------------------------------------------------------- controls


@contextmanager
def without_the_key() -> Iterator[None]:
    """A floor that counts what a table says as often as it comes."""
    judge = FloorCore._judge

    def forgetful(desk: FloorCore, table: TableState, message: dict[str, Any], body: bytes) -> Verdict:
        verdict = judge(desk, table, message, body)
        if verdict is Verdict.AGAIN and message["kind"] == "contribution":
            desk.state.books.move("players", "pit.mega", 10 * len(message["spots"]) * UNITS, "contribution")
        return verdict

    with patch.object(FloorCore, "_judge", forgetful):
        yield


@contextmanager
def signatures_once() -> Iterator[None]:
    """The same bytes have the same signature: two floors hear everything, and need not do the sum twice."""
    with patch.object(wire, "is_signed", lru_cache(maxsize=4096)(wire.is_signed)):
        yield


# ---------------------------------------------------------------- many

# One for all histories of a process, each in a schema of its own.
SERVERS: dict[str, Callable[[], AbstractContextManager[Server | Pair]]] = {
    POSTGRES: Server.fresh,
    STANDBY: Pair.fresh,
}


def play(seeds: range, store: str, control: str, tell: Callable[[int, list[str], int], None]) -> None:
    """Play seeds, in this process."""
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # it says how each connection ended that was cut
    with ExitStack() as things:
        folder = Path(things.enter_context(tempfile.TemporaryDirectory(prefix="histories-", dir=_quick())))
        server = things.enter_context(SERVERS[store]()) if store in SERVERS else None
        if control == NO_KEY:
            things.enter_context(without_the_key())
        things.enter_context(signatures_once())
        ground = Ground(folder, server, control)
        for seed in seeds:
            tell(seed, *ground.history(seed))


def _quick() -> str | None:
    """A medium that is memory, where there is one: processes are killed here, never the machine."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _part(words: tuple[range, str, str]) -> list[tuple[int, list[str], int]]:
    found: list[tuple[int, list[str], int]] = []
    try:
        play(*words, lambda *each: found.append(each))
    except SabotError as error:  # such an error does not pass from process to process
        raise RuntimeError(str(error)) from None
    return found


@dataclass
class Sums:
    """What was played so far, kept in a file."""

    file: Path | None
    histories: int = 0
    deeds: int = 0
    bad: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, file: Path | None) -> "Sums":
        """What the file has."""
        known = json.loads(file.read_text()) if file and file.exists() else {}
        return cls(file, **known)

    def add(self, found: list[tuple[int, list[str], int]]) -> None:
        """Add some."""
        self.histories += len(found)
        self.deeds += sum(each[2] for each in found)
        self.bad |= {str(seed): said for seed, said, _ in found if said}
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps(self.facts()))

    def facts(self) -> dict[str, Any]:
        """For the file."""
        return {"histories": self.histories, "deeds": self.deeds, "bad": self.bad}


def main() -> int:
    """Play as many as were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--histories", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--store", choices=STORES, default=SQLITE)
    parser.add_argument("--control", choices=CONTROLS, default="")
    parser.add_argument("--state", type=Path, help="a file: what was played before is not played again")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    sums, began = Sums.of(args.state), time.monotonic()
    seeds = range(args.first + sums.histories, args.first + args.histories)
    parts = [(seeds[at : at + 50], args.store, args.control) for at in range(0, len(seeds), 50)]
    with get_context("spawn").Pool(args.jobs) as pool:
        for found in pool.imap(_part, parts):
            sums.add(found)
            print(
                f"{sums.histories} histories, {sums.deeds} deeds, {len(sums.bad)} found",
                file=sys.stderr,
                flush=True,
            )
    print(json.dumps({**sums.facts(), "seconds": round(time.monotonic() - began)}))
    if args.control:
        return len(sums.bad) < AT_LEAST * sums.histories
    return bool(sums.bad)


if __name__ == "__main__":
    sys.exit(main())
