"""The state of a settlement from seat to seat: lines, meters, limits, and the readings that mattered.

The steps of a settlement say *what* a wager wins, this says how much money that is. It is the only
place that touches a meter, cuts at the payout limit or writes a line.
"""

# Theory of operation. Money is written line by line, and a line depends on those before it: a hit lowers the
# meter for the seats after it, and the payout limit counts what was paid so far. A stake of None is one that
# nobody could sense: its line carries odds and no sums. A reading is noted only where another answer would
# have made another line, so whatever a reading may change is worked out both ways: a margin by the literal
# ranking too, a column by its alternatives, the limit by a second tally.

from functools import partial
from typing import NamedTuple

from sabot.rules.chapter import GOES_ON, ContestAction, Fate, Meter, Wager
from sabot.rules.errors import SabotError, table
from sabot.rules.payouts import LOSS, PUSH, Payout
from sabot.rules.paytables import MeterHit
from sabot.rules.rankings import LEVEL_SHIFT
from sabot.rules.round import Line, MeterValues, Round, Seat, Stake
from sabot.rules.settlement.house import House
from sabot.rules.settlement.limit import tallies
from sabot.rules.settlement.looks import OWN, ColumnLook, Sight

ERRORS = table(
    (
        "E-ROUND-020",
        "{what} is not given, and {whom} needs it",
        "A wager that is alive cannot be settled without it.",
        "Add it to the round.",
    ),
)


class MissingError(SabotError):
    """A round that lacks what a live wager needs."""


def missing(what: str, whom: str) -> MissingError:
    """Return the error for something that a round lacks."""
    return MissingError(ERRORS["E-ROUND-020"], what, what=what, whom=whom)


# Makes a line of all its fields. Settling is mostly making lines, and `Line(...)` takes three times as long:
# it is a function in Python that fills in defaults.
_line = partial(tuple.__new__, Line)


class Envied(NamedTuple):
    """A hand that may be worth a payment to others, and the readings under which its row would differ."""

    holder: Seat
    hit: MeterHit | None
    doubts: list[str]


