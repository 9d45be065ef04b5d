"""Decisions: each player with an Ante is asked in turn, and cards are turned (x.11).

A decision is entered (``chips.Answering``) and stands when OK confirms it. BACK takes back what is not yet
confirmed, or the last confirmed answer until the next step is confirmed. In Cajun Stud the
players are asked three times, with a community card after each.
"""

# Theory of operation. ``asking`` is the seat that is asked, ``street`` how often players were asked before. A
# seat has answered on a street when it has more raises than that, or has folded or left. So who is asked next
# is not kept but found, and a seat whose answer is taken back is asked again in its turn. A fold stands once
# its forfeits were collected.

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.chips import Answering
from sabot.statemachine.contest import Contest, SettlingProgress
from sabot.statemachine.irregular import Irregularities
from sabot.statemachine.labels import seat_words
from sabot.statemachine.law import Law
from sabot.statemachine.settling import Settling
from sabot.statemachine.state.parts import EntryState, TableClock
from sabot.statemachine.state.phases import DECIDING, TURNING, Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.vocabulary.events import Key, Role
from sabot.statemachine.voiding import TakingBack

if TYPE_CHECKING:
    from collections.abc import Iterable

# ---------------------------------------------------------------- who is there (x.7(b))

HERE = "is here"
AFTER_REVEAL = (Phase.DECLARING, Phase.SETTLING, Phase.VALIDATING)


def seats_in(value: str) -> list[int]:
    """Return the seats of an entry."""
    return [int(seat) for seat in value.split("+")]


P = Phase
BEFORE_REVEAL = (P.COUNTING_CHIPS, P.CHIP_MISMATCH, P.DEALING, P.STUB, P.DECIDING, P.TURNING)


