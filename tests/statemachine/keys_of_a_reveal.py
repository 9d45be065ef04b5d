"""Print the keys that a dealer presses at a reveal without a reader: ``python -m tests.statemachine.keys_of_a_reveal``.

The rounds are typical ones: a full table, each seat with an Ante and one or two optional wagers, one fold. Every
answer is the true one and is reached by the fewest keys.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary.events import KeyPressed

from .eyes import Eyes
from .shift import Shift
from .tables import CHAPTERS, law

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS = 40
# What most players add to their Ante, by chapter.
USUAL = {
    "pa641a": ("aces_up", "prog4"),
    "md4cp": ("aces_up", "progressive"),
    "pa679a": ("prime", "pair_bonus"),
    "pa682a": ("prime", "aces_bonus"),
    "pa683a": ("pocket", "board"),
}


def at_the_reveal(chapter: str, seed: int) -> Shift:
    """A round of a full table whose hands are to be declared."""
    chance, shift = random.Random(seed), Shift(chapter, seed=seed, knowledge=Knowledge.NONE)
    shift.open_table()
    for seat in range(1, law(chapter).seats + 1):
        shift.bet(seat, ante=1000)
        for name in USUAL[chapter]:
            if chance.random() < 0.5:
                shift.bet(seat, **{name: 100 if law(chapter).wagers[name].device else 500})
    shift.lock()
    shift.deal()
    while shift.phase in (Phase.DECIDING, Phase.TURNING):
        shift.answer_all({1 + seed % law(chapter).seats: "fold"})
        shift.ok()
    return shift


def keys_of(shift: Shift) -> int:
    """The keys until the round is settled seat by seat."""
    before = _pressed(shift)
    while shift.phase is Phase.DECLARING:
        shift.declare(Eyes(shift).sees())
    return _pressed(shift) - before


def _pressed(shift: Shift) -> int:
    return sum(isinstance(event, KeyPressed) for event in shift.events)


def rows() -> Iterator[tuple[str, float]]:
    """The mean of each chapter."""
    for chapter in CHAPTERS:
        yield chapter, sum(keys_of(at_the_reveal(chapter, seed)) for seed in range(ROUNDS)) / ROUNDS


if __name__ == "__main__":
    for chapter, keys in rows():
        print(f"{chapter} {keys:.1f}")
