"""PostgreSQL in a temporary folder: no service, never as root; crashes, standbys and promotions as on a real site."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import psycopg
import pytest

INSTALL = "no PostgreSQL server here: sudo apt-get install postgresql"
ACCOUNT = "postgres"
PATIENCE_S = 60.0
SETTINGS = """
listen_addresses = '127.0.0.1'
max_connections = 100
shared_buffers = 64MB
fsync = on
synchronous_commit = on
wal_level = replica
max_wal_senders = 10
hot_standby = on
wal_log_hints = on
wal_keep_size = 256MB
wal_sender_timeout = 5s
wal_receiver_timeout = 5s
wal_retrieve_retry_interval = 200ms
logging_collector = off
"""


def programs() -> Path:
    """Return the folder of the server's programs: Debian keeps them off PATH, one for each version."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    where = str(found[-1]) if found else shutil.which("initdb")
    if where is None:
        pytest.skip(INSTALL)
    return Path(where).parent


def _account() -> dict[str, Any]:
    """The server refuses root. Not runuser: it stays as parent, and hangs where its child was stopped."""
    if os.geteuid():
        return {}
    return {"user": ACCOUNT, "group": pwd.getpwnam(ACCOUNT).pw_gid, "extra_groups": []}


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {
        "LC_ALL": "C.UTF-8"
    }


