"""Spots left open, counts not made, and cards dealt in another order."""

from __future__ import annotations

from collections.abc import Callable

from .plant import CAJUN, FOUR, FOUR_PRIME, MARYLAND, PRIME, STACKS, Change, Plant
from .streams import Line, effects, events, records, round_of


def a_spot_left_open(lines: list[Line]) -> bool:
    for line, effect in effects(lines, "LockWagers"):
        if line["event"].get("key") == "LOCK" and effect["spots"]:
            effect["spots"].pop()
            return True
    return False


def opened_again(lines: list[Line]) -> bool:
    for record in records(lines):
        place = round_of(lines, record)[1]
        place["effects"].append({"effect": "OpenSpots", "cite": "", "spots": [[1, "ante"]]})
        return True
    return False


def stack_before_lock(lines: list[Line]) -> bool:
    place = next(iter(effects(lines, "OpenSpots")))[0]
    place["effects"].append({"effect": "Dispense", "cite": "", "count": 5})
    return True


def is_chips(effect: Line) -> bool:
    return bool(effect.get("first", "").startswith(("COUNT CHIPS", "CHIPS")))


def chips_never_counted(lines: list[Line]) -> bool:
    for record in records(lines):
        if record["chips"]:
            for line in round_of(lines, record):
                line["effects"] = [effect for effect in line["effects"] if not is_chips(effect)]
            return True
    return False


def a_chip_more(lines: list[Line]) -> bool:
    for record in records(lines):
        if record["chips"]:
            record["chips"] += 1
            return True
    return False


def chips_told(lines: list[Line]) -> bool:
    for record in records(lines):
        wagers = sum(name.startswith("prog") for bets in record["bets"].values() for name in bets)
        for _, effect in effects(round_of(lines, record), "ShowPrompt"):
            if is_chips(effect) and wagers:
                effect["first"], effect["second"] = "CHIPS:", f"{wagers} WANTED"
                return True
    return False


def plan(change: Callable[[list[str], Line], bool]) -> Change:
    """Something else is dealt."""

    def lie(lines: list[Line]) -> bool:
        return any(change(record["plan"], record) for record in records(lines))

    return lie


def a_card_too_few(words: list[str], _record: Line) -> bool:
    words[0] = words[0].replace("seat", "nowhere")
    return words[0].startswith("nowhere")


def dealt_in_without_wager(words: list[str], _record: Line) -> bool:
    words.append("seat9@52")
    return True


def two_exchanged(words: list[str], record: Line) -> bool:
    if len(record["bets"]) < 2 or not words[0].startswith("seat"):
        return False
    places = [word.partition("@") for word in words[:2]]
    words[0], words[1] = f"{places[1][0]}@1", f"{places[0][0]}@2"
    return True


def stacks_exchanged(words: list[str], record: Line) -> bool:
    seats = sorted(record["bets"], key=int)
    if len(seats) < 2:
        return False
    first, last = f"seat{seats[0]}@", f"seat{seats[-1]}@"
    words[:] = [
        word.replace(first, last) if word.startswith(first) else word.replace(last, first) for word in words
    ]
    return True


def a_card_up(words: list[str], _record: Line) -> bool:
    words[0] = words[0].replace("@", "^@")
    return True


def the_sixth_down(words: list[str], _record: Line) -> bool:
    words[-1] = words[-1].replace("^", "")
    return words[-1].startswith("dealer")


def never_counted(lines: list[Line]) -> bool:
    """No stub is counted, and no device counts."""
    for record in records(lines):
        record["stub"] = None
    for line in events(lines, "ShuffleCompleted"):
        line["event"]["count"] = None
    return len(list(records(lines))) >= 6


def a_card_in_the_sleeve(lines: list[Line]) -> bool:
    for record in records(lines):
        if record["stub"] is not None:
            record["stub"] -= 1
            return True
    return False


def stub_told(lines: list[Line]) -> bool:
    for record in records(lines):
        out = sum(map(len, record["public"].values())) + sum(record["hidden"].values())
        for line, effect in effects(round_of(lines, record), "ShowPrompt"):
            if effect["first"].startswith("COUNT STUB") and line["event"].get("key") != "PLUS":
                effect["first"], effect["second"] = "COUNT STUB:", f"{52 - out} LEFT"
                return True
    return False


PLANTS = (
    Plant("locked before the deal", "a spot is not locked", FOUR, a_spot_left_open),
    Plant("locked before the deal", "a spot is opened again", PRIME, opened_again),
    Plant("locked before cards", "a stack while bets are open", STACKS, stack_before_lock),
    Plant("chips counted", "not counted before the deal", FOUR, chips_never_counted),
    Plant("chips counted", "a chip more than wagers, and no floor", FOUR, a_chip_more),
    Plant("chips counted blind", "the display says how many", FOUR, chips_told),
    Plant("number of cards", "four cards for a player", CAJUN, plan(a_card_too_few)),
    Plant("number of cards", "a hand for nobody", PRIME, plan(dealt_in_without_wager)),
    Plant("order of cards", "the second player first", PRIME, plan(two_exchanged)),
    Plant("order of cards", "stacks in another order", STACKS, plan(stacks_exchanged)),
    Plant("face down", "a player's card face up", PRIME, plan(a_card_up)),
    Plant("face down", "the dealer's sixth card face down", FOUR, plan(the_sixth_down)),
    Plant("stub due", "never counted", MARYLAND, never_counted),
    Plant("stub right", "a card missing, and the round stands", FOUR_PRIME, a_card_in_the_sleeve),
    Plant("stub counted blind", "the display says how many", FOUR_PRIME, stub_told),
)
