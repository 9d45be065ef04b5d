"""The proof of a ledger: whole, it is proved; changed in any one thing, the first entry that does not follow is named."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sabot.floor import messages, orders
from sabot.floor.entry import FloorEntry, head_text, link_of
from sabot.floor.errors import FloorError
from sabot.floor.export import FloorExport, export, lines
from sabot.floor.open_store import open_store
from sabot.floor.verify import FloorProof, verify
from sabot.floor.wire import HEAD, hex_of

from .keeping import Kept
from .making import edited, key, terms_text
from .test_contributions import MINUTE, TIGHT


def evening(kept: Kept) -> None:
    """Some of everything that a ledger may hold."""
    one, two = kept.tellers
    kept.tell(one.bets(1, 1, 2, 3), two.bets(1, 4), one.hit(1, 2), two.hit(1, 4, row="straight_flush"))
    grants = sorted(kept.reader.load().state().grants)
    kept.tell(one.say(messages.VALIDATED, grant=grants[0]), two.say(messages.WITHDRAWN, grant=grants[1]))
    kept.tell(two.void(1, 4), one.bets(2, 9), one.say(messages.HEARTBEAT), b"noise")
    kept.clock.at = "2026-11-21T09:00:00.250Z"
    kept.order(orders.ADJUSTMENT, link="pit", level="minor", units=77)
    kept.order(orders.BY_HAND, table="T2", link="pit", round=2, wager="prog5", row="royal_flush", seats=[5])
    kept.order(orders.TAKE_BACK, grant=kept.last.number)
    kept.order(orders.STOP, link="pit")
    text = edited(
        terms_text("T1", "T2", begins="2026-11-21T09:00:01Z"), ('threshold = "$20"', 'threshold = "$21"')
    )
    kept.order(orders.CONFIGURATION, file=text)
    kept.clock.at = "2026-11-21T09:00:02Z"
    kept.order(orders.START, link="pit")
    kept.tell(one.bets(3, 1, config=2), two.bets(2, 1, 2))


def test_prog_12_a_whole_ledger_is_proved(kept: Kept) -> None:
    evening(kept)
    seen: list[int] = []

    proof = verify(kept.reader, hex_of(key("floor")), seen.append)

    assert proof.verified.entries == kept.last.number == sum(seen)
    assert proof.verified.signed_until == kept.last.number
    assert proof.verified.refused == 1
    assert proof.verified.movements == sum(len(each.movements()) for each in kept.reader.entries())
    assert proof.desk.state.books.balances["pit.mega"] == kept.units("pit.mega")


def test_prog_9_what_was_held_and_ruled_on_is_proved(where: str) -> None:
    with Kept.linked(where, "T1", text=TIGHT) as kept:
        (one,) = kept.tellers
        kept.tell(one.bets(1, *range(1, 8), at=MINUTE), one.bets(2, *range(1, 6), at=MINUTE), one.void(2, 1))
        assert verify(kept.reader).desk.state.held
        kept.order(orders.RULING, held=kept.last.number - 1, believed=True)

        assert not verify(kept.reader).desk.state.held


def test_prog_12_another_key_than_the_floors_is_found(kept: Kept) -> None:
    with pytest.raises(FloorError, match="the floor's key is another than the one given"):
        verify(kept.reader, hex_of(key("T1")))


# ---------------------------------------------------------------- changed in the ledger


def proved(entries: list[FloorEntry], heads: list[tuple[int, bytes]]) -> FloorProof:
    proof = FloorProof()
    proof.prove(entries, iter(heads))
    return proof


def chained(entries: list[FloorEntry]) -> tuple[list[FloorEntry], list[tuple[int, bytes]]]:
    """Entries chained anew by somebody who has the floor's key: only what they say can give them away."""
    made: list[FloorEntry] = []
    link = bytes(32)
    for entry in entries:
        link = link_of(link, entry[:-1])
        made.append(entry._replace(link=link))
    return made, [(each.number, key("floor").sign(HEAD + head_text(each.number, each.link))) for each in made]


def altered(entry: FloorEntry, what: str, old: str, new: str) -> FloorEntry:
    text = getattr(entry, what)
    assert old in text
    return entry._replace(**{what: text.replace(old, new, 1)})


ALTERED: dict[str, tuple[Callable[[list[FloorEntry]], list[FloorEntry]], str]] = {
    "an amount": (lambda rows: [*rows[:5], altered(rows[5], "outcome", "100000", "100001"), *rows[6:]], "otherwise"),
    "a wager": (lambda rows: [*rows[:5], altered(rows[5], "content", "[1,", "[6,"), *rows[6:]], "did not sign it"),
    "a signature": (lambda rows: [*rows[:5], rows[5]._replace(signatures="00" * 64), *rows[6:]], "did not sign it"),
    "a signer": (lambda rows: [*rows[:2], altered(rows[2], "signatures", "11:", "13:"), *rows[3:]], "did not sign it"),
    "one signer less": (
        lambda rows: [*rows[:2], rows[2]._replace(signatures=rows[2].signatures.split()[0]), *rows[3:]], "takes 2 people"),
    "a message left out": (
        lambda rows: [*rows[:5], *(each._replace(number=each.number - 1) for each in rows[6:])], "is missing"),
    "an entry left out": (lambda rows: [*rows[:5], *rows[6:]], "entry 6: it is missing"),
    "two claims changed over": (
        lambda rows: [*rows[:7], rows[8]._replace(number=8), rows[7]._replace(number=9), *rows[9:]], "otherwise"),
    "a table": (lambda rows: [*rows[:5], rows[5]._replace(table="T2"), *rows[6:]], "otherwise"),
    "a kind": (lambda rows: [*rows[:5], rows[5]._replace(kind="reversal"), *rows[6:]], "otherwise"),
    "no hexadecimal": (lambda rows: [*rows[:5], rows[5]._replace(signatures="zz"), *rows[6:]], "entry 6"),
    "no JSON": (lambda rows: [*rows[:5], rows[5]._replace(content="{"), *rows[6:]], "entry 6"),
}  # fmt: skip


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> list[FloorEntry]:
    with Kept.linked(str(tmp_path_factory.mktemp("ledger") / "floor.db"), "T1", "T2") as kept:
        evening(kept)
        return list(kept.reader.entries())


