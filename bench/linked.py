"""What the link costs: contributions, claim to grant, a failover, the signs, memory, tables and years.

    python bench/linked.py                        everything (make bench-link); some minutes
    python bench/linked.py --only rates growth --seconds 5 --json out.json

Everything is the real thing on this machine: PostgreSQL with its standby, the embedded store, a broker,
processes. Messages are signed beforehand, for tables do that; each signature is verified by the floor while
the clock runs. A table says its next message when the last one was acknowledged.
"""

import argparse
import json
import os
import platform
import queue
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.floor.brokers import Mosquitto  # noqa: E402
from tests.floor.keeping import Kept, save_key  # noqa: E402
from tests.floor.making import Teller, key  # noqa: E402
from tests.floor.servers import Server, either  # noqa: E402

from sabot.floor import messages, reports  # noqa: E402
from sabot.floor.broker import Broker, down, up, value  # noqa: E402
from sabot.floor.committer import CommitAnswer  # noqa: E402
from sabot.floor.errors import FloorError  # noqa: E402
from sabot.floor.open_store import open_store  # noqa: E402
from sabot.floor.wire import hex_of  # noqa: E402

SEATS = range(1, 8)
SPOTS = len(SEATS)
PATIENCE_S = 120.0
Json = dict[str, Any]


def names(tables: int) -> list[str]:
    """The names of so many tables."""
    return [f"T{number + 1}" for number in range(tables)]


def spread(found: Sequence[float]) -> Json:
    """Median and p99 of seconds, in milliseconds."""
    ordered = sorted(found)
    p99 = ordered[min(len(ordered) - 1, round(0.99 * len(ordered)))]
    return {
        "p50_ms": round(1000 * statistics.median(ordered), 2),
        "p99_ms": round(1000 * p99, 2),
        "n": len(ordered),
    }


# ---------------------------------------------------------------- contributions


@dataclass
class Loop:
    """Tables that say their next message when the last was acknowledged."""

    kept: Kept
    said: dict[str, list[bytes]]
    waits: list[float] = field(default_factory=list)
    done: int = 0
    stopped: bool = False

    def __post_init__(self) -> None:
        self._places = dict.fromkeys(self.said, 0)
        self._idle = threading.Semaphore(0)

    def run(self, seconds: float) -> Json:
        """For so long, or as long as there is anything to say."""
        began, used = time.perf_counter(), time.process_time()
        for name in self.said:
            self._say(name)
        time.sleep(seconds)
        self.stopped, took, done = True, time.perf_counter() - began, self.done
        used = time.process_time() - used
        for _ in self.said:
            self._idle.acquire(timeout=PATIENCE_S)
        return {
            "contributions_s": round(done * SPOTS / took),
            "contributions_cpu_s": round(done * SPOTS / used),  # for a second of this process on a core
            **spread(self.waits),
        }

    def _say(self, name: str) -> None:
        place = self._places[name]
        if self.stopped or place >= len(self.said[name]):
            self._idle.release()
            return
        self._places[name] = place + 1
        began = time.perf_counter()
        self.kept.committer.take(self.said[name][place]).add_done_callback(
            lambda future: self._heard(name, began, future.exception())
        )

    def _heard(self, name: str, began: float, error: BaseException | None) -> None:
        assert error is None, error
        self.waits.append(time.perf_counter() - began)
        self.done += 1
        self._say(name)


def signed(tellers: Sequence[Teller], each: int) -> dict[str, list[bytes]]:
    """So many messages of each table, seven wagers to each."""
    return {teller.name: [teller.bets(teller.number + 1, *SEATS) for _ in range(each)] for teller in tellers}


def rates(stores: "Stores", seconds: float, tables: int = 100) -> Json:
    """Contributions a second at a hundred tables, seven to a message, each signature verified."""
    found: Json = {}
    for store, where in stores.all(tables):
        with Kept.linked(where, *names(tables)) as kept:
            each = max(20, round(seconds * 6_000 / tables))
            found[store] = Loop(kept, signed(kept.tellers, each)).run(seconds)
            found[store]["commits"] = kept.committer.commits
    return found


