"""A stacked deck by what somebody is to get: four aces for seat 3, worked out by the chapter's dealing plan.

The plan depends on who has wagered what, so a gift is for the chips that lie on the felt now. Every place
that has no gift gets cards by chance, out of what is left.
"""

import random
from collections.abc import Mapping, Sequence

from sabot.practice.cards import PACK, CardsError
from sabot.rules.chapter import Chapter
from sabot.rules.plan import bets_of, plan
from sabot.statemachine.labels import place_words

Gifts = Mapping[str, Sequence[str]]


def plain_cards(words: Sequence[str]) -> list[str]:
    """Return cards by their names, ``As`` and ``Th``; raise CardsError for a word that is no card."""
    names = [word.strip()[:-1].upper().replace("10", "T") + word.strip()[-1:].lower() for word in words]
    if wrong := [name for name in names if name not in PACK]:
        raise CardsError(f"no card has the name {wrong[0]!r}; the ace of spades is As")
    return names


def stacked(
    law: Chapter,
    method: str,
    wagers: Mapping[int, Sequence[str]],
    bonus_card: str,
    gifts: Gifts,
    chance: random.Random,
) -> list[str]:
    """Return the cards that come next, in order, so that each place gets its gift."""
    named = [name for cards in gifts.values() for name in cards]
    if twice := {name for name in named if named.count(name) > 1}:
        raise CardsError(f"there is one {min(twice)} in a deck")
    if not wagers:
        raise CardsError("nobody has wagered yet: whose cards come when depends on the chips")
    left = [name for name in PACK if name not in named]
    chance.shuffle(left)
    given = {place: list(cards) for place, cards in gifts.items()}
    order: dict[int, str] = {}
    for card in plan(law, method, sorted(wagers), bets_of(law, wagers, bonus_card)):
        own = given.get(place_words(card.place))
        order[card.position] = own.pop(0) if own else left.pop()
    if short := [place for place, cards in given.items() if cards]:
        raise CardsError(f"{short[0]} gets fewer cards than that in this round, or none")
    # Positions that the plan gives to nobody are filled by chance as well.
    return [order.get(position) or left.pop() for position in range(1, max(order) + 1)]
