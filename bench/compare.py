"""``make bench-compare BASE=COMMIT``: what a change did to the figures, old and new in turns in one run.

The base is a worktree of its own in a temporary folder, with this tree's bench laid over it: both are
asked the same questions, each about its own code and through its own tests' drivers. Old and new take
turns, so that a busy minute falls on both. Times of a busy machine overlap whatever one does, so a
difference counts only where the two ranges do not touch; counts of instructions have no range, and there
every difference counts.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from figure import machine, machine_line
from fresh import HERE, ROOT, JobError, run_text

NAMES = ("round", "decide", "shift", "codecs", "start", "memory", "instructions")
TURNS = 5
ENDED = 143
HEAD = ("", "base", "new", "new / base", "")
NOT_THERE = "no such figure in {}"
Medians = dict[str, list[float]]


class Seen(NamedTuple):
    """A figure's medians, turn by turn, on both sides."""

    name: str
    unit: str
    base: tuple[float, ...]
    new: tuple[float, ...]

    @property
    def ratio(self) -> float | None:
        """New as a multiple of base, median by median."""
        if not self.base or not self.new or not median(self.base):
            return None
        return median(self.new) / median(self.base)

    @property
    def verdict(self) -> str:
        """Whether the ranges of both sides are apart."""
        if not self.base or not self.new:
            return NOT_THERE.format("new" if self.base else "base")
        if max(self.new) < min(self.base):
            return "less"
        return "MORE" if min(self.new) > max(self.base) else "within the spread"


@contextmanager
def worktree(root: Path, commit: str) -> Iterator[Path]:
    """The tree of a commit with this tree's bench in it; gone again whatever happens."""
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        tree = Path(folder) / "base"
        run_text(["git", "-C", str(root), "worktree", "add", "--quiet", "--detach", str(tree), commit])
        try:
            _lay_over(root / HERE.name, tree / HERE.name)
            yield tree
        finally:
            run_text(["git", "-C", str(root), "worktree", "remove", "--force", str(tree)])


def _lay_over(bench: Path, other: Path) -> None:
    """This bench in place of the base's; the environments of the peers are shared."""
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(bench, other, ignore=shutil.ignore_patterns("envs", "out", "__pycache__"))
    (bench / "envs").mkdir(exist_ok=True)
    (other / "envs").symlink_to(bench / "envs")


def measured(tree: Path, names: Sequence[str], out: Path) -> dict[str, tuple[str, float]]:
    """Unit and median of each figure of a tree, in quick runs; its own code comes before an installed one."""
    order = [sys.executable, str(tree / "bench" / "run.py"), *names, "--quick", "--json", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    done = subprocess.run(order, check=False, env=environment, stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        raise JobError("run", f"exit code {done.returncode}")
    return _medians(json.loads(out.read_text(encoding="utf-8"))["figures"])


def _medians(sections: Mapping[str, Sequence[Mapping[str, object]]]) -> dict[str, tuple[str, float]]:
    return {
        f"{section}: {each['figure']}": (str(each["unit"]), float(str(each["median"])))
        for section, figures in sections.items()
        for each in figures
        if each["median"] is not None
    }


def in_turns(base: Path, new: Path, names: Sequence[str], turns: int, out: Path) -> list[Seen]:
    """Every figure, measured so often on both sides; who begins changes from turn to turn."""
    units: dict[str, str] = {}
    found: dict[Path, Medians] = {base: {}, new: {}}
    for turn in range(turns):
        for tree in (base, new) if turn % 2 == 0 else (new, base):
            side = "base" if tree is base else "new"
            print(f"turn {turn + 1} of {turns}: {side}", file=sys.stderr, flush=True)
            for name, (unit, value) in measured(tree, names, out).items():
                units[name] = unit
                found[tree].setdefault(name, []).append(value)
    return [
        Seen(name, unit, tuple(found[base].get(name, ())), tuple(found[new].get(name, ())))
        for name, unit in units.items()
    ]


def as_table(every: Sequence[Seen]) -> str:
    """A line for each figure: the median and the range of both sides, the ratio, and whether it counts."""
    rows = [HEAD, *(_row(seen) for seen in every)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place in (0, len(row) - 1) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _row(seen: Seen) -> tuple[str, ...]:
    ratio = "" if seen.ratio is None else f"{seen.ratio:.3f}"
    return (seen.name, _range(seen.base, seen.unit), _range(seen.new, seen.unit), ratio, seen.verdict)


def _range(values: Sequence[float], unit: str) -> str:
    if not values:
        return ""
    return f"{median(values):,.4g} {unit} ({min(values):,.4g} to {max(values):,.4g})"


def main() -> int:
    """Compare and print; exit code 1 where anything became more, beyond the spread."""
    args = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))  # or the worktree would stay
    print(machine_line(machine()))
    with worktree(ROOT, args.base) as tree, tempfile.TemporaryDirectory() as folder:
        every = in_turns(tree, ROOT, args.names or NAMES, args.turns, Path(folder) / "figures.json")
    print("", as_table(every), sep="\n")
    return int(any(seen.verdict == "MORE" for seen in every))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure a commit and this tree in turns.")
    parser.add_argument("base", metavar="COMMIT", help="what this tree is held against")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of bench/run.py; {' '.join(NAMES)} without it"
    )
    parser.add_argument("--turns", type=int, default=TURNS, help=f"of each side, {TURNS} without it")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
