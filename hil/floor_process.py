"""The floor of a linked table of the rig: ``python -m sabot.hil.floor_process DIRECTORY``.

Beside its devices stands a real floor: store, committer, orders of two people. It is where the uplink calls
the table, so there is no broker: the line between is a word of a scenario, cut or mended. A second table on
the link, T2, is a table's end of its own; it plays when it is told to. NOT FOR PLAY: all keys here are made
from words that everybody can read.

Orders come as lines on ``link.control`` in the directory, and each is answered by a line.
"""

import json
import socket
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from select import select
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor import messages, orders, reports, signs
from sabot.floor.clock import utc
from sabot.floor.committer import CommitAnswer, Committer
from sabot.floor.export import FloorExport, export
from sabot.floor.open_store import open_store
from sabot.floor.restoring import restore
from sabot.floor.wire import hex_of
from sabot.uplink import packets
from sabot.uplink.packets import LinkGone
from sabot.uplink.table_end import TableEnd

LINK, OTHER = "rig", "T2"
SOCKET, CONTROL, STORE = "link", "link.control", "floor.db"
PEOPLE = (("11", "Ada", "finance"), ("12", "Ben", "table_games"))
# How long anything may take, a turn of the loop, between two values of the
# meters, and how soon a link begins.
PATIENCE_S, TICK_S, VALUES_S, SOON_S = 60.0, 0.05, 0.5, 4
# 641a.12(d) and (e) print these for column D and a wager of $1.
TERMS = """\
link = "{link}"
chapter = "pa641a"
meter = "prog5"
paytable = "D"
wagers = ["$1"]
tables = ["{table}", "{other}"]
begins = {begins}
[level.mega]
base = "$10,000"
reset = "$10,000"
rate = 10
reserve_rate = 0
threshold = "$200"
[level.major]
base = "$1,000"
reset = "$1,000"
rate = 8
reserve_rate = 0
threshold = "$200"
[level.minor]
base = "$250"
reset = "$250"
rate = 3
reserve_rate = 0
threshold = "$200"
"""
SECTION = """
[floor]
key = "{key}"
socket = "{root}/link"
[floor.links]
prog5 = "{link}"
"""


def key(name: str) -> Ed25519PrivateKey:
    """Return the key of somebody of the rig, always the same."""
    return Ed25519PrivateKey.from_private_bytes(sha256(f"not for play: {name}".encode()).digest())


def table_of(root: Path) -> str:
    """Return the name of the table, as its file has it."""
    line = next(each for each in (root / "table.toml").read_text().splitlines() if each.startswith("table ="))
    return line.split('"')[1]


def board_key(root: Path) -> str:
    """Return the public key of the table's board."""
    return hex_of(Ed25519PrivateKey.from_private_bytes((root / "keys" / "sign.key").read_bytes()))


def forget(root: Path) -> None:
    """Make of a board one that nobody has used, without journal or memory of the link."""
    for each in (*root.glob("journal*"), *root.glob("link.db*")):
        each.unlink()
    board = json.loads((root / "board.json").read_text())
    (root / "board.json").write_text(json.dumps({name: board[name] for name in ("format", "kind")}))


def prepare(root: Path) -> None:
    """Link a table that nobody has used: its file names the floor, the floor's store knows it."""
    forget(root)
    with (root / "table.toml").open("a", encoding="utf-8") as file:
        file.write(SECTION.format(key=hex_of(key("floor")), root=root, link=LINK))
    open_store(str(root / STORE), new=True).close()
    hall = Hall(root)
    people = [[*each, hex_of(key(each[0]))] for each in PEOPLE]
    house = {"facility": "NOT FOR PLAY", "key": hex_of(key("floor")), "starts": "06:00", "zone": "UTC"}
    hall.order(orders.FOUNDED, **house, people=people)
    for name, public in ((hall.table, board_key(root)), (OTHER, hex_of(key(OTHER)))):
        hall.order(orders.TABLE, table=name, key=public)
    begins = datetime.fromtimestamp(int(time.time()) + SOON_S, UTC)
    text = begins.isoformat().replace("+00:00", "Z")
    hall.order(orders.CONFIGURATION, file=TERMS.format(link=LINK, table=hall.table, other=OTHER, begins=text))
    time.sleep(max(0.0, begins.timestamp() - time.time()) + TICK_S)  # a link starts when its moment has come
    hall.order(orders.START, link=LINK)
    hall.close()


