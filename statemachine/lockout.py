"""No more bets: what stands makes the round, and every spot closes at once (x.7, x.8(b)).

What does not stand by the chapter (a wager without what it requires, out of the table's limits) goes back
and never was in the round; the record says why.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.boxes import player_of
from sabot.statemachine.chips import accepted, give_back, shares
from sabot.statemachine.dealing import begin_dealing
from sabot.statemachine.decks import is_due
from sabot.statemachine.events import Role
from sabot.statemachine.outoforder import verify_devices
from sabot.statemachine.phases import Phase
from sabot.statemachine.state import RoundState

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

Bets = dict[int, dict[str, int | None]]


def why_not_standing(table: "Table", wager: str, bets: dict[str, int | None]) -> str:
    """Why a wager may not stand in the round, empty when it may."""
    spec, cents, setup = table.chapter.wagers[wager], bets[wager], table.setup
    for group in spec.requires:
        if bets.keys().isdisjoint(group):
            return f"needs {' or '.join(group)} ({spec.cite})"
    if cents is None:
        return ""
    if spec.envy:
        unit = setup.options.progressive_unit
        return "" if cents == unit else f"not the unit of {unit} cents"
    if cents < setup.minimum_cents:
        return f"under the minimum of {setup.minimum_cents} cents"
    if setup.maximum_cents and cents > setup.maximum_cents:
        return f"over the maximum of {setup.maximum_cents} cents"
    return ""


def standing_bets(table: "Table") -> tuple[Bets, dict[tuple[int, str], str]]:
    """The bet map without what may not stand, and why each of those fell."""
    standing = {seat: dict(bets) for seat, bets in table.state.bets.items()}
    why: dict[tuple[int, str], str] = {}
    while True:
        fallen = {
            (seat, wager): reason
            for seat, bets in standing.items()
            for wager in bets
            if (reason := why_not_standing(table, wager, bets))
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
    standing, _ = standing_bets(table)
    if not standing:
        raise Refused("nobody has a wager that stands")
    _verify_adjacency(table, standing)


def _verify_adjacency(table: "Table", standing: Bets) -> None:
    """One player, so many adjacent boxes and no more (x.7(e))."""
    boxes: dict[str, list[int]] = {}
    for seat in standing:
        boxes.setdefault(player_of(table, seat), []).append(seat)
    for seats in boxes.values():
        if len(seats) > table.setup.adjacent_boxes:
            raise Refused(f"one player on {len(seats)} boxes ({table.cite('7(e)')})")


def lock(table: "Table", _value: str) -> None:
    """No more bets: the standing wagers make the round, the others go back."""
    state = table.state
    standing, fallen = standing_bets(table)
    for seat, wager in fallen:
        give_back(table, seat, wager, state.bets[seat][wager], table.cite("7(d)"))
    state.rounds += 1
    state.round = _new_round(table, standing)
    state.bets = {}
    for (seat, wager), why in fallen.items():
        table.note(f"seat {seat} {wager} went back: {why}", table.cite("7(d)"))
    entries = (entry for seat, bets in standing.items() for entry in shares(table, seat, bets))
    state.ledger.take_in(list(entries))
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
