"""What a round JSON must be, read from the contract alone: `refusal` says why one is not legal.

The generator is held to it: its rounds are accepted and its corruptions refused, for a reason.
Each check yields the places it refuses, in words.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .game import Json

SEATS = {"pa641a": 7, "md4cp": 7, "pa679a": 6, "pa682a": 6, "pa683a": 6}
HAND = {"pa641a": 5, "md4cp": 5, "pa679a": 3, "pa682a": 5, "pa683a": 2}
SHARED = {
    "pa641a": {"dealer": 6, "six_card": 1},
    "md4cp": {"dealer": 6, "six_card": 1},
    "pa679a": {"dealer": 3, "pair_bonus_card": 1},
    "pa682a": {"dealer": 6, "all_six": 1},
    "pa683a": {"community": 3, "all_six": 4},
}
LETTERS = {
    "pa641a": {
        "aces_up": "ABCDEF",
        "prog4": "AB",
        "envy4": "AB",
        "prog5": "ABCD",
        "bad_beat": "AB",
        "six_card": "ABCDE",
    },
    "md4cp": {"aces_up": "ABCDEF", "progressive": "ABCDEF", "envy": "ABCDEF", "six_card": "AB"},
    "pa679a": {"bad_beat": "ABCD", "pair_bonus_two": "ABCD", "all_six": "ABCDE"},
    "pa682a": {"bad_beat": "ABCD", "prime": "AB", "aces_bonus": "ABCDEFGH", "all_six": "ABCDE"},
    "pa683a": {
        "main": "ABC",
        "pocket": "ABC",
        "board": "ABCD",
        "lo_ball": "AB",
        "all_six": "ABCDE",
    },
}
ANTE, ANTE_OR_ACES_UP, BOTH = "ante", "ante or aces_up", "ante and aces_up"
REQUIRES = {
    "pa641a": {
        "prog4": ANTE_OR_ACES_UP,
        "prog5": ANTE_OR_ACES_UP,
        "bad_beat": ANTE_OR_ACES_UP,
        "hand_bonus_player": ANTE,
        "hand_bonus_dealer": ANTE,
        "six_card": ANTE,
    },
    "md4cp": {"progressive": ANTE_OR_ACES_UP, "six_card": BOTH},
    "pa679a": dict.fromkeys(("prime", "pair_bonus", "all_six"), ANTE),
    "pa682a": dict.fromkeys(("prime", "aces_bonus", "all_six"), ANTE),
    "pa683a": dict.fromkeys(("pocket", "board", "lo_ball", "all_six"), ANTE),
}
ALONE = {"pa641a": ("ante", "aces_up"), "md4cp": ("ante", "aces_up")}
METERS = {"pa641a": ("prog4", "prog5", "hand_bonus"), "md4cp": ("progressive",)}
FIELDS = {
    "round": "chapter options meters seats dealer community six_card all_six pair_bonus_card "
    "draws irregularity deal",
    "options": "paytables progressive_unit meter_reset payout_limit pair_bonus_card readings",
    "seat": "seat player wagers decision cards fourth abandoned",
    "decision": "play fold raises",
    "irregularity": "kind when pos",
    "draws": "magic_card lucky",
    "readings": "tiebreak wheel5 void_forfeits ante_bonus_losing envy_folded_holder "
    "envy_two_boxes fold_unlisted hand_bonus_first md_envy_c md_super_royal_stake bad_beat_play "
    "aces_bonus win_bonus_tie win_bonus_for limit_682 board_pair",
}
DECK = {rank + suit for rank in "23456789TJQKA" for suit in "cdhs"}


def refusal(record: Json) -> str:
    """Why the round is refused; empty for a legal one."""
    if record["chapter"] not in SEATS:
        return f"unknown chapter {record['chapter']}"
    checks = (
        unknown_fields,
        wrong_options,
        wrong_seats,
        wrong_wagers,
        wrong_decisions,
        wrong_cards,
    )
    return next((reason for check in checks for reason in check(record)), "")


def unknown_fields(record: Json) -> Iterator[str]:
    seats, options = record["seats"], record["options"]
    levels: list[tuple[str, Json]] = [("round", record), ("options", options)]
    levels += [("seat", seat) for seat in seats]
    levels += [("decision", seat["decision"]) for seat in seats if "decision" in seat]
    levels += [(name, record[name]) for name in ("irregularity", "draws") if name in record]
    levels += [("readings", options.get("readings", {}))]
    for level, holder in levels:
        yield from (f"{level}: unknown {name}" for name in set(holder) - set(FIELDS[level].split()))
    for name in set(record.get("meters", {})) - set(METERS.get(record["chapter"], ())):
        yield f"unknown meter {name}"


def is_cents(value: Any) -> bool:
    return type(value) is int and value >= 0


def wrong_options(record: Json) -> Iterator[str]:
    for name, letter in record["options"]["paytables"].items():
        if letter not in list(LETTERS[record["chapter"]].get(name, "")):
            yield f"no paytable {name} {letter}"
    if not is_cents(record["options"].get("payout_limit", 0)):
        yield "payout limit"
    for meter, levels in record.get("meters", {}).items():
        yield from (f"meter {meter} {level}" for level in levels if not is_cents(levels[level]))


def wrong_seats(record: Json) -> Iterator[str]:
    numbers = Counter(seat["seat"] for seat in record["seats"])
    for number, times in numbers.items():
        if not 1 <= number <= SEATS[record["chapter"]] or times > 1:
            yield f"seat {number}"


def is_there(requirement: str, wagers: Json) -> bool:
    made = [name in wagers for name in ("ante", "aces_up")]
    return {ANTE: made[0], ANTE_OR_ACES_UP: any(made), BOTH: all(made)}[requirement]


def wrong_wagers(record: Json) -> Iterator[str]:
    chapter = record["chapter"]
    for seat in record["seats"]:
        for name, cents in seat["wagers"].items():
            requirement = REQUIRES[chapter].get(name)
            known = requirement or name in ALONE.get(chapter, ("ante",))
            if not known or not (cents is None or is_cents(cents)):
                yield f"seat {seat['seat']}: {name} {cents}"
            elif requirement and not is_there(requirement, seat["wagers"]):
                yield f"seat {seat['seat']}: {name} without {requirement}"
            elif name.startswith("prog") and cents not in (None, 100, 500):
                yield f"seat {seat['seat']}: {name} of {cents}"
            elif name in LETTERS[chapter] and name not in record["options"]["paytables"]:
                yield f"paytable {name} not chosen"
    if chapter == "pa683a" and "main" not in record["options"]["paytables"]:
        yield "paytable main not chosen"


def is_multiple(chapter: str, ante: int | None, cents: int | None) -> bool:
    if ante is None or cents is None:
        return True
    if chapter in ("pa641a", "md4cp"):
        return ante <= cents <= 3 * ante
    return cents in ((ante,) if chapter == "pa679a" else (ante, 2 * ante, 3 * ante))


def wrong_decisions(record: Json) -> Iterator[str]:
    for seat in record["seats"]:
        decision, place = seat.get("decision"), f"seat {seat['seat']}: decision"
        if decision is None:
            if "ante" in seat["wagers"] and "irregularity" not in record:
                yield f"{place} missing"
        elif "ante" not in seat["wagers"]:
            yield f"{place} without an ante"
        elif not is_complete(record["chapter"], decision):
            yield f"{place} {decision}"
        else:
            amounts = decision.get("raises", [decision["play"]] if "play" in decision else [])
            ante = seat["wagers"]["ante"]
            wrong = [cents for cents in amounts if not is_multiple(record["chapter"], ante, cents)]
            yield from (f"{place} {cents} with an ante of {ante}" for cents in wrong)


def is_complete(chapter: str, decision: Json) -> bool:
    folds = decision.get("fold", False)
    if chapter == "pa683a":
        return bool(len(decision["raises"]) < 3 if folds else len(decision["raises"]) == 3)
    return folds is not ("play" in decision)


def wrong_cards(record: Json) -> Iterator[str]:
    chapter = record["chapter"]
    places = {name: record[name] for name in SHARED[chapter] if name in record}
    sizes = dict(SHARED[chapter])
    for seat in record["seats"]:
        for name, key, size in (("cards", "cards", HAND[chapter]), ("fourth", "fourth", 1)):
            if key in seat:
                places[f"seat {seat['seat']} {name}"] = seat[key]
                sizes[f"seat {seat['seat']} {name}"] = size
        folded = seat.get("decision", {}).get("fold", False)
        if "cards" not in seat and not folded and "irregularity" not in record:
            yield f"seat {seat['seat']}: no cards"
    for must in ("dealer", "community"):
        if must in SHARED[chapter] and must not in record:
            yield f"no {must}"
    dealt: Counter[str] = Counter()
    for place, cards in places.items():
        texts = [cards] if isinstance(cards, str) else cards
        if len(texts) != sizes[place]:
            yield f"{place}: {len(texts)} cards"
        dealt.update(card.replace("10", "T") for card in texts)
    yield from (f"card {card}" for card in dealt if card not in DECK or dealt[card] > 1)
