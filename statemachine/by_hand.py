"""Rounds that people finish by hand, after the floor took them over: every stake has its line.

The floor enters how each stake that the table had not settled was settled: paid, taken or given back, and of
what was paid how much, digit by digit. What of the stake went back with it nobody says.

The table did not carry out the payment, but its meter paid it: the floor says which share was paid, to whom,
and the ledger has it under a cause of its own. What the round's lines had said already is paid as it stood
there; of a hand that no device read it is the share of the meter as it stands. Where the contributions went
back there was no progressive wager, and so no hit.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.rules.payouts import PayKind, Payout
from sabot.rules.round import Line, Stake
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.contest import Contest, SettlingProgress, carried_out, carried_spots
from sabot.statemachine.hits import Shares
from sabot.statemachine.labels import wager_words
from sabot.statemachine.law import Law
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.state.ledger import BY_HAND
from sabot.statemachine.state.parts import EntryState, TableClock, TableCrew
from sabot.statemachine.state.phases import CLEARING, Phase
from sabot.statemachine.state.round import Hit, Play
from sabot.statemachine.vocabulary.events import DIGITS, Key, Role
from sabot.statemachine.vocabulary.fault_kinds import POLICY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAIN = "main"
# Stands in a line of the record in place of what decided it.
SETTLED = "settled by hand"

# ---------------------------------------------------------------- every stake

RESULTS: "Mapping[str, str]" = {"paid": "win", "taken": "lose", "back": "returned"}
REST, TAKEN, GIVEN_BACK = "rest", "taken", "back"


def _hows(spots: "Iterable[tuple[int, str]]") -> list[str]:
    return [f"{seat} {wager} {how}" for seat, wager in spots for how in RESULTS]


def _line(seat: int, wager: str, stake: "Stake", how: str) -> Line:
    """Return the line of a stake: what was taken or went back is known, for what was paid a sum is asked."""
    if stake is None or how not in (TAKEN, GIVEN_BACK):
        return Line(seat, wager, stake, RESULTS[how], None, None, None, POLICY, text=SETTLED)
    back = stake if how == GIVEN_BACK else 0
    return Line(seat, wager, stake, RESULTS[how], 0, back, None, POLICY, text=SETTLED)


# ---------------------------------------------------------------- how much was paid

# A bound of what can be keyed in: no further digit once the sum has come to this.
MOST_CENTS = 10**10


def _has_no_sum(line: Line) -> bool:
    return line.result == RESULTS["paid"] and line.paid is None


@dataclass(slots=True, eq=False, repr=False)
class ByHand:
    """Take down how people finished a round by hand."""

    law: Law
    contest: Contest
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    play: Play
    linked_hits: LinkedHits
    progress: SettlingProgress
    shares: Shares

    def frozen_hits(self) -> list[Hit]:
        """Return the hits on a meter among the lines that were not carried out yet."""
        paid = carried_spots(self.play.current)
        return [
            Hit(line.seat, line.wager, line.row or "", self.shares.hit_cents(line), needs_documents=True)
            for line in self.play.current.lines
            if (line.seat, line.wager) not in paid and self.shares.share_payout(line) is not None
        ]

    def _rows(self, wager: str) -> dict[str, Payout]:
        """Return the rows of a wager that are paid from a meter."""
        settles = self.law.chapter.wagers[wager].settles
        if settles is None:
            return {}
        hits = self.law.house.column(settles.paytable).hits
        return {row: hit.payout for row, hit in hits.items() if hit.payout.kind is PayKind.METER}

    def hits_by_hand(self) -> list[str]:
        """Return the hits that may have been paid by hand: of seats not settled, each wager once."""
        round_ = self.play.current
        if not round_.by_hand or round_.gave_back:
            return []
        done = {(hit.seat, hit.wager) for hit in round_.hits}
        done |= carried_spots(round_)
        # A stake that was taken or went back was no hit.
        done |= {(line.seat, line.wager) for line in round_.lines if line.result != "win"}
        return [
            f"{seat} {wager} {row}"
            # In settle order, from the dealer's right: each share is of the meter as it stands at that turn.
            for seat, bets in sorted(round_.bets.items(), reverse=True)
            for wager in bets
            if (seat, wager) not in done
            for row in self._rows(wager)
        ]

    def hit_words(self, value: str) -> str:
        """Return seat, wager, and the meter's level or the part of it that is paid."""
        seat, wager, row = value.split()
        payout = self._rows(wager)[row]
        share = payout.level.upper() if payout.level != MAIN else f"{payout.rate * 100}%"
        return f"S{seat} {wager_words(wager, self.law.chapter)} {share}"

    def hit_by_hand(self, value: str) -> None:
        """Take the floor's word that a hit was paid by hand: the amount leaves the meter now."""
        seat_text, wager, row = value.split()
        seat, payout, by = int(seat_text), self._rows(wager)[row], self.crew.person(Role.FLOOR)
        # What was announced is what was paid, whatever the meter shows by now.
        known = {(hit.seat, hit.wager, hit.row): hit.cents for hit in self.play.current.frozen}
        if wager in self.law.links:
            cents = self.linked_hits.leave((seat, wager), row, by)
        else:
            cents = known.get((seat, wager, row), self.shares.share_of(wager, payout))
        self.shares.draw_cents((seat, wager), payout, cents, BY_HAND)
        self.play.current.look_at(Hit(seat, wager, row, cents, needs_documents=True, validated_by=by))
        stake = self.contest.stakes(seat)[wager]
        paid = cents or None  # of a linked meter it may not be heard yet
        self._put(Line(seat, wager, stake, "win", paid, 0, row, self.law.cite("11(c)(5)(iii)"), text=BY_HAND))
        words = f"seat {seat} {wager}: {row} of {cents} cents paid by hand"
        self.play.current.note(self.clock.now, words, self.law.cite("11(c)(5)(iii)"), by)

    def settled_lines(self) -> list[Line]:
        """Return the lines that the table had carried out, collected folds among them (x.11(c))."""
        round_ = self.play.current
        lines, spots = carried_out(round_), carried_spots(round_)
        for seat in () if self.contest.is_void else round_.collected:
            # In the tray before anybody took over: nobody enters it once more.
            for name, stake, cite in self.progress.forfeited(seat):
                none = None if stake is None else 0
                line = Line(seat, name, stake, "forfeit", none, none, None, cite)
                lines += [] if (seat, name) in spots else [line]
        return lines

    def _stakes(self) -> "dict[tuple[int, str], Stake]":
        """Return the stakes that the table had not settled, but for those of hits that were paid."""
        round_ = self.play.current
        done = {(line.seat, line.wager) for line in self.settled_lines()}
        done |= {(hit.seat, hit.wager) for hit in round_.hits}
        seats = {seat: self.contest.stakes(seat) for seat in sorted(round_.bets)}
        stakes = {(seat, wager): cents for seat, bets in seats.items() for wager, cents in bets.items()}
        return {spot: cents for spot, cents in stakes.items() if spot not in done}

    def open_stakes(self) -> "dict[tuple[int, str], Stake]":
        """Return the stakes of a round taken over that have no line yet."""
        if not self.play.current.by_hand:
            return {}
        lines = {(line.seat, line.wager) for line in self.play.current.lines}
        return {spot: cents for spot, cents in self._stakes().items() if spot not in lines}

    def entries_by_hand(self) -> list[str]:
        """Return the ways to have settled each stake, those without a line first, or all that are left."""
        if not self.play.current.by_hand:
            return []
        still = self.open_stakes()
        # Not PAID: of what was paid a sum is wanted, stake by stake.
        rest = [f"{REST} {how}" for how in (TAKEN, GIVEN_BACK)] if still else []
        done = [spot for spot in self._stakes() if spot not in still]
        return [*_hows(still), *rest, *_hows(done)]

    def entry_words(self, value: str) -> str:
        """Return seat, wager and result as a list shows them."""
        seat, _, how = value.rpartition(" ")
        if seat == REST:
            return value.upper()
        number, wager = seat.split()
        return f"S{number} {wager_words(wager, self.law.chapter)} {how.upper()}"

    def settled_by_hand(self, value: str) -> None:
        """Take the floor's word how people settled a stake, or all that are left."""
        what, _, how = value.rpartition(" ")
        if what == REST:
            spots = self.open_stakes()
        else:
            seat, wager = what.split()
            spots = {(int(seat), wager): self.contest.stakes(int(seat))[wager]}
        for (seat_no, name), cents in spots.items():
            line = _line(seat_no, name, cents, how)
            self._put(line)
            self._note(line, f"{how} by hand")

    def unpriced(self) -> Line | None:
        """Return the line of a stake that was paid by hand, and whose sum nobody has said yet."""
        lines = self.play.current.lines if self.play.current.by_hand else []
        return next((line for line in lines if line.text == SETTLED and _has_no_sum(line)), None)

    def takes_digits(self) -> bool:
        """Return whether the keys are the digits of a sum: one is wanted, and the floor is there."""
        is_clearing = self.play.phase is CLEARING and Role.FLOOR.value in self.crew.unlocked
        return is_clearing and self.unpriced() is not None

    def amount_key(self, key: Key) -> None:
        """Take a digit; OK enters the sum, BACK takes a digit off, or the entry back where there is none."""
        number = self.entry.pending.number
        if key is Key.OK:
            self._price(number or 0)
        elif key is Key.BACK and number is not None:
            self.entry.pending.count_to(number // 10 or None)
        elif key is Key.BACK:
            self._take_back()
        elif (number or 0) >= MOST_CENTS:
            raise Refused("no sum has more digits")
        else:
            self.entry.pending.count_to((number or 0) * 10 + int(DIGITS[key]))

    def _price(self, cents: int) -> None:
        if not cents:
            raise Refused("how much was paid?")
        line = self.unpriced()
        assert line is not None  # the keys are digits only where one is
        self._put(line._replace(paid=cents))
        self._note(line, f"{cents} cents paid by hand")
        self.entry.clear_pending()

    def _take_back(self) -> None:
        """Take back an entry without a sum: nothing was paid, and the stake has no line again."""
        line = self.unpriced()
        assert line is not None  # the keys are digits only where one is
        self.play.current.put_lines([each for each in self.play.current.lines if each is not line])
        self._note(line, "paid by hand taken back")

    def _note(self, line: Line, what: str) -> None:
        self.play.current.note(
            self.clock.now, f"seat {line.seat} {line.wager}: {what}", POLICY, self.crew.person(Role.FLOOR)
        )

    def _put(self, line: Line) -> None:
        """Put a line in the place of one that was entered before."""
        # One line a stake: the last word counts, the record has both as notes.
        kept = [each for each in self.play.current.lines if each[:2] != line[:2]]
        self.play.current.put_lines([*kept, line])


ACTIONS = (
    Action(
        "settled_by_hand",
        "SETTLED BY HAND",
        Role.FLOOR,
        phases(Phase.CLEARING),
        "-",
        ByHand.settled_by_hand,
        values=ByHand.entries_by_hand,
        say=ByHand.entry_words,
        while_held=True,
    ),
    Action(
        "hit_by_hand",
        "HIT PAID BY HAND",
        Role.FLOOR,
        phases(Phase.CLEARING),
        "11(c)(5)(iii)",
        ByHand.hit_by_hand,
        values=ByHand.hits_by_hand,
        say=ByHand.hit_words,
        while_held=True,
    ),
)
