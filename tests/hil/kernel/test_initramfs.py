"""The archive that the kernel unpacks, read back field by field."""

import stat

from sabot.hil.kernel.initramfs import archive


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
