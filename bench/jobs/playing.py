"""Rounds as events: what the devices and people of a table bring, recorded once, and a table to replay them.

A round is played by the drivers of the tests against a table of its own, outside the clock. The same events
then go to a second table of the same set-up, which comes to the same states: that one is timed, with nothing
between two events but the clock.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)

from tests.statemachine.shift import Shift  # noqa: E402 (needs the path above)
from tests.statemachine.tables import optional_wagers  # noqa: E402
from tests.statemachine.walk.random_shift import RandomShift  # noqa: E402
from tests.statemachine.walk.setups import WAYS, Way, random_setup  # noqa: E402

from sabot.statemachine.state.phases import Phase  # noqa: E402
from sabot.statemachine.state.setup import Setup  # noqa: E402
from sabot.statemachine.table import Table  # noqa: E402
from sabot.statemachine.vocabulary.events import Event  # noqa: E402

SEATS = range(1, 8)
ROUNDS_OF_A_DAY = 1_000
CHIPS = {"ante": 1000, "aces_up": 500, "prog4": 100, "prog5": 100, "bad_beat": 500, "six_card": 500}
ON_ACCOUNT = {"hand_bonus_player": 500, "hand_bonus_dealer": 500}
OPTIONAL = (*list(CHIPS)[1:], *ON_ACCOUNT)
FOUR_CARD_POKER = "pa641a"


class FullShift(NamedTuple):
    """What opens a table, and then the events of each round."""

    setup: Setup
    opening: list[Event]
    rounds: list[list[Event]]


def full_shift(
    method: str, rounds: int, seed: int, *, seats: int = len(SEATS), wagers: int = len(OPTIONAL)
) -> FullShift:
    """Seats of Four Card Poker with so many optional wagers, until the deck is nearly due (8 h, x.3(c))."""
    shift = Shift(FOUR_CARD_POKER, method=method, seed=seed)
    missing = optional_wagers(FOUR_CARD_POKER) - set(CHIPS) - set(ON_ACCOUNT)
    assert not missing, f"not every wager is played: {missing}"
    shift.open_table()
    played = FullShift(shift.setup, shift.events, [])
    for _ in range(rounds):
        shift.events = []
        _play_full_round(shift, seats, OPTIONAL[:wagers])
        shift.effects.clear()
        played.rounds.append(shift.events)
    assert shift.table.state.books.rounds == rounds
    return played


def _play_full_round(shift: Shift, seats: int, optional: Sequence[str]) -> None:
    chips = {name: cents for name, cents in CHIPS.items() if name in ("ante", *optional)}
    on_account = {name: cents for name, cents in ON_ACCOUNT.items() if name in optional}
    for seat in SEATS[:seats]:
        shift.bet(seat, **chips)
        if on_account:
            shift.account(seat, **on_account)
    shift.lock()
    shift.deal()
    shift.reveal(otherwise=3)
    shift.settle_all()
    shift.next_round()


class Walk:
    """Rounds of one table by chance, and how many seats and events they had."""

    def __init__(self, way: Way, seed: int) -> None:
        rng = random.Random(seed)  # noqa: S311 (cards for a clock, not for a player)
        self.setup = random_setup(rng, way)
        self.shift = RandomShift(seed, way, setup=self.setup, noise=0.0, whims=0.0, pauses=0.0, hot=0.0)
        self.seats: list[int] = []

    def events(self, rounds: int) -> Iterator[Event]:
        """The events of so many rounds, the seats of each noted."""
        last = None
        for step in self.shift.rounds(rounds):
            record = self.shift.table.rooms.recorded.last
            if record is not None and record is not last:
                last = record
                self.seats.append(len(record.bets))
            yield step.event


def days(shift: RandomShift, rounds: int) -> Iterator[Event]:
    """The events of so many rounds; after each day the floor closes the table, which lets go of the day."""
    stop = shift.table.state.books.rounds + rounds
    while (left := stop - shift.table.state.books.rounds) > 0:
        yield from (step.event for step in shift.rounds(min(ROUNDS_OF_A_DAY, left)))
        yield from _closing(shift)


def _closing(shift: RandomShift) -> Iterator[Event]:
    state = shift.table.state
    for step in shift.steps():
        yield step.event
        if state.play.phase is Phase.CLOSED:
            return
        if not state.layout.bets:
            shift.people.goal = shift.people.goal or ("close", "")


__all__ = ["WAYS", "RandomShift", "Table", "Walk", "Way", "days", "full_shift"]