@pytest.mark.parametrize("what", ALTERED)
def test_prog_12_what_was_altered_is_found_even_where_all_was_chained_and_signed_anew(
    ledger: list[FloorEntry], what: str
) -> None:
    assert proved(*chained(ledger)).verified.entries == len(ledger)
    alter, said = ALTERED[what]

    with pytest.raises(FloorError) as caught:
        proved(*chained(alter(ledger)))

    assert caught.value.kind.code == "E-FLOOR-015"
    assert said in str(caught.value)


def test_prog_12_a_chain_is_held_by_its_links_and_its_heads(ledger: list[FloorEntry]) -> None:
    good, heads = chained(ledger)
    changed = [*good[:5], good[5]._replace(at="2026-11-20T06:00:01Z"), *good[6:]]

    for entries, signed, what in (
        (changed, heads, "entry 6: its content or its link was changed"),
        (good, [*heads[:-1], (heads[-1][0], bytes(64))], "the floor did not sign its head"),
        (good, heads[:-1], f"entry {len(good)}: no head signs it"),
        (good[:-1], heads, f"entry {len(good)}: a head signs it and it is not there"),
    ):
        with pytest.raises(FloorError, match=what):
            proved(entries, signed)


# ---------------------------------------------------------------- changed beside it

BESIDE = {
    "an account": "UPDATE balance SET units = units + 1 WHERE account = 'pit.mega'",
    "two accounts": "UPDATE balance SET units = units + CASE account WHEN 'house' THEN 1 ELSE -1 END"
    " WHERE account IN ('house', 'pit.mega')",
    "a table": "UPDATE fact SET body = replace(body, '\"applied\": 3', '\"applied\": 2') WHERE part = 'table'",
    "a part that is gone": "DELETE FROM fact WHERE part = 'grant'",
    "wagers": "UPDATE handled SET cents = cents + 100 WHERE table_name = 'T1'",
    "a sum": "UPDATE moved SET units = units - 1 WHERE account = 'house'",
    "what was said": "UPDATE sent SET signature = x'00'",
}


@pytest.mark.parametrize("what", BESIDE)
def test_prog_12_what_was_altered_beside_the_ledger_is_found(tmp_path: Path, what: str) -> None:
    where = str(tmp_path / "floor.db")
    with Kept.linked(where, "T1", "T2") as kept:
        one, _ = kept.tellers
        kept.tell(one.bets(1, 1, 2), one.hit(1, 1), one.bets(2, 3))
    db = sqlite3.connect(where)
    assert db.execute(BESIDE[what]).rowcount > 0
    db.commit()
    db.close()
    store = open_store(where)

    with pytest.raises(FloorError, match="E-FLOOR-015"):
        verify(store)
    store.close()


# ---------------------------------------------------------------- as a file


def test_prog_12_an_export_proves_the_same_ledger(kept: Kept, tmp_path: Path) -> None:
    evening(kept)
    file = tmp_path / "floor.jsonl"

    written = export(kept.reader, file)

    assert (written.entries, written.link) == (kept.last.number, kept.last.link.hex())
    found = FloorExport(file)
    assert list(found.entries()) == list(kept.reader.entries())
    assert list(found.heads()) == list(kept.reader.heads())
    assert found.key == hex_of(key("floor"))
    proof = FloorProof(found.key)
    proof.prove(found.entries(), found.heads())
    assert proof.desk.last == kept.last
    with pytest.raises(FloorError, match="E-FLOOR-010"):
        export(kept.reader, file)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    with Kept.linked(str(tmp_path / "floor.db"), "T1", "T2") as kept:
        evening(kept)
        path = tmp_path / "floor.jsonl"
        path.write_text("\n".join(lines(kept.reader)) + "\n", encoding="utf-8")
        yield path


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows[:-2],
        lambda rows: [*rows[:3], *rows[4:]],
        lambda rows: [*rows[:4], "{}", *rows[4:]],
        lambda rows: [*rows[:4], "[]", *rows[4:]],
        lambda rows: [each.replace("contribution", "donation") for each in rows],
        lambda rows: [rows[0].replace("sabot_floor", "sabot_pit"), *rows[1:]],
        lambda _rows: [""],
    ],
)
def test_prog_12_a_file_that_was_altered_is_found(file: Path, change: Any) -> None:
    rows = file.read_text(encoding="utf-8").splitlines()
    changed = change(rows)
    file.write_text("\n".join(changed) + "\n", encoding="utf-8")
    assert changed != rows

    with pytest.raises(FloorError, match="E-FLOOR-015"):
        _prove(file)


def _prove(file: Path) -> None:
    found = FloorExport(file)
    FloorProof().prove(found.entries(), found.heads())


def test_prog_12_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FloorError, match="E-FLOOR-010"):
        FloorExport(tmp_path / "none.jsonl")
