"""The card: where partitions lie, and that others find them there."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sabot.image import card
from sabot.image.errors import ImageError
from sabot.image.root import board_file


def test_partitions_do_not_overlap_and_start_on_a_mebibyte() -> None:
    ends = [each.start + each.size for each in card.PARTS]
    starts = [each.start for each in card.PARTS]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    assert ends[-1] <= card.SIZE
    assert {each.start % card.MIB for each in card.PARTS} == {0}


def test_slots_are_alike() -> None:
    for one, other in (("boot-a", "boot-b"), ("root-a", "root-b")):
        assert card.part(one).size == card.part(other).size


def test_the_tables_name_every_partition(tmp_path: Path) -> None:
    image = tmp_path / "card.img"
    card.write(image, {})
    found = card.read_tables(image.read_bytes())
    assert [(each.number, each.start, each.size, each.kind) for each in found] == [
        (each.number, each.start, each.size, each.kind) for each in card.PARTS
    ]


def test_fdisk_reads_the_same(tmp_path: Path) -> None:
    if shutil.which("sfdisk") is None:
        pytest.skip("sfdisk is not installed")
    image = tmp_path / "card.img"
    card.write(image, {})
    said = subprocess.run(["sfdisk", "-d", image], capture_output=True, text=True, check=True).stdout
    rows = [
        (int(hit[1]), int(hit[2])) for hit in re.finditer(r"start=\s*(\d+), size=\s*(\d+), type=[^5]", said)
    ]
    assert rows == [(each.start // card.SECTOR, each.size // card.SECTOR) for each in card.PARTS]
    assert "0x5ab07001" in said


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(card.part("boot-a").size + 1)
    with pytest.raises(ImageError, match="boot-a"):
        card.write(tmp_path / "card.img", {"boot-a": large})


def test_the_initramfs_names_the_same_places() -> None:
    said = dict(re.findall(r"(\w+)=(\d{6})\b", board_file("start.sh")))
    sectors = {name: int(value) * card.SECTOR for name, value in said.items()}
    assert sectors["extended_start"] == card.EXTENDED_START
    assert sectors["state_start"] == card.part("state").start
    assert sectors["state_table"] == card.part("state").start - card.MIB
    assert sectors["before_link"] == card.part("settings").start - card.MIB


def test_the_three_rows_that_the_first_boot_rewrites_are_the_lengths_of_the_state(tmp_path: Path) -> None:
    """The places in start.sh, held against the tables: written there, the state has the rest of a larger card."""
    larger = 2 * card.SIZE
    image = tmp_path / "card.img"
    card.write(image, {}, larger)
    data = bytearray(image.read_bytes()[: card.part("state").start])
    table = card.part("state").start - card.MIB
    rows = {
        506: larger - card.EXTENDED_START,
        card.part("settings").start - card.MIB + 474: larger - table,
        table + 458: larger - card.part("state").start,
    }
    for place, length in rows.items():
        data[place : place + 4] = (length // card.SECTOR).to_bytes(4, "little")
    assert card.read_tables(bytes(data))[-1].size == larger - card.part("state").start
    text = board_file("start.sh")
    assert "put32 506 " in text
    assert "before_link * 512 + 474" in text
    assert "state_table * 512 + 458" in text
