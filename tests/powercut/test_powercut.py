"""A short form of the campaign, from a trace that is kept; and the controls that show that it can see."""

from pathlib import Path
from random import Random

import pytest

from sabot.firmware.journal import recover
from tests.powercut import shift, trace
from tests.powercut.campaign import Verdicts, cuts, is_of_today, judged, keep, kept, whole_files
from tests.powercut.disk import SECTOR, Disk
from tests.powercut.judge import GOES_ON, RECOVERED
from tests.powercut.run import (
    KEPT,
    KEPT_EVENTS,
    KEPT_SHIFT,
    SHORT_EVERY,
    STALE,
    _recording,
    recorded,
    short_trace,
)
from tests.powercut.trace import Op

needs_strace = pytest.mark.skipif(not trace.is_there(), reason=trace.MISSING)


@pytest.fixture(scope="module")
def ops() -> list[Op]:
    found = short_trace()
    if found is None:
        pytest.skip(STALE)
    return found


def short(ops: list[Op], every: int = SHORT_EVERY) -> Verdicts:
    return judged(ops, _recording(KEPT_SHIFT, KEPT_EVENTS), every=every)


def test_no_cut_of_a_short_shift_is_silently_wrong(ops: list[Op]) -> None:
    found = short(ops)

    assert found.lost == []
    assert found.acknowledged == KEPT_EVENTS
    assert sum(found.states.values()) > 100
    assert found.verdicts[RECOVERED] > 80
    assert found.verdicts[GOES_ON] > 5
    assert len(found.states) == 5


def test_a_trace_without_its_syncs_loses_what_was_acknowledged(ops: list[Op]) -> None:
    """The control that needs no strace: the same writes, and nobody waited for the medium."""
    found = short(
        [op for op in ops if op.kind != trace.SYNC or not op.path.endswith("journal.db-wal")], every=3
    )

    assert any("was acknowledged, the journal ends at" in each for each in found.lost), found.report()


@needs_strace
@pytest.mark.parametrize("synchronous", ["FULL", "NORMAL", "OFF"])
def test_only_a_journal_that_waits_for_the_medium_loses_nothing(synchronous: str) -> None:
    found = short(recorded(KEPT_SHIFT, KEPT_EVENTS, synchronous))

    assert found.acknowledged == KEPT_EVENTS
    assert bool(found.lost) == (synchronous != "FULL"), found.report()


# ---------------------------------------------------------------- the medium


def written(*ops: Op) -> Disk:
    disk = Disk()
    for op in ops:
        disk.do(op)
    return disk


NEW = Op(trace.CREATE, "a/b")
OLD = (NEW, Op(trace.WRITE, "a/b", b"x" * 1024), Op(trace.SYNC, "a/b"), Op(trace.SYNC, "a"))


def test_what_was_not_synced_may_be_gone() -> None:
    disk = written(*OLD, Op(trace.WRITE, "a/b", b"y" * 2048))

    assert disk.as_written() == {"a/b": b"y" * 2048}
    assert disk.only_safe() == {"a/b": b"x" * 1024}
    left = {disk.shuffled(Random(seed))["a/b"] for seed in range(40)}
    assert len(left) > 8
    assert all(set(content) <= set(b"xy\0") and len(content) in (1024, 1536, 2048) for content in left)


def test_a_torn_write_ends_at_a_sector_or_at_a_byte() -> None:
    disk = written(*OLD, Op(trace.WRITE, "a/b", b"y" * 1024))

    assert {disk.torn(Random(seed), SECTOR)["a/b"].count(b"y") for seed in range(20)} == {0, 512}
    assert len({disk.torn(Random(seed), 1)["a/b"].count(b"y") for seed in range(20)}) > 10


