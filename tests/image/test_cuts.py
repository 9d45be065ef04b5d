"""Cards after a cut of power: made from a log of writes, judged without a start."""

import shutil
import struct
from pathlib import Path
from random import Random

import pytest

from sabot.hil.kernel.blocklog import DISCARD, FLUSH, MAGIC, SECTOR
from sabot.image import card
from sabot.image.after_cut import CutJudge
from sabot.image.card_log import CardLog
from sabot.image.emulator import CardImage
from sabot.image.errors import ImageError
from sabot.image.run import PLACES, run
from tests.image import tiny
from tests.image.test_tiny_image import GONE

needs_tools = pytest.mark.skipif(
    bool(GONE) or shutil.which("debugfs", path=PLACES) is None, reason="not every program is installed"
)
ONE, TWO = b"\1" * SECTOR, b"\2" * SECTOR
WRITES = ((0, ONE, 0), (0, b"", FLUSH), (1, TWO * 4, 0), (0, TWO, 0), (0, b"", FLUSH), (5, ONE, 0))


def log_of(folder: Path, *writes: tuple[int, bytes, int]) -> CardLog:
    """Return a log as QEMU writes it (docs: Linux' dm-log-writes) over a card of eight empty sectors."""
    before, log = folder / "before", folder / "log"
    before.write_bytes(bytes(8 * SECTOR))
    data = struct.pack("<QQQI", MAGIC, 1, len(writes), SECTOR).ljust(SECTOR, b"\0")
    for sector, content, flags in writes:
        head = struct.pack("<QQQQ", sector, len(content) // SECTOR, flags, len(content))
        data += head.ljust(SECTOR, b"\0") + content
    log.write_bytes(data)
    return CardLog(before, log)


def cut(log: CardLog, instant: int, seed: int, folder: Path) -> tuple[bytes, int]:
    (found,) = log.cuts([instant], Random(seed), folder / "cut")
    return found.image.read_bytes(), found.floating


def test_what_was_flushed_is_there_after_every_cut(tmp_path: Path) -> None:
    log = log_of(tmp_path, *WRITES)
    for seed in range(20):
        assert cut(log, 2, seed, tmp_path) == (ONE + bytes(7 * SECTOR), 0)
        assert cut(log, 4, seed, tmp_path)[0][:SECTOR] in (ONE, TWO)
        assert cut(log, 5, seed, tmp_path)[0][: 5 * SECTOR] == TWO * 5


def test_what_was_not_flushed_is_there_or_missing_sector_by_sector(tmp_path: Path) -> None:
    log = log_of(tmp_path, *WRITES)
    found = {cut(log, 3, seed, tmp_path)[0][SECTOR : 5 * SECTOR] for seed in range(200)}
    assert len(found) == 2**4
    assert cut(log, 3, 1, tmp_path)[1] == 1


def test_several_cuts_of_one_log_come_in_the_order_of_their_instants(tmp_path: Path) -> None:
    log = log_of(tmp_path, *WRITES)
    found = [
        (each.instant, each.image.read_bytes()) for each in log.cuts([5, 2], Random(1), tmp_path / "cut")
    ]
    assert found == [(2, ONE + bytes(7 * SECTOR)), (5, TWO * 5 + bytes(3 * SECTOR))]


def test_instants_are_found_by_the_length_of_the_log_and_by_the_place(tmp_path: Path) -> None:
    log = log_of(tmp_path, *WRITES)
    assert [log.instant(size * SECTOR) for size in (0, 1, 3, 4, 8, 9, 100)] == [0, 0, 1, 2, 2, 3, 6]
    assert log.touching(0, SECTOR) == [1, 4]
    assert log.touching(4 * SECTOR, 2 * SECTOR) == [6]


def test_what_is_discarded_has_no_data_in_the_log(tmp_path: Path) -> None:
    log = log_of(tmp_path, (0, ONE * 2, 0), (0, b"", FLUSH))
    data = (tmp_path / "log").read_bytes()
    data += struct.pack("<QQQQ", 0, 1, DISCARD, SECTOR).ljust(SECTOR, b"\0")
    (tmp_path / "log").write_bytes(data[:16] + (3).to_bytes(8, "little") + data[24:])
    log = CardLog(tmp_path / "before", tmp_path / "log")
    assert [log.instant(size * SECTOR) for size in (4, 5, 6)] == [1, 2, 3]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return a card of the tiny board whose state was made, with nothing in it."""
    image = tiny.image(tmp_path)
    state = tmp_path / "state"
    with state.open("wb") as file:
        file.truncate(card.part("state").size)
    run("mke2fs", "-q", "-t", "ext4", state)
    lay(image, card.part("state").start, state.read_bytes())
    return image


def lay(image: Path, place: int, data: bytes) -> None:
    with image.open("r+b") as file:
        file.seek(place)
        file.write(data)


def judge(folder: Path) -> CutJudge:
    return CutJudge(tiny.key().public_key(), folder / "judge")


@needs_tools
def test_a_card_that_was_not_cut_starts_its_slot_at_once(made: Path, tmp_path: Path) -> None:
    found = judge(tmp_path).judge(made)
    assert (found.slot, found.version, found.starts, found.rounds) == ("A", "1.2.3", 1, 0)


@needs_tools
def test_a_slot_that_is_not_whole_is_left_for_the_other(made: Path, tmp_path: Path) -> None:
    variables = CardImage(made, tmp_path)
    variables.set_variables({"BOOT_ORDER": "B A", "BOOT_A_LEFT": "3", "BOOT_B_LEFT": "2"})
    found = judge(tmp_path).judge(variables.image)
    assert (found.slot, found.starts) == ("A", 3)


@needs_tools
def test_where_no_slot_starts_each_is_named_with_its_reason(made: Path, tmp_path: Path) -> None:
    lay(made, card.part("root-a").start + 3000, b"x")
    with pytest.raises(ImageError, match=r"no slot starts: .*'A'.*'B'"):
        judge(tmp_path).judge(made)


@needs_tools
def test_a_state_that_cannot_be_repaired_is_an_objection(made: Path, tmp_path: Path) -> None:
    lay(made, card.part("state").start, bytes(1 << 20))
    with pytest.raises(ImageError, match="e2fsck"):
        judge(tmp_path).judge(made)
