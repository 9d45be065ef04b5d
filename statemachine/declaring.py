"""Declaring hands where no device sees the cards (x.11(c)).

The dealer's hand first, then seat by seat, each once and as a class; ``reveal_questions`` works out what is
still open.
A question opens on a line that is no answer, so that OK alone says nothing. The words stand in the record as
declared.
"""

# Theory of operation. Nothing of a declaration is kept but its words: which question is open, what follows
# from the words, and whether all is said is worked out from them each time. When no question is open the
# round is settled by them. A word that is taken back undoes the settlement as far as it was not carried out.
# What was paid stays, and where the new words would have it otherwise people look at it.

from dataclasses import dataclass

from sabot.rules.rankings import HIGH
from sabot.rules.settlement import Declared, DeclaredSeat
from sabot.rules.settlement.declared import TIES, YES
from sabot.statemachine import reveal_questions
from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.contest import DEALER, LaidCards, begun, carried_out, carried_spots
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.hits import Hits
from sabot.statemachine.law import Law
from sabot.statemachine.outcome import Settlements
from sabot.statemachine.reveal_questions import (
    EVERYBODY,
    HAND,
    NO_ROW,
    TOO_LOW,
    WINS,
    Inquiry,
    Question,
    RevealQuestions,
)
from sabot.statemachine.state.parts import EntryState, TableClock
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.vocabulary.events import Key, Role

# Keys that go straight to one of the first rows; FOLD goes to the last.
SHORT_CUTS = {Key.ONE: 1, Key.TWO: 2, Key.THREE: 3}


def _named(question: Question, at: int) -> str:
    """Return a row by its question and its name, empty at the line that is no answer."""
    return f"{question.seat} {question.key} {question.rows[at - 1]}" if at else ""


def _cannot_be(row: str, why: str) -> str:
    return f"{row.replace('_', ' ')} cannot be: {why}"


def _declared_seat(inquiry: Inquiry, seat: int) -> DeclaredSeat:
    """Return the dealer's words about a seat: its rows, those of shared cards, and who wins."""
    rows = {
        key: row for (who, key), row in inquiry.rows.items() if who in (seat, EVERYBODY) and row != NO_ROW
    }
    hand = inquiry.row(seat, HAND)
    wins = inquiry.row(seat, WINS)
    # Nobody was asked who is higher: the classes differ, so they say it.
    if inquiry.room.law.chapter.contest.against_dealer and not wins:
        ahead = reveal_questions.level(inquiry, seat) - reveal_questions.level(inquiry, EVERYBODY)
        wins = YES if ahead > 0 else NO_ROW
    return DeclaredSeat(HIGH if hand == NO_ROW else hand, wins == YES, wins == TIES, rows)


def _who(seat: int, key: str) -> str:
    """Return the hand that a word is about, as the floor's list names it."""
    return str(seat) if seat else DEALER if key == DEALER else SHARED


SHARED = "shared cards"


