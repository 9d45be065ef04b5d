"""The list to tick on a new board: what the kernel's files say, and what is left to a person."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sabot.cli import main
from sabot.firmware.run.board_checklist import GOOD, LOOK, WRONG, BoardTick, board_list, has_wrong
from sabot.firmware.run.table_check import read

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "config" / "tables" / "pa641a-manual_shoe.toml"
SUPPLY = "sys/class/hwmon/hwmon2"


def write(root: Path, name: str, text: str = "") -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """The files of a board on which nothing is wrong."""
    write(tmp_path, "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
    write(tmp_path, f"{SUPPLY}/name", "rpi_volt\n")
    write(tmp_path, f"{SUPPLY}/in0_lcrit_alarm", "0\n")
    write(tmp_path, "dev/gpiochip0")
    write(tmp_path, "sys/class/watchdog/watchdog0/state", "active\n")
    write(tmp_path, "sys/class/rtc/rtc0/name")
    write(tmp_path, "sys/class/net/eth0")
    write(tmp_path, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n")
    write(tmp_path, "proc/mounts", "/dev/mapper/root / squashfs ro,relatime 0 0\n")
    for device in read(EXAMPLE)[0].devices:
        if "port" in device.options:
            write(tmp_path, str(device.options["port"]).removeprefix("/"))
    return tmp_path


def ticks(root: Path) -> dict[str, BoardTick]:
    return {each.name: each for each in board_list(read(EXAMPLE)[0], root)}


def test_on_a_board_as_it_should_be_the_rest_is_a_persons(board: Path) -> None:
    found = ticks(board)

    assert not has_wrong(found.values())
    assert {each.stands for each in found.values()} == {GOOD, LOOK}
    assert {"display", "shoe"} <= {name for name, each in found.items() if each.stands == GOOD}
    assert all(each.words and each.command for each in found.values())


MISHAPS: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "another machine": ("model", lambda at: write(at, "proc/device-tree/model", "Toaster"), "Toaster"),
    "no model": ("model", lambda at: (at / "proc/device-tree/model").unlink(), "this machine is"),
    "a weak supply": ("supply", lambda at: write(at, f"{SUPPLY}/in0_lcrit_alarm", "1\n"), "has sagged"),
    "no sensor": ("supply", lambda at: write(at, f"{SUPPLY}/name", "other"), "is not there"),
    "no chip": ("lines", lambda at: (at / "dev/gpiochip0").unlink(), "no /dev/gpiochip0"),
    "unfed": ("watchdog", lambda at: write(at, "sys/class/watchdog/watchdog0/state", "inactive"), "inactive"),
    "no dog": ("watchdog", lambda at: (at / "sys/class/watchdog/watchdog0/state").unlink(), "not there"),
    "no clock": ("clock", lambda at: (at / "sys/class/rtc/rtc0").rename(at / "gone"), "not trusted"),
    "a radio": ("radio", lambda at: write(at, "sys/class/net/wlan0"), "wlan0"),
    "bluetooth": ("radio", lambda at: write(at, "sys/class/bluetooth/hci0"), "hci0"),
    "swap": ("swap", lambda at: write(at, "proc/swaps", "Filename\n/var/swap file 100 0 -2\n"), "/var/swap"),
    "writable": ("root", lambda at: write(at, "proc/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\n"), "writable"),
    "unproved": ("root", lambda at: write(at, "proc/mounts", "/dev/mmcblk0p2 / ext4 ro 0 0\n"), "dm-verity"),
    "no mounts": ("root", lambda at: (at / "proc/mounts").unlink(), "writable"),
}


@pytest.mark.parametrize("name", MISHAPS)
def test_what_is_wrong_is_said_of_its_row_alone(board: Path, name: str) -> None:
    row, happen, words = MISHAPS[name]
    happen(board)

    found = ticks(board)

    assert [each.name for each in found.values() if each.stands == WRONG] == [row]
    assert words in found[row].words


def test_an_adapter_that_is_not_plugged_in_is_named(board: Path) -> None:
    port = next(str(each.options["port"]) for each in read(EXAMPLE)[0].devices if each.name == "shoe")
    (board / port.removeprefix("/")).unlink()

    assert ticks(board)["shoe"].words == f"{port} is not there"


def test_the_command_prints_boxes_to_tick_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    """This machine is no board: what is wrong here makes the exit code, and nothing was asked of a device."""
    assert main(["selftest", "--board", str(EXAMPLE)]) == 1
    assert "[ ] model     WRONG" in capsys.readouterr().out

    assert main(["selftest", "--board", "--json", str(EXAMPLE)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {"name", "stands", "words", "wanted", "command"} == found[0].keys()
