"""``make slips``: an exception at the calls inside the handling of every kind of event; resumable.

python -m tests.slips.run --state FILE            every way of dealing, or go on where the file says
python -m tests.slips.run --way pa641a-hand-none  one of them
python -m tests.slips.run --control no-lane       a program without the lane: it must be found out
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.statemachine.walk.setups import WAYS

from .campaign import FIRST_SEED, REPEATS, THIN, Count, slips_of
from .controls import CONTROLS
from .elsewhere import ELSEWHERE, slips_at

STOPPED = 130


@dataclass
class Kept:
    """What a run has done so far, and the file that keeps it."""

    path: Path | None
    done: dict[str, dict[str, Any]] = field(default_factory=dict)
    had: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path | None) -> Kept:
        """Read what an earlier run left off with."""
        if path is None or not path.exists():
            return cls(path)
        return cls(path, **json.loads(path.read_text(encoding="utf-8")))

    def add(self, name: str, count: Count, had: set[str]) -> None:
        """Keep one more part, beside the old file first."""
        self.done[name], self.had = dict(vars(count)), sorted(had)
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps({"done": self.done, "had": self.had}), encoding="utf-8")
            new.replace(self.path)

    @property
    def total(self) -> Count:
        """Return all parts together."""
        total = Count()
        for each in self.done.values():
            counters = {name: Counter(each[name]) for name in ("trials", "objections")}
            total.add(Count(**{**each, **counters}))
        return total


def main(arguments: list[str] | None = None) -> int:
    """Make slips; 1 where one was not answered as it must be, and where a control was not found out."""
    args = _arguments(arguments)
    names = [*map(str, WAYS), *ELSEWHERE]
    wanted = [name for name in names if args.part in ("", name)]
    if not wanted:
        print(f"no part {args.part!r}; there are {' '.join(names)}", file=sys.stderr)
        return 2
    kept = Kept.read(args.state)
    try:
        _slip_everywhere(wanted, kept, args)
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return STOPPED
    total = kept.total
    print(total.report())
    if args.control:
        print(f"the control {args.control} was {'found out' if total.wrong else 'NOT found out'}")
    return int(bool(total.wrong) != bool(args.control))


def _slip_everywhere(wanted: list[str], kept: Kept, args: argparse.Namespace) -> None:
    ways, had, began = {str(way): way for way in WAYS}, set(kept.had), time.monotonic()
    CONTROLS[args.control]()
    for number, name in enumerate(wanted, 1):
        if name in kept.done:
            continue
        found = (
            slips_of(
                ways[name],
                args.seed,
                None if args.sample else had,
                thin=args.thin,
                repeats=args.repeats,
                only=args.kind,
            )
            if name in ways
            else slips_at(name, thin=args.thin)
        )
        kept.add(name, found, had)
        took = time.monotonic() - began
        print(
            f"[{number}/{len(wanted)}] {name}: {found.slips:,} slips, {found.wrong} wrong, {took:,.0f} s",
            file=sys.stderr,
        )


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--part", default="", metavar="WAY", help="one way of dealing, or one place elsewhere"
    )
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="the shift that is played of each way")
    parser.add_argument(
        "--thin", type=int, default=THIN, help="one call in so many where a kind was had before"
    )
    parser.add_argument(
        "--repeats",
        type=int,
        default=REPEATS,
        help="one in so many of the calls that came by the same way as one before (1: every call)",
    )
    parser.add_argument("--sample", action="store_true", help="one call in so many everywhere")
    parser.add_argument(
        "--kind", default="", help="the events of this kind only, such as 'LOCK while bets open'"
    )
    parser.add_argument(
        "--control", default="", choices=sorted(CONTROLS), help="a program that must be found out"
    )
    parser.add_argument("--state", type=Path, help="where the run is kept, so that it can go on")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
