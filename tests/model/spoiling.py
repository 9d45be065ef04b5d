"""What the corruptions share: where a round keeps its cards, stakes and seats."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from .game import Json

Corruption = Callable[[random.Random, Json], bool]
ONE_CARD_PLACES = ("six_card", "all_six", "pair_bonus_card")
CARD_LISTS = ("dealer", "community", "all_six")


def pick(rng: random.Random, choices: list[Any]) -> Any:
    """One of the choices, or None where there is none."""
    return rng.choice(choices) if choices else None


def is_played(record: Json) -> bool:
    return "irregularity" not in record


def seats_where(record: Json, holds: Callable[[Json], bool]) -> list[Json]:
    return [seat for seat in record["seats"] if holds(seat)]


def card_slots(record: Json) -> Iterator[tuple[Any, int | str]]:
    """Each card on the layout as (holder, key)."""
    for place in CARD_LISTS:
        if isinstance(record.get(place), list):
            yield from ((record[place], index) for index in range(len(record[place])))
    yield from ((record, place) for place in ONE_CARD_PLACES if isinstance(record.get(place), str))
    for seat in record["seats"]:
        yield from ((seat["cards"], index) for index in range(len(seat.get("cards", []))))
        if "fourth" in seat:
            yield seat, "fourth"


def stakes(record: Json) -> list[tuple[Json, str]]:
    return [
        (seat["wagers"], name)
        for seat in record["seats"]
        for name, cents in seat["wagers"].items()
        if cents is not None
    ]
