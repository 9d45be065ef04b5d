"""Decks that were not inspected, shuffled, cut, alternated or changed in time."""

from __future__ import annotations

from .plant import CAJUN, FOUR, FOUR_PRIME, HOURS, MARYLAND, Change, Plant
from .streams import Line, drop, effects, events, insert_after, records, steps


def a_card_short(lines: list[Line]) -> bool:
    for line in events(lines, "ShuffleCompleted"):
        if line["event"]["count"] == 52 and not any(e["effect"] == "RaiseFault" for e in line["effects"]):
            line["event"]["count"] = 51
            return True
    return False


def a_card_twice(lines: list[Line]) -> bool:
    pack = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    for line in events(lines, "ShuffleCompleted"):
        line["event"]["composition"] = [*pack[:-1], pack[0]]
        return True
    return False


def hours_later(lines: list[Line]) -> bool:
    """The deck is dealt on and on."""
    opened = next((line for line in effects(lines, "OpenSpots")), None)
    if opened is None:
        return False
    number = next(n for n, line in enumerate(lines) if line is opened[0])
    for line in steps(lines[number + 1 :]):
        line["event"]["at"] += 8.5 * HOURS
    return True


def nobody_knows_how_long(lines: list[Line]) -> bool:
    place = next(iter(effects(lines, "OpenSpots")))[0]
    insert_after(lines, place, {"event": "Resumed", "down_s": None})
    return True


def without_prompt(words: str) -> Change:
    """A step of the procedure that the dealer was never told."""

    def change(lines: list[Line]) -> bool:
        found = False
        for line in steps(lines):
            kept = [e for e in line["effects"] if not e.get("first", "").startswith(words)]
            found, line["effects"] = found or len(kept) < len(line["effects"]), kept
        return found

    return change


def the_dealer_verifies(lines: list[Line]) -> bool:
    dealer = next(iter(events(lines, "DealerSignedOn")))["event"]["person"]
    for line in events(lines, "RoleUnlocked"):
        line["event"]["person"] = dealer
    return True


def nobody_verifies(lines: list[Line]) -> bool:
    """Nothing is verified of cards that come preshuffled."""
    drop(lines, *events(lines, "RoleUnlocked"))
    shown = (
        effect for line in steps(lines) for effect in line["effects"] if effect["effect"] == "ShowPrompt"
    )
    return any(effect["first"].startswith("SPREAD") for effect in shown)


def never_shuffled(lines: list[Line]) -> bool:
    """The cards of a round are dealt again."""
    first = next((line for line in steps(lines) if "record" in line), None)
    after = False
    for line in list(steps(lines)):
        after = after or line is first
        if after and line["event"]["event"] == "ShuffleCompleted":
            drop(lines, line)
    return first is not None


def stopped_and_completed(lines: list[Line]) -> bool:
    """The device stops, and then says that it is complete."""
    for line in events(lines, "ShuffleCompleted"):
        number = next(n for n, each in enumerate(lines) if each is line)
        stop = {"event": "ShufflerStopped", "deck": line["event"]["deck"], "cause": "jam"}
        insert_after(lines, lines[number - 1], stop | {"at": line["event"]["at"]})
        return True
    return False


def the_same_deck(lines: list[Line]) -> bool:
    """Of two decks one is used twice together, shuffled between."""
    if lines[0]["table"]["decks"] < 2:
        return False
    found = [line for line in steps(lines) if "record" in line]
    for line in found:
        line["record"]["deck"], line["record"]["lot"] = "A", found[0]["record"]["lot"]
    for line in events(lines, "ShuffleCompleted"):
        line["event"]["deck"] = "A"
    return len(found) > 2


def one_color(lines: list[Line]) -> bool:
    for line in events(lines, "LotRegistered"):
        line["event"]["color"] = "red"
    is_two: bool = lines[0]["table"]["decks"] > 1
    return is_two and len(list(records(lines))) > 3


def by_hand_after_hand(lines: list[Line]) -> bool:
    """Dealt from the hand what was shuffled by hand."""
    for record in records(lines):
        record["method"] = "hand"
    return bool(lines[0]["table"]["shuffler"] == "hand")


def by_hand_within_the_round(lines: list[Line]) -> bool:
    """The shuffle that was directed of a locked round is made by hand, and the round dealt from it."""
    for _, effect in effects(lines, "ShowPrompt"):
        if effect["first"].startswith("DEAL "):
            effect["first"] = "SHUFFLE DECK A"
            return True
    return False


def two_decks_by_hand(lines: list[Line]) -> bool:
    if lines[0]["table"]["decks"] < 2:
        return False
    lines[0]["table"]["shuffler"] = "hand"
    return True


PLANTS = (
    Plant("wrong count leaves", "51 counted, and the deck stays", FOUR, a_card_short),
    Plant("wrong cards leave", "a card twice, and the deck stays", FOUR, a_card_twice),
    Plant("deck life", "eight and a half hours with one deck", FOUR, hours_later),
    Plant("deck life", "the same from the hand", MARYLAND, hours_later),
    Plant("deck life", "nobody knows for how long it was down", FOUR, nobody_knows_how_long),
    Plant("opened", "no inspection", FOUR, without_prompt("INSPECT CARDS")),
    Plant("opened", "not spread, not verified", FOUR, without_prompt("SPREAD IN COLUMNS")),
    Plant("opened", "not washed", CAJUN, without_prompt("WASH AND STACK")),
    Plant("verified by another", "the dealer verifies too", FOUR, the_dealer_verifies),
    Plant("verified by another", "nobody is there to verify", MARYLAND, nobody_verifies),
    Plant("shuffled", "dealt twice and never shuffled", MARYLAND, never_shuffled),
    Plant("shuffled again", "complete without a new start", FOUR, stopped_and_completed),
    Plant("cut", "shuffled by hand and not cut", FOUR_PRIME, without_prompt("CUT: COVER CARD")),
    Plant("alternate", "one of two decks used twice", FOUR, the_same_deck),
    Plant("colors", "two red decks", FOUR, one_color),
    Plant("hand needs shuffler", "from the hand after a shuffle by hand", FOUR_PRIME, by_hand_after_hand),
    Plant("hand needs shuffler", "shuffled by hand within the round", MARYLAND, by_hand_within_the_round),
    Plant("hand needs shuffler", "two decks and no shuffler", FOUR, two_decks_by_hand),
)
