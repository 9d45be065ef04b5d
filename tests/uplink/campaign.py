"""A whole site on this machine, for a campaign of kills: floors over one store, a broker, tables with uplinks.

    python -m tests.uplink.campaign --kills 200 --seed 7          (make link-campaign)

The checker knows what the tables have in their own journals and memories, and the ledger; nothing of the program.
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
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sabot.floor.store import open_store
from sabot.floor.verify import verify
from sabot.floor.wire import hex_of
from tests.floor.brokers import Mosquitto
from tests.floor.keeping import Kept, save_key
from tests.floor.making import key
from tests.floor.servers import Server

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 90.0
SHARE = 21 * 100 * 100  # ten-thousandths of a cent of a wager of $1: 10, 8 and 3 percent


class Site:
    """Processes that may be killed, and what they must agree on afterwards."""

    def __init__(
        self, folder: Path, broker: Mosquitto, store: str, tables: Sequence[str], floors: int = 2
    ) -> None:
        self.folder, self.broker, self.store, self.tables = folder, broker, store, tables
        self.floors = floors
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._turn = 0
        with Kept.linked(store, *tables):
            pass
        self.words = {f"floor{number}": self._floor(number) for number in range(floors)}
        for name in tables:
            self.words |= {f"table {name}": self._table(name), f"uplink {name}": self._uplink(name)}

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
        return ["-Im", "sabot", "floor", "run", str(settings)]

    def _table(self, name: str) -> list[str]:
        (self.folder / name).mkdir()
        return ["-m", "tests.uplink.stand_in", str(self.folder / name), name, "pit", hex_of(key("floor"))]

    def _uplink(self, name: str) -> list[str]:
        settings = self.folder / name / "uplink.toml"
        socket = self.folder / name / "link"
        settings.write_text(f'table = "{name}"\nsocket = "{socket}"\n{self._broker(name)}')
        return ["-Im", "sabot.uplink.carrier", str(settings)]

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
            self._keep_alive()
            assert time.monotonic() < until, self._log()
            time.sleep(0.05)

    def finish(self) -> None:
        """Let the tables finish: everything acknowledged, every hit answered."""
        for name in self.tables:
            (self.folder / name / "stop").touch()
        for name in self.tables:
            try:
                assert self.processes[f"table {name}"].wait(PATIENCE_S) == 0, self._log()
            except subprocess.TimeoutExpired as error:
                raise AssertionError(self._log()) from error

    def _keep_alive(self) -> None:
        """A floor that cannot use its store ends and is started again, as a service is; nobody else ends."""
        for name in [name for name, process in self.processes.items() if process.poll() is not None]:
            assert name.startswith("floor"), (name, self._log())
            self.start(name)

    def _log(self) -> str:
        return (self.folder / "log").read_text()[-3000:]

    # ------------------------------------------------------------ the checker

    def _journal(self, name: str, what: str) -> list[dict[str, Any]]:
        file = self.folder / name / "journal"
        lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
        found = [json.loads(line) for line in lines if line.endswith(b"\n")]
        return [each for each in found if each["what"] == what]

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


def main() -> int:
    """Kill for as long as was asked."""
    parser = argparse.ArgumentParser(description="kill the parts of a site, then compare tables and ledger")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=4)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    tables = [f"T{number + 1}" for number in range(args.tables)]
    kills: Counter[str] = Counter()
    with Mosquitto() as broker, Server.fresh() as server, tempfile.TemporaryDirectory(dir="/tmp") as folder:
        site = Site(Path(folder), broker, server.schema("campaign"), tables)
        with site.running():
            for _ in range(args.kills):
                what = chance.choice(("uplink", "table", "floor", "broker", "store"))
                kills[what] += 1
                if what == "store":
                    server.crash()
                    server.start()
                else:
                    site.kill(what, chance.choice(tables) if what in {"uplink", "table"} else "")
                time.sleep(chance.uniform(0.05, 1.5))
            site.finish()
        found = site.differences()
        print(json.dumps({"kills": kills, "rounds": site.rounds(), "differences": found}))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
