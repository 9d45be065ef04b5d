"""Which cards lie where, which of them a device has read, and whose wagers they decide.

Cards are named by the positions in which they left the deck. Everything that asks, settles, turns or shows
cards starts here, so that all mean the same hand by a seat and the same cards by read.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sabot.rules.chapter import Wager
from sabot.rules.settlement.claims import Cards
from sabot.statemachine.contest import Contest
from sabot.statemachine.law import Law
from sabot.statemachine.round import Play

# The place of the dealer's hand.
DEALER = "dealer"


@dataclass(slots=True, eq=False, repr=False)
class LaidCards:
    """The cards on the table: which lie where, and whose wagers they decide."""

    law: Law
    contest: Contest
    play: Play

    def read_cards(self) -> dict[int, int]:
        """The cards that a device has read, by position; one that came twice is looked at by people."""
        seen = {
            position: card.card for position, card in enumerate(self.play.current.seen, 1) if card is not None
        }
        if len(set(seen.values())) == len(seen):
            return seen
        cards = list(seen.values())
        return {position: card for position, card in seen.items() if cards.count(card) == 1}

    def in_order(self, place: str) -> Sequence[int]:
        """The positions of the cards at a place as they were dealt.

        A dealer's first are some of the dealer's.
        """
        if place == "dealer_first":
            return self.contest.laid.positions.get(DEALER, [])[: self.law.chapter.hands.dealer_first]
        return self.contest.laid.positions.get(place, [])

    def positions(self, place: str) -> Cards:
        """The positions of the cards at a place."""
        return frozenset(self.in_order(place))

    def cards_of(self, seat: int, places: tuple[str, ...]) -> Cards:
        """The positions of a seat's cards together with shared ones."""
        names = (f"seat{seat}" if place == "own" else place for place in places)
        return frozenset[int]().union(*(self.positions(name) for name in names))

    def has_own_bonus_card(self) -> bool:
        """Return whether each player has a bonus card of his own (679a.8(h))."""
        return self.law.setup.options.pair_bonus_card == "own"

    def bonus_card(self, seat: int) -> Cards:
        """The position of the card that chooses the table of a seat's Pair Bonus."""
        return self.positions(f"seat{seat}:fourth" if self.has_own_bonus_card() else "pair_bonus_card")

    def knows_all(self) -> bool:
        """Return whether every card that was dealt to a place was read, each once."""
        return self.read_cards().keys() >= self.contest.laid.placed

    # ---------------------------------------------------------------- what they decide

    def has_cards_left(self, seat: int) -> bool:
        """Return whether a seat's cards are turned.

        Not where its player left or no wager is settled by them.
        """
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

    def plays(self, seat: int) -> bool:
        """Return whether a seat's wagers are settled by cards.

        In a void contest one who left is like any other.
        """
        return seat not in self.play.current.left or self.contest.is_void

    def is_contested(self, seat: int) -> bool:
        """Return whether Ante and second wagers of a seat still compete."""
        round_ = self.play.current
        is_out = seat in round_.folded or self.contest.is_void or not self.plays(seat)
        return self.law.chapter.contest.opening in round_.bets[seat] and not is_out

    def live_wagers(self, seat: int) -> list[Wager]:
        """The optional wagers of a seat that are settled by cards, in the chapter's order."""
        if not self.plays(seat):
            return []
        stakes, wagers = self.contest.stakes(seat), self.law.chapter.wagers
        names = [
            name for name in self.law.chapter.order if name in stakes and self.contest.is_alive(seat, name)
        ]
        return [wagers[name] for name in names if wagers[name].settles]
