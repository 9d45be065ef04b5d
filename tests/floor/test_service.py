"""The service of a floor without a broker: who is answered, what the signs are told, who listens."""

import time
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import pytest

from sabot.floor import broker, messages, orders, pit, table_state
from sabot.floor import service as services
from sabot.floor.errors import FloorError
from sabot.floor.service import Service
from sabot.floor.sqlite_store import SqliteStore
from sabot.floor.wire import hex_of

from .keeping import SOON_S, Kept
from .making import key, terms_text
from .test_pit import values

FLOOR_KEY = hex_of(key("floor"))


@dataclass
class Written:
    """A connection that writes down what is said."""

    said: list[tuple[str, dict[str, Any], bool]] = field(default_factory=list)
    topics: frozenset[str] = frozenset()

    def say(self, topic: str, payload: bytes, *, kept: bool = False) -> None:
        self.said.append((topic, messages.read_down(payload, FLOOR_KEY), kept))

    def listen(self, topics: frozenset[str]) -> None:
        self.topics = topics

    def until(self, kind: str, count: int = 1) -> list[dict[str, Any]]:
        """The messages of a kind, once there are so many."""
        end = time.monotonic() + SOON_S
        while len(found := [each for _, each, _ in self.said if each["kind"] == kind]) < count:
            assert time.monotonic() < end, self.said
            time.sleep(0.005)
        return found


@dataclass
class Serving:
    """A service over a store that a test keeps."""

    kept: Kept
    service: Service
    wire: Written
    words: list[str]

    def tick(self) -> None:
        self.service.tick()
        if self.service._asked is not None:
            self.service._asked.exception(SOON_S)
            self.kept.committer.ask(lambda _state, _last: None).result(SOON_S)  # its callbacks are done


@pytest.fixture
def serving(tmp_path: Any) -> Iterator[Serving]:
    with Kept.linked(str(tmp_path / "floor.db"), "T1", "T2") as kept:
        yield serve(kept)


def serve(kept: Kept) -> Serving:
    words: list[str] = []
    service, wire = Service(kept.committer, key("floor"), kept.clock, words.append), Written()
    service.use(wire)
    return Serving(kept, service, wire, words)


def test_prog_12_an_answer_goes_to_the_table_that_asked_and_repeats_its_clock(serving: Serving) -> None:
    one, two = serving.kept.tellers

    serving.service.hear("sabot/1/up/T2", one.bets(1, 1))  # the topic says nothing: the signature does
    first = serving.wire.until("acknowledged")[0]
    serving.service.hear("sabot/1/up/T2", two.say(messages.HEARTBEAT, at="2031-01-01T00:00:00.125Z"))
    second = serving.wire.until("acknowledged", 2)[1]

    assert (first["table"], first["applied"], first["asked"]) == ("T1", 1, one.clock())
    assert (second["table"], second["applied"], second["asked"]) == ("T2", 0, "2031-01-01T00:00:00.125Z")
    assert [topic for topic, _, _ in serving.wire.said] == ["sabot/1/down/T1", "sabot/1/down/T2"]


def test_prog_6_who_is_not_known_to_be_the_table_hears_nothing(serving: Serving) -> None:
    one, _ = serving.kept.tellers
    serving.service.hear("", one.bets(1, 1))
    serving.wire.until("acknowledged")
    one.number = 0

    for raw in (one.bets(1, 2), b"noise", one.bets(2, 1)[:-1]):
        serving.service.hear("", raw)
    serving.kept.committer.ask(lambda _state, _last: None).result(SOON_S)

    assert len(serving.wire.said) == 1
    assert {each.verdict for each in serving.kept.reader.seen()} == {"forgot", "malformed"}


