"""The log of writes, and what a cut leaves of them: on logs made here, byte by byte, as QEMU writes them."""

import io
import struct
from pathlib import Path

import pytest

from sabot.hil.kernel.blocklog import (
    DISCARD,
    FLUSH,
    FUA,
    MAGIC,
    MARK,
    SECTOR,
    Disk,
    LogError,
    Write,
    read_log,
)

A, B, C = (bytes([letter]) * SECTOR for letter in b"abc")


def log_of(*writes: tuple[int, bytes, int], sectors: int | None = None) -> io.BytesIO:
    """A log as the block filter writes it; a discard has a size and no data."""
    out = struct.pack("<QQQI", MAGIC, 1, len(writes), SECTOR).ljust(SECTOR, b"\0")
    for sector, data, flags in writes:
        count = sectors if sectors is not None and flags & DISCARD else len(data) // SECTOR
        out += struct.pack("<QQQQ", sector, count, flags, 0).ljust(SECTOR, b"\0")
        out += b"" if flags & DISCARD else data
    return io.BytesIO(out)


def disk_after(tmp_path: Path, writes: list[Write], place: int, *, keeps: bool) -> bytes:
    image, copy = tmp_path / "image", tmp_path / "copy"
    image.write_bytes(bytes(8 * SECTOR))
    disk = Disk(image, writes)
    disk.go_to(place)
    copy.write_bytes(image.read_bytes())
    disk.cut(copy, lambda: keeps)
    return copy.read_bytes()


def test_a_log_is_read_in_order_with_its_flags() -> None:
    found = read_log(log_of((1, A + B, 0), (0, b"", FLUSH), (5, C, FUA)))

    assert found == [Write(SECTOR, A + B, 0), Write(0, b"", FLUSH), Write(5 * SECTOR, C, FUA)]
    assert [each.is_flush for each in found] == [False, True, False]
    assert [each.is_forced for each in found] == [False, False, True]


def test_a_discard_is_zeros_and_has_no_data_in_the_log() -> None:
    found = read_log(log_of((2, b"", DISCARD), (1, A, 0), sectors=3))

    assert found == [Write(2 * SECTOR, bytes(3 * SECTOR), DISCARD), Write(SECTOR, A, 0)]


def test_a_mark_writes_nothing(tmp_path: Path) -> None:
    writes = read_log(log_of((0, A, MARK)))

    assert disk_after(tmp_path, writes, 1, keeps=True) == bytes(8 * SECTOR)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"x" * SECTOR,
        struct.pack("<QQQI", MAGIC, 2, 0, SECTOR).ljust(SECTOR, b"\0"),
        log_of((1, A, 0)).getvalue()[:-1],
        log_of((1, A, 0)).getvalue()[: SECTOR + 10],
    ],
    ids=["empty", "other", "version", "data-cut", "entry-cut"],
)
def test_what_is_no_whole_log_is_refused(raw: bytes) -> None:
    with pytest.raises(LogError):
        read_log(io.BytesIO(raw))


def test_all_before_a_flush_is_there_whatever_the_cut_takes(tmp_path: Path) -> None:
    writes = [Write(0, A, 0), Write(SECTOR, B, 0), Write(0, b"", FLUSH), Write(2 * SECTOR, C, 0)]

    left = disk_after(tmp_path, writes, 4, keeps=False)

    assert left[: 3 * SECTOR] == A + B + bytes(SECTOR)


def test_before_its_flush_a_write_may_be_gone(tmp_path: Path) -> None:
    writes = [Write(0, A, 0), Write(0, b"", FLUSH)]

    assert disk_after(tmp_path, writes, 1, keeps=False)[:SECTOR] == bytes(SECTOR)
    assert disk_after(tmp_path, writes, 1, keeps=True)[:SECTOR] == A


def test_a_forced_write_is_there_and_takes_nothing_with_it(tmp_path: Path) -> None:
    writes = [Write(0, A, 0), Write(SECTOR, B, FUA)]

    assert disk_after(tmp_path, writes, 2, keeps=False)[: 2 * SECTOR] == bytes(SECTOR) + B


def test_a_write_is_torn_by_the_sector(tmp_path: Path) -> None:
    image, copy = tmp_path / "image", tmp_path / "copy"
    image.write_bytes(bytes(8 * SECTOR))
    copy.write_bytes(image.read_bytes())
    disk = Disk(image, [Write(SECTOR, A + B + C, 0)])
    disk.go_to(1)
    answers = iter((True, False, True))

    disk.cut(copy, lambda: next(answers))

    assert copy.read_bytes()[: 5 * SECTOR] == bytes(SECTOR) + A + bytes(SECTOR) + C + bytes(SECTOR)


def test_a_disk_goes_on_from_where_it_was(tmp_path: Path) -> None:
    image = tmp_path / "image"
    image.write_bytes(bytes(8 * SECTOR))
    disk = Disk(image, [Write(0, A, 0), Write(0, B, 0), Write(0, b"", FLUSH), Write(0, C, 0)])

    floating = []
    for place in (1, 2, 3, 4):
        disk.go_to(place)
        floating.append(disk.floating)

    assert floating == [1, 2, 0, 1]
    assert image.read_bytes()[:SECTOR] == B
