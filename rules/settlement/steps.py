"""The kinds of settlement: contest, posted paytable, envy, losing hand, hand bonuses.

Each step settles one wager (the contest: the wagers of the contest) of one seat. What a step pays, on which
cards and under which citation it was told by the chapter; a chapter of known kinds needs no line here.
"""

# Theory of operation. A step is made once for a house and settles seat after seat, round after round: it
# holds columns and looks, never a sum. ``RoundSettlement`` has the money. A step asks it for a score, finds
# the row, and tells it what to write. A reading that a step asks is noted at once, so a step asks only where
# the answer decides something: a bonus after its row is found, a fold only at a seat that has folded.

from collections.abc import Iterator, Mapping
from typing import Protocol

from sabot.rules.chapter import (
    Bonus,
    ContestAction,
    ContestResult,
    EnvyOf,
    Extra,
    Settles,
    Wager,
)
from sabot.rules.payouts import FIXED, METER, PayKind, Payout
from sabot.rules.paytables import MeterHit
from sabot.rules.round import Seat
from sabot.rules.settlement.house import House
from sabot.rules.settlement.looks import Alternative
from sabot.rules.settlement.round_settlement import Envied, RoundSettlement

TWO_BOXES, FOLDED_HOLDER = "envy_two_boxes", "envy_folded_holder"


class SettlementStep(Protocol):
    """One thing the dealer settles at a seat."""

    def settle(self, settling: RoundSettlement, seat: Seat) -> None:
        """Write the lines of this step for a seat that plays."""

    def settle_folded(self, settling: RoundSettlement, seat: Seat) -> None:
        """Write its lines for a seat that has folded."""


class ContestStep:
    """Ante and second wagers, against the dealer's hand or against a paytable."""

    def __init__(self, house: House) -> None:
        contest = house.chapter.contest
        self.contest = contest
        self.house = house
        self.columns = {name: house.column(name) for name in contest_tables(contest.results)}
        bad_beat = contest.results.get("bad_beat")
        self.bad_beat = self.columns[bad_beat.paytable] if bad_beat else None
        self._against = None if contest.against_dealer else self.columns[contest.opening_paytable]

    def settle(self, settling: RoundSettlement, seat: Seat) -> None:
        """Settle the wagers of the contest."""
        stakes, score = seat.stakes, settling.score(seat)
        result = self.contest.results[self._end(settling, seat, score)]
        for name in [each for each in self.contest.wagers if each in stakes]:
            self._settle_one(settling, seat, name, result.actions[name], score)
        if result.bonus:
            self._pay_bonus(settling, seat, result.bonus, score)

    def settle_folded(self, settling: RoundSettlement, seat: Seat) -> None:
        """Forfeit the wagers of the contest."""
        # The street on which the player folded says by which paragraph.
        cite = self.contest.forfeit_cites[seat.raises]
        for name in self.contest.wagers:
            if name in seat.stakes:
                settling.write(seat, name, "forfeit", cite)

    def _end(self, settling: RoundSettlement, seat: Seat, score: int) -> str:
        if self._against:
            return "win" if self._against.find(score) else "lose"
        # Before hands are compared: against a dealer who does not
        # qualify every hand is paid alike (679a, reading P6).
        if not self.dealer_qualifies(settling):
            return "unqualified"
        margin = settling.margin(seat)
        # A chapter of one's own may push on a tie; the five pay it as a win (reading P7).
        if margin == 0 and "tie" in self.contest.results:
            return "tie"
        if margin >= 0:
            return "win"
        return "bad_beat" if self.bad_beat and self.bad_beat.find(score) else "lose"

    def dealer_qualifies(self, settling: RoundSettlement) -> bool:
        """Return whether the dealer's hand is good enough to compete."""
        return self.contest.qualifies is None or self.house.qualifies(settling.dealer_score())

    def _settle_one(
        self, settling: RoundSettlement, seat: Seat, name: str, action: ContestAction, score: int
    ) -> None:
        pays = action.pays
        if action.returned:
            settling.write(seat, name, "returned", action.cite)
        elif action.paytable:
            keeps = False
            if action.keep_stake_reading:
                keeps = settling.answer(action.keep_stake_reading) == "kept"
            hit = self.columns[action.paytable].find(score)
            assert hit is not None  # a result with a paytable is reached by a hand that makes a row of it
            settling.pay(seat, name, hit, action.cite, prefix=action.prefix, keeps=keeps)
        elif pays and pays.unpaid:
            settling.write(seat, name, pays.unpaid, action.cite)
        else:
            settling.pay_odds(seat, name, action)

    def _pay_bonus(self, settling: RoundSettlement, seat: Seat, bonus: Bonus, score: int) -> None:
        hit = self.columns[bonus.paytable].find(score)
        if hit is None:
            return
        # Asked and noted only of hands that make a row: elsewhere it decides nothing.
        for reading in (bonus.reading, bonus.tie_reading if settling.margin(seat) == 0 else ""):
            if reading and settling.answer(reading) == "no":
                return
        if bonus.for_reading and settling.answer(bonus.for_reading) == "less_one":
            # "25 for 1" of a bonus without a stake, read as one less (P4).
            hit = hit._replace(payout=Payout(PayKind.TO, hit.payout.rate - 1))
        settling.pay_bonus(seat, bonus.line, seat.stakes[bonus.on], hit, bonus.cite)


