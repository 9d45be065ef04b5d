"""Cards and devices that go wrong, and a round that is played on."""

from __future__ import annotations

from .plant import CAJUN, FOUR, PRIME, STACKS, Change, Plant
from .streams import LIVELY, Line, drop, effects, events, insert_after, records, round_of


def noted(*words: str) -> Change:
    """People said that something went wrong, and the round was played on."""

    def change(lines: list[Line]) -> bool:
        for record in records(lines):
            at = next(line["event"]["at"] for line in round_of(lines, record) if line["event"]["at"])
            record["notes"] += [{"at": at, "words": each, "cite": "", "by": "dealer"} for each in words]
            return True
        return False

    return change


def used_face_up(lines: list[Line]) -> bool:
    for record in records(lines):
        record["face_up"] = [1]
        return True
    return False


def put_back(lines: list[Line]) -> bool:
    for record in records(lines):
        law = record["chapter"].removeprefix("pa")
        for line in round_of(lines, record):
            if line["event"]["event"] == "CardDrawn":
                line["effects"] += [
                    {
                        "effect": "RaiseFault",
                        "cite": f"{law}.13(b)",
                        "fault": "x",
                        "device": "shoe",
                        "why": "put it back",
                    }
                ]
                return True
    return False


def put_back_between(lines: list[Line]) -> bool:
    place = next(iter(effects(lines, "OpenSpots")))[0]
    insert_after(
        lines,
        place,
        {"event": "CardDrawn", "card": None},
        {
            "effect": "RaiseFault",
            "cite": "641a.13(b)",
            "fault": "card_out_of_turn",
            "device": "shoe",
            "why": "",
        },
        {"effect": "ShowPrompt", "cite": "641a.13(b)", "first": "HELD: STRAY CARD", "second": "PUT IT BACK"},
    )
    return True


def kept_in_a_void(lines: list[Line]) -> bool:
    for line, _ in effects(lines, "VoidRound"):
        found = [effect for effect in line["effects"] if effect["effect"] == "ReturnWager"]
        if found:
            line["effects"].remove(found[0])
            return True
    return False


def void_for_no_reason(lines: list[Line]) -> bool:
    for line, effect in effects(lines, "VoidRound"):
        effect["cite"] = "641a.1"
        drop(lines, *events(lines, "RoleUnlocked"))
        return bool(line)
    return False


def jammed(lines: list[Line]) -> bool:
    for record in records(lines):
        for line in round_of(lines, record):
            if any(effect["effect"] == "Dispense" for effect in line["effects"]):
                insert_after(lines, line, {"event": "DeviceJammed", "device": "shoe", "cause": "jam"})
                return True
    return False


def a_short_stack(lines: list[Line]) -> bool:
    for record in records(lines):
        for line in round_of(lines, record):
            if line["event"]["event"] == "StackDispensed" and line["event"]["count"] > 1:
                line["event"]["count"] -= 1
                return True
    return False


def another_method(lines: list[Line]) -> bool:
    for record in records(lines):
        record["method"] = "auto_shoe"
        return True
    return False


def uncovered(lines: list[Line]) -> bool:
    place = next(iter(effects(lines, "OpenSpots")))[0]
    told = {"effect": "RaiseFault", "cite": "", "fault": "out_of_order", "device": "shoe", "why": ""}
    place["effects"].append(told)
    return True


PLANTS = (
    Plant(
        "several face up", "two cards face up, and played on", FOUR, noted("one face up", "several face up")
    ),
    Plant("face up not used", "a face-up card in a hand", PRIME, used_face_up),
    Plant("drawn is next", "a card drawn in error goes back", PRIME, put_back),
    Plant("drawn before the deal", "the same before the deal", FOUR, put_back_between),
    Plant("wrong number", "a wrong number of cards, and played on", CAJUN, noted("wrong count")),
    Plant("exposed", "the dealer's card seen, and played on", FOUR, noted("dealer exposed")),
    Plant("exposed", "nothing goes back in Three Card Prime", PRIME, noted("dealer exposed")),
    Plant("exposed", "a community card seen in Cajun Stud", CAJUN, noted("community exposed")),
    Plant("void gives back", "a wager of a void round is kept", FOUR, kept_in_a_void, LIVELY),
    Plant("void by law", "void for no reason", FOUR, void_for_no_reason, LIVELY),
    Plant("shoe failed", "a jam within the deal, and played on", STACKS, jammed),
    Plant("shoe failed", "a stack one short, and played on", STACKS, a_short_stack),
    Plant("covered first", "another method, and nothing was broken", PRIME, another_method),
    Plant("covered first", "dealt while the shoe stands there broken", FOUR, uncovered),
)
