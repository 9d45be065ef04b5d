"""A table's end of the link, against a real desk: what it says, hears and believes, and when the link is down."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from sabot.floor import messages, wire
from sabot.floor.committer import CommitAnswer
from sabot.floor.errors import FloorError
from sabot.floor.wire import hex_of
from sabot.uplink.table_end import Memory, TableEnd
from tests.floor.keeping import Kept
from tests.floor.making import JOURNAL, key

FLOOR_KEY = hex_of(key("floor"))


@dataclass
class Table:
    """An end, its two clocks, and the floor that answers."""

    kept: Kept
    end: TableEnd
    now: float = 1000.0
    news: list[dict[str, Any]] = field(default_factory=list)

    @property
    def at(self) -> str:
        """The clock that people read."""
        whole, part = divmod(round(self.now * 1000), 1000)
        return f"2026-11-20T07:{whole // 60 % 60:02}:{whole % 60:02}.{part:03}Z"

    def bets(self, number: int, *seats: int) -> bytes:
        spots = [[seat, "prog5", 100] for seat in seats]
        return self.say(messages.CONTRIBUTION, round=number, config=1, spots=spots)

    def hit(self, number: int, seat: int) -> bytes:
        return self.say(messages.CLAIM, round=number, wager="prog5", row="royal_flush", seats=[seat])

    def say(self, kind: str, **values: object) -> bytes:
        return self.end.say(kind, self.now, self.at, journal=JOURNAL, link="pit", **values)

    def due(self) -> list[bytes]:
        return list(self.end.due(self.now, self.at))

    def talk(self, after_s: float = 1.0) -> list[dict[str, Any]]:
        """Say what is due, hear what the floor answers; a time later."""
        self.now += after_s
        found = [self.hear(raw) for answer in self.kept.tell(*self.due()) for raw in answer.payloads]
        return [each for each in found if each is not None]

    def hear(self, raw: bytes) -> dict[str, Any] | None:
        return self.end.hear(raw, self.now)

    def value(self, entry: int, at: str = "2026-11-20T07:00:00Z", *, running: bool = True) -> bytes:
        """A value of the link, as the floor says it."""
        values: dict[str, object] = {"link": "pit", "entry": entry, "at": at, "config": 1, "running": running}
        return messages.down(key("floor"), messages.VALUE, {**values, "levels": [["mega", entry]], "hit": []})

    def why(self) -> str:
        return self.end.why_closed("pit", self.now)


@pytest.fixture
def table(tmp_path: Any) -> Iterator[Table]:
    with Kept.linked(str(tmp_path / "floor.db"), "T1", "T2") as kept:
        yield Table(kept, TableEnd("T1", key("T1"), FLOOR_KEY))


def kinds(found: list[dict[str, Any]]) -> list[str]:
    return [each["kind"] for each in found]


# ---------------------------------------------------------------- saying


def test_prog_6_a_board_that_was_never_answered_says_nothing_that_has_a_number(table: Table) -> None:
    with pytest.raises(FloorError, match="the floor was never heard"):
        table.bets(1, 1)
    assert table.why() == "the floor was never heard"
    assert [wire.opened(raw)[1][:40] for raw in table.due()] == [b'{"v":1,"kind":"heartbeat","table":"T1","']


def test_prog_6_what_is_said_goes_at_once_and_again_until_it_is_acknowledged(table: Table) -> None:
    table.talk()
    first, second = table.bets(1, 1), table.bets(2, 1)

    assert table.due() == [first, second]
    table.now += 0.5
    third = table.bets(3, 1)
    assert table.due() == [third]
    table.now += 0.6
    assert table.due()[:3] == [first, second, third]
    table.talk()
    assert table.end.memory.waiting == {}
    assert [len(table.due()), table.kept.reader.load().state().tables["T1"].applied] == [0, 3]


def test_prog_7_a_floor_that_answers_and_takes_nothing_is_no_link(table: Table) -> None:
    """Its store is full, say: what is said in the meantime waits, and its sign does not rise."""
    table.talk()
    table.hear(table.value(99))
    assert table.why() == ""
    first = table.bets(1, 1)
    seen = []
    for _ in range(8):
        table.now += 1
        beat = next(raw for raw in table.due() if b'"heartbeat"' in raw)
        for answer in table.kept.tell(beat):
            for raw in answer.payloads:
                table.hear(raw)
        seen.append(table.why())

    assert seen == ["", "", *["its amount is old"] * 3, *["the floor takes nothing"] * 3]
    sign = table.end.sign("pit", table.now)
    assert sign is not None
    assert sign.is_old
    table.now += 1
    assert first in table.due()
    table.now += 1
    table.talk()
    assert table.why() == ""


def test_prog_12_a_start_takes_no_value_that_is_older_than_what_was_known(table: Table) -> None:
    """The broker keeps what it likes: at a start it may say an old value, and hold the new one back."""
    table.talk()
    known = table.end.memory
    again = Table(table.kept, TableEnd("T1", key("T1"), FLOOR_KEY, known), now=table.now + 60)
    again.hear(table.value(known.head[0] - 1))
    again.talk()

    assert again.why() == "its amount is old"
    again.hear(table.value(known.head[0], at="2026-11-20T07:00:01Z"))
    assert again.why() == ""


def test_prog_7_weeks_without_an_answer_take_no_memory(table: Table) -> None:
    table.talk()
    for _ in range(2_000):
        table.now += 1
        table.due()

    assert len(table.end._asked) < 10
    assert table.why() == "the floor is silent"


def test_prog_7_weeks_of_answers_without_a_value_take_no_memory(table: Table) -> None:
    for _ in range(50):
        table.talk()

    assert len(table.end._entries) < 5
    assert table.why() == "the floor has no such link"


def test_prog_6_a_long_silence_is_said_in_pieces(table: Table) -> None:
    table.talk()
    for number in range(1, 251):
        table.now += 0.001
        table.bets(number, 1)

    first = table.due()
    second = table.due()

    assert (len(first), len(second)) == (100, 100)
    assert not set(first) & set(second)
    for _ in range(3):
        table.talk()
    assert table.end.memory.applied == 250


def test_prog_6_a_spare_board_goes_on_where_the_other_ended_and_hears_what_it_did_not(table: Table) -> None:
    table.talk()
    table.bets(1, 1, 2)
    table.hit(1, 1)
    table.hit(1, 2)
    assert kinds(table.talk())[:2] == ["granted", "granted"]
    table.talk()
    table.hit(1, 3)
    table.kept.tell(*table.due())  # refused, and nobody heard it
    spare = Table(table.kept, TableEnd("T1", key("T1"), FLOOR_KEY), now=5000.0)

    heard = spare.talk() + spare.talk()

    assert (spare.end.memory.said, spare.end.memory.heard) == (4, 3)
    assert kinds(heard).count("refused") == 1
    spare.bets(2, 5)
    spare.talk()
    assert spare.end.memory.applied == 5


def test_prog_6_a_table_that_has_forgotten_knows_it(table: Table) -> None:
    table.talk()
    table.bets(1, 1)
    table.hit(1, 1)
    table.talk()
    table.talk()
    forgot = Table(table.kept, TableEnd("T1", key("T1"), FLOOR_KEY, Memory(begun=True, said=1, applied=1)))
    deaf = Table(table.kept, TableEnd("T1", key("T1"), FLOOR_KEY, Memory(begun=True, said=2, applied=2)))

    assert (forgot.talk(), deaf.talk()) == ([], [])
    assert forgot.why() == "the floor has heard what this board has not said"
    assert deaf.why() == "the floor was told of more than this board has kept"


# ---------------------------------------------------------------- hearing


def test_prog_6_what_the_floor_says_is_taken_once_and_in_its_order(table: Table) -> None:
    table.talk()
    table.bets(1, 1, 2)
    table.hit(1, 1)
    table.hit(1, 2)
    first, second, _ = table.kept.tell(*table.due())[-1].payloads

    assert table.hear(second) is None
    assert table.end.wrong["early"] == 1
    assert [each and each["number"] for each in map(table.hear, (first, first, second, first))] == [
        1,
        None,
        2,
        None,
    ]
    assert table.end.wrong["early"] == 1


def test_prog_6_nobody_but_the_floor_is_heard(table: Table) -> None:
    table.talk()
    beat = table.due()[:0] or list(table.end.due(table.now + 1, table.at))
    answer = table.kept.tell(*beat)[-1]
    assert isinstance(answer, CommitAnswer)
    body = wire.opened(answer.payloads[-1])[1]
    other = messages.read_down(answer.payloads[-1], FLOOR_KEY) | {"table": "T2"}
    fields = {name: other[name] for name in messages.DOWN["acknowledged"]}

    assert table.hear(wire.sealed(key("T2"), wire.FROM_FLOOR, body)) is None
    assert table.hear(b"noise") is None
    assert table.hear(messages.down(key("floor"), "acknowledged", fields)) is None
    assert dict(table.end.wrong) == {"forged": 2, "another's": 1}


def test_prog_7_an_answer_that_is_played_again_keeps_no_link_up(table: Table) -> None:
    table.now += 1
    (answer,) = table.kept.tell(*table.due())
    assert table.hear(answer.payloads[-1]) is not None
    assert table.end.why_down(table.now) == ""
    table.now += 4.9
    assert table.hear(answer.payloads[-1]) is not None  # asked less than five seconds ago: no news, no harm
    assert table.end.why_down(table.now) == ""
    table.now += 0.2
    assert table.hear(answer.payloads[-1]) is None
    assert table.end.why_down(table.now) == "the floor is silent"
    assert table.end.wrong["stale"] == 1
    table.talk()
    assert table.end.why_down(table.now) == ""


def test_prog_6_a_floor_that_is_older_than_its_word_is_not_believed(table: Table) -> None:
    table.talk()
    table.bets(1, 1)
    table.talk()
    known = table.end.memory
    for what, memory in {
        "the floor is older than what it acknowledged": Memory(
            begun=True, said=1, applied=1, heard=0, head=(known.head[0] + 1, "ab" * 32)
        ),
        "the floor's ledger is another": Memory(
            begun=True, said=1, applied=1, heard=0, head=(known.head[0], "ab" * 32)
        ),
    }.items():
        other = Table(table.kept, TableEnd("T1", key("T1"), FLOOR_KEY, memory))
        assert other.talk() == []
        assert other.why() == what
    lost = Memory(begun=True, said=7, applied=7, heard=0)
    other = Table(table.kept, TableEnd("T1", key("T1"), FLOOR_KEY, lost))
    assert (other.talk(), other.why()) == ([], "the floor is older than what it acknowledged")


# ---------------------------------------------------------------- signs and spots


def test_prog_7_spots_open_while_the_link_runs_and_answers(table: Table) -> None:
    assert table.why() == "the floor was never heard"
    table.talk()
    assert table.why() == "the floor has no such link"
    assert table.end.sign("pit", table.now) is None
    table.hear(table.value(5))
    assert table.why() == ""
    assert table.end.config("pit") == 1
    table.hear(table.value(6, running=False))
    assert table.why() == "the link stands still"
    table.now += 5.1
    assert table.why() == "the floor is silent"


def test_prog_12_a_sign_shows_the_newest_and_says_when_it_is_old(table: Table) -> None:
    table.talk()
    assert table.hear(table.value(9)) is not None
    assert table.hear(table.value(8)) is None
    assert table.hear(table.value(9)) is None
    sign = table.end.sign("pit", table.now)
    assert sign is not None
    assert (sign.cents, sign.is_old) == ({"mega": 9}, False)
    for number in range(1, 7):
        table.bets(number, 1)
    table.talk()  # the ledger is at entry 11 now, and the sign has heard of 9
    table.now += 1.9
    assert table.why() == ""
    table.now += 0.2
    assert table.why() == "its amount is old"
    sign = table.end.sign("pit", table.now)
    assert sign is not None
    assert sign.is_old
    table.hear(table.value(table.kept.last.number))
    assert table.why() == ""