def contest_tables(results: Mapping[str, ContestResult]) -> set[str]:
    """Return the paytables that the ends of a contest pay by."""
    tables: set[str] = set()
    for result in results.values():
        tables |= {action.paytable for action in result.actions.values()}
        tables |= {result.paytable, result.bonus.paytable if result.bonus else ""}
    return tables - {""}


def differs(settling: RoundSettlement, seat: Seat, other: Alternative, hit: MeterHit | None) -> bool:
    """Return whether a seat's cards would make another row under another reading."""
    # A declared hand has no cards to be read in another way.
    return settling.sees_cards and other.look.column.find(settling.look_at(seat, other.look)) != hit


class PostedStep:
    """An optional wager against a posted paytable."""

    def __init__(self, house: House, wager: Wager, settles: Settles) -> None:
        self.house = house
        self.wager = wager
        self.settles = settles
        self.look = house.look(wager)
        self.column = self.look.column
        bonus_card = wager.bonus_card
        self.bonus_column = house.column(bonus_card.paytable) if bonus_card else None

    def settle_folded(self, settling: RoundSettlement, seat: Seat) -> None:
        """Forfeit the wager, or settle it by the row that the cards make where a fold leaves it alive."""
        fold = self.wager.on_fold
        if fold and fold.reading:
            settling.note(fold.reading)
        if settling.is_alive(seat, self.wager):
            self.settle(settling, seat)
        else:
            settling.write(seat, self.wager.name, "forfeit", fold.cite if fold else "")

    def settle(self, settling: RoundSettlement, seat: Seat) -> None:
        """Settle the wager by the row that the cards make."""
        cite, score = self.settles.cite, settling.look_at(seat, self.look)
        hit, doubts = self.look.verdicts[score >> self.look.bits]
        for other in doubts:
            if differs(settling, seat, other, hit):
                settling.note(other.reading)
        if hit and self.bonus_column and self.wager.bonus_card and settling.has_bonus_card(seat, self.wager):
            # The bonus card changes the table and nothing of the hand (reading P11).
            hit, cite = self.bonus_column.find(score), self.wager.bonus_card.cite
        if hit is None:
            settling.write(seat, self.wager.name, "lose", cite)
        else:
            self.pay(settling, seat, hit, cite)

    def pay(self, settling: RoundSettlement, seat: Seat, hit: MeterHit, cite: str) -> None:
        """Pay a row; a share of a meter is taken from it at once, before the next seat is settled."""
        if hit.payout.kind is METER:
            amount = settling.draw(seat, self.wager.name, hit.payout)
            settling.pay_share(seat, self.wager.name, hit, cite, amount)
            return
        keeps = False
        if hit.payout.kind is FIXED and self.settles.keep_stake_reading:
            keeps = settling.answer(self.settles.keep_stake_reading) == "kept"
        settling.pay(seat, self.wager.name, hit, cite, keeps=keeps)


class EnvyStep:
    """A fixed sum for each other holder of a qualifying hand, due even on a lost progressive."""

    def __init__(self, house: House, wager: Wager, envy: EnvyOf) -> None:
        self.house = house
        self.wager = wager
        self.envy = envy
        units = house.chapter.envy[envy.paytable].by_unit
        self.looks = {unit: house.envy_look(envy.paytable, unit) for unit in units}

    def settle(self, settling: RoundSettlement, seat: Seat) -> None:
        """Pay the receiver for each other holder, in settle order."""
        # A stake that nobody could sense is of the unit that is offered.
        unit = seat.stakes[self.wager.name] or self.house.options.progressive_unit
        for envied in self._envied(settling, unit):
            # Another *player's* hand (x.12): that of the seat's own other box is a reading (E2).
            if envied.holder is not seat:
                self._pay(settling, seat, envied)

    def settle_folded(self, settling: RoundSettlement, seat: Seat) -> None:
        """Pay the receiver all the same: its own fold does not matter."""
        self.settle(settling, seat)

    def _envied(self, settling: RoundSettlement, unit: int) -> list[Envied]:
        """Return the hands that matter at this unit, found once a round: all receivers look at the same."""
        key = (self.wager.name, unit)
        found = settling.envied.get(key)
        if found is None:
            found = settling.envied[key] = list(self._look_round(settling, unit))
        return found

    def _look_round(self, settling: RoundSettlement, unit: int) -> Iterator[Envied]:
        look = self.looks[unit]
        for holder in settling.seats:
            if settling.is_on_table(holder) and not settling.counts_as_abandoned(holder):
                hit, doubts = look.verdicts[settling.look_at(holder, look) >> look.bits]
                asked = [each.reading for each in doubts if differs(settling, holder, each, hit)]
                # A hand that would qualify under another reading is looked
                # at too: the outcome has to name the reading.
                if hit or asked:
                    yield Envied(holder, hit, asked)

    def _pay(self, settling: RoundSettlement, seat: Seat, envied: Envied) -> None:
        holder, hit, doubts = envied
        entitled, asked = self._entitlement(settling, seat, holder)
        for reading in (*(asked if hit else ()), *(doubts if entitled else ())):
            settling.note(reading)
        if hit and entitled:
            settling.pay_bonus(seat, f"envy:seat{holder.number}", 0, hit, self.envy.cite)

    def _entitlement(
        self, settling: RoundSettlement, seat: Seat, holder: Seat
    ) -> tuple[bool, tuple[str, ...]]:
        """Return whether this hand gives the receiver a bonus, and the readings that were asked."""
        readings = self.house.readings
        # Whose hand it is comes before whether it was folded: where it gives nothing, the other reading
        # decides nothing.
        asked = (TWO_BOXES,) if holder.player == seat.player else ()
        if asked and readings[TWO_BOXES] == "no":
            return False, asked
        if not holder.folded:
            return True, asked
        answer = readings[FOLDED_HOLDER]
        on_table = any(settling.is_alive(holder, wager) for wager in self.house.chapter.wagers.values())
        entitled = answer == "always" or (answer == "cards_on_table" and on_table)
        return entitled, (*asked, FOLDED_HOLDER)


