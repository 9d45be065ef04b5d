"""The copy on the second medium: kept up, compared, and a table that is held where it contradicts the journal."""

import asyncio
import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from sabot.firmware.credentials import board as boards
from sabot.firmware.credentials.board import Board, Rooms
from sabot.firmware.journal import mirror_file, renew, store
from sabot.firmware.journal.mirror import Mirror, MirrorPicture
from sabot.firmware.journal.mirror_file import MirrorError
from sabot.firmware.journal.second_medium import SecondMedium
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.open_journal import open_journal, start_entry
from sabot.firmware.run.runner import Runner

from .shifts import Kept, StillClock, recording_of
from .tampering import rewrite

PATIENCE_S = 20.0


class Session:
    """A table's program as far as its journal and its second medium go."""

    def __init__(self, rooms: Rooms, board: Board, folder: Path) -> None:
        recording = recording_of("pa641a")
        clock, kept = StillClock(), Kept()
        opened = open_journal(rooms, recording.setup, board)
        self.writer = Writer(rooms.journal, asyncio.get_running_loop(), kept)
        self.runner = kept.runner = Runner(opened.table, self.writer, board, clock)
        self.second = SecondMedium(rooms, folder, board, "TABLE 1", opened.table, self.runner.post, clock.now)
        self.runner.onlookers.append(self.second.look)
        self.runner.subscribers.append(self.second.tell)
        self.writer.start()
        start = start_entry(opened.table, clock.stamp(0.0), "TABLE 1", opened.seeded)
        self.runner.keep(lambda _number, _before: start)
        self.second.begin(self.runner.close_chapter())

    @property
    def holds(self) -> list[tuple[str, str]]:
        return [(held.kind, held.device) for held in self.runner.table.state.trouble.holds]

    async def play(self, first: int, last: int) -> None:
        for each in recording_of("pa641a").events[first:last]:
            self.runner.post(each.event)
            await asyncio.sleep(0)
        await self.settle()

    async def settle(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.writer.waiting or self.second._mirror._newest is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.02)

    async def end(self) -> None:
        self.runner.stop()
        head = self.runner.close_chapter()
        assert await asyncio.to_thread(self.writer.close)
        await asyncio.to_thread(self.second.end, head)


def made(tmp_path: Path) -> tuple[Rooms, Board, Path]:
    folder = tmp_path / "second"
    folder.mkdir(parents=True)
    rooms = Rooms(tmp_path / "state")
    return rooms, boards.prepare(rooms, boards.SIMULATED), folder


async def a_session(rooms: Rooms, board: Board, folder: Path, events: tuple[int, int] = (0, 0)) -> Session:
    session = Session(rooms, board, folder)
    await session.play(*events)
    await session.end()
    return session


def test_the_copy_follows_meters_and_heads(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    rooms.people.write_text(
        json.dumps({"people": [{"number": "11", "name": "ann", "role": "floor", "digest": "x"}]})
    )

    session = asyncio.run(a_session(rooms, board, folder, (0, 200)))

    copy = mirror_file.read_copy(folder, board.public_key)
    assert copy is not None
    assert {name: units for name, units in copy.balances.items() if units} == {
        name: units for name, units in session.runner.table.state.books.ledger.balances.items() if units
    }
    assert copy.rounds == session.runner.table.state.books.rounds
    assert copy.content["people"] == [{"number": "11", "name": "ann", "role": "floor"}]
    with closing(store.open_for_reading(rooms.journal)) as db:
        heads = store.numbers(db, "head", 1, 2**62)
        assert mirror_file.verify_heads(folder / mirror_file.HEADS, db, board.public_key) == len(heads)
        assert (
            mirror_file.compare(copy, db, board.public_key, session.runner.table.state.books.ledger.balances)
            is None
        )


def test_a_table_that_agrees_with_its_copy_is_not_held(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 200)))

    assert asyncio.run(a_session(rooms, board, folder)).holds == []


