"""Corruptions of names and of cards.

Counts of cards are spoilt only where the round is played to its end: in a void round the contract
lets cards be absent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .dealing import DEALER_SIZE
from .spoiling import CARD_LISTS, Corruption, card_slots, is_played, pick, seats_where

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from .game import Json

WAGER_OF_ANOTHER_CHAPTER = {
    "pa641a": "pocket",
    "md4cp": "hand_bonus_player",
    "pa679a": "aces_up",
    "pa682a": "pair_bonus",
    "pa683a": "prime",
}


def unknown_field(_: random.Random, record: Json) -> bool:
    record["colour"] = "green"
    return True


def unknown_option(_: random.Random, record: Json) -> bool:
    record["options"]["house_edge"] = 3
    return True


def unknown_reading(_: random.Random, record: Json) -> bool:
    record["options"].setdefault("readings", {})["moon_phase"] = "full"
    return True


def unknown_seat_field(rng: random.Random, record: Json) -> bool:
    rng.choice(record["seats"])["mood"] = "good"
    return True


def unknown_decision_field(rng: random.Random, record: Json) -> bool:
    seat = pick(rng, seats_where(record, lambda seat: "decision" in seat))
    if seat is not None:
        seat["decision"]["double"] = 100
    return seat is not None


def unknown_irregularity_field(_: random.Random, record: Json) -> bool:
    if "irregularity" in record:
        record["irregularity"]["witness"] = "floor"
    return "irregularity" in record


def unknown_draw(_: random.Random, record: Json) -> bool:
    if "draws" in record:
        record["draws"]["wheel"] = 7
    return "draws" in record


def unknown_meter(_: random.Random, record: Json) -> bool:
    if "meters" in record:
        record["meters"]["lottery"] = {"main": 100_000}
    return "meters" in record


def unknown_chapter(_: random.Random, record: Json) -> bool:
    record["chapter"] = "pa999z"
    return True


def unknown_wager(rng: random.Random, record: Json) -> bool:
    rng.choice(record["seats"])["wagers"]["insurance"] = 500
    return True


def wager_of_another_chapter(rng: random.Random, record: Json) -> bool:
    wagers = rng.choice(record["seats"])["wagers"]
    wagers[WAGER_OF_ANOTHER_CHAPTER[record["chapter"]]] = 500
    return True


def unknown_card(rng: random.Random, record: Json) -> bool:
    slot = pick(rng, list(card_slots(record)))
    if slot is not None:
        slot[0][slot[1]] = rng.choice(("1s", "Kx", "11h", "", "joker"))
    return slot is not None


def card_twice(rng: random.Random, record: Json) -> bool:
    slots = list(card_slots(record))
    if len(slots) < 2:
        return False
    (holder, key), (other, other_key) = rng.sample(slots, 2)
    holder[key] = other[other_key]
    return True


def card_lists(record: Json) -> list[list[str]]:
    """Lists whose length is fixed: those of a round played to its end, by live seats."""
    if not is_played(record):
        return []
    places = [record[place] for place in CARD_LISTS if isinstance(record.get(place), list)]
    return places + [seat["cards"] for seat in record["seats"] if "cards" in seat]


def card_missing(rng: random.Random, record: Json) -> bool:
    cards = pick(rng, card_lists(record))
    if cards is not None:
        cards.pop()
    return cards is not None


def card_extra(rng: random.Random, record: Json) -> bool:
    cards = pick(rng, card_lists(record))
    if cards is not None:
        used = {str(holder[key]).replace("10", "T") for holder, key in card_slots(record)}
        cards.append(next(card for card in ("2c", *every_card()) if card not in used))
    return cards is not None


def every_card() -> Iterator[str]:
    return (rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def hand_missing(rng: random.Random, record: Json) -> bool:
    """No cards at a seat that is still in play."""
    in_play = seats_where(record, lambda seat: not seat.get("decision", {}).get("fold", False))
    seat = pick(rng, in_play if is_played(record) else [])
    if seat is not None:
        del seat["cards"]
    return seat is not None


def dealer_missing(_: random.Random, record: Json) -> bool:
    """No dealer's cards although a seat is still to be compared with them."""
    plays = seats_where(record, lambda seat: "play" in seat.get("decision", {}))
    if not (is_played(record) and plays and record["chapter"] in DEALER_SIZE):
        return False
    del record["dealer"]
    return True


NAMES_AND_CARDS: tuple[Corruption, ...] = (
    unknown_field,
    unknown_option,
    unknown_reading,
    unknown_seat_field,
    unknown_decision_field,
    unknown_irregularity_field,
    unknown_draw,
    unknown_meter,
    unknown_chapter,
    unknown_wager,
    wager_of_another_chapter,
    unknown_card,
    card_twice,
    card_missing,
    card_extra,
    hand_missing,
    dealer_missing,
)
