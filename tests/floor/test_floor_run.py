"""``sabot floor run`` and the orders of people, from the first key to the ledger, through a real broker."""

import io
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sabot.cli import main
from sabot.floor import broker, messages
from sabot.floor.broker import Broker
from sabot.floor.errors import FloorError
from sabot.floor.keys import read_key
from sabot.floor.program import run
from sabot.floor.settings import read_settings
from sabot.floor.wire import hex_of

from .brokers import Authority, Mosquitto
from .making import Teller, key, terms_text

PATIENCE_S = 30.0


@dataclass
class Desk:
    """People at the command line of a floor."""

    folder: Path
    broker: Mosquitto
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    orders: int = 0

    def sabot(self, *words: object, stdin: str = "", code: int = 0) -> str:
        """A command, its answer and its exit code."""
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        found = main(["floor", *map(str, words)])
        out, err = self.capsys.readouterr()
        assert found == code, out + err
        return out + err

    @property
    def store(self) -> Path:
        return self.folder / "floor.db"

    @property
    def settings(self) -> Path:
        """The settings of a service."""
        found = self.folder / "floor.toml"
        address = self.broker.address("floor")
        lines = [
            f'store = "{self.store}"',
            f'key = "{self.folder / "floor.key"}"',
            f'orders = "{self.folder / "o"}"',
            f'known = "{self.folder / "known"}"',
            "[broker]",
        ]
        lines += [f'{name} = "{each}"' for name, each in address._asdict().items() if name != "port"]
        found.write_text("\n".join([*lines, f"port = {address.port}"]))
        return found

    def signed(self, kind: str, *fields: str, by: tuple[str, ...] = ("11", "12")) -> Path:
        """An order, drawn and signed."""
        file = self.folder / f"{kind}.json"
        self.sabot("order", kind, file, "cause=for a test", *fields, "--store", self.store)
        for person in by:
            self.sabot(
                "sign", file, "--person", person, "--key", self.folder / person, stdin=f"secret {person}\n"
            )
        return file

    def given(self, kind: str, *fields: str, by: tuple[str, ...] = ("11", "12"), code: int = 0) -> str:
        """An order, signed and handed in."""
        return self.sabot("give", self.signed(kind, *fields, by=by), "--orders", self.folder / "o", code=code)

    def found(self) -> None:
        """Begin."""
        keys = {
            "floor": json.loads(self.sabot("key", self.folder / "floor.key", "--service", "--json"))["key"]
        }
        for person in ("11", "12"):
            made = self.sabot("key", self.folder / person, "--json", stdin=f"secret {person}\n")
            keys[person] = json.loads(made)["key"]
        people = [["11", "Ada", "finance", keys["11"]], ["12", "Ben", "table_games", keys["12"]]]
        first = self.signed(
            "founded",
            "facility=The Lantern",
            f"key={keys['floor']}",
            "starts=06:00",
            "zone=UTC",
            f"people={json.dumps(people)}",
        )
        self.sabot("found", first, "--key", self.folder / "floor.key", "--store", self.store)

    def open_link(self, *tables: str) -> None:
        """Enrol tables and start a link of them."""
        for table in tables:
            self.given("table", f"table={table}", f"key={hex_of(key(table))}")
        file = self.folder / "pit.toml"
        # Its moment is that of now: no order of a moment that is past is taken.
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
        file.write_text(terms_text(*tables, begins=now))
        self.given("configuration", f"file=@{file}")
        until = time.monotonic() + PATIENCE_S
        start = self.signed("start", "link=pit")
        while main(["floor", "give", str(start), "--orders", str(self.folder / "o")]):
            assert time.monotonic() < until
            time.sleep(0.2)
        self.capsys.readouterr()


@dataclass
class Caller:
    """A table that speaks through the broker."""

    teller: Teller
    line: Broker
    floor_key: str
    heard: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    @contextmanager
    def at(cls, desk: Desk, table: str) -> Iterator["Caller"]:
        """A connection of a table."""
        caller: list[Caller] = []
        floor_key = hex_of(read_key(desk.folder / "floor.key"))
        line = Broker(desk.broker.address(table), table, lambda _topic, raw: caller[0].hear(raw))
        caller.append(cls(Teller(table), line, floor_key))
        line.listen(frozenset({broker.down(table), broker.value("pit")}))
        line.begin()
        try:
            yield caller[0]
        finally:
            line.end()

    def hear(self, raw: bytes) -> None:
        self.heard.append(messages.read_down(raw, self.floor_key))

    def insist(self, raw: bytes, number: int) -> None:
        """Say it until the floor has acknowledged the number."""
        until = time.monotonic() + PATIENCE_S
        while max((each["applied"] for each in self.of("acknowledged")), default=0) < number:
            assert time.monotonic() < until, (self.line.trouble, self.heard[-3:])
            self.line.say(broker.up(self.teller.name), raw)
            time.sleep(0.1)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [each for each in self.heard if each["kind"] == kind]

    def until(self, kind: str, is_it: Any = lambda _each: True) -> dict[str, Any]:
        """The first message of a kind that is so."""
        until = time.monotonic() + PATIENCE_S
        while not (found := [each for each in self.of(kind) if is_it(each)]):
            assert time.monotonic() < until, (self.line.trouble, self.heard[-3:])
            time.sleep(0.02)
        return found[0]


