"""Taking back the last declaration: an irregularity, a card face up, a player who left, boxes joined.

Before such an entry the round is kept as it stood. BACK puts it there again until the next step is confirmed
or the next card leaves; a round that became void is the floor's to restore, as long as no payment, no account
and no deck stands against it. What was declared stays in the record, and so does that it was taken back.
"""

from copy import deepcopy
from typing import TYPE_CHECKING

from sabot.statemachine import hits, linked, settling
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.chips import ACCOUNT
from sabot.statemachine.dealing import free_recalled, order_stack
from sabot.statemachine.effects import RestoreRound
from sabot.statemachine.events import Role
from sabot.statemachine.ledger import STANDS, Cause
from sabot.statemachine.phases import Phase
from sabot.statemachine.settled import begun
from sabot.statemachine.state import Undo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sabot.statemachine.table import Table

VOID, BY_FLOOR = "the round is void: only the floor can undo it", "only the floor can undo it"


def remember(table: "Table", words: str) -> None:
    """Keep what stands before a declaration."""
    state = table.state
    state.undo = Undo(words, table.phases.state, dict(state.boxes))
    if state.round is not None:
        state.undo.round = deepcopy(state.round)
        state.undo.contributions = list(state.ledger.contributions)


def may_take_back(table: "Table") -> bool:
    """Whether the last thing that happened was a declaration."""
    return table.state.undo is not None


def is_the_floors(table: "Table") -> bool:
    """Whether the last declaration voids something, or would: then it is the floor's in every chapter."""
    undo, now = table.state.undo, table.state.round
    if undo is None or undo.round is None or now is None:
        return False
    before = undo.round
    return any(getattr(now, name) != getattr(before, name) for name in ("void", "irregularity", "exposed"))


def take_back(table: "Table") -> None:
    """BACK: the last declaration was a mistake."""
    undo = table.state.undo
    assert undo is not None  # the caller looked
    if undo.round is None:
        table.state.boxes = undo.boxes
        _forget(table, undo, table.state.dealer)
        return
    if table.round.void:
        raise Refused(VOID)
    if is_the_floors(table):
        raise Refused(BY_FLOOR)
    _restore(table, undo, table.round.dealer)


def _restore(table: "Table", undo: Undo, by: str) -> None:
    """The round as it stood, but for what the record and the shoe have had since."""
    before, now = undo.round, table.round
    assert before is not None  # the caller looked
    before.notes, before.ordered, before.delayed = now.notes, now.ordered, now.delayed
    table.state.round = before
    _move_back(table, undo.phase)
    # A new outcome may have let go of a hit that was announced; of a round with one no void is undone.
    hits.tell_again(table, now.frozen)
    settling.claim_again(table)
    table.clear_pending()
    _forget(table, undo, by)


def _move_back(table: "Table", phase: Phase) -> None:
    """From where a declaration led to where it was made."""
    for trigger in _BACK.get((table.phases.state, phase), ()):
        getattr(table.phases, trigger)()


_BACK: "Mapping[tuple[Phase, Phase], tuple[str, ...]]" = {
    (Phase.DEALING, Phase.STUB): ("dealt",),
    (Phase.TURNING, Phase.DECIDING): ("ask",),
    (Phase.SETTLING, Phase.DECLARING): ("declare_again",),
    # Without the words of whoever left a hand may be open again that had followed from them.
    (Phase.DECLARING, Phase.SETTLING): ("settle",),
    (Phase.DECLARING, Phase.VALIDATING): ("settle", "hit"),
    (Phase.SETTLING, Phase.VALIDATING): ("hit",),
}


def _forget(table: "Table", undo: Undo, by: str) -> None:
    table.note(f"{undo.words} taken back", table.cite("13" if undo.round else "7(e)"), by)
    table.state.undo = None
    if table.phases.state is Phase.DEALING:
        order_stack(table)


# ---------------------------------------------------------------- by the floor


def verify_undo(table: "Table", _value: str) -> None:
    """Nothing that cannot be put back: a payment, an account, a deck that left."""
    undo = table.state.undo
    if undo is None or undo.round is None:
        raise Refused("the round was not made void by the last entry")
    if not table.round.void:
        return
    wagers = table.chapter.wagers
    if begun(undo.round):
        raise Refused("seats were settled before the void")
    if any(wagers[wager].device == ACCOUNT for bets in undo.round.bets.values() for wager in bets):
        raise Refused("account wagers went back to their accounts")
    if undo.round.deck not in table.state.decks:
        raise Refused(f"the deck has left the table ({table.cite('8(h)')})")


def undo_void(table: "Table", _value: str) -> None:
    """The floor finds that there was nothing to void: the round stands where it stood."""
    undo, by = table.state.undo, table.person(Role.FLOOR)
    assert undo is not None  # verified
    if not table.round.void:
        _restore(table, undo, by)
        return
    cause = Cause(STANDS, table.round.number)
    table.state.ledger.feed_again(undo.contributions, cause)
    linked.give_again(table)
    table.state.day.voids -= 1
    table.emit(RestoreRound(why=f"{undo.words} taken back", cite=table.cite("13")))
    free_recalled(table, table.cite("13"))
    getattr(table.phases, f"stand_{undo.phase.value}")()
    _restore(table, undo, by)


ACTIONS = (
    Action(
        "undo_void",
        "UNDO VOID",
        Role.FLOOR,
        phases(Phase.RETURNING, Phase.DEALING, Phase.STUB, Phase.DECIDING, Phase.TURNING),
        "13",
        undo_void,
        verify_undo,
        when=is_the_floors,
        while_held=True,
    ),
)
