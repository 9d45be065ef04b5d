"""Rounds that people finish by hand, after the floor took them over: every stake has its line.

The floor enters how each stake that the table had not settled was settled: paid, taken or given back, and of
what was paid how much, digit by digit. What of the stake went back with it nobody says.

The table did not carry out the payment, but its meter paid it: the floor says which share was paid, to whom,
and the ledger has it under a cause of its own. What the round's lines had said already is paid as it stood
there; of a hand that no device read it is the share of the meter as it stands. Where the contributions went
back there was no progressive wager, and so no hit.
"""

from typing import TYPE_CHECKING

from sabot.rules.payouts import PayKind, Payout
from sabot.rules.round import Line
from sabot.statemachine import linked
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.events import DIGITS, Key, Role
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.labels import wager_words
from sabot.statemachine.ledger import BY_HAND
from sabot.statemachine.phases import Phase
from sabot.statemachine.settled import carried_out, carried_spots, forfeited
from sabot.statemachine.shares import draw_cents, hit_cents, share_of, share_payout
from sabot.statemachine.state import Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sabot.rules.round import Stake
    from sabot.statemachine.table import Table

MAIN = "main"
# Stands in a line of the record in place of what decided it.
SETTLED = "settled by hand"


def frozen_hits(table: "Table") -> list[Hit]:
    """The hits on a meter among the lines that were not carried out yet."""
    paid = carried_spots(table.round)
    return [
        Hit(line.seat, line.wager, line.row or "", hit_cents(table, line), needs_documents=True)
        for line in table.round.lines
        if (line.seat, line.wager) not in paid and share_payout(table, line) is not None
    ]


def _rows(table: "Table", wager: str) -> dict[str, Payout]:
    """The rows of a wager that are paid from a meter."""
    settles = table.chapter.wagers[wager].settles
    if settles is None:
        return {}
    hits = table.house.column(settles.paytable).hits
    return {row: hit.payout for row, hit in hits.items() if hit.payout.kind is PayKind.METER}


def hits_by_hand(table: "Table") -> list[str]:
    """Whose wager may have been paid which share: a seat that was not settled, and each wager once."""
    round_ = table.round
    if not round_.by_hand or round_.gave_back:
        return []
    done = {(hit.seat, hit.wager) for hit in round_.hits}
    done |= carried_spots(round_)
    done |= {(line.seat, line.wager) for line in round_.lines if line.result != "win"}
    return [
        f"{seat} {wager} {row}"
        for seat, bets in sorted(round_.bets.items(), reverse=True)
        for wager in bets
        if (seat, wager) not in done
        for row in _rows(table, wager)
    ]


def _hit_words(table: "Table", value: str) -> str:
    """Seat, wager, and the meter's level or the part of it that is paid."""
    seat, wager, row = value.split()
    payout = _rows(table, wager)[row]
    share = payout.level.upper() if payout.level != MAIN else f"{payout.rate * 100}%"
    return f"S{seat} {wager_words(wager, table.chapter)} {share}"


def hit_by_hand(table: "Table", value: str) -> None:
    """The floor says that a hit was paid by hand: it leaves the meter now."""
    seat_text, wager, row = value.split()
    seat, payout, by = int(seat_text), _rows(table, wager)[row], table.person(Role.FLOOR)
    known = {(hit.seat, hit.wager, hit.row): hit.cents for hit in table.round.frozen}
    if wager in table.links:
        cents = linked.leave(table, (seat, wager), row, by)
    else:
        cents = known.get((seat, wager, row), share_of(table, wager, payout))
    draw_cents(table, (seat, wager), payout, cents, BY_HAND)
    table.round.hits.append(Hit(seat, wager, row, cents, needs_documents=True, validated_by=by))
    stake = table.stakes(seat)[wager]
    paid = cents or None  # of a linked meter it may not be heard yet
    _put(table, Line(seat, wager, stake, "win", paid, 0, row, table.cite("11(c)(5)(iii)"), text=BY_HAND))
    words = f"seat {seat} {wager}: {row} of {cents} cents paid by hand"
    table.round.note(table.now, words, table.cite("11(c)(5)(iii)"), by)


# ---------------------------------------------------------------- every stake

RESULTS: "Mapping[str, str]" = {"paid": "win", "taken": "lose", "back": "returned"}
REST, TAKEN, GIVEN_BACK = "rest", "taken", "back"


def settled_lines(table: "Table") -> list[Line]:
    """Return the lines that the table had carried out, with what of folds was collected (x.11(c))."""
    round_ = table.round
    lines, spots = carried_out(round_), carried_spots(round_)
    for seat in () if table.contest_is_void else round_.collected:
        for name, stake, cite in forfeited(table, seat):
            none = None if stake is None else 0
            line = Line(seat, name, stake, "forfeit", none, none, None, cite)
            lines += [] if (seat, name) in spots else [line]
    return lines


def _stakes(table: "Table") -> "dict[tuple[int, str], Stake]":
    """The stakes that the table had not settled, but for those of hits that were paid."""
    round_ = table.round
    done = {(line.seat, line.wager) for line in settled_lines(table)}
    done |= {(hit.seat, hit.wager) for hit in round_.hits}
    seats = {seat: table.stakes(seat) for seat in sorted(round_.bets)}
    stakes = {(seat, wager): cents for seat, bets in seats.items() for wager, cents in bets.items()}
    return {spot: cents for spot, cents in stakes.items() if spot not in done}


