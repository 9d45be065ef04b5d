"""Histories of claims and grants as tables see them, over a bad line, and a checker that knows nothing else.

A table contributes one wager a round, 10 cents of it for the mega, and sometimes claims it whole. Its line loses
answers, says things twice and brings up old things again. The checker knows when each thing was said and when its
answer was heard, and the amounts: it demands one order of all grants, in which each amount is what the meter held at
one moment between its claim and its grant, and that in the end no cent is over or missing. As all contributions are
equal, an order exists exactly where the count of those before each grant lies between those that were acknowledged
before its claim and those that were said before it was heard.
"""

import random
import threading
import time
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from sabot.floor import messages
from sabot.floor.committer import CommitAnswer
from sabot.floor.errors import FloorError

from .keeping import SOON_S, Kept, told
from .making import Teller

BASE = RESET = 1_000_000
EACH = 10


class Contributed(NamedTuple):
    """A contribution: when it was first said, and when it was acknowledged."""

    said: float
    heard: float


class Granted(NamedTuple):
    """A grant: when its claim was first said, when it was heard, its number in the ledger and its amount."""

    said: float
    heard: float
    entry: int
    cents: int


@dataclass
class History:
    """Everything that the tables saw."""

    contributed: list[Contributed] = field(default_factory=list)
    granted: list[Granted] = field(default_factory=list)


def check(history: History, end_cents: int) -> list[str]:
    """Return everything in a history that cannot have been."""
    grants = sorted(history.granted, key=lambda each: each.entry)
    found = [
        f"grant {later.entry} was heard before grant {first.entry} was claimed"
        for first, later in combinations(grants, 2)
        if later.heard < first.said
    ]
    counted, stands = 0, BASE
    for each in grants:
        counted += each.cents - stands
        stands = RESET
        least = EACH * sum(one.heard <= each.said for one in history.contributed)
        most = EACH * sum(one.said <= each.heard for one in history.contributed)
        if not least <= counted <= most or each.cents < RESET:
            found.append(f"grant {each.entry} counts {counted} cents, between {least} and {most} there were")
    if len({each.entry for each in grants}) < len(grants):
        found.append("a grant was heard twice")
    left = EACH * len(history.contributed) - counted
    if end_cents != stands + left:
        found.append(f"the meter ends at {end_cents}, {stands + left} is left")
    return found


@dataclass
class Player(threading.Thread):
    """A table that plays rounds over a line that is no good."""

    kept: Kept
    teller: Teller
    history: History
    rounds: int
    rng: random.Random

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.old: list[bytes] = []

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        """Play."""
        for number in range(1, self.rounds + 1):
            said = time.monotonic()
            self.say_until_acknowledged(self.teller.bets(number, 1))
            self.history.contributed.append(Contributed(said, time.monotonic()))
            if self.rng.random() < 0.15:
                self.claim(number)

    def claim(self, number: int) -> None:
        """A hit, from its claim to its validation."""
        said = time.monotonic()
        heard = self.say_until_acknowledged(self.teller.hit(number, 1))
        (grant,) = (each for each in heard if each["kind"] == messages.GRANTED)
        self.history.granted.append(Granted(said, time.monotonic(), grant["entry"], grant["cents"]))
        self.teller.heard = grant["number"]
        self.say_until_acknowledged(self.teller.say(messages.VALIDATED, grant=grant["entry"]))

    def say_until_acknowledged(self, raw: bytes) -> list[dict[str, Any]]:
        """The same bytes again and again, until an answer comes through that has them."""
        self.old.append(raw)
        while True:
            answer = self._over_the_line(raw)
            heard = told(answer) if answer else []
            if heard and heard[-1]["applied"] >= self.teller.number:
                return heard

    def _over_the_line(self, raw: bytes) -> CommitAnswer | None:
        """An answer, unless it is lost; things may be said twice, and old ones may come up."""
        if self.rng.random() < 0.1:
            self.kept.committer.take(self.rng.choice(self.old))
        if self.rng.random() < 0.2:
            self.kept.committer.take(raw)
        try:
            answer = self.kept.committer.take(raw).result(SOON_S)
        except FloorError:
            return None
        assert isinstance(answer, CommitAnswer)
        return None if self.rng.random() < 0.15 else answer


def play(kept: Kept, rounds: int, seed: int) -> tuple[History, int]:
    """All tables at once; what they saw, and what the meter shows in the end."""
    history = History()
    players = [
        Player(kept, teller, history, rounds, random.Random(f"{seed} {teller.name}"))
        for teller in kept.tellers
    ]
    for each in players:
        each.start()
    for each in players:
        each.join()
    kept.committer.stop()
    return history, kept.units("pit.mega") // 10_000
