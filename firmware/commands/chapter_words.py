"""The names of the chapter files in the words of the floor.

A name that is not listed is shown as it stands with its underscores gone, so that a new chapter of known
kinds is readable before anybody has found better words.
"""

from collections.abc import Iterable

from sabot.config.submission_problems import listed
from sabot.rules.chapter import Chapter, Fate
from sabot.rules.rankings import SIX_CARD_ROYAL

_WORDS = {
    # places
    "own": "the player's cards",
    "dealer_first": "the dealer's first cards",
    "dealer": "the dealer's cards",
    "community": "the community cards",
    "pair_bonus_card": "the Pair Bonus card",
    "six_card": "the Six Card Bonus card",
    "all_six": "the All-Six cards",
    # ends of a contest
    "unqualified": "dealer does not qualify",
    "win": "player's hand is higher or equal",
    "lose": "player's hand is lower",
    "bad_beat": "lower, with a bad beat",
    # bonuses with a line and no stake of their own
    "ante_bonus": "Ante Bonus",
    "win_bonus": "Win Bonus",
    # methods
    "manual_shoe": "manual dealing shoe",
    "hand": "from the hand",
    "auto_shoe": "automated dealing shoe",
    "auto_shoe_reshuffle": "automated shoe that reshuffles",
    # irregularities
    "several_face_up": "several cards face up",
    "one_face_up": "one card face up",
    "drawn_in_error": "card drawn in error",
    "wrong_count": "wrong number of cards",
    "dealer_exposed": "dealer's card exposed",
    "community_exposed": "community card exposed",
    "shuffler_jam": "shuffler jams",
    "shoe_jam": "automated shoe jams",
    "stub_misdealt": "stub: cards misdealt",
    "stub_short": "stub: cards missing",
    # what follows
    "discard_and_next": "the card goes to the rack and the next one takes its place",
    "used_as_next": "the card is used as the next card",
    "reshuffle": "reshuffle",
    "reshuffle_with_dealt": "the device is emptied and reshuffled with the cards already dealt",
    "deck_removed": "the deck leaves the table",
    "before_raise": "only before the second wagers",
    # steps and conditions
    "verified": "verified by the floorperson",
    "spread": "spread for the first player",
    "before_play": "before play",
    "after_each_round": "after each round",
    "directed_by_floor": "when the floor says so",
    "spread_face_down": "spread face down",
    "inspected_by_first_player": "inspected by the first player",
    "manual_shuffle": "a shuffle by hand",
    "preshuffled": "cards received preshuffled",
    "idle": "the rule for an idle table",
    # who
    "floor": "a floorperson or above",
}

AREAS = {
    "player": "each player",
    "seats": "each player",
    "dealer": "the dealer",
    "community": "the community area",
    "six_card": "the Six Card Bonus area",
    "all_six": "the All-Six area",
    "fourth": "each player with a Pair Bonus Wager",
    "pair_bonus_card": "the Pair Bonus community area",
    "discard": "the discard rack",
    "here": "that place",
}

DEVICES = {
    "progressive": "placed on the progressive device",
    "account": "placed from the player's account",
}

FATES = {
    Fate.VOID: "the round is void, every wager goes back",
    Fate.VOID_CONTEST: "antes and second wagers go back, optional wagers are settled",
    Fate.GOES_ON: "the round goes on",
}

CONDITIONS = {
    "six_card": "if somebody placed the Six Card Bonus",
    "all_six": "if somebody placed the All-Six Bonus",
    "own_bonus_card": "where each player has a bonus card",
    "community_bonus_card": "where one bonus card is shared",
    "own_rule": "where each player has a bonus card",
    "community_rule": "where one bonus card is shared",
}

_HANDS = {SIX_CARD_ROYAL: "six-card royal flush"}


def words(name: str) -> str:
    """A name of the chapter files, in words."""
    return _WORDS.get(name, name.replace("_", " "))


def hand_words(name: str) -> str:
    """The name of a hand."""
    return _HANDS.get(name, name.replace("_", " "))


def title(chapter: Chapter, name: str) -> str:
    """The title of a wager, an extra or a bonus."""
    if name in chapter.wagers:
        return chapter.wagers[name].title
    if name in chapter.extras:
        return chapter.extras[name].title
    return "Bad Beat Bonus" if name == "bad_beat" else words(name)


def in_words(names: Iterable[str], last: str = "and") -> str:
    """Names as a person lists them."""
    return listed(map(words, names), last)
