"""One seed of chaos: a table, a few rounds, mishaps at moments that the seed draws, and what is true afterwards.

Whatever happens, people bring the table to open bets again by what the display and the console say; in the
end the program is stopped and its journal judged by `truth`. What the seed found beside that is a figure: how
long a lock took, how often the program had to be started, how many rounds counted.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sabot.hil.table.hands import NotSeenError
from tests.chaos.mishaps import MISHAPS
from tests.chaos.people import MOST_TURNS, release_everything, reshuffle_if_wanted
from tests.chaos.stage import LOOK_S, Stage
from tests.chaos.truth import drawn, verify_stopped

if TYPE_CHECKING:
    from pathlib import Path

    from tests.chaos.mishaps import End
    from tests.chaos.truth import Truth

TABLES = (
    ("pa641a", "manual_shoe"),
    ("md4cp", "hand"),
    ("pa679a", "manual_shoe"),
    ("pa682a", "hand"),
    ("pa683a", "manual_shoe"),
)
ROUNDS, AT_ONCE, CENTS = 2, 3, 2500
# In a round the display shows about so many different things.
LONGEST_ROUND = 30
MOST_STEPS = 80
FROZEN_S = 20.0
UNKNOWN = "nobody knows"
OPEN = "BETS OPEN"
PLAYED = "CARDS TO RACK"


@dataclass
class Found:
    """What a seed came to; ``wrong`` is empty where all held."""

    seed: int
    table: str = ""
    mishaps: list[str] = field(default_factory=list)
    starts: int = 0
    rounds: int = 0
    voids: int = 0
    by_hand: int = 0
    faults: int = 0
    entries: int = 0
    lock_ms: list[float] = field(default_factory=list)
    memory_mb: float = 0.0
    seconds: float = 0.0
    wrong: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


class Chaos:
    """A table on which a seed plays."""

    def __init__(self, stage: Stage, dice: random.Random, found: Found) -> None:
        self.stage, self.dice, self.found = stage, dice, found
        self.cards: list[str] = []
        self._under_way: list[End] = []
        self._due: Counter[int] = Counter()
        self._steps = 0
        self._stood = (time.monotonic(), ("", ""))
        self._watch_cards()

    def _watch_cards(self) -> None:
        """What really leaves the shoe."""
        hands, do = self.stage.crew.hands, self.stage.crew.hands.do

        def watched(device: str, action: str) -> None:
            if device == "shoe" and action.startswith("draw "):
                self.cards.append(action.split()[1])
            do(device, action)

        hands.do = watched  # type: ignore[method-assign]

    # ------------------------------------------------------------ play

    def play(self) -> None:
        """Rounds, each with its mishaps."""
        for _ in range(ROUNDS):
            self._to_open_bets()
            self._bet()
            self._due = Counter(
                self.dice.randrange(LONGEST_ROUND) for _ in range(self.dice.randint(1, AT_ONCE))
            )
            self._steps = 0
            self._lock()
            self._until(PLAYED)
        self._end_mishaps()
        self._to_open_bets()

    def _bet(self) -> None:
        """A player or two; a mishap may be in their way."""
        for seat in self.dice.sample(range(2), self.dice.randint(1, 2)):
            try:
                self.stage.crew.bet(seat * self.stage.spots_a_seat, CENTS)
                self.stage.crew.hands.wait("a wager", self._is_anybody_in)
            except NotSeenError:
                return

    def _is_anybody_in(self) -> bool:
        return bool(re.match("[1-9] SEATS", self.stage.crew.hands.lines[1]))

    def _lock(self) -> None:
        """Only a table with a wager on it is locked by its key."""
        if self.stage.is_running and self._is_anybody_in():
            self.found.lock_ms.append(self.stage.lock())

    def _until(self, first: str) -> None:
        """Follow the display; at some of its steps something happens."""
        for _ in range(MOST_TURNS):
            try:
                self.stage.crew.follow(lambda lines: self._is_there(lines, first), MOST_STEPS)
            except (NotSeenError, OSError) as error:
                if isinstance(error, OSError):
                    self._reconnect()
                self._put_right()
                if UNKNOWN in str(error):
                    self._let_display_change()
            else:
                return
        message = f"never came to {first}: {self.stage.crew.hands.lines}"
        raise AssertionError(message)

    def _reconnect(self) -> None:
        self.stage.reconnect()
        self._watch_cards()

    def _let_display_change(self) -> None:
        """A display that lost its power shows half a line until it was refreshed."""
        before, end = self.stage.crew.hands.lines, time.monotonic() + FROZEN_S
        while self.stage.crew.hands.lines == before and time.monotonic() < end:
            time.sleep(LOOK_S)

    def _is_there(self, lines: tuple[str, str], first: str) -> bool:
        """Whether the display has come to it; one that stands still for long shows nothing that is true."""
        if lines != self._stood[1]:
            self._stood = (time.monotonic(), lines)
        elif time.monotonic() - self._stood[0] > FROZEN_S:
            self._stood = (time.monotonic(), lines)
            message = f"the display stands still at {lines}"
            raise NotSeenError(message)
        for _ in range(self._due.pop(self._steps, 0)):
            self._happen()
        self._steps += 1
        return lines[0].startswith((first, OPEN)) and not self._due

    def _happen(self) -> None:
        """Something that can happen at this table now: not every table has every device."""
        for name in self.dice.sample([*MISHAPS], MOST_TURNS):
            with suppress(ValueError, OSError):
                self._under_way.append(MISHAPS[name](self.stage, self.dice))
                self.found.mishaps.append(name)
                return

    # ------------------------------------------------------------ home again

    def _to_open_bets(self) -> None:
        self._until(OPEN)

    def _end_mishaps(self) -> None:
        while self._under_way:
            self._under_way.pop()()

    def _put_right(self) -> None:
        """Everything that happens ends; the program runs; what holds the table is released."""
        self._end_mishaps()
        self._due.clear()
        self.stage.revive()
        stage = self.stage
        stage.wait("every device heard", lambda: stage.is_running and all(stage.devices().values()))
        try:
            release_everything(stage)
        except (AssertionError, NotSeenError):
            self._take_over()
        reshuffle_if_wanted(stage)

    def _take_over(self) -> None:
        """People finish by hand what the table cannot."""
        self.stage.crew.floor("TAKE OVER", "SHARES KEPT")
        release_everything(self.stage)


def run_seed(seed: int, folder: Path) -> Found:
    """A whole seed, and its judgement; never raises but where the rig itself is broken."""
    dice, began = random.Random(seed), time.monotonic()
    chapter, method = TABLES[seed % len(TABLES)]
    found = Found(seed, f"{chapter} {method}")
    stage = Stage(folder / f"seed-{seed}", chapter, method, seed=seed)
    try:
        with stage:
            chaos = Chaos(stage, dice, found)
            try:
                chaos.play()
            finally:
                chaos._end_mishaps()
                stage.revive()
            found.memory_mb = stage.resident_mb
            assert stage.traces() == []
            assert stage.stop() == 0, "not everything was written"
            judge(found, verify_stopped(stage.root), chaos.cards)
    except Exception as error:  # whatever went wrong is what a campaign is for
        found.wrong = f"{type(error).__name__}: {error}"
    found.starts, found.seconds = stage.starts, round(time.monotonic() - began, 1)
    return found


def judge(found: Found, truth: Truth, cards: list[str]) -> None:
    """What the truth says of a seed, beside that it holds."""
    records = truth.records
    found.rounds, found.entries = len(records), len(truth.entries)
    found.voids = sum(bool(record["void"]) for record in records)
    found.by_hand = sum(bool(record["by_hand"]) for record in records)
    found.faults = sum(each["effect"] == "RaiseFault" for told in truth.told for each in told.effects)
    assert is_within(drawn(truth), cards), "a card is in the journal that never left the shoe"
    for record in records:
        staked = {cents for wagers in record["bets"].values() for cents in wagers.values()}
        assert staked <= {CENTS}, f"round {record['number']}: stakes {staked}"


def is_within(some: list[str], whole: list[str]) -> bool:
    """Whether some cards stand in the same order in a whole; one that was told twice is one card."""
    rest = iter(whole)
    return all(card in rest for card in some)
