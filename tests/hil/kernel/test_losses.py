"""Whether the campaigns can see: a disk with a real journal on it, whole, short, damaged, and gone."""

import shutil
import subprocess
from pathlib import Path

import pytest

from journal import shifts
from sabot.firmware.journal import store
from sabot.hil.kernel.blocklog import Write
from sabot.hil.kernel.cuts import Tables, judge, make_disk
from sabot.hil.kernel.kills import SeenAtKill, seen_in
from sabot.hil.kernel.promise import CHAPTERS, PAGE, PLACE, Promise, promised, up_to

TREE = Path(__file__).resolve().parents[3]
needs_e2fsprogs = pytest.mark.skipif(
    not Path("/sbin/debugfs").exists() or not Path("/sbin/mkfs.ext4").exists(),
    reason="e2fsprogs is not installed here",
)
NUMBER = CHAPTERS.index("pa679a")


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables(TREE)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, int]:
    """A folder with the state of a table, and the number of its last entry."""
    root = tmp_path / "disk" / CHAPTERS[NUMBER]
    root.mkdir(parents=True)
    shift = shifts.play(root, CHAPTERS[NUMBER])
    db = store.open_for_reading(shift.rooms.journal)
    last = store.last_of(db)[0]
    db.close()
    return root, last


def image_of(tmp_path: Path) -> Path:
    image = tmp_path / "image"
    make_disk(image)
    words = ["-q", "-F", "-b", "4096", "-d", str(tmp_path / "disk"), str(image), "64M"]
    subprocess.run(["/sbin/mkfs.ext4", *words], check=True)
    return image


@needs_e2fsprogs
def test_a_whole_journal_keeps_its_promises(tmp_path: Path, tables: Tables, played: tuple[Path, int]) -> None:
    _root, last = played

    assert judge(image_of(tmp_path), tmp_path / "left", tables, {NUMBER: last}) == ((), ())


@needs_e2fsprogs
def test_one_entry_less_than_was_promised_is_a_loss(
    tmp_path: Path, tables: Tables, played: tuple[Path, int]
) -> None:
    _root, last = played

    lost, broken = judge(image_of(tmp_path), tmp_path / "left", tables, {NUMBER: last + 1})

    assert lost == (f"pa679a: 1 of {last + 1} entries",)
    assert broken == ()


@needs_e2fsprogs
def test_a_damaged_journal_is_not_taken_for_a_whole_one(
    tmp_path: Path, tables: Tables, played: tuple[Path, int]
) -> None:
    root, last = played
    raw = bytearray((root / "journal.db").read_bytes())
    raw[4096:8192] = bytes(4096)
    (root / "journal.db").write_bytes(raw)

    lost, broken = judge(image_of(tmp_path), tmp_path / "left", tables, {NUMBER: last})

    assert lost == ()
    assert "E-JRNL-002" in broken[0]


@needs_e2fsprogs
def test_a_journal_that_is_gone_is_broken(tmp_path: Path, tables: Tables, played: tuple[Path, int]) -> None:
    root, last = played
    for each in root.glob("journal.*"):
        each.unlink()
    shutil.rmtree(root / "keys")

    _lost, broken = judge(image_of(tmp_path), tmp_path / "left", tables, {NUMBER: last})

    assert len(broken) == 1


@needs_e2fsprogs
def test_a_file_system_beyond_repair_is_broken(tmp_path: Path, tables: Tables) -> None:
    image = tmp_path / "image"
    image.write_bytes(bytes(1 << 20))

    _lost, broken = judge(image, tmp_path / "left", tables, {NUMBER: 1})

    assert "beyond repair" in broken[0]


# ---------------------------------------------------------------- what had been promised


def test_a_promise_is_found_where_it_was_put_and_nowhere_else() -> None:
    raw = Promise(3, 1234567890123).encode().ljust(PAGE, b"\0")

    assert Promise.of(Write(PLACE, raw, 0)) == Promise(3, 1234567890123)
    assert Promise.of(Write(PLACE + 512, raw, 0)) is None
    assert Promise.of(Write(PLACE, bytes(PAGE), 0)) is None


def test_only_what_stands_before_a_cut_had_been_promised() -> None:
    raw = [Promise(table, entry).encode() for table, entry in ((0, 1), (0, 2), (1, 1))]
    log = [Write(PLACE, raw[0], 0), Write(0, b"x", 0), Write(PLACE, raw[1], 0), Write(PLACE, raw[2], 0)]
    promises = promised(log)

    assert [up_to(promises, place) for place in range(5)] == [
        {},
        {0: 1},
        {0: 1},
        {0: 2},
        {0: 2, 1: 1},
    ]


def test_what_people_saw_is_the_last_whole_line_of_each() -> None:
    link = "ab" * 32
    lines = ["noise", f"ENTRY 7 {link}", "ROUND 1", f"ENTRY 9 {link}", "ENTRY 11 abab", "ROUND 2", "ROUN"]

    assert seen_in(lines) == SeenAtKill(2, 9, link)
    assert seen_in([]) == SeenAtKill(0, 0, "")