def test_an_open_round_is_in_the_copy_and_its_cards_are_not(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)

    asyncio.run(a_session(rooms, board, folder, (0, 60)))

    copy = mirror_file.read_copy(folder)
    assert copy is not None
    seen = copy.content["open_round"]
    assert seen["bets"]
    assert seen["counts"]
    assert set(seen.get("public", {})) <= {"dealer"}


def early_copy(tmp_path: Path) -> tuple[Rooms, Board, Path]:
    """A journal put back to an earlier day, behind the copy that was made later."""
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 20)))
    shutil.copytree(rooms.root, tmp_path / "early")
    asyncio.run(a_session(rooms, board, folder, (20, 200)))
    shutil.rmtree(rooms.root)
    shutil.copytree(tmp_path / "early", rooms.root)
    return rooms, board, folder


def test_a_journal_behind_its_copy_holds_the_table_and_the_copy_is_kept(tmp_path: Path) -> None:
    rooms, board, folder = early_copy(tmp_path)
    before = (folder / mirror_file.COPY).read_bytes()

    session = asyncio.run(a_session_settled(rooms, board, folder))

    assert ("contradiction", "second medium") in session.holds
    aside = list(folder.glob(f"aside-*-{mirror_file.COPY}"))
    assert [path.read_bytes() for path in aside] == [before]
    assert asyncio.run(a_session(rooms, board, folder)).holds == session.holds


async def a_session_settled(rooms: Rooms, board: Board, folder: Path) -> Session:
    session = Session(rooms, board, folder)
    async with asyncio.timeout(PATIENCE_S):
        while session.writer.waiting:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.02)
    await session.end()
    return session


def wiped(folder: Path) -> None:
    for each in folder.iterdir():
        each.unlink()


def test_a_blank_medium_in_place_of_the_one_that_was_there_holds_the_table_until_the_floor_has_looked(
    tmp_path: Path,
) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 100)))
    wiped(folder)

    session = asyncio.run(a_session_settled(rooms, board, folder))

    (held,) = session.runner.table.state.trouble.holds
    assert (held.kind, held.device, held.may_be_lifted) == ("contradiction", "second medium", True)
    assert held.why.endswith("has no copy now")


def test_an_older_copy_of_the_same_board_is_not_the_one_that_was_there(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 100)))
    shutil.copytree(folder, tmp_path / "early")
    asyncio.run(a_session(rooms, board, folder, (100, 200)))
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "early", folder)

    session = asyncio.run(a_session_settled(rooms, board, folder))

    assert [(held.kind, held.may_be_lifted) for held in session.runner.table.state.trouble.holds] == [
        ("contradiction", True)
    ]


def test_a_medium_that_is_not_there_at_all_is_no_contradiction(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)

    async def work() -> None:
        session = Session(rooms, board, folder)
        await session.settle()
        assert session.second._missed(None) is None, "the board never saw one"
        await session.end()
        again = Session(rooms, board, folder)
        await again.settle()
        away = folder.rename(tmp_path / "away")
        assert again.second._missed(None) is None
        away.rename(folder)
        assert "has no copy now" in (again.second._missed(None) or "")
        await again.end()

    asyncio.run(work())


def test_a_note_that_somebody_spoilt_holds_the_table(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 100)))
    rooms.second.write_bytes(b"{")

    assert ("contradiction", "second medium") in asyncio.run(a_session_settled(rooms, board, folder)).holds


