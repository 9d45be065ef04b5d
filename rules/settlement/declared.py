"""Settlement by what the dealer declares, where no device sees the cards.

At a table without a reader the dealer says what each hand is: the dealer's hand first, then seat by seat
who wins and which row each live wager makes. Those words become scores that make just those rows, and the
same steps settle the round.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sabot.rules.chapter import Wager
from sabot.rules.paytables import Column
from sabot.rules.rankings import ACE, LEAD_SHIFT, LEVEL_SHIFT, PokerRanking
from sabot.rules.round import Round, Seat
from sabot.rules.settlement.desk import Desk
from sabot.rules.settlement.house import House

YES, TIES = "yes", "ties"
BONUS_CARD, MAGIC_CARD = "bonus_card", "magic_card"
QUALIFIES, TOO_LOW = "qualifies", "too low"


@dataclass(frozen=True, slots=True)
class DeclaredSeat:
    """What the dealer said of one seat: its hand, whether it wins or ties, and a row for each wager.

    ``rows`` also holds envy tables by name, and ``wager:bonus_card`` or ``wager:magic_card`` with ``yes``.
    """

    hand: str = ""
    wins: bool = False
    ties: bool = False
    rows: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Declared:
    """What the dealer said of a round."""

    dealer: str = ""
    dealer_qualifies: bool = True
    seats: Mapping[int, DeclaredSeat] = field(default_factory=dict)


class DeclaredDesk(Desk):
    """One settlement under way, by declaration."""

    sees_cards = False

    def __init__(self, house: House, round_: Round, declared: Declared) -> None:
        super().__init__(house, round_)
        self.declared = declared

    def _said(self, seat: Seat) -> DeclaredSeat:
        return self.declared.seats.get(seat.number, DeclaredSeat())

    def _contest_score(self, hand: str) -> int:
        ranking = self.house.contest_ranking
        assert isinstance(ranking, PokerRanking)
        return (ranking.level_of(hand) or 0) << LEVEL_SHIFT

    def score(self, seat: Seat) -> int:
        """The declared hand, or the declared row where the contest is against a paytable."""
        said = self._said(seat)
        contest = self.house.chapter.contest
        if contest.against_dealer:
            return self._contest_score(said.hand)
        table = contest.results["win"].actions["ante"].paytable
        return self.house.column(table).sample(said.rows.get(table, ""))

    def dealer_score(self) -> int:
        """The declared hand of the dealer; a bare high card qualifies or not as declared."""
        lead = ACE if self.declared.dealer_qualifies else 0
        return self._contest_score(self.declared.dealer) | lead << LEAD_SHIFT

    def margin(self, seat: Seat) -> int:
        """Won, tied or lost, as declared: a Bad Beat tells a tie from a win."""
        said = self._said(seat)
        return 0 if said.ties else 1 if said.wins else -1

    def wager_score(self, seat: Seat, wager: Wager, column: Column) -> int:
        """A score that makes the declared row."""
        return column.sample(self._said(seat).rows.get(wager.name, ""))

    def envy_score(self, holder: Seat, column: Column) -> int:
        """A score that makes the declared envy row."""
        return column.sample(self._said(holder).rows.get(column.name, ""))

    def is_on_table(self, seat: Seat) -> bool:
        """Whether the dealer said anything of this hand."""
        return seat.number in self.declared.seats

    def names(self) -> dict[str, str]:
        """The hands as they were declared."""
        dealer = {"dealer": self.declared.dealer} if self.declared.dealer else {}
        seats = {f"seat{seat.number}": self._said(seat).hand for seat in self.seats}
        return dealer | {place: hand for place, hand in seats.items() if hand}

    def has_bonus_card(self, seat: Seat, wager: Wager) -> bool:
        """Whether the dealer saw the bonus card."""
        return self._said(seat).rows.get(f"{wager.name}:{BONUS_CARD}") == YES

    def has_magic_card(self, seat: Seat, wager: Wager) -> bool:
        """Whether the dealer saw the magic card in the hand."""
        return self._said(seat).rows.get(f"{wager.name}:{MAGIC_CARD}") == YES
