"""The winnings of a stake, asked of the settlement itself.

An odds engine with payments of its own would be a second opinion, and the question is what *this* program
pays. So a ``Trial`` is a settlement under one choice of letters and readings, to which single rounds are
put: one seat, one hand that stands for its class, and the lines are summed. Meters stand at zero in a
trial, so that what comes back is the fixed part.
"""

from collections.abc import Iterable, Mapping, Sequence

from sabot.rules.chapter import Chapter
from sabot.rules.paytables import Column
from sabot.rules.round import Options, Round, Seat
from sabot.rules.settlement import House, Settlement
from sabot.rules.settlement.house import choosable

OWN = "own"
SEAT, PLAYER = 1, "player"


class Trial:
    """A chapter under one choice, settling rounds that stand for many."""

    def __init__(self, chapter: Chapter, letters: Mapping[str, str], readings: Mapping[str, str]) -> None:
        self.chapter = chapter
        # Every table has some letter, so that no round is refused for a table it does not need.
        first = {name: table.letters[0] for name, table in choosable(chapter).items()}
        chosen = {name: letter for name, letter in first.items() if name in chapter.paytables}
        # Meters stand at zero and are reset to zero: what comes back is the fixed part alone.
        resets = {level: 0 for meter in chapter.meters.values() for level in _levels(meter.levels)}
        options = Options(paytables=chosen | dict(letters), meter_reset=resets, readings=dict(readings))
        self.settlement = Settlement(chapter, options)
        self._meters = {
            meter.name: dict.fromkeys(_levels(meter.levels), 0) for meter in chapter.meters.values()
        }

    @property
    def house(self) -> House:
        """The house of this trial."""
        return self.settlement.house

    def contest_columns(self) -> tuple[Column, ...]:
        """Return the columns by which the contest pays."""
        return tuple(self.settlement.contest.columns.values())

    def net(
        self,
        stakes: Mapping[str, int],
        own: Sequence[int] | None,
        places: Mapping[str, Sequence[int]],
        fourth: int | None = None,
    ) -> int:
        """Return a seat's gain on all its lines together, in cents."""
        cards = None if own is None else tuple(own)
        raises = sum(name in stakes for name in self.chapter.contest.wagers[1:])
        seat = Seat(SEAT, PLAYER, stakes, cards=cards, fourth=fourth, raises=raises)
        dealt = {place: tuple(shared) for place, shared in places.items()}
        round_ = Round(self.chapter.id, self.house.options, (seat,), dealt, self._meters)
        return sum(line.net or 0 for line in self.settlement.settle(round_).lines)


def _levels(columns: Mapping[str, Iterable[str]]) -> set[str]:
    return {level for column in columns.values() for level in column}


def place_size(chapter: Chapter, place: str) -> int:
    """Return how many cards a place has in a settlement (``own`` is the player's hand)."""
    if place == "dealer_first":
        return chapter.hands.dealer_first
    return chapter.hands.places["player" if place == OWN else place]


def split(
    chapter: Chapter, places: Iterable[str], cards: Sequence[int]
) -> tuple[Sequence[int] | None, dict[str, Sequence[int]]]:
    """Return the cards of one list laid out: the player's own (if the wager has any), and shared places."""
    dealt: dict[str, Sequence[int]] = {}
    first = 0
    for place in places:
        last = first + place_size(chapter, place)
        dealt[place] = cards[first:last]
        first = last
    own = dealt.pop(OWN, None)
    return own, dealt
