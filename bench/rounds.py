"""Rounds to settle, each stream named by its seed.

``mixed`` goes round the five chapters, every round under options, readings and irregularities of its own:
nothing that the program keeps from one round helps the next. ``shift`` is what a table writes in hours of
play: one chapter, one set of options, players who come, go and fold. ``full`` is the heaviest round there
is, seven seats with every wager of Four Card Poker.
"""

import random
import sys
from collections.abc import Callable, Iterator

from fresh import ROOT

Json = dict[str, object]
Maker = Callable[[random.Random, int], Json]

SEED = 641
PACK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SEATS = range(1, 8)
ALWAYS = {"ante": 1000}
OPTIONAL = {
    "aces_up": 500,
    "prog4": 100,
    "prog5": 100,
    "bad_beat": 500,
    "hand_bonus_player": 500,
    "hand_bonus_dealer": 500,
    "six_card": 500,
}
OPTIONS: Json = {
    "paytables": {"aces_up": "A", "prog4": "A", "prog5": "A", "bad_beat": "A", "six_card": "E"},
    "progressive_unit": 100,
}
METERS: Json = {
    "prog4": {"main": 512_345},
    "prog5": {"main": 1_012_345},
    "hand_bonus": {"main": 1_000_000},
}


def full(rng: random.Random, _: int = 0) -> Json:
    """Seven seats, each with every wager, nobody folds."""
    return _four_card_poker(rng, dict.fromkeys(SEATS, ALWAYS | OPTIONAL), folds=frozenset())


def shift(rng: random.Random, _: int = 0) -> Json:
    """Some seats, each with an ante and half of the other wagers; one player of four folds."""
    taken = sorted(rng.sample(SEATS, rng.randint(1, len(SEATS))))
    wagers = {seat: ALWAYS | {name: OPTIONAL[name] for name in _half(rng)} for seat in taken}
    return _four_card_poker(rng, wagers, frozenset(seat for seat in taken if rng.random() < 0.25))


def mixed(rng: random.Random, number: int) -> Json:
    """The tests' random rounds, chapter by chapter."""
    if str(ROOT) not in sys.path:
        sys.path.insert(1, str(ROOT))
    from tests.model.rounds import CHAPTERS, random_round  # noqa: PLC0415 (needs the path above)

    return random_round(rng, CHAPTERS[number % len(CHAPTERS)])


STREAMS: dict[str, Maker] = {"mixed": mixed, "shift": shift, "full": full}


def stream(name: str, count: int, seed: int = SEED) -> Iterator[Json]:
    """So many rounds of a stream."""
    rng = random.Random(seed)  # noqa: S311 (cards for a clock, not for a player)
    return (STREAMS[name](rng, number) for number in range(count))


def _half(rng: random.Random) -> list[str]:
    return [name for name in OPTIONAL if rng.random() < 0.5]


def _four_card_poker(rng: random.Random, wagers: dict[int, dict[str, int]], folds: frozenset[int]) -> Json:
    pack = rng.sample(PACK, len(PACK))
    seats = [
        {
            "seat": seat,
            "wagers": made,
            "decision": {"fold": True} if seat in folds else {"play": 3 * made["ante"]},
            "cards": [pack.pop() for _ in range(5)],
        }
        for seat, made in wagers.items()
    ]
    return {
        "chapter": "pa641a",
        "options": OPTIONS,
        "meters": METERS,
        "seats": seats,
        "dealer": [pack.pop() for _ in range(6)],
        "six_card": pack.pop(),
        "draws": {"magic_card": rng.choice(PACK), "lucky": rng.choice(SEATS)},
    }
