"""A message counts once and in its order; forged, misshapen or out of its turn it changes nothing."""

from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from sabot.floor import messages, wire
from sabot.floor.books import ADJUSTMENT, BY_HAND, GRANT, LIMIT, REVERSAL, SEED_BACK
from sabot.floor.core import FloorCore, Verdict
from sabot.floor.entry import GENESIS, follows
from sabot.floor.state import restore

from .making import DAWN, JOURNAL, Floor, Teller, key, linked
from .test_contributions import CAPPED


def snapshot(floor: Floor) -> object:
    return (
        dict(floor.state.books.balances), dict(floor.state.facts()), len(floor.made()), len(floor.said()),
    )  # fmt: skip


def test_prog_6_a_message_again_is_nothing_new() -> None:
    floor, (one,) = linked("T1")
    raw = one.bets(1, 1)
    assert floor.take(raw).verdict is Verdict.APPLIED
    before = snapshot(floor)

    assert floor.take(raw).verdict is Verdict.AGAIN
    assert snapshot(floor) == before


def test_prog_6_a_message_again_is_known_by_the_ledger_after_a_start() -> None:
    floor, (one,) = linked("T1")
    first, second = one.bets(1, 1), one.bets(2, 1)
    floor.take(first)
    kept = {(each.table, each.message): each.content.encode() for each in floor.made()}
    floor.desk = FloorCore(floor.state, floor.desk.last, lambda table, number: kept.get((table, number)))

    assert floor.take(first).verdict is Verdict.AGAIN
    assert floor.take(second).verdict is Verdict.APPLIED
    one.number = 0
    assert floor.take(one.bets(1, 7)).verdict is Verdict.FORGOT


def test_prog_6_a_gap_is_seen_and_filled() -> None:
    floor, (one,) = linked("T1")
    first, second = one.bets(1, 1), one.bets(2, 1)
    before = snapshot(floor)

    assert floor.take(second).verdict is Verdict.MISSING
    assert snapshot(floor) == before
    assert [floor.take(raw).verdict for raw in (first, second)] == [Verdict.APPLIED] * 2


def test_prog_6_a_table_that_forgot_what_it_said_is_seen() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    before = snapshot(floor)
    one.number = 0

    assert floor.take(one.bets(1, 2)).verdict is Verdict.FORGOT
    assert snapshot(floor) == before


def test_prog_6_a_heartbeat_says_the_last_number() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    one.heard = 4

    assert floor.take(one.say(messages.HEARTBEAT)) == (Verdict.HEARTBEAT, "T1", 4, one.clock())
    one.number = 2
    assert floor.take(one.say(messages.HEARTBEAT)).verdict is Verdict.MISSING


def test_prog_6_a_stranger_is_not_heard() -> None:
    floor, (one,) = linked("T1")
    before = snapshot(floor)
    one.key_of = "T2"

    assert floor.take(one.bets(1, 1)).verdict is Verdict.FORGED
    assert floor.take(Teller("T8").bets(1, 1)).verdict is Verdict.UNKNOWN
    assert floor.take(b"").verdict is Verdict.MALFORMED
    assert floor.take(b"x" * 70_000).verdict is Verdict.MALFORMED
    assert snapshot(floor) == before


def test_prog_6_what_the_floor_signed_is_no_message_of_a_table() -> None:
    floor, (one,) = linked("T1")
    _, body = wire.opened(one.bets(1, 1))

    assert floor.take(wire.sealed(key("T1"), wire.FROM_FLOOR, body)).verdict is Verdict.FORGED


@given(st.data())
def test_prog_6_a_damaged_payload_changes_nothing(data: st.DataObject) -> None:
    floor, (one,) = linked("T1")
    raw = bytearray(one.bets(1, 1))
    before = snapshot(floor)
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))

    assert floor.take(bytes(raw)).verdict in (Verdict.FORGED, Verdict.MALFORMED, Verdict.UNKNOWN)
    assert snapshot(floor) == before


def test_prog_12_every_entry_follows_from_the_one_before() -> None:
    floor, (one,) = linked("T1")
    floor.take(one.bets(1, 1))
    before = GENESIS

    for number, entry in enumerate(floor.made(), 1):
        assert entry.number == number
        assert follows(before, entry)
        assert not follows(before, entry._replace(at=DAWN[:-1] + "1Z"))
        before = entry.link
    assert floor.desk.last == (len(floor.made()), before)


# ---------------------------------------------------------------- any order of anything

ROWS = ("royal_flush", "straight_flush", "four_of_a_kind")


def play(floor: Floor, tellers: list[Teller], draw: st.DataObject) -> None:
    """One thing that a table may say, sensible or not."""
    table = draw.draw(st.sampled_from(tellers))
    number = draw.draw(st.integers(1, 3))
    seats = draw.draw(st.lists(st.integers(1, 8), min_size=1, max_size=3))
    grants = [*floor.state.grants, 1]
    says = {
        "bets": lambda: table.bets(number, *seats, wager="progressive"),
        "void": lambda: table.void(number, *seats, wager="progressive"),
        "hit": lambda: table.hit(number, *seats, row=draw.draw(st.sampled_from(ROWS)), wager="progressive"),
        "validated": lambda: table.say(messages.VALIDATED, grant=draw.draw(st.sampled_from(grants))),
        "withdrawn": lambda: table.say(messages.WITHDRAWN, grant=draw.draw(st.sampled_from(grants))),
    }
    raw = says[draw.draw(st.sampled_from(sorted(says)))]()
    for _ in range(draw.draw(st.sampled_from([1, 1, 2]))):
        floor.take(raw)


@given(st.data())
def test_prog_8_whatever_is_said_the_books_hold(data: st.DataObject) -> None:
    floor, tellers = linked("T1", "T2", text=CAPPED, link="maryland")
    for _ in range(data.draw(st.integers(1, 25))):
        before = dict(floor.state.books.balances)
        made = len(floor.made())
        play(floor, tellers, data)
        _verify_books(floor, before, made)
    again = restore(dict(floor.state.facts()), floor.state.books.balances)
    assert dict(again.facts()) == dict(floor.state.facts())
    assert again.turns == floor.state.turns


# The causes that lower a meter; no other may.
LOWERING = frozenset({GRANT, BY_HAND, REVERSAL, SEED_BACK, LIMIT, ADJUSTMENT})


def _verify_books(floor: Floor, before: dict[str, int], made: int) -> None:
    books = floor.state.books
    assert books.is_balanced()
    for level in ("maryland.major", "maryland.minor"):
        meter, over = books.balance(level), books.balance(f"{level}.overflow")
        limit = 150_025 * 10_000
        assert meter >= 0
        assert over >= 0
        assert not over or (level == "maryland.major" and meter == limit)
        if meter < before[level]:
            moved = floor.made()[made].movements()
            assert any(each.source == level and each.cause in LOWERING for each in moved)
    for account in (name for name in books.balances if name.endswith((".open", ".held", ".reserve"))):
        assert books.balance(account) >= 0


def test_prog_12_the_state_is_as_it_is_kept() -> None:
    floor, (one,) = linked("T1")
    floor.state.changed()
    floor.take(one.bets(1, 1))
    floor.take(one.hit(1, 1))

    changed = floor.state.changed()

    assert sorted(changed) == [("grant", "6"), ("table", "T1")]
    assert changed["grant", "6"] == asdict(floor.state.grants[6])
    assert JOURNAL in floor.made()[-1].content
