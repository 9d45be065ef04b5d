"""A whole site on this machine, for a campaign: floors over one store, a broker, tables with uplinks on bad lines.

    python -m tests.uplink.campaign --kills 200 --seed 7          (make link-campaign)
    python -m tests.uplink.campaign --store sqlite                the embedded store
    python -m tests.uplink.campaign --control no-sync             a server that acknowledges what it may lose

Every process is killed; the primary of PostgreSQL dies and its synchronous standby is promoted; media stand still;
lines lose, double and delay packets (tests.uplink.bad_line); clocks are apart by hours. Two checkers look at the end. One
knows what the tables saw and when, and nothing else: it wants one order of all grants (tests.floor.linear). The
other holds the tables' memories against the ledger, byte for byte. A control ends well where it is found.
"""

import argparse
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from sabot.floor.money import UNITS
from sabot.floor.open_store import open_store
from sabot.floor.verify import verify
from sabot.floor.wire import hex_of
from tests.floor.brokers import Mosquitto
from tests.floor.keeping import Kept, save_key
from tests.floor.linear import CONTRIBUTED, GRANTED, LEVELS, NEVER, TOOK_BACK, Deed, History, check
from tests.floor.making import key, terms_text
from tests.floor.servers import Pair, Server
from tests.uplink import stand_in
from tests.uplink.odd_floor import NO_KEY, NO_SYNC

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 300.0
WAITED_FOR = 0.6  # of the mishaps: others come one upon the other
DEEDS = {"lock": CONTRIBUTED, "void": TOOK_BACK}
# What a server loses that acknowledges before it has written: everything of the last seconds.
CARELESS = "synchronous_commit = off\nwal_writer_delay = 10s\n"
SHARE = 21 * 100 * 100  # ten-thousandths of a cent of a wager of $1: 10, 8 and 3 percent


