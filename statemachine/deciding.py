"""Decisions: each player with an Ante is asked in turn, and cards are turned (x.11).

A decision is entered (by a sensed chip, a key, or FOLD) and stands when OK confirms it. BACK takes back
what is not yet confirmed, or the last confirmed answer until the next step is confirmed. In Cajun Stud the
players are asked three times, with a community card after each.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.events import Key, Role
from sabot.statemachine.labels import seat_words
from sabot.statemachine.phases import Phase
from sabot.statemachine.undo import remember

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

MULTIPLES = {Key.ONE: 1, Key.TWO: 2, Key.THREE: 3}


# ---------------------------------------------------------------- asking


def streets(table: "Table") -> int:
    """How many times players are asked."""
    return len(table.chapter.contest.wagers) - 1


def second_wager(table: "Table") -> str:
    """The wager that is asked for now."""
    return table.chapter.contest.wagers[1 + table.round.street]


def answered(table: "Table", seat: int) -> bool:
    """Whether a seat has answered on this street (or is out)."""
    round_ = table.round
    out = seat in round_.folded or seat in round_.left
    return out or len(round_.raises.get(seat, ())) > round_.street


def enter_multiple(table: "Table", key: Key) -> None:
    """A short cut to a whole multiple of the Ante."""
    round_, wager = table.round, table.chapter.wagers[second_wager(table)]
    times = wager.times
    assert times is not None  # a second wager has multiples
    multiple = MULTIPLES[key]
    if not times.least <= multiple <= times.most:
        raise Refused(f"{wager.title} is {times.least} to {times.most} times the Ante ({wager.cite})")
    ante = round_.bets[round_.asking]["ante"]
    table.state.pending.number = None if ante is None else ante * multiple
    table.state.pending.choice = multiple
    table.state.pending.fold = False


def enter_step(table: "Table", way: int) -> None:
    """One smallest chip more or less, within the multiples."""
    pending = table.state.pending
    ante = table.round.bets[table.round.asking]["ante"]
    wager = table.chapter.wagers[second_wager(table)]
    times = wager.times
    assert times is not None
    if ante is None:
        raise Refused("the Ante's value is not known")
    step = ante if times.whole else table.setup.smallest_chip_cents
    number = (pending.number or ante * times.least) + (way * step if pending.choice else 0)
    pending.number = min(max(number, ante * times.least), ante * times.most)
    pending.choice, pending.fold = 1, False


def enter_fold(table: "Table") -> None:
    """The player folds."""
    table.state.pending.fold = True
    table.state.pending.choice = 0
    table.state.pending.number = None


def verify_decision(table: "Table", _value: str) -> None:
    """Something is entered, and it is within the multiples."""
    pending, round_ = table.state.pending, table.round
    if pending.fold:
        return
    if not pending.choice:
        raise Refused("enter the wager or FOLD first")
    wager, ante = table.chapter.wagers[second_wager(table)], round_.bets[round_.asking]["ante"]
    times, number = wager.times, pending.number
    if times is None or number is None or ante is None:
        return
    in_range = ante * times.least <= number <= ante * times.most
    if not in_range or (times.whole and number % ante):
        raise Refused(f"{wager.title} must be {times.least} to {times.most} times {ante} ({wager.cite})")


def decide(table: "Table", _value: str) -> None:
    """Confirm the answer of the seat that was asked, and ask the next."""
    round_, pending = table.round, table.state.pending
    if pending.fold:
        round_.folded.append(round_.asking)
    else:
        round_.raises.setdefault(round_.asking, []).append(pending.number)
    table.ask_next()


def ask_next(table: "Table") -> None:
    """The next seat that has not answered; when all have, what was forfeited is collected."""
    table.clear_pending()
    round_ = table.round
    seat = next((seat for seat in table.players_to_ask() if not answered(table, seat)), 0)
    round_.last_asked, round_.asking = round_.asking or round_.last_asked, seat
    if not seat:
        table.phases.reveal()


def take_back(table: "Table") -> None:
    """BACK: clear the entry, else reopen the last answer until the next step is confirmed."""
    pending, round_ = table.state.pending, table.round
    if pending.fold or pending.choice:
        table.clear_pending()
        return
    seat = round_.last_asked
    if str(seat) not in may_reopen(table):
        raise Refused(CONFIRMED)
    reopen(table, seat, round_.dealer)
    round_.last_asked = 0


def may_reopen(table: "Table") -> list[str]:
    """The seats that have answered on this street and are still there."""
    if table.contest_is_void:
        return []
    return [str(seat) for seat in table.players_to_ask() if _answered_now(table, seat)]


def _answered_now(table: "Table", seat: int) -> bool:
    """A fold of an earlier street was collected: it stands."""
    if seat in table.round.folded:
        return seat not in table.round.collected
    return len(table.round.raises.get(seat, ())) > table.round.street


def reopen(table: "Table", seat: int, by: str) -> None:
    """Take back a seat's last answer and ask it again; both stay in the record."""
    round_ = table.round
    if seat in round_.folded:
        round_.folded.remove(seat)
        words = "fold"
    else:
        words = f"{second_wager(table)} {round_.raises[seat].pop()}"
    round_.note(table.now, f"seat {seat} {words} taken back", table.cite("11(b)"), by)
    table.clear_pending()
    if table.state.phase is Phase.TURNING:
        table.phases.ask()
    round_.asking = seat


HERE = "is here"


def may_come_back(table: "Table") -> list[str]:
    """The seats that were said to have left, and whose turn has not passed on an earlier street."""
    round_ = table.round
    return [
        f"{seat} {HERE}"
        for seat in sorted(round_.left)
        if len(round_.raises.get(seat, ())) >= round_.street or seat in round_.folded
    ]


def come_back(table: "Table", seat: int, by: str) -> None:
    """A player did not leave after all; asked in his turn where he has not answered yet."""
    round_ = table.round
    round_.left.remove(seat)
    round_.note(table.now, f"seat {seat} left the table: taken back", table.cite("7(b)"), by)
    asks = seat in table.players_to_ask() and not answered(table, seat) and not table.contest_is_void
    if asks and table.state.phase is Phase.TURNING:
        table.phases.ask()
        table.ask_next()
    elif asks and table.state.phase is Phase.DECIDING:
        table.ask_next()


def player_left(table: "Table", value: str) -> None:
    """A player left; the house treats the wagers as losing (x.7(b))."""
    seat = int(value)
    remember(table, f"seat {value} left")
    table.round.left.append(seat)
    table.round.note(table.now, f"seat {seat} left the table", table.cite("7(b)"))
    if table.state.phase is Phase.DECIDING and table.round.asking == seat:
        table.ask_next()


def seated(table: "Table") -> list[str]:
    """The seats still there."""
    return [str(seat) for seat in sorted(table.round.bets) if seat not in table.round.left]


P = Phase
ACTIONS = (
    Action("decide", "ANSWER", Role.DEALER, phases(P.DECIDING), "11(b)", decide, verify_decision),
    Action(
        "player_left",
        "PLAYER LEFT",
        Role.DEALER,
        phases(P.DEALING, P.STUB, P.DECIDING, P.TURNING),
        "7(b)",
        player_left,
        values=seated,
        say=seat_words,
    ),
)
