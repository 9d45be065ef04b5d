"""The round under way: who is in it with what, which cards lie where, how far it is settled.

Cards are named by the positions in which they left the deck. Everything that asks, settles, turns or shows
cards starts here, so that all mean the same hand by a seat and the same cards by read.

A seat is settled in the law's order, and a hit in the middle of it waits for the floor after what stands
before it was paid (641a.11(c)(3)-(5)). So between "not yet" and "settled" a seat may be begun, and whatever
takes back, declares again or finishes by hand asks here what was carried out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from sabot.rules.chapter import Fate, Wager
from sabot.rules.plan import DISCARD, Placement
from sabot.rules.round import Stake
from sabot.rules.settlement.claims import Cards
from sabot.statemachine.law import Law
from sabot.statemachine.state.phases import VALIDATING
from sabot.statemachine.state.round import Play, RoundState
from sabot.statemachine.vocabulary.events import Secret

if TYPE_CHECKING:
    from sabot.rules.round import Line


@dataclass(frozen=True)
class Laid:
    """A plan, its cards in the order in which they leave the deck, the positions of each place, the stacks.

    A plan places every card from the first on, none twice: how many have left the deck says which is next.
    """

    plan: list[Placement]
    order: list[Placement]
    positions: dict[str, list[int]]
    stacks: dict[int, list[Placement]]

    @cached_property
    def places(self) -> frozenset[str]:
        """The places that cards are dealt to."""
        return frozenset(self.positions.keys() - {DISCARD})

    @cached_property
    def placed(self) -> frozenset[int]:
        """The positions of the cards that are dealt to a place."""
        return frozenset(each.position for each in self.plan if each.place != DISCARD)

    @cached_property
    def cards_at(self) -> "dict[str, CardsAt]":
        """For each place a function that takes its cards out of all that were read, if all of them were."""
        return {place: _cards_at(positions) for place, positions in self.positions.items()}

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of cards that each place has in the end."""
        return {place: len(positions) for place, positions in self.positions.items()}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The plan as the record keeps it."""
        return tuple(map(str, self.plan))


# The cards at some positions, in their order, out of all that were read by position.
CardsAt = Callable[[Mapping[int, int]], tuple[int, ...]]


def _cards_at(positions: Sequence[int]) -> CardsAt:
    """Return a function that takes the cards at these positions; ``KeyError`` if one was not read."""
    if len(positions) > 1:  # by one call for all of them, which takes a fifth of a loop
        return itemgetter(*positions)
    return lambda read: (read[positions[0]],)


def lay_out(cards: list[Placement]) -> Laid:
    """Return a plan made easy to look up; places and stacks stay in the plan's order."""
    positions: dict[str, list[int]] = {each.place: [] for each in cards}
    stacks: dict[int, list[Placement]] = {each.stack: [] for each in cards}
    # The order in which a place has its cards: of the dealer's hand the first five count for some wagers.
    for each in sorted(cards, key=attrgetter("nth")):
        positions[each.place].append(each.position)
    for each in cards:
        stacks[each.stack].append(each)
    return Laid(cards, sorted(cards), positions, stacks)


# ------------------------------------------------------------ who is in it with what


