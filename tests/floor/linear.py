"""A checker that knows histories and nothing else: what each table said and heard, and when.

Each table does one thing after the other: its wagers contribute, a void takes them back, a claim is granted
an amount. Of each it is known when it was first said and when its answer was heard; somewhere between it
took effect, once. The checker looks for one order of everything in which nothing takes effect before it was
said or after it was answered, grants come in the order of their entries, every amount is what the meter
held at that moment, and the meters end as they ended. Where there is none, the history cannot have been.
The search is that of Wing and Gong, with a memory of where it was (Lowe): a state that was tried once is
not tried again.

The meters that it reckons with are its own, in whole cents of a wager of $1: 10, 8 and 3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

LEVELS = ("mega", "major", "minor")
RESET = (1_000_000, 100_000, 25_000)
SHARE = (10, 8, 3)
NEVER = float("inf")

CONTRIBUTED, TOOK_BACK, GRANTED = "contributed", "took back", "granted"
Meters = tuple[int, ...]
Places = tuple[int, ...]


class Deed(NamedTuple):
    """One thing that a table did: so many wagers, or a grant of a level by its entry and its amount."""

    what: str
    said: float
    heard: float = NEVER
    wagers: int = 0
    level: int = 0
    entry: int = 0
    cents: int = 0


@dataclass
class History:
    """Everything that tables saw, table by table in their own order, and how the meters ended."""

    tables: dict[str, list[Deed]] = field(default_factory=dict)
    end: Meters = RESET

    @property
    def deeds(self) -> int:
        """How many deeds there are."""
        return sum(map(len, self.tables.values()))


def check(history: History) -> list[str]:
    """Return why a history cannot have been; nothing where there is an order of it."""
    entries = sorted(
        each.entry for deeds in history.tables.values() for each in deeds if each.what == GRANTED
    )
    if len(set(entries)) < len(entries):
        return ["a grant was heard twice"]
    return _Search(list(history.tables.values()), entries, history.end).run()


class _Search:
    """Looks for an order."""

    def __init__(self, tables: Sequence[Sequence[Deed]], entries: Sequence[int], end: Meters) -> None:
        self.tables, self.entries, self.end = tables, entries, end
        self.furthest = 0
        self.stuck = "nothing fits at the beginning"

    def run(self) -> list[str]:
        begin: tuple[Places, int, Meters] = ((0,) * len(self.tables), 0, RESET)
        seen, waiting = {begin}, [begin]
        while waiting:
            state = waiting.pop()
            if self._is_over(state):
                return []
            for following in self._following(*state):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return [f"no order: {self.furthest} of {sum(map(len, self.tables))} deeds fit, then {self.stuck}"]

    def _is_over(self, state: tuple[Places, int, Meters]) -> bool:
        places, _, meters = state
        left = [deed for place, deeds in zip(places, self.tables, strict=True) for deed in deeds[place:]]
        if all(each.heard == NEVER for each in left) and meters == self.end:
            return True
        if not left:
            self._note(places, f"the meters end at {self.end}, this order makes {meters}")
        return False

    def _following(self, places: Places, granted: int, meters: Meters) -> "list[tuple[Places, int, Meters]]":
        """The states after one deed more: one that was said before every other's answer was heard."""
        ahead = [(number, deeds[place]) for number, (place, deeds) in enumerate(zip(places, self.tables, strict=True))
                 if place < len(deeds)]  # fmt: skip
        first = min((deed.heard for _, deed in ahead), default=NEVER)
        found = []
        for number, deed in ahead:
            if deed.said > first:
                continue
            made = self._after(deed, granted, meters)
            if made is None:
                self._note(places, f"table {number}: {deed} with the meters at {meters}")
                continue
            stepped = (*places[:number], places[number] + 1, *places[number + 1 :])
            found.append((stepped, granted + (deed.what == GRANTED), made))
        return found

    def _after(self, deed: Deed, granted: int, meters: Meters) -> Meters | None:
        if deed.what == CONTRIBUTED:
            return tuple(m + s * deed.wagers for m, s in zip(meters, SHARE, strict=True))
        if deed.what == TOOK_BACK:
            return tuple(
                m - min(s * deed.wagers, m - r) for m, s, r in zip(meters, SHARE, RESET, strict=True)
            )
        if self.entries[granted] != deed.entry or meters[deed.level] != deed.cents:
            return None
        return (*meters[: deed.level], RESET[deed.level], *meters[deed.level + 1 :])

    def _note(self, places: Places, why: str) -> None:
        if sum(places) >= self.furthest:
            self.furthest, self.stuck = sum(places), why


def cents_of(levels: Mapping[str, int]) -> Meters:
    """Return the meters in the checker's order."""
    return tuple(levels[name] for name in LEVELS)
