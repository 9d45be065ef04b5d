"""The names of the chapter files in the words of the floor.

A name that is not listed is shown as it stands with its underscores gone, so that a new chapter of known
kinds is readable before anybody has found better words.
"""

from collections.abc import Iterable

from sabot.config.submission_problems import listed
from sabot.rules.chapter import Chapter, Fate
from sabot.rules.plan import BONUS_CARD, FOURTH, bonus_wager
from sabot.rules.rankings import SIX_CARD_ROYAL

_WORDS = {
    # places
    "own": "the player's cards",
    "dealer_first": "the dealer's first cards",
    "dealer": "the dealer's cards",
    "community": "the community cards",
    # ends of a contest
    "unqualified": "dealer does not qualify",
    "win": "player's hand is higher or equal",
    "tie": "the hands tie",
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
    "before_raise": "only before the second wagers",
    "idle": "the rule for an idle table",
}

_AREAS = {
    "player": "each player",
    "seats": "each player",
    "dealer": "the dealer",
    "community": "the community area",
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

_CONDITIONS = {
    "own_bonus_card": "where each player has a bonus card",
    "community_bonus_card": "where one bonus card is shared",
    "own_rule": "where each player has a bonus card",
    "community_rule": "where one bonus card is shared",
}

_HANDS = {SIX_CARD_ROYAL: "six-card royal flush"}


def words(name: str) -> str:
    """Return a name of the chapter files in words."""
    return _WORDS.get(name, name.replace("_", " "))


def hand_words(name: str) -> str:
    """Return the name of a hand in words."""
    return _HANDS.get(name, name.replace("_", " "))


def title(chapter: Chapter, name: str) -> str:
    """Return the title of a wager, an extra or a bonus."""
    if name in chapter.wagers:
        return chapter.wagers[name].title
    if name in chapter.extras:
        return chapter.extras[name].title
    return "Bad Beat Bonus" if name == "bad_beat" else words(name)


def end_words(chapter: Chapter, end: str) -> str:
    """Return an end of the contest in words; where ties are apart, only a higher hand wins."""
    is_apart = end == "win" and "tie" in chapter.contest.results
    return "player's hand is higher" if is_apart else words(end)


def area(chapter: Chapter, place: str) -> str:
    """Return the place on the layout in words."""
    bonus = title(chapter, bonus_wager(chapter))
    if place == FOURTH:
        return f"each player with a {bonus} Wager"
    if place == BONUS_CARD:
        return f"the {bonus} community area"
    return f"the {title(chapter, place)} area" if place in chapter.wagers else _AREAS[place]


def condition_words(chapter: Chapter, condition: str) -> str:
    """Return in words when a step of a plan is taken."""
    if condition in chapter.wagers:
        return f"if somebody placed the {title(chapter, condition)}"
    return _CONDITIONS[condition]


def cards_words(chapter: Chapter, places: Iterable[str]) -> str:
    """Return the cards of some places, listed as a person would."""
    return listed((_cards(chapter, place) for place in places), "and")


def _cards(chapter: Chapter, place: str) -> str:
    if place == BONUS_CARD:
        return f"the {title(chapter, bonus_wager(chapter))} card"
    if place in chapter.wagers:
        return f"the {title(chapter, place)} card{'s' if chapter.hands.places[place] > 1 else ''}"
    return words(place)


def in_words(names: Iterable[str], last: str = "and") -> str:
    """Return names of the chapter files, listed as a person would."""
    return listed(map(words, names), last)