def growth(stores: "Stores", seconds: float) -> Json:
    """The same with ten to two thousand tables, in the embedded store."""
    found: Json = {}
    for tables in (10, 100, 500, 1000, 2000):
        with Kept.linked(stores.file(), *names(tables)) as kept:
            each = max(3, round(seconds * 6_000 / tables))
            found[str(tables)] = Loop(kept, signed(kept.tellers, each)).run(seconds)
    return found


# ---------------------------------------------------------------- a claim


def claims(stores: "Stores", seconds: float, tables: int = 500) -> Json:
    """From a claim to its grant, while five hundred tables play: a message of each in two seconds."""
    found: Json = {}
    for store, where in stores.all(tables):
        with Kept.linked(where, *names(tables)) as kept:
            found[store] = _claims(kept, seconds)
    return found


def _claims(kept: Kept, seconds: float) -> Json:
    players, winners = kept.tellers[:-20], kept.tellers[-20:]
    rounds = max(2, round(seconds / 2))
    said = signed(players, rounds)
    order = [said[name][turn] for turn in range(rounds) for name in said]
    stopped = threading.Event()
    pace = threading.Thread(target=_pace, args=(kept, order, seconds / len(order), stopped))
    hits = queue.SimpleQueue[tuple[bytes, bytes]]()
    for turn in range(round(seconds * 20)):
        teller = winners[turn % len(winners)]
        hits.put((teller.bets(turn + 1, 1), teller.hit(turn + 1, 1)))
    pace.start()
    waits = []
    while not hits.empty() and pace.is_alive():
        bet, hit = hits.get()
        kept.take(bet)
        began = time.perf_counter()
        kept.take(hit)
        waits.append(time.perf_counter() - began)
        time.sleep(0.03)
    stopped.set()
    pace.join()
    return spread(waits)


def _pace(kept: Kept, order: Sequence[bytes], gap_s: float, stopped: threading.Event) -> None:
    """Messages one after the other, at an even pace."""
    due = time.perf_counter()
    for raw in order:
        if stopped.is_set():
            return
        kept.committer.take(raw)
        due += gap_s
        time.sleep(max(0.0, due - time.perf_counter()))


# ---------------------------------------------------------------- a failover


def failover(rounds: int = 5) -> Json:
    """The primary dies and its synchronous standby is promoted: until the first acknowledgement."""
    first, promoted = [], []
    for _ in range(rounds):
        with ExitStack() as things:
            primary = things.enter_context(Server.fresh())
            standby = primary.standby("b")
            things.callback(standby.stop)
            _follow(primary)
            promotes, acknowledges = _failover(primary, standby)
            promoted.append(promotes)
            first.append(acknowledges)
    return {"rounds": rounds, "promotion": spread(promoted), "first_acknowledgement": spread(first)}


def _follow(primary: Server) -> None:
    primary.set("synchronous_standby_names", "b")
    primary.set("synchronous_commit", "remote_apply")
    primary.wait_for_sync()


def _failover(primary: Server, standby: Server) -> tuple[float, float]:
    with Kept.linked(either(primary, standby), "T1") as kept:
        (teller,) = kept.tellers
        kept.insist(teller.bets(1, *SEATS))
        primary.crash()
        raw = teller.bets(2, *SEATS)
        began = time.perf_counter()
        standby.promote()
        promoted = time.perf_counter() - began
        while True:
            try:
                kept.take(raw)
            except FloorError:
                time.sleep(0.01)
            else:
                return promoted, time.perf_counter() - began


# ---------------------------------------------------------------- signs and memory


