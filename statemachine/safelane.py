"""The safe lane: what an event locks or halts, decided before anything else of it is computed.

Theory of operation. Two things must not wait for a round to be made, a plan to be laid or a prompt to be
worded: the lock that the dealer calls for, and the stop that a device's fault calls for. Both are decided
here from a few fields, whatever the chapter, the seats or the wagers. ``Table.safe`` gives them to the
runner, which performs them; only then is the rest computed, and ``Table.handle`` repeats them at the head of
its effects, so that the journal has them too.

LOCK is answered out of what the event before it left *armed*: whether it would be in order, what it would
lock, and until when a deck is not due. A fault is answered by its row. Doubt errs on the safe side: where the
rest of the event finds that nothing has to be held after all, the table opens and frees again what the lane
closed.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sabot.statemachine import (
    accounts,
    alarms,
    dealing,
    decks,
    display,
    faults,
    lockout,
    orders,
    reading,
    shuffling,
)
from sabot.statemachine import events as ev
from sabot.statemachine.action import Refused
from sabot.statemachine.effects import Effect, HaltShoe, LockWagers
from sabot.statemachine.faultrows import FAULT_ROWS, POLICY
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

NOTHING: tuple[Effect, ...] = ()


class Armed(NamedTuple):
    """The lock that LOCK brings about, and when it is in order no more because the deck is due."""

    lock: tuple[Effect, ...]
    until: float


class Suspect(NamedTuple):
    """A fault that an event speaks of: its kind, of which device, and its rule where not its row's."""

    kind: str
    device: str
    section: str = ""


def decide(table: "Table", event: ev.Event) -> tuple[Effect, ...]:
    """Return what this event locks and halts, in the order to be performed. Changes nothing."""
    if type(event) is ev.KeyPressed:
        armed = table.armed
        if armed is None or event.key is not ev.Key.LOCK:
            return NOTHING
        return armed.lock if event.at + table.state.clock_offset < armed.until else NOTHING
    find = SUSPECTS.get(type(event))
    suspect = find(table, event) if find is not None else None
    if suspect is None or not faults.would_stop(table, suspect.kind, suspect.device):
        return _at_start(table) if type(event) is ev.Resumed else NOTHING
    cite = table.cite(suspect.section or FAULT_ROWS[suspect.kind].section)
    return LockWagers(cite=cite), HaltShoe(cite=cite)


def _at_start(table: "Table") -> tuple[Effect, ...]:
    """What is open after a start nobody knows, nor whether a shoe that was halted still is."""
    held = table.held
    return (LockWagers(cite=POLICY), *([HaltShoe(cite=held.cite)] if held is not None else ()))


def arm(table: "Table") -> None:
    """Work out what LOCK would do now, so that a press of it need not."""
    table.armed = None
    if table.state.phase is not Phase.BETS_OPEN or table.held is not None:
        return
    try:
        lockout.verify_lock(table, "")
    except Refused:
        return
    deck = table.state.decks[table.state.in_play]
    table.armed = Armed(_lock(table.told_spots, table.cite("7(c)")), decks.deadline(table, deck))


@lru_cache(maxsize=8)
def _lock(spots: frozenset[display.Spot], cite: str) -> tuple[Effect, ...]:
    """The lock of some spots; all of them are open at most events, so the same one is armed again."""
    return (LockWagers(spots=display.in_order(spots), cite=cite),)


# ---------------------------------------------------------------- the faults that events speak of


def _jammed(table: "Table", event: ev.DeviceJammed) -> Suspect:
    return Suspect(*alarms.jam(table, event))


def _faulted(table: "Table", event: ev.DeviceFaulted) -> Suspect:
    return Suspect(*alarms.fault(table, event))


def _silent(_table: "Table", event: ev.LinkLost) -> Suspect:
    return Suspect("lost_link", event.device)


def _stopped(_table: "Table", _event: ev.ShufflerStopped) -> Suspect:
    return Suspect("shuffler_jam", "shuffler")


def _other_mode(_table: "Table", event: ev.DeviceModeChanged) -> Suspect | None:
    return Suspect("sort_mode", event.device) if event.mode != "play" else None


def _emptied(table: "Table", event: ev.DeviceEmptied) -> Suspect | None:
    """Cards that are not accounted for, or a shoe that has no more cards in the deal."""
    if event.cards_in != event.cards_out:
        return Suspect("not_emptied", event.device)
    return _gone(table, event.device, {event.deck} if event.deck else set(table.state.decks))


def _ejected(table: "Table", event: ev.StubEjected) -> Suspect | None:
    if table.state.round is not None and table.round.ejecting:
        return None
    return _gone(table, event.device, {event.deck} if event.deck else set(table.state.decks))


