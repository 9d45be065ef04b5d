"""Handle, win and hold, in one place: what each word means, and how it comes out of the records of rounds.

A stake is *decided* when its round stood: won, lost, folded or pushed. Money is integer cents and is taken
from the lines of settlement as the journal has them, envy and progressive payments with the wager that they
belong to. docs/journal.md has the same words.

* handle: all decided stakes of a wager
* returned: the part of the handle that went back to its player, with a payment or as a push
* paid: what was paid beyond that, whoever pays it
* from meters: the part of ``paid`` that progressive meters paid
* envy: the part of ``paid`` that went to others than the holder of the hand
* win: handle - returned - paid; hold: win as a share of the handle
* undone: stakes of void rounds, which are no part of the handle
* unknown: decided stakes that the pads could not value, which are in no sum
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from sabot.rules.chapter import Chapter

ENVY = "envy:"
SUMS = (
    *("stakes", "handle_cents", "returned_cents", "paid_cents", "from_meters_cents", "envy_cents"),
    *("win_cents", "undone_cents", "unknown"),
)
ALL = "all"


@dataclass(slots=True)
class Figures:
    """The sums of one wager, or of all."""

    stakes: int = 0
    handle_cents: int = 0
    returned_cents: int = 0
    paid_cents: int = 0
    from_meters_cents: int = 0
    envy_cents: int = 0
    undone_cents: int = 0
    unknown: int = 0

    @property
    def win_cents(self) -> int:
        """What the house kept; below nothing where it paid more."""
        return self.handle_cents - self.returned_cents - self.paid_cents

    @property
    def hold(self) -> Fraction | None:
        """The win as a share of the handle, None without one."""
        return Fraction(self.win_cents, self.handle_cents) if self.handle_cents else None

    def as_json(self) -> dict[str, object]:
        """For programs; the hold in percent, rounded to hundredths for reading alone."""
        hold = self.hold
        sums = {name: getattr(self, name) for name in SUMS}
        return {**sums, "hold_percent": None if hold is None else f"{float(hold * 100):.2f}"}

    def undo(self, line: Mapping[str, Any]) -> None:
        """A line of a void round."""
        self.undone_cents += line["back"] or 0

    def take(self, line: Mapping[str, Any]) -> None:
        """A line of settlement with its own stake, or a payment that has none."""
        if line["stake"] is None:
            self.unknown += 1
            return
        self.stakes += line["stake"] > 0
        self.handle_cents += line["stake"]
        self.returned_cents += line["back"]
        self.paid_cents += line["paid"]
        if line["wager"].startswith(ENVY):
            self.envy_cents += line["paid"]


@dataclass(slots=True)
class ByWager:
    """The figures of each wager, under the name that the chapter has for it."""

    chapter: Chapter
    wagers: dict[str, Figures] = field(default_factory=dict)
    rounds: int = 0
    void: int = 0
    by_hand: int = 0

    def take(self, record: Mapping[str, Any]) -> None:
        """The record of a round."""
        self.rounds += 1
        self.void += bool(record["void"])
        self.by_hand += bool(record["by_hand"])
        for line in record["lines"]:
            figures = self._of(owner_of(self.chapter, line["wager"]))
            (figures.undo if record["void"] else figures.take)(line)
        if not record["void"]:
            self._take_hits(record["hits"])

    def _take_hits(self, hits: Iterable[Mapping[str, Any]]) -> None:
        for hit in hits:
            self._of(owner_of(self.chapter, hit["wager"])).from_meters_cents += hit["cents"]

    def _of(self, wager: str) -> Figures:
        return self.wagers.setdefault(wager, Figures())

    @property
    def whole(self) -> Figures:
        """All wagers together."""
        names = [name for name in SUMS if name != "win_cents"]
        return Figures(**{n: sum(getattr(each, n) for each in self.wagers.values()) for n in names})

    def as_json(self) -> dict[str, object]:
        """For programs."""
        rows = {name: each.as_json() for name, each in sorted(self.wagers.items())}
        rounds = {"rounds": self.rounds, "void": self.void, "by_hand": self.by_hand}
        return {**rounds, "by_wager": rows, ALL: self.whole.as_json()}


def owner_of(chapter: Chapter, name: str) -> str:
    """The wager that a line belongs to: its own, the one whose bonus it is, or the one that is envied."""
    if name.startswith(ENVY):
        return next((each.name for each in chapter.wagers.values() if each.envy), name)
    base = name.partition(":")[0]
    if base in chapter.wagers:
        return base
    bonuses = (result.bonus for result in chapter.contest.results.values() if result.bonus)
    return next((bonus.on for bonus in bonuses if bonus.line == base), base)
