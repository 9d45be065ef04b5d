"""How far the soak is: what was counted, where it goes on, and the file that keeps it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from .plan import plan

if TYPE_CHECKING:
    from pathlib import Path

    from .shift import Played

COUNTED = ("rounds", "events", "walked", "reckoned", "void", "faults", "refused")
BAR = 30


@dataclass
class Count:
    """Seeds from ``first`` up to ``next`` are done."""

    first: int = 0
    next: int = 0
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    ways: dict[str, int] = field(default_factory=dict)
    broken: list[dict[str, str | int]] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        """Rounds so far."""
        return self.counts.get("rounds", 0)

    def add(self, played: Played) -> None:
        """One more shift."""
        self.next = played.seed + 1
        for name in COUNTED:
            self.counts[name] = self.counts.get(name, 0) + getattr(played, name)
        way = str(plan(played.seed).way)
        self.ways[way] = self.ways.get(way, 0) + played.rounds
        self.broken += [asdict(played.broken)] if played.broken else []

    def bar(self, wanted: int) -> str:
        """One line: how much is done, how fast, and what time is left."""
        done = min(1.0, self.rounds / wanted)
        speed = self.rounds / self.seconds if self.seconds else 0.0
        left = (wanted - self.rounds) / speed / 60 if speed else 0.0
        filled = "#" * int(BAR * done)
        return (
            f"[{filled:<{BAR}}] {self.rounds:,} of {wanted:,} rounds, {speed:,.0f} a second, "
            f"{max(0.0, left):.0f} min left, seeds to {self.next - 1:,}, {len(self.broken)} broken"
        )

    def report(self) -> str:
        """What there is to say at the end."""
        least, most = min(self.ways.values(), default=0), max(self.ways.values(), default=0)
        counted = ", ".join(f"{self.counts.get(name, 0):,} {name}" for name in COUNTED)
        return (
            f"seeds {self.first:,} to {self.next - 1:,}: {counted}; {len(self.ways)} ways of dealing "
            f"with {least:,} to {most:,} rounds each; {self.seconds:,.0f} s; {len(self.broken)} broken"
        )


def kept(path: Path | None) -> Count | None:
    """What an earlier run left off with."""
    if path is None or not path.exists():
        return None
    return Count(**json.loads(path.read_text(encoding="utf-8")))


def keep(count: Count, path: Path | None) -> None:
    """Write it beside the old one first, so that a cut leaves one of them whole."""
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(asdict(count)), encoding="utf-8")
    new.replace(path)


class Bar:
    """A bar where somebody is looking, a line a minute where nobody is."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.is_watched = sys.stderr.isatty()
        self.shown_s = 0.0

    def show(self, count: Count, now_s: float) -> None:
        """Not more often than somebody can read."""
        if now_s - self.shown_s < (0.5 if self.is_watched else 60.0):
            return
        self.shown_s = now_s
        print(count.bar(self.wanted), end="\r" if self.is_watched else "\n", file=sys.stderr, flush=True)