class Contest:
    """The round under way as the chapter sees it."""

    __slots__ = ("_laid", "law", "play")

    def __init__(self, law: Law, play: Play) -> None:
        self.law, self.play = law, play
        self._laid = lay_out([])

    @property
    def laid(self) -> Laid:
        """The plan of the round, made easy to look up; once for each, for a change of plan is a new plan."""
        round_ = self.play.round
        assert round_ is not None  # as `current`, without its call: this is asked of each card many times
        if self._laid.plan is not round_.plan:
            self._laid = lay_out(round_.plan)
        return self._laid

    @property
    def is_void(self) -> bool:
        """Return whether antes and raises go back and only optional wagers are settled."""
        kind = self.play.current.irregularity
        found = self.law.chapter.irregularities.get(kind) if kind else None  # asked of each seat and card
        return found is not None and found.fate is Fate.VOID_CONTEST

    def involved(self) -> tuple[object, ...]:
        """Return who is in the round with what, and who is not any more."""
        round_ = self.play.current
        return round_.bets, round_.players, round_.raises, round_.folded, round_.left

    def involved_copied(self) -> tuple[object, ...]:
        """Return the same to be kept: these change in place where somebody leaves or comes back."""
        round_ = self.play.current
        bets = {seat: placed.copy() for seat, placed in round_.bets.items()}
        raises = {seat: cents.copy() for seat, cents in round_.raises.items()}
        return bets, round_.players.copy(), raises, round_.folded.copy(), round_.left.copy()

    def players_to_ask(self) -> list[int]:
        """Return the seats with an Ante that have not left, from the dealer's left."""
        round_, opening = self.play.current, self.law.chapter.contest.opening
        return [
            seat for seat, bets in sorted(round_.bets.items()) if opening in bets and seat not in round_.left
        ]

    def stakes(self, seat: int) -> dict[str, Stake]:
        """Return all stakes of a seat, second wagers included."""
        round_ = self.play.current
        # One raise for each street that was answered; 641a has one, 683a up to three.
        second = self.law.chapter.contest.wagers[1:]
        return round_.bets[seat] | dict(zip(second, round_.raises.get(seat, ()), strict=False))

    def is_alive(self, seat: int, wager: str) -> bool:
        """Return whether a wager that was made still competes, its player being there."""
        is_kept = self.law.house.keeps_after_fold
        return seat not in self.play.current.folded or is_kept(self.law.chapter.wagers[wager])


# ------------------------------------------------------------ the cards on the table

# The place of the dealer's hand.
DEALER = "dealer"


def read_once(seen: Sequence[Secret | None]) -> dict[int, int]:
    """Return the cards that were read, by position, without those that came twice."""
    read = {position: card.card for position, card in enumerate(seen, 1) if card is not None}
    cards = list(read.values())
    if len(set(cards)) == len(cards):
        return read
    # Which of the two was read wrong nobody can say: neither counts as read.
    return {position: card for position, card in read.items() if cards.count(card) == 1}