def test_prog_12_a_sign_is_told_what_changed_at_once_and_the_same_each_second(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving.tick()
    serving.tick()  # nothing has changed, and no second has gone by
    serving.kept.take(serving.kept.tellers[0].bets(1, 1))
    serving.tick()
    monkeypatch.setattr(services, "EACH_S", 0.0)
    serving.tick()

    values = serving.wire.until("value", 3)
    assert len(values) == 3
    assert [dict(each["levels"])["mega"] for each in values] == [1_000_000, 1_000_010, 1_000_010]
    assert {(topic, kept) for topic, _, kept in serving.wire.said} == {("sabot/1/value/pit", True)}
    assert (values[0]["config"], values[0]["running"], values[0]["hit"]) == (1, True, [])


def test_prog_11_every_sign_shows_the_newest_hit_that_stands(serving: Serving) -> None:
    one, two = serving.kept.tellers
    serving.kept.tell(one.bets(1, 1), two.bets(1, 4), one.hit(1, 1), two.hit(1, 4, row="straight_flush"))
    serving.tick()
    grants = serving.kept.store.load().state().grants
    serving.kept.order(orders.TAKE_BACK, grant=max(grants))
    serving.tick()

    hits = [each["hit"] for each in serving.wire.until("value", 2)]

    assert [each[0][:3] for each in hits] == [["major", "T2", [4]], ["mega", "T1", [1]]]


def test_prog_6_a_link_that_was_never_started_has_no_sign(serving: Serving) -> None:
    serving.kept.order(orders.TABLE, table="T3", key=hex_of(key("T3")))
    serving.kept.order(orders.CONFIGURATION, file=terms_text("T3", link="far"))
    serving.tick()

    assert [each["link"] for each in serving.wire.until("value")] == ["pit"]


def test_prog_6_only_who_leads_listens_to_tables(serving: Serving) -> None:
    beside = serve(serving.kept.beside())

    serving.service.tick()
    beside.service.tick()

    assert serving.wire.topics == {broker.UP_FROM_ALL, broker.STATE_FROM_ALL}
    assert beside.wire.topics == {broker.STATE_FROM_ALL}
    assert (serving.words, beside.words) == (["leads"], ["stands by"])
    beside.service.hear("", serving.kept.tellers[0].bets(1, 1))
    beside.kept.end()
    assert beside.wire.said == []
    assert beside.service.failed is None


def test_prog_6_what_a_table_says_of_itself_is_for_the_page_and_not_for_the_ledger(serving: Serving) -> None:
    state = table_state.state_of(key("T1"), values("T1"))
    before = serving.kept.last
    serving.tick()
    assert serving.service.pit.shown(time.monotonic())["leads"]
    serving.service.hear(broker.state("T1"), state)
    serving.service.hear(broker.state("T1"), state)

    found = {each["table"]: each for each in serving.service.pit.shown(time.monotonic())["tables"]}
    assert (found["T1"]["phase"], found["T2"]["silent_s"]) == ("deciding", None)
    assert serving.kept.last == before


def test_prog_6_what_is_too_much_is_let_go_and_said_again(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = serving.kept.tellers[0].bets(1, 1)
    monkeypatch.setattr(services, "MOST_WAITING", 0)
    serving.service.hear("", raw)
    monkeypatch.undo()

    assert serving.service.let_go == 1
    serving.service.hear("", raw)
    assert serving.wire.until("acknowledged")[0]["applied"] == 1


def test_prog_6_a_slip_is_kept_for_who_runs_the_service(serving: Serving) -> None:
    future: Future[object] = Future()
    future.set_exception(ZeroDivisionError("a slip"))

    serving.service._answer(future)

    assert isinstance(serving.service.failed, ZeroDivisionError)


def test_prog_6_a_question_that_fails_is_the_askers_own_trouble(serving: Serving) -> None:
    def question(_state: object, _last: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        serving.kept.committer.ask(question).result(SOON_S)
    assert serving.kept.take(serving.kept.tellers[0].bets(1, 1)).verdict == "applied"


def _is_taken(kept: Kept, raw: bytes) -> bool:
    try:
        kept.take(raw)
    except FloorError as error:
        if error.kind.code != "E-FLOOR-010":
            raise
        return False
    return True


def test_prog_12_a_store_that_takes_nothing_is_said_for_as_long_as_it_lasts(serving: Serving) -> None:
    kept = serving.kept
    one, _ = kept.tellers
    assert isinstance(kept.store, SqliteStore)
    serving.tick()
    pages = kept.store._db.execute("PRAGMA page_count").fetchone()[0]
    kept.store._db.execute(f"PRAGMA max_page_count = {pages}")
    said = (one.bets(round_, 1, 2) for round_ in range(1, 500))
    raw = next(raw for raw in said if not _is_taken(kept, raw))

    serving.service.tick()
    serving.service.pit.know(pit.facts(kept.reader.load().state(), kept.last))

    assert serving.words[-1].startswith("enters nothing: E-FLOOR-010")
    assert "full" in serving.service.pit.shown(0.0)["unwritten"]
    kept.store._db.execute("PRAGMA max_page_count = 1000000")
    kept.insist(raw)
    serving.service.tick()
    assert serving.words[-1] == "leads"
    assert serving.service.pit.shown(0.0)["unwritten"] == ""
