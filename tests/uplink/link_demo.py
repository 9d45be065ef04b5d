"""A floor on this machine by one command: store, broker, service, four simulated tables of two chapters, the pit page.

    python -m tests.uplink.link_demo                (make link-demo)

Each table is a process with the program's core, journal and end of the link, and a real sabot-uplink beside it. A
hit on the linked meter is on the way after some seconds. Ctrl-C stops everything.
"""

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from sabot.floor import orders, reports
from sabot.floor.open_store import open_store
from sabot.floor.pins import set_pin
from sabot.floor.wire import hex_of
from tests.floor.brokers import INSTALL as BROKER_INSTALL
from tests.floor.brokers import Mosquitto
from tests.floor.keeping import Kept, save_key
from tests.floor.making import PROG5_D, key, terms_text
from tests.floor.servers import INSTALL, Server
from tests.floor.test_link_law import MARYLAND

ROOT = Path(__file__).resolve().parents[2]
TABLES = {
    "T1": ("pa641a", "prog5", "pit"),
    "T2": ("pa641a", "prog5", "pit"),
    "T3": ("md4cp", "progressive", "maryland"),
    "T4": ("md4cp", "progressive", "maryland"),
}
NUMBER, PIN = "11", "270381"
FIRST_HIT_S, PATIENCE_S = 8.0, 20.0


def founded(store: str) -> None:
    """A floor with two links, and four tables on them."""
    kept = Kept.begin(store, new=True)
    try:
        kept.found()
        for name in TABLES:
            kept.order(orders.TABLE, table=name, key=hex_of(key(name)))
        maryland = MARYLAND.replace('"T1"', '"T3", "T4"')
        for link, text in (("pit", terms_text("T1", "T2", of=PROG5_D)), ("maryland", maryland)):
            kept.order(orders.CONFIGURATION, file=text)
            kept.order(orders.START, link=link)
    finally:
        kept.end()


@contextmanager
def store_of(folder: Path, *, embedded: bool) -> Iterator[str]:
    """PostgreSQL where it is installed, else the embedded store, and the command that installs it."""
    is_there = shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if embedded or not is_there:
        print("store: SQLite" + ("" if embedded else f" ({INSTALL})"), flush=True)
        yield str(folder / "floor.db")
        return
    with Server.fresh() as server:
        print("store: PostgreSQL", flush=True)
        yield server.schema("demo")


class Demo:
    """Everything that runs."""

    def __init__(self, folder: Path, broker: Mosquitto, store: str) -> None:
        self.folder, self.broker, self.store = folder, broker, store
        self.processes: list[subprocess.Popen[str]] = []
        self.address = ""

    def _broker(self, name: str) -> str:
        address = self.broker.address(name)._asdict()
        return "[broker]\n" + "\n".join(
            f'{field} = "{value}"' if field != "port" else f"port = {value}"
            for field, value in address.items()
        )

    def _start(self, *words: object) -> "subprocess.Popen[str]":
        log = (self.folder / "log").open("a")
        process = subprocess.Popen(
            [sys.executable, *map(str, words)], cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True
        )
        self.processes.append(process)
        return process

    def begin(self) -> None:
        """Floor first, then each table with its uplink."""
        save_key(self.folder / "floor.key", key("floor"))
        set_pin(self.folder / "pins", NUMBER, PIN)
        head = f'store = "{self.store}"\nkey = "{self.folder}/floor.key"\norders = "{self.folder}/orders"\n'
        page = f'[page]\nport = 0\npins = "{self.folder}/pins"\n'
        (self.folder / "floor.toml").write_text(f"{head}{page}{self._broker('floor')}\n")
        floor = self._start("-Im", "sabot", "floor", "run", self.folder / "floor.toml")
        assert floor.stdout
        while not self.address:
            line = floor.stdout.readline()
            assert line, (self.folder / "log").read_text()
            self.address = line.partition("page: ")[2].strip()
        threading.Thread(target=floor.stdout.read, daemon=True).start()
        for name, words in TABLES.items():
            (self.folder / name).mkdir()
            settings = self.folder / name / "uplink.toml"
            settings.write_text(
                f'table = "{name}"\nsocket = "{self.folder}/{name}/link"\n{self._broker(name)}\n'
            )
            self._start(
                "-m", "tests.uplink.linked_table", self.folder / name, name, *words, hex_of(key("floor"))
            )
            self._start("-Im", "sabot.uplink.carrier", settings)

    def end(self) -> None:
        """Stop the tables as people would, then everything else."""
        for name in TABLES:
            (self.folder / name / "stop").touch()
        time.sleep(1.0)
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()

    def hit(self, table: str) -> None:
        """Let the next round of a table have a hit."""
        (self.folder / table / "hit").touch()


def _played(store: str) -> str:
    """What the ledger has of it, in a line."""
    with closing(open_store(store, reading=True)) as found:
        state = found.load().state()
        rounds = {
            name: max((each[0] for each in table.rounds.values()), default=0)
            for name, table in state.tables.items()
        }
        hits = [
            f"{each['table']} {each['cents'] / 100:,.2f} ({each['state']})" for each in reports.hits(state)
        ]
    return f"rounds that contributed: {rounds}; hits: {', '.join(hits) or 'none'}; balanced: {state.books.is_balanced()}"


def main() -> int:
    """Run until Ctrl-C, or for as long as was asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--embedded", action="store_true", help="the embedded store, without PostgreSQL")
    parser.add_argument("--seconds", type=float, default=0.0, help="end by itself after so long")
    parser.add_argument("--no-open", action="store_true", help="open no browser")
    args = parser.parse_args()
    if not (shutil.which("mosquitto") or Path("/usr/sbin/mosquitto").exists()):
        print(BROKER_INSTALL)
        return 2
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: stop.set())
    with ExitStack() as things:
        folder = Path(things.enter_context(tempfile.TemporaryDirectory(prefix="link-demo-", dir="/tmp")))
        store = things.enter_context(store_of(folder, embedded=args.embedded))
        founded(store)
        demo = Demo(folder, things.enter_context(Mosquitto()), store)
        things.callback(demo.end)
        demo.begin()
        print(f"pit: {demo.address}  number {NUMBER}, PIN {PIN}", flush=True)
        print(f"ask it too: sabot floor meters --store '{store}'", flush=True)
        if not args.no_open:
            webbrowser.open(demo.address)
        threading.Timer(FIRST_HIT_S, demo.hit, ["T2"]).start()
        stop.wait(args.seconds or None)
        print("stopping", flush=True)
        print(_played(store), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
