"""Declaring hands where no device sees the cards (x.11(c)).

The dealer's hand first, then seat by seat, each once and as a class; ``asking`` works out what is still open.
A question opens on a line that is no answer, so that OK alone says nothing. The words stand in the record as
declared.
"""

from typing import TYPE_CHECKING

from sabot.rules.rankings import HIGH
from sabot.rules.settlement import Declared, DeclaredSeat
from sabot.rules.settlement.declared import TIES, YES
from sabot.statemachine import asking, hits, lying
from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.asking import EVERYBODY, HAND, NO_ROW, TOO_LOW, WINS, Inquiry, Question
from sabot.statemachine.events import Key, Role
from sabot.statemachine.lying import DEALER
from sabot.statemachine.outcome import take_outcome
from sabot.statemachine.phases import Phase
from sabot.statemachine.settled import begun, carried_out, carried_spots

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

# Keys that go straight to one of the first rows; FOLD goes to the last.
SHORT_CUTS = {Key.ONE: 1, Key.TWO: 2, Key.THREE: 3}


def begin_declaring(table: "Table") -> None:
    """Ask the first question, or settle where what was read leaves none."""
    table.clear_pending()
    go_on(table)


def open_question(table: "Table") -> Question:
    """The question that is open now."""
    question = asking.inquire(table).open
    assert question is not None  # asked only while hands are declared
    return question


def chosen_row(table: "Table", question: Question) -> str:
    """The row under the cursor: none at the line that is no answer, nor where a question has just opened."""
    at = _cursor(table, question)
    return question.rows[at - 1] if at else ""


def _cursor(table: "Table", question: Question) -> int:
    """The line at which the cursor is, as long as the row is there to which it was moved."""
    pending, rows = table.state.pending, question.rows
    is_there = 0 < pending.choice <= len(rows) and pending.row == _named(question, pending.choice)
    return pending.choice if is_there else 0


def _named(question: Question, at: int) -> str:
    """A row by its question and its name; empty at the line that is no answer."""
    return f"{question.seat} {question.key} {question.rows[at - 1]}" if at else ""


def verify_declare(table: "Table", value: str) -> None:
    """A row is chosen, and it can be."""
    _row_of(table, open_question(table), value)


def _row_of(table: "Table", question: Question, value: str) -> str:
    """The row that is named, or under the cursor."""
    if value in question.left_out:
        raise Refused(_cannot_be(value, question.left_out[value]))
    if not question.rows:
        raise Refused(asking.NOTHING_LEFT)
    row = value or chosen_row(table, question)
    if row not in question.rows:
        raise Refused("choose a row first")
    return row


def _cannot_be(row: str, why: str) -> str:
    return f"{row.replace('_', ' ')} cannot be: {why}"


def declare(table: "Table", value: str) -> None:
    """Take the chosen row and go to the next question."""
    round_, question = table.round, open_question(table)
    row = value or chosen_row(table, question)
    table.clear_pending()
    round_.last_said = f"{question.seat} {question.key}"
    round_.declared.setdefault(question.seat, {})[question.key] = row
    go_on(table)


def go_on(table: "Table") -> None:
    """Ask what is not said yet; when all is said the round is settled."""
    inquiry = asking.inquire(table)
    table.round.asking = inquiry.open.seat if inquiry.open else 0
    if inquiry.open is None:
        _settle_declared(table, inquiry)
        table.phases.settle()


def settle_again(table: "Table") -> None:
    """Decide anew what was not carried out yet, after somebody left or is here after all."""
    inquiry = asking.inquire(table)
    if table.knows_cards():
        _take(table, None)
    elif inquiry.open is None:
        _settle_declared(table, inquiry)
    else:
        _unsettle(table)
        table.phases.declare_again()
        table.round.asking = inquiry.open.seat


def _settle_declared(table: "Table", inquiry: Inquiry) -> None:
    """The outcome of what was said; words that nothing asks for any more are not in the record."""
    _forget_idle(table, inquiry)
    _take(table, _declared(table, inquiry))


def _take(table: "Table", declared: Declared | None) -> None:
    """Take an outcome; what was carried out already stays as it was."""
    round_ = table.round
    done, carried = begun(round_), carried_out(round_)
    take_outcome(table, declared, round_.meters_before if done else None)
    if not done:
        return
    spots = {(line.seat, line.wager) for line in carried}
    again = [line for line in round_.lines if (line.seat, line.wager) in spots]
    rest = [line for line in round_.lines if (line.seat, line.wager) not in spots]
    closed = round_.order[: round_.settled]
    gone = [line for line in rest if line.seat in closed]
    round_.order = [*done, *(seat for seat in round_.order if seat not in done)]
    round_.lines = carried + [line for line in rest if line not in gone]
    if again != carried or gone:
        why = "what was declared again concerns a seat that was settled"
        table.hold("paid_other", "table", why, table.cite("11(c)"))