@dataclass
class Service:
    """`sabot floor run` and a `sabot-uplink`, with a broker, and somebody who speaks for a table."""

    folder: Path
    broker: Mosquitto
    store: str
    tables: int = 10

    def __post_init__(self) -> None:
        with Kept.linked(self.store, *names(self.tables)):
            pass
        save_key(self.folder / "floor.key", key("floor"))
        head = f'store = "{self.store}"\nkey = "{self.folder}/floor.key"\norders = "{self.folder}/orders"\n'
        (self.folder / "floor.toml").write_text(f"{head}{self._broker('floor')}\n")
        uplink = f'table = "T1"\nsocket = "{self.folder}/link"\n{self._broker("T1")}\n'
        (self.folder / "uplink.toml").write_text(uplink)
        self.floor = self._start("-Im", "sabot", "floor", "run", self.folder / "floor.toml")
        self.uplink = self._start("-Im", "sabot.uplink.carrier", self.folder / "uplink.toml")

    def _broker(self, name: str) -> str:
        address = self.broker.address(name)._asdict()
        port = address.pop("port")
        return "\n".join(
            ["[broker]", f"port = {port}", *(f'{name} = "{each}"' for name, each in address.items())]
        )

    @staticmethod
    def _start(*words: object) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, *map(str, words)], cwd=ROOT, stdout=subprocess.DEVNULL)

    def end(self) -> None:
        """Stop both."""
        for process in (self.floor, self.uplink):
            process.terminate()
            process.wait(PATIENCE_S)


def signs(samples: int = 100) -> Json:
    """From a contribution that is said to the sign that shows it; memory of both processes then."""
    with ExitStack() as things:
        folder = Path(things.enter_context(tempfile.TemporaryDirectory(prefix="linked-", dir="/tmp")))
        broker = things.enter_context(Mosquitto())
        service = Service(folder, broker, str(folder / "floor.db"))
        things.callback(service.end)
        table = _Sign(broker)
        things.callback(table.broker.end)
        waits = [table.shown() for _ in range(samples)]
        return {
            "to_sign": spread(waits),
            "floor": memory_of(service.floor.pid),
            "uplink": memory_of(service.uplink.pid),
            "bare_interpreter": _bare(),
        }


class _Sign:
    """A table that contributes, and looks at its sign."""

    def __init__(self, broker: Mosquitto) -> None:
        self.teller, self._news = Teller("T2"), threading.Condition()
        self._shown, self._applied = 0, -1
        self.broker = Broker(broker.address("T2"), "bench", self._hear)
        self.broker.listen(frozenset({down("T2"), value("pit")}))
        self.broker.begin()
        self._wait(lambda: self._applied == 0, self.teller.say(messages.HEARTBEAT))

    def _hear(self, _topic: str, payload: bytes) -> None:
        message = messages.read_down(payload, hex_of(key("floor")))
        with self._news:
            if message["kind"] == messages.VALUE:
                self._shown = dict(message["levels"])["mega"]
            elif message["kind"] == messages.ACKNOWLEDGED:
                self._applied = max(self._applied, message["applied"])
            self._news.notify_all()

    def _wait(self, is_so: Callable[[], bool], raw: bytes) -> None:
        until = time.monotonic() + PATIENCE_S
        with self._news:
            while not is_so():
                assert time.monotonic() < until
                self.broker.say(up("T2"), raw)
                self._news.wait_for(is_so, 5.0)

    def shown(self) -> float:
        """Contribute, and wait for the sign."""
        goal = 1_000_000 + 70 * (self.teller.number + 1)
        raw = self.teller.bets(self.teller.number + 1, *SEATS)
        began = time.perf_counter()
        self._wait(lambda: self._shown >= goal, raw)
        return time.perf_counter() - began