def open_stakes(table: "Table") -> "dict[tuple[int, str], Stake]":
    """The stakes of a round taken over that have no line yet."""
    if not table.round.by_hand:
        return {}
    lines = {(line.seat, line.wager) for line in table.round.lines}
    return {spot: cents for spot, cents in _stakes(table).items() if spot not in lines}


def entries_by_hand(table: "Table") -> list[str]:
    """Return how stakes may have been settled, those without a line first, all of them at once too."""
    if not table.round.by_hand:
        return []
    still = open_stakes(table)
    rest = [f"{REST} {how}" for how in (TAKEN, GIVEN_BACK)] if still else []
    done = [spot for spot in _stakes(table) if spot not in still]
    return [*_hows(still), *rest, *_hows(done)]


def _hows(spots: "Iterable[tuple[int, str]]") -> list[str]:
    return [f"{seat} {wager} {how}" for seat, wager in spots for how in RESULTS]


def _entry_words(table: "Table", value: str) -> str:
    """Seat, wager and what became of it."""
    seat, _, how = value.rpartition(" ")
    if seat == REST:
        return value.upper()
    number, wager = seat.split()
    return f"S{number} {wager_words(wager, table.chapter)} {how.upper()}"


def settled_by_hand(table: "Table", value: str) -> None:
    """The floor says how people settled a stake, or all that are left."""
    what, _, how = value.rpartition(" ")
    if what == REST:
        spots = open_stakes(table)
    else:
        seat, wager = what.split()
        spots = {(int(seat), wager): table.stakes(int(seat))[wager]}
    for (seat_no, name), cents in spots.items():
        line = _line(seat_no, name, cents, how)
        _put(table, line)
        _note(table, line, f"{how} by hand")


def _line(seat: int, wager: str, stake: "Stake", how: str) -> Line:
    """Return the line of a stake: what was taken or went back is known, for what was paid a sum is asked."""
    if stake is None or how not in (TAKEN, GIVEN_BACK):
        return Line(seat, wager, stake, RESULTS[how], None, None, None, POLICY, text=SETTLED)
    back = stake if how == GIVEN_BACK else 0
    return Line(seat, wager, stake, RESULTS[how], 0, back, None, POLICY, text=SETTLED)


# ---------------------------------------------------------------- how much was paid

MOST_CENTS = 10**10


def unpriced(table: "Table") -> Line | None:
    """Return the line of a stake that was paid by hand, of which nobody has said yet how much."""
    lines = table.round.lines if table.round.by_hand else []
    return next((line for line in lines if line.text == SETTLED and _has_no_sum(line)), None)


def _has_no_sum(line: Line) -> bool:
    return line.result == RESULTS["paid"] and line.paid is None


def takes_digits(table: "Table") -> bool:
    """Whether the keys are the digits of a sum: one is wanted, and the floor is there to say it."""
    is_clearing = table.state.phase is Phase.CLEARING and Role.FLOOR.value in table.state.unlocked
    return is_clearing and unpriced(table) is not None


def amount_key(table: "Table", key: Key) -> None:
    """A digit; OK enters the sum, BACK takes the last digit off, or the entry back where there is none."""
    number = table.state.pending.number
    if key is Key.OK:
        _price(table, number or 0)
    elif key is Key.BACK and number is not None:
        table.state.pending.number = number // 10 or None
    elif key is Key.BACK:
        _take_back(table)
    elif (number or 0) >= MOST_CENTS:
        raise Refused("no sum has more digits")
    else:
        table.state.pending.number = (number or 0) * 10 + int(DIGITS[key])


def _price(table: "Table", cents: int) -> None:
    if not cents:
        raise Refused("how much was paid?")
    line = unpriced(table)
    assert line is not None  # the keys are digits only where one is
    _put(table, line._replace(paid=cents))
    _note(table, line, f"{cents} cents paid by hand")
    table.clear_pending()


def _take_back(table: "Table") -> None:
    """Nothing was paid after all: the stake has no line again."""
    line = unpriced(table)
    assert line is not None  # the keys are digits only where one is
    table.round.lines.remove(line)
    _note(table, line, "paid by hand taken back")


def _note(table: "Table", line: Line, what: str) -> None:
    table.round.note(table.now, f"seat {line.seat} {line.wager}: {what}", POLICY, table.person(Role.FLOOR))


def _put(table: "Table", line: Line) -> None:
    """A line in the place of one that was entered before."""
    kept = [each for each in table.round.lines if each[:2] != line[:2]]
    table.round.lines = [*kept, line]


ACTIONS = (
    Action(
        "settled_by_hand",
        "SETTLED BY HAND",
        Role.FLOOR,
        phases(Phase.CLEARING),
        "-",
        settled_by_hand,
        values=entries_by_hand,
        say=_entry_words,
        while_held=True,
    ),
    Action(
        "hit_by_hand",
        "HIT PAID BY HAND",
        Role.FLOOR,
        phases(Phase.CLEARING),
        "11(c)(5)(iii)",
        hit_by_hand,
        values=hits_by_hand,
        say=_hit_words,
        while_held=True,
    ),
)