def test_a_copy_shows_the_round_of_its_entry_and_no_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many events are handled before the first is on the medium: the table is ahead of its copy."""
    rooms, board, folder = made(tmp_path)
    shown: list[tuple[int, int]] = []

    async def at_once() -> None:
        session = Session(rooms, board, folder)
        await session.settle()
        show = Mirror.show

        def look(mirror: Mirror, picture: MirrorPicture) -> None:
            shown.append((picture.entry, picture.rounds))
            show(mirror, picture)

        monkeypatch.setattr(Mirror, "show", look)
        for each in recording_of("pa641a").events[:400]:
            session.runner.post(each.event)
        await session.settle()
        await session.end()

    asyncio.run(at_once())
    with closing(store.open_for_reading(rooms.journal)) as db:
        records = [entry for _, entry in store.rounds(db)]
    assert len(records) > 1
    assert [rounds for entry, rounds in shown if entry in records] == list(range(1, len(records) + 1))


def test_a_copy_of_another_board_holds_the_table(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    other = boards.prepare(Rooms(tmp_path / "other"), boards.SIMULATED)
    content = {"board": other.public_key.hex(), "table": "x", "journal": {"entries": 1, "link": "00" * 32}}
    mirror_file.write_copy(folder, other, content | {"balances": {}, "rounds": 0})

    assert ("contradiction", "second medium") in asyncio.run(a_session_settled(rooms, board, folder)).holds


def test_a_copy_that_cannot_be_read_holds_the_table(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    (folder / mirror_file.COPY).write_bytes(b"{}")

    assert ("contradiction", "second medium") in asyncio.run(a_session_settled(rooms, board, folder)).holds


def test_a_second_medium_that_is_gone_is_a_fault_and_the_table_goes_on(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    folder.rmdir()

    async def without() -> Session:
        session = Session(rooms, board, folder)
        async with asyncio.timeout(PATIENCE_S):
            while not session.holds:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        before = list(session.holds)
        folder.mkdir()
        session.second._mirror._bell.set()
        async with asyncio.timeout(PATIENCE_S):
            while not session.runner.table.state.trouble.holds[0].retested:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await session.settle()
        await session.end()
        assert before == [("device", "second medium")]
        return session

    asyncio.run(without())

    assert mirror_file.read_copy(folder, board.public_key) is not None


# ---------------------------------------------------------------- what even the board's own key cannot do


def test_a_journal_rewritten_with_the_boards_own_key_is_found_by_its_heads(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 200)))
    rewrite(rooms.journal, 17, board)

    with (
        closing(store.open_for_reading(rooms.journal)) as db,
        pytest.raises(MirrorError, match="E-MIRROR-004"),
    ):
        mirror_file.verify_heads(folder / mirror_file.HEADS, db, board.public_key)


@pytest.mark.parametrize("field", ["entries", "link", "signature"])
def test_a_line_of_heads_that_was_altered_is_named(tmp_path: Path, field: str) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 200)))
    path = folder / mirror_file.HEADS
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    lines[1][field] = lines[0][field]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    with (
        closing(store.open_for_reading(rooms.journal)) as db,
        pytest.raises(MirrorError, match=r"E-MIRROR-003 .*:2:"),
    ):
        mirror_file.verify_heads(path, db, board.public_key)


def test_half_a_line_that_a_cut_of_power_left_does_no_harm(tmp_path: Path) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 60)))
    path = folder / mirror_file.HEADS
    path.write_bytes(path.read_bytes() + b'{"entries": 7')

    assert asyncio.run(a_session(rooms, board, folder, (60, 200))).holds == []

    with closing(store.open_for_reading(rooms.journal)) as db:
        heads = len(store.numbers(db, "head", 1, 2**62))
        assert mirror_file.verify_heads(path, db, board.public_key) == heads


@pytest.mark.parametrize(
    ("devices", "comes"), [({"shoe": "ab" * 32}, True), ({}, False), (None, False), ([], False)]
)
def test_keys_of_devices_come_back_where_none_are_enrolled(
    tmp_path: Path, devices: object, comes: bool
) -> None:
    rooms, board, _ = made(tmp_path)
    copy = mirror_file.Copy(board.public_key, "table", 0, b"", {}, 0, "", {"devices": devices})
    assert renew.bring_devices(rooms, copy) is comes
    assert rooms.devices.exists() is comes
    assert renew.bring_devices(rooms, copy) is False


@pytest.mark.parametrize("place", ["content", "signature"])
def test_a_copy_that_was_altered_is_no_copy(tmp_path: Path, place: str) -> None:
    rooms, board, folder = made(tmp_path)
    asyncio.run(a_session(rooms, board, folder, (0, 200)))
    path = folder / mirror_file.COPY
    outer = json.loads(path.read_bytes())
    outer[place] = outer[place].replace("1", "2")
    path.write_text(json.dumps(outer))

    with pytest.raises(MirrorError, match="E-MIRROR-001"):
        mirror_file.read_copy(folder)