def test_a_name_is_safe_when_its_folder_was_synced() -> None:
    assert written(*OLD[:3]).only_safe() == {}
    assert set(written(*OLD).only_safe()) == {"a/b"}
    moved = (*OLD, Op(trace.RENAME, "a/b", target="a/c"))
    assert set(written(*moved).only_safe()) == {"a/b"}
    assert set(written(*moved).as_written()) == {"a/c"}
    assert set(written(*moved, Op(trace.SYNC, "a")).only_safe()) == {"a/c"}
    assert written(*OLD, Op(trace.UNLINK, "a/b")).only_safe() == {"a/b": b"x" * 1024}


def test_a_file_that_got_shorter_may_still_be_long() -> None:
    disk = written(*OLD, Op(trace.TRUNCATE, "a/b", offset=10))

    assert disk.as_written() == {"a/b": b"x" * 10}
    assert {len(disk.shuffled(Random(seed))["a/b"]) for seed in range(20)} == {10, 1024}


# ---------------------------------------------------------------- the trace

STRACE = r"""
11 openat(AT_FDCWD</>, "\x2f\x72\x2f\x61", O_RDWR|O_CREAT, 0644) = 3</r/a>
11 pwrite64(3</r/a>, "\x01\x02", 2, 512) = 2
12 fdatasync(3</r/a> <unfinished ...>
11 pwrite64(3</r/a>, "\x03", 1, 0 <unfinished ...>
12 <... fdatasync resumed>) = 0
11 <... pwrite64 resumed>) = 1
11 ftruncate(3</r/a>, 100) = 0
11 write(4</r/acknowledged>, "\x37\x0a", 2) = 2
11 rename("\x2f\x72\x2f\x61", "\x2f\x72\x2f\x62") = 0
11 unlink("\x2f\x72\x2f\x7a") = -1 ENOENT (No such file or directory)
11 write(1</elsewhere>, "\x37", 1) = 1
"""


def test_a_sync_counts_when_it_came_back_and_a_write_when_it_was_asked_for() -> None:
    found = list(trace.operations(STRACE.splitlines(), Path("/r")))

    assert found == [
        Op(trace.CREATE, "a"),
        Op(trace.WRITE, "a", b"\x01\x02", 512),
        Op(trace.WRITE, "a", b"\x03", 0),
        Op(trace.SYNC, "a"),
        Op(trace.TRUNCATE, "a", offset=100),
        Op(trace.ACKNOWLEDGE, "", number=7),
        Op(trace.RENAME, "a", target="b"),
    ]


def test_a_way_of_writing_that_nobody_thought_of_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="not known here"):
        list(trace.operations(["1 sendfile(3</r/a>, 4</r/b>, NULL, 9) = 9"], Path("/r")))


def test_a_trace_of_another_table_is_recognised(monkeypatch: pytest.MonkeyPatch, ops: list[Op]) -> None:
    recording = _recording(KEPT_SHIFT, KEPT_EVENTS)
    assert is_of_today(ops, recording)
    monkeypatch.setattr(recover.codec, "effect_json", lambda _effect: {})  # type: ignore[attr-defined]
    assert not is_of_today(ops, recording)


def test_a_trace_is_kept_and_read_again(tmp_path: Path, ops: list[Op]) -> None:
    keep(tmp_path / "trace.gz", ops, KEPT_EVENTS)
    assert kept(tmp_path / "trace.gz") == (ops, KEPT_EVENTS)
    assert kept(KEPT)[1] == KEPT_EVENTS


def test_a_trace_ends_with_every_file_named_and_cut_states_differ(ops: list[Op]) -> None:
    assert {"state/journal.db", "state/journal.mark", "second/sabot-copy.json"} <= whole_files(ops).keys()
    assert len({index for index, *_ in cuts(ops, 0)}) > len(ops) // 2


def test_the_board_of_a_kept_trace_is_made_from_words(tmp_path: Path) -> None:
    first, second = shift.prepare(tmp_path / "a"), shift.prepare(tmp_path / "b")
    assert first[1].public_key == second[1].public_key
