"""The runner of the parts: what each leaves, what is told when, and what becomes of the rest when one cannot run."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sabot.hil.kernel.inside.service import MachineService
from sabot.hil.kernel.machine import MachineConsoleError, MachineHost
from sabot.hil.kernel.parts import SERVICE, PartRow, run_parts
from sabot.hil.kernel.results import BlindError, CannotRunError, PartResult, RigPart

NONE = Path("none")
HOST = MachineHost(NONE, NONE, NONE, NONE, NONE)


def good(name: str) -> Callable[[MachineHost, Path], Sequence[PartResult]]:
    return lambda _host, _folder: [PartResult(name, is_good=True, seconds=1.0, words="")]


def failing(error: Exception) -> Callable[[MachineHost, Path], Sequence[PartResult]]:
    def work(_host: MachineHost, _folder: Path) -> Sequence[PartResult]:
        raise error

    return work


def parts_of(tmp_path: Path, *rows: PartRow) -> tuple[list[RigPart], list[str]]:
    told: list[str] = []
    found = run_parts(rows, HOST, tmp_path, 2, lambda part: told.append(part.name))
    return found, told


def test_parts_come_in_their_order_and_each_is_told_once(tmp_path: Path) -> None:
    rows = [PartRow(f"part {number}", ("x",), good("x")) for number in range(5)]

    found, told = parts_of(tmp_path, *rows)

    assert [part.name for part in found] == [row.name for row in rows]
    assert sorted(told) == [row.name for row in rows]
    assert all(part.is_good for part in found)


@pytest.mark.parametrize("error", [BlindError("lost nothing"), MachineConsoleError("went off")])
def test_a_part_that_went_wrong_is_a_failure_with_its_reason_and_stops_no_other(
    tmp_path: Path, error: Exception
) -> None:
    (bad, fine), _ = parts_of(
        tmp_path, PartRow("bad", ("x",), failing(error)), PartRow("fine", ("y",), good("y"))
    )

    assert not bad.is_good
    assert str(error) in bad.trouble
    assert bad.results == [PartResult("x", is_good=False, seconds=0.0, words="said nothing")]
    assert fine.is_good


def test_a_machine_that_does_not_come_up_ends_the_whole(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError, match="no processor"):
        parts_of(tmp_path, PartRow("bad", (), failing(CannotRunError("no processor"))))


def test_each_part_has_a_folder_of_its_own_that_goes_with_it(tmp_path: Path) -> None:
    seen: list[Path] = []

    def work(_host: MachineHost, folder: Path) -> Sequence[PartResult]:
        assert folder.is_dir()
        (folder / "disk").touch()
        seen.append(folder)
        return [PartResult("x", is_good=True, seconds=0.0, words="")]

    parts_of(tmp_path, PartRow("round one", ("x",), work), PartRow("round two", ("x",), work))

    assert len(set(seen)) == 2
    assert list(tmp_path.iterdir()) == []


def test_the_service_must_have_every_check_that_it_makes_and_the_reset_that_the_next_boot_tells() -> None:
    assert [*MachineService().checks(), "frozen-machine-reset"] == list(SERVICE)
