"""Legal rounds by chance, over all five chapters, and rounds with one thing made illegal.

Half of the rounds are dealt around hands that seldom come: the auditor's arithmetic is tried
where the money is. Everything comes from the generator that is handed in, so a seed names a round.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from . import tables
from .corruptions import corrupt
from .dealing import deal_places, hide_sealed_cards

if TYPE_CHECKING:
    import random

    from .game import Json

__all__ = ["CHAPTERS", "corrupt", "random_round"]

CHAPTERS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
POSITIONS = {"pa641a": 7, "md4cp": 7, "pa679a": 6, "pa682a": 6, "pa683a": 6}
SIDE_WAGERS = {
    "pa679a": ("prime", "pair_bonus", "all_six"),
    "pa682a": ("prime", "aces_bonus", "all_six"),
    "pa683a": ("pocket", "board", "lo_ball", "all_six"),
}
PAYTABLES: dict[str, dict[str, tuple[str, ...]]] = {
    "pa641a": {
        "aces_up": tuple(tables.ACES_UP),
        "prog4": tuple(tables.PROG4),
        "prog5": tuple(tables.PROG5),
        "bad_beat": tuple(tables.BAD_BEAT_641A),
        "six_card": tuple(tables.SIX_CARD),
        "envy4": tuple(tables.ENVY4),
    },
    "md4cp": {
        "aces_up": tuple(tables.ACES_UP),
        "progressive": tuple(tables.MD_PROGRESSIVE),
        "six_card": tuple(tables.MD_SIX_CARD),
        "envy": tuple(tables.MD_ENVY),
    },
    "pa679a": {
        "bad_beat": tuple(tables.BAD_BEAT_679A),
        "pair_bonus_two": tuple(tables.PAIR_BONUS_TWO),
        "all_six": tuple(tables.SIX_CARD),
    },
    "pa682a": {
        "bad_beat": tuple(tables.BAD_BEAT_682A),
        "prime": tuple(tables.PRIME_682A),
        "aces_bonus": tuple(tables.ACES_BONUS),
        "all_six": tuple(tables.SIX_CARD),
    },
    "pa683a": {
        "main": tuple(tables.MAIN_683A),
        "pocket": tuple(tables.POCKET),
        "board": tuple(tables.BOARD),
        "lo_ball": tuple(tables.LO_BALL),
        "all_six": tuple(tables.SIX_CARD),
    },
}
WITH_SIX_CARD_ROYAL: dict[str, tuple[str, ...]] = {
    "pa641a": ("six_card",),
    "md4cp": (),
    "pa679a": ("all_six",),
    "pa682a": ("all_six",),
    "pa683a": ("all_six",),
}
DEFAULT_TO_PROGRESSIVE = ("envy4", "envy")
FOUR_CARD_POKER = ("pa641a", "md4cp")
WITH_DEALER_HAND = ("pa641a", "md4cp", "pa679a", "pa682a")
READINGS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tiebreak": (("highest_card",), WITH_DEALER_HAND),
    "wheel5": (("no",), WITH_DEALER_HAND),
    "void_forfeits": (("kept",), CHAPTERS),
    "ante_bonus_losing": (("no",), FOUR_CARD_POKER),
    "envy_folded_holder": (("never", "always"), FOUR_CARD_POKER),
    "envy_two_boxes": (("yes",), FOUR_CARD_POKER),
    "fold_unlisted": (("forfeit",), ("pa641a",)),
    "hand_bonus_first": (("dealer",), ("pa641a",)),
    "md_envy_c": (("royal",), ("md4cp",)),
    "md_super_royal_stake": (("kept",), ("md4cp",)),
    "bad_beat_play": (("kept",), ("pa679a",)),
    "aces_bonus": (("four",), ("pa682a",)),
    "win_bonus_tie": (("no",), ("pa682a",)),
    "win_bonus_for": (("less_one",), ("pa682a",)),
    "limit_682": (("all",), ("pa682a",)),
    "board_pair": (("aces",), ("pa683a",)),
}
WITH_LIMIT = ("pa679a", "pa682a", "pa683a")
LIMITS = (100, 999, 5_000, 25_001, 250_000, 5_000_000)
ROUND_CHIPS = (100, 500, 1_000, 2_500, 5_000, 10_000, 500_000)
VOIDING = ("several_face_up", "wrong_count", "shoe_jam", "stub_misdealt", "stub_short")
GOING_ON = ("one_face_up", "drawn_in_error", "shuffler_jam")
WITH_PLACE = ("one_face_up", "drawn_in_error")


def random_round(rng: random.Random, chapter: str) -> Json:
    record: Json = {"chapter": chapter, "options": random_options(rng, chapter)}
    meters = random_meters(rng, chapter, record["options"]["paytables"])
    if meters:
        record["meters"] = meters
    record["seats"] = random_seats(rng, chapter)
    if rng.random() < 0.35:
        record["irregularity"] = random_irregularity(rng, chapter)
    decide(rng, record)
    if rng.random() < 0.12:
        forget_stakes(rng, record)
    leave_the_table(rng, record)
    deal_places(rng, record)
    hide_sealed_cards(rng, record, nothing_settled=is_void(record) and not settles_optional(record))
    if chapter == "pa641a" and rng.random() < 0.6:
        record["draws"] = random_draws(rng, record)
    return record


def random_options(rng: random.Random, chapter: str) -> Json:
    letters = {wager: rng.choice(choice) for wager, choice in PAYTABLES[chapter].items()}
    for wager in WITH_SIX_CARD_ROYAL[chapter]:
        letters[wager] = rng.choice((letters[wager], "E"))
    for wager in DEFAULT_TO_PROGRESSIVE:
        if rng.random() < 0.5:
            letters.pop(wager, None)
    options: Json = {"paytables": letters}
    if chapter in FOUR_CARD_POKER and rng.random() < 0.8:
        options["progressive_unit"] = rng.choice((100, 500))
    if chapter == "md4cp":
        least = tables.MD_LEAST_RESET[letters["progressive"]]
        options["meter_reset"] = {
            level: dollars * 100 + rng.choice((0, 1, 12_345)) for level, dollars in least.items()
        }
    if chapter in WITH_LIMIT and rng.random() < 0.4:
        options["payout_limit"] = rng.choice(LIMITS)
    if chapter == "pa679a":
        options["pair_bonus_card"] = rng.choice(("own", "community"))
    readings = random_readings(rng, chapter)
    return options | ({"readings": readings} if readings else {})


def random_readings(rng: random.Random, chapter: str) -> dict[str, str]:
    """Mostly the defaults; at times one or more alternatives together."""
    if rng.random() < 0.6:
        return {}
    share = rng.choice((0.15, 0.5))
    return {
        name: rng.choice(values)
        for name, (values, chapters) in READINGS.items()
        if chapter in chapters and rng.random() < share
    }


def random_meters(rng: random.Random, chapter: str, letters: dict[str, str]) -> Json:
    """A meter for each progressive of the chapter, with odd cents and at times next to nothing."""
    levels: dict[str, tuple[str, ...]] = {}
    if chapter == "pa641a":
        prog4, prog5 = tables.PROG4_SEED[letters["prog4"]], tables.PROG5_SEED[letters["prog5"]]
        levels = {"prog4": tuple(prog4), "prog5": tuple(prog5), "hand_bonus": ("main",)}
    if chapter == "md4cp":
        levels = {"progressive": tuple(tables.MD_LEAST_RESET[letters["progressive"]])}
    return {meter: {name: meter_cents(rng) for name in names} for meter, names in levels.items()}


def meter_cents(rng: random.Random) -> int:
    return rng.choice((rng.randint(0, 120), rng.randint(100_000, 9_999_999)))


def random_seats(rng: random.Random, chapter: str) -> list[Json]:
    positions = range(1, POSITIONS[chapter] + 1)
    taken = sorted(rng.sample(positions, rng.randint(1, len(positions))))
    seats: list[Json] = [{"seat": seat, "wagers": random_wagers(rng, chapter)} for seat in taken]
    for seat in seats:
        if rng.random() < 0.3:
            seat["player"] = f"guest-{seat['seat']}"
    neighbours = [pair for pair in pairwise(seats) if pair[1]["seat"] - pair[0]["seat"] == 1]
    if neighbours and rng.random() < 0.35:
        for seat in rng.choice(neighbours):
            seat["player"] = "two-boxes"
    return seats


def cents(rng: random.Random) -> int:
    return rng.choice((rng.choice(ROUND_CHIPS), rng.randint(1, 9_999)))


def random_wagers(rng: random.Random, chapter: str) -> Json:
    if chapter in SIDE_WAGERS:
        chosen = ["ante"] + [name for name in SIDE_WAGERS[chapter] if rng.random() < 0.5]
        return {name: cents(rng) for name in chosen}
    chosen = rng.choice((["ante"], ["ante"], ["ante", "aces_up"], ["ante", "aces_up"], ["aces_up"]))
    chosen = chosen + [name for name in open_to(chapter, chosen) if rng.random() < 0.45]
    wagers: Json = {name: cents(rng) for name in chosen}
    for name in ("prog4", "prog5", "progressive"):
        if name in wagers:
            wagers[name] = rng.choice((100, 500))
    return wagers


def open_to(chapter: str, chosen: list[str]) -> list[str]:
    """What may be added to an ante, an aces up wager or both (F5)."""
    if chapter == "md4cp":
        return ["progressive"] + (["six_card"] if len(chosen) == 2 else [])
    with_ante = ["hand_bonus_player", "hand_bonus_dealer", "six_card"] if "ante" in chosen else []
    return ["prog4", "prog5", "bad_beat", *with_ante]


def random_irregularity(rng: random.Random, chapter: str) -> Json:
    exposed = "community_exposed" if chapter == "pa683a" else "dealer_exposed"
    kind = rng.choice((*VOIDING, *GOING_ON, exposed, exposed, exposed, exposed))
    irregularity: Json = {"kind": kind}
    if kind == exposed and rng.random() < 0.7:
        irregularity["when"] = rng.choice(("before_raise", "after_raise"))
    if kind in WITH_PLACE and rng.random() < 0.5:
        irregularity["pos"] = rng.randint(1, 20)
    return irregularity


def is_void(record: Json) -> bool:
    irregularity = record.get("irregularity", {"kind": "one_face_up"})
    if irregularity["kind"] in GOING_ON:
        return False
    exposed_late = irregularity.get("when") == "after_raise"
    return not (record["chapter"] == "pa682a" and exposed_late)


def settles_optional(record: Json) -> bool:
    """A round of 679a, 682a or 683a with a card exposed and a side wager made."""
    names = SIDE_WAGERS.get(record["chapter"], ())
    made = any(name in seat["wagers"] for seat in record["seats"] for name in names)
    return made and is_exposed(record)


def is_exposed(record: Json) -> bool:
    kind: str = record["irregularity"]["kind"]
    return kind.endswith("_exposed")


def decide(rng: random.Random, record: Json) -> None:
    """Everybody with an ante in turn, from seat 1; a void round may end before some had theirs."""
    asked = [seat for seat in record["seats"] if "ante" in seat["wagers"]]
    for seat in asked[: turns_taken(rng, record, len(asked))]:
        seat["decision"] = random_decision(rng, record["chapter"], seat["wagers"]["ante"])


def turns_taken(rng: random.Random, record: Json, asked: int) -> int:
    when = record.get("irregularity", {}).get("when")
    if not is_void(record) or when == "after_raise":
        return asked
    if record["chapter"] == "pa683a":
        return rng.choice((0, asked))
    before_the_last = is_exposed(record) and (when or record["chapter"] == "pa682a")
    return rng.randint(0, max(asked - 1, 0) if before_the_last else asked)


def random_decision(rng: random.Random, chapter: str, ante: int) -> Json:
    folds = rng.random() < 0.25
    if chapter == "pa683a":
        made = rng.randint(0, 2) if folds else 3
        decision: Json = {"raises": [ante * rng.randint(1, 3) for _ in range(made)]}
        return decision | ({"fold": True} if folds else {})
    if folds:
        return {"fold": True}
    if chapter == "pa679a":
        return {"play": ante}
    if chapter == "pa682a":
        return {"play": ante * rng.randint(1, 3)}
    return {"play": rng.choice((ante, 3 * ante, rng.randint(ante, 3 * ante)))}


def forget_stakes(rng: random.Random, record: Json) -> None:
    """Pads that sense presence only: an unknown ante makes the wagers measured by it unknown."""
    for seat in record["seats"]:
        for name in seat["wagers"]:
            if rng.random() < 0.6:
                seat["wagers"][name] = None
        decision = seat.get("decision", {})
        if "ante" in seat["wagers"] and seat["wagers"]["ante"] is None:
            if "play" in decision:
                decision["play"] = None
            if "raises" in decision:
                decision["raises"] = [None for _ in decision["raises"]]


def leave_the_table(rng: random.Random, record: Json) -> None:
    for seat in record["seats"]:
        if rng.random() < 0.07:
            seat["abandoned"] = True


def random_draws(rng: random.Random, record: Json) -> Json:
    """A magic card that is often somebody's, and a position that may have no player."""
    held = record["dealer"] + [card for seat in record["seats"] for card in seat.get("cards", [])]
    draws: Json = {}
    if rng.random() < 0.7:
        draws["magic_card"] = rng.choice(held)
    if rng.random() < 0.7:
        draws["lucky"] = rng.choice([*range(1, POSITIONS["pa641a"] + 1), "dealer"])
    return draws
