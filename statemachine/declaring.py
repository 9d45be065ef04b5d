"""Declaring hands where no device sees the cards (x.11(c)).

First the dealer's or board's row, then seat by seat who wins and which row or color each live wager makes,
hands that others may envy included. What was said stands in the record as declared.
"""

from typing import TYPE_CHECKING

from sabot.rules.paytables import Column
from sabot.rules.settlement import Declared, DeclaredSeat
from sabot.rules.settlement.declared import BONUS_CARD, MAGIC_CARD, TIES, YES
from sabot.statemachine import hits
from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.events import Key, Role
from sabot.statemachine.outcome import take_outcome
from sabot.statemachine.phases import Phase

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

NO_ROW = "none"
# What is asked: the dealer's hand, who wins, a hand's name, a card of a bonus; else a wager or a paytable.
DEALER, WINS, HAND = "dealer", "wins", "hand"


def begin_declaring(table: "Table") -> None:
    """The first question: the dealer's hand, or the first seat where there is none."""
    table.clear_pending()
    table.round.asking = 0
    if not table.chapter.contest.against_dealer:
        _next_declared(table)


def questions(table: "Table", seat: int) -> list[tuple[str, list[str]]]:
    """What the dealer must say of a seat: a key and the rows it may have (none: yes or no)."""
    chapter, round_ = table.chapter, table.round
    asked: list[tuple[str, list[str]]] = []
    stakes = table.stakes(seat)
    if "ante" in stakes and seat not in round_.folded and not table.contest_is_void:
        asked += _contest_questions(table)
    for name in chapter.order:
        wager = chapter.wagers[name]
        if name not in stakes or not wager.settles or not table.is_alive(seat, name):
            continue
        if wager.settles.kind == "posted":
            asked.append((name, _row_names(table.house.column(wager.settles.paytable))))
        elif not any(key == HAND for key, _ in asked):
            asked += _contest_questions(table)
        if wager.bonus_card:
            asked.append((f"{name}:{BONUS_CARD}", [YES, NO_ROW]))
        if wager.extras and round_.magic_card is not None:
            asked.append((f"{name}:{MAGIC_CARD}", [YES, NO_ROW]))
    return asked + _envy_questions(table, seat)


def _contest_questions(table: "Table") -> list[tuple[str, list[str]]]:
    contest = table.chapter.contest
    if not contest.against_dealer:
        name = contest.results["win"].actions["ante"].paytable
        return [(name, _row_names(table.house.column(name)))]
    order = table.chapter.rankings[contest.ranking].order
    return [(WINS, [YES, TIES, NO_ROW]), (HAND, [*order, NO_ROW])]


def _envy_questions(table: "Table", seat: int) -> list[tuple[str, list[str]]]:
    """Rows that another player may envy, asked only where somebody could receive them."""
    asked = []
    others = [bets for other, bets in table.round.bets.items() if other != seat]
    for wager in table.chapter.wagers.values():
        if wager.envy and any(wager.name in bets for bets in others) and table.has_cards_left(seat):
            name, unit = wager.envy.paytable, table.setup.options.progressive_unit
            asked.append((name, _row_names(table.house.envy_column(name, unit))))
    return asked


def _row_names(column: Column) -> list[str]:
    """The rows of the letter that is offered here, and none of them."""
    return [*column.hits, NO_ROW]


def open_question(table: "Table") -> tuple[str, list[str]]:
    """The question that is open now."""
    round_ = table.round
    if not round_.asking:
        contest = table.chapter.contest
        names = [*table.chapter.rankings[contest.ranking].order, NO_ROW]
        return (DEALER, [*names, "too low"] if contest.qualifies else names)
    said = round_.declared.setdefault(round_.asking, {})
    return next((key, rows) for key, rows in questions(table, round_.asking) if key not in said)


def declare(table: "Table", _value: str) -> None:
    """Take the chosen row and go to the next question."""
    round_ = table.round
    key, rows = open_question(table)
    row = rows[table.state.pending.choice % len(rows)]
    table.clear_pending()
    round_.last_said = f"{round_.asking or DEALER} {key}"
    if key == DEALER:
        round_.declared_dealer = row
    else:
        round_.declared[round_.asking][key] = row
    _next_declared(table)


