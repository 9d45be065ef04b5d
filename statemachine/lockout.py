"""No more bets: what stands makes the round, and every spot closes at once (x.7, x.8(b)).

What does not stand by the chapter (a wager without what it requires, out of the table's limits) goes back
and never was in the round; the record says why.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.boxes import player_of
from sabot.statemachine.chips import accepted, give_back, shares
from sabot.statemachine.dealing import begin_dealing
from sabot.statemachine.decks import is_due
from sabot.statemachine.effects import RefuseWager
from sabot.statemachine.events import Role
from sabot.statemachine.outoforder import verify_devices
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Setup
from sabot.statemachine.state import RoundState

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

MOST_KEPT = 64
Bets = dict[int, dict[str, int | None]]
SeatBets = tuple[tuple[str, int | None], ...]


def why_not_standing(setup: Setup, wager: str, bets: dict[str, int | None]) -> str:
    """Why a wager may not stand in the round, empty when it may."""
    spec, cents = setup.chapter.wagers[wager], bets[wager]
    for group in spec.requires:
        if bets.keys().isdisjoint(group):
            return f"needs {' or '.join(group)} ({spec.cite})"
    if cents is None:
        return ""
    if spec.envy:
        unit = setup.options.progressive_unit
        return "" if cents == unit else f"not the unit of {unit} cents"
    least, most = setup.limits_of(wager)
    if cents < least:
        return f"under the minimum of {least} cents"
    if most and cents > most:
        return f"over the maximum of {most} cents"
    return ""


def kept_verdicts(setup: Setup) -> Callable[[SeatBets], bool]:
    """Whether all wagers of a seat stand; players bet alike, so the last few answers are kept."""

    @lru_cache(maxsize=MOST_KEPT)
    def all_stand(placed: SeatBets) -> bool:
        bets = dict(placed)
        return not any(why_not_standing(setup, wager, bets) for wager in bets)

    return all_stand


def standing_bets(table: "Table", placed: Bets) -> tuple[Bets, dict[tuple[int, str], str]]:
    """A bet map without what may not stand, and why each of those fell."""
    standing = {seat: dict(bets) for seat, bets in placed.items()}
    why: dict[tuple[int, str], str] = {}
    while True:
        fallen = {
            (seat, wager): reason
            for seat, bets in standing.items()
            if not table.all_stand(tuple(bets.items()))
            for wager in bets
            if (reason := why_not_standing(table.setup, wager, bets))
        }
        for seat, wager in fallen:
            del standing[seat][wager]
        why |= fallen
        if not fallen:
            return {seat: bets for seat, bets in sorted(standing.items()) if bets}, why


def verify_lock(table: "Table", _value: str) -> None:
    """A dealer, devices that were inspected, a deck that is ready and not due, and somebody to deal to."""
    state = table.state
    if not state.dealer:
        raise Refused("no dealer has signed on")
    if not state.checklist:
        raise Refused("shoe and shuffler not inspected today")
    deck = state.decks.get(state.in_play)
    if deck is None or not deck.ready:
        raise Refused("no deck is ready")
    if is_due(table, deck):
        raise Refused(f"deck {deck.name} is due for change ({table.chapter.deck.rules['change'].cite})")
    verify_devices(table)
    if not any(_stands(table, seat) for seat in state.bets):
        raise Refused("nobody has a wager that stands")
    _verify_adjacency(table)


def _stands(table: "Table", seat: int) -> bool:
    """Whether any wager of a seat stands; what its neighbours have does not matter."""
    standing, _ = standing_bets(table, {seat: table.state.bets[seat]})
    return bool(standing)


def _verify_adjacency(table: "Table") -> None:
    """One player, so many adjacent boxes and no more (x.7(e)); until boxes are joined each is its own."""
    if not table.state.boxes:
        return
    most, boxes = table.setup.adjacent_boxes, dict[str, list[int]]()
    for seat in sorted(table.state.bets):
        boxes.setdefault(player_of(table, seat), []).append(seat)
    for seats in boxes.values():
        count = sum(_stands(table, seat) for seat in seats) if len(seats) > most else 0
        if count > most:
            raise Refused(f"one player on {count} boxes ({table.cite('7(e)')})")


def lock(table: "Table", _value: str) -> None:
    """No more bets: the standing wagers make the round, the others go back."""
    state = table.state
    standing, fallen = standing_bets(table, state.bets)
    for (seat, wager), why in fallen.items():
        table.emit(RefuseWager(seat=seat, wager=wager, why=why, cite=table.cite("7(d)")))
        give_back(table, seat, wager, state.bets[seat][wager], table.cite("7(d)"))
    state.rounds += 1
    state.round = _new_round(table, standing)
    state.bets = {}
    for (seat, wager), why in fallen.items():
        table.note(f"seat {seat} {wager} went back: {why}", table.cite("7(d)"))
    state.ledger.take_in(shares(table, standing))
    if accepted(table):
        table.phases.lock()
        state.pending.number = 0
    else:
        table.phases.lock_without_chips()
        begin_dealing(table)


def _new_round(table: "Table", standing: Bets) -> RoundState:
    """A round, with what was noted since the last one."""
    state = table.state
    notes, state.notes = state.notes, []
    deck = state.decks[state.in_play]
    if state.method not in deck.methods:
        deck.methods.append(state.method)
    return RoundState(
        number=state.rounds,
        deck=state.in_play,
        dealer=state.dealer,
        started_at=table.now,
        method=state.method,
        knowledge=state.knowledge,
        bets=standing,
        players={seat: player_of(table, seat) for seat in standing},
        meters_before=table.meters(),
        notes=notes,
    )


ACTIONS = (Action("lock", "NO MORE BETS", Role.DEALER, phases(Phase.BETS_OPEN), "8(b)", lock, verify_lock),)
