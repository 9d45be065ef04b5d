"""The eyes of a dealer: the cards that lie at each place, and the row of a question that they make.

Where no device reads cards people must look at them, and a rig whose people press OK at whatever stands
first declares quads on a ten-high hand. So the people of the rig hold one real pack: a card that a device
reads lies where the display sent it, and any other is taken off the same pack when somebody looks at its
place. They know poker by the words of the display and nothing of the settlement: they are a second opinion.
Which cards a question is about, and of how many a hand is made, is the chapter file's.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from sabot.hil.table.game import FIRST, LAST_ROWS, RANKS, Game

PACK = [rank + suit for suit in "cdhs" for rank in RANKS]
ACE, KING, QUEEN, JACK = 14, 13, 12, 11
TWO, THREE, FOUR = 2, 3, 4
Cards = Sequence[str]


# ---------------------------------------------------------------- what a hand is


def ranks(cards: Cards) -> list[int]:
    """Return the ranks of these cards, highest first."""
    return sorted((RANKS.index(card[0]) + 2 for card in cards), reverse=True)


def same_color(cards: Cards) -> int:
    """Return how many of them have the color that most have."""
    red = sum(card[1] in "dh" for card in cards)
    return max(red, len(cards) - red)


def _groups(cards: Cards) -> list[tuple[int, int]]:
    """Return how many there are of each rank, most and highest first."""
    return sorted(((count, rank) for rank, count in Counter(ranks(cards)).items()), reverse=True)


def _is_flush(cards: Cards) -> bool:
    return len({card[1] for card in cards}) == 1


def _run_top(cards: Cards) -> int:
    """Return the highest rank of cards in a row; 0 if they are not in a row."""
    found = ranks(cards)
    # An ace may be the lowest: then the next card is the top.
    if found == [ACE, *range(len(cards), 1, -1)]:
        return len(cards)
    return found[0] if found == list(range(found[0], found[0] - len(cards), -1)) else 0


def _is_straight_flush(cards: Cards) -> bool:
    return _is_flush(cards) and _run_top(cards) > 0


def _has(cards: Cards, *counts: int) -> bool:
    """Return whether there are that many of a rank, and that many of another."""
    found = [count for count, _ in _groups(cards)]
    return len(found) >= len(counts) and all(have >= want for have, want in zip(found, counts, strict=False))


def _pair_between(cards: Cards, low: int, high: int) -> bool:
    return any(count >= TWO and low <= rank <= high for count, rank in _groups(cards))


def _is_royal(cards: Cards) -> bool:
    return _is_straight_flush(cards) and ranks(cards)[0] == _run_top(cards) == ACE


Is = Callable[[Cards], bool]
# Of as many cards as the game makes a hand of: rows that a few of the cards lying there may make.
MADE: Mapping[str, Is] = {
    "STRAIGHT FLUSH": _is_straight_flush,
    "ROYAL FLUSH": _is_royal,
    "MINI ROYAL": _is_royal,
    "FLUSH": _is_flush,
    "STRAIGHT": lambda cards: _run_top(cards) > 0,
}
# Of all the cards that lie there.
LYING: Mapping[str, Is] = {
    "FOUR OF A KIND": lambda cards: _has(cards, 4),
    "FOUR ACES": lambda cards: ranks(cards).count(ACE) == FOUR,
    "FULL HOUSE": lambda cards: _has(cards, 3, 2),
    "THREE OF A KIND": lambda cards: _has(cards, 3),
    "THREE ACES": lambda cards: ranks(cards).count(ACE) >= THREE,
    "TWO PAIR": lambda cards: _has(cards, 2, 2),
    "PAIR": lambda cards: _has(cards, 2),
    "PAIR OF ACES": lambda cards: _pair_between(cards, ACE, ACE),
    "TWO ACES": lambda cards: _pair_between(cards, ACE, ACE),
    "PAIR JACKS OR BETTER": lambda cards: _pair_between(cards, 11, ACE),
    "PAIR 6S TO 10S": lambda cards: _pair_between(cards, 6, 10),
    "PAIR 2S TO KINGS": lambda cards: _pair_between(cards, 2, 13),
    "ACE FACE SUITED": lambda cards: _is_ace_face(cards) and _is_flush(cards),
    "ACE FACE UNSUITED": lambda cards: _is_ace_face(cards) and not _is_flush(cards),
    "QUALIFIES, NO PAIR": lambda cards: ranks(cards)[0] >= QUEEN,
}
HIGHS = {"7": 7, "8": 8, "9": 9, "10": 10, "JACK": 11, "QUEEN": 12}
ROYAL_OF_SIX = [14, 13, 12, 11, 10, 9]


def _is_ace_face(cards: Cards) -> bool:
    found = ranks(cards)
    return found[0] == ACE and JACK <= found[1] <= KING


def makes(words: str, cards: Cards, size: int) -> bool:
    """Return whether these cards make the row of these words, in a game with hands of ``size`` cards."""
    if words in LYING:
        return LYING[words](cards)
    if words in MADE:
        return any(MADE[words](few) for few in combinations(cards, size))
    if words.startswith("HIGH "):
        is_made = any(makes(row, cards, size) for row in ("FLUSH", "STRAIGHT", "PAIR"))
        return not is_made and ranks(cards)[0] == HIGHS[words.removeprefix("HIGH ")]
    if "ROYAL" in words:
        is_royal = _is_flush(cards) and ranks(cards) == ROYAL_OF_SIX
        return is_royal and ("DIAMOND" in words) == (cards[0][1] == "d")
    message = f"nobody knows what {words!r} is"
    raise ValueError(message)


def strength(cards: Cards, size: int, order: Sequence[str]) -> tuple[int, list[int]]:
    """Return how high the best hand in these cards is, in an order of hands from the highest down."""
    return max(_strength(few, order) for few in combinations(cards, size))


def _strength(cards: Cards, order: Sequence[str]) -> tuple[int, list[int]]:
    size = len(cards)
    level = next((-place for place, row in enumerate(order) if makes(row, cards, size)), -size * 10)
    is_run = order[-level : 1 - level] and order[-level] in ("STRAIGHT", "STRAIGHT FLUSH", "MINI ROYAL")
    return level, [_run_top(cards)] if is_run else [rank for _, rank in _groups(cards)]


# ---------------------------------------------------------------- what lies where


QUESTION = re.compile(r"(?:S(\d+) )?(.*)")


class HandLooked(NamedTuple):
    """A question that was answered: its words, the row, and the cards that were looked at."""

    question: str
    row: str
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.question}: {self.row} ({' '.join(self.cards)})"


class Eyes:
    """The cards of one round, and the answers that they give."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game = game
        self.chance = chance
        self.lying: dict[str, dict[int, str]] = {}
        self.looked: list[HandLooked] = []

    def clear(self) -> None:
        """Take the cards off the felt."""
        self.lying.clear()

    def put(self, place: str, nth: int, card: str) -> None:
        """Put the next card of a place there."""
        self.lying.setdefault(place, {})[nth] = card.replace("10", "T")

    def plan(self, place: str, cards: Iterable[str]) -> None:
        """Put these cards at a place."""
        for nth, card in enumerate(cards, 1):
            self.put(place, nth, card)

    def at(self, place: str) -> list[str]:
        """Return the cards of a place; those that nobody has seen yet come off the pack now."""
        if place == FIRST:
            return self.at("DEALER")[: self.game.dealer_first]
        here = self.lying.setdefault(place, {})
        wanted = range(1, self._size(place) + 1)
        for nth in wanted:
            if nth not in here:
                here[nth] = self._next_card()
        return [here[nth] for nth in wanted]

    def _size(self, place: str) -> int:
        """Return how many cards lie at a place."""
        if place.startswith("SEAT"):
            return self.game.sizes["FOURTH" if place.endswith("FOURTH") else "SEAT"]
        return self.game.sizes[place]

    def _next_card(self) -> str:
        out = {card for cards in self.lying.values() for card in cards.values()}
        return self.chance.choice([card for card in PACK if card not in out])

    def knows(self, question: str) -> bool:
        """Return whether these words are a question of this game."""
        found = QUESTION.fullmatch(question)
        return found is not None and (found[2] in self.game.looks or found[2].startswith("BONUS CARD"))

    def answer(self, question: str, rows: Sequence[str]) -> str:
        """Return the row that is true, of those that the display offers."""
        found = QUESTION.fullmatch(question)
        assert found is not None  # it matches anything
        seat, words = f"SEAT {found[1]}" if found[1] else "", found[2]
        row, cards = self._row(seat, words, rows)
        self.looked.append(HandLooked(question, row, tuple(cards)))
        return row

    def _row(self, seat: str, words: str, rows: Sequence[str]) -> tuple[str, list[str]]:
        if words.startswith("BONUS CARD"):
            cards = self.at(f"{seat} FOURTH" if seat else "PAIR BONUS CARD")
            return ("YES" if ranks(cards) == [self.game.bonus_rank] else "NO"), cards
        look = self.game.looks[words]
        cards = [card for place in look.places for card in self.at(seat if place == "SEAT" else place)]
        size = look.size(rows)
        if words == "SAME: HIGHER?":
            own, dealer = (strength(each, size, self.game.order) for each in (cards, self.at("DEALER")))
            return ("PLAYER" if own > dealer else "TIE" if own == dealer else "DEALER"), cards
        if look.is_of_color:
            return self._color(self.at(seat), rows, with_dealer="DEALER" in look.places), cards
        so = [row for row in rows if row not in LAST_ROWS and makes(row, cards, size)]
        return (so or [row for row in rows if row in LAST_ROWS])[-1], cards

    def _color(self, cards: list[str], rows: Sequence[str], *, with_dealer: bool) -> str:
        """Return the row of a Prime, in either chapter's words."""
        count = same_color(cards)
        if with_dealer:
            is_all = count == len(cards) and same_color([*cards, *self.at("DEALER")]) == 2 * count
            so = ["SAME COLOR, DEALER"] * is_all + ["SAME COLOR PLAYER"] * (count == len(cards))
        else:
            so = ["FIVE SAME COLOR"] * (count == len(cards)) + ["FOUR SAME COLOR"] * (count == len(cards) - 1)
        return next((row for row in so if row in rows), "NONE OF THESE")
