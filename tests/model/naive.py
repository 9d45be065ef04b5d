"""`settle`: a valid round JSON in, its outcome out, for all five chapters.

Here is what stands above a single box: the order of the boxes, the irregularities of x.13 that
void a round or a part of it, wagers left behind, and the names of the hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import md4cp, pa641a, pa679a, pa682a, pa683a
from .folds import booked_as_forfeit
from .game import BASE_WAGERS, Box, Game, Json
from .hands import best_four, name_of_five, ranked_three

if TYPE_CHECKING:
    from types import ModuleType

CHAPTERS: dict[str, ModuleType] = {
    "pa641a": pa641a,
    "md4cp": md4cp,
    "pa679a": pa679a,
    "pa682a": pa682a,
    "pa683a": pa683a,
}
OPTIONAL_SETTLED = ("pa679a", "pa682a", "pa683a")
EXPOSED = ("dealer_exposed", "community_exposed")
LEFT_THE_TABLE = {
    "pa641a": "641a.7(b)",
    "md4cp": "ch.7.B(2)",
    "pa679a": "679a.7(b)",
    "pa682a": "682a.7(b)",
    "pa683a": "683a.7(b)",
}
MARYLAND_VOID = {
    "several_face_up": "ch.13.B",
    "wrong_count": "ch.13.D",
    "dealer_exposed": "ch.13.E",
    "shoe_jam": "ch.13.G",
    "stub_misdealt": "ch.8.H, 9.F-G, 10.F-G",
    "stub_short": "ch.8.H, 9.F-G, 10.F-G",
}
PENNSYLVANIA_VOID = {
    "several_face_up": "{}.13(a)",
    "wrong_count": "{}.13(c)",
    "dealer_exposed": "{}.13(d)",
    "community_exposed": "{}.13(d)",
    "shoe_jam": "{}.13(f)",
    "stub_misdealt": "{0}.8(g), {0}.9(f), {0}.10(f)",
    "stub_short": "{0}.8(g), {0}.9(f), {0}.10(f)",
}
STUB_641A = "641a.8(h), 641a.9(f), 641a.10(f)"


def settle(record: Json) -> Json:
    """The outcome of a round, as the dealer would book it line by line."""
    game = Game(record)
    void, partly = void_cite(game), is_partly_settled(game)
    for box in game.boxes:
        if void is not None:
            return_wagers(game, box, void, base_only=partly)
            if partly:
                CHAPTERS[game.chapter].settle_optional(game, box)
        elif box.abandoned:
            collect_abandoned(game, box)
        else:
            CHAPTERS[game.chapter].settle_box(game, box)
    return {
        "settle_order": [box.seat for box in game.boxes],
        "void": void,
        "lines": game.lines,
        "meters": game.meters,
        "hands": {} if void is not None and not partly else hand_names(game),
    }


def void_cite(game: Game) -> str | None:
    """The paragraph that voids the round; none after one face-up card or a shuffler jam."""
    irregularity = game.record.get("irregularity", {})
    kind, when = irregularity.get("kind"), irregularity.get("when")
    if game.chapter == "md4cp":
        return MARYLAND_VOID.get(kind)
    if game.chapter == "pa682a" and kind == "dealer_exposed" and when == "after_raise":
        return None  # V3: only "prior to the player's placing their Raise Wagers"
    if game.chapter == "pa641a" and kind in ("stub_misdealt", "stub_short"):
        return STUB_641A
    cite = PENNSYLVANIA_VOID.get(kind)
    return None if cite is None else cite.format(game.chapter.removeprefix("pa"))


def is_partly_settled(game: Game) -> bool:
    """V2, V4: after an exposed card 679a, 682a and 683a settle the optional wagers, if any."""
    kind = game.record.get("irregularity", {}).get("kind")
    if kind not in EXPOSED or game.chapter not in OPTIONAL_SETTLED:
        return False
    optional = CHAPTERS[game.chapter].OPTIONAL
    return any(wager in optional for box in game.boxes for wager in box.wagers)


def return_wagers(game: Game, box: Box, cite: str, *, base_only: bool) -> None:
    """All wagers, those already forfeited too unless the other reading of V1 keeps them."""
    base = BASE_WAGERS[game.chapter]
    first = [wager for wager in base if wager in box.wagers]
    others = [] if base_only else [wager for wager in box.wagers if wager not in base]
    keeps_forfeits = game.reading("void_forfeits") == "kept"
    for wager in first + others:
        if not (keeps_forfeits and booked_as_forfeit(game, box, wager)):
            game.post(box, wager, cite).returned()


def collect_abandoned(game: Game, box: Box) -> None:
    """x.7(b), MD 7.B(2): treated as losing, by the house's choice (F10)."""
    for wager in box.wagers:
        game.post(box, wager, LEFT_THE_TABLE[game.chapter]).lose()


def hand_names(game: Game) -> Json:
    """The rank of each hand that is known, the dealer's first."""
    names: Json = {}
    if game.dealer:
        names["dealer"] = dealer_name(game)
    for box in game.boxes:
        if box.cards:
            names[box.name] = box_name(game, box)
    return names


def dealer_name(game: Game) -> str:
    if game.chapter != "pa679a":
        return best_four(game.dealer, game.tiebreak).name
    hand = ranked_three(game.dealer, game.tiebreak)
    return hand.name if pa679a.qualifies(hand) else f"{hand.name} (does not qualify)"


def box_name(game: Game, box: Box) -> str:
    if game.chapter == "pa679a":
        return ranked_three(box.cards, game.tiebreak).name
    if game.chapter == "pa683a":
        return name_of_five(pa683a.five_cards(game, box), wheel=True)
    return best_four(box.cards, game.tiebreak).name