def _forget_idle(table: "Table", inquiry: Inquiry) -> None:
    """Words that nothing asks for any more, after another word was taken back, are not in the record."""
    declared = table.round.declared
    table.round.declared = {
        seat: words
        for seat in declared
        if (words := {key: row for key, row in declared[seat].items() if (seat, key) in inquiry.asked})
    }


def _declared(table: "Table", inquiry: Inquiry) -> Declared:
    dealer = inquiry.row(EVERYBODY, DEALER)
    return Declared(
        dealer=HIGH if dealer in asking.WITHOUT_NAME else dealer,
        dealer_qualifies=dealer != TOO_LOW,
        seats={seat: _declared_seat(inquiry, seat) for seat in _told_of(table, inquiry)},
    )


def _told_of(table: "Table", inquiry: Inquiry) -> list[int]:
    """The seats of whose cards anything was declared or worked out."""
    return [seat for seat in table.round.bets if lying.plays(table, seat) and inquiry.rows]


def _declared_seat(inquiry: Inquiry, seat: int) -> DeclaredSeat:
    """A seat's rows, those of shared cards with them, and who wins."""
    rows = {
        key: row for (who, key), row in inquiry.rows.items() if who in (seat, EVERYBODY) and row != NO_ROW
    }
    hand = inquiry.row(seat, HAND)
    wins = inquiry.row(seat, WINS)
    if inquiry.table.chapter.contest.against_dealer and not wins:
        ahead = asking.level(inquiry, seat) - asking.level(inquiry, EVERYBODY)
        wins = YES if ahead > 0 else NO_ROW
    return DeclaredSeat(HIGH if hand == NO_ROW else hand, wins == YES, wins == TIES, rows)


# ---------------------------------------------------------------- corrections


def take_back(table: "Table") -> None:
    """BACK: to the line that is no answer, else reopen what was said last until the next step."""
    round_ = table.round
    if table.state.pending.choice:
        table.clear_pending()
        return
    seat, _, key = round_.last_said.partition(" ")
    if not seat or _who(int(seat), key) not in may_reopen(table):
        raise Refused(CONFIRMED)
    reopen(table, _who(int(seat), key), round_.dealer, key)


def _who(seat: int, key: str) -> str:
    """The hand that a word is about, as the floor's list names it."""
    return str(seat) if seat else DEALER if key == DEALER else SHARED


SHARED = "shared cards"


def may_reopen(table: "Table") -> list[str]:
    """The hands that were declared, until the seat concerned is settled; shared cards concern them all."""
    round_ = table.round
    closed = round_.order[: round_.settled]
    said = [seat for seat, rows in round_.declared.items() if rows and seat and seat not in closed]
    shared = [] if begun(round_) else list(dict.fromkeys(_who(0, key) for key in round_.declared.get(0, {})))
    return [*shared, *map(str, said)]


def reopen(table: "Table", who: str, by: str, key: str = "") -> None:
    """Have a hand declared again, all of it or one word; both stay in the record."""
    round_ = table.round
    seat = int(who) if who.isdigit() else EVERYBODY
    words = round_.declared[seat]
    keys = [key] if key else [each for each in words if _who(seat, each) == who]
    said = ", ".join(f"{each} {words.pop(each)}" for each in keys)
    round_.note(table.now, f"{who}: {said} taken back", table.cite("11(c)"), by)
    round_.last_said = ""
    table.clear_pending()
    _unsettle(table)
    if table.phases.state in (Phase.SETTLING, Phase.VALIDATING):
        table.phases.declare_again()
    round_.asking = seat


def _unsettle(table: "Table") -> None:
    """What was not carried out yet is not decided any more; its frozen hits are dropped."""
    round_ = table.round
    done, carried = begun(round_), carried_out(round_)
    paid = carried_spots(round_)
    hits.drop(table, hits.waiting(table))
    round_.frozen = [hit for hit in round_.frozen if (hit.seat, hit.wager) in paid]
    round_.hits = [hit for hit in round_.hits if (hit.seat, hit.wager) in paid]
    round_.lines, round_.order, round_.hands = carried, done, {}


def choose(table: "Table", key: Key) -> None:
    """Move along the rows of the question, or straight to one; COUNT says which are left out, and why."""
    question, pending = open_question(table), table.state.pending
    count = len(question.rows)
    if key in (Key.PLUS, Key.MINUS):
        why = [_cannot_be(row, reason) for row, reason in question.left_out.items()]
        raise Refused("; ".join(why) or "no row is left out")
    if SHORT_CUTS.get(key, 0) > count:
        raise Refused(f"there are {count} rows")
    step = {Key.LEFT: -1, Key.RIGHT: 1}.get(key)
    choice = SHORT_CUTS.get(key, count) if step is None else _cursor(table, question) + step
    pending.choice = choice % (count + 1)
    pending.row = _named(question, pending.choice)


ACTIONS = (
    Action("declare", "DECLARE ROW", Role.DEALER, phases(Phase.DECLARING), "11(c)", declare, verify_declare),
)
