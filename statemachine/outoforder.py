"""A device that cannot be used, and the method that takes its place (x.13(g)).

The device must be seen covered or signed before another method is chosen, and what is chosen follows its
own rules: the hand needs an automated shuffler, without a shuffler two decks become one, the shorter deck
life counts.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import ANY_PHASE, BETWEEN_ROUNDS, Action, Refused, phases
from sabot.statemachine.dealing import deal_by, lacks_shuffler, waits_for_shoe
from sabot.statemachine.decks import retire
from sabot.statemachine.events import (
    Role,
)
from sabot.statemachine.faults import hold, hold_at_last, is_set_aside
from sabot.statemachine.irregular import irregular
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge, SetupError, Shuffler, verify_method
from sabot.statemachine.shuffling import BY_HAND, order_shuffle_again, shuffles_by_device, start_shuffle

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


# What can be dealt by without any device of the table: a shoe without a reader, and the dealer's hand.
PLAIN_METHODS = ("manual_shoe", "hand")
MACHINE = ("shoe", "shuffler")
# Where a deck lies that was shuffled and not dealt yet.
SHUFFLED = (Phase.CUTTING, Phase.BETS_OPEN)


def device_names(table: "Table") -> list[str]:
    """The devices that may be out of order; a machine that shuffles and deals is one."""
    if table.setup.one_machine:
        return ["shoe"]
    names = ["shoe"] if table.state.method != "hand" else []
    return names + (["shuffler"] if table.state.shuffler != Shuffler.HAND else [])


def _parts(table: "Table", device: str) -> tuple[str, ...]:
    """The names under which the table knows a device: one machine is out of order as a whole."""
    return MACHINE if table.setup.one_machine else (device,)


def out_of_order(table: "Table", value: str) -> None:
    """A device cannot be used: it must be covered or signed before another method (x.13(g))."""
    state = table.state
    state.out_of_order += [each for each in _parts(table, value) if each not in state.out_of_order]
    if value == "shoe" and state.round is not None:
        if waits_for_shoe(table):
            irregular(table, "shoe_jam")
        state.round.knowledge = Knowledge.NONE  # the rest of this round is dealt and declared by the dealer
    hold(table, "out_of_order", value, f"{value} cannot be used")


def covered(table: "Table", value: str) -> None:
    """The floor saw the device covered, or the sign on it; its own faults hold the table no more."""
    state = table.state
    state.covered += [each for each in _parts(table, value) if each not in state.covered]
    table.note(f"{value} covered or signed", table.cite("13(g)"), table.person(Role.FLOOR))


def broken(table: "Table") -> list[str]:
    """The devices out of order, each once."""
    is_machine = table.setup.one_machine
    return [device for device in table.state.out_of_order if not (is_machine and device == "shuffler")]


def methods_left(table: "Table") -> list[str]:
    """What the floor may choose: what is left while a device is out of order, then the table's own again.

    A locked round keeps its method, but where it waits for a shuffle by a device that is no more.
    """
    state, own = table.state, table.setup.method
    if state.uncovered() or (state.round is not None and not lacks_shuffler(table)):
        return []
    if not state.out_of_order:
        is_own = (state.method, state.knowledge) == (own, table.setup.knowledge)
        return [] if is_own else [own]
    there = PLAIN_METHODS if "shoe" in state.out_of_order else (own, *PLAIN_METHODS)
    return [method for method in table.chapter.plans if method in there and _may_deal_by(table, method)]


def _may_deal_by(table: "Table", method: str) -> bool:
    """Whether the law lets cards be dealt so with the devices that remain."""
    try:
        verify_method(table.setup, method, _least_knowledge(table, method), _shuffler_left(table))
    except SetupError:
        return False
    return True


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
    if state.round is not None:
        deal_by(table, value)
    table.note(f"dealing by {value.replace('_', ' ')}", table.cite("13(g)"), table.person(Role.FLOOR))
    _shuffle_for_hand(table)


def _shuffle_for_hand(table: "Table") -> None:
    """Cards that the dealer shuffled are dealt from the hand after the shuffler had them (x.9(a)(1))."""
    state = table.state
    deck, needs = state.decks.get(state.in_play), table.chapter.plans[state.method].needs_shuffler
    is_wrong = needs and deck is not None and deck.proof == BY_HAND and shuffles_by_device(table)
    if is_wrong and state.phase in SHUFFLED:
        table.note("shuffled by hand: shuffled by the device", needs)
        table.phases.reshuffle()
        start_shuffle(table, state.in_play)


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
    """The device was repaired; its faults count again, and with the shuffler a second deck may come back."""
    state, parts = table.state, _parts(table, value)
    aside = [held for held in state.holds if is_set_aside(table, held.kind, held.device)]
    state.out_of_order = [device for device in state.out_of_order if device not in parts]
    state.covered = [device for device in state.covered if device not in parts]
    if "shuffler" in parts:
        state.shuffler, state.deck_count = table.setup.shuffler, table.setup.decks
    table.note(f"{value} back in service", table.cite("13(g)"), table.person(Role.TECHNICIAN))
    hold_at_last(table, aside)
    if "shuffler" in parts:
        order_shuffle_again(table)
        _shuffle_for_hand(table)


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
        BETWEEN_ROUNDS | phases(Phase.DEALING),
        "13(g)",
        choose_method,
        values=methods_left,
        while_held=True,
    ),
)