@dataclass(slots=True, eq=False, repr=False)
class LaidCards:
    """The cards on the table: which lie where, and whose wagers they decide."""

    law: Law
    contest: Contest
    play: Play
    # The cards that had left the deck when it was asked last, and those of them that were read.
    _seen: list[Secret | None] = field(init=False, default_factory=list)
    _read: dict[int, int] = field(init=False, default_factory=dict)

    def read_cards(self) -> Mapping[int, int]:
        """Return the cards that a device has read, by position, without those that came twice."""
        seen = self.play.current.seen
        # Asked of each line that is paid, mostly of the same cards. All of them are held against those of
        # before, not their number: a way around that was keyed in may be taken back and dealt otherwise.
        if seen != self._seen:
            self._seen, self._read = seen.copy(), read_once(seen)
        return self._read

    def in_order(self, place: str) -> Sequence[int]:
        """Return the positions of a place's cards as they were dealt; ``dealer_first`` is part of a hand."""
        if place == "dealer_first":
            return self.contest.laid.positions.get(DEALER, [])[: self.law.chapter.hands.dealer_first]
        return self.contest.laid.positions.get(place, [])

    def positions(self, place: str) -> Cards:
        """Return the positions of the cards at a place."""
        return frozenset(self.in_order(place))

    def cards_of(self, seat: int, places: tuple[str, ...]) -> Cards:
        """Return the positions of a seat's cards together with shared ones."""
        names = (f"seat{seat}" if place == "own" else place for place in places)
        return frozenset[int]().union(*(self.positions(name) for name in names))

    def has_own_bonus_card(self) -> bool:
        """Return whether each player has a bonus card of his own (679a.8(h))."""
        return self.law.setup.options.pair_bonus_card == "own"

    def bonus_card(self, seat: int) -> Cards:
        """Return the position of the card that chooses the table of a seat's Pair Bonus."""
        return self.positions(f"seat{seat}:fourth" if self.has_own_bonus_card() else "pair_bonus_card")

    def knows_all(self) -> bool:
        """Return whether every card that was dealt to a place was read, each once."""
        read, laid = self.read_cards(), self.contest.laid
        # Numbers first: where each card that left was read, and all have left, none has to be looked for.
        if len(read) == len(self.play.current.seen) >= len(laid.order):
            return True
        return read.keys() >= laid.placed

    # ---------------------------------------------------------------- what they decide

    def has_cards_left(self, seat: int) -> bool:
        """Return whether a seat's cards are turned: not where its player left or no wager needs them."""
        round_ = self.play.current
        if self.contest.is_void:
            return bool(self.live_wagers(seat))
        if seat in round_.left:
            return False
        if seat not in round_.folded:
            return bool(round_.bets[seat] or self.contest.stakes(seat))
        return any(
            self.law.house.keeps_after_fold(self.law.chapter.wagers[wager])
            for wager in self.contest.stakes(seat)
        )

    def with_cards_left(self, seats: Sequence[int]) -> list[int]:
        """Return those of these seats whose cards are turned."""
        round_ = self.play.current
        # Nearly all seats stay with a wager to the end, so only the others are looked at closely.
        doubtful = seats if self.contest.is_void else (*round_.folded, *round_.left)
        return [
            seat
            for seat in seats
            if (seat not in doubtful and round_.bets[seat]) or self.has_cards_left(seat)
        ]

    def plays(self, seat: int) -> bool:
        """Return whether a seat's wagers are settled by cards; in a void contest also one that was left."""
        return seat not in self.play.current.left or self.contest.is_void

    def is_contested(self, seat: int) -> bool:
        """Return whether Ante and second wagers of a seat still compete."""
        round_ = self.play.current
        is_out = seat in round_.folded or self.contest.is_void or not self.plays(seat)
        return self.law.chapter.contest.opening in round_.bets[seat] and not is_out

    def live_wagers(self, seat: int) -> list[Wager]:
        """Return the optional wagers of a seat that are settled by cards, in the chapter's order."""
        if not self.plays(seat):
            return []
        stakes, wagers = self.contest.stakes(seat), self.law.chapter.wagers
        names = [
            name for name in self.law.chapter.order if name in stakes and self.contest.is_alive(seat, name)
        ]
        return [wagers[name] for name in names if wagers[name].settles]


# ------------------------------------------------------------ how far it is settled


def begun(round_: "RoundState") -> list[int]:
    """Return the seats at which anything was paid or taken, in settle order."""
    return round_.order[: round_.settled + (round_.carried > 0)]


def carried_out(round_: "RoundState") -> "list[Line]":
    """Return the lines that were carried out, those of the seat that is half settled among them."""
    closed = round_.order[: round_.settled]
    half = begun(round_)[round_.settled :]
    done = [line for line in round_.lines if line.seat in closed]
    return done + [line for line in round_.lines if line.seat in half][: round_.carried]


def carried_spots(round_: "RoundState") -> set[tuple[int, str]]:
    """Return seat and wager of each line that was carried out."""
    return {(line.seat, line.wager) for line in carried_out(round_)}


@dataclass(slots=True, eq=False, repr=False)
class SettlingProgress:
    """Tell how far the settlement of a round has come."""

    law: Law
    contest: Contest
    play: Play

    def is_being_settled(self, seat: int) -> bool:
        """Return whether a seat is half settled: something was carried out, or its hit is looked at."""
        round_ = self.play.current
        if seat not in round_.order[round_.settled : round_.settled + 1]:
            return False
        is_looked_at = self.play.phase is VALIDATING or any(hit.seat == seat for hit in round_.hits)
        return round_.carried > 0 or is_looked_at

    def forfeited(self, seat: int) -> "list[tuple[str, Stake, str]]":
        """Return what a seat's fold forfeited of the contest: wager, stake and paragraph of each."""
        contest, stakes = self.law.chapter.contest, self.contest.stakes(seat)
        # Where a seat folded decides the paragraph: in 683a each street has its own.
        cite = contest.forfeit_cites[len(self.play.current.raises.get(seat, ()))]
        return [(name, stakes[name], cite) for name in contest.wagers if name in stakes]