class RoundSettlement:
    """One settlement under way, by the cards."""

    sees_cards = True

    def __init__(self, house: House, round_: Round) -> None:
        self.house = house
        self.round = round_
        # From the dealer's right (x.11(c)): seats are counted from the left.
        self.seats = sorted(round_.seats, key=lambda seat: -seat.number)
        self.lines: list[Line] = []
        # A copy: a hit lowers it for the seats after it, and the round stays as it was given.
        self.meters: MeterValues = {name: dict(levels) for name, levels in round_.meters.items()}
        self.noted: dict[str, str] = {}
        # A jackpot on the dealer's hand: what each sharer has is fixed at the first of them (reading T7).
        self.shares: dict[str, int] = {}
        self.drawn: set[tuple[int, str]] = set()
        self.envied: dict[tuple[str, int], list[Envied]] = {}
        self._fate = GOES_ON
        self._scores: dict[tuple[int, Sight], int] = {}
        self._margins: dict[int, int] = {}
        self._dealer_score: int | None = None
        limit, most = house.chapter.limit, house.options.payout_limit
        self._tallies = tallies(limit, most, house.readings) if limit and most is not None else None

    @property
    def is_void(self) -> bool:
        """Return whether the contest of this round is void (the optional wagers may still be settled)."""
        return self._fate is not GOES_ON

    def declare(self, fate: Fate) -> None:
        """Take the effect of the round's irregularity, before the first seat is settled."""
        self._fate = fate

    def note(self, reading: str) -> None:
        """Note that a reading decided something in this round."""
        self.noted[reading] = self.house.readings[reading]

    def answer(self, reading: str) -> str:
        """Return the answer of a reading that decides something now, and note it."""
        self.note(reading)
        return self.house.readings[reading]

    def counts_as_abandoned(self, seat: Seat) -> bool:
        """Return whether a seat loses everything as abandoned; in a void round it is like any other."""
        return seat.abandoned and not self.is_void

    def is_alive(self, seat: Seat, wager: Wager) -> bool:
        """Return whether a stake of this seat still competes."""
        if wager.name not in seat.stakes:
            return False
        return not seat.folded or self.house.keeps_after_fold(wager)

    # ------------------------------------------------------------ cards

    def told(self) -> dict[str, str]:
        """Return the hands that were declared: none where cards are settled."""
        return {}

    def cards(self, seat: Seat, places: tuple[str, ...]) -> tuple[int, ...]:
        """Return the cards of a seat together with shared ones, or raise where some are not given."""
        cards: tuple[int, ...] = ()
        for place in places:
            found = seat.cards if place == "own" else self.round.places.get(place)
            if found is None:
                name = f"seat {seat.number} cards" if place == "own" else place
                raise missing(name, f"seat {seat.number}")
            cards += found
        return cards

    def look_at(self, seat: Seat, look: ColumnLook) -> int:
        """Return the score that decides for a seat under a column."""
        sight = look.sight
        score = self._scores.get((seat.number if sight.is_own else 0, sight))
        return self._rank(seat, sight) if score is None else score

    def is_on_table(self, seat: Seat) -> bool:
        """Return whether a seat's hand is there to be looked at."""
        return seat.cards is not None

    def has_bonus_card(self, seat: Seat, wager: Wager) -> bool:
        """Return whether the bonus card has the rank that moves a wager to its other paytable."""
        assert wager.bonus_card is not None
        if self.house.options.pair_bonus_card == "own":
            if seat.fourth is None:
                raise missing(f"seat {seat.number} fourth", wager.title)
            card = seat.fourth
        else:
            (card,) = self.cards(seat, ("pair_bonus_card",))
        return (card >> 2) + 2 == wager.bonus_card.rank

    def has_magic_card(self, seat: Seat, wager: Wager) -> bool:
        """Return whether the drawn card is among the cards of a wager's hand."""
        assert wager.settles is not None
        return self.round.magic_card in self.cards(seat, wager.settles.cards)

    def score(self, seat: Seat) -> int:
        """Return the score of a seat's hand in the contest."""
        sight = self.house.contest_sight
        score = self._scores.get((seat.number, sight))
        return self._rank(seat, sight) if score is None else score

    def _rank(self, seat: Seat, sight: Sight) -> int:
        """Rank the cards of a sight, and keep the score: several wagers look at one hand in the same way."""
        places = sight.places
        cards = seat.cards if places == OWN else None
        score = sight.ranking.score(self.cards(seat, places) if cards is None else cards)
        self._scores[seat.number if sight.is_own else 0, sight] = score
        return score

    def dealer_score(self) -> int:
        """Return the score of the dealer's hand in the contest."""
        if self._dealer_score is None:
            dealer = self.round.places.get("dealer")
            if dealer is None:
                raise missing("dealer", "the contest")
            self._dealer_score = self.house.contest_ranking.score(dealer)
        return self._dealer_score

    def margin(self, seat: Seat) -> int:
        """Return above 0 when the player's hand is the higher, 0 on a tie, below when it is the lower."""
        margin = self._margins.get(seat.number)
        if margin is None:
            margin = self._margins[seat.number] = self._margin(seat)
        return margin

    def _margin(self, seat: Seat) -> int:
        own, dealer = self.score(seat), self.dealer_score()
        poker = own - dealer
        # Hands of two classes compare alike under every reading; only ties of rank are R3's.
        if own >> LEVEL_SHIFT != dealer >> LEVEL_SHIFT:
            return poker
        literal = self._literal_margin(seat)
        # The reading stands in the outcome only where it decided something.
        if (literal > 0, literal < 0) != (poker > 0, poker < 0):
            self.note("tiebreak")
        return poker if self.house.readings["tiebreak"] == "poker" else literal

    def _literal_margin(self, seat: Seat) -> int:
        ranking = self.house.literal_ranking
        own = ranking.score(self.cards(seat, self.house.chapter.contest.cards))
        return own - ranking.score(self.round.places["dealer"])

    # ------------------------------------------------------------ lines

    def write(self, seat: Seat, wager: str, result: str, cite: str, row: str | None = None) -> None:
        """Write a line on which the house pays nothing: the stake is lost or goes back."""
        stake = seat.stakes[wager]
        if stake is None:
            odds = "push" if result == "push" else None
            line = _line((seat.number, wager, None, result, None, None, row, cite, odds, "", None))
        else:
            back = stake if result in ("returned", "push") else 0
            line = _line((seat.number, wager, stake, result, 0, back, row, cite, None, "", None))
        self.lines.append(line)

    def pay(
        self, seat: Seat, wager: str, hit: MeterHit, cite: str, *, prefix: str = "", keeps: bool = False
    ) -> None:
        """Write a line that a row of a paytable decides; ``keeps``: the house keeps a winner's stake."""
        payout, row = hit.payout, prefix + hit.row
        if payout.kind is LOSS:
            self.write(seat, wager, "lose", cite, row)
        elif payout.kind is PUSH:
            self.write(seat, wager, "push", cite, row)
        else:
            stake = seat.stakes[wager]
            back = stake if payout.keeps_stake and not keeps else 0
            self._win(seat, wager, stake, stake, payout, back, (row, hit.text, cite))

    def pay_odds(self, seat: Seat, wager: str, action: ContestAction, row: str = "win") -> None:
        """Write a line with a payout that no table decides: the contest's 1 to 1."""
        assert action.pays is not None
        stake = seat.stakes[wager]
        self._win(seat, wager, stake, stake, action.pays, stake, (row, "", action.cite))

    def pay_bonus(self, seat: Seat, line: str, base: Stake, hit: MeterHit, cite: str) -> None:
        """Write a payment without a stake of its own, on the stake of another wager."""
        # A bonus has no stake: nothing goes back with it. Where the other stake is unknown, its sum is too.
        stake = None if base is None else 0
        self._win(seat, line, stake, base, hit.payout, stake, (hit.row, hit.text, cite))

    def pay_share(self, seat: Seat, wager: str, hit: MeterHit, cite: str, amount: int) -> None:
        """Write the payment of a share of a meter that was already taken from it."""
        stake = seat.stakes[wager]
        # Of a stake of unknown value no sum is told, though the meter gave one: whoever pays reads the meter.
        known = stake is not None
        self.lines.append(
            Line(
                seat.number,
                wager,
                stake,
                "win",
                amount if known else None,
                0 if known else None,
                hit.row,
                cite,
                None if known else hit.payout.odds,
                f"{hit.text} pays {hit.payout.text}",
            )
        )

    def _win(
        self,
        seat: Seat,
        wager: str,
        stake: Stake,
        base: Stake,
        payout: Payout,
        back: Stake,
        named: tuple[str, str, str],
    ) -> None:
        row, text, cite = named
        text = f"{text} pays {payout.text}" if text else f"Pays {payout.text}"
        if base is None:
            line = _line((seat.number, wager, None, "win", None, None, row, cite, payout.odds, text, None))
        else:
            full = payout.of_stake(base)
            paid = self._within_limit(seat.player, wager, row, full)
            uncut = full if paid < full else None
            line = _line((seat.number, wager, stake, "win", paid, back, row, cite, None, text, uncut))
        self.lines.append(line)

    def _within_limit(self, player: str, wager: str, row: str, amount: int) -> int:
        if self._tallies is None:
            return amount
        tally, other = self._tallies
        paid = tally.allow(player, wager, row, amount)
        under = tally.limit.covers_under
        # Asked even where nothing is cut: a running total that skipped a payment would be wrong for the next.
        if other and under and other.allow(player, wager, row, amount) != paid:
            self.note(under.reading)
        return paid

    # ------------------------------------------------------------ meters

    def draw(self, seat: Seat, wager: str, payout: Payout, shares: int = 1) -> int:
        """Take an equal share of a meter for each of ``shares`` players, and return one of them.

        The meter keeps what cannot be divided.
        """
        self.drawn.add((seat.number, wager))
        meter = next(m for m in self.house.chapter.meters.values() if wager in m.wagers)
        value = self.meters.get(meter.name, {}).get(payout.level)
        if value is None:
            raise missing(f"meters.{meter.name}.{payout.level}", f"seat {seat.number} {wager}")
        # One division for rate and players together: cut once, not twice (reading P13).
        share = value * payout.rate.numerator // (payout.rate.denominator * shares)
        # What could not be divided stays on the meter (readings P13, T7).
        left = value - share * shares
        # Beside the seed, not in its place: the odd cents of before stay there (reading T6).
        reseed = self._reseed(meter, payout.level) if payout.rate == 1 else 0
        self.meters[meter.name][payout.level] = left + reseed
        return share

    def _reseed(self, meter: Meter, level: str) -> int:
        letter = self.house.letter(self.house.chapter.paytables[meter.paytable])
        terms = meter.levels[letter][level]
        if terms.reseed_for_1 is not None:
            return terms.reseed_for_1 * self.house.options.progressive_unit
        reset = self.house.options.meter_reset.get(level)
        if reset is None:
            raise missing(f"options.meter_reset.{level}", f"the hit on {meter.name}")
        return reset
