"""Wagers that are not offered, not allowed or late, and seats that are asked out of turn."""

from __future__ import annotations

from .plant import CAJUN, FOUR, MARYLAND, PRIME, SECOND, Change, Plant
from .streams import Line, effects, records, round_of


def not_on_offer(lines: list[Line]) -> bool:
    for record in records(lines):
        for bets in record["bets"].values():
            for wager in set(bets) & set(lines[0]["table"]["offers"]) - {"aces_up"}:
                lines[0]["table"]["offers"].remove(wager)
                return True
    return False


def an_eighth_place(lines: list[Line]) -> bool:
    for record in records(lines):
        record["bets"]["8"] = {"ante": 500}
        return True
    return False


def without_ante(lines: list[Line]) -> bool:
    for record in records(lines):
        for bets in record["bets"].values():
            if "six_card" in bets:
                bets.pop("ante", None)
                return True
    return False


def raised_late(lines: list[Line]) -> bool:
    for record in records(lines):
        next(iter(record["bets"].values()))["ante"] = 77_700
        return True
    return False


def withdrawn_late(lines: list[Line]) -> bool:
    for record in records(lines):
        for bets in record["bets"].values():
            for wager in ("aces_up", "prime", "pocket", "bad_beat"):
                if wager in bets:
                    del bets[wager]
                    return True
    return False


def on_account_late(lines: list[Line]) -> bool:
    for record in records(lines):
        next(iter(record["bets"].values()))["hand_bonus_player"] = 7_700
        return True
    return False


def boxes_apart(lines: list[Line]) -> bool:
    for record in records(lines):
        if {"1", "3"} <= set(record["players"]):
            record["players"]["3"] = record["players"]["1"]
            lines[0]["table"]["adjacent_boxes"] = 3
            return True
    return False


def too_many_boxes(lines: list[Line]) -> bool:
    for record in records(lines):
        if {"1", "2"} <= set(record["players"]):
            record["players"]["2"] = record["players"]["1"]
            lines[0]["table"]["adjacent_boxes"] = 1
            return True
    return False


def asks(lines: list[Line], record: Line) -> list[Line]:
    """The spots of second wagers that were opened in a round, in order."""
    found = effects(round_of(lines, record), "OpenSpots")
    return [effect for _, effect in found if effect["spots"] and effect["spots"][0][1] in SECOND]


def asked_backwards(lines: list[Line]) -> bool:
    for record in records(lines):
        found = asks(lines, record)
        if len(found) > 1 and found[0]["spots"][0][1] == found[1]["spots"][0][1]:
            found[0]["spots"], found[1]["spots"] = found[1]["spots"], found[0]["spots"]
            return True
    return False


def passed_over(lines: list[Line]) -> bool:
    for record in records(lines):
        found = asks(lines, record)
        if len(found) > 1:
            found[0]["spots"] = []
            return True
    return False


def no_answer(lines: list[Line]) -> bool:
    for record in records(lines):
        if record["raises"]:
            record["raises"].popitem()
            return True
    return False


def asked_without_ante(lines: list[Line]) -> bool:
    for record in records(lines):
        found = asks(lines, record)
        if found and "7" not in record["bets"]:
            found[-1]["spots"].append([7, found[-1]["spots"][0][1]])
            return True
    return False


def raised(factor: int, extra: int = 0) -> Change:
    """A second wager of another amount."""

    def change(lines: list[Line]) -> bool:
        for record in records(lines):
            for seat, made in record["raises"].items():
                ante = record["bets"][seat]["ante"]
                if made and made[0] and ante:
                    made[0] = factor * ante + extra
                    return True
        return False

    return change


def asked_before_the_card(lines: list[Line]) -> bool:
    """A community card is turned a street late."""
    for record in records(lines):
        found = [each for each in asks(lines, record) if each["spots"][0][1] == "raise1"]
        if found:
            found[0]["spots"][0][1] = "raise2"
            return True
    return False


PLANTS = (
    Plant("offered", "a wager that is not offered", FOUR, not_on_offer),
    Plant("offered", "a place that the table does not have", FOUR, an_eighth_place),
    Plant("allowed", "six cards without an ante", FOUR, without_ante),
    Plant("made in time", "increased after no more bets", CAJUN, raised_late),
    Plant("made in time", "withdrawn after no more bets", FOUR, withdrawn_late),
    Plant("accounts in time", "on an account after no more bets", FOUR, on_account_late),
    Plant("boxes", "one player on boxes 1 and 3", FOUR, boxes_apart),
    Plant("boxes", "one player on two boxes where one is allowed", FOUR, too_many_boxes),
    Plant("asked in order", "from the dealer's right", FOUR, asked_backwards),
    Plant("asked in order", "the first is passed over", MARYLAND, passed_over),
    Plant("everybody asked", "no answer and no fold", PRIME, no_answer),
    Plant("everybody asked", "folded and never asked", FOUR, passed_over),
    Plant("only antes asked", "who has no ante is asked", FOUR, asked_without_ante),
    Plant("second wager", "four times the ante", FOUR, raised(4)),
    Plant("second wager", "twice the ante in Three Card Prime", PRIME, raised(2)),
    Plant("second wager", "one and a half in Cajun Stud", CAJUN, raised(1, 1)),
    Plant("turned after answers", "asked before the card is turned", CAJUN, asked_before_the_card),
)
