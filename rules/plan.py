"""Dealing plans: from a chapter's steps and the wagers to every card's place, in order.

A plan walks the deck once. ``around`` steps deal cards to places as they come; a ``stack`` step takes
several cards and then divides them by position, which is how an automated shoe's stack becomes a face-up
card, a bonus card and discards. A card found face up in the deck goes to the rack and the next one takes
its place (x.13(a)), so that every later position moves by one. Nothing here knows a chapter: the steps,
their conditions and readings come as data.
"""

# Theory of operation. One deck, one pass: positions count from 1 in the order in which the cards leave it,
# and a step never looks back. So a plan is right whoever brings the cards: a reading shoe reports position
# after position, an automated shoe whole stacks of them, and by hand a lap is as many positions as the dealer
# lays in one way around. Which wagers were placed, which seats play and which reading holds are all that a
# plan depends on; the amounts do not matter, so a table keeps its last few plans.

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sabot.rules.chapter import Chapter, Part, PlanSpec, PlanStep
from sabot.rules.errors import SabotError, table
from sabot.rules.frozen import frozen

SEATS, FOURTH, HERE, DISCARD = "seats", "fourth", "here", "discard"
BONUS_CARD = "pair_bonus_card"
# The places that every chapter may have; one that bears the name of a wager lies there for that wager.
PLACES = frozenset({SEATS, "dealer", "community", FOURTH, BONUS_CARD, HERE, DISCARD})
TAKES = frozenset({"top", "bottom", "next", "rest"})
OWN, COMMUNITY = "own", "community"
# A bound: each new set of seats and wagers is a new plan.
MOST_KEPT = 64
BOTTOM_READING, NEXT_READING = "stack_bottom", "next_card"

ERRORS = table(
    (
        "E-DEAL-001",
        "{chapter} does not know the dealing method {method!r}",
        "The methods of the chapter are {known}.",
        "Choose one of those.",
    ),
    (
        "E-DEAL-002",
        "{what}",
        "The table has seats 1 to {seats}, each dealt in once.",
        "Name the seats that have a wager, such as 1,3,5.",
    ),
    (
        "E-DEAL-003",
        "two cards face up ({positions}) leave nothing to deal",
        "More than one card face up voids the round ({cite}).",
        "Return all wagers and reshuffle.",
    ),
    (
        "E-DEAL-004",
        "{what}",
        "The option is not for this chapter, or its value is out of bounds.",
        "See `sabot deal --help` for what each chapter knows.",
    ),
)


class DealError(SabotError):
    """A hand that cannot be dealt as asked."""


class Placement(NamedTuple):
    """One card's way: position in the deck (1 = first out), place, number there, and face.

    ``lap`` counts the dealer's ways around the table, ``stack`` what an automated shoe puts out at once (0:
    after the last of its stacks the dealer deals this one by hand).
    """

    position: int
    place: str
    nth: int
    face_up: bool
    lap: int = 0
    stack: int = 0

    def __str__(self) -> str:
        return f"{self.place}{'^' if self.face_up else ''}@{self.position}"


@frozen
class Bets:
    """The part of the locked wagers on which a dealing plan depends.

    ``placed`` are the wagers that anybody placed, ``bonus_seats`` the seats that bet on a bonus card, and
    ``bonus_card`` says whether each of them has one of its own.
    """

    placed: frozenset[str] = frozenset()
    bonus_seats: frozenset[int] = frozenset()
    bonus_card: str = OWN


def bonus_wager(chapter: Chapter) -> str:
    """Return the wager that a bonus card decides, empty where the chapter has none."""
    return next((name for name, wager in chapter.wagers.items() if wager.bonus_card), "")


def deals_for(chapter: Chapter, wager: str) -> bool:
    """Return whether a wager has cards of its own, beyond the hands."""
    return wager == bonus_wager(chapter) or wager in chapter.hands.places


def bets_of(chapter: Chapter, by_seat: Mapping[int, Iterable[str]], bonus_card: str) -> Bets:
    """Return the part of the seats' wagers that a plan depends on."""
    bonus = bonus_wager(chapter)
    # Each name once, whatever the number of seats: all of them bet on much the same.
    names = set[str]().union(*by_seat.values())
    # Only wagers with cards of their own: what else is bet leaves the cards where they go.
    placed = frozenset([name for name in names if name != bonus and name in chapter.hands.places])
    seats = frozenset([seat for seat, wagers in by_seat.items() if bonus in wagers]) if bonus else frozenset()
    return Bets(placed, seats, bonus_card if bonus else OWN)


Planned = Callable[[str, tuple[int, ...], Bets, tuple[int, ...]], list[Placement]]
Condition = Callable[[Bets, Mapping[str, str]], bool]


def _community_card_due(bets: Bets, readings: Mapping[str, str]) -> bool:
    wanted = bool(bets.bonus_seats) or readings.get("community_card_if_unused") == "yes"
    return bets.bonus_card == COMMUNITY and wanted


# Beside these, the name of a wager is a condition: somebody placed it.
_CONDITIONS: dict[str, Condition] = {
    "own_bonus_card": lambda bets, _: bets.bonus_card == OWN,
    "community_bonus_card": _community_card_due,
    "own_rule": lambda bets, _: bets.bonus_card == OWN,
    "community_rule": lambda bets, _: bets.bonus_card == COMMUNITY,
}
CONDITIONS = frozenset(_CONDITIONS)