@pytest.fixture(scope="module")
def mosquitto() -> Iterator[Mosquitto]:
    with Mosquitto() as found:
        yield found


@pytest.fixture
def desk(
    tmp_path: Path, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Desk:
    found = Desk(tmp_path, mosquitto, monkeypatch, capsys)
    found.found()
    return found


@contextmanager
def running(desk: Desk) -> Iterator[list[str]]:
    """A service in a thread of this process."""
    stop, words = threading.Event(), list[str]()
    thread = threading.Thread(target=run, args=(read_settings(desk.settings), words.append, stop))
    thread.start()
    try:
        _until_there(desk.folder / "o")
        yield words
    finally:
        stop.set()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def _until_there(path: Path) -> None:
    until = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_prog_12_a_store_from_a_backup_is_not_led_by_the_service_that_knows_more(desk: Desk) -> None:
    backup = desk.store.read_bytes()  # nobody has it open
    with running(desk):
        desk.given("table", "table=T1", f"key={hex_of(key('T1'))}")
        _until_there(desk.folder / "known")
        until = time.monotonic() + PATIENCE_S
        while json.loads((desk.folder / "known").read_text())["entry"] < 2:
            assert time.monotonic() < until
            time.sleep(0.02)
    desk.store.write_bytes(backup)
    for beside in ("-wal", "-shm"):
        desk.store.with_name(f"{desk.store.name}{beside}").unlink(missing_ok=True)

    with running(desk) as words:
        until = time.monotonic() + PATIENCE_S
        while not any(each.startswith("stands by: E-FLOOR-014") for each in words):
            assert time.monotonic() < until, words
            time.sleep(0.02)


def test_prog_12_a_service_that_cannot_note_what_it_knows_says_so_and_goes_on(desk: Desk) -> None:
    in_the_way = desk.folder / ".known.new"
    in_the_way.mkdir()
    with running(desk) as words:
        desk.given("table", "table=T1", f"key={hex_of(key('T1'))}")
        until = time.monotonic() + PATIENCE_S
        while not any(each.startswith("known: E-FLOOR-010") for each in words):
            assert time.monotonic() < until, words
            time.sleep(0.02)
        desk.given("table", "table=T2", f"key={hex_of(key('T2'))}")
        in_the_way.rmdir()
        _until_there(desk.folder / "known")
        while "known: well" not in words:
            assert time.monotonic() < until, words
            time.sleep(0.02)


def test_605a_8_tables_are_enrolled_by_two_people_and_heard_through_the_broker(desk: Desk) -> None:
    with running(desk) as words:
        refused = desk.given("table", "table=T1", f"key={hex_of(key('T1'))}", by=("11",), code=1)
        assert "it takes 2 people of 2 departments, it has finance" in refused
        desk.open_link("T1", "T2")
        with Caller.at(desk, "T1") as one, Caller.at(desk, "T2") as two:
            raw = one.teller.bets(1, 1, 2)
            one.insist(raw, 1)
            two.line.say(broker.up("T1"), one.teller.bets(9, 1))  # the broker lets nobody speak for another
            _say_what_changes_nothing(one, raw)
            one.teller.number = 1
            one.insist(one.teller.hit(1, 2), 2)
            granted = one.until("granted")
            shown = two.until("value", lambda each: each["hit"])
        assert words[0] == "leads"
        assert words[-1] == "broker: connected"
    assert (granted["cents"], granted["claim"]) == (1_000_020, 2)
    assert shown["hit"][0][:4] == ["mega", "T1", [2], 1_000_020]
    (seen,) = [
        each
        for each in json.loads(desk.sabot("tables", "--store", desk.store, "--json"))
        if each["table"] == "T1"
    ]
    assert seen["applied"] == 2
    assert {"missing", "forged", "forgot"} <= seen["wrong"].keys()
    assert "THE LEDGER IS WHOLE" in desk.sabot("verify", "--store", desk.store)


def _say_what_changes_nothing(one: Caller, raw: bytes) -> None:
    """Doubled, out of order, forged, changed: the floor sees each, and applies none."""
    other = Teller("T1", 1, key_of="T2")
    forgot = Teller("T1")
    for each in (raw, Teller("T1", 4).bets(7, 1), other.bets(2, 1), forgot.bets(1, 3)):
        one.line.say(broker.up("T1"), each)
    before = len(one.of("acknowledged"))
    one.line.say(broker.up("T1"), Teller("T1", 1).say(messages.HEARTBEAT))
    until = time.monotonic() + PATIENCE_S
    while len(one.of("acknowledged")) <= before:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert {each["applied"] for each in one.of("acknowledged")} == {1}


def test_prog_6_a_service_that_is_killed_is_replaced_and_the_broker_may_go(desk: Desk) -> None:
    with running(desk):
        desk.open_link("T1")
    words = [sys.executable, "-Im", "sabot", "floor", "run", str(desk.settings)]
    first = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert "nobody signed" in first.stdout.readline()
    assert first.stdout.readline() == "leads\n"
    with Caller.at(desk, "T1") as one:
        for number in range(1, 4):
            one.insist(one.teller.bets(number, 1), number)
        second = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        first.kill()
        one.insist(one.teller.bets(4, 1), 4)
        desk.broker.crash()
        desk.broker.start()
        one.insist(one.teller.bets(5, 1), 5)
        second.send_signal(signal.SIGTERM)
        assert second.wait(PATIENCE_S) == 0
    first.wait()
    found = json.loads(desk.sabot("meters", "--store", desk.store, "--json"))["links"][0]["levels"][0]
    assert found["meter_units"] == (1_000_000 + 5 * 10) * 10_000
    assert "THE LEDGER IS WHOLE" in desk.sabot("verify", "--store", desk.store)


def test_prog_6_a_service_with_another_key_does_not_begin(desk: Desk) -> None:
    desk.settings.write_text(desk.settings.read_text().replace("floor.key", "other.key"))
    settings = read_settings(desk.folder / "floor.toml")
    desk.sabot("key", desk.folder / "other.key", "--service")

    with pytest.raises(FloorError, match="it is not the key of this floor"):
        run(settings, print, threading.Event())


def test_605a_4b_what_is_no_order_is_one_message(desk: Desk, tmp_path: Path) -> None:
    there = ("--store", desk.store)
    signed = desk.signed("table", "table=T1", f"key={hex_of(key('T1'))}")
    nobody = ("--orders", tmp_path / "nobody")
    (tmp_path / "text").write_text("no order")
    for words, stdin in (
        (("give", signed, *nobody), ""),
        (("give", tmp_path / "text", *nobody), ""),
        (("give", tmp_path / "none", *nobody), ""),
        (("key", desk.folder / "11"), "a passphrase\n"),
        (("key", desk.folder / "new"), "\n"),
        (("sign", signed, "--person", "11", "--key", desk.folder / "11"), "another passphrase\n"),
        (("sign", signed, "--person", "11", "--key", signed), "a passphrase\n"),
        (("order", "gift", tmp_path / "x", *there), ""),
        (("order", "start", tmp_path / "x", "links=pit", *there), ""),
        (("order", "start", tmp_path / "x", "pit", *there), ""),
        (("order", "ruling", tmp_path / "x", "held=many", *there), ""),
        (("order", "start", tmp_path / "x", "link=@none", "cause=x", *there), ""),
        (("order", "start", tmp_path / "no" / "x", "link=pit", "cause=x", *there), ""),
        (("found", desk.folder / "founded.json", "--key", desk.folder / "floor.key", "--store", desk.store), ""),
        (("run", tmp_path / "none.toml"), ""),
    ):  # fmt: skip
        assert "E-" in desk.sabot(*words, stdin=stdin, code=2), words
    assert not (tmp_path / "x").exists()


def test_605a_4b_who_signs_reads_what_is_signed(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "pit.toml").write_text(terms_text("T1"))
    file = desk.signed("configuration", f"file=@{tmp_path / 'pit.toml'}", by=("11",))

    text = desk.sabot("sign", file, "--person", "12", "--key", desk.folder / "12", stdin="secret 12\n")

    assert text.startswith("ORDER 2: configuration, because for a test\n")
    assert '    chapter = "pa641a"' in text
    assert "  signed by   11" in text
    assert text.endswith("signed by 11, 12\n")


def test_prog_6_a_broker_whose_certificates_are_none_is_named(desk: Desk) -> None:
    address = desk.broker.address("floor")

    with pytest.raises(FloorError, match=r"E-FLOOR-018 127[.]0[.]0[.]1: the broker cannot be used"):
        Broker(address._replace(ca=desk.folder / "none"), "x", lambda _topic, _raw: None)
    with pytest.raises(FloorError, match="E-FLOOR-018"):
        Broker(address._replace(key=address.certificate), "x", lambda _topic, _raw: None)


def test_prog_6_a_broker_without_the_right_authority_is_not_spoken_to(desk: Desk, tmp_path: Path) -> None:
    other = Authority(tmp_path)
    line = Broker(
        desk.broker.address("T1")._replace(ca=other.folder / "ca.crt"), "T1", lambda _topic, _raw: None
    )
    line.begin()
    until = time.monotonic() + PATIENCE_S
    while "certificate" not in line.trouble:
        assert time.monotonic() < until, line.trouble
        time.sleep(0.02)
    assert not line.is_connected
    line.end()