def _next_declared(table: "Table") -> None:
    round_ = table.round
    for seat in sorted(round_.bets, reverse=True):
        said = round_.declared.get(seat, {})
        if seat not in round_.left and any(key not in said for key, _ in questions(table, seat)):
            round_.asking = seat
            return
    round_.asking = 0
    _settle_declared(table)
    table.phases.settle()


def _settle_declared(table: "Table") -> None:
    """The outcome of what was said; seats that were settled already stay as they were."""
    round_ = table.round
    done = round_.order[: round_.settled]
    if not done:
        take_outcome(table, _declared(table))
        return
    carried_out = round_.lines
    take_outcome(table, _declared(table), round_.meters_before)
    theirs = [line for line in round_.lines if line.seat in done]
    round_.order = [*done, *(seat for seat in round_.order if seat not in done)]
    round_.lines = carried_out + [line for line in round_.lines if line.seat not in done]
    if theirs != carried_out:
        why = "what was declared again concerns a seat that was settled"
        table.hold("paid_other", "table", why, table.cite("11(c)"))


def _declared(table: "Table") -> Declared:
    round_ = table.round
    return Declared(
        dealer="high" if round_.declared_dealer in (NO_ROW, "too low") else round_.declared_dealer,
        dealer_qualifies=round_.declared_dealer != "too low",
        seats={seat: _declared_seat(said) for seat, said in round_.declared.items()},
    )


def _declared_seat(said: dict[str, str]) -> DeclaredSeat:
    rows = {key: row for key, row in said.items() if row != NO_ROW}
    hand = rows.get(HAND, "high" if HAND in said else "")
    return DeclaredSeat(hand, rows.get(WINS) == YES, rows.get(WINS) == TIES, rows)


# ---------------------------------------------------------------- corrections


def take_back(table: "Table") -> None:
    """BACK: to the first row, else reopen what was said last until the next step is confirmed."""
    round_ = table.round
    if table.state.pending.choice:
        table.clear_pending()
        return
    who = round_.last_said.partition(" ")[0]
    if not who or who not in may_reopen(table):
        raise Refused(CONFIRMED)
    who, _, key = round_.last_said.partition(" ")
    reopen(table, who, round_.dealer, key)


def may_reopen(table: "Table") -> list[str]:
    """The hands that were declared, until the seat concerned is settled; the dealer's concerns them all."""
    round_ = table.round
    done = round_.order[: round_.settled]
    said = [str(seat) for seat, rows in round_.declared.items() if rows and seat not in done]
    return [DEALER, *said] if round_.declared_dealer and not done else said


def reopen(table: "Table", who: str, by: str, key: str = "") -> None:
    """Have a hand declared again, all of it or one word; both stay in the record."""
    round_ = table.round
    if who == DEALER:
        words, round_.declared_dealer = round_.declared_dealer, ""
    elif key:
        words = f"{key} {round_.declared[int(who)].pop(key)}"
    else:
        words = ", ".join(f"{said} {row}" for said, row in round_.declared.pop(int(who)).items())
    round_.note(table.now, f"{who}: {words} taken back", table.cite("11(c)"), by)
    round_.last_said = ""
    table.clear_pending()
    _unsettle(table)
    if table.phases.state in (Phase.SETTLING, Phase.VALIDATING):
        table.phases.declare_again()
    round_.asking = 0 if who == DEALER else int(who)


def _unsettle(table: "Table") -> None:
    """What was not carried out yet is not decided any more; its frozen hits are dropped."""
    round_ = table.round
    done = round_.order[: round_.settled]
    hits.drop(table, hits.waiting(table))
    round_.frozen = [hit for hit in round_.frozen if hit.seat in done]
    round_.hits = [hit for hit in round_.hits if hit.seat in done]
    round_.lines = [line for line in round_.lines if line.seat in done]
    round_.order, round_.hands = done, {}


def choose(table: "Table", key: Key) -> None:
    """Move along the rows of the open question; FOLD is short for the last of them."""
    _, rows = open_question(table)
    step = {Key.LEFT: -1, Key.RIGHT: 1}.get(key, 0)
    choice = len(rows) - 1 if key is Key.FOLD else table.state.pending.choice + step
    table.state.pending.choice = choice % len(rows)


ACTIONS = (Action("declare", "DECLARE ROW", Role.DEALER, phases(Phase.DECLARING), "11(c)", declare),)
