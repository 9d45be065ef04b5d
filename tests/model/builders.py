"""Short ways to write a round in a test and to ask its outcome for a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .naive import settle

if TYPE_CHECKING:
    from .game import Json

LETTERS = {
    "pa641a": ("aces_up", "prog4", "prog5", "bad_beat", "six_card"),
    "md4cp": ("aces_up", "progressive", "six_card"),
    "pa679a": ("bad_beat", "pair_bonus_two", "all_six"),
    "pa682a": ("bad_beat", "prime", "aces_bonus", "all_six"),
    "pa683a": ("main", "pocket", "board", "lo_ball", "all_six"),
}
OPTIONS = {
    "limit": "payout_limit",
    "unit": "progressive_unit",
    "reset": "meter_reset",
    "readings": "readings",
    "pair_card_is": "pair_bonus_card",
}
FOLD: Json = {"fold": True}


def seat(number: int, cards: str, wagers: Json, decision: Json | None = None, **more: Any) -> Json:
    """`cards` as "As Kd 9c"; an empty text leaves them out."""
    made: Json = {"seat": number, "wagers": wagers, **more}
    if cards:
        made["cards"] = cards.split()
    return made | ({"decision": decision} if decision is not None else {})


def options(chapter: str, letters: Json | None = None, **more: object) -> Json:
    """Paytable A everywhere but for the letters given."""
    return {"paytables": dict.fromkeys(LETTERS[chapter], "A") | (letters or {}), **more}


def outcome(chapter: str, seats: list[Json], letters: Json | None = None, **given: Any) -> Json:
    """Settle a round; names of OPTIONS become options, the others places of the layout."""
    chosen = {OPTIONS[name]: given.pop(name) for name in OPTIONS if name in given}
    lists = ("dealer", "community")
    layout = {name: what.split() if name in lists else what for name, what in given.items()}
    record = {"chapter": chapter, "options": options(chapter, letters, **chosen), "seats": seats}
    return settle(record | layout)


def line(result: Json, number: int, wager: str) -> Json:
    """The only line of a wager at a seat."""
    found = [row for row in result["lines"] if (row["seat"], row["wager"]) == (number, wager)]
    assert len(found) == 1, (wager, result["lines"])
    made: Json = found[0]
    return made


def paid(result: Json, number: int, wager: str) -> tuple[str, str | None, int]:
    """What a test mostly asks: (result, row, net)."""
    row = line(result, number, wager)
    return row["result"], row["row"], row["net"]


def wagers(result: Json, number: int) -> list[str]:
    return [row["wager"] for row in result["lines"] if row["seat"] == number]
