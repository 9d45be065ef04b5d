"""A stick is written only where nothing on it can do harm."""

from __future__ import annotations

import pytest

from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.export import STICK, verify_stick

OTHER = "22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/root rw\n"


def mounted(options: str) -> str:
    return f"{OTHER}36 22 8:17 / {STICK} rw,{options} shared:9 - vfat /dev/sda1 rw\n"


def test_policy_a_stick_that_is_mounted_harmlessly_is_taken() -> None:
    verify_stick(mounted("nosuid,nodev,noexec,relatime"))


@pytest.mark.parametrize(
    ("mounts", "why"),
    [
        (OTHER, "no stick is mounted at /run/sabot/stick"),
        (mounted("nosuid,nodev"), "the stick is mounted without noexec"),
        (mounted("relatime"), "the stick is mounted without nodev noexec nosuid"),
        (mounted("nosuid,nodev,noexec") + mounted("noexec"), "the stick is mounted without nodev nosuid"),
    ],
)
def test_policy_any_other_is_not(mounts: str, why: str) -> None:
    with pytest.raises(ConsoleError, match=why) as caught:
        verify_stick(mounts)
    assert caught.value.kind.code == "E-CONS-012"