@dataclass(slots=True, eq=False, repr=False)
class Deciding:
    """Ask each player with an Ante in turn."""

    law: Law
    phases: Phases
    contest: Contest
    clock: TableClock
    entry: EntryState
    play: Play
    answering: Answering
    irregularities: Irregularities
    progress: SettlingProgress
    settling: Settling
    undo: TakingBack

    # ---------------------------------------------------------------- asking

    def streets(self) -> int:
        """Return how many times players are asked."""
        return len(self.law.chapter.contest.wagers) - 1

    def answered(self, seat: int) -> bool:
        """Return whether a seat has answered on this street (or is out)."""
        round_ = self.play.current
        out = seat in round_.folded or seat in round_.left
        return out or len(round_.raises.get(seat, ())) > round_.street

    def verify_decision(self, _value: str) -> None:
        """Raise where the answer that was entered may not be confirmed."""
        self.answering.verify()

    def decide(self, _value: str) -> None:
        """Confirm the answer of the seat that was asked, and ask the next."""
        round_ = self.play.current
        if self.entry.pending.fold:
            # Chips of an answer that was never confirmed are no wager (x.11(b)).
            self.answering.return_chips("fold")
            round_.folded.append(round_.asking)
        else:
            self.answering.note_entry()
            round_.answer(round_.asking, self.answering.amount())
        self.ask_next()

    def ask_next(self) -> None:
        """Ask the next seat that has not answered; when all have, go on to turning cards."""
        self.entry.clear_pending()
        round_ = self.play.current
        seat = self._not_answered()
        round_.ask(seat)
        if not seat:
            self.phases.reveal()

    def _not_answered(self) -> int:
        """Return the first seat from the dealer's left whose answer is wanted (0: none)."""
        return next((seat for seat in self.contest.players_to_ask() if not self.answered(seat)), 0)

    def take_back(self) -> None:
        """Clear what is keyed, else reopen the last answer, as BACK does until the next step is confirmed."""
        round_ = self.play.current
        if self.answering.is_keyed():
            self.answering.clear_key()
            return
        seat = round_.last_asked
        # Once a card was seen behind the raises only the floor opens a decision again (682a.13(d)).
        if str(seat) not in self.may_reopen() or round_.exposed:
            raise Refused(CONFIRMED)
        self.reopen(seat, round_.dealer)
        round_.close_answers()

    def may_reopen(self) -> list[str]:
        """Return the seats that have answered on this street and are still there."""
        if self.contest.is_void:
            return []
        return [str(seat) for seat in self.contest.players_to_ask() if self._answered_now(seat)]

    def _answered_now(self, seat: int) -> bool:
        """Return whether a seat has answered on this street, so that its answer may be taken back."""
        # A fold of an earlier street was collected: it stands.
        if seat in self.play.current.folded:
            return seat not in self.play.current.collected
        return len(self.play.current.raises.get(seat, ())) > self.play.current.street

    def reopen(self, seat: int, by: str) -> None:
        """Take back a seat's last answer and ask it again, in its turn; both stay in the record."""
        round_ = self.play.current
        if seat in round_.folded:
            round_.folded.remove(seat)
            words = "fold"
        else:
            words = f"{self.answering.second_wager()} {round_.take_answer(seat)}"
        round_.note(self.clock.now, f"seat {seat} {words} taken back", self.law.cite("11(b)"), by)
        if self.play.phase is TURNING:
            self.phases.ask()
        first = self._not_answered()
        if first != round_.asking:  # what the seat that stays asked has entered stands
            self.entry.clear_pending()
            round_.turn_to(first)
        self._meet_again()

    def _meet_again(self) -> None:
        """Judge an exposed card anew: with a decision open again it was seen before the raises (x.13(d))."""
        kind = self.play.current.take_exposed()
        if kind:
            self.irregularities.irregular(kind, reopened=True)

    def boxes_of(self, seats: "Iterable[int]") -> list[str]:
        """Return seats as players have them: the boxes of one player are one entry, such as 2+3."""
        players: dict[str, list[str]] = {}
        for seat in sorted(seats):
            players.setdefault(self.play.current.players[seat], []).append(str(seat))
        return ["+".join(boxes) for boxes in players.values()]

    def boxes_words(self, value: str) -> str:
        """Return the words for a seat to choose, or for the boxes of one player."""
        return f"SEATS {value}" if "+" in value else seat_words(value)

    def _unsettled(self) -> list[int]:
        round_ = self.play.current
        closed = round_.order[: round_.settled]
        return [seat for seat in round_.bets if seat not in closed]

    def may_come_back(self) -> list[str]:
        """Return the players who were said to have left, and whose turn has not passed since."""
        round_, is_revealed = self.play.current, self.play.phase in AFTER_REVEAL
        if not round_.left and not round_.kept_for:
            return []
        there = [
            seat
            for seat in self._unsettled()
            if seat in round_.kept_for
            or (
                seat in round_.left
                # Once cards are turned nobody is asked any more: then every street must have its answer.
                and (self.answered_to(seat, round_.street + is_revealed) or self._has_no_say(seat))
            )
        ]
        return [f"{boxes} {HERE}" for boxes in self.boxes_of(there)]

    def answered_to(self, seat: int, street: int) -> bool:
        """Return whether a seat has answered on every street before this one (or is out)."""
        return seat in self.play.current.folded or len(self.play.current.raises.get(seat, ())) >= street

    def _has_no_say(self, seat: int) -> bool:
        """Return whether a seat is not asked at all: it has no Ante, or the contest is void."""
        return self.law.chapter.contest.opening not in self.play.current.bets[seat] or self.contest.is_void

    def come_back(self, value: str, by: str) -> None:
        """Have a player back who did not leave after all, asked in turn if an answer is still wanted."""
        round_, seats = self.play.current, seats_in(value)
        for seat in seats:
            (round_.left if seat in round_.left else round_.kept_for).remove(seat)
            round_.note(self.clock.now, f"seat {seat} left the table: taken back", self.law.cite("7(b)"), by)
        asks = any(seat in self.contest.players_to_ask() and not self.answered(seat) for seat in seats)
        # After the reveal nobody is asked any more: only the outcome is decided anew.
        if self.play.phase in AFTER_REVEAL:
            self.settling.settle_again()
        elif asks and not self.contest.is_void and self.play.phase in (Phase.TURNING, Phase.DECIDING):
            if self.play.phase is TURNING:
                self.phases.ask()
            self.ask_next()
            self._meet_again()

    def player_left(self, value: str) -> None:
        """Take a player as gone, with all boxes: the house treats the wagers as losing (x.7(b)).

        But not a box whose settlement has begun: its cards have decided it, and a hit of it may be announced.
        What it wins is kept for the player (reading F13).
        """
        self.undo.remember(f"seat {value} left")
        seats = self._abandoned(seats_in(value))
        if self.play.current.asking in seats:  # while the seat is still asked: the answer was never confirmed
            self.answering.return_chips("left the table")
        self.play.current.left += seats
        for seat in seats:
            self.play.current.note(self.clock.now, f"seat {seat} left the table", self.law.cite("7(b)"))
        if self.play.phase is DECIDING and self.play.current.asking in seats:
            self.ask_next()
        elif self.play.phase in AFTER_REVEAL:
            self.settling.settle_again()

    def _abandoned(self, boxes: list[int]) -> list[int]:
        """Return the boxes that a player who leaves abandons; keep one that is being settled."""
        kept = [seat for seat in boxes if self.progress.is_being_settled(seat)]
        self.play.current.kept_for += kept
        for seat in kept:
            words = f"seat {seat}: the player left while it was settled, what it wins is kept for the player"
            self.play.current.note(self.clock.now, words, self.law.cite("7(b)"))
        return [seat for seat in boxes if seat not in kept]

    def seated(self) -> list[str]:
        """Return the players still there, until all their boxes are settled."""
        gone = {*self.play.current.left, *self.play.current.kept_for}
        return self.boxes_of(seat for seat in self._unsettled() if seat not in gone)


ACTIONS = (
    Action(
        "decide",
        "ANSWER",
        Role.DEALER,
        phases(P.DECIDING),
        "11(b)",
        Deciding.decide,
        Deciding.verify_decision,
        key=Key.OK,
    ),
    Action(
        "player_left",
        "PLAYER LEFT",
        Role.DEALER,
        phases(*BEFORE_REVEAL, *AFTER_REVEAL),
        "7(b)",
        Deciding.player_left,
        values=Deciding.seated,
        say=Deciding.boxes_words,
    ),
)
