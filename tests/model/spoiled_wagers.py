"""Corruptions of seats, decisions, amounts and paytables.

Missing decisions and missing paytables are spoilt only where the round is played to its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .spoiling import Corruption, is_played, pick, seats_where, stakes

if TYPE_CHECKING:
    import random

    from .game import Json

PROGRESSIVES = ("prog4", "prog5", "progressive")
POSITIONS = {"pa641a": 7, "md4cp": 7, "pa679a": 6, "pa682a": 6, "pa683a": 6}
ANY_AMOUNT_BETWEEN = ("pa641a", "md4cp")
# a wager, alone at a seat, that lacks what it requires
WITHOUT_PREREQUISITE = {
    "pa641a": {"bad_beat": 500},
    "md4cp": {"progressive": 100},
    "pa679a": {"prime": 500},
    "pa682a": {"prime": 500},
    "pa683a": {"pocket": 500},
}


def seat_out_of_range(rng: random.Random, record: Json) -> bool:
    too_high = POSITIONS[record["chapter"]] + 1
    rng.choice(record["seats"])["seat"] = rng.choice((0, -1, too_high, 99))
    return True


def seat_twice(rng: random.Random, record: Json) -> bool:
    if len(record["seats"]) < 2:
        return False
    first, second = rng.sample(record["seats"], 2)
    first["seat"] = second["seat"]
    return True


def prerequisite_missing(rng: random.Random, record: Json) -> bool:
    """A side wager alone at a seat whose cards lie on the table."""
    seat = pick(rng, seats_where(record, lambda seat: "cards" in seat))
    if seat is None:
        return False
    seat["wagers"] = dict(WITHOUT_PREREQUISITE[record["chapter"]])
    seat.pop("decision", None)
    seat.pop("fourth", None)
    return True


def aces_up_missing(rng: random.Random, record: Json) -> bool:
    """Maryland asks for an ante and an aces up wager before a six card bonus."""
    if record["chapter"] != "md4cp":
        return False
    seat = pick(rng, seats_where(record, lambda seat: "six_card" in seat["wagers"]))
    if seat is not None:
        del seat["wagers"]["aces_up"]
    return seat is not None


def decision_without_ante(rng: random.Random, record: Json) -> bool:
    seat = pick(rng, seats_where(record, lambda seat: "ante" not in seat["wagers"]))
    if seat is not None:
        seat["decision"] = rng.choice(({"play": 1_000}, {"fold": True}))
    return seat is not None


def measured_decisions(record: Json, key: str) -> list[tuple[Json, int]]:
    """Decisions with an amount under the key, each with its ante, where both are known."""
    return [
        (seat["decision"], seat["wagers"]["ante"])
        for seat in record["seats"]
        if seat.get("decision", {}).get(key) and seat["wagers"]["ante"] is not None
    ]


def play_outside_multiples(rng: random.Random, record: Json) -> bool:
    chosen = pick(rng, measured_decisions(record, "play"))
    if chosen is None:
        return False
    decision, ante = chosen
    decision["play"] = outside_multiples(rng, record["chapter"], ante)
    return True


def outside_multiples(rng: random.Random, chapter: str, ante: int) -> int:
    """Below, above, or (where only whole multiples may be made) between them (F6)."""
    choices = [4 * ante, 3 * ante + 1]
    if ante > 1:
        choices.append(ante - 1)
    if ante > 1 and chapter not in ANY_AMOUNT_BETWEEN:
        choices.append(ante + 1)
    return rng.choice(choices)


def raise_outside_multiples(rng: random.Random, record: Json) -> bool:
    chosen = pick(rng, measured_decisions(record, "raises"))
    if chosen is None:
        return False
    decision, ante = chosen
    number = rng.randrange(len(decision["raises"]))
    decision["raises"][number] = outside_multiples(rng, record["chapter"], ante)
    return True


def fold_with_play(rng: random.Random, record: Json) -> bool:
    plays = seats_where(record, lambda seat: "play" in seat.get("decision", {}))
    seat = pick(rng, plays)
    if seat is not None:
        seat["decision"]["fold"] = True
    return seat is not None


def three_raises_with_fold(rng: random.Random, record: Json) -> bool:
    seat = raised_three_times(rng, record)
    if seat is not None:
        seat["decision"]["fold"] = True
    return seat is not None


def fourth_raise(rng: random.Random, record: Json) -> bool:
    seat = raised_three_times(rng, record)
    if seat is not None:
        seat["decision"]["raises"].append(seat["wagers"]["ante"])
    return seat is not None


def two_raises_without_fold(rng: random.Random, record: Json) -> bool:
    seat = raised_three_times(rng, record) if is_played(record) else None
    if seat is not None:
        seat["decision"]["raises"].pop()
    return seat is not None


def raised_three_times(rng: random.Random, record: Json) -> Json | None:
    raised = seats_where(record, lambda seat: len(seat.get("decision", {}).get("raises", [])) == 3)
    seat: Json | None = pick(rng, raised)
    return seat


def progressive_of_200(rng: random.Random, record: Json) -> bool:
    slot = pick(rng, [slot for slot in stakes(record) if slot[1] in PROGRESSIVES])
    if slot is not None:
        slot[0][slot[1]] = 200
    return slot is not None


def spoil_stake(rng: random.Random, record: Json, cents: object) -> bool:
    slot = pick(rng, free_stakes(record))
    if slot is not None:
        slot[0][slot[1]] = cents
    return slot is not None


def free_stakes(record: Json) -> list[tuple[Json, str]]:
    """Known stakes that no second wager is measured by."""
    measured = [
        seat["wagers"]
        for seat in record["seats"]
        if seat.get("decision", {}).get("play") or seat.get("decision", {}).get("raises")
    ]
    return [
        (wagers, name)
        for wagers, name in stakes(record)
        if name != "ante" or not any(wagers is other for other in measured)
    ]


def negative_cents(rng: random.Random, record: Json) -> bool:
    return spoil_stake(rng, record, -500)


def fractional_cents(rng: random.Random, record: Json) -> bool:
    return spoil_stake(rng, record, 500.5)


def boolean_cents(rng: random.Random, record: Json) -> bool:
    return spoil_stake(rng, record, True)


def text_cents(rng: random.Random, record: Json) -> bool:
    return spoil_stake(rng, record, "500")


def negative_meter(rng: random.Random, record: Json) -> bool:
    levels = pick(rng, list(record.get("meters", {}).values()))
    if levels is not None:
        levels[rng.choice(list(levels))] = -1
    return levels is not None


def fractional_meter(rng: random.Random, record: Json) -> bool:
    levels = pick(rng, list(record.get("meters", {}).values()))
    if levels is not None:
        levels[rng.choice(list(levels))] = 1_000_000.5
    return levels is not None


def negative_limit(_: random.Random, record: Json) -> bool:
    if "payout_limit" in record["options"]:
        record["options"]["payout_limit"] = -1
    return "payout_limit" in record["options"]


def used_letters(record: Json) -> list[str]:
    """The paytables that a wager on the table asks for."""
    made = {name for seat in record["seats"] for name in seat["wagers"]}
    made |= {"main"} if record["chapter"] == "pa683a" else set()
    return [name for name in record["options"]["paytables"] if name in made]


def letter_not_in_chapter(rng: random.Random, record: Json) -> bool:
    name = pick(rng, used_letters(record))
    if name is not None:
        record["options"]["paytables"][name] = rng.choice(("Z", "AB", ""))
    return name is not None


def letter_not_chosen(rng: random.Random, record: Json) -> bool:
    name = pick(rng, used_letters(record) if is_played(record) else [])
    if name is not None:
        del record["options"]["paytables"][name]
    return name is not None


def paytable_of_unknown_wager(_: random.Random, record: Json) -> bool:
    record["options"]["paytables"]["insurance"] = "A"
    return True


SEATS_AND_MONEY: tuple[Corruption, ...] = (
    seat_out_of_range,
    seat_twice,
    prerequisite_missing,
    aces_up_missing,
    decision_without_ante,
    play_outside_multiples,
    raise_outside_multiples,
    fold_with_play,
    three_raises_with_fold,
    fourth_raise,
    two_raises_without_fold,
    progressive_of_200,
    negative_cents,
    fractional_cents,
    boolean_cents,
    text_cents,
    negative_meter,
    fractional_meter,
    negative_limit,
    letter_not_in_chapter,
    letter_not_chosen,
    paytable_of_unknown_wager,
)