def _found(table: "Table", event: ev.DecksFound) -> Suspect | None:
    gone = set(table.state.decks) - set(event.decks)
    return _gone(table, event.device, gone) if "" not in event.decks else None


def _gone(table: "Table", device: str, names: set[str]) -> Suspect | None:
    return Suspect("not_emptied", device, "13(f)") if alarms.ends_deal(table, device, names) else None


def _in_service(_table: "Table", event: ev.ServiceModeChanged) -> Suspect | None:
    return Suspect(orders.SERVICE, orders.CONTROLLER) if event.on else None


def _shuffled_wrong(table: "Table", event: ev.ShuffleCompleted) -> Suspect | None:
    deck = table.state.decks.get(event.deck)
    if deck is None:
        return None
    if not shuffling.may_be_in_shuffler(table, deck):
        return Suspect("contradiction", "shuffler")
    return Suspect("deck_removed", f"deck {event.deck}", "5(b)") if shuffling.why_bad(table, event) else None


def _missed(table: "Table", _event: ev.CardsMissed) -> Suspect | None:
    """A report that never came, as far as anybody reads the cards here."""
    is_read = table.state.knowledge == Knowledge.EACH_CARD and "shoe" not in table.state.out_of_order
    return Suspect(reading.MISSED, "shoe") if is_read else None


def _card(table: "Table", event: ev.CardDrawn) -> Suspect | None:
    """A card that was not due, could not be read, came twice, or came behind a report that never did."""
    if table.state.knowledge != Knowledge.EACH_CARD or "shoe" in table.state.out_of_order:
        return None
    if event.missed and table.policies.unreadable_card:
        return Suspect(reading.MISSED, "shoe")
    if not _is_due(table):
        return Suspect("card_out_of_turn", "shoe")
    if event.card is None:
        return Suspect("unreadable_card", "shoe")
    return _twice(table, (event.card,))


def _stack(table: "Table", event: ev.StackDispensed) -> Suspect | None:
    """A stack that was not due, of a wrong number, or with a card that its deck cannot give any more."""
    state = table.state
    reports = state.method.startswith("auto_shoe") and state.knowledge != Knowledge.NONE
    if not reports or "shoe" in state.out_of_order:
        return None
    if not (_is_due(table) and dealing.is_automated(table)):
        return Suspect("card_out_of_turn", "shoe")
    if event.count != (table.round.ordered or dealing.next_stack(table)):
        return Suspect("short_stack", "shoe")
    if event.cards and len(event.cards) != event.count:
        return Suspect("contradiction", "shoe")
    return _twice(table, event.cards)


def _is_due(table: "Table") -> bool:
    """Whether a card may leave the shoe now."""
    return table.state.phase is Phase.DEALING and table.held is None and not dealing.waits_for_deck(table)


def _twice(table: "Table", cards: tuple[ev.Secret, ...]) -> Suspect | None:
    """A card that the deck has given already, or has not at all."""
    is_wrong = dealing.came_twice(table, cards) or not dealing.are_of_pack(table, cards)
    return Suspect("composition", f"deck {table.round.deck}") if is_wrong else None


def _resumed(table: "Table", event: ev.Resumed) -> Suspect | None:
    """A round that a restart interrupted, or a program that had stopped itself."""
    if table.state.round is not None:
        return Suspect("restarted", orders.CONTROLLER)
    return Suspect("slip", orders.CONTROLLER) if event.slip else None


def _credited(table: "Table", event: ev.AccountCredited) -> Suspect | None:
    """A credit that is not owed: paid twice, or not as it was told."""
    is_owed = accounts.find_owed(table, event) is not None
    return None if is_owed else Suspect("contradiction", event.device)


def _counted(table: "Table", event: ev.AccountsRead) -> Suspect | None:
    return Suspect("contradiction", event.device) if accounts.has_other_stakes(table, event) else None


def _sealed(table: "Table", event: ev.DrawSealed) -> Suspect | None:
    return Suspect("contradiction", event.device) if accounts.has_other_seal(table, event) else None


SUSPECTS: Mapping[type[ev.Event], Callable[["Table", Any], Suspect | None]] = {
    ev.DeviceJammed: _jammed,
    ev.DeviceFaulted: _faulted,
    ev.LinkLost: _silent,
    ev.ShufflerStopped: _stopped,
    ev.DeviceModeChanged: _other_mode,
    ev.DeviceEmptied: _emptied,
    ev.StubEjected: _ejected,
    ev.DecksFound: _found,
    ev.ServiceModeChanged: _in_service,
    ev.ShuffleCompleted: _shuffled_wrong,
    ev.CardDrawn: _card,
    ev.CardsMissed: _missed,
    ev.StackDispensed: _stack,
    ev.Resumed: _resumed,
    ev.AccountCredited: _credited,
    ev.AccountsRead: _counted,
    ev.DrawSealed: _sealed,
}
