"""``make cures``: every kind of fault in every phase by every way of dealing, cured by the printed words; resumable.

python -m tests.cures.run --state FILE              every way of dealing, or go on where the file says
python -m tests.cures.run --way pa641a-hand-none    one of them
python -m tests.cures.run --control no-retest       cures that are damaged: they must be found out
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sabot.statemachine import cures
from tests.statemachine.walk.setups import WAYS

from .trial import bases, cases, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.statemachine.walk.setups import Way

STOPPED, MOST_TOLD = 130, 40


@dataclass
class Count:
    """What came of the cures of one way of dealing, or of several."""

    phases: int = 0
    cured: int = 0
    objections: dict[str, int] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def take(self, where: str, objections: list[str]) -> None:
        """Count a cure."""
        self.cured += not objections
        for words in objections:
            self.objections[words] = self.objections.get(words, 0) + 1
            self.told = [*self.told, f"{where}: {words}"][:MOST_TOLD]

    def add(self, other: Count) -> None:
        """Add those of another way."""
        self.phases += other.phases
        self.cured += other.cured
        self.objections = dict(Counter(self.objections) + Counter(other.objections))
        self.told = [*self.told, *other.told][:MOST_TOLD]

    @property
    def wrong(self) -> int:
        """Return how much was objected to."""
        return sum(self.objections.values())

    def report(self, ways: int) -> str:
        """Return what there is to say."""
        head = f"{self.cured:,} faults cured in {self.phases:,} phases of {ways} ways of dealing, {self.wrong} not"
        return "\n".join([head, *self.told])


def cure(way: Way, every: int = 1) -> Count:
    """Every fault in every phase of one way of dealing, or one in so many of them."""
    count, number = Count(), 0
    for base in bases(way):
        count.phases += 1
        for case in cases(base):
            number += 1
            if number % every == 0:
                where = f"{way} {base.phase.value} {case.kind} of {case.device}"
                count.take(where, run(base, case, by_console=bool(count.cured % 2)))
    return count


def _without(action: str) -> None:
    cures.CURES = {
        kind: tuple(row for row in rows if row.action != action) for kind, rows in cures.CURES.items()
    }


def _misnamed() -> None:
    cures.CURES = {
        kind: tuple(row._replace(words=row.words.replace("RELEASE", "LET GO")) for row in rows)
        for kind, rows in cures.CURES.items()
    }


CONTROLS: dict[str, Callable[[], None]] = {
    "": lambda: None,
    "no-retest": lambda: _without("retest"),
    "no-deck": lambda: _without("register_deck"),
    "misnamed": _misnamed,
}


def main(arguments: list[str] | None = None) -> int:
    """Cure; 1 where a cure did not do what it says, and where a control was not found out."""
    args = _arguments(arguments)
    done = _kept(args.state)
    wanted = {str(way): way for way in WAYS if args.way in ("", str(way))}
    if not wanted:
        print(f"no way {args.way!r}", file=sys.stderr)
        return 2
    CONTROLS[args.control]()
    began = time.monotonic()
    try:
        for number, (name, way) in enumerate(wanted.items(), 1):
            if name not in done:
                done[name] = cure(way, args.every)
                _keep(args.state, done)
            took = time.monotonic() - began
            found = done[name]
            print(
                f"[{number}/{len(wanted)}] {name}: {found.cured} cured, {found.wrong} not, {took:,.0f} s",
                file=sys.stderr,
            )
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return STOPPED
    total = Count()
    for each in done.values():
        total.add(each)
    print(total.report(len(done)))
    if args.control:
        print(f"the control {args.control} was {'found out' if total.wrong else 'NOT found out'}")
    return int(bool(total.wrong) != bool(args.control))


def _kept(path: Path | None) -> dict[str, Count]:
    if path is None or not path.exists():
        return {}
    return {name: Count(**each) for name, each in json.loads(path.read_text("utf-8")).items()}


def _keep(path: Path | None, done: dict[str, Count]) -> None:
    """Write it beside the old one first, so that a cut leaves one of them whole."""
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps({name: asdict(each) for name, each in done.items()}), encoding="utf-8")
    new.replace(path)


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--way", default="", help="one way of dealing")
    parser.add_argument("--every", type=int, default=1, help="one fault in so many")
    parser.add_argument("--control", default="", choices=sorted(CONTROLS), help="cures that are damaged")
    parser.add_argument("--state", type=Path, help="where the run is kept, so that it can go on")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