class Hall:
    """The floor, the other table, and the line to ours."""

    def __init__(self, root: Path) -> None:
        self.root, self.table = root, table_of(root)
        self.is_cut, self._with_claim = False, ""
        self._line: socket.socket | None = None
        self._said_at = 0.0
        self._lead()

    def _lead(self) -> None:
        self._store = open_store(str(self.root / STORE))
        self._committer = Committer(self._store, key("floor"), utc)
        self._committer.start()
        end = time.monotonic() + PATIENCE_S
        # One committer leads a store; the one that was stopped may still hold it for a moment.
        while not self._committer.is_leading and time.monotonic() < end:
            time.sleep(TICK_S)

    def close(self) -> None:
        """Leave the store to others."""
        self._committer.stop()
        self._store.close()

    def order(self, kind: str, **values: object) -> None:
        """Have both people sign an order, and carry it out."""
        with closing(open_store(str(self.root / STORE), reading=True)) as store:
            number = store.load().state().house.orders + 1
        body = orders.order(kind, **{"order": number, "cause": "a scenario of the rig", **values})
        signed = [orders.sign(person, key(person), body) for person, _, _ in PEOPLE]
        self._committer.order(body, signed).result(PATIENCE_S)

    def _take(self, *raws: bytes) -> list[CommitAnswer]:
        futures = [self._committer.take(raw) for raw in raws]
        found = [each.result(PATIENCE_S) for each in futures]
        return [each for each in found if isinstance(each, CommitAnswer)]

    # ------------------------------------------------------------ the line to our table

    def turn(self) -> None:
        """Carry what there is to carry between the table and the floor."""
        if self.is_cut:
            self._hang_up()
            return
        line = self._line or self._call()
        if line is None:
            return
        try:
            while word := packets.receive(line, packets.OF_TABLE):
                what, payload = word
                if what == packets.SAY:
                    self._say(line, payload)
            self._tell_values(line)
        except LinkGone:
            self._hang_up()

    def _call(self) -> socket.socket | None:
        line = packets.packet_socket()
        try:
            line.connect(str(self.root / SOCKET))
        except OSError:
            line.close()
            return None
        self._line, self._said_at = line, 0.0
        # As the uplink's carrier says that it has a broker: there is none here.
        packets.send(line, packets.BROKER, b"")
        return line

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line = None

    def _say(self, line: socket.socket, payload: bytes) -> None:
        """Take what our table says, together with the other table's claim if one was ordered."""
        raws = [payload]
        if self._with_claim and b'"kind":"claim"' in payload:
            # Theirs first, in one batch: of two hits of one level the other table's is granted before ours.
            raws, self._with_claim = [self._claim_of_other(self._with_claim), payload], ""
        for each in self._take(*raws)[-1].payloads:
            packets.send(line, packets.HEARD, each)

    def _tell_values(self, line: socket.socket) -> None:
        if time.monotonic() - self._said_at < VALUES_S:
            return
        self._said_at = time.monotonic()
        found = self._committer.ask(lambda state, last: list(signs.values(state, last))).result(PATIENCE_S)
        for each in found:
            packets.send(
                line, packets.HEARD, messages.down(key("floor"), messages.VALUE, {**each, "at": utc()})
            )

    # ------------------------------------------------------------ the other table

    def _end_of_other(self) -> TableEnd:
        end = TableEnd(OTHER, key(OTHER), hex_of(key("floor")))
        (beat,) = end.due(0.0, utc())
        for each in self._take(beat)[0].payloads:
            end.hear(each, 0.0)
        return end

    def _claim_of_other(self, row: str) -> bytes:
        """Play a round of the other table up to its claim, and return the claim unsaid."""
        end = self._end_of_other()
        with closing(open_store(str(self.root / STORE), reading=True)) as store:
            round_ = store.load().state().tables[OTHER].rounds.get(LINK, [0])[0] + 1
        named = {"journal": sha256(str(round_).encode()).hexdigest(), "link": LINK, "round": round_}
        bet = end.say(messages.CONTRIBUTION, 0.0, _at(1), **named, config=1, spots=[[1, "prog5", 100]])
        self._take(bet)
        return end.say(messages.CLAIM, 0.0, _at(2), **named, wager="prog5", row=row, seats=[1])

    # ------------------------------------------------------------ orders of the scenario

    def obey(self, text: str) -> str:
        """Do what a scenario orders, and return what is shown then."""
        what, _, rest = text.partition(" > ")
        ORDERS[what](self, rest)
        return self.show()

    def show(self) -> str:
        """Return what somebody at the floor sees, a fact a line."""
        with closing(open_store(str(self.root / STORE), reading=True)) as store, store.moment():
            state = store.load().state()
            tables = reports.tables(state, store)
            levels = reports.meters(state)["links"][0]["levels"]
        lines = [f"{each['level']} {each['cents']}" for each in levels]
        for each in reports.hits(state):
            whose = "other" if each["table"] == OTHER else "ours"
            by_hand = " by hand" if each["by_hand"] else ""
            lines.append(f"{whose} won {each['level']} {each['cents']} {each['state']}{by_hand}")
        for each in tables:
            if each["table"] == self.table:
                lines += [f"heard {each['applied']}", *(f"wrong {verdict}" for verdict in each["wrong"])]
        return "\n".join(lines)

    def cut(self, _words: str) -> None:
        """Let nothing pass."""
        self.is_cut = True

    def mend(self, _words: str) -> None:
        """Let everything pass."""
        self.is_cut = False

    def other_wins(self, row: str) -> None:
        """Let the other table hit now."""
        self._take(self._claim_of_other(row))

    def other_wins_too(self, row: str) -> None:
        """Let the other table's claim arrive with our next one."""
        self._with_claim = row

    def by_hand(self, what: str) -> None:
        """Have two people finish a hit of ours by hand: its round, row and seat."""
        round_, row, seat = what.split()
        facts = {"table": self.table, "link": LINK, "round": int(round_), "wager": "prog5", "row": row}
        self.order(orders.BY_HAND, **facts, seats=[int(seat)])

    def back_up(self, _words: str) -> None:
        """Keep a copy of the store."""
        self._copy(STORE, "floor.backup")

    def put_back(self, _words: str) -> None:
        """Put the copy back as the store; export what was newer beside it."""
        (self.root / "floor.jsonl").unlink(missing_ok=True)
        export(self._store, self.root / "floor.jsonl")
        self.close()
        self._copy("floor.backup", STORE)
        self._lead()

    def bring_forward(self, _words: str) -> None:
        """Bring the copy to where the export ends."""
        self.close()
        restore(str(self.root / STORE), FloorExport(self.root / "floor.jsonl"), key("floor"))
        self._lead()

    def spare_board(self, _words: str) -> None:
        """Give our table a board that nobody has used: no journal, no memory, a key of its own."""
        forget(self.root)
        fresh = Ed25519PrivateKey.generate()
        (self.root / "keys" / "sign.key").write_bytes(fresh.private_bytes_raw())
        self.order(orders.TABLE, table=self.table, key=hex_of(fresh))

    def _copy(self, source: str, target: str) -> None:
        for each in self.root.glob(f"{target}*"):
            # A write-ahead log of another store would be played into this one.
            if each.name in (target, f"{target}-wal", f"{target}-shm"):
                each.unlink()
        with (
            closing(sqlite3.connect(self.root / source)) as ours,
            closing(sqlite3.connect(self.root / target)) as to,
        ):
            ours.backup(to)


