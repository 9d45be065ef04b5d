"""A commit beside this tree: when a difference counts, and that nothing stays of the commit's tree."""

import subprocess
from pathlib import Path

import pytest
from compare import Seen, as_table, worktree
from fresh import JobError


@pytest.mark.parametrize(
    ("base", "new", "verdict"),
    [
        ((10.0, 11.0), (8.0, 9.9), "less"),
        ((10.0, 11.0), (11.1, 14.0), "MORE"),
        ((10.0, 11.0), (9.0, 10.0), "within the spread"),
        ((10.0, 11.0), (11.0, 12.0), "within the spread"),
        ((170.0,), (170.0,), "within the spread"),
        ((170.0,), (170.1,), "MORE"),
        ((), (1.0,), "no such figure in base"),
        ((1.0,), (), "no such figure in new"),
    ],
)
def test_a_difference_counts_where_the_ranges_do_not_touch(
    base: tuple[float, ...], new: tuple[float, ...], verdict: str
) -> None:
    assert Seen("decide: p50", "us", base, new).verdict == verdict


def test_the_ratio_is_of_the_medians() -> None:
    assert Seen("decide: p50", "us", (8.0, 10.0, 90.0), (1.0, 5.0, 6.0)).ratio == 0.5
    assert Seen("decide: p50", "us", (), (1.0,)).ratio is None
    assert Seen("decide: p50", "us", (0.0,), (1.0,)).ratio is None


def test_the_table_has_both_sides() -> None:
    _, line = as_table([Seen("decide: p50", "us", (8.0, 10.0), (4.0, 5.0))]).splitlines()

    assert line.startswith("decide: p50")
    assert "9 us (8 to 10)" in line
    assert "4.5 us (4 to 5)" in line
    assert line.endswith("0.500  less")


# ---------------------------------------------------------------- the other tree


def git(root: Path, *words: str) -> str:
    name = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    return subprocess.run(
        ["git", "-C", str(root), *name, *words], check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "bench").mkdir(parents=True)
    (root / "bench" / "run.py").write_text("old", encoding="utf-8")
    (root / "table.py").write_text("old", encoding="utf-8")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "old")
    for name in ("bench/run.py", "table.py"):
        (root / name).write_text("new", encoding="utf-8")
    return root


def test_the_base_is_the_commit_with_this_bench_over_it(repository: Path) -> None:
    with worktree(repository, "HEAD") as tree:
        assert (tree / "table.py").read_text(encoding="utf-8") == "old"
        assert (tree / "bench" / "run.py").read_text(encoding="utf-8") == "new"
        assert (tree / "bench" / "envs").resolve() == repository / "bench" / "envs"

    assert not tree.exists()
    assert len(git(repository, "worktree", "list").splitlines()) == 1


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, JobError("run", "exit code 2")], ids=repr)
def test_an_interrupted_comparison_leaves_no_tree(
    repository: Path, end: BaseException | type[BaseException]
) -> None:
    with pytest.raises(BaseException) as raised, worktree(repository, "HEAD") as tree:  # noqa: PT011
        raise end

    assert raised.type in (KeyboardInterrupt, SystemExit, JobError)
    assert not tree.exists()
    assert len(git(repository, "worktree", "list").splitlines()) == 1
    assert (repository / "table.py").read_text(encoding="utf-8") == "new"


def test_a_commit_that_is_none_is_said(repository: Path) -> None:
    with pytest.raises(JobError, match="nowhere"), worktree(repository, "nowhere"):
        pass