class Site:
    """Processes that may be killed, and what they must agree on afterwards."""

    def __init__(
        self,
        folder: Path,
        broker: Mosquitto,
        store: str,
        tables: Sequence[str],
        floors: int = 2,
        *,
        is_odd: bool = False,
        control: str = "",
    ) -> None:
        self.folder, self.broker, self.store, self.tables = folder, broker, store, tables
        self.floors, self.is_odd, self.control = floors, is_odd, control
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._turn = self.rounds_played = 0
        with Kept.linked(store, *tables, text=terms_text(*tables).replace('"$20"', '"$200,000"')):
            pass
        self.words = {f"floor{number}": self._floor(number) for number in range(floors)}
        for name in tables:
            self.words |= {f"table {name}": self._table(name), f"uplink {name}": self._uplink(name)}
            if is_odd:
                self.words[f"line {name}"] = self._line(name)

    # ------------------------------------------------------------ processes

    def _floor(self, number: int) -> list[str]:
        settings = self.folder / f"floor{number}.toml"
        save_key(self.folder / "floor.key", key("floor"))
        lines = [
            f'store = "{self.store}"',
            f'key = "{self.folder / "floor.key"}"',
            f'orders = "{self.folder / f"orders{number}"}"',
        ]
        settings.write_text("\n".join([*lines, self._broker("floor")]))
        if not self.is_odd:
            return ["-Im", "sabot", "floor", "run", str(settings)]
        return ["-m", "tests.uplink.odd_floor", str(settings), str(7 * number - 5), self.control]

    def _table(self, name: str) -> list[str]:
        (self.folder / name).mkdir()
        return ["-m", "tests.uplink.stand_in", str(self.folder / name), name, "pit", hex_of(key("floor"))]

    def _uplink(self, name: str) -> list[str]:
        settings = self.folder / name / "uplink.toml"
        socket = self.folder / name / ("line" if self.is_odd else "link")
        settings.write_text(f'table = "{name}"\nsocket = "{socket}"\n{self._broker(name)}')
        return ["-Im", "sabot.uplink.carrier", str(settings)]

    def _line(self, name: str) -> list[str]:
        ends = [str(self.folder / name / each) for each in ("line", "link")]
        return ["-m", "tests.uplink.bad_line", *ends, name]

    def _broker(self, name: str) -> str:
        address = self.broker.address(name)._asdict()
        port = address.pop("port")
        return "\n".join(
            ["[broker]", f"port = {port}", *(f'{key} = "{value}"' for key, value in address.items())]
        )

    def start(self, name: str) -> None:
        """Start a process."""
        with (self.folder / "log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, *self.words[name]], cwd=ROOT, stdout=log, stderr=log
            )

    def kill(self, what: str, table: str = "") -> None:
        """Kill something by the name of its kind, and start it again."""
        if what == "broker":
            self.broker.crash()
            self.broker.start()
            return
        name = f"{what} {table}" if table else self._next_floor() if what == "floor" else what
        self.processes[name].kill()
        self.processes[name].wait()
        self.start(name)

    def _next_floor(self) -> str:
        """One of the floors, each in its turn: one of two such kills meets the one that leads."""
        self._turn = (self._turn + 1) % self.floors
        return f"floor{self._turn}"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Everything runs; at the end nothing does."""
        for name in self.words:
            self.start(name)
        try:
            yield
        finally:
            for process in self.processes.values():
                process.send_signal(signal.SIGKILL)
                process.wait()

    # ------------------------------------------------------------ waiting

    def rounds(self) -> int:
        """How many rounds the tables have played."""
        return sum(len(self._journal(name, "lock")) for name in self.tables)

    def until_played(self, more: int) -> None:
        """Wait until each table has played so many rounds more: it does only while its link is up."""
        goals = {name: len(self._journal(name, "lock")) + more for name in self.tables}
        until = time.monotonic() + PATIENCE_S
        while any(len(self._journal(name, "lock")) < goal for name, goal in goals.items()):
            self.keep_alive()
            assert time.monotonic() < until, self._log()
            time.sleep(0.05)

    def until_more(self, rounds: int) -> None:
        """Wait until more rounds were played than so many, though not for ever: a control may have stopped all."""
        until = time.monotonic() + PATIENCE_S / 3
        while self.rounds() <= rounds and time.monotonic() < until:
            self.keep_alive()
            time.sleep(0.05)

    def finish(self) -> None:
        """Let the tables finish: everything acknowledged, every hit answered."""
        for name in self.tables:
            (self.folder / name / "stop").touch()
        until = time.monotonic() + PATIENCE_S
        while any(self.processes[f"table {name}"].poll() is None for name in self.tables):
            self.keep_alive()
            assert time.monotonic() < until, self._log()
            time.sleep(0.1)

    def keep_alive(self) -> None:
        """A floor that cannot use its store ends and is started again, as a service is; nobody else ends."""
        for name, process in list(self.processes.items()):
            if process.poll() is None or (name.startswith("table") and process.returncode == 0):
                continue
            assert name.startswith("floor"), (name, self._log())
            self.start(name)

    def _log(self) -> str:
        return (self.folder / "log").read_text()[-3000:]

    # ------------------------------------------------------------ what tables saw

    def history(self) -> History:
        """What each table did, when it was first said, and when its answer was heard; how the meters ended."""
        store = open_store(self.store, reading=True)
        balances = store.load().balances
        store.close()
        end = tuple(balances[f"pit.{level}"] // UNITS for level in LEVELS)
        return History({name: self._deeds(name) for name in self.tables}, end)

    def _deeds(self, name: str) -> list[Deed]:
        lines = [each for each in self._lines(name) if each["what"] != "granted" or each["grant"]]
        granted = {each["claim"]: each for each in lines if each["what"] == "granted"}
        file = self.folder / name / "acknowledged"
        seen = [line.split() for line in file.read_text().splitlines()] if file.exists() else []
        found = []
        for number, each in enumerate(lines, 1):  # each line is a message
            heard = next((float(at) for upto, at in seen if int(upto) >= number), NEVER)
            if each["what"] in DEEDS:
                found.append(Deed(DEEDS[each["what"]], each["when"], heard, len(each["accepted"])))
            elif each["what"] == "hit" and number in granted:
                grant = granted[number]
                level = stand_in.ROWS.index(each["row"])
                facts = {"level": level, "entry": grant["grant"], "cents": grant["cents"]}
                found.append(Deed(GRANTED, each["when"], grant["when"], **facts))
        return found

    # ------------------------------------------------------------ the checker

    def _lines(self, name: str) -> list[dict[str, Any]]:
        file = self.folder / name / "journal"
        lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
        return [json.loads(line) for line in lines if line.endswith(b"\n")]

    def _journal(self, name: str, what: str) -> list[dict[str, Any]]:
        return [each for each in self._lines(name) if each["what"] == what]

    def _memory(self, name: str, table: str) -> list[bytes]:
        db = sqlite3.connect(self.folder / name / "link.db")
        found = [bytes(row[0]) for row in db.execute(f"SELECT payload FROM {table} ORDER BY number")]
        db.close()
        return found

    def differences(self) -> list[str]:
        """Return everything in which tables and ledger differ; the ledger is proved first."""
        store = open_store(self.store, reading=True)
        proof = verify(store)
        entries = list(store.entries())
        players = store.load().balances.get("players", 0)
        said: dict[str, dict[int, bytes]] = {}
        for (table, number), body in proof.said.items():
            said.setdefault(table, {})[number] = body
        store.close()
        found = []
        for name in self.tables:
            applied = [each.content.encode() for each in entries if each.table == name]
            ours = [raw[64:] for raw in self._memory(name, "said")]
            heard = [raw[64:] for raw in self._memory(name, "heard")]
            theirs = [body for _, body in sorted(said.get(name, {}).items())]
            found += [f"{name}: said {len(ours)}, applied {len(applied)}"] if ours != applied else []
            found += [f"{name}: heard {len(heard)}, told {len(theirs)}"] if heard != theirs else []
            found += self._hits(name, heard)
        wagered = sum(self._wagers(name) for name in self.tables)
        found += (
            [f"players gave {-players}, wagered {wagered * SHARE}"] if -players != wagered * SHARE else []
        )
        return found

    def _hits(self, name: str, heard: list[bytes]) -> list[str]:
        """Each hit of a table's journal has one grant, and no other has any."""
        granted = Counter(
            (each["round"], each["row"], tuple(each["seats"]))
            for each in map(json.loads, heard)
            if each["kind"] == "granted"
        )
        hits = Counter((each["round"], each["row"], (each["seat"],)) for each in self._journal(name, "hit"))
        return (
            [f"{name}: hits {hits - granted} not granted, {granted - hits} granted"]
            if hits != granted
            else []
        )

    def _wagers(self, name: str) -> int:
        """The wagers that stand: of every round that was locked and is not void."""
        void = {each["round"] for each in self._journal(name, "void")}
        return sum(len(each["accepted"]) for each in self._journal(name, "lock") if each["round"] not in void)


