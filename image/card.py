"""The card: an MBR, because the boot ROM of a Pi 3 knows nothing else, and where each partition lies.

The numbers of the partitions are a contract with initramfs, U-Boot's script and RAUC. The image ends before
the state partition does: its content is made by the first boot, so a card of any size will do.
"""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sabot.image.errors import ImageError

SECTOR, MIB = 512, 1 << 20
FIRST_LOGICAL = 5
DISK_ID = 0x5AB07001
FAT32_LBA, EXTENDED, LINUX = 0x0C, 0x05, 0x83


class CardPart(NamedTuple):
    """A partition: its number, what it is for, where it starts and how long it is."""

    number: int
    name: str
    start: int
    size: int
    kind: int


# In MiB. A root may grow by half before the layout has to change.
PARTS = tuple(
    CardPart(number, name, start * MIB, size * MIB, kind)
    for number, name, start, size, kind in (
        (1, "firmware", 4, 28, FAT32_LBA),
        (2, "boot-a", 32, 48, FAT32_LBA),
        (3, "boot-b", 80, 48, FAT32_LBA),
        (5, "root-a", 132, 128, LINUX),
        (6, "root-b", 264, 128, LINUX),
        (7, "settings", 396, 8, FAT32_LBA),
        (8, "state", 408, 100, LINUX),
    )
)
EXTENDED_START = 128 * MIB
# QEMU wants a card of a power of two; a real one is larger, and the first boot lets the state have the rest.
SIZE = 512 * MIB


def part(name: str) -> CardPart:
    """Return a partition by its name."""
    return next(each for each in PARTS if each.name == name)


def partition_tables(size: int = SIZE) -> dict[int, bytes]:
    """Return the sectors that say where the partitions are, by their place in the image.

    A table has room for four. The fourth row of the first one holds all others (from 5 on) as a chain: each
    begins with a table of its own, whose first row is the partition and whose second leads to the next. A
    place in the first row counts from that table, in the second from the beginning of the chain.
    """
    primary = [each for each in PARTS if each.number < FIRST_LOGICAL]
    logical = [each for each in PARTS if each.number >= FIRST_LOGICAL]
    rows = [_row(each.kind, each.start, each.size, is_bootable=each.number == 1) for each in primary]
    rows.append(_row(EXTENDED, EXTENDED_START, size - EXTENDED_START))
    tables = {0: _table(rows, DISK_ID)}
    # A table of the chain lies a MiB before its partition; the first lies where the chain begins.
    places = [EXTENDED_START, *(each.start - MIB for each in logical[1:])]
    for count, (place, each) in enumerate(zip(places, logical, strict=True)):
        rows = [_row(each.kind, each.start - place, each.size)]
        if count + 1 < len(logical):
            after = logical[count + 1]
            end = after.start + after.size
            rows.append(_row(EXTENDED, places[count + 1] - EXTENDED_START, end - places[count + 1]))
        tables[place] = _table(rows, 0)
    return tables


def _row(kind: int, start: int, size: int, *, is_bootable: bool = False) -> bytes:
    """Return a row of a table; cylinders and heads mean nothing any more."""
    flag = 0x80 if is_bootable else 0
    return struct.pack(
        "<B3sB3sII", flag, b"\xfe\xff\xff", kind, b"\xfe\xff\xff", start // SECTOR, size // SECTOR
    )


def _table(rows: list[bytes], disk_id: int) -> bytes:
    return bytes(440) + struct.pack("<IH", disk_id, 0) + b"".join(rows).ljust(64, b"\0") + b"\x55\xaa"


def read_tables(data: bytes) -> list[CardPart]:
    """Return the partitions of an image as another program would find them, without our names."""
    found, number, extended = [], 1, 0
    for kind, start, size in _rows(data, 0):
        if kind == EXTENDED:
            extended = start
        elif kind:
            found.append(CardPart(number, "", start, size, kind))
        number += 1
    place, number = extended, FIRST_LOGICAL
    while place:
        rows = _rows(data, place)
        found.append(CardPart(number, "", place + rows[0][1], rows[0][2], rows[0][0]))
        place = extended + rows[1][1] if rows[1][0] else 0
        number += 1
    return found


def _rows(data: bytes, place: int) -> list[tuple[int, int, int]]:
    table = data[place + 446 : place + 510]
    rows = struct.iter_unpack("<4xB3xII", table)
    return [(kind, start * SECTOR, size * SECTOR) for kind, start, size in rows]


def write(image: Path, content: Mapping[str, Path], size: int = SIZE) -> None:
    """Write an image: tables, and these files at the start of their partitions; what is left stays empty."""
    with image.open("wb") as file:
        file.truncate(size)
        for place, data in partition_tables(size).items():
            file.seek(place)
            file.write(data)
        for name, source in content.items():
            file.seek(part(name).start)
            _copy(file, source, part(name))


def _copy(file: BinaryIO, source: Path, to: CardPart) -> None:
    """Copy without writing what is empty anyway; raise ImageError where the partition is too small."""
    if source.stat().st_size > to.size:
        raise ImageError(f"{source.name} has {source.stat().st_size:,} bytes, {to.name} has {to.size:,}")
    with source.open("rb") as stream:
        while chunk := stream.read(MIB):
            if chunk.strip(b"\0"):
                file.write(chunk)
            else:
                file.seek(len(chunk), 1)
