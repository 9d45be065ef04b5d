"""Some histories of the battery over both stores, and the controls that its checker must find (make histories has thousands)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .battery import NO_FLUSH, Ground, signatures_once, without_the_key
from .servers import Pair, Server


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with signatures_once():
        yield


@pytest.mark.parametrize("seed", [3, 17])
def test_prog_12_a_history_of_the_embedded_store(tmp_path: Path, seed: int) -> None:
    found, deeds = Ground(tmp_path).history(seed)

    assert found == []
    assert deeds > 5


def test_prog_12_a_history_of_postgresql(tmp_path: Path, server: Server) -> None:
    assert Ground(tmp_path, server).history(8)[0] == []


def test_prog_12_a_seed_plays_the_same_again(tmp_path: Path) -> None:
    assert Ground(tmp_path).history(5) == Ground(tmp_path).history(5)


def test_prog_6_control_without_the_exactly_once_key_it_is_found(tmp_path: Path) -> None:
    with without_the_key():
        assert any(Ground(tmp_path).history(seed)[0] for seed in (1, 2))


def test_prog_6_control_a_store_that_forgets_at_a_power_cut_is_found(tmp_path: Path) -> None:
    assert any(Ground(tmp_path, control=NO_FLUSH).history(seed)[0] for seed in range(1, 6))


def test_prog_6_a_history_in_which_a_primary_dies_in_a_commit_and_its_standby_is_promoted(
    tmp_path: Path,
) -> None:
    with Pair.fresh() as pair:
        first = pair.primary

        assert Ground(tmp_path, pair).history(30001)[0] == []
        assert pair.primary is not first
