"""Wagers as pads and accounts report them (x.7).

A pad's word counts only on an open spot. Before the lock a player may take a wager back whenever he likes; a
chip that is placed after it goes back, and is kept as evidence with its time, like one that goes missing.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Refused
from sabot.statemachine.chips import ACCOUNT, PROGRESSIVE, contribute
from sabot.statemachine.effects import RefuseWager
from sabot.statemachine.events import AccountWager, WagerSensed
from sabot.statemachine.phases import Phase
from sabot.statemachine.state import Note

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager
    from sabot.statemachine.table import Table

P = Phase
BEFORE_CARDS = frozenset({P.BETS_OPEN, P.COUNTING_CHIPS, P.CHIP_MISMATCH, P.DEALING})
BEING_COUNTED = frozenset({P.COUNTING_CHIPS, P.CHIP_MISMATCH})
# Until here a chip of a live wager that is lifted is evidence; afterwards the dealer takes chips.
CHIPS_STAY = BEFORE_CARDS | {P.STUB, P.STUB_WRONG, P.DECIDING, P.TURNING, P.DECLARING}


def on_wager(table: "Table", event: WagerSensed) -> None:
    """A spot changed: counted when it is open, refused and kept as evidence when it is not."""
    state = table.state
    if event.cents is not None and event.cents < 0:
        raise Refused("a wager of less than nothing")
    if (event.seat, event.wager) not in table.open_spots():
        _on_closed_spot(table, event)
    elif state.phase is Phase.DECIDING:
        state.pending.number = event.cents or None
        state.pending.choice = 0 if event.cents == 0 else 1
        state.pending.fold = False
    elif event.cents == 0:
        _lift(table, event.seat, event.wager)
    else:
        state.bets.setdefault(event.seat, {})[event.wager] = event.cents


def _lift(table: "Table", seat: int, wager: str) -> None:
    bets = table.state.bets.get(seat, {})
    bets.pop(wager, None)
    if not bets:
        table.state.bets.pop(seat, None)


def _on_closed_spot(table: "Table", event: WagerSensed) -> None:
    cite = table.cite("7(c)")
    is_lifted, in_round = event.cents == 0, table.state.round is not None
    if in_round and _lies_as_it_lay(table, event):
        return
    if is_lifted and not in_round:
        _lift(table, event.seat, event.wager)
    elif in_round and (not is_lifted or _should_lie(table, event)):
        words = f"seat {event.seat} {event.wager} {'lifted' if is_lifted else 'placed'} late"
        table.state.late.append(Note(table.now, words, cite))
    if not is_lifted:
        why = "after no more bets" if in_round else "bets are not open"
        table.emit(RefuseWager(seat=event.seat, wager=event.wager, why=why, cite=cite))


def _lies_as_it_lay(table: "Table", event: WagerSensed) -> bool:
    """A wager of the round that pads tell once more, asked anew; not one that was lifted meanwhile."""
    is_counted_yet = table.state.phase in BEING_COUNTED and event.seat in table.round.bets
    if not (is_counted_yet or _should_lie(table, event)):
        return False
    stakes, lifted = table.stakes(event.seat), f"seat {event.seat} {event.wager} lifted late"
    is_same = event.wager in stakes and stakes[event.wager] == event.cents
    return is_same and all(note.words != lifted for note in table.state.late)


def _should_lie(table: "Table", event: WagerSensed) -> bool:
    """Whether a chip of this wager must still lie there; progressive ones are collected at the count."""
    round_, wager = table.round, table.chapter.wagers.get(event.wager)
    if wager is None or wager.device == PROGRESSIVE or event.seat not in round_.bets:
        return False
    is_live = event.wager in table.stakes(event.seat) and event.seat not in round_.folded
    return is_live and table.state.phase in CHIPS_STAY


# ---------------------------------------------------------------- game accounts


def on_account_wager(table: "Table", event: AccountWager) -> None:
    """A wager on a game account: accepted until the first card, for a seat that has what it requires."""
    state = table.state
    wager = table.chapter.wagers.get(event.wager)
    if wager is None or wager.device != ACCOUNT or event.wager not in table.setup.offers:
        raise Refused(f"{event.wager} is not offered on an account")
    _verify_account_wager(table, event, wager)
    bets = state.round.bets if state.round else state.bets
    if event.cents:
        bets[event.seat][event.wager] = event.cents
    else:
        del bets[event.seat][event.wager]
    if state.round:
        state.undo = None
        contribute(table, event.seat, event.wager, event.cents)


def _verify_account_wager(table: "Table", event: AccountWager, wager: "Wager") -> None:
    round_ = table.state.round
    if table.state.phase not in BEFORE_CARDS:
        raise Refused(f"no {wager.title} now ({table.cite('2(d)')})")
    if round_ is not None and (round_.drawn or round_.ordered):
        raise Refused(f"no {wager.title} after the first card ({table.cite('2(d)')})")
    bets = (round_.bets if round_ else table.state.bets).get(event.seat, {})
    if not all(any(name in bets for name in group) for group in wager.requires):
        raise Refused(f"{wager.title} at seat {event.seat} lacks what it requires ({wager.cite})")
    if round_ is not None and (event.wager in bets or not event.cents):
        raise Refused(f"{wager.title} at seat {event.seat} is locked ({table.cite('7(c)')})")
    if event.cents < 0 or (not event.cents and event.wager not in bets):
        raise Refused(f"{wager.title} at seat {event.seat}: nothing to take back")
