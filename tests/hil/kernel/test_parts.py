"""The runner of the parts: what each leaves, what is told when, and what becomes of the rest when one cannot run."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sabot.hil.kernel.errors import BlindError, CannotRunError
from sabot.hil.kernel.machine import ConsoleError, Host
from sabot.hil.kernel.parts import Row, run_parts
from sabot.hil.kernel.results import Part, Result

NONE = Path("none")
HOST = Host(NONE, NONE, NONE, NONE, NONE)


def good(name: str) -> Callable[[Host, Path], Sequence[Result]]:
    return lambda _host, _folder: [Result(name, is_good=True, seconds=1.0, words="")]


def failing(error: Exception) -> Callable[[Host, Path], Sequence[Result]]:
    def work(_host: Host, _folder: Path) -> Sequence[Result]:
        raise error

    return work


def parts_of(tmp_path: Path, *rows: Row) -> tuple[list[Part], list[str]]:
    told: list[str] = []
    found = run_parts(rows, HOST, tmp_path, 2, lambda part: told.append(part.name))
    return found, told


def test_parts_come_in_their_order_and_each_is_told_once(tmp_path: Path) -> None:
    rows = [Row(f"part {number}", ("x",), good("x")) for number in range(5)]

    found, told = parts_of(tmp_path, *rows)

    assert [part.name for part in found] == [row.name for row in rows]
    assert sorted(told) == [row.name for row in rows]
    assert all(part.is_good for part in found)


@pytest.mark.parametrize("error", [BlindError("lost nothing"), ConsoleError("went off")])
def test_a_part_that_went_wrong_is_a_failure_with_its_reason_and_stops_no_other(
    tmp_path: Path, error: Exception
) -> None:
    (bad, fine), _ = parts_of(tmp_path, Row("bad", ("x",), failing(error)), Row("fine", ("y",), good("y")))

    assert not bad.is_good
    assert str(error) in bad.trouble
    assert bad.results == [Result("x", is_good=False, seconds=0.0, words="said nothing")]
    assert fine.is_good


def test_a_machine_that_does_not_come_up_ends_the_whole(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError, match="no processor"):
        parts_of(tmp_path, Row("bad", (), failing(CannotRunError("no processor"))))


def test_each_part_has_a_folder_of_its_own_that_goes_with_it(tmp_path: Path) -> None:
    seen: list[Path] = []

    def work(_host: Host, folder: Path) -> Sequence[Result]:
        assert folder.is_dir()
        (folder / "disk").touch()
        seen.append(folder)
        return [Result("x", is_good=True, seconds=0.0, words="")]

    parts_of(tmp_path, Row("round one", ("x",), work), Row("round two", ("x",), work))

    assert len(set(seen)) == 2
    assert list(tmp_path.iterdir()) == []
