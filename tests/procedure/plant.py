"""What a planted violation is, and the shifts that it is planted in."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .streams import CALM, Line

Change = Callable[[list[Line]], bool]
FOUR, MARYLAND = "pa641a-manual_shoe-each_card", "md4cp-hand-none"
PRIME, FOUR_PRIME, CAJUN = (
    "pa679a-manual_shoe-each_card",
    "pa682a-manual_shoe-each_card",
    "pa683a-manual_shoe-each_card",
)
STACKS, DECLARED = "pa641a-auto_shoe-stack", "pa641a-manual_shoe-none"
SECOND = ("play", "raise", "raise1", "raise2", "raise3")
MONEY = ("PayWager", "CollectWager", "CreditAccount", "ReturnWager")
HOURS = 3600.0


class Plant(NamedTuple):
    """What is planted where, and which rule must object."""

    rule: str
    words: str
    way: str
    change: Change
    mood: tuple[float, float] = CALM
