"""Wagers: the bet map while bets are open, and the lock-out (x.7).

A pad's word counts only on an open spot. At "no more bets" every spot closes; what does not stand by the
chapter (a wager without what it requires, out of the table's limits) goes back and never was in the round.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused, phases
from sabot.statemachine.chips import ACCOUNT, accepted, contribute
from sabot.statemachine.dealing import begin_dealing
from sabot.statemachine.decks import is_due
from sabot.statemachine.effects import RefuseWager, ReturnWager
from sabot.statemachine.events import AccountWager, Role, WagerSensed
from sabot.statemachine.phases import Phase
from sabot.statemachine.state import Note, RoundState

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def on_wager(table: "Table", event: WagerSensed) -> None:
    """A spot changed: counted when it is open, refused and kept as evidence when it is not."""
    if (event.seat, event.wager) not in table.open_spots():
        _refuse_late(table, event)
        return
    state = table.state
    if state.phase is Phase.DECIDING:
        state.pending.number = event.cents or None
        state.pending.choice = 0 if event.cents == 0 else 1
        state.pending.fold = False
        return
    if event.cents == 0:
        _lift(table, event.seat, event.wager)
        return
    table.state.bets.setdefault(event.seat, {})[event.wager] = event.cents


def _lift(table: "Table", seat: int, wager: str) -> None:
    bets = table.state.bets.get(seat, {})
    bets.pop(wager, None)
    if not bets:
        table.state.bets.pop(seat, None)


def _refuse_late(table: "Table", event: WagerSensed) -> None:
    """After the lock a chip placed never counts; a chip lifted is evidence."""
    late = "lifted late" if event.cents == 0 else "placed late"
    cite = table.cite("7(c)")
    table.state.late.append(Note(event.at, f"seat {event.seat} {event.wager} {late}", cite))
    if event.cents != 0:
        table.emit(RefuseWager(seat=event.seat, wager=event.wager, why="after no more bets", cite=cite))


def on_account_wager(table: "Table", event: AccountWager) -> None:
    """A wager on a game account: accepted until the first card, for a seat that has what it requires."""
    state = table.state
    wager = table.chapter.wagers.get(event.wager)
    if wager is None or wager.device != ACCOUNT or event.wager not in table.setup.offers:
        raise Refused(f"{event.wager} is not offered on an account")
    bets = state.round.bets if state.round else state.bets
    has_begun = state.round is not None and (state.round.drawn > 0 or state.phase not in _BEFORE_CARDS)
    if has_begun or event.cents <= 0:
        raise Refused(f"no {wager.title} after the first card ({table.cite('2(d)')})")
    seat_bets = bets.get(event.seat, {})
    if not all(any(name in seat_bets for name in group) for group in wager.requires):
        raise Refused(f"{wager.title} at seat {event.seat} lacks what it requires ({wager.cite})")
    seat_bets[event.wager] = event.cents
    if state.round:
        contribute(table, event.seat, event.wager, event.cents)


_BEFORE_CARDS = frozenset({Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, Phase.DEALING})


def why_not_standing(table: "Table", seat: int, wager: str, bets: dict[str, int | None]) -> str:
    """Why a wager may not stand in the round, empty when it may."""
    spec, cents, setup = table.chapter.wagers[wager], bets[wager], table.setup
    for group in spec.requires:
        if not any(name in bets for name in group):
            return f"needs {' or '.join(group)} ({spec.cite})"
    if spec.envy and cents is not None and cents != setup.options.progressive_unit:
        return f"not the unit of {setup.options.progressive_unit} cents"
    if cents is not None and not spec.envy:
        if cents < setup.minimum_cents:
            return f"under the minimum of {setup.minimum_cents} cents"
        if setup.maximum_cents and cents > setup.maximum_cents:
            return f"over the maximum of {setup.maximum_cents} cents"
    return "" if 1 <= seat <= setup.seat_count else f"there is no seat {seat}"


def _standing(table: "Table") -> dict[int, dict[str, int | None]]:
    """The bet map without what may not stand, found again until nothing more falls."""
    standing = {seat: dict(bets) for seat, bets in table.state.bets.items()}
    while True:
        fallen = [
            (seat, wager)
            for seat, bets in standing.items()
            for wager in bets
            if why_not_standing(table, seat, wager, bets)
        ]
        for seat, wager in fallen:
            del standing[seat][wager]
        if not fallen:
            return {seat: bets for seat, bets in sorted(standing.items()) if bets}


def verify_lock(table: "Table", _value: str) -> None:
    """A dealer, a deck that is ready and not due, and somebody to deal to."""
    state = table.state
    if not state.dealer:
        raise Refused("no dealer has signed on")
    deck = state.decks.get(state.in_play)
    if deck is None or not deck.ready:
        raise Refused("no deck is ready")
    if is_due(table, deck):
        raise Refused(f"deck {deck.name} is due for change ({table.chapter.deck.rules['change'].cite})")
    if not _standing(table):
        raise Refused("nobody has a wager that stands")
    _verify_adjacency(table)


def _verify_adjacency(table: "Table") -> None:
    """One player, so many adjacent boxes and no more (x.7(e))."""
    boxes: dict[str, list[int]] = {}
    for seat in _standing(table):
        boxes.setdefault(player_of(table, seat), []).append(seat)
    for seats in boxes.values():
        if len(seats) > table.setup.adjacent_boxes:
            raise Refused(f"one player on {len(seats)} boxes ({table.cite('7(e)')})")


def player_of(table: "Table", seat: int) -> str:
    """Who plays a box."""
    return table.state.boxes.get(seat, f"seat{seat}")


def lock(table: "Table", _value: str) -> None:
    """No more bets: the standing wagers make the round, the others go back."""
    state = table.state
    standing = _standing(table)
    for seat, bets in state.bets.items():
        for wager, cents in bets.items():
            if wager not in standing.get(seat, {}):
                table.emit(ReturnWager(seat=seat, wager=wager, cents=cents, cite=table.cite("7(d)")))
    state.rounds += 1
    state.round = RoundState(
        number=state.rounds,
        deck=state.in_play,
        dealer=state.dealer,
        started_at=table.now,
        method=state.method,
        knowledge=state.knowledge,
        bets=standing,
        players={seat: player_of(table, seat) for seat in standing},
        meters_before=table.meters(),
    )
    state.bets = {}
    for seat, bets in standing.items():
        for wager, cents in bets.items():
            contribute(table, seat, wager, cents)
    if accepted(table):
        table.phases.lock()
        state.pending.number = 0
    else:
        table.phases.lock_without_chips()
        begin_dealing(table)


def join_boxes(table: "Table", value: str) -> None:
    """Two adjacent boxes are one player's."""
    left, right = (int(word) for word in value.split("+"))
    table.state.boxes[right] = player_of(table, left)
    table.note(f"seats {value} are one player", table.cite("7(e)"))


def box_pairs(table: "Table") -> list[str]:
    """Neighbouring boxes that may be joined."""
    return [f"{seat}+{seat + 1}" for seat in range(1, table.setup.seat_count)]


ACTIONS = (
    Action("lock", "NO MORE BETS", Role.DEALER, phases(Phase.BETS_OPEN), "8(b)", lock, verify_lock),
    Action("join_boxes", "JOIN BOXES", Role.DEALER, BETWEEN_ROUNDS, "7(e)", join_boxes, values=box_pairs),
)
