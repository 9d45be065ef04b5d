"""An end that survives a power cut, the words to the uplink, and what a round makes."""

import json
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sabot.floor import messages, wire
from sabot.floor.errors import FloorError
from sabot.floor.wire import hex_of
from sabot.uplink import durable_end, packets
from sabot.uplink.durable_end import KeptEnd
from sabot.uplink.packets import LinkGone, TableLine
from sabot.uplink.table_end import Say
from tests.floor.keeping import Kept
from tests.floor.making import DAWN, JOURNAL, key
from tests.uplink import rounds
from tests.uplink.rounds import LinkedMeter

METER = LinkedMeter("pit", frozenset({"prog5"}))
ACCEPTED = {2: {"prog5": 100, "ante": 500}, 1: {"prog5": 100}, 5: {"ante": 500}}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Kept]:
    with Kept.linked(str(tmp_path / "floor.db"), "T1", "T2") as kept:
        yield kept


def opened(folder: Path) -> KeptEnd:
    return KeptEnd(folder / "link.db", "T1", key("T1"), hex_of(key("floor")))


def clock() -> str:
    return DAWN


def talk(kept: KeptEnd, floor: Kept, now: float) -> list[dict[str, Any]]:
    answers = floor.tell(*kept.end.due(now, f"2026-11-20T08:00:{now:02.0f}Z"))
    found = [kept.hear(raw, now) for answer in answers for raw in answer.payloads]
    return [each for each in found if each]


