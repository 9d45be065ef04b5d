"""The lines once the cards lie: answers, cards to turn, hands to declare, what to pay and take, clearing.

A dealer has two seconds for a seat that is settled. So only what lies on the felt or leaves the tray is told
in dollars: chips that were collected before the deal are not taken again, what a meter or an account pays is
said to be theirs, and what is left of a seat's wagers stays with the player. A hit waits for the floor when
what stands before it is paid, and has lines of its own then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sabot.rules.payouts import dollars
from sabot.statemachine import outcome
from sabot.statemachine.by_hand import ByHand
from sabot.statemachine.card_turning import Turned
from sabot.statemachine.chips import Answering
from sabot.statemachine.contest import Contest, LaidCards
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.hits import Shares
from sabot.statemachine.labels import (
    Lines,
    first_that_fits,
    question_words,
    row_words,
    sum_words,
    wager_words,
)
from sabot.statemachine.law import PROGRESSIVE, Law
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.outcome import LargePayments
from sabot.statemachine.settling import Due, Settling, Turn
from sabot.statemachine.state.parts import EntryState
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.stock import Stock

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager
    from sabot.rules.round import Line

TO_RACK = "CARDS TO RACK"

# ------------------------------------------------------------ a seat that is settled


def _pays(tray: "list[Line]") -> str:
    """Return what the tray pays; a stake of unknown value is paid by its odds."""
    # A wager that the pad could not value is settled as odds; a sum of the rest would leave it out.
    if any(line.paid is None for line in tray):
        return "PAY BY ODDS"
    paid = sum(line.paid or 0 for line in tray)
    return sum_words("PAY", paid) if paid else ""


def _credits(wins: "list[Line]") -> str:
    """Return the amount that the electronic wagering system pays to an account."""
    cents = sum(line.paid or 0 for line in wins)
    return sum_words("ACCOUNT", cents) if cents else ""


def _returns(lines: "list[Line]") -> str:
    return "RETURN WAGERS" if any(line.result in ("returned", "push") for line in lines) else ""


@dataclass(slots=True, eq=False, repr=False)
class SettlingWords:
    """Word what to pay and take at a seat."""

    law: Law
    settling: Settling
    shares: Shares
    # Lines worded ahead for what will be due, by the identity of each ``Due``; it is kept beside them, so
    # that no other value can come by its identity. And what they followed from: all that is due, and which
    # forfeits were collected.
    _ahead: dict[int, tuple[Due, Lines]] = field(init=False, default_factory=dict)
    _worded: Mapping[Turn, Due] | None = field(init=False, default=None)
    _collected: list[int] = field(init=False, default_factory=list)

    def prepare(self) -> None:
        """Word what will be due at each seat, but for what a meter pays: it may move yet."""
        due_ahead, collected = self.settling.ahead(), self.settling.play.current.collected
        if self._worded is due_ahead and self._collected == collected:
            return
        self._worded, self._collected = due_ahead, collected.copy()
        self._ahead = {
            id(due): (due, self._words(seat, due))
            for (seat, *_), due in due_ahead.items()
            if not any(line.paid is None and self.settling.is_share(line) for line in due.now)
        }

    def settling_lines(self) -> Lines:
        """Return the lines for the seat that is settled now, up to a hit that waits for the floor."""
        seat, due = self.settling.current_seat(), self.settling.due()
        kept = self._ahead.get(id(due))
        if kept is not None and self._collected == self.settling.play.current.collected:
            return kept[1]
        return self._words(seat, due)

    def _words(self, seat: int, due: Due) -> Lines:
        now, awaited = due
        has_folds = bool(self.settling.play.current.collected)
        lines = [line for line in now if not self.settling.is_collected(line)] if has_folds else now
        idle = "HIT: OK, CALL FLOOR" if awaited else "NOTHING LEFT"
        todo = [words for words in self._moves(lines) if words] or [idle]
        cite = lines[0].cite if lines else self.law.cite("11(c)")
        # One line says who, the other what; with two moves the seat shares a line with the first.
        if len(todo) == 1:
            return f"SEAT {seat}", todo[0], cite
        return first_that_fits(f"SEAT {seat} {todo[0]}", f"S{seat} {todo[0]}", todo[0]), todo[1], cite

    def _moves(self, lines: "list[Line]") -> tuple[str, ...]:
        """Return the words for what is paid and taken, in the order that fills two lines."""
        by_meter: list[Line] = []
        by_account: list[Line] = []
        tray: list[Line] = []
        for line in lines:
            if line.result == "win":
                self._paid_from(line, by_meter, by_account, tray).append(line)
        return (
            _pays(tray),
            self._takes(lines),
            self._meter_pays(by_meter),
            _credits(by_account),
            _returns(lines),
        )

    def _paid_from(
        self, line: "Line", by_meter: "list[Line]", by_account: "list[Line]", tray: "list[Line]"
    ) -> "list[Line]":
        if self.settling.is_share(line):
            return by_meter
        return by_account if self.settling.is_on_account(line) else tray

    def _takes(self, lines: "list[Line]") -> str:
        """Return the words for what is taken from the felt; progressive chips were collected before."""
        lost = [line for line in lines if line.result in ("lose", "forfeit") and self._is_felt(line)]
        if any(line.stake is None for line in lost):
            return "TAKE LOST WAGERS"
        taken = sum(line.stake or 0 for line in lost)
        return sum_words("TAKE", taken) if taken else ""

    def _is_felt(self, line: "Line") -> bool:
        return line.wager.partition(":")[0] in self.law.felt_wagers

    def _meter_pays(self, hits: "list[Line]") -> str:
        """Return the words for hits that are paid by a meter and not from the tray."""
        return sum_words("METER", sum(self.shares.hit_cents(line) for line in hits)) if hits else ""


# ------------------------------------------------------------ the steps of it all


def _choices(wager: "Wager") -> str:
    """Return the answers of a player."""
    times = wager.times
    assert times is not None  # a second wager has multiples
    most = f"-{times.most}X" if times.most > times.least else ""
    return f"{times.least}X{most} OR FOLD"


@dataclass(slots=True, eq=False, repr=False)
class AfterDealPrompts:
    """Word the steps from the first answer to the cards in the rack."""

    law: Law
    contest: Contest
    entry: EntryState
    stock: Stock
    play: Play
    answering: Answering
    by_hand: ByHand
    cards: LaidCards
    declaring: Declaring
    large: LargePayments
    linked_hits: LinkedHits
    settling: Settling
    turned: Turned
    settling_words: SettlingWords

    def deciding_lines(self) -> Lines:
        """Return the lines of the seat that is asked; chips and key side by side where they differ."""
        pending, seat, cite = self.entry.pending, self.play.current.asking, self.law.cite("11(b)")
        wager, number = self.law.chapter.wagers[self.answering.second_wager()], self.answering.amount()
        unknown = f"{pending.choice}X" if pending.choice else "PRESENT"
        shown = unknown if number is None else sum_words("", number)
        if self.answering.differs() and not pending.counts:
            # Side by side, each with the key at its end that chooses it.
            felt, keyed = sum_words("FELT", pending.felt or 0), sum_words("KEYED", pending.number or 0)
            return (
                first_that_fits(f"S{seat} {felt} <", f"{felt} <", felt),
                first_that_fits(f"{keyed} >", keyed),
                cite,
            )
        if pending.fold:
            answer = "FOLD? CHIPS GO BACK" if self.answering.has_chips() else "FOLD?"
        elif pending.counts:
            answer = first_that_fits(f"{shown} {pending.counts.upper()}, OK", shown)
        else:
            answer = shown if pending.choice or self.answering.has_chips() else _choices(wager)
        return f"SEAT {seat}: {wager.title.upper()}", answer, cite

    def turning_lines(self) -> Lines:
        """Word the next card to turn, and what folds forfeited, which is collected before it (x.11(c))."""
        # 641a.12(g)(3): no hand is settled before the draw is open.
        if self.play.current.sealed:
            return "WAIT FOR THE DRAW", "GAME SYSTEM OPENS IT", self.law.cite("12(g)(3)")
        community, second = self.law.chapter.hands.places.get("community", 0), self._forfeits()
        if self.play.current.turned < community:
            return f"TURN COMMUNITY {self.play.current.turned + 1}", second, self.law.cite("11(b)")
        # The contest is void, and no wager that stands is settled by the dealer's hand.
        if not self.turned.dealer_turned():
            return "DEALER NOT TURNED", "OPTIONAL WAGERS, OK", self.law.cite("13(d)")
        return "REVEAL DEALER", second, self.law.cite("11(c)")

    def _forfeits(self) -> str:
        """Word what comes before a card is turned: folds to the rack, or forfeits alone where cards stay."""
        round_ = self.play.current
        folds = (
            [] if self.contest.is_void else [each for each in round_.folded if each not in round_.collected]
        )
        if all(map(self.cards.has_cards_left, folds)):
            return "FORFEITS TAKEN? OK" if folds else "THEN OK"
        return "FOLDS IN RACK? OK"

    def declaring_lines(self) -> Lines:
        """Word the question and the row under the cursor; it opens on a line that is no answer."""
        question = self.declaring.open_question()
        row = self.declaring.chosen_row(question)
        second = (
            row_words(question.key, row)
            if row
            else "CHOOSE < >, THEN OK"
            if question.rows
            else "TAKE BACK: BACK"
        )
        return question_words(question.key, question.seat, self.law.chapter), second, self.law.cite("11(c)")

    def validating_lines(self) -> Lines:
        """Word what the floor validates."""
        line = self.settling.due().awaited[0]
        if not self.large.is_on_device(line):
            return outcome.payment_words(line), "FLOOR: VALIDATE HIT", line.cite
        if self.linked_hits.does_wait():
            return self.linked_hits.waiting_lines(line)
        wager = self.law.chapter.wagers[line.wager]
        light = " LIGHT ON?" if wager.device == PROGRESSIVE else ""
        return f"HIT SEAT {line.seat}{light}", "FLOOR: VALIDATE HIT", line.cite

    def clearing_lines(self) -> Lines:
        """Return the lines of clearing: the floor enters what people settled by hand before the cards go."""
        round_ = self.play.current
        # A deck that has left is not shuffled again.
        if round_.void and round_.deck not in self.stock.decks:
            return "DECK OFF THE TABLE", "ALL CARDS, THEN OK", round_.void
        if round_.void:
            # The cards that the shoe did not deal are reshuffled with those it did (x.13(f)).
            is_machine = round_.irregularity == "shoe_jam"
            return TO_RACK, "OUT OF SHOE TOO, OK" if is_machine else "THEN RESHUFFLE, OK", round_.void
        if self.by_hand.unpriced() is not None:
            return self._how_much()
        still = len(self.by_hand.open_stakes())
        if still:
            return f"{still} STAKE{'S' * (still > 1)} BY HAND", "FLOOR: SETTLED HOW?", self.law.cite("-")
        # Asked, not demanded: whether a meter paid anything by hand only people know.
        if self.by_hand.hits_by_hand():
            return "HIT PAID? CALL FLOOR", "CARDS TO RACK, OK", self.law.cite("11(d)")
        return TO_RACK, "IN ORDER, THEN OK", self.law.cite("11(d)")

    def _how_much(self) -> Lines:
        """Word the sum that the floor enters, in cents, for a stake that was paid by hand."""
        line, number = self.by_hand.unpriced(), self.entry.pending.number
        assert line is not None  # the caller looked
        words = f"S{line.seat} {wager_words(line.wager, self.law.chapter)}"
        if not self.by_hand.takes_digits():
            second = "FLOOR: HOW MUCH?"
        else:
            second = "DIGITS IN CENTS, OK" if number is None else f"{dollars(number)}, OK"
        return first_that_fits(f"{words} PAID", words), second, self.law.cite("-")

    def returning_lines(self) -> Lines:
        """Word a void: all stakes go back, and what was paid before comes back, one by one."""
        cite, paid = self.play.current.void or self.law.cite("13"), self.play.current.take_back
        if not paid:
            return "VOID: RETURN ALL", "WAGERS, THEN OK", cite
        at = self.entry.pending.choice % len(paid)
        each = paid[at]
        words = f"S{each.seat} {wager_words(each.wager, self.law.chapter)}"
        if each.cents is not None:
            in_short = f"S{each.seat} {dollars(each.cents)}"
            words = first_that_fits(f"{words} {dollars(each.cents)}", in_short, words)
        return f"TAKE BACK {at + 1}/{len(paid)} < >", words, cite


AFTER_DEAL: Mapping[Phase, Callable[[AfterDealPrompts], Lines]] = {
    Phase.DECIDING: AfterDealPrompts.deciding_lines,
    Phase.TURNING: AfterDealPrompts.turning_lines,
    Phase.DECLARING: AfterDealPrompts.declaring_lines,
    Phase.SETTLING: lambda prompts: prompts.settling_words.settling_lines(),
    Phase.VALIDATING: AfterDealPrompts.validating_lines,
    Phase.DOCUMENTS: lambda prompts: ("HIT HANDS STAY", "FLOOR: DOCUMENTS", prompts.law.cite("11(c)(5)(iv)")),
    Phase.CLEARING: AfterDealPrompts.clearing_lines,
    Phase.RETURNING: AfterDealPrompts.returning_lines,
}