@dataclass(slots=True, eq=False, repr=False)
class Declaring:
    """Take hands as they are declared."""

    law: Law
    phases: Phases
    clock: TableClock
    entry: EntryState
    play: Play
    asking: RevealQuestions
    cards: LaidCards
    faults: FaultLatch
    hits: Hits
    settlements: Settlements

    def begin_declaring(self) -> None:
        """Ask the first question, or settle where what was read leaves none."""
        self.entry.clear_pending()
        self.go_on()

    def open_question(self) -> Question:
        """Return the question that is open now."""
        question = self.asking.inquire().open
        assert question is not None  # asked only while hands are declared
        return question

    def chosen_row(self, question: Question) -> str:
        """Return the row under the cursor, empty at the line that is no answer, where each question opens."""
        at = self._cursor(question)
        return question.rows[at - 1] if at else ""

    def _cursor(self, question: Question) -> int:
        """Return the line of the cursor, 0 if the row that it was moved to is gone."""
        pending, rows = self.entry.pending, question.rows
        # The row by its name: where a player left, another one may stand in that line.
        is_there = 0 < pending.choice <= len(rows) and pending.row == _named(question, pending.choice)
        return pending.choice if is_there else 0

    def verify_declare(self, value: str) -> None:
        """Raise unless a row is chosen that can be."""
        self._row_of(self.open_question(), value)

    def _row_of(self, question: Question, value: str) -> str:
        """Return the row that is named or under the cursor, or raise why it may not be chosen."""
        # Before the rows are looked at: a word that was left out is refused with its own reason.
        if value in question.left_out:
            raise Refused(_cannot_be(value, question.left_out[value]))
        if not question.rows:
            raise Refused(reveal_questions.NOTHING_LEFT)
        row = value or self.chosen_row(question)
        if row not in question.rows:
            raise Refused("choose a row first")
        return row

    def declare(self, value: str) -> None:
        """Take the chosen row and go to the next question."""
        round_, question = self.play.current, self.open_question()
        row = value or self.chosen_row(question)
        self.entry.clear_pending()
        round_.say(f"{question.seat} {question.key}")
        round_.declared.setdefault(question.seat, {})[question.key] = row
        self.go_on()

    def go_on(self) -> None:
        """Ask what is not said yet; when all is said the round is settled."""
        inquiry = self.asking.inquire()
        self.play.current.turn_to(inquiry.open.seat if inquiry.open else 0)
        if inquiry.open is None:
            self._settle_declared(inquiry)
            self.phases.settle()

    def settle_again(self) -> None:
        """Decide anew what was not carried out yet, after somebody left or did not leave after all."""
        inquiry = self.asking.inquire()
        if self.settlements.knows_cards():
            self._take(None)
        elif inquiry.open is None:
            self._settle_declared(inquiry)
        else:
            self._unsettle()
            self.phases.declare_again()
            self.play.current.turn_to(inquiry.open.seat)

    def _settle_declared(self, inquiry: Inquiry) -> None:
        """Take the outcome of what was said, without words that nothing asks for any more."""
        self._forget_idle(inquiry)
        self._take(self._declared(inquiry))

    def _take(self, declared: Declared | None) -> None:
        """Take an outcome; what was carried out already stays as it was."""
        round_ = self.play.current
        done, carried = begun(round_), carried_out(round_)
        # Hits that were paid have moved the meters since: what is left is settled by them as they were.
        self.settlements.take_outcome(declared, round_.meters_before if done else None)
        if not done:
            return
        spots = {(line.seat, line.wager) for line in carried}
        again = [line for line in round_.lines if (line.seat, line.wager) in spots]
        rest = [line for line in round_.lines if (line.seat, line.wager) not in spots]
        closed = round_.order[: round_.settled]
        # A closed seat pays and takes nothing more by itself: what is new to it is for people.
        gone = [line for line in rest if line.seat in closed]
        order = [*done, *(seat for seat in round_.order if seat not in done)]
        round_.decide(carried + [line for line in rest if line not in gone], order, round_.hands)
        # Money that has changed hands is not decided anew by a word: people look at it.
        if again != carried or gone:
            why = "what was declared again concerns a seat that was settled"
            self.faults.hold("paid_other", "table", why, self.law.cite("11(c)"))

    def _forget_idle(self, inquiry: Inquiry) -> None:
        """Drop words from the record that nothing asks for any more, after another word was taken back."""
        declared = self.play.current.declared
        self.play.current.declared = {
            seat: words
            for seat in declared
            if (words := {key: row for key, row in declared[seat].items() if (seat, key) in inquiry.asked})
        }

    def _declared(self, inquiry: Inquiry) -> Declared:
        dealer = inquiry.row(EVERYBODY, DEALER)
        return Declared(
            dealer=HIGH if dealer in reveal_questions.WITHOUT_NAME else dealer,
            dealer_qualifies=dealer != TOO_LOW,
            seats={seat: _declared_seat(inquiry, seat) for seat in self._told_of(inquiry)},
        )

    def _told_of(self, inquiry: Inquiry) -> list[int]:
        """Return the seats of whose cards anything was declared or worked out."""
        return [seat for seat in self.play.current.bets if self.cards.plays(seat) and inquiry.rows]

    # ---------------------------------------------------------------- corrections

    def take_back(self) -> None:
        """Go to the line that is no answer, or else reopen what was said last, as BACK does."""
        round_ = self.play.current
        if self.entry.pending.choice:
            self.entry.clear_pending()
            return
        seat, _, key = round_.last_said.partition(" ")
        if not seat or _who(int(seat), key) not in self.may_reopen():
            raise Refused(CONFIRMED)
        self.reopen(_who(int(seat), key), round_.dealer, key)

    def may_reopen(self) -> list[str]:
        """Return the declared hands whose seats are not settled yet; shared cards concern all seats."""
        round_ = self.play.current
        if not round_.declared:
            return []
        closed = round_.order[: round_.settled]
        said = [seat for seat, rows in round_.declared.items() if rows and seat and seat not in closed]
        shared = (
            [] if begun(round_) else list(dict.fromkeys(_who(0, key) for key in round_.declared.get(0, {})))
        )
        return [*shared, *map(str, said)]

    def reopen(self, who: str, by: str, key: str = "") -> None:
        """Have a hand declared again, all of it or one word; both stay in the record."""
        round_ = self.play.current
        seat = int(who) if who.isdigit() else EVERYBODY
        words = round_.declared[seat]
        keys = [key] if key else [each for each in words if _who(seat, each) == who]
        said = ", ".join(f"{each} {words.pop(each)}" for each in keys)
        round_.note(self.clock.now, f"{who}: {said} taken back", self.law.cite("11(c)"), by)
        round_.say("")
        self.entry.clear_pending()
        self._unsettle()
        if self.play.phase in (Phase.SETTLING, Phase.VALIDATING):
            self.phases.declare_again()
        round_.turn_to(seat)

    def _unsettle(self) -> None:
        """Take back the settlement that was not carried out yet, with its frozen hits."""
        round_ = self.play.current
        done, carried = begun(round_), carried_out(round_)
        paid = carried_spots(round_)
        # A light that stayed on would say that a seat wins before its hand is declared again.
        self.hits.drop(self.hits.waiting())
        round_.announce([hit for hit in round_.frozen if (hit.seat, hit.wager) in paid])
        round_.keep_hits(lambda hit: (hit.seat, hit.wager) in paid)
        round_.decide(carried, done, {})

    def choose(self, key: Key) -> None:
        """Move along the rows of the question, or straight to one; COUNT says which are left out, and why."""
        question, pending = self.open_question(), self.entry.pending
        count = len(question.rows)
        if key in (Key.PLUS, Key.MINUS):
            why = [_cannot_be(row, reason) for row, reason in question.left_out.items()]
            raise Refused("; ".join(why) or "no row is left out")
        if SHORT_CUTS.get(key, 0) > count:
            raise Refused(f"there are {count} rows")
        step = {Key.LEFT: -1, Key.RIGHT: 1}.get(key)
        choice = SHORT_CUTS.get(key, count) if step is None else self._cursor(question) + step
        # One line more than rows: the line that is no answer.
        at = choice % (count + 1)
        pending.move_to(at)
        pending.row = _named(question, at)


ACTIONS = (
    Action(
        "declare",
        "DECLARE ROW",
        Role.DEALER,
        phases(Phase.DECLARING),
        "11(c)",
        Declaring.declare,
        Declaring.verify_declare,
        key=Key.OK,
    ),
)