class Store:
    """The store of a campaign, and whatever can happen to it."""

    def __init__(self, kind: str, folder: Path, control: str, things: ExitStack) -> None:
        self.where = str(folder / "floor.db")
        self.pair: Pair | None = None
        if kind == "postgres":
            server = things.enter_context(Server.fresh(CARELESS if control == NO_SYNC else ""))
            self.pair = Pair(server, is_synchronous=control != NO_SYNC)
            things.callback(self.pair.stop)
            self.where = self.pair.schema("campaign")

    @property
    def mishaps(self) -> tuple[str, ...]:
        """What can happen to it."""
        return ("fail over", "stall") if self.pair else ("stall",)

    def suffer(self, what: str, chance: random.Random) -> None:
        """Let it happen."""
        if self.pair is None:
            with closing(sqlite3.connect(self.where, isolation_level=None)) as db:
                db.execute("PRAGMA busy_timeout = 10000")
                db.execute("BEGIN IMMEDIATE")
                time.sleep(chance.uniform(0.2, 2.0))
                db.execute("ROLLBACK")
        elif what == "stall":
            self.pair.primary.stall(chance.uniform(0.2, 2.0))
        else:
            self.pair.fail_over()


def _stall_table(site: Site, name: str, chance: random.Random) -> None:
    """The medium of a table's end stands still."""
    file = site.folder / name / "link.db"
    if not file.exists():
        return
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA busy_timeout = 10000")
        db.execute("BEGIN IMMEDIATE")
        time.sleep(chance.uniform(0.2, 2.0))
        db.execute("ROLLBACK")


def main() -> int:
    """Kill for as long as was asked."""
    parser = argparse.ArgumentParser(description="kill the parts of a site, then hold everything against it")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--store", choices=("postgres", "sqlite"), default="postgres")
    parser.add_argument("--control", choices=(NO_KEY, NO_SYNC), default="")
    args = parser.parse_args()
    tables = [f"T{number + 1}" for number in range(args.tables)]
    with ExitStack() as things:
        broker = things.enter_context(Mosquitto())
        folder = Path(things.enter_context(tempfile.TemporaryDirectory(prefix="campaign-", dir="/tmp")))
        store = Store(args.store, folder, args.control, things)
        site = Site(folder, broker, store.where, tables, is_odd=True, control=args.control)
        kills = _campaign(site, store, args.kills, random.Random(args.seed), patient=not args.control)
        history = site.history()
        order = check(history)
        found = [] if args.control else site.differences()
    print(json.dumps({
        "kills": kills, "rounds": site.rounds_played, "deeds": history.deeds,
        "grants": sum(each.what == GRANTED for deeds in history.tables.values() for each in deeds),
        "no order": order, "differences": found,
    }))  # fmt: skip
    return not order if args.control else bool(order or found)


def _campaign(site: Site, store: Store, most: int, chance: random.Random, *, patient: bool) -> "Counter[str]":
    kills: Counter[str] = Counter()
    kinds = ("uplink", "line", "table", "floor", "broker", "stall table", *store.mishaps)
    with site.running():
        site.until_played(1)
        for _ in range(most):
            before = site.rounds()
            what = chance.choice(kinds)
            kills[what] += 1
            if what in store.mishaps:
                store.suffer(what, chance)
            elif what == "stall table":
                _stall_table(site, chance.choice(site.tables), chance)
            else:
                site.kill(what, chance.choice(site.tables) if what in {"uplink", "line", "table"} else "")
            time.sleep(chance.uniform(0.05, 1.5))
            if chance.random() < WAITED_FOR:
                site.until_more(before)
        try:
            site.finish()
        except AssertionError:  # tables of a control may wait for ever: they see what was lost
            if patient:
                raise
        site.rounds_played = site.rounds()
    return kills


if __name__ == "__main__":
    sys.exit(main())