def memory_of(pid: int) -> Json:
    """Resident and private memory of a process, in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    rows = {line.split()[0].rstrip(":"): int(line.split()[1]) for line in lines}
    private = rows["Private_Clean"] + rows["Private_Dirty"]
    return {"resident_mb": round(rows["Rss"] / 1024, 1), "private_mb": round(private / 1024, 1)}


def _bare() -> Json:
    words = [sys.executable, "-Ic", "input()"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as bare:
        time.sleep(0.5)
        found = memory_of(bare.pid)
        bare.kill()
    return found


# ---------------------------------------------------------------- years


def years(stores: "Stores", movements: int) -> Json:
    """A ledger of so many movements: what all meters show, and the proof of it."""
    where, tables = stores.file(), 100
    with Kept.linked(where, *names(tables)) as kept:
        made = _fill(kept, movements)
    began = time.perf_counter()
    with closing(open_store(where, reading=True)) as store:
        found = reports.meters(store.load().state())
    meters_s = time.perf_counter() - began
    assert found["balanced"]
    proof, took, used = _command("floor", "verify", "--store", where, "--json")
    assert proof["good"]
    return {
        "movements": proof["movements"],
        "entries": proof["entries"],
        "filled_s": round(made),
        "megabytes": round(Path(where).stat().st_size / 1e6),
        "meters_ms": round(1000 * meters_s, 1),
        "verify_s": round(took, 1),
        "verify_movements_s": round(proof["movements"] / took),
        "verify_movements_cpu_s": round(proof["movements"] / (used.ru_utime + used.ru_stime)),
        "verify_peak_resident_mb": round(used.ru_maxrss / 1024),
    }


def _command(*words: str) -> tuple[Json, float, resource.struct_rusage]:
    """A command of its own process: its answer, how long it took, and what it used."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-Im", "sabot", *words], stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        answer = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return json.loads(answer), time.perf_counter() - began, used


def _fill(kept: Kept, movements: int) -> float:
    """Messages with 21 movements each, a thousand tables' words at a time."""
    began, left = time.perf_counter(), -(-movements // (3 * SPOTS))
    while left > 0:
        waiting = []
        for teller in kept.tellers:
            each = [teller.bets(teller.number + 1, *SEATS) for _ in range(min(20, left))]
            left -= len(each)
            waiting += [kept.committer.take(raw) for raw in each]
        for future in waiting:
            assert isinstance(future.result(PATIENCE_S), CommitAnswer)
    return time.perf_counter() - began


# ---------------------------------------------------------------- where


class Stores:
    """The stores that are compared: new ones, each time they are asked for."""

    def __init__(self, things: ExitStack) -> None:
        self._things = things
        self._folder = Path(things.enter_context(tempfile.TemporaryDirectory(prefix="linked-", dir=_disk())))
        self._alone: Server | None = None
        self._pair: Server | None = None
        self._count = 0

    def all(self, _tables: int) -> Iterator[tuple[str, str]]:
        """Each store by its name."""
        yield "sqlite", self.file()
        self._alone = self._alone or self._things.enter_context(Server.fresh("max_connections = 40\n"))
        yield "postgres", self._schema(self._alone)
        yield "postgres, synchronous standby", self._schema(self._two())

    def _two(self) -> Server:
        if self._pair is None:
            self._pair = self._things.enter_context(Server.fresh())
            standby = self._pair.standby("b")
            self._things.callback(standby.stop)
            _follow(self._pair)
        return self._pair

    def file(self) -> str:
        """A new file."""
        self._count += 1
        return str(self._folder / f"{self._count}.db")

    def _schema(self, server: Server) -> str:
        self._count += 1
        return server.schema(f"bench{self._count}")


def _disk() -> str:
    """A folder on a disk: memory would flush for nothing."""
    return str(ROOT / "bench")


def machine() -> Json:
    """What it ran on; the load before it began is part of the figure."""
    return {
        "cores": os.cpu_count(),
        "load_before": [round(each, 1) for each in os.getloadavg()],
        "python": platform.python_version(),
    }


PARTS = ("rates", "claims", "failover", "signs", "growth", "years")


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each rate")
    parser.add_argument("--movements", type=int, default=10_000_000)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found: Json = {"machine": machine()}
    with ExitStack() as things:
        stores = Stores(things)
        parts: dict[str, Callable[[], Json]] = {
            "rates": lambda: rates(stores, args.seconds),
            "claims": lambda: claims(stores, args.seconds * 2),
            "failover": failover,
            "signs": signs,
            "growth": lambda: growth(stores, args.seconds),
            "years": lambda: years(stores, args.movements),
        }
        for name in args.only:
            found[name] = parts[name]()
            print(json.dumps({name: found[name]}, indent=1), flush=True)
            if args.json:
                args.json.parent.mkdir(parents=True, exist_ok=True)
                args.json.write_text(json.dumps(found, indent=1))
    print(json.dumps({"machine": found["machine"], "load_after": os.getloadavg()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