def _run(*words: object) -> None:
    done = subprocess.run(
        [str(word) for word in words], **_account(), env=_environment(), cwd="/", check=False, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def _signal(processes: list[int], number: int) -> None:
    for each in processes:
        with suppress(ProcessLookupError):
            os.kill(each, number)


class Pair:
    """A primary and its synchronous standby, on two addresses that stay."""

    def __init__(self, primary: "Server", *, is_synchronous: bool = True) -> None:
        self.primary, self._is_synchronous, self._count = primary, is_synchronous, 0
        self.other = self._follower(0)
        self.names = either(primary, self.other)

    def _follower(self, port: int) -> "Server":
        self._count += 1
        found = self.primary.standby(f"n{self._count}", port=port)
        if self._is_synchronous:
            self.primary.set("synchronous_commit", "remote_apply")
            self.primary.set("synchronous_standby_names", found.name)
            self.primary.wait_for_sync()
        return found

    def schema(self, name: str) -> str:
        """A schema of its own on both; how it is reached."""
        options = self.primary.schema(name).rpartition(" options=")[2]
        return f"{self.names} options={options}"

    def drop(self, name: str) -> None:
        """Let a schema go."""
        self.primary.drop(name)

    def fail_over(self) -> None:
        """The primary dies, its standby is promoted, and a new standby takes the place of the dead."""
        dead, self.primary = self.primary, self.other
        dead.crash()
        self.primary.promote()
        shutil.rmtree(dead.data, ignore_errors=True)
        self.other = self._follower(dead.port)

    def stop(self) -> None:
        """Stop both."""
        self.other.stop()
        self.primary.stop()

    @classmethod
    @contextmanager
    def fresh(cls) -> Iterator["Pair"]:
        """A new primary with its standby, stopped and removed at the end."""
        with Server.fresh() as first:
            pair = cls(first)
            try:
                yield pair
            finally:
                pair.stop()


class Server:
    """A server of its own."""

    def __init__(self, root: Path, name: str) -> None:
        self.root, self.name, self.port = root, name, _free_port()
        self.data = root / name
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    def fresh(cls, settings: str = "", root: Path | None = None) -> "Server":
        """A new cluster, started; in a folder of its own where none is named."""
        where = programs()
        root = root or Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # the path of a socket must be short
        if not os.geteuid():
            shutil.chown(root, ACCOUNT)
        server = cls(root, "a")
        _run(
            where / "initdb",
            "-D",
            server.data,
            "-U",
            ACCOUNT,
            "-A",
            "trust",
            "--locale=C.UTF-8",
            "-E",
            "UTF8",
            "--no-sync",
        )
        with (server.data / "postgresql.conf").open("a") as file:
            file.write(SETTINGS + settings)
        server.start()
        return server

    def standby(self, name: str, via_port: int = 0, port: int = 0) -> "Server":
        """A streaming standby of this server, which it knows by its name."""
        other = Server(self.root, name)
        other.port = port or other.port
        source = f"host=127.0.0.1 port={via_port or self.port} user={ACCOUNT}"
        _run(
            programs() / "pg_basebackup",
            "-D",
            other.data,
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
            "-d",
            source,
        )
        # -R would write no application_name, and then no synchronous_standby_names matches.
        conf = f"primary_conninfo = '{source} application_name={name}'\n"
        for file, text in (("postgresql.auto.conf", conf), ("standby.signal", "")):
            (other.data / file).write_text(text)
            if not os.geteuid():
                shutil.chown(other.data / file, ACCOUNT)
        other.start()
        return other

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [
            str(programs() / "postgres"),
            "-D",
            str(self.data),
            "-p",
            str(self.port),
            "-k",
            str(self.root),
        ]
        with (self.root / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                **_account(),
                env=_environment(),
                cwd="/",
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            assert self.process.poll() is None, (self.root / f"{self.name}.log").read_text()[-2000:]
            try:
                psycopg.connect(self.dsn, connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return
        raise TimeoutError(self.name)

    def crash(self) -> None:
        """As a power cut of its machine: every process at once, or a backend would still finish and answer."""
        assert self.process is not None
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGSTOP)
        for each in [*_children(pid), pid]:
            os.kill(each, signal.SIGKILL)
        self.process.wait(10)

    def stop(self) -> None:
        """Stop at once: a shutdown in order would first write out every database of the tests."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.crash()

    def promote(self) -> None:
        """Make a standby the primary; it waits for no standby of its own."""
        assert self.sql("select pg_promote(true, 30)") == [(True,)]
        self.set("synchronous_standby_names", "")

    def set(self, name: str, value: str) -> None:
        """Change a setting of the running server."""
        self.sql(f"alter system set {name} = '{value}'")
        self.sql("select pg_reload_conf()")

    def sql(self, query: str) -> list[Any]:
        """Ask."""
        with psycopg.connect(self.dsn, autocommit=True) as db:
            cursor = db.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def wait_for_sync(self) -> None:
        """Wait until a synchronous standby follows."""
        query = (
            "select 1 from pg_stat_replication where state = 'streaming' and sync_state in ('sync', 'quorum')"
        )
        until = time.monotonic() + PATIENCE_S
        while not self.sql(query):
            assert time.monotonic() < until, "no synchronous standby"
            time.sleep(0.05)

    def stall(self, seconds: float) -> None:
        """Let the whole server stand still for a while, as a disk that does not answer."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        processes = [pid, *_children(pid)]
        _signal(processes, signal.SIGSTOP)
        time.sleep(seconds)
        _signal(processes, signal.SIGCONT)

    def schema(self, name: str) -> str:
        """A schema of its own, which is much less than a database; how it is reached."""
        self.sql(f"create schema {name}")
        return f"{self.dsn} options='-csearch_path={name}'"

    def drop(self, name: str) -> None:
        """Let a schema go."""
        self.sql(f"set client_min_messages = warning; drop schema {name} cascade")

    @property
    def dsn(self) -> str:
        """How it is reached."""
        return f"host={self.root} port={self.port} user={ACCOUNT} dbname={ACCOUNT}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)


def either(*servers: Server, database: str = ACCOUNT) -> str:
    """One DSN for several servers: whichever can be written."""
    hosts, ports = ",".join(str(each.root) for each in servers), ",".join(str(each.port) for each in servers)
    return f"host={hosts} port={ports} user={ACCOUNT} dbname={database} target_session_attrs=read-write connect_timeout=2"
