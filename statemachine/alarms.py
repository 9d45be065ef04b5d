"""What devices report of themselves: jams, faults, tests, modes, lost links, cards left inside (x.13(e)-(f)).

Each report finds its row in the table of faults. What means that an automated shoe stopped in a deal voids
the round, and what means that a shuffle failed has its cards shuffled anew, by whatever word the device says
it and whatever policy latches it. A device's own word that a cause is gone counts as its test, never as the
release: that is a person's.
"""

from typing import TYPE_CHECKING, NamedTuple

from sabot.statemachine.action import Refused
from sabot.statemachine.dealing import doubt_exit, has_begun, waits_for_shoe
from sabot.statemachine.events import (
    DecksFound,
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    LinkLost,
    LinkRestored,
    StubEjected,
)
from sabot.statemachine.faultrows import kind_of
from sabot.statemachine.faults import hold
from sabot.statemachine.irregular import irregular
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Shuffler
from sabot.statemachine.shuffling import (
    FAILS,
    fail_shuffle,
    is_shuffler,
    jam_shuffler,
    reshuffle_locked,
    sorted_by,
    unblock,
)
from sabot.statemachine.state import Deck, Hold

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

ONE_MACHINE = {"shoe", "shuffler"}


# What is certain: a shoe of which one of these is latched deals no more (x.13(f); reading V19).
STOPS = frozenset({"device", "lost_link", "short_stack", "sort_mode", "not_emptied"})


class Alarm(NamedTuple):
    """What a device's report is latched as: the kind of fault, under which name, and its rule."""

    kind: str
    device: str
    section: str = ""


def is_shoe(table: "Table", device: str) -> bool:
    """Whether a device deals: a shuffler does only where it is the shoe too."""
    return device == "shoe" or (device == "shuffler" and table.state.shuffler == Shuffler.RESHUFFLER)


def jam(table: "Table", event: DeviceJammed) -> Alarm:
    """Return as which fault a jam is latched: of what shuffles by (e), of what deals by (f)."""
    if not is_shoe(table, event.device) and is_shuffler(table, event.device):
        return Alarm("shuffler_jam", event.device, "13(e)")
    shuffles = is_shuffler(table, event.device) and not waits_for_shoe(table)
    return Alarm("device", event.device, "13(e)" if shuffles else "13(f)")


def fault(table: "Table", event: DeviceFaulted) -> Alarm:
    """Return as which fault a device's own is latched; what keeps a shuffler from shuffling is (e)'s."""
    kind = kind_of(event.fault)
    fails = kind == "device" and is_shuffler(table, event.device) and not waits_for_shoe(table)
    return Alarm(kind, event.device, "13(e)" if fails else "")


def on_jam(table: "Table", event: DeviceJammed) -> None:
    """An automated shoe that jams voids the round (x.13(f)); a shoe drawn by hand never does by itself."""
    alarm = jam(table, event)
    if is_shoe(table, event.device) and waits_for_shoe(table):
        _void(table)
    elif is_shuffler(table, event.device):
        jam_shuffler(table)
    _latch(table, alarm, event.cause)


def on_fault(table: "Table", event: DeviceFaulted) -> None:
    """A device's own fault, or what its driver found."""
    alarm = fault(table, event)
    if alarm.kind == "exit_sensor":
        doubt_exit(table)
    _heed(table, alarm.device, alarm.kind)
    _latch(table, alarm, event.detail or event.fault)


def _latch(table: "Table", alarm: Alarm, why: str) -> None:
    hold(table, alarm.kind, alarm.device, why, table.cite(alarm.section) if alarm.section else "")


def _heed(table: "Table", device: str, kind: str) -> None:
    """Do what the law has of a shoe that stopped in a deal, and of a shuffle that failed."""
    if kind in STOPS and is_shoe(table, device) and has_begun(table):
        _void(table)
    if kind in FAILS and is_shuffler(table, device):
        fail_shuffle(table)


def _void(table: "Table") -> None:
    table.state.undo = None  # what a device did nobody takes back
    irregular(table, "shoe_jam")


def on_retested(table: "Table", event: DeviceRetested) -> None:
    """The cause was tested again; good or not, only a person lifts the hold.

    One that stays bad says which doubt remains, which whoever asks reads from now on. A device that finds
    itself well does not account for cards that are missing by its own count: emptying it does.
    """
    found = [each for each in table.state.holds if _is_of(table, each.device, event.device)]
    if not found:
        raise Refused(f"{event.device} has no fault")
    for held in found:
        if event.fault in (held.kind, "", "all"):
            held.retested = event.good and held.needs_retest and not held.unaccounted
            held.why = held.why if event.good else event.detail or held.why


