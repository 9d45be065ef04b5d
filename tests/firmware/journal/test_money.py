"""Meters out of the journal: every cent explained, retention, and seals opened by two people."""

import asyncio
import json
import os
import shutil
import signal
from contextlib import closing
from pathlib import Path

import pytest

from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.export import prepare
from sabot.firmware.credentials.people import Person
from sabot.firmware.journal import anchor, export, money, retain, store, unseal, verify
from sabot.firmware.journal.appending import direct
from sabot.firmware.journal.authority import Authority, two
from sabot.firmware.journal.books import Books, balances_of
from sabot.firmware.journal.entry import Entry, Stamp
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.firmware.journal.recover import recover
from sabot.rules.cards import NAMES
from sabot.statemachine.state.ledger import Cause, Ledger
from sabot.statemachine.vocabulary.events import CardDrawn, Role, StackDispensed

from .shifts import CHAPTERS, SEALED, Shift, play
from .tampering import change, numbers

STAMP = Stamp("boot-2", "2.000000", "2026-02-02T03:04:05.678Z", trusted=True)
FLOOR, AUDITOR = Person("11", "ann", Role.FLOOR), Person("22", "bob", Role.AUDITOR)
FAR = "9999-01-01T00:00:00.000Z"


def silent(_more: int) -> None:
    return None


def explained(shift: Shift) -> money.Explained:
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        return money.explain(db, shift.board.public_key, silent)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_journal_explains_every_cent_of_a_shift(tmp_path: Path, chapter: str) -> None:
    shift = play(tmp_path, chapter)

    found = explained(shift)

    found.verify(shift.table.state.books.ledger.balances)
    assert {name: units for name, units in found.balances.items() if units} == {
        name: units for name, units in shift.table.state.books.ledger.balances.items() if units
    }


def test_nothing_goes_that_follows_an_entry_which_is_surely_young(tmp_path: Path) -> None:
    """A clock that was set back dates young entries old."""
    path, limit = tmp_path / "journal.db", "2026-01-02T00:00:00.000Z"
    days = ("01", "01", "01", "03", "01", "01")
    store.create(path)
    with closing(store.open_for_writing(path)) as db:
        for number, day in enumerate(days, 1):
            stamp = Stamp("boot", "1.0", f"2026-01-{day}T00:00:00.000Z", trusted=True)
            store.insert(db, [Entry(number, "event", stamp, "{}", b"", bytes(32))])
        for number in (1, 3, 5):
            store.index(db, "head", number)
        assert retain.may_go(db, limit) == 0, "without a snapshot nothing may go"
        store.keep_snapshot(db, 6, bytes(32), b"")
        assert retain.may_go(db, limit) == 3
        assert retain.may_go(db, "2026-01-04T00:00:00.000Z") == 5
        store.keep_snapshot(db, 5, bytes(32), b"")
        assert retain.may_go(db, "2026-01-04T00:00:00.000Z") == 3, "what a start goes on from stays"
        assert retain.may_go(db, "2025-01-01T00:00:00.000Z") == 0


def test_what_an_event_moved_is_the_difference_of_the_days_sums() -> None:
    ledger = Ledger()
    ledger.post("reserve", "prog4.main", 100, Cause("seed", 0))
    kept = Books(ledger)
    assert kept.since(ledger) == {}

    ledger.post("table", "prog4.main", 30, Cause("contribution", 1))
    ledger.post("table", "prog4.main", 5, Cause("contribution", 1))
    assert kept.since(ledger) == {"table": {"contribution": -35}, "prog4.main": {"contribution": 35}}

    ledger.post("table", "prog4.main", 7, Cause("contribution", 1))
    assert kept.since(ledger) == {"table": {"contribution": -7}, "prog4.main": {"contribution": 7}}
    assert kept.since(ledger) == {}

    ledger.moved.clear()  # a new day
    ledger.post("table", "prog4.main", 9, Cause("contribution", 1))
    assert kept.since(ledger) == {"table": {"contribution": -9}, "prog4.main": {"contribution": 9}}


