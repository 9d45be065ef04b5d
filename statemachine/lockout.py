"""No more bets: what stands makes the round, and every spot closes at once (x.7, x.8(b)).

What does not stand by the chapter (a wager without what it requires, out of the table's limits) goes back
and never was in the round; the record says why.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from sabot.statemachine import linked
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.boxes import player_of
from sabot.statemachine.chips import ACCOUNT, accepted, give_back, shares
from sabot.statemachine.dealing import begin_dealing
from sabot.statemachine.decks import is_due
from sabot.statemachine.effects import RefuseWager
from sabot.statemachine.events import Role
from sabot.statemachine.late import TOLD_IN
from sabot.statemachine.outoforder import verify_devices
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Setup
from sabot.statemachine.state import GoesBack, Note, RoundState

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

MOST_KEPT = 64
# What did not stand is handed back before cards are dealt by hand; a device may deal meanwhile.
HANDING_BACK = phases(Phase.COUNTING_CHIPS, Phase.DEALING)
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
    standing, why = linked.without_shut(table, placed)
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


class Looked:
    """The wagers that would go back if it were locked now; a seat is looked at when its wagers changed."""

    def __init__(self) -> None:
        self._dark: dict[int, tuple[tuple[int, str], ...]] = {}
        self._changed: set[int] | None = None

    def changed(self, seat: int) -> None:
        """Look at this seat."""
        if self._changed is not None:
            self._changed.add(seat)

    def away(self) -> None:
        """No wager is taken: look at all of them when bets are open again."""
        self._dark, self._changed = {}, None

    def dark(self, table: "Table") -> tuple[tuple[int, str], ...]:
        """Return what would go back, in order."""
        bets = table.state.bets
        for seat in bets if self._changed is None else self._changed:
            self._look(table, seat, bets.get(seat, {}))
        self._changed = set()
        return tuple(spot for seat in sorted(self._dark) for spot in self._dark[seat])

    def _look(self, table: "Table", seat: int, bets: dict[str, int | None]) -> None:
        self._dark.pop(seat, None)
        if (table.links and linked.has_shut(table, bets)) or any(
            why_not_standing(table.setup, wager, bets) for wager in bets
        ):
            self._dark[seat] = tuple(sorted(standing_bets(table, {seat: bets})[1]))


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
    bets = table.state.bets[seat]
    if bets and table.all_stand(tuple(bets.items())):
        return True
    standing, _ = standing_bets(table, {seat: bets})
    return bool(standing)


def _verify_adjacency(table: "Table") -> None:
    """One player, so many boxes side by side and no more (x.7(e)); until boxes are joined each is its own."""
    if not table.state.boxes:
        return
    boxes: dict[str, list[int]] = {}
    for seat in sorted(table.state.bets):
        boxes.setdefault(player_of(table, seat), []).append(seat)
    for seats in boxes.values():
        _verify_boxes(table, [seat for seat in seats if _stands(table, seat)] if len(seats) > 1 else seats)


def _verify_boxes(table: "Table", seats: list[int]) -> None:
    if len(seats) > table.setup.adjacent_boxes:
        raise Refused(f"one player on {len(seats)} boxes ({table.cite('7(e)')})")
    for left, right in pairwise(seats):
        if right - left > 1:
            raise Refused(f"boxes {left} and {right} are not adjacent ({table.cite('7(e)')})")


def lock(table: "Table", _value: str) -> None:
    """No more bets: the standing wagers make the round, the others go back."""
    state = table.state
    standing, fallen = standing_bets(table, state.bets)
    for (seat, wager), why in fallen.items():
        table.emit(RefuseWager(seat=seat, wager=wager, why=why, cite=table.cite("7(d)")))
        give_back(table, seat, wager, state.bets[seat][wager], table.cite("7(d)"))
    state.rounds += 1
    state.round = _new_round(table, standing)
    state.round.hand_back = [
        GoesBack(seat, wager, state.bets[seat][wager])
        for seat, wager in sorted(fallen)
        if table.chapter.wagers[wager].device != ACCOUNT
    ]
    state.bets = {}
    for (seat, wager), why in fallen.items():
        table.note(f"seat {seat} {wager} went back: {why}", table.cite("7(d)"))
    state.ledger.take_in(shares(table, standing))
    linked.begin_round(table, standing)
    if accepted(table):
        table.phases.lock()
    else:
        table.phases.lock_without_chips()
        begin_dealing(table)


def to_hand_back(table: "Table") -> GoesBack | None:
    """The chips to hand back before anything else is done with the dealer's hands (x.7(d))."""
    if table.state.round is None or not table.round.hand_back:
        return None
    phase = table.state.phase
    return next(
        (each for each in table.round.hand_back if phase in (TOLD_IN if each.way else HANDING_BACK)), None
    )


def went_back(table: "Table", seat: int, wager: str, cents: int | None) -> bool:
    """Whether a spot with chips that did not stand is empty now: nothing is left there to hand back."""
    round_ = table.round
    left = [each for each in round_.hand_back if (each.seat, each.wager, each.way) != (seat, wager, "")]
    is_gone = cents == 0 and len(left) < len(round_.hand_back)
    round_.hand_back = left if is_gone else round_.hand_back
    return is_gone


def handed_back(table: "Table", _value: str) -> None:
    """The dealer says so; a table without pads has no other word for it."""
    back = to_hand_back(table)
    assert back is not None  # it was verified
    table.round.hand_back.remove(back)
    if back.way:
        words = f"seat {back.seat} {back.wager} put right, said the dealer"
        table.state.late.append(Note(table.now, words, table.cite("7(c)"), table.state.dealer))


def _verify_hand_back(table: "Table", _value: str) -> None:
    if to_hand_back(table) is None:
        raise Refused("nothing is to be handed back")


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


ACTIONS = (
    Action("lock", "NO MORE BETS", Role.DEALER, phases(Phase.BETS_OPEN), "8(b)", lock, verify_lock),
    Action("handed_back", "CHIPS HANDED BACK", Role.DEALER, TOLD_IN, "7(d)", handed_back, _verify_hand_back),
)