def plan(
    chapter: Chapter,
    method: str,
    seats: Sequence[int],
    bets: Bets,
    readings: Mapping[str, str] | None = None,
    face_up: Sequence[int] = (),
) -> list[Placement]:
    """Return every card of a deal, in the order the dealer places them."""
    spec = _spec(chapter, method)
    _verify_seats(chapter, seats)
    # One is replaced, two void the round (x.13(a)): of those there is no plan.
    if len(face_up) > 1:
        cite = chapter.irregularities["several_face_up"].cite
        positions = ", ".join(map(str, face_up))
        raise DealError(ERRORS["E-DEAL-003"], "face up", positions=positions, cite=cite)
    dealing = _Dealing(seats, bets, chapter.default_readings() | dict(readings or {}), set(face_up))
    for step in spec.steps:
        dealing.do(step)
    return dealing.placed


def kept_plans(chapter: Chapter, readings: Mapping[str, str]) -> Planned:
    """Return a planner that keeps the last few dozen plans: a table is wagered on alike round after round."""

    @lru_cache(maxsize=MOST_KEPT)
    def planned(method: str, seats: tuple[int, ...], bets: Bets, face_up: tuple[int, ...]) -> list[Placement]:
        return plan(chapter, method, seats, bets, readings, face_up)

    return planned


def _spec(chapter: Chapter, method: str) -> PlanSpec:
    spec = chapter.plans.get(method)
    if spec is None:
        known = " ".join(chapter.plans)
        raise DealError(ERRORS["E-DEAL-001"], "method", chapter=chapter.id, method=method, known=known)
    return spec


def _verify_seats(chapter: Chapter, seats: Sequence[int]) -> None:
    wrong = [seat for seat in seats if not 1 <= seat <= chapter.seats]
    what = ""
    if wrong:
        what = f"there is no seat {wrong[0]}"
    elif len(set(seats)) < len(seats):
        what = "a seat is named twice"
    elif not seats:
        what = "no seat is dealt in"
    if what:
        raise DealError(ERRORS["E-DEAL-002"], "seats", what=what, seats=chapter.seats)


class _Dealing:
    """A deal under way: the next position, and the cards placed so far."""

    def __init__(
        self, seats: Sequence[int], bets: Bets, readings: Mapping[str, str], face_up: set[int]
    ) -> None:
        self.seats = sorted(seats)
        self.bets = bets
        self.readings = readings
        self.face_up = face_up
        self.placed: list[Placement] = []
        self._position = 0
        self._counts: dict[str, int] = {}
        self._lap = 0
        self._stack = 0
        self._by_hand = False

    def do(self, step: PlanStep) -> None:
        """Carry out one step, if its condition and readings hold."""
        if not self._holds(step.condition):
            return
        if any(self.readings[name] != value for name, value in step.readings.items()):
            return
        self._by_hand = step.by_hand
        # A stack without places is taken once: its parts say where the cards go.
        places = list(self._expand(step.around)) if step.around else [DISCARD]
        for _ in range(step.times):
            self._lap += 1
            for place in places:
                self._stack += 1
                if step.stack:
                    self._divide(step, place)
                else:
                    for _ in range(step.cards):
                        self._place(self._draw(), place, face_up=step.face_up)

    def _holds(self, condition: str) -> bool:
        if condition in _CONDITIONS:
            return _CONDITIONS[condition](self.bets, self.readings)
        return not condition or condition in self.bets.placed

    def _expand(self, places: Sequence[str]) -> Iterator[str]:
        for place in places:
            if place == SEATS:
                yield from (f"seat{seat}" for seat in self.seats)
            elif place == FOURTH:
                bonus_seats = (seat for seat in self.seats if seat in self.bets.bonus_seats)
                yield from (f"seat{seat}:{FOURTH}" for seat in bonus_seats)
            else:
                yield place

    def _draw(self) -> int:
        self._position += 1
        # To the rack, and the next card takes its place: every
        # later position moves by one (x.13(a), reading V7).
        if self._position in self.face_up:
            self._place(self._position, DISCARD, face_up=True)
            self._position += 1
        return self._position

    def _place(self, position: int, place: str, *, face_up: bool) -> None:
        counts = self._counts
        counts[place] = nth = counts[place] + 1 if place in counts else 1
        stack = 0 if self._by_hand else self._stack
        self.placed.append(Placement(position, place, nth, face_up, self._lap, stack))

    def _divide(self, step: PlanStep, here: str) -> None:
        stack = [self._draw() for _ in range(step.stack)]
        taken = [
            (part, self._take(stack, part.take))
            for part in step.parts
            # The rest is what the others leave: it is taken last, wherever the law names it.
            if part.take != "rest" and self._holds(part.condition)
        ]
        for part in step.parts:
            if part.take == "rest":
                # Placed where the law names it, for that is the order in which the dealer lays the cards.
                taken.insert(step.parts.index(part), (part, stack))
        for part, positions in taken:
            place = self._destination(part, here)
            for position in positions:
                self._place(position, place, face_up=part.face_up)

    def _take(self, stack: list[int], take: str) -> list[int]:
        """Take the card at one end of a stack; readings D1 and D2 say which end that is."""
        bottom_is_last = self.readings.get(BOTTOM_READING, "last") == "last"
        from_bottom = take == "bottom" or (
            take == "next" and self.readings.get(NEXT_READING, "bottom") == "bottom"
        )
        return [stack.pop(-1 if from_bottom == bottom_is_last else 0)]

    def _destination(self, part: Part, here: str) -> str:
        if part.to == HERE:
            return here
        if part.to == FOURTH:
            seat = here.removeprefix("seat")
            has_bonus = seat.isdigit() and int(seat) in self.bets.bonus_seats
            return f"{here}:{FOURTH}" if has_bonus else part.otherwise
        return part.to
