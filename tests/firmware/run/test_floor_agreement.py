"""The journal of a table's program and the ledger of a real floor, exported both and held against each other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.floor.keeping import Kept
from tests.floor.making import Teller, key
from tests.uplink.program_site import SETUP, Played, site, to_the_hit

from sabot.cli import main
from sabot.firmware.credentials.board import SIMULATED, Rooms, load
from sabot.firmware.journal import export as journal_export
from sabot.firmware.journal import store
from sabot.floor.export import export as floor_export
from sabot.floor.wire import hex_of
from sabot.statemachine.vocabulary import effects as ef

FLOOR_KEY = hex_of(key("floor"))


class Evening(NamedTuple):
    """What an evening left: the export of the table's journal, and that of the floor's ledger."""

    journal: Path
    floor: Path
    table: Path


async def _played(root: Path, floor: Kept) -> None:
    """A round with a hit, a second that is void, a third under way."""
    shift = Played(setup=SETUP)
    shift.open_table()
    shift.link()
    opening, round_ = to_the_hit(shift)
    async with site(root, floor) as here:
        here.play(opening)
        await here.until(lambda: here.link.thread.is_alive() and (here.rooms.root / "link").exists())
        here.call()
        await here.until(lambda: here.is_open)
        here.play(round_)
        await here.until(lambda: bool(here.seen(ef.FreezeHit)))
        shift.grant(cents=1_000_010)
        shift.floor("VALIDATE HIT", person="f7")
        here.play(shift.taken())
        await here.until(lambda: floor.reader.load().state().tables["T1"].applied == 3)


def exported(root: Path, file: Path) -> Path:
    rooms = Rooms(root)
    with closing(store.open_for_reading(rooms.journal)) as db:
        journal_export.export(db, file, journal_export.whole(db), load(rooms, SIMULATED))
    return file


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    with Kept.linked(str(folder / "floor.db"), "T1", "T2") as floor:
        asyncio.run(_played(folder / "table", floor))
        floor_export(floor.reader, folder / "floor.jsonl")
        journal = exported(folder / "table", folder / "t1.jsonl")
        yield Evening(journal, folder / "floor.jsonl", folder / "table")


def asked(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> Any:
    assert main([str(each) for each in words] + ["--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_prog_6_the_floor_is_proved_against_the_journal_of_its_table(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    found = asked(capsys, "floor", "verify", "--file", evening.floor, "--journals", evening.journal)

    (each,) = found["journals"]
    assert found["good"] is True
    assert (each["table"], each["same"], each["answers"], each["differences"]) == ("T1", 3, 1, [])
    assert (each["wagers"], each["cents"], each["units"]) == (1, 100, 21 * 10_000)
    assert (each["older"], each["waiting"], each["beyond"], found["not_in_journals"]) == (0, 0, 0, [])
    main(["floor", "verify", "--file", str(evening.floor), "--journals", str(evening.journal)])
    assert "TABLES AND FLOOR AGREE" in capsys.readouterr().out


def test_prog_6_a_table_is_proved_against_the_floor(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("journal", "verify", "--floor", evening.floor, "--floor-key", FLOOR_KEY)

    by_export = asked(capsys, *words, "--file", evening.journal)
    by_state = asked(capsys, *words, "--state", evening.table)

    assert by_export["journals"][0]["same"] == by_state["journals"][0]["same"] == 3
    assert by_export["good"] is by_state["good"] is True
    assert main([*map(str, words[:4]), "--file", str(evening.journal)]) == 2
    assert "the floor's public key" in capsys.readouterr().err


def test_prog_6_another_floor_that_heard_something_else_of_this_board_differs(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ledger that is whole in itself, by somebody who has the keys of floor and table."""
    said = [
        json.loads(line)["content"]
        for line in evening.floor.read_text().splitlines()
        if '"table": "T1"' in line
    ]
    told = [json.loads(each) for each in said]
    with Kept.linked(str(tmp_path / "floor.db"), "T1", "T2") as other:
        teller = Teller("T1")
        seat, wager, cents = told[0]["spots"][0]
        more = [*told[0]["spots"], [seat + 1, wager, cents]]
        keep = {"journal": told[0]["journal"]}
        other.take(teller.say("contribution", round=told[0]["round"], spots=more, **keep))
        floor_export(other.reader, tmp_path / "other.jsonl")

    found = asked(
        capsys, "floor", "verify", "--file", tmp_path / "other.jsonl", "--journals", evening.journal, code=1
    )

    (each,) = found["journals"]
    assert found["good"] is False
    assert "spots is" in each["differences"][0]
    told_of = asked(
        capsys, "journal", "verify", "--file", evening.journal, "--floor", tmp_path / "other.jsonl",
        "--floor-key", FLOOR_KEY, code=1,
    )  # fmt: skip
    assert told_of["good"] is False


def test_prog_6_a_ledger_that_was_altered_is_no_ledger_for_either_side(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(evening.floor.read_text().replace("contribution", "donation", 1))

    found = asked(capsys, "floor", "verify", "--file", broken, "--journals", evening.journal, code=1)
    assert found["code"] == "E-FLOOR-015"
    found = asked(
        capsys,
        "journal",
        "verify",
        "--file",
        evening.journal,
        "--floor",
        broken,
        "--floor-key",
        FLOOR_KEY,
        code=1,
    )
    assert found["code"] == "E-FLOOR-015"


def test_prog_6_a_journal_that_was_altered_is_named(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "t1.jsonl"
    broken.write_text(evening.journal.read_text().replace("ContributeToLink", "ContributeToSink", 1))

    found = asked(capsys, "floor", "verify", "--file", evening.floor, "--journals", broken, code=1)

    assert found["code"].startswith("E-JRNL")


def test_prog_6_a_journal_of_a_stranger_and_messages_in_no_journal_are_said(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Kept.linked(str(tmp_path / "floor.db"), "T2") as other:
        (two,) = other.tellers
        other.tell(two.bets(1, 1), two.bets(2, 1))
        floor_export(other.reader, tmp_path / "other.jsonl")

    found = asked(
        capsys, "floor", "verify", "--file", tmp_path / "other.jsonl", "--journals", evening.journal, code=1
    )

    assert found["strangers"] == [
        f"{evening.journal} is of board {hex_of(key('T1'))[:8]}, which no table here has had"
    ]
    assert found["not_in_journals"] == [{"table": "T2", "board": hex_of(key("T2")), "messages": [1, 2]}]
