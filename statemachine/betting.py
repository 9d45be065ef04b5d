"""Wagers as pads and accounts report them (x.7).

A pad's word counts only on an open spot. Before the lock a player may take a wager back whenever he likes; a
chip that is placed after it goes back, and is kept as evidence with its time, like one that goes missing.
A wager on a game account lives by the same clock. It names a seat and no person, so it falls when chips are
laid where its Ante was lifted: it never plays for whoever sits there next.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import answering, late, linked
from sabot.statemachine.action import Refused
from sabot.statemachine.chips import ACCOUNT, PROGRESSIVE, give_back
from sabot.statemachine.effects import AcceptWager, RefuseWager
from sabot.statemachine.events import AccountWager, WagerSensed
from sabot.statemachine.lockout import went_back, why_not_standing
from sabot.statemachine.phases import Phase

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager
    from sabot.statemachine.table import Table

P = Phase
BEING_COUNTED = frozenset({P.COUNTING_CHIPS, P.CHIP_MISMATCH})


def on_wager(table: "Table", event: WagerSensed) -> None:
    """A spot changed: counted when it is open, refused and kept as evidence when it is not."""
    state = table.state
    if event.cents is not None and event.cents < 0:
        raise Refused("a wager of less than nothing")
    table.looked.changed(event.seat)
    if (event.seat, event.wager) not in table.open_spots():
        _on_closed_spot(table, event)
    elif state.phase is Phase.DECIDING:
        answering.feel(table, event.cents)
    elif event.cents == 0:
        _lift(table, event.seat, event.wager)
    else:
        _return_orphans(table, event.seat)
        state.bets.setdefault(event.seat, {})[event.wager] = event.cents


def _lift(table: "Table", seat: int, wager: str) -> None:
    bets = table.state.bets.get(seat, {})
    bets.pop(wager, None)
    if not bets:
        table.state.bets.pop(seat, None)


def _on_closed_spot(table: "Table", event: WagerSensed) -> None:
    cite = table.cite("7(c)")
    is_lifted, in_round = event.cents == 0, table.state.round is not None
    if _is_asked_for(table, event):
        answering.feel(table, event.cents)
    if in_round and (_is_put_right(table, event) or _lies_as_it_lay(table, event)):
        return
    if is_lifted and not in_round:
        _lift(table, event.seat, event.wager)
    elif in_round and (not is_lifted or _should_lie(table, event)):
        late.note_change(table, event.seat, event.wager, event.cents)
    if not is_lifted:
        shut = linked.why_shut(table, event.wager) or "bets are not open"
        why = "after no more bets" if in_round else shut
        table.emit(RefuseWager(seat=event.seat, wager=event.wager, why=why, cite=cite))


def _is_put_right(table: "Table", event: WagerSensed) -> bool:
    """What came too late is gone, what was taken lies there again, what did not stand was handed back."""
    if went_back(table, event.seat, event.wager, event.cents):
        return True
    return late.is_right_again(table, event.seat, event.wager, event.cents)


def _is_asked_for(table: "Table", event: WagerSensed) -> bool:
    """The spot of the answer that is being entered, closed while the table is held."""
    if table.state.phase is not Phase.DECIDING:
        return False
    return (event.seat, event.wager) == (table.round.asking, answering.second_wager(table))


def _lies_as_it_lay(table: "Table", event: WagerSensed) -> bool:
    """A wager of the round that pads tell once more, asked anew."""
    is_counted_yet = table.state.phase in BEING_COUNTED and event.seat in table.round.bets
    if not (is_counted_yet or _should_lie(table, event)):
        return False
    stakes = table.stakes(event.seat)
    return event.wager in stakes and stakes[event.wager] == event.cents


def _should_lie(table: "Table", event: WagerSensed) -> bool:
    """Whether a chip of this wager must still lie there; progressive ones are collected at the count."""
    round_, wager = table.round, table.chapter.wagers.get(event.wager)
    if wager is None or wager.device == PROGRESSIVE or event.seat not in round_.bets:
        return False
    is_live = event.wager in table.stakes(event.seat) and event.seat not in round_.folded
    return is_live and table.state.phase in late.CHIPS_STAY


# ---------------------------------------------------------------- game accounts


def on_account_wager(table: "Table", event: AccountWager) -> None:
    """A wager on a game account: taken like a chip until "no more bets", within its limits (x.7(c))."""
    wager = table.chapter.wagers.get(event.wager)
    is_offered = event.wager in table.setup.offers
    if wager is None or wager.device != ACCOUNT or not (is_offered or event.ticket):
        raise Refused(f"{event.wager} is not offered on an account")
    _verify_sense(table, event, wager)
    table.looked.changed(event.seat)
    why, cite = _why_not_taken(table, event)
    if why:
        words = f"seat {event.seat} {event.wager} of {event.cents} refused: {why}"
        table.note(words, cite)
        table.emit(RefuseWager(seat=event.seat, wager=event.wager, why=why, ticket=event.ticket, cite=cite))
        return
    seat, name, cents = event.seat, event.wager, event.cents
    if cents:
        table.state.bets[seat][name] = cents
    else:
        _lift(table, seat, name)
    table.emit(AcceptWager(seat=seat, wager=name, cents=cents, ticket=event.ticket, cite=wager.cite))


def _verify_sense(table: "Table", event: AccountWager, wager: "Wager") -> None:
    """Raise what no player can mean."""
    if event.cents < 0:
        raise Refused("a wager of less than nothing")
    if not 1 <= event.seat <= table.setup.seat_count:
        raise Refused(f"there is no seat {event.seat}")
    is_made = event.wager in table.state.bets.get(event.seat, {})
    if not event.cents and not is_made and table.state.round is None and not event.ticket:
        raise Refused(f"{wager.title} at seat {event.seat}: nothing to take back")


def _why_not_taken(table: "Table", event: AccountWager) -> tuple[str, str]:
    """Why an account wager is refused now, and by which rule (both empty: it is not).

    2(d) is the least that the mechanism does: it prevents a wager once the deal has begun. 7(c) and 8(b) ask
    for more, and they hold.
    """
    if table.state.round is not None:
        return "after no more bets", f"{table.cite('7(c)')}, {table.cite('8(b)')}"
    if event.wager not in table.setup.offers:
        return "not offered here", table.chapter.wagers[event.wager].cite
    if not event.cents:
        is_made = event.wager in table.state.bets.get(event.seat, {})
        return ("", "") if is_made else ("nothing to take back", table.cite("7(c)"))
    if table.state.phase is not Phase.BETS_OPEN or not table.open_spots():
        return "bets are not open", table.cite("7(c)")
    placed = table.state.bets.get(event.seat, {}) | {event.wager: event.cents}
    return why_not_standing(table.setup, event.wager, placed), table.chapter.wagers[event.wager].cite


def _return_orphans(table: "Table", seat: int) -> None:
    """Give back wagers on account that have lost their Ante: the chips laid now may be somebody else's."""
    bets, wagers = table.state.bets.get(seat, {}), table.chapter.wagers
    if bets.keys().isdisjoint(table.account_wagers):
        return
    for name in [name for name in bets if name in table.account_wagers]:
        if not any(bets.keys().isdisjoint(group) for group in wagers[name].requires):
            continue
        cents, cite = bets.pop(name), wagers[name].cite
        table.emit(RefuseWager(seat=seat, wager=name, why="its Ante was lifted", cite=cite))
        give_back(table, seat, name, cents, cite)
        table.note(f"seat {seat} {name} of {cents} went back: its Ante was lifted", cite)
