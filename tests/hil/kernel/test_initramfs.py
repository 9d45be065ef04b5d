"""The archive that the kernel unpacks, read back field by field."""

import gzip
import stat
from pathlib import Path

from sabot.hil.kernel.initramfs import INIT, LoadedModule, archive, build


def members(data: bytes) -> dict[str, tuple[int, bytes]]:
    found: dict[str, tuple[int, bytes]] = {}
    at = 0
    while True:
        fields = [int(data[at + 6 + 8 * number : at + 14 + 8 * number], 16) for number in range(13)]
        assert data[at : at + 6] == b"070701"
        size, name_size = fields[6], fields[11]
        start = at + 110
        name = data[start : start + name_size - 1].decode()
        body = start + name_size + -(start + name_size) % 4
        if name == "TRAILER!!!":
            return found
        found[name] = (fields[1], data[body : body + size])
        at = body + size + -size % 4


def test_every_member_comes_back_with_its_mode_and_content() -> None:
    names = {
        "bin": (stat.S_IFDIR | 0o755, b""),
        "bin/sh": (stat.S_IFLNK | 0o777, b"busybox"),
        "init": (stat.S_IFREG | 0o755, b"#!/bin/sh\n"),
        "m/x.ko": (stat.S_IFREG | 0o644, bytes(range(256)) * 5),
    }

    assert members(archive(names)) == names


def test_members_stand_at_multiples_of_four_however_long_their_names() -> None:
    names = {"a" * length: (stat.S_IFREG, b"x" * length) for length in range(1, 12)}

    assert members(archive(names)) == names
    assert len(archive(names)) % 4 == 0


def test_modules_lie_once_and_are_loaded_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    modules = [
        LoadedModule("usbcore", "", b"1"),
        LoadedModule("dummy_hcd", "num=6", b"2"),
        LoadedModule("usbcore", "", b"1"),
    ]

    build(modules, b"BUSYBOX", tmp_path / "i.gz")

    found = members(gzip.decompress((tmp_path / "i.gz").read_bytes()))
    assert found["m/order"][1] == b"usbcore.ko\ndummy_hcd.ko num=6\n"
    assert (found["m/usbcore.ko"][1], found["m/dummy_hcd.ko"][1]) == (b"1", b"2")
    assert found["bin/busybox"] == (stat.S_IFREG | 0o755, b"BUSYBOX")
    assert found["init"] == (stat.S_IFREG | 0o755, INIT.read_bytes())