def body(raw: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(wire.opened(raw)[1])
    return found


# ---------------------------------------------------------------- rounds


def test_x_7_c_at_lock_the_accepted_wagers_of_the_link_contribute() -> None:
    (say,) = rounds.at_lock(METER, 41, 3, ACCEPTED, JOURNAL)

    assert say.kind == messages.CONTRIBUTION
    assert say.values["spots"] == [[1, "prog5", 100], [2, "prog5", 100]]
    assert (say.values["link"], say.values["round"], say.values["config"]) == ("pit", 41, 3)
    assert rounds.at_lock(METER, 41, 3, {5: {"ante": 500}, 6: {"prog5": 0}}, JOURNAL) == []


def test_641a_13_what_a_void_takes_back_is_what_contributed() -> None:
    (say,) = rounds.taken_back(METER, 41, "641a.13(a)", ACCEPTED, JOURNAL)

    assert say.values["spots"] == [[1, "prog5"], [2, "prog5"]]
    assert rounds.taken_back(METER, 41, "641a.13(a)", {5: {"ante": 500}}, JOURNAL) == []


@pytest.mark.parametrize(
    "say",
    [
        *rounds.at_lock(METER, 1, 1, ACCEPTED, JOURNAL),
        *rounds.taken_back(METER, 1, "a void", ACCEPTED, JOURNAL),
        rounds.at_turn(METER, 1, "prog5", "royal_flush", [2, 4], JOURNAL),
        rounds.validated(9, "12 Ben", JOURNAL),
        rounds.withdrawn(9, "12 Ben", "no hit", JOURNAL),
    ],
)
def test_prog_12_everything_that_a_round_makes_is_a_message(say: Say) -> None:
    raw = messages.up(key("T1"), say.kind, table="T1", number=1, heard=0, at=DAWN, **say.values)

    assert body(raw)["kind"] == say.kind


# ---------------------------------------------------------------- the medium


def test_prog_6_an_entry_is_said_once_whatever_is_fed_again(tmp_path: Path, floor: Kept) -> None:
    kept = opened(tmp_path)
    with pytest.raises(FloorError, match="the floor was never heard"):
        kept.feed(1, rounds.at_lock(METER, 1, 1, ACCEPTED, JOURNAL), 1, clock)
    assert kept.fed == 0
    talk(kept, floor, 1)

    for _ in range(2):
        kept.feed(1, rounds.at_lock(METER, 1, 1, ACCEPTED, JOURNAL), 1, clock)
        kept.feed(2, [], 1, clock)
    said = dict(kept.end.memory.waiting)
    kept.close()
    again = opened(tmp_path)
    again.feed(1, rounds.at_lock(METER, 1, 1, ACCEPTED, JOURNAL), 2, clock)

    assert (again.fed, again.end.memory.said, again.end.memory.waiting) == (2, 1, said)
    talk(again, floor, 2)
    assert again.end.memory.waiting == {}
    again.close()
    last = opened(tmp_path)
    assert (last.end.memory.applied, last.end.memory.head) == (1, again.end.memory.head)
    last.close()


def test_prog_6_what_was_heard_is_there_after_a_start(tmp_path: Path, floor: Kept) -> None:
    kept = opened(tmp_path)
    talk(kept, floor, 1)
    kept.feed(1, rounds.at_lock(METER, 1, 1, ACCEPTED, JOURNAL), 1, clock)
    kept.feed(2, [rounds.at_turn(METER, 1, "prog5", "royal_flush", [2], JOURNAL)], 1, clock)
    heard = talk(kept, floor, 2)
    kept.close()

    again = opened(tmp_path)

    assert [each["kind"] for each in heard].count("granted") == 1
    assert [body(raw)["kind"] for raw in again.kept()] == ["granted"]
    assert list(again.kept(1)) == []
    assert again.end.memory.heard == 1
    again.close()


def test_prog_6_the_memory_does_not_grow_for_ever_and_lets_go_of_nothing_that_waits(
    tmp_path: Path, floor: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable_end, "MOST_KEPT", 2)
    kept = opened(tmp_path)
    talk(kept, floor, 1)
    for number in range(1, 6):  # nothing of it was acknowledged
        kept.feed(number, rounds.at_lock(METER, number, 1, ACCEPTED, JOURNAL), 1, clock)
    count = "SELECT count(*), min(number) FROM said"
    assert kept._db.execute(count).fetchone() == (5, 1)
    talk(kept, floor, 2)
    kept.feed(6, rounds.at_lock(METER, 6, 1, ACCEPTED, JOURNAL), 3, clock)

    assert kept._db.execute(count).fetchone() == (2, 5)
    assert (kept.said(1), kept.said(6)["round"]) == ({}, 6)
    kept.close()
    again = opened(tmp_path)
    assert list(again.end.memory.waiting) == [6]
    again.close()


def test_prog_6_what_is_not_on_the_medium_was_neither_said_nor_heard(tmp_path: Path, floor: Kept) -> None:
    kept = opened(tmp_path)
    talk(kept, floor, 1)
    kept.feed(1, rounds.at_lock(METER, 1, 1, ACCEPTED, JOURNAL), 1, clock)
    kept.feed(2, [rounds.at_turn(METER, 1, "prog5", "royal_flush", [2], JOURNAL)], 1, clock)
    other = sqlite3.connect(tmp_path / "link.db", isolation_level=None, timeout=0)
    kept._db.execute("PRAGMA busy_timeout = 0")
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(FloorError, match="E-FLOOR-010"):
        kept.feed(3, [rounds.validated(9, "12 Ben", JOURNAL)], 1, clock)
    with pytest.raises(FloorError, match="E-FLOOR-010"):
        talk(kept, floor, 2)
    assert (kept.end.memory.said, kept.fed, kept.end.memory.heard) == (2, 2, 0)
    other.execute("ROLLBACK")
    other.close()

    assert "granted" in [each["kind"] for each in talk(kept, floor, 3)]
    kept.feed(3, [rounds.validated(7, "12 Ben", JOURNAL)], 3, clock)
    assert kept.end.memory.said == 3
    kept.close()


def test_prog_6_a_file_that_is_no_memory_is_named(tmp_path: Path) -> None:
    (tmp_path / "link.db").write_text("no database at all, but long enough to be looked at " * 20)

    with pytest.raises(FloorError, match=r"E-FLOOR-010 .*link[.]db"):
        opened(tmp_path)


# ---------------------------------------------------------------- words


@pytest.fixture
def line(tmp_path: Path) -> Iterator[TableLine]:
    found = TableLine(tmp_path / "link")
    yield found
    found.close()


def call(folder: Path, line: TableLine) -> socket.socket:
    found = packets.packet_socket()
    found.connect(str(folder / "link"))
    line.accept()
    return found


def test_prog_7_the_line_has_few_words_and_tells_the_links_to_who_calls(
    tmp_path: Path, line: TableLine
) -> None:
    line.say(b"lost: nobody carries")
    assert (line.hear(), line.why_no_broker) == ([], "no uplink")
    line.want(["pit"])
    uplink = call(tmp_path, line)
    line.say(b"a payload")

    assert packets.receive(uplink, packets.OF_TABLE) == (packets.LINKS, b'["pit"]')
    assert packets.receive(uplink, packets.OF_TABLE) == (packets.SAY, b"a payload")
    assert packets.receive(uplink, packets.OF_TABLE) is None
    for what, payload in ((packets.BROKER, b"not reached"), (packets.HEARD, b"one"), (packets.HEARD, b"two")):
        assert packets.send(uplink, what, payload)
    assert (line.hear(), line.why_no_broker) == ([b"one", b"two"], "not reached")
    newer = call(tmp_path, line)
    with pytest.raises(LinkGone):
        packets.receive(uplink, packets.OF_TABLE)
    newer.close()
    assert (line.hear(), line.line, line.why_no_broker) == ([], None, "no uplink")
    uplink.close()


@pytest.mark.parametrize("packet", [b"X", b"U of the table", b"D" + bytes(packets.MOST_PACKET + 1)])
def test_prog_7_what_is_no_word_ends_the_line(tmp_path: Path, line: TableLine, packet: bytes) -> None:
    uplink = call(tmp_path, line)
    uplink.send(packet)

    assert line.hear() == []
    assert line.line is None
    uplink.close()


def test_prog_7_who_does_not_keep_up_loses_what_is_said_again(tmp_path: Path, line: TableLine) -> None:
    uplink = call(tmp_path, line)
    while packets.send(uplink, packets.HEARD, bytes(30_000)):
        pass

    assert line.line is not None
    assert line.hear()
    assert packets.send(uplink, packets.HEARD, b"again")
    uplink.close()


@pytest.mark.parametrize(
    "payload", [b"no json", b"{}", b"[1]", json.dumps(["x"] * 21).encode(), b"[" * 100_000]
)
def test_prog_7_links_are_names(payload: bytes) -> None:
    with pytest.raises(LinkGone):
        packets.links_of(payload)


def test_prog_7_an_uplink_that_never_ends_its_speech_is_heard_in_pieces(tmp_path: Path) -> None:
    line, uplink = TableLine(tmp_path / "socket"), packets.packet_socket()
    uplink.connect(str(tmp_path / "socket"))
    line.accept()
    said = 0
    while packets.send(uplink, packets.HEARD, b"%d" % said):
        said += 1

    pieces = []
    while piece := line.hear():
        pieces.append(piece)

    assert said > packets.MOST_AT_ONCE
    assert max(map(len, pieces)) == packets.MOST_AT_ONCE
    assert [each for piece in pieces for each in piece] == [b"%d" % each for each in range(said)]
    uplink.close()
    line.close()


def test_prog_12_a_file_that_is_no_socket_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"a year of rounds")

    with pytest.raises(OSError, match="in use"):
        TableLine(tmp_path / "journal.db")
    assert (tmp_path / "journal.db").read_bytes() == b"a year of rounds"