def test_each_entry_that_moves_money_sums_to_nothing(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa641a")

    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        moves = [json.loads(each.body).get("moves", {}) for each in store.entries(db)]

    assert sum(bool(each) for each in moves) > 3
    assert all(sum(balances_of(each).values()) == 0 for each in moves)


def test_a_cent_that_nobody_explains_is_named(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa641a")
    balances = dict(shift.table.state.books.ledger.balances)
    balances["prog4.main"] += 100

    with pytest.raises(JournalError, match=r"E-JRNL-014 meters: meter prog4\.main "):
        explained(shift).verify(balances)


def test_a_sign_that_showed_another_value_is_named_by_its_entry(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa641a")
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        entries = list(store.entries(db))
    place = next(place for place, each in enumerate(entries) if '"SetMeter"' in each.body)
    body = json.loads(entries[place].body)
    effect = next(each for each in body["effects"] if each["effect"] == "SetMeter")
    effect["cents"] += 1
    fields = (entries[place].kind, entries[place].stamp, json.dumps(body), b"", entries[place].link)
    entries[place] = type(entries[place])(entries[place].number, *fields)

    with pytest.raises(JournalError, match=rf"E-JRNL-014 entry {place + 1}: "):
        money.explain_entries(entries)


# ---------------------------------------------------------------- retention


async def retained(shift: Shift, folder: Path, limit: str) -> retain.Retained | None:
    async with direct(shift.rooms.journal) as appender:
        with closing(store.open_for_reading(shift.rooms.journal)) as db:
            return await retain.retain(
                appender,
                db,
                shift.board,
                retain.RetentionOrder(folder, limit, two([FLOOR, AUDITOR], "yearly"), STAMP),
            )


def trusted(shift: Shift) -> None:
    """A shift on a board whose clock is trusted: its entries can be surely old."""
    from .tampering import rewrite  # noqa: PLC0415

    change(shift.rooms.journal, "UPDATE entry SET trusted = 1 WHERE number > 1")
    rewrite(shift.rooms.journal, 2, shift.board)
    change(
        shift.rooms.journal,
        "UPDATE snapshot SET link = (SELECT link FROM entry WHERE number = snapshot.entry)",
    )
    shift.rooms.journal.with_suffix(".mark").unlink()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_what_retention_removes_is_exported_and_the_rest_is_still_proved(
    tmp_path: Path, chapter: str
) -> None:
    shift = play(tmp_path / "state", chapter)
    trusted(shift)
    before = explained(shift)
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        all_of_it = [(each.number, each.link, each.sealed) for each in store.entries(db)]

    done = asyncio.run(retained(shift, tmp_path, FAR))

    assert done is not None
    assert done.removed > 10
    assert (
        done.written.closing.last in numbers(shift.rooms.journal, "head")
        or done.removed == done.written.closing.last
    )
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        assert store.first_of(db) == done.removed + 1
        left = [(each.number, each.link, each.sealed) for each in store.entries(db)]
        verify.verify_journal(db, shift.board.public_key, silent)
        recover(db, shift.recording.setup, shift.board.seal, shift.board.public_key)
    gone = [(each.number, each.link, each.sealed) for each in ImportedExport(done.written.file).entries()]
    assert gone + left[:-1] == all_of_it
    assert explained(shift).moves == before.moves


def test_after_retention_a_consoles_export_begins_with_what_is_left(tmp_path: Path) -> None:
    shift = play(tmp_path / "state", CHAPTERS[0])
    trusted(shift)
    done = asyncio.run(retained(shift, tmp_path, FAR))
    assert done is not None

    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        making = prepare(db, shift.rooms, "", "")
        left = store.entries(db, making.part.first, making.part.last)
        lines = [making.header(db), *map(making.entry, left), making.closing()]
        with pytest.raises(ConsoleError, match=f"no entry 1 among {done.removed + 1} to "):
            prepare(db, shift.rooms, "1", "")

    file = tmp_path / "console.jsonl"
    file.write_bytes(b"".join(lines))
    found = ImportedExport(file, shift.board.public_key).verify(silent)
    assert (found.first, found.entries) == (done.removed + 1, len(lines) - 2)


def test_the_rest_exports_with_its_anchor_and_is_proved_by_itself(tmp_path: Path) -> None:
    shift = play(tmp_path / "state", "pa641a")
    trusted(shift)
    asyncio.run(retained(shift, tmp_path, FAR))
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        written = export.export(db, tmp_path / "rest.jsonl", export.whole(db), shift.board)

    reader = ImportedExport(written.file, shift.board.public_key)

    assert reader.verify(silent).first == written.closing.first > 1
    assert reader.carried_moves


def test_nothing_goes_whose_age_nobody_can_vouch_for(tmp_path: Path) -> None:
    shift = play(tmp_path / "state", "pa641a")

    assert asyncio.run(retained(shift, tmp_path, FAR)) is None
    trusted(shift)
    assert asyncio.run(retained(shift, tmp_path, "2000-01-01T00:00:00.000Z")) is None


def test_nothing_goes_where_the_export_cannot_be_written(tmp_path: Path) -> None:
    shift = play(tmp_path / "state", "pa641a")
    trusted(shift)

    with pytest.raises(Exception, match="E-CLI-005"):
        asyncio.run(retained(shift, tmp_path / "nowhere", FAR))

    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        assert store.first_of(db) == 1
        assert store.anchor_entry(db) is None


def test_an_anchor_that_was_altered_is_no_anchor(tmp_path: Path) -> None:
    shift = play(tmp_path / "state", "pa641a")
    trusted(shift)
    asyncio.run(retained(shift, tmp_path, FAR))
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        noted = store.anchor_entry(db)
        assert noted is not None
        entry = store.entry(db, noted)
    assert entry is not None
    body = json.loads(entry.body)
    body["entries"] -= 1

    with pytest.raises(JournalError, match=r"E-JRNL-005 .*not this board's word"):
        anchor.verify_body(entry.number, json.dumps(body), shift.board.public_key)


def test_a_removal_that_was_interrupted_is_finished_later(tmp_path: Path) -> None:
    shift = play(tmp_path / "state", "pa641a")
    trusted(shift)
    shutil.copy(shift.rooms.journal, tmp_path / "before.db")
    done = asyncio.run(retained(shift, tmp_path, FAR))
    assert done is not None
    change(
        shift.rooms.journal,
        f"ATTACH '{tmp_path / 'before.db'}' AS old",
        f"INSERT INTO entry SELECT * FROM old.entry WHERE number BETWEEN {done.removed - 5} AND {done.removed}",
    )
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        verify.verify_journal(db, shift.board.public_key, silent)

    assert asyncio.run(retained(shift, tmp_path, FAR)) is None

    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        assert store.first_of(db) == done.removed + 1


def cut_before_the_anchor(shift: Shift, folder: Path) -> None:
    """A process that retains, and is killed when the export is proved and no anchor is there."""
    child = os.fork()
    if not child:
        anchor.draft = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
        try:
            asyncio.run(retained(shift, folder, FAR))
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def test_an_export_whose_anchor_never_came_is_in_nobodys_way(tmp_path: Path) -> None:
    shift, folder = play(tmp_path / "state", "pa641a"), tmp_path / "exports"
    trusted(shift)
    folder.mkdir()
    for _ in range(2):
        cut_before_the_anchor(shift, folder)
    left = {path: path.read_bytes() for path in folder.iterdir()}
    assert len(left) == 2

    done = asyncio.run(retained(shift, folder, FAR))

    assert done is not None
    assert done.written.file not in left
    assert {path: path.read_bytes() for path in left} == left
    ImportedExport(done.written.file, shift.board.public_key).verify(silent)
    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        assert store.first_of(db) == done.removed + 1
        entry = store.entry(db, done.anchor)
        verify.verify_journal(db, shift.board.public_key, silent)
    assert entry is not None
    assert json.loads(entry.body)["export"] == done.written.file.name


# ---------------------------------------------------------------- seals


async def opened(shift: Shift, number: int, authority: Authority) -> list[unseal.UnsealedRound]:
    async with direct(shift.rooms.journal) as appender:
        with closing(store.open_for_reading(shift.rooms.journal)) as db:
            return await unseal.unseal(appender, db, shift.board.seal, number, authority, STAMP)


@pytest.mark.parametrize("chapter", SEALED)
def test_two_people_open_the_cards_of_a_closed_round_and_the_journal_says_so(
    tmp_path: Path, chapter: str
) -> None:
    shift = play(tmp_path, chapter)

    found = asyncio.run(opened(shift, 1, two((FLOOR, AUDITOR), "dispute at seat 3")))

    with closing(store.open_for_reading(shift.rooms.journal)) as db:
        span = store.entries_of_round(db, 1)
        last = store.entry(db, store.last_of(db)[0])
    assert span is not None
    assert last is not None
    said = json.loads(last.body)
    assert (last.kind, said["round"], said["cause"]) == ("unsealed", 1, "dispute at seat 3")
    assert [each["number"] for each in said["by"]] == ["11", "22"]
    drawn = [each.event for each in shift.recording.events]
    known = [each for each in drawn if isinstance(each, CardDrawn | StackDispensed)]
    names = [NAMES[card.card] for each in known if isinstance(each, StackDispensed) for card in each.cards]
    names += [NAMES[each.card.card] for each in known if isinstance(each, CardDrawn) and each.card]
    shown = json.dumps([each.event for each in found])
    assert found
    assert sum(shown.count(f'"{name}"') for name in set(names)) >= len(found)
    assert all(span[0] <= each.number <= span[1] for each in found)


@pytest.mark.parametrize(
    ("people", "cause"),
    [
        ((FLOOR, FLOOR), "why"),
        ((FLOOR, Person("33", "eve", Role.FLOOR)), "why"),
        ((FLOOR, Person("44", "dan", Role.DEALER)), "why"),
        ((FLOOR,), "why"),
        ((FLOOR, AUDITOR), "  "),
        ((FLOOR, AUDITOR), "line\nbreak"),
    ],
)
def test_nobody_opens_a_seal_alone_or_without_a_cause(people: tuple[Person, ...], cause: str) -> None:
    with pytest.raises(JournalError, match="E-JRNL-013"):
        two(people, cause)


def test_a_round_that_is_not_closed_stays_sealed(tmp_path: Path) -> None:
    shift = play(tmp_path, "pa641a", last=55)

    with pytest.raises(JournalError, match="E-JRNL-012"):
        asyncio.run(opened(shift, 1, two((FLOOR, AUDITOR), "why")))
    assert numbers(shift.rooms.journal, "unsealed") == []
