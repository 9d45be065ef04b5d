"""Settlement where people say what a device did not read.

Hands that were read are settled by their cards, hand by hand; for the others the words of the dealer, and
what follows from them (``testimony``), become scores that make just those rows, and the same steps settle the
round.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field

from sabot.rules.chapter import Wager
from sabot.rules.frozen import frozen
from sabot.rules.rankings import ACE, LEAD_SHIFT, LEVEL_SHIFT, PokerRanking
from sabot.rules.round import Round, Seat
from sabot.rules.settlement.house import House
from sabot.rules.settlement.looks import ColumnLook
from sabot.rules.settlement.round_settlement import RoundSettlement

YES, TIES = "yes", "ties"
BONUS_CARD, MAGIC_CARD = "bonus_card", "magic_card"


@frozen
class DeclaredSeat:
    """The dealer's words about one seat: its hand, whether it wins or ties, and a row for each wager.

    ``rows`` also holds envy tables by name, and ``wager:bonus_card`` or ``wager:magic_card`` with ``yes``.
    """

    hand: str = ""
    wins: bool = False
    ties: bool = False
    rows: Mapping[str, str] = field(default_factory=dict)


@frozen
class Declared:
    """The dealer's words about a round."""

    dealer: str = ""
    dealer_qualifies: bool = True
    seats: Mapping[int, DeclaredSeat] = field(default_factory=dict)


class DeclaredSettlement(RoundSettlement):
    """One settlement under way, by declaration where no device saw the cards."""

    sees_cards = False

    def __init__(self, house: House, round_: Round, declared: Declared) -> None:
        super().__init__(house, round_)
        self.declared = declared

    def _said(self, seat: Seat) -> DeclaredSeat:
        return self.declared.seats.get(seat.number, DeclaredSeat())

    def _has_read(self, seat: Seat, places: Iterable[str]) -> bool:
        """Return whether a device has read all of these cards."""
        return all(
            seat.cards is not None if place == "own" else place in self.round.places for place in places
        )

    def _contest_score(self, hand: str) -> int:
        ranking = self.house.contest_ranking
        assert isinstance(ranking, PokerRanking)
        return (ranking.level_of(hand) or 0) << LEVEL_SHIFT

    def score(self, seat: Seat) -> int:
        """Return the score of a seat's hand, or of its declared row in a contest against a paytable."""
        contest, said = self.house.chapter.contest, self._said(seat)
        if self._has_read(seat, contest.cards):
            return super().score(seat)
        if contest.against_dealer:
            return self._contest_score(said.hand)
        table = contest.opening_paytable
        return self.house.column(table).sample(said.rows.get(table, ""))

    def dealer_score(self) -> int:
        """Return the score of the dealer's hand; a bare high card qualifies or not as declared."""
        if "dealer" in self.round.places:
            return super().dealer_score()
        # The dealer said whether the hand qualifies: any lead that does so will do, for nothing else asks it.
        lead = ACE if self.declared.dealer_qualifies else 0
        return self._contest_score(self.declared.dealer) | lead << LEAD_SHIFT

    def margin(self, seat: Seat) -> int:
        """Return above 0, 0 or below for a seat that wins, ties or loses, as declared where a hand was."""
        # Read on both sides, cards decide; one word about who
        # wins is needed as soon as one side was not read.
        if self._has_read(seat, (*self.house.chapter.contest.cards, "dealer")):
            return super().margin(seat)
        said = self._said(seat)
        # A tie is paid as a win in the contest (reading P7), but a Bad Beat Bonus tells the two apart.
        return 0 if said.ties else 1 if said.wins else -1

    def look_at(self, seat: Seat, look: ColumnLook) -> int:
        """Return the score of the cards, or one that makes the declared row."""
        if self._has_read(seat, look.sight.places):
            return super().look_at(seat, look)
        return look.column.sample(self._said(seat).rows.get(look.name, ""))

    def is_on_table(self, seat: Seat) -> bool:
        """Return whether the hand was read, or the dealer said anything of it."""
        return super().is_on_table(seat) or seat.number in self.declared.seats

    def told(self) -> dict[str, str]:
        """Return the hands that were declared and not read."""
        said = {f"seat{seat.number}": self._said(seat).hand for seat in self.seats if seat.cards is None}
        dealer = {} if "dealer" in self.round.places else {"dealer": self.declared.dealer}
        return {place: hand for place, hand in (dealer | said).items() if hand}

    def has_bonus_card(self, seat: Seat, wager: Wager) -> bool:
        """Return whether the bonus card was read, or seen by the dealer."""
        is_own = self.house.options.pair_bonus_card == "own"
        if seat.fourth is not None if is_own else "pair_bonus_card" in self.round.places:
            return super().has_bonus_card(seat, wager)
        return self._said(seat).rows.get(f"{wager.name}:{BONUS_CARD}") == YES

    def has_magic_card(self, seat: Seat, wager: Wager) -> bool:
        """Return whether the magic card was read in the hand, or seen there by the dealer."""
        assert wager.settles is not None  # only wagers with a settlement have drawn bonuses
        if self._has_read(seat, wager.settles.cards):
            return super().has_magic_card(seat, wager)
        return self._said(seat).rows.get(f"{wager.name}:{MAGIC_CARD}") == YES
