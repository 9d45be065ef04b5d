"""What is tested of the machine at a start: each failure has its code, and a board that tells nothing is well."""

from functools import partial
from pathlib import Path

import pytest

from sabot.firmware.credentials.atomic_files import free_bytes
from sabot.firmware.examine import Check, examine
from sabot.firmware.run import selftest
from sabot.firmware.run.errors import RunError
from sabot.firmware.run.selftest import checks, place_of_socket, throttled


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A board whose sensors are files here."""
    for name in ("_ZONES", "_SUPPLY", "_FIRMWARE"):
        monkeypatch.setattr(selftest, name, tmp_path / name.lower())
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")


def code(test: str, state: Path) -> str:
    row = next(each for each in checks(state) if each.name == test)
    (finding,) = examine([row])
    return finding.fault.kind.code if finding.fault else ""


def test_a_board_that_tells_nothing_of_itself_is_well(machine: Path) -> None:
    assert [code(name, machine) for name in ("disk", "temperature", "supply")] == ["", "", ""]
    assert throttled() is None


def test_a_hot_board_stays_closed(machine: Path) -> None:
    write(machine / "_zones" / "thermal_zone0" / "temp", "61234\n")
    assert code("temperature", machine) == ""

    write(machine / "_zones" / "thermal_zone1" / "temp", "85001\n")
    assert code("temperature", machine) == "E-RUN-003"

    write(machine / "_zones" / "thermal_zone1" / "temp", "no number\n")
    assert code("temperature", machine) == ""


def test_a_weak_supply_keeps_it_closed(machine: Path) -> None:
    alarm = machine / "_supply" / "hwmon2" / "in0_lcrit_alarm"
    write(alarm, "0\n")
    assert code("supply", machine) == ""

    write(alarm, "1\n")
    assert code("supply", machine) == "E-RUN-004"


@pytest.mark.parametrize(
    ("bits", "supply", "words"),
    [
        ("0", "", ""),
        ("1", "E-RUN-004", ""),
        ("50000", "", ""),  # it was so once: not now
        ("50005", "E-RUN-004", "throttled"),
        ("e", "", "frequency capped, throttled, temperature limit"),
        ("torn", "", ""),
    ],
)
def test_the_pis_own_word_is_taken(machine: Path, bits: str, supply: str, words: str) -> None:
    write(machine / "_firmware", f"{bits}\n")

    assert (code("supply", machine), throttled()) == (supply, words)


def test_a_full_medium_and_one_that_is_not_there(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert code("disk", machine / "nowhere") == "E-RUN-006"

    monkeypatch.setattr(selftest, "LEAST_FREE_MB", 10**9)
    assert code("disk", machine) == "E-RUN-002"

    free_mb = free_bytes(machine) // selftest.MB
    monkeypatch.setattr("sabot.firmware.run.selftest.free_bytes", lambda _state: free_mb * selftest.MB)
    monkeypatch.setattr(selftest, "LEAST_FREE_MB", free_mb)
    assert code("disk", machine) == ""


def test_a_clock_that_nobody_set_is_said_and_the_table_opens(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selftest, "is_trusted", lambda: False)
    row = next(each for each in checks(machine) if each.name == "clock")

    (finding,) = examine([row])

    assert finding.fault is not None
    assert (finding.fault.kind.code, finding.keeps_closed) == ("E-RUN-005", False)


def test_a_second_medium_that_is_not_mounted_is_said_and_the_table_opens(machine: Path) -> None:
    """An empty folder took the copy, on the very medium that it was to outlive."""
    second = machine / "mnt"
    second.mkdir()
    row = next(each for each in checks(machine, second) if each.name == "second medium")
    (finding,) = examine([row])
    assert finding.fault is not None
    assert (finding.fault.kind.code, finding.keeps_closed) == ("E-RUN-012", False)

    for elsewhere in (None, machine / "nowhere", Path("/proc")):
        selftest.another_medium(machine, elsewhere)


def test_a_socket_that_could_not_be_made_is_known_before_it_is_tried(tmp_path: Path) -> None:
    place_of_socket(tmp_path / "console.sock")
    long = tmp_path / ("x" * 100)
    long.mkdir()
    left = selftest.LONGEST_SOCKET - len(str(tmp_path)) - len("/")
    place_of_socket(tmp_path / ("x" * left))

    (tmp_path / "notes").write_text("of somebody")
    for path, why in (
        (tmp_path / "no" / "console.sock", "no such directory"),
        (tmp_path / "notes" / "console.sock", "no such directory"),
        (tmp_path / "notes", "another file has its name"),
        (long / "s", "longer than 107"),
        (tmp_path / ("x" * (left + 1)), "longer than 107"),
    ):
        (finding,) = examine([Check("console", partial(place_of_socket, path))])
        assert isinstance(finding.fault, RunError)
        assert finding.fault.kind.code == "E-RUN-007"
        assert why in str(finding.fault)
