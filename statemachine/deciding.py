"""Decisions: each player with an Ante is asked in turn, and cards are turned (x.11).

A decision is entered (``answering``) and stands when OK confirms it. BACK takes back what is not yet
confirmed, or the last confirmed answer until the next step is confirmed. In Cajun Stud the
players are asked three times, with a community card after each.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import answering
from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.answering import second_wager
from sabot.statemachine.events import Role
from sabot.statemachine.labels import seat_words
from sabot.statemachine.phases import Phase
from sabot.statemachine.settled import is_being_settled
from sabot.statemachine.undo import remember

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabot.statemachine.table import Table

# ---------------------------------------------------------------- asking


def streets(table: "Table") -> int:
    """How many times players are asked."""
    return len(table.chapter.contest.wagers) - 1


def answered(table: "Table", seat: int) -> bool:
    """Whether a seat has answered on this street (or is out)."""
    round_ = table.round
    out = seat in round_.folded or seat in round_.left
    return out or len(round_.raises.get(seat, ())) > round_.street


def verify_decision(table: "Table", _value: str) -> None:
    """An answer that may be confirmed."""
    answering.verify(table)


def decide(table: "Table", _value: str) -> None:
    """Confirm the answer of the seat that was asked, and ask the next."""
    round_ = table.round
    if table.state.pending.fold:
        answering.return_chips(table, "fold")
        round_.folded.append(round_.asking)
    else:
        answering.note_entry(table)
        round_.raises.setdefault(round_.asking, []).append(answering.amount(table))
    table.ask_next()


def ask_next(table: "Table") -> None:
    """The next seat that has not answered; when all have, what was forfeited is collected."""
    table.clear_pending()
    round_ = table.round
    seat = _not_answered(table)
    round_.last_asked, round_.asking = round_.asking or round_.last_asked, seat
    if not seat:
        table.phases.reveal()


def _not_answered(table: "Table") -> int:
    """The first seat from the dealer's left whose answer is wanted (0: none)."""
    return next((seat for seat in table.players_to_ask() if not answered(table, seat)), 0)


def take_back(table: "Table") -> None:
    """BACK: clear what is keyed, else reopen the last answer until the next step is confirmed."""
    round_ = table.round
    if answering.is_keyed(table):
        answering.clear_key(table)
        return
    seat = round_.last_asked
    if str(seat) not in may_reopen(table) or round_.exposed:
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
    """Take back a seat's last answer and ask it again, in its turn; both stay in the record."""
    round_ = table.round
    if seat in round_.folded:
        round_.folded.remove(seat)
        words = "fold"
    else:
        words = f"{second_wager(table)} {round_.raises[seat].pop()}"
    round_.note(table.now, f"seat {seat} {words} taken back", table.cite("11(b)"), by)
    if table.state.phase is Phase.TURNING:
        table.phases.ask()
    first = _not_answered(table)
    if first != round_.asking:  # what the seat that stays asked has entered stands
        table.clear_pending()
        round_.asking = first
    _meet_again(table)


def _meet_again(table: "Table") -> None:
    """A decision is open again: what was seen after the raises was seen before them (x.13(d))."""
    kind, table.round.exposed = table.round.exposed, ""
    if kind:
        table.irregular(kind, reopened=True)


# ---------------------------------------------------------------- who is there (x.7(b))

HERE = "is here"
AFTER_REVEAL = (Phase.DECLARING, Phase.SETTLING, Phase.VALIDATING)


def boxes_of(table: "Table", seats: "Iterable[int]") -> list[str]:
    """Seats as the players have them: the boxes of one player are one entry, such as 2+3."""
    players: dict[str, list[str]] = {}
    for seat in sorted(seats):
        players.setdefault(table.round.players[seat], []).append(str(seat))
    return ["+".join(boxes) for boxes in players.values()]


def seats_in(value: str) -> list[int]:
    """The seats of an entry."""
    return [int(seat) for seat in value.split("+")]


def boxes_words(table: "Table", value: str) -> str:
    """A seat to choose, or the boxes of one player."""
    return f"SEATS {value}" if "+" in value else seat_words(table, value)


