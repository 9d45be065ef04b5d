"""A restart in the middle of a round: nothing is assumed, people go on.

The table comes up held and shows what it believes. The floor confirms, or takes the round over to finish it
by hand, its contributions kept or reversed by name. A round that is held by anything else may be taken over
too: people go on where the table cannot.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import answering, byhand, hits, linked, stub, telling
from sabot.statemachine.action import ROUND_PHASES, Action, Refused, phases
from sabot.statemachine.chips import ACCOUNT
from sabot.statemachine.effects import FreeShoe
from sabot.statemachine.events import Resumed, Role
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.faults import hold, lift, lock_wagers
from sabot.statemachine.ledger import REVERSAL, Cause
from sabot.statemachine.phases import ENDING, Phase
from sabot.statemachine.settled import carried_spots

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


REVERSED = "reversed"
# Where a hit that was announced is not paid yet.
ANNOUNCED = phases(Phase.SETTLING, Phase.VALIDATING)


def set_clock(table: "Table", event: Resumed) -> None:
    """The table's time never goes back, and the time that it was down has passed."""
    state = table.state
    least = state.now + (event.down_s or 0.0) - event.at
    state.clock_offset = max(state.clock_offset, least)


def on_resumed(table: "Table", event: Resumed) -> None:
    """In a round the table is held; with unknown down time every deck is due.

    What people and devices were told before may be gone with the power: all is locked, and told anew; where
    nothing holds the table, a shoe that was locked at the end is freed. Before the lock a player may take
    his chips while nobody looks, so the pads tell which lie there yet. A program that had stopped itself is
    looked at by the floor between rounds too.
    """
    state = table.state
    state.unlocked.clear()
    state.menu = state.undo = None
    telling.forget(table)
    lock_wagers(table, POLICY)
    linked.forget(table)
    for deck in state.decks.values():
        deck.age_unknown = deck.age_unknown or event.down_s is None
    slip = f"the program stopped itself: {event.slip}" if event.slip else ""
    if state.round is not None:
        table.round.note(table.now, slip or "controller restarted", POLICY)
        hold(table, "restarted", "controller", slip or "the controller restarted within a round")
        if table.phases.state in ANNOUNCED:
            hits.tell_again(table)
    else:
        _keep_accounts(table)
        if slip:
            hold(table, "slip", "controller", slip)
    if table.held is None:  # a fault that stood has halted the shoe in the safe lane
        table.emit(FreeShoe(cite=POLICY))


def _keep_accounts(table: "Table") -> None:
    """Of the wagers before the lock those on game accounts; a pad tells its own as its spots open."""
    wagers, bets = table.chapter.wagers, table.state.bets
    kept = {
        seat: {name: cents for name, cents in placed.items() if wagers[name].device == ACCOUNT}
        for seat, placed in bets.items()
    }
    table.state.bets = {seat: placed for seat, placed in kept.items() if placed}


def confirm_round(table: "Table", _value: str) -> None:
    """What the controller believes is what lies on the felt: go on."""
    _lift_restart(table)


def take_over(table: "Table", value: str) -> None:
    """The floor finishes the round by hand; its contributions are kept, or reversed by name."""
    round_ = table.round
    round_.by_hand, round_.gave_back = True, value == REVERSED
    answering.take_over_chips(table)
    paid = carried_spots(round_)
    if value == REVERSED:
        hits.drop(table, hits.waiting(table))
    round_.frozen = byhand.frozen_hits(table)
    round_.hits = [hit for hit in round_.hits if (hit.seat, hit.wager) in paid]
    round_.lines = byhand.settled_lines(table)
    by = table.person(Role.FLOOR)
    round_.note(table.now, f"finished by hand, contributions {value}", POLICY, by)
    if value == REVERSED:
        list(table.state.ledger.reverse_round(Cause(REVERSAL, round_.number)))
        linked.take_back_all(table, POLICY)
    _lift_restart(table)
    table.clear_pending()
    table.phases.finish_by_hand()
    stub.count_at_last(table)


def contribution_fates(_table: "Table") -> list[str]:
    """What may become of the contributions of a round finished by hand."""
    return ["kept", REVERSED]


def was_interrupted(table: "Table") -> bool:
    """Whether a restart interrupted the round."""
    return any(held.kind == "restarted" for held in table.state.holds)


def is_held(table: "Table") -> bool:
    """Whether anything holds the round; a hit that the floor does not validate is like a hold."""
    return table.held is not None or table.phases.state is Phase.VALIDATING


def verify_restarted(table: "Table", _value: str) -> None:
    """Only a round that a restart interrupted."""
    if not was_interrupted(table):
        raise Refused("the round was not interrupted")


def verify_take_over(table: "Table", _value: str) -> None:
    """Only a round that is held: people finish by hand what the table cannot."""
    if not is_held(table):
        raise Refused("nothing holds the round")


def _lift_restart(table: "Table") -> None:
    for held in [held for held in table.state.holds if held.kind == "restarted"]:
        lift(table, held, table.person(Role.FLOOR))


ACTIONS = (
    Action(
        "confirm_round",
        "CONFIRM ROUND",
        Role.FLOOR,
        ROUND_PHASES | phases(*ENDING),
        "-",
        confirm_round,
        verify_restarted,
        when=was_interrupted,
        while_held=True,
    ),
    Action(
        "take_over",
        "TAKE OVER",
        Role.FLOOR,
        ROUND_PHASES,
        "-",
        take_over,
        verify_take_over,
        contribution_fates,
        lambda _, fate: f"SHARES {fate}".upper(),
        when=is_held,
        while_held=True,
    ),
)