def _at(later_ms: int) -> str:
    at = datetime.fromtimestamp(time.time() + later_ms / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


ORDERS: dict[str, Callable[[Hall, str], None]] = {
    "cut": Hall.cut,
    "mend": Hall.mend,
    "other wins": Hall.other_wins,
    "other wins too": Hall.other_wins_too,
    "by hand": Hall.by_hand,
    "back up": Hall.back_up,
    "put back": Hall.put_back,
    "bring forward": Hall.bring_forward,
    "spare board": Hall.spare_board,
    "show": lambda _hall, _words: None,
}


def serve(root: Path) -> None:
    """Serve as the floor until standard input ends."""
    hall = Hall(root)
    control = root / CONTROL
    control.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(control))
        listening.listen(4)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select([listening, sys.stdin], [], [], TICK_S)
            if sys.stdin in ready:
                break
            if ready:
                _visit(hall, listening)
            hall.turn()
    hall.close()


def _visit(hall: Hall, listening: socket.socket) -> None:
    line, _ = listening.accept()
    with line, line.makefile("rwb") as file, suppress(OSError):
        found: dict[str, Any]
        try:
            found = {"shows": hall.obey(file.readline().decode().strip())}
        except Exception as error:  # whoever asked is told
            found = {"error": f"{type(error).__name__}: {error}"}
        file.write(json.dumps(found).encode() + b"\n")
        file.flush()


if __name__ == "__main__":
    (prepare if "--prepare" in sys.argv else serve)(Path(sys.argv[-1]))
