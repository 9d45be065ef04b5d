"""The list to tick on a real board: the program looks where it can, a person elsewhere.

An emulated machine has no supply that sags, no relay that blips and no radio. So each row names the command,
and what is to be seen; where a file of the kernel says it, the program looks there and says good or wrong.
"""

import os
import platform
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from sabot.config.table_file import TableFile

GOOD, WRONG, LOOK = "good", "WRONG", "look"
_TEST_LINES = "sabot device test --table {file} lines"
_VERIFY = "sabot journal verify --table {file}"
_STEP = "docs/wiring.md, proof on a bench, step "


class BoardTick(NamedTuple):
    """One thing to tick: its name, how it stands, what was found, what is to be seen, and the command."""

    name: str
    stands: str
    words: str
    wanted: str
    command: str


class _Seen(NamedTuple):
    """A row that the kernel can answer: the words of what is wrong, nothing where it is good."""

    name: str
    good: str
    command: str
    wrong: Callable[[Path], str]


class _Shown(NamedTuple):
    """A row that a person must look at."""

    name: str
    words: str
    command: str


def board_list(file: TableFile, root: Path = Path("/")) -> list[BoardTick]:
    """Return every row, those that the kernel answers first; ``root`` is where its files are."""
    place = {"file": file.file}
    ticks = [_answered(row, root, place) for row in (*_SEEN, *_ports(file))]
    return ticks + [
        BoardTick(row.name, LOOK, row.words, row.words, row.command.format(**place)) for row in _SHOWN
    ]


def has_wrong(ticks: Iterable[BoardTick]) -> bool:
    """Return whether the kernel says that one of them is not so."""
    return any(each.stands == WRONG for each in ticks)


def _answered(row: _Seen, root: Path, place: dict[str, str]) -> BoardTick:
    wrong = row.wrong(root)
    stands = WRONG if wrong else GOOD
    return BoardTick(row.name, stands, wrong or row.good, row.good, row.command.format(**place))


def _read(path: Path) -> str:
    """Return a file of the kernel, empty where it has none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def _model(root: Path) -> str:
    model = _read(root / "proc/device-tree/model")
    return "" if model.startswith("Raspberry Pi") else f"this machine is {model or platform.machine()}"


def _supply(root: Path) -> str:
    sensors = [path.parent for path in root.glob("sys/class/hwmon/*/name") if _read(path) == "rpi_volt"]
    if not sensors:
        return "the board's sensor of its supply (rpi_volt) is not there"
    sagged = any(_read(each / "in0_lcrit_alarm") != "0" for each in sensors)
    return "the supply has sagged since the start: a stronger one, a shorter cable" if sagged else ""


def _lines(root: Path) -> str:
    chip = root / "dev/gpiochip0"
    if not chip.exists():
        return "there is no /dev/gpiochip0"
    return "" if os.access(chip, os.R_OK | os.W_OK) else "this user may not open /dev/gpiochip0 (group gpio)"


def _watchdog(root: Path) -> str:
    state = _read(root / "sys/class/watchdog/watchdog0/state")
    how = "" if state == "active" else state or "not there"
    return how and f"the watchdog is {how}: RuntimeWatchdogSec= of systemd"


def _clock(root: Path) -> str:
    found = any(root.glob("sys/class/rtc/rtc*"))
    return "" if found else "there is no battery clock: after a cut the time of day is not trusted"


def _radio(root: Path) -> str:
    found = [path.name for kind in ("net/wl*", "bluetooth/hci*") for path in root.glob(f"sys/class/{kind}")]
    names = " ".join(sorted(found))
    return f"there is a radio: {names} (its drivers and its bus belong off)" if found else ""


def _swap(root: Path) -> str:
    # Behind a line of titles.
    rows = _read(root / "proc/swaps").splitlines()[1:]
    return f"memory may be swapped to {rows[0].split()[0]}: keys and hidden cards with it" if rows else ""


def _root(root: Path) -> str:
    mounts = [row.split() for row in _read(root / "proc/mounts").splitlines()]
    source, options = next(((row[0], row[3]) for row in mounts if row[1] == "/"), ("", "rw"))
    if "ro" not in options.split(","):
        return "the root is writable: this is no image of ours"
    is_proved = source.startswith(("/dev/mapper/", "/dev/dm-"))
    return "" if is_proved else f"the root is {source}, without dm-verity"


def _ports(file: TableFile) -> list[_Seen]:
    """Return a row for each serial device of the table: its adapter is plugged in, under its own name."""
    rows = []
    for device in file.devices:
        port = str(device.options.get("port", ""))
        if port.startswith("/dev/"):
            command = f"sabot device identify {port} --as {device.driver}"
            rows.append(_Seen(device.name, f"{port} is there", command, _missing(port)))
    return rows


def _missing(port: str) -> Callable[[Path], str]:
    return lambda root: "" if (root / port.removeprefix("/")).exists() else f"{port} is not there"


_SEEN = (
    _Seen("model", "a Raspberry Pi", "cat /proc/device-tree/model", _model),
    _Seen("supply", "has not sagged since the start", "journalctl -k -g voltage", _supply),
    _Seen("lines", "the chip of the lines can be opened", "ls -l /dev/gpiochip0", _lines),
    _Seen("watchdog", "is fed by systemd", "systemctl show -p RuntimeWatchdogUSec", _watchdog),
    _Seen("clock", "a battery clock is there", "hwclock --show", _clock),
    _Seen("radio", "none", "ls /sys/class/net /sys/class/bluetooth", _radio),
    _Seen("swap", "none", "cat /proc/swaps", _swap),
    _Seen("root", "read-only, under dm-verity", "findmnt /", _root),
)
_SHOWN = (
    _Shown("start", "relays and lamps rest while the board starts: no blip on a scope", _STEP + "2"),
    _Shown("kill", "lock_open falls when the program is killed, pads lock within 1 s", _STEP + "4"),
    _Shown("hang", "lock_open falls when the watchdog ends a program that hangs", _STEP + "5"),
    _Shown("plug", "the plug pulled with bets open: locked, red lamp", _STEP + "7"),
    _Shown("wires", "each wire cut in turn: locked, red, or found by the walk", _STEP + "8"),
    _Shown("keys", "each key is felt under its own name, each lamp is the right one", _TEST_LINES),
    _Shown("battery", "a night without power: the time of day is right in the morning", "hwclock --show"),
    _Shown("heat", "an hour of play in the closed cabinet: below 80 degrees", "vcgencmd measure_temp"),
    _Shown("cut", "the plug pulled ten times in play: each start shows the round", _VERIFY),
    _Shown("tryboot", "an update that does not start: the board is back within two", "rauc status"),
)