def on_mode(table: "Table", event: DeviceModeChanged) -> None:
    """After sort, verify or service a deck needs a shuffle begun in play mode; play mode is the retest."""
    sorting = table.state.sorting
    if event.mode == "play":
        if event.device in sorting:
            sorting.remove(event.device)
        _passed(table, "sort_mode", event.device)
        return
    if event.device not in sorting:
        sorting.append(event.device)
    if table.policies.sort_mode:
        sorted_by(table, event.device)
    _heed(table, event.device, "sort_mode")
    hold(table, "sort_mode", event.device, f"in {event.mode} mode")


def _passed(table: "Table", kind: str, device: str) -> None:
    """A device's own word that the cause is gone: that is the retest of its fault."""
    for held in _held_of(table, kind, device):
        held.retested, held.unaccounted = True, 0


def _held_of(table: "Table", kind: str, device: str) -> list[Hold]:
    return [held for held in table.state.holds if held.kind == kind and _is_of(table, held.device, device)]


def _is_of(table: "Table", held: str, device: str) -> bool:
    """Whether a fault under one name is of the device that speaks: one machine may be shoe and shuffler."""
    return held == device or (table.setup.one_machine and {held, device} == ONE_MACHINE)


def on_emptied(table: "Table", event: DeviceEmptied) -> None:
    """Cards in must equal cards out; when they do, that is the retest of an emptying that failed."""
    left = event.cards_in - event.cards_out
    unblock(table)
    if event.deck in ("", table.state.in_play):
        _heed(table, event.device, "not_emptied")
    _lose(table, event.device, {event.deck} if event.deck else set(table.state.decks))
    if left:
        hold(table, "not_emptied", event.device, f"{left} card(s) not accounted for")
        for held in _held_of(table, "not_emptied", event.device):
            held.unaccounted, held.retested = left, False
    else:
        _passed(table, "not_emptied", event.device)


# ---------------------------------------------------------------- the decks that lie in an automated shoe


def on_stub_ejected(table: "Table", event: StubEjected) -> None:
    """What was left of a deck is out: as many as there should be, or the dealer counts them."""
    round_ = table.state.round
    unblock(table)
    if round_ is not None and event.deck in ("", round_.deck) and round_.ejecting:
        expected, round_.ejecting, round_.ejected = round_.ejecting, 0, True
        if event.count != expected and not round_.void:
            round_.count_wanted = True
            hold(table, "contradiction", event.device, f"a stub of {event.count}, {expected} were left")
        return
    _lose(table, event.device, {event.deck} if event.deck else set(table.state.decks))


def on_decks_found(table: "Table", event: DecksFound) -> None:
    """The shoe is heard again: what it does not have any more is not dealt."""
    if "" not in event.decks:
        _lose(table, event.device, set(table.state.decks) - set(event.decks))


def _lose(table: "Table", device: str, names: set[str]) -> None:
    """Ready decks are in the shoe no more: one that is being dealt voids the round, each is shuffled anew."""
    for deck in [each for each in _inside(table, device) if each.name in names]:
        is_wanted = deck.name == table.state.in_play and waits_for_shoe(table)
        is_dealing = is_wanted and has_begun(table)
        table.note(f"deck {deck.name} is not in the {device} any more", table.cite("5(a)"))
        deck.ready, deck.failed, deck.gone = False, True, not is_wanted
        if is_dealing:
            _void(table)
        elif is_wanted:
            reshuffle_locked(table, deck.name)


def ends_deal(table: "Table", device: str, names: set[str]) -> bool:
    """Tell whether the shoe has cards of a round to give, and these decks are in it no more (x.13(f))."""
    is_wanted = table.state.in_play in names and has_begun(table)
    return is_wanted and (is_shoe(table, device) or bool(_inside(table, device)))


def _inside(table: "Table", device: str) -> list[Deck]:
    """The decks that lie in an automated shoe, ready to be dealt."""
    state = table.state
    is_machine = table.setup.one_machine or state.shuffler == Shuffler.RESHUFFLER
    if not (is_machine and state.method.startswith("auto_shoe") and device in ONE_MACHINE):
        return []  # a shoe that is loaded by hand has what the dealer lays in
    is_in_shoe = table.phases.state is Phase.BETS_OPEN or waits_for_shoe(table)
    return [
        deck for deck in state.decks.values() if deck.ready and (deck.name != state.in_play or is_in_shoe)
    ]


def on_link_lost(table: "Table", event: LinkLost) -> None:
    """Nothing is heard of a device."""
    _heed(table, event.device, "lost_link")
    hold(table, "lost_link", event.device, event.reason)


def on_link_restored(table: "Table", event: LinkRestored) -> None:
    """The device is heard again and its state was read: that is its retest."""
    _passed(table, "lost_link", event.device)