def _unsettled(table: "Table") -> list[int]:
    round_ = table.round
    return [seat for seat in round_.bets if seat not in round_.order[: round_.settled]]


def may_come_back(table: "Table") -> list[str]:
    """Return the players who were said to have left, and whose turn has not passed since."""
    round_, is_revealed = table.round, table.state.phase in AFTER_REVEAL
    there = [
        seat
        for seat in _unsettled(table)
        if seat in round_.kept_for
        or (
            seat in round_.left
            and (answered_to(table, seat, round_.street + is_revealed) or _has_no_say(table, seat))
        )
    ]
    return [f"{boxes} {HERE}" for boxes in boxes_of(table, there)]


def answered_to(table: "Table", seat: int, street: int) -> bool:
    """Whether a seat has answered on every street before this one (or is out)."""
    return seat in table.round.folded or len(table.round.raises.get(seat, ())) >= street


def _has_no_say(table: "Table", seat: int) -> bool:
    """Whether a seat is not asked at all: it has no Ante, or the contest is void."""
    return "ante" not in table.round.bets[seat] or table.contest_is_void


def come_back(table: "Table", value: str, by: str) -> None:
    """A player did not leave after all; asked in turn where an answer is still wanted."""
    round_, seats = table.round, seats_in(value)
    for seat in seats:
        (round_.left if seat in round_.left else round_.kept_for).remove(seat)
        round_.note(table.now, f"seat {seat} left the table: taken back", table.cite("7(b)"), by)
    asks = any(seat in table.players_to_ask() and not answered(table, seat) for seat in seats)
    if table.state.phase in AFTER_REVEAL:
        table.settle_again()
    elif asks and not table.contest_is_void and table.state.phase in (Phase.TURNING, Phase.DECIDING):
        if table.state.phase is Phase.TURNING:
            table.phases.ask()
        table.ask_next()
        _meet_again(table)


def player_left(table: "Table", value: str) -> None:
    """A player left, with all boxes; the house treats the wagers as losing (x.7(b)).

    But for a box whose settlement has begun: its cards have decided it, and a hit of it may be announced.
    What it wins is kept for the player (reading F13).
    """
    remember(table, f"seat {value} left")
    seats = _abandoned(table, seats_in(value))
    if table.round.asking in seats:
        answering.return_chips(table, "left the table")
    table.round.left += seats
    for seat in seats:
        table.round.note(table.now, f"seat {seat} left the table", table.cite("7(b)"))
    if table.state.phase is Phase.DECIDING and table.round.asking in seats:
        table.ask_next()
    elif table.state.phase in AFTER_REVEAL:
        table.settle_again()


def _abandoned(table: "Table", boxes: list[int]) -> list[int]:
    """Return the boxes that a player who leaves abandons; the one that is being settled is none of them."""
    kept = [seat for seat in boxes if is_being_settled(table, seat)]
    table.round.kept_for += kept
    for seat in kept:
        words = f"seat {seat}: the player left while it was settled, what it wins is kept for the player"
        table.round.note(table.now, words, table.cite("7(b)"))
    return [seat for seat in boxes if seat not in kept]


def seated(table: "Table") -> list[str]:
    """The players still there, until all their boxes are settled."""
    gone = {*table.round.left, *table.round.kept_for}
    return boxes_of(table, (seat for seat in _unsettled(table) if seat not in gone))


P = Phase
BEFORE_REVEAL = (P.COUNTING_CHIPS, P.CHIP_MISMATCH, P.DEALING, P.STUB, P.DECIDING, P.TURNING)
ACTIONS = (
    Action("decide", "ANSWER", Role.DEALER, phases(P.DECIDING), "11(b)", decide, verify_decision),
    Action(
        "player_left",
        "PLAYER LEFT",
        Role.DEALER,
        phases(*BEFORE_REVEAL, *AFTER_REVEAL),
        "7(b)",
        player_left,
        values=seated,
        say=boxes_words,
    ),
)
