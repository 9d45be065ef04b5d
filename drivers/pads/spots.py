"""The map from the spots of the pad to wagers that the table file gives, both ways.

A felt repeats itself, so the usual map names the spots of one seat in the order of the pad, and every seat
follows; where a felt does not, each spot is written out as ``seat.wager``.
"""

from collections.abc import Iterable, Mapping
from itertools import product

from sabot.drivers.pads.errors import ERRORS, PadError
from sabot.drivers.pads.messages import SEATS, SPOTS
from sabot.statemachine.vocabulary.effects import Spot

_UNUSED = "-"


class SpotMap:
    """The spots of a pad by number and by wager."""

    def __init__(self, by_number: Mapping[int, Spot]) -> None:
        self.by_number = dict(sorted(by_number.items()))
        self.numbers = {spot: number for number, spot in self.by_number.items()}

    def mask(self, spots: Iterable[Spot]) -> int:
        """Return the mask of these spots; those of another device are passed over."""
        return sum(1 << self.numbers[spot] for spot in set(spots) if spot in self.numbers)


def parse_spots(words: str, seats: int, place: str) -> SpotMap:
    """Return the map of ``ante play bonus`` (each seat the same) or ``1.ante 2.ante`` (spot by spot)."""
    names = words.split()
    if not any("." in name for name in names):
        pairs = [f"{seat}.{name}" for seat, name in product(range(1, seats + 1), names)]
        names = [_UNUSED if pair.endswith(f".{_UNUSED}") else pair for pair in pairs]
    found = {number: _spot(name, seats, place) for number, name in enumerate(names) if name != _UNUSED}
    _verify(found, len(names), place)
    return SpotMap(found)


def _spot(name: str, seats: int, place: str) -> Spot:
    seat, dot, wager = name.partition(".")
    if not (dot and wager and seat.isascii() and seat.isdigit() and 1 <= int(seat) <= min(seats, SEATS)):
        raise PadError(ERRORS["E-PAD-001"], place, spot=name, seats=seats)
    return int(seat), wager


def _verify(found: Mapping[int, Spot], count: int, place: str) -> None:
    if not found or count > SPOTS:
        raise PadError(ERRORS["E-PAD-002"], place, count=count, most=SPOTS)
    twice = [spot for spot in found.values() if list(found.values()).count(spot) > 1]
    if twice:
        raise PadError(ERRORS["E-PAD-003"], place, spot=f"{twice[0][0]}.{twice[0][1]}")