class LosingHandStep(PostedStep):
    """641a's Bad Beat Bonus: paid on the rank of whichever hand lost, if it ranks high enough."""

    def settle(self, settling: RoundSettlement, seat: Seat) -> None:
        """Pay the losing hand's row; a tie loses."""
        margin = settling.margin(seat)
        # Whichever hand lost: a winning two pair against a pair pays nothing (reading P16).
        losing = settling.score(seat) if margin < 0 else settling.dealer_score()
        hit = self.column.find(losing) if margin else None
        if hit is None:
            settling.write(seat, self.wager.name, "lose", self.settles.cite)
        else:
            settling.pay(seat, self.wager.name, hit, self.settles.cite)


class DrawnBonusStep(PostedStep):
    """641a's Five Card Hand Bonus on one hand, with what was drawn for it and the dealer's jackpot shared."""

    def __init__(self, house: House, wager: Wager, settles: Settles) -> None:
        super().__init__(house, wager, settles)
        self.extras = [(house.chapter.extras[name], DRAWN[name]) for name in wager.extras]
        self.on_own_hand = "own" in settles.cards

    def settle(self, settling: RoundSettlement, seat: Seat) -> None:
        """Settle the hand, then what the table game system drew."""
        PostedStep.settle(self, settling, seat)  # twice a seat: `super()` would be made each time
        for extra, is_drawn in self.extras:
            if is_drawn(self, settling, seat):
                self._pay_extra(settling, seat, extra)

    def pay(self, settling: RoundSettlement, seat: Seat, hit: MeterHit, cite: str) -> None:
        """Pay a row; a share of the meter on the dealer's hand is divided among all who wagered on it."""
        if not self.settles.shared or hit.payout.kind is not METER:
            super().pay(settling, seat, hit, cite)
            return
        share = settling.shares.get(self.wager.name)
        # Drawn for all sharers at once: drawn for one after the other, each would divide what is left.
        if share is None:
            players = sum(
                settling.is_alive(other, self.wager) and not settling.counts_as_abandoned(other)
                for other in settling.seats
            )
            share = settling.shares[self.wager.name] = settling.draw(
                seat, self.wager.name, hit.payout, players
            )
        settling.pay_share(seat, self.wager.name, hit, cite, share)

    def _pay_extra(self, settling: RoundSettlement, seat: Seat, extra: Extra) -> None:
        hit = MeterHit(extra.name, extra.title, extra.pays)
        stake = seat.stakes[self.wager.name]
        settling.pay_bonus(seat, f"{self.wager.name}:{extra.name}", stake, hit, extra.cite)

    def has_magic_card(self, settling: RoundSettlement, seat: Seat) -> bool:
        """Return whether the drawn card is among the cards of the wager's hand."""
        return settling.round.magic_card is not None and settling.has_magic_card(seat, self.wager)

    def is_lucky(self, settling: RoundSettlement, seat: Seat) -> bool:
        """Return whether the drawn position is that of the wager's hand."""
        return settling.round.lucky == (seat.number if self.on_own_hand else "dealer")


# The extras of a wager, each with how it is seen that it was drawn: a chapter may name no other.
DRAWN = {"magic_card": DrawnBonusStep.has_magic_card, "lucky_bonus": DrawnBonusStep.is_lucky}


def step_for(house: House, wager: Wager, settles: Settles) -> SettlementStep:
    """Return the step that settles an optional wager."""
    if settles.kind == "losing_hand":
        return LosingHandStep(house, wager, settles)
    if wager.extras:
        return DrawnBonusStep(house, wager, settles)
    return PostedStep(house, wager, settles)
