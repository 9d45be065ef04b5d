"""What a seed stands for: a way of dealing, how rough the shift is, and which costly looks it gets.

Seeds run through the ways in turn, so that every chapter, method and level of knowledge is met equally often;
everything else is drawn from the seed. Some looks cost more than the events they look at, and a seed in so many
has each: the walk for leaked cards, the settlement by the model, the whole state after a refusal, and a second
table made from a snapshot.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from sabot.statemachine.state.setup import Policies
from tests.statemachine.walk.setups import KNOWN_WAYS, WAYS, Way

ROUNDS = 40
MOST_EVENTS = 200 * ROUNDS
WALKED_OF = 100
SPREAD = 37
RECKONED_OF = 4
REFUSALS_OF = 10
RESTORED_OF = 50
NOISE = (0.0, 0.005, 0.01, 0.02, 0.02, 0.05, 0.1, 0.2)
WHIMS = (0.0, 0.01, 0.03, 0.08)
PAUSES = (0.0, 0.001, 0.005)
HOT = (0.0, 0.3, 0.6)


class Plan(NamedTuple):
    """One shift of the soak."""

    seed: int
    way: Way
    noise: float
    whims: float
    pauses: float
    hot: float
    policies: Policies
    walked: bool = False
    reckoned: bool = False
    refusals: bool = False
    restored: bool = False


def plan(seed: int) -> Plan:
    """The shift of this seed."""
    draws = random.Random(f"soak {seed}")
    turn, place = divmod(seed, len(WAYS))
    way = WAYS[place]
    walked = (turn + SPREAD * place) % WALKED_OF == 0
    return Plan(
        seed,
        way,
        noise=draws.choice(NOISE),
        whims=draws.choice(WHIMS),
        pauses=draws.choice(PAUSES),
        hot=draws.choice(HOT),
        policies=_policies(draws),
        walked=walked,
        reckoned=draws.randrange(RECKONED_OF) == 0 and way in KNOWN_WAYS,
        refusals=draws.randrange(REFUSALS_OF) == 0,
        # Marked cards do not go through JSON.
        restored=draws.randrange(RESTORED_OF) == 0 and not walked,
    )


def _policies(draws: random.Random) -> Policies:
    """Our rules beyond the text, each of which one site in eight has switched off."""
    return Policies(**{name: draws.random() >= 1 / 8 for name in Policies.__dataclass_fields__})
