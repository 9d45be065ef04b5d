"""A device that cannot be used, and the method that takes its place (x.13(g)).

The device must be seen covered or signed before another method is chosen, and what is chosen follows its
own rules: the hand needs an automated shuffler, without a shuffler two decks become one, the shorter deck
life counts.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import ANY_PHASE, BETWEEN_ROUNDS, Action, Refused
from sabot.statemachine.dealing import is_automated
from sabot.statemachine.decks import retire
from sabot.statemachine.events import (
    Role,
)
from sabot.statemachine.faults import hold
from sabot.statemachine.irregular import irregular
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge, SetupError, Shuffler, verify_method

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def device_names(table: "Table") -> list[str]:
    """The devices that may be out of order."""
    names = ["shoe"] if table.state.method != "hand" else []
    return names + (["shuffler"] if table.state.shuffler != Shuffler.HAND else [])


def out_of_order(table: "Table", value: str) -> None:
    """A device cannot be used: it must be covered or signed before another method (x.13(g))."""
    state = table.state
    if value not in state.out_of_order:
        state.out_of_order.append(value)
    if value == "shoe" and state.round is not None:
        if _is_shoe_wanted(table):
            irregular(table, "shoe_jam")
        state.round.knowledge = Knowledge.NONE  # the rest of this round is dealt and declared by the dealer
    hold(table, "out_of_order", value, f"{value} cannot be used")


def _is_shoe_wanted(table: "Table") -> bool:
    """Whether an automated shoe has not given all its cards: then it fails to deal them (x.13(f))."""
    if not table.round.method.startswith("auto_shoe"):
        return False
    return table.state.phase in _BEFORE_DEAL or (table.state.phase is Phase.DEALING and is_automated(table))


_BEFORE_DEAL = frozenset({Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH})


def covered(table: "Table", value: str) -> None:
    """The floor saw the device covered, or the sign on it."""
    if value not in table.state.covered:
        table.state.covered.append(value)
    table.note(f"{value} covered or signed", table.cite("13(g)"), table.person(Role.FLOOR))


def broken(table: "Table") -> list[str]:
    """The devices out of order."""
    return list(table.state.out_of_order)


def methods_left(table: "Table") -> list[str]:
    """The methods that can still be dealt by."""
    shoe_is_broken = "shoe" in table.state.out_of_order
    known = ["hand", "manual_shoe"] if shoe_is_broken else list(table.chapter.plans)
    return [method for method in known if method in table.chapter.plans]


def verify_choose_method(table: "Table", value: str) -> None:
    """Only between rounds, the broken device covered, and only what the remaining devices allow."""
    for device in table.state.uncovered():
        raise Refused(f"{device} must be covered or signed first ({table.chapter.out_of_order.cite})")
    try:
        verify_method(table.setup, value, _least_knowledge(table, value), _shuffler_left(table))
    except SetupError as error:
        raise Refused(str(error)) from error


def verify_devices(table: "Table") -> None:
    """No round by a method that a device out of order has taken away (x.13(g))."""
    state = table.state
    if not state.out_of_order:
        return
    is_left = state.method in methods_left(table) and state.shuffler == _shuffler_left(table)
    if not is_left or state.knowledge != _least_knowledge(table, state.method):
        raise Refused(f"a device is out of order: choose a method ({table.chapter.out_of_order.cite})")


def _least_knowledge(table: "Table", method: str) -> Knowledge:
    state = table.state
    is_seen = method == table.setup.method and "shoe" not in state.out_of_order
    return table.setup.knowledge if is_seen else Knowledge.NONE


def _shuffler_left(table: "Table") -> Shuffler:
    return Shuffler.HAND if "shuffler" in table.state.out_of_order else Shuffler(table.state.shuffler)


def choose_method(table: "Table", value: str) -> None:
    """Deal by another method from now on; without a shuffler two decks become one."""
    state = table.state
    state.knowledge = _least_knowledge(table, value)
    state.method = value
    state.shuffler = _shuffler_left(table)
    if state.shuffler == Shuffler.HAND and state.deck_count > 1:
        _keep_one_deck(table)
    table.note(f"dealing by {value.replace('_', ' ')}", table.cite("13(g)"), table.person(Role.FLOOR))


def _keep_one_deck(table: "Table") -> None:
    """Two decks become one: the one in play stays (x.3(b))."""
    state = table.state
    state.deck_count = 1
    stays = state.in_play if state.in_play in state.decks else next(iter(state.decks), "")
    cite = table.chapter.deck.rules["two_decks"].cite
    for name in [name for name in state.decks if name != stays]:
        retire(table, name, "one deck without a shuffler", cite)
    state.opening = [name for name in state.opening if name == stays]
    if state.in_shuffler not in state.decks:
        state.in_shuffler = stays if table.phases.state is Phase.SHUFFLING else ""
    state.in_play = stays


def in_service(table: "Table", value: str) -> None:
    """The device was repaired; with the shuffler a second deck may come back."""
    state = table.state
    state.out_of_order.remove(value)
    state.covered = [device for device in state.covered if device != value]
    if value == "shuffler":
        state.shuffler, state.deck_count = table.setup.shuffler, table.setup.decks
    table.note(f"{value} back in service", table.cite("13(g)"), table.person(Role.TECHNICIAN))


ACTIONS = (
    Action(
        "in_service",
        "BACK IN SERVICE",
        Role.TECHNICIAN,
        BETWEEN_ROUNDS,
        "13(g)",
        in_service,
        values=broken,
        while_held=True,
    ),
    Action(
        "out_of_order",
        "OUT OF ORDER",
        Role.DEALER,
        ANY_PHASE,
        "13(g)",
        out_of_order,
        values=device_names,
        while_held=True,
    ),
    Action(
        "covered", "DEVICE COVERED", Role.FLOOR, ANY_PHASE, "13(g)", covered, values=broken, while_held=True
    ),
    Action(
        "choose_method",
        "CHOOSE METHOD",
        Role.FLOOR,
        BETWEEN_ROUNDS,
        "13(g)",
        choose_method,
        verify_choose_method,
        methods_left,
        while_held=True,
    ),
)
