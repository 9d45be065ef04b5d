"""One thing of a legal round made illegal, each time something that the contract refuses by name.

A corruption changes the copy it is given and says whether it found anything to change.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from .spoiled_layout import NAMES_AND_CARDS
from .spoiled_wagers import SEATS_AND_MONEY

if TYPE_CHECKING:
    import random

    from .game import Json

CORRUPTIONS = {spoil.__name__: spoil for spoil in (*NAMES_AND_CARDS, *SEATS_AND_MONEY)}


def corrupt(rng: random.Random, record: Json) -> tuple[Json, str]:
    """A copy with exactly one thing illegal, and a short word for what it is."""
    names = list(CORRUPTIONS)
    rng.shuffle(names)
    for name in names:
        spoilt = copy.deepcopy(record)
        if CORRUPTIONS[name](rng, spoilt):
            return spoilt, name
    raise AssertionError(record)
