"""Cards that are public too early, and hands that are said to be what they are not."""

from __future__ import annotations

from .plant import CAJUN, DECLARED, FOUR, FOUR_PRIME, PRIME, Change, Plant
from .streams import Line, effects, records, round_of


def a_card_told(lines: list[Line]) -> bool:
    _, effect = next(iter(effects(lines, "ShowPrompt")))
    effect["second"] = "ACE IS As"
    return True


def folded_shown(lines: list[Line]) -> bool:
    for record in records(lines):
        for seat in record["folded"]:
            if set(record["bets"][str(seat)]) <= {"ante"} and f"seat{seat}" not in record["public"]:
                record["public"][f"seat{seat}"] = ["2c"]
                return True
    return False


def stub_shown(lines: list[Line]) -> bool:
    for record in records(lines):
        record["public"]["discard"] = ["2c"]
        return True
    return False


def bonus_card_shown(lines: list[Line]) -> bool:
    for record in records(lines):
        if not any("six_card" in bets for bets in record["bets"].values()):
            record["public"]["six_card"] = ["2c"]
            return True
    return False


def fourth_without_pair(lines: list[Line]) -> bool:
    for record in records(lines):
        for seat, bets in record["bets"].items():
            place = f"seat{seat}"
            is_high = record["hands"].get(place) == "high"
            if "pair_bonus" in bets and is_high and len(record["public"].get(place, ())) == 3:
                record["public"][f"{place}:fourth"] = ["2c"]
                return True
    return False


def dealer_turned_for_nobody(lines: list[Line]) -> bool:
    """The contest is void, and no wager of this chapter is settled by the dealer's hand."""
    for record in records(lines):
        if not record["void"] and len(record["public"].get("dealer", ())) > 1:
            record["irregularity"] = "dealer_exposed"
            return True
    return False


def shown_early(place: str) -> Change:
    """A page shows a card that nobody has turned."""

    def change(lines: list[Line]) -> bool:
        for record in records(lines):
            for line in round_of(lines, record)[2:4]:
                line["shown"] = {place: ["2c", "3c"]}
                return True
        return False

    return change


def misnamed(lines: list[Line]) -> bool:
    for record in records(lines):
        for place, name in record["hands"].items():
            if place == "dealer" and len(record["public"].get(place, ())) == 6:
                record["hands"][place] = "pair" if name != "pair" else "flush"
                return True
    return False


def the_better_hand_loses(lines: list[Line]) -> bool:
    for record in records(lines):
        for line in record["lines"]:
            hands = record["hands"].get("dealer", ""), record["hands"].get(f"seat{line['seat']}", "")
            if line["wager"] == "ante" and line["result"] == "win" and hands[0] != hands[1]:
                line["result"] = "lose"
                return True
    return False


def a_card_on_two_places(lines: list[Line]) -> bool:
    for record in records(lines):
        places = [cards for cards in record["public"].values() if cards]
        if len(places) > 1:
            places[0][0] = places[1][0]
            return True
    return False


def asked_though_read(lines: list[Line]) -> bool:
    for record in records(lines):
        if len(record["public"].get("dealer", ())) == 6:
            record["declared"]["dealer"] = {"hand": "pair"}
            return True
    return False


def aces_for_two(lines: list[Line]) -> bool:
    for record in records(lines):
        record["declared"] = {seat: {"prog4": "four_aces"} for seat in ("seat1", "seat2")}
        return True
    return False


def a_straight_loses_to_a_pair(lines: list[Line]) -> bool:
    for record in records(lines):
        record["declared"] = {"dealer": {"hand": "pair"}, "seat1": {"hand": "straight", "wins": "none"}}
        return True
    return False


PLANTS = (
    Plant("no card is told", "the display names a card", FOUR, a_card_told),
    Plant("public at the end", "a folded hand in the record", FOUR, folded_shown),
    Plant("public at the end", "the rack in the record", CAJUN, stub_shown),
    Plant("public at the end", "the Six Card Bonus card for nobody", FOUR, bonus_card_shown),
    Plant("public at the end", "the fourth card without a pair", PRIME, fourth_without_pair),
    Plant("public at the end", "the dealer's hand in a void contest", FOUR_PRIME, dealer_turned_for_nobody),
    Plant("public in time", "a player's cards in the deal", FOUR, shown_early("seat1")),
    Plant("public in time", "the dealer's cards in the deal", PRIME, shown_early("dealer")),
    Plant("public in time", "community cards in the deal", CAJUN, shown_early("community")),
    Plant("named", "named for what it is not", FOUR, misnamed),
    Plant("class decides", "a higher class loses its ante", FOUR, the_better_hand_loses),
    Plant("one deck", "a card on two places", FOUR, a_card_on_two_places),
    Plant("read is not declared", "the dealer's read hand is declared", FOUR, asked_though_read),
    Plant("declared can be", "four aces for two", DECLARED, aces_for_two),
    Plant("declared can be", "a straight loses to a pair", DECLARED, a_straight_loses_to_a_pair),
)
